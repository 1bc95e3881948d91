"""The one way to a model: one HTTP request in, one `CallResult` out, whatever happened.

`ModelClient` serves one model at one OpenAI-compatible endpoint inside one event loop. It keeps
within the model's limits, honours `Retry-After`, gives every attempt a deadline that covers the
last byte of the body, and retries what may succeed later (408, 409, 425, 429, 5xx, broken or
hanging connections), always in this one layer.

It raises two things only. `ParameterRefused`: ask again without the parameter. `ModelUnavailable`:
no request to this model can succeed (key, quota, address, nothing listening); once raised, every
later call raises it at once, without a request.

CPU time per call is what limits throughput; tenacity therefore comes in with the first failure.
"""

import asyncio
import json
import random
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from types import TracebackType
from typing import Any, Self

import tenacity

from tasks.core.calls.errors import (
    ContextOverflow,
    Filtered,
    ModelRefused,
    ParameterRefused,
    QuotaExhausted,
    Retriable,
)
from tasks.core.calls.replies import Api, MalformedReply
from tasks.core.errors import ModelUnavailable
from tasks.core.types import CompletionStatus, Reply
from tasks.io.api_key import ApiKey
from tasks.io.pacing import Allowance, Gate
from tasks.io.transport import Attempt, Transport

OPENAI_URL = "https://api.openai.com/v1"
LONG_PAUSE_S = 10.0
SAY_TROUBLE_EVERY_S = 60.0

_BEST_FIRST = (
    CompletionStatus.OK,
    CompletionStatus.TRUNCATED,
    CompletionStatus.EMPTY,
    CompletionStatus.FILTERED,
    CompletionStatus.ERROR,
)
_ASCII_JSON = json.JSONEncoder(allow_nan=False, separators=(",", ":"))
_LONGEST_ERROR = 2_000
_LONGEST_REASON = 300
_LONGEST_BACKOFF_S = 60.0
_BYTES_PER_TOKEN = 4
_REQUESTS_BURST_S = 0.05
_TOKENS_BURST_S = 6.0


@dataclass(frozen=True, slots=True)
class CallResult:
    """How a call ended.

    `status` is the best among the samples of `reply`; without samples it says why there are none.
    `reply` without choices is evidence of a body with status 200 and no sample; None: no such body
    came. `is_odd`: it names no error that is known, so that the same request may do better at once.
    `error` has at most 2,000 characters, and never the API key. `error_code` is the server's own,
    in lower case, or `timeout`, `connection`, `malformed_reply`. `n_attempts` counts requests
    sent. `started_at` (UTC) is when the first was; `duration_s` runs from there to the end of
    the last, with the waits in between.
    """

    status: CompletionStatus
    reply: Reply | None
    http_status: int | None
    error_code: str | None
    error: str | None
    n_attempts: int
    started_at: datetime
    duration_s: float
    is_odd: bool = False


@dataclass(slots=True)
class _Call:
    """The state of one call over its attempts. `n_failures`: those that count as such."""

    content: bytes
    sent: Collection[str]
    n_tokens: float
    n_attempts: int = 0
    n_failures: int = 0
    n_unreached: int = 0
    n_replies_seen: int = 0
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    started: float = 0.0


class ModelClient:
    """A model at an endpoint; an async context manager, to be used inside one event loop.

    `model` is a name for messages; requests are sent as they are given. `base_url` None: OpenAI.
    `timeout_s` is the deadline of one attempt, connection and body included. `max_attempts` bounds
    the failures of one call; a refusal for the rate limit is no failure as long as other calls of
    the model get replies meanwhile. `max_wait_s` bounds the time from first attempt to last retry;
    a server that asks for a longer pause makes the model unavailable. `on_pause(seconds, reason)`
    is called when the model pauses for `LONG_PAUSE_S` or more, and, at most once a minute, when a
    call waits because there is no connection or the model has not given any reply yet. Tokens for
    `tokens_per_minute` are estimated (4 bytes each, plus the tokens the request may generate) and
    settled by the reply.

    Raises BadInput for an address or a key that cannot be one.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        api_key_env: str | None = None,
        api: Api = "chat",
        timeout_s: float = 600.0,
        max_concurrency: int = 16,
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
        max_attempts: int = 6,
        max_wait_s: float = 7_200.0,
        first_backoff_s: float = 1.0,
        on_pause: Callable[[float, str], None] | None = None,
    ) -> None:
        self.model = model
        self.max_concurrency = max_concurrency
        self._key = ApiKey(api_key, api_key_env)
        self._transport = Transport(
            base_url or OPENAI_URL,
            self._key,
            api=api,
            timeout_s=timeout_s,
            max_connections=max_concurrency,
        )
        self._requests = (
            Allowance(requests_per_minute, _REQUESTS_BURST_S) if requests_per_minute else None
        )
        self._tokens = Allowance(tokens_per_minute, _TOKENS_BURST_S) if tokens_per_minute else None
        self._max_attempts = max_attempts
        self._max_wait_s = max_wait_s
        self._on_pause = on_pause
        self._slots = asyncio.Semaphore(max_concurrency)
        self._gate = Gate()
        self._n_replies = 0
        self._unavailable: str | None = None
        self._trouble_said_at = float("-inf")
        self._backoff = tenacity.wait_exponential_jitter(
            multiplier=first_backoff_s, max=_LONGEST_BACKOFF_S, jitter=first_backoff_s
        )
        self._contended_backoff = tenacity.wait_exponential_jitter(
            multiplier=first_backoff_s, max=16 * first_backoff_s, jitter=first_backoff_s
        )
        self._spread = tenacity.wait_random_exponential(
            multiplier=first_backoff_s / 10, max=_LONGEST_BACKOFF_S / 10
        )

    def __repr__(self) -> str:
        return f"ModelClient({self.model!r}, host={self._transport.host!r})"

    async def __aenter__(self) -> Self:
        await self._transport.__aenter__()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._transport.__aexit__(exc_type, exc, traceback)

    async def call(self, body: Mapping[str, Any]) -> CallResult:
        """Send one request body and return how it ended.

        `body` is a JSON object for `/chat/completions` or `/completions`; texts in it may hold
        lone surrogates. Raises ParameterRefused and ModelUnavailable, see the module.
        """
        content = _ASCII_JSON.encode(body).encode("ascii")
        call = _Call(content, body.keys(), self._estimated_tokens(body, len(content)))
        attempt = await self._attempt(call)
        if isinstance(attempt.error, Retriable):
            attempt = await self._retry(call, attempt)
        duration_s = time.monotonic() - call.started
        if attempt.error is not None:
            return self._failed(call, attempt, duration_s)
        assert attempt.reply is not None
        return CallResult(
            _best(attempt.reply),
            attempt.reply,
            attempt.http_status,
            None,
            None,
            call.n_attempts,
            call.started_at,
            duration_s,
        )

    def _estimated_tokens(self, body: Mapping[str, Any], n_bytes: int) -> float:
        if self._tokens is None:
            return 0.0
        limit = body.get("max_completion_tokens") or body.get("max_tokens") or 0
        return n_bytes / _BYTES_PER_TOKEN + limit * (body.get("n") or 1)

    async def _retry(self, call: _Call, failed: Attempt) -> Attempt:
        """Go on after a first attempt that failed, with waits, until an end is reached."""
        made = [failed]

        async def attempt() -> Attempt:
            return made.pop() if made else await self._attempt(call)

        def is_over(state: tenacity.RetryCallState) -> bool:
            waited_s = time.monotonic() - call.started + state.upcoming_sleep
            return call.n_failures >= self._max_attempts or waited_s > self._max_wait_s

        retrying = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_result(lambda made: isinstance(made.error, Retriable)),
            stop=is_over,
            wait=self._seconds_until_retry,
            before_sleep=self._say_trouble,
            retry_error_callback=_outcome,
        )
        return await retrying(attempt)

    def _seconds_until_retry(self, state: tenacity.RetryCallState) -> float:
        attempt = _outcome(state)
        asked_for = attempt.wait_s
        if asked_for is None:
            is_rate_limit = isinstance(attempt.error, Retriable) and attempt.error.is_rate_limit
            return (self._contended_backoff if is_rate_limit else self._backoff)(state)
        return asked_for + self._spread(state) + random.uniform(0, min(5.0, asked_for / 10))

    def _say_trouble(self, state: tenacity.RetryCallState) -> None:
        """Say at once why nothing comes, not only when the attempts are used up."""
        attempt, error = _outcome(state), _outcome(state).error
        if self._on_pause is None or not isinstance(error, Retriable) or error.is_rate_limit:
            return
        is_said_already = (attempt.wait_s or 0) >= LONG_PAUSE_S
        if is_said_already or not (attempt.is_unreached or self._n_replies == 0):
            return
        now = time.monotonic()
        if now - self._trouble_said_at >= SAY_TROUBLE_EVERY_S:
            self._trouble_said_at = now
            what = (
                f"no connection to {self._transport.host}"
                if attempt.is_unreached
                else f"no reply from {self._transport.host} yet"
            )
            reason = f"{what}, trying again ({' '.join(self._shown(error.message).split())})"
            self._on_pause(state.upcoming_sleep, reason[:_LONGEST_REASON])

    async def _attempt(self, call: _Call) -> Attempt:
        async with self._slots:
            await self._turn(call)
            if self._unavailable is not None:
                raise ModelUnavailable(self._unavailable)
            if call.n_attempts == 0:
                call.started_at = datetime.now(UTC)
                call.started = time.monotonic()
                call.n_replies_seen = self._n_replies
            call.n_attempts += 1
            attempt = await self._transport.post(call.content, call.sent)
        self._account(call, attempt)
        return attempt

    async def _turn(self, call: _Call) -> None:
        """Wait for the limits and for the end of a pause."""
        await self._gate.passed()
        if self._requests is not None:
            await self._requests.take(1)
            await self._gate.passed()
        if self._tokens is not None:
            await self._tokens.take(call.n_tokens)
            await self._gate.passed()

    def _account(self, call: _Call, attempt: Attempt) -> None:
        """Book what an attempt used, and draw the consequences for the model's other calls."""
        if self._tokens is not None:
            usage = attempt.reply.usage if attempt.reply else None
            used = (usage.input_tokens or 0) + (usage.output_tokens or 0) if usage else 0
            self._tokens.give_back(call.n_tokens - used)
        if attempt.error is None:
            self._n_replies += 1
        match attempt.error:
            case ModelRefused() | QuotaExhausted() as error:
                self._stop(_reason(error, attempt, self._key), error.message)
            case ParameterRefused() as error:
                raise ParameterRefused(
                    error.parameter,
                    value_specific=error.value_specific,
                    replacement=error.replacement,
                    message=self._shown(error.message),
                    code=error.code,
                )
            case Retriable() as error:
                others_get_replies = self._n_replies > call.n_replies_seen
                call.n_replies_seen = self._n_replies
                call.n_failures += not (error.is_rate_limit and others_get_replies)
                call.n_unreached += attempt.is_unreached
                if call.n_unreached >= self._max_attempts:
                    self._stop("nothing answers at this address", error.message)
                if attempt.is_web_page and self._is_lost(call):
                    self._stop(
                        f"a web page came instead of a reply (HTTP {attempt.http_status})",
                        error.message,
                    )
                if attempt.wait_s is not None:
                    self._pause(attempt.wait_s, error)

    def _is_lost(self, call: _Call) -> bool:
        """Whether what is at the address can be no model. A page that comes between replies may
        be a passing one (maintenance), and is tried again like an error of the server."""
        return self._n_replies == 0 or call.n_failures >= self._max_attempts

    def _pause(self, seconds: float, error: Retriable) -> None:
        if seconds > self._max_wait_s:
            self._stop(
                f"the server asks for a pause of {seconds:.0f} s, longer than the"
                f" {self._max_wait_s:.0f} s that are waited for",
                error.message,
            )
        if self._gate.shut(seconds) and seconds >= LONG_PAUSE_S and self._on_pause is not None:
            self._on_pause(seconds, self._shown(error.message))

    def _stop(self, reason: str, message: str) -> None:
        said = " ".join(self._key.strike_out(message).split())[:_LONGEST_REASON]
        self._unavailable = f"model {self.model} at {self._transport.host}: {reason}: {said}"
        raise ModelUnavailable(self._unavailable)

    def _failed(self, call: _Call, attempt: Attempt, duration_s: float) -> CallResult:
        error = attempt.error
        assert error is not None
        status = CompletionStatus.ERROR
        if isinstance(error, ContextOverflow):
            status = CompletionStatus.CONTEXT_OVERFLOW
        elif isinstance(error, Filtered):
            status = CompletionStatus.FILTERED
        code = error.code
        if isinstance(error, MalformedReply):
            code = code or "malformed_reply"
        message = str(error) if isinstance(error, Exception) else error.message
        return CallResult(
            status,
            attempt.reply,
            attempt.http_status,
            code and self._key.strike_out(code),
            self._shown(message),
            call.n_attempts,
            call.started_at,
            duration_s,
            is_odd=isinstance(error, MalformedReply),
        )

    def _shown(self, message: str) -> str:
        return self._key.strike_out(message)[:_LONGEST_ERROR]


def _best(reply: Reply) -> CompletionStatus:
    statuses = {choice.status for choice in reply.choices}
    return next(status for status in _BEST_FIRST if status in statuses)


def _reason(error: ModelRefused | QuotaExhausted, attempt: Attempt, key: ApiKey) -> str:
    if attempt.http_status is None:
        return "no secure connection"
    shown = f"HTTP {attempt.http_status}"
    if attempt.named_status is not None:
        shown += f" with error {attempt.named_status}"
    if isinstance(error, QuotaExhausted):
        return f"the account has no quota left ({shown}, {key})"
    if error.is_key:
        return f"the {key} was refused ({shown})"
    if HTTPStatus.FORBIDDEN in (attempt.http_status, attempt.named_status):
        return f"access was refused ({shown}, {key})"
    return f"no such model or address ({shown})"


def _outcome(state: tenacity.RetryCallState) -> Attempt:
    assert state.outcome is not None
    attempt: Attempt = state.outcome.result()
    return attempt
