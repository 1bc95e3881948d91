"""An OpenAI-compatible server with a fixed latency and no limit of its own, for measuring clients.

    python tests/benchmarks/latency_server.py --latency 0.05

Prints its port, then serves until its stdin closes. `GET /stats` counts; `POST /reset` forgets.
About 10,000 requests a second on one core with uvloop, so it is not what is measured.
"""

import argparse
import asyncio
import json
import sys
import threading
import time
from http import HTTPStatus
from typing import Any

TEXT = "The second law rules the other options out; the work done is that of the field. " * 6
HEAD_END = b"\r\n\r\n"


class Counts:
    """What the server saw since the last reset; times in seconds of the epoch."""

    def __init__(self) -> None:
        self.requests = 0
        self.completions = 0
        self.first_request = 0.0
        self.last_reply = 0.0


class Connection(asyncio.Protocol):
    """One keep-alive connection; requests may come in any pieces."""

    def __init__(self, counts: Counts, latency: float) -> None:
        self._counts = counts
        self._latency = latency
        self._received = bytearray()
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        while (end := self._received.find(HEAD_END)) >= 0:
            head = bytes(self._received[:end]).decode("latin-1")
            length = 0
            for line in head.split("\r\n")[1:]:
                name, _, value = line.partition(":")
                if name.lower() == "content-length":
                    length = int(value)
            start = end + len(HEAD_END)
            if len(self._received) < start + length:
                return
            body = bytes(self._received[start : start + length])
            del self._received[: start + length]
            self._answer(head.split(" ", 2)[1], body)

    def _answer(self, path: str, body: bytes) -> None:
        if path == "/stats":
            self._send(vars(self._counts))
        elif path == "/reset":
            vars(self._counts).update(vars(Counts()))
            self._send({})
        else:
            now = time.time()
            self._counts.requests += 1
            self._counts.first_request = self._counts.first_request or now
            asyncio.get_running_loop().call_later(self._latency, self._complete, json.loads(body))

    def _complete(self, request: dict[str, Any]) -> None:
        n = int(request.get("n") or 1)
        self._counts.completions += n
        self._counts.last_reply = time.time()
        message = {"role": "assistant", "content": f"{TEXT}\n\nANSWER: B"}
        self._send(
            {
                "id": f"reply-{self._counts.requests}",
                "object": "chat.completion",
                "created": int(time.time()),
                "model": request["model"],
                "choices": [
                    {"index": i, "message": message, "finish_reason": "stop"} for i in range(n)
                ],
                "usage": {
                    "prompt_tokens": 200,
                    "completion_tokens": 120 * n,
                    "total_tokens": 200 + 120 * n,
                },
            }
        )

    def _send(self, value: object) -> None:
        if self._transport is None or self._transport.is_closing():
            return
        body = json.dumps(value).encode()
        head = (
            f"HTTP/1.1 {HTTPStatus.OK.value} OK\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        self._transport.write(head.encode() + body)


async def _serve(latency: float) -> None:
    counts = Counts()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: Connection(counts, latency), "127.0.0.1", 0, backlog=4096
    )
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    closed = asyncio.Event()

    def wait_for_end() -> None:
        sys.stdin.read()
        loop.call_soon_threadsafe(closed.set)

    threading.Thread(target=wait_for_end, daemon=True).start()
    await closed.wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency", type=float, default=0.05, help="seconds")
    latency = parser.parse_args().latency
    try:
        import uvloop  # type: ignore[import-not-found]
    except ImportError:
        asyncio.run(_serve(latency))
    else:
        uvloop.run(_serve(latency))
