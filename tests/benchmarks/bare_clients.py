"""The same calls with the openai client alone, nothing stored: what Proctor is held against.

    python tests/benchmarks/bare_clients.py plain|raw BASE_URL REQUESTS.json CONCURRENCY

`plain`: one coroutine per call behind a semaphore, default transport, parsed replies. `raw`: a pool
of workers, aiohttp transport, raw replies: the fastest way through the openai client.
"""

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
from openai import AsyncOpenAI, DefaultAioHttpClient


async def _plain(base_url: str, bodies: list[dict[str, Any]], concurrency: int) -> None:
    slots = asyncio.Semaphore(concurrency)
    async with AsyncOpenAI(base_url=base_url, api_key="none", max_retries=0) as client:

        async def call(body: dict[str, Any]) -> None:
            async with slots:
                reply = await client.chat.completions.create(**body)
            assert reply.choices[0].message.content

        await asyncio.gather(*(call(body) for body in bodies))


async def _raw(base_url: str, bodies: list[dict[str, Any]], concurrency: int) -> None:
    waiting = iter(bodies)
    async with AsyncOpenAI(
        base_url=base_url, api_key="none", max_retries=0, http_client=DefaultAioHttpClient()
    ) as client:

        async def work(bodies: Iterator[dict[str, Any]]) -> None:
            for body in bodies:
                reply = await client.post("/chat/completions", body=body, cast_to=httpx2.Response)
                assert json.loads(reply.content)["choices"][0]["message"]["content"]

        await asyncio.gather(*(work(waiting) for _ in range(concurrency)))


if __name__ == "__main__":
    way, base_url, file, concurrency = sys.argv[1:]
    requests = json.loads(Path(file).read_text())
    asyncio.run((_plain if way == "plain" else _raw)(base_url, requests, int(concurrency)))
