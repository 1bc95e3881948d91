"""Sends one HTTP request to a model's endpoint and says what came of it.

The openai client is used for its raw response over its aiohttp transport: parsing into models
would double the CPU time of a call. It does not retry; see `tasks.io.model_client`.
"""

import asyncio
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, NamedTuple, Self
from urllib.parse import urlsplit

import aiohttp
import httpx2
import openai

from tasks.core.calls.errors import (
    CallError,
    ModelRefused,
    Retriable,
    classify,
    classify_within,
)
from tasks.core.calls.replies import Api, MalformedReply, decode_body, read_reply
from tasks.core.calls.retry_after import seconds_to_wait
from tasks.core.calls.web_page import web_page_title
from tasks.core.errors import BadInput
from tasks.core.types import Reply
from tasks.io.api_key import ApiKey

_PATHS: Mapping[Api, str] = {"chat": "/chat/completions", "completions": "/completions"}
_CONNECT_TIMEOUT_S = 15.0
_IDLE_CONNECTION_S = 4.0


class Attempt(NamedTuple):
    """What came of one request.

    `reply` beside an error is what could be read of a body that came with HTTP status 200, and
    `named_status` the status that its error stands for. `wait_s`: how long the server asked to be
    left alone. `is_unreached`: there was no connection to it. `is_web_page`: what answered is no
    API of a model.
    """

    reply: Reply | None = None
    http_status: int | None = None
    error: CallError | MalformedReply | None = None
    wait_s: float | None = None
    is_unreached: bool = False
    is_web_page: bool = False
    named_status: int | None = None


class Transport:
    """The connections to one endpoint; an async context manager inside one event loop.

    `timeout_s` is the deadline of one request, from connecting to the last byte of the body.
    Raises BadInput for an address that cannot be one.
    """

    def __init__(
        self, base_url: str, key: ApiKey, *, api: Api, timeout_s: float, max_connections: int
    ) -> None:
        self.base_url = base_url
        self.host = _host(base_url)
        self._key = key
        self._api: Api = api
        # A whole address: the client would merge a path with its base URL anew for every call.
        self._url = base_url.rstrip("/") + _PATHS[api]
        self._timeout_s = timeout_s
        self._max_connections = max_connections
        self._client: openai.AsyncOpenAI | None = None

    async def __aenter__(self) -> Self:
        self._client = openai.AsyncOpenAI(
            base_url=self.base_url,
            api_key=self._key.reveal(),
            max_retries=0,
            timeout=openai.Timeout(None, connect=min(_CONNECT_TIMEOUT_S, self._timeout_s)),
            http_client=_OneAddressClient(
                self._url,
                follow_redirects=False,
                limits=httpx2.Limits(
                    max_connections=self._max_connections, keepalive_expiry=_IDLE_CONNECTION_S
                ),
            ),
        )
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def post(self, content: bytes, sent: Collection[str]) -> Attempt:
        """Send a JSON body with the top-level names `sent`. What a server does is never raised."""
        if self._client is None:
            raise RuntimeError("the connections are not open: use `async with`")
        try:
            async with asyncio.timeout(self._timeout_s):
                response = await self._client.post(
                    self._url, content=content, cast_to=httpx2.Response
                )
        except openai.APIStatusError as error:
            return self._refused(error.response, sent)
        except (openai.APIConnectionError, aiohttp.ClientError, OSError) as error:
            return self._broken(error)
        return self._read(response, sent)

    def _read(self, response: httpx2.Response, sent: Collection[str]) -> Attempt:
        content = self._key.strike_out_of_reply(response.content)
        try:
            reply = read_reply(decode_body(content), api=self._api)
            return Attempt(reply, response.status_code)
        except MalformedReply:
            return self._read_odd(response, sent)

    def _read_odd(self, response: httpx2.Response, sent: Collection[str]) -> Attempt:
        """Read a body of status 200 that holds no sample."""
        status = response.status_code
        content = self._key.strike_out_of_reply(response.content, is_error=True)
        try:
            body = decode_body(content)
        except MalformedReply as malformed:
            title = web_page_title(content, response.headers.get("content-type", ""))
            if title is None:
                return Attempt(None, status, malformed)
            error: CallError = Retriable(self._about_web_page(title), "web_page")
            return Attempt(None, status, error, is_web_page=True)
        try:
            return Attempt(read_reply(body, api=self._api), status)
        except MalformedReply as malformed:
            known = None if _has_choices(body) else classify_within(body, sent=sent)
            if known is None:
                return Attempt(malformed.reply, status, malformed)
            named_status, error = known
            wait_s = _asked_for(response, error)
            return Attempt(malformed.reply, status, error, wait_s, named_status=named_status)

    def _about_web_page(self, title: str) -> str:
        path = urlsplit(self.base_url).path.rstrip("/")
        advice = (
            "does a login page or a proxy stand in between?"
            if path.endswith("/v1")
            else f"is /v1 missing at the end of the base URL (its path is {path or '/'!r})?"
        )
        return f"{f'its title is {title!r}; ' if title else ''}{advice}"

    def _refused(self, response: httpx2.Response, sent: Collection[str]) -> Attempt:
        content = self._key.strike_out_of_reply(response.content, is_error=True)
        try:
            body = decode_body(content)
        except MalformedReply:
            body = content.decode("utf-8", "replace")
        error = classify(response.status_code, body, sent=sent)
        return Attempt(None, response.status_code, error, _asked_for(response, error))

    def _broken(self, error: Exception) -> Attempt:
        """Describe an attempt that ended without a whole response."""
        cause: BaseException = error
        while cause.__cause__ is not None and not isinstance(cause, aiohttp.ClientError):
            cause = cause.__cause__
        if isinstance(cause, aiohttp.ClientConnectorCertificateError):
            return Attempt(error=ModelRefused(str(cause), "certificate"))
        if isinstance(cause, aiohttp.ClientSSLError) and _is_no_tls(cause):
            message = "what answers does not speak TLS; is it http:// and not https://?"
            return Attempt(error=ModelRefused(message, "tls"))
        is_unreached = isinstance(
            cause, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError
        )
        if type(error) is TimeoutError:
            message, code = f"no whole response within {self._timeout_s:g} s", "timeout"
        else:
            message, code = f"{type(cause).__name__}: {cause}".rstrip(": "), "connection"
        return Attempt(error=Retriable(message, code), is_unreached=is_unreached)


def _asked_for(response: httpx2.Response, error: CallError) -> float | None:
    if not isinstance(error, Retriable):
        return None
    return seconds_to_wait(response.headers, received_at=datetime.now(UTC))


def _is_no_tls(error: aiohttp.ClientSSLError) -> bool:
    reason = getattr(error.os_error, "reason", None)
    return reason in ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST")


def _has_choices(body: Any) -> bool:
    return isinstance(body, Mapping) and bool(body.get("choices"))


class _OneAddressClient(openai.DefaultAioHttpClient):
    """Posts to one address: its URL and own headers are not merged anew for every request, which
    is 5 % of the CPU time of a call."""

    def __init__(self, address: str, **options: Any) -> None:
        super().__init__(**options)
        self._address = httpx2.URL(address)
        self._own = [(name, self.headers[name]) for name in ("accept-encoding", "connection")]

    def build_request(self, method: str, url: Any, **fields: Any) -> httpx2.Request:
        """As the base class does, for requests without parameters, cookies and files."""
        return httpx2.Request(
            method,
            self._address,
            headers=[*self._own, *fields["headers"]],
            content=fields["content"],
            extensions={"timeout": fields["timeout"].as_dict()},
        )


def _host(base_url: str) -> str:
    """Return host and port for messages, without user names and passwords."""
    try:
        parts = urlsplit(base_url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        raise BadInput("the base URL is not an address") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput(f"the base URL must be http://… or https://…, not {base_url!r}")
    return f"{parts.hostname}{port}"
