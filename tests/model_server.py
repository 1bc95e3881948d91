"""A real HTTP server on the loopback interface that plays a model endpoint by a script.

    def script(request: dict[str, Any], call: int) -> Response:
        return Response(429, headers={"retry-after": "0"}) if call == 1 else chat_reply("ANSWER: B")

    with ModelServer(script) as server:
        ...  # ask server.base_url
    assert server.n_requests == 2

The script runs in the server's own thread, one call at a time. It gets the JSON of the request and
the number of the call, 1 for the first. What it raises is answered with status 500 and raised
again at the end of the `with` block.
"""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import formatdate
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True)
class Response:
    """What to send. `body`: a JSON value, or bytes that go out as they are.

    `delay` is seconds before the answer; `hang`: take the request and never answer;
    `close_midway`: send half of the body and close the connection; `close`: close without a word.
    """

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    hang: bool = False
    close_midway: bool = False
    close: bool = False


@dataclass(frozen=True)
class Request:
    """What came in. Header names in lower case; `received_at` in seconds of `time.monotonic`.

    `connection` numbers the TCP connections, 1 for the first.
    """

    path: str
    headers: Mapping[str, str]
    json: dict[str, Any]
    received_at: float
    connection: int


Script = Callable[[dict[str, Any], int], Response]


def chat_reply(*texts: str | None, finish_reason: str = "stop", **body: Any) -> Response:
    """Answer with one choice for each text; `body` adds fields or replaces them."""
    return Response(
        body={
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": "scripted-2024-01-01",
            "choices": [
                {
                    "index": index,
                    "message": {"role": "assistant", "content": text},
                    "logprobs": None,
                    "finish_reason": finish_reason,
                }
                for index, text in enumerate(texts)
            ],
            "usage": {
                "prompt_tokens": 11,
                "completion_tokens": 7 * len(texts),
                "total_tokens": 11 + 7 * len(texts),
            },
        }
        | body
    )


def error_reply(
    status: int, message: str, headers: Mapping[str, str] | None = None, **error: Any
) -> Response:
    """Answer with OpenAI's error object; `error` adds fields such as `code`, `param`, `type`."""
    return Response(status, {"error": {"message": message} | error}, headers or {})


def always_b(request: dict[str, Any], call: int) -> Response:
    """Answer every chat with `n` times the same right form."""
    return chat_reply(*["ANSWER: B"] * int(request.get("n") or 1))


class ModelServer:
    """The server; a context manager. Its counts may be read at any time, also after the end."""

    def __init__(self, script: Script = always_b) -> None:
        self.script = script
        self.requests: list[Request] = []
        self.n_in_flight = 0
        self.max_in_flight = 0
        self.n_connections = 0
        self.port = 0
        self._connections: set[_Connection] = set()
        self._failure: BaseException | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="model-server")

    @property
    def base_url(self) -> str:
        """The address that a client is given."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def n_requests(self) -> int:
        """How many requests have come in."""
        return len(self.requests)

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result()
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        if self._failure is not None and exc is None:
            raise self._failure

    async def _listen(self) -> asyncio.Server:
        return await self._loop.create_server(lambda: _Connection(self), "127.0.0.1", 0)

    async def _stop(self) -> None:
        self._server.close()
        for connection in tuple(self._connections):
            connection.transport.abort()
        await asyncio.sleep(0)

    def _answer(self, request: Request) -> Response:
        self.requests.append(request)
        try:
            return self.script(request.json, len(self.requests))
        except BaseException as failure:  # noqa: BLE001 - raised again in __exit__
            self._failure = failure
            return error_reply(500, f"the script failed: {failure!r}")


class _Connection(asyncio.Protocol):
    def __init__(self, server: ModelServer) -> None:
        self.server = server
        self.received = bytearray()
        self.n_open = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.server.n_connections += 1
        self.number = self.server.n_connections
        self.server._connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.server._connections.discard(self)
        self.server.n_in_flight -= self.n_open
        self.n_open = 0

    def data_received(self, data: bytes) -> None:
        self.received += data
        while (end := self.received.find(b"\r\n\r\n")) >= 0:
            first, *lines = self.received[:end].decode("latin-1").split("\r\n")
            headers = {
                name.strip().lower(): value.strip()
                for name, _, value in (line.partition(":") for line in lines)
            }
            size = int(headers.get("content-length", 0))
            if len(self.received) < end + 4 + size:
                return
            content = bytes(self.received[end + 4 : end + 4 + size])
            del self.received[: end + 4 + size]
            self._receive(first.split(" ")[1], headers, content)

    def _receive(self, path: str, headers: dict[str, str], content: bytes) -> None:
        server = self.server
        self.n_open += 1
        server.n_in_flight += 1
        server.max_in_flight = max(server.max_in_flight, server.n_in_flight)
        sent = json.loads(content) if content else {}
        response = server._answer(Request(path, headers, sent, time.monotonic(), self.number))
        if not response.hang:
            asyncio.get_running_loop().call_later(response.delay, self._send, response)

    def _send(self, response: Response) -> None:
        if self.transport.is_closing():
            return
        self.n_open -= 1
        self.server.n_in_flight -= 1
        if response.close:
            self.transport.abort()
            return
        body = response.body
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {
            "date": formatdate(usegmt=True),
            "content-type": "application/json",
            "content-length": str(len(content)),
        } | {name.lower(): value for name, value in response.headers.items()}
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.transport.write(f"HTTP/1.1 {response.status} Scripted\r\n{head}\r\n".encode())
        if response.close_midway:
            self.transport.write(content[: len(content) // 2])
            self.transport.close()
        else:
            self.transport.write(content)
