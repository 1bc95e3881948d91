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

from tasks.core.calls.errors import CallError, Retriable, classify
from tasks.core.calls.replies import Api, MalformedReply, decode_body, read_reply
from tasks.core.calls.retry_after import seconds_to_wait
from tasks.core.errors import BadInput
from tasks.core.types import Reply
from tasks.io.api_key import ApiKey

_PATHS: Mapping[Api, str] = {"chat": "/chat/completions", "completions": "/completions"}
_CONNECT_TIMEOUT_S = 15.0
_IDLE_CONNECTION_S = 4.0


class Attempt(NamedTuple):
    """What came of one request.

    `reply` beside a MalformedReply is what could be read of it. `wait_s`: how long the server
    asked to be left alone. `is_unreached`: there was no connection to it.
    """

    reply: Reply | None = None
    http_status: int | None = None
    error: CallError | MalformedReply | None = None
    wait_s: float | None = None
    is_unreached: bool = False


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
        return self._read(response)

    def _read(self, response: httpx2.Response) -> Attempt:
        content = self._key.strike_out_of_reply(response.content)
        try:
            reply = read_reply(decode_body(content), api=self._api)
            return Attempt(reply, response.status_code)
        except MalformedReply:
            content = self._key.strike_out_of_reply(content, is_error=True)
        try:
            reply = read_reply(decode_body(content), api=self._api)
            return Attempt(reply, response.status_code)
        except MalformedReply as malformed:
            return Attempt(malformed.reply, response.status_code, malformed)

    def _refused(self, response: httpx2.Response, sent: Collection[str]) -> Attempt:
        content = self._key.strike_out_of_reply(response.content, is_error=True)
        try:
            body = decode_body(content)
        except MalformedReply:
            body = content.decode("utf-8", "replace")
        error = classify(response.status_code, body, sent=sent)
        wait_s = None
        if isinstance(error, Retriable):
            wait_s = seconds_to_wait(response.headers, received_at=datetime.now(UTC))
        return Attempt(None, response.status_code, error, wait_s)

    def _broken(self, error: Exception) -> Attempt:
        """Describe an attempt that ended without a whole response."""
        cause: BaseException = error
        while cause.__cause__ is not None and not isinstance(cause, aiohttp.ClientError):
            cause = cause.__cause__
        is_unreached = isinstance(
            cause, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError
        )
        if type(error) is TimeoutError:
            message, code = f"no whole response within {self._timeout_s:g} s", "timeout"
        else:
            message, code = f"{type(cause).__name__}: {cause}".rstrip(": "), "connection"
        return Attempt(error=Retriable(message, code), is_unreached=is_unreached)


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
