"""The client against a real server on the loopback interface. Waits are short; where a test must
see that a wait was kept, it compares times that the server measured with the wait asked for."""

import asyncio
import collections
import itertools
import json
import logging
import socket
import time
import traceback
from collections.abc import Callable, Coroutine, Mapping
from email.utils import formatdate
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.core.calls.errors import ParameterRefused
from tasks.core.errors import BadInput, ModelUnavailable
from tasks.core.types import CompletionStatus
from tasks.io.model_client import CallResult, ModelClient
from tests.model_server import ModelServer, Response, chat_reply, error_reply

KEY = "sk-proj-0123456789abcdef"
BODY: Mapping[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "2 + 2?"}]}
Serve = Callable[..., ModelServer]


def client(server: ModelServer | str, **settings: Any) -> ModelClient:
    defaults: dict[str, Any] = {
        "api_key": KEY,
        "api_key_env": "LAB_KEY",
        "timeout_s": 20.0,
        "first_backoff_s": 0.01,
        "max_attempts": 4,
    }
    base_url = server if isinstance(server, str) else server.base_url
    return ModelClient("m", base_url=base_url, **defaults | settings)


def ask(
    server: ModelServer | str, *bodies: Mapping[str, Any], **settings: Any
) -> list[CallResult | BaseException]:
    async def all_at_once() -> list[CallResult | BaseException]:
        async with client(server, **settings) as model:
            calls = (model.call(body) for body in bodies or (BODY,))
            return await asyncio.gather(*calls, return_exceptions=True)

    return asyncio.run(all_at_once())


def ask_one(
    server: ModelServer | str, body: Mapping[str, Any] = BODY, **settings: Any
) -> CallResult:
    (result,) = ask(server, body, **settings)
    if isinstance(result, BaseException):
        raise result
    return result


def texts(results: list[CallResult | BaseException]) -> list[str]:
    found = []
    for result in results:
        assert isinstance(result, CallResult)
        assert result.reply is not None
        found += [choice.text for choice in result.reply.choices]
    return found


def waits(server: ModelServer) -> list[float]:
    times = [request.received_at for request in server.requests]
    return [later - earlier for earlier, later in itertools.pairwise(times)]


def test_a_reply(model_server: Serve) -> None:
    server = model_server()
    result = ask_one(server, {**BODY, "n": 2})
    assert result.status is CompletionStatus.OK
    assert texts([result]) == ["ANSWER: B", "ANSWER: B"]
    assert (result.http_status, result.n_attempts, result.error) == (200, 1, None)
    assert result.started_at.utcoffset() is not None
    assert result.duration_s > 0
    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.json == {**BODY, "n": 2}
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["content-type"] == "application/json"


def test_a_text_completion(model_server: Serve) -> None:
    server = model_server(
        lambda request, call: Response(
            body={"choices": [{"index": 0, "text": " B", "finish_reason": "stop"}]}
        )
    )
    assert texts([ask_one(server, {"model": "m", "prompt": "2?"}, api="completions")]) == [" B"]
    assert server.requests[0].path == "/v1/completions"


@pytest.mark.parametrize(
    ("response", "status", "code"),
    [
        (chat_reply(None, finish_reason="content_filter"), "filtered", None),
        (chat_reply(None), "empty", None),
        (chat_reply("ANSWER: B", choices=[]), "error", "malformed_reply"),
        (Response(body={"error": {"message": "no", "code": 502}}), "error", "502"),
        (Response(body=b"Ollama is running"), "error", "malformed_reply"),
        (Response(body={"error": {"message": "x", "code": 400}}), "error", "400"),
        (Response(body=b""), "error", "malformed_reply"),
        (error_reply(400, "bad", code="content_filter"), "filtered", "content_filter"),
        (error_reply(418, "teapot"), "error", None),
        (chat_reply("", finish_reason="length"), "truncated", None),
        (chat_reply("...x = 12. Checking (B)", finish_reason="length"), "truncated", None),
    ],
)
def test_failures_are_data_after_one_request(
    model_server: Serve, response: Response, status: str, code: str | None
) -> None:
    server = model_server(lambda request, call: response)
    result = ask_one(server)
    assert (result.status, result.error_code) == (status, code)
    assert result.n_attempts == server.n_requests == 1


@pytest.mark.parametrize(
    ("error", "status", "is_odd"),
    [
        ({"message": "x", "code": "context_length_exceeded"}, "context_overflow", False),
        ({"message": "maximum context length is 9", "code": 400}, "context_overflow", False),
        ({"message": "x", "code": 403, "metadata": {"reasons": ["was flagged"]}}, None, False),
        ({"message": "blocked", "code": "content_filter"}, "filtered", False),
        ({"message": "bad", "type": "invalid_request_error"}, "error", False),
        ({"message": "broke off", "code": 502}, "error", True),
        ({"message": "broke off"}, "error", True),
        ("broke off", "error", True),
    ],
)
def test_an_error_with_status_200_is_kept_and_read_like_one_with_its_own_status(
    model_server: Serve, error: Any, status: str | None, is_odd: bool
) -> None:
    body = {"error": error, "usage": {"prompt_tokens": 7}}
    server = model_server(lambda request, call: Response(body=body))
    if status is None:
        with pytest.raises(ModelUnavailable, match="access was refused"):
            ask_one(server)
        return
    result = ask_one(server)
    assert (result.status, result.http_status, result.is_odd) == (status, 200, is_odd)
    assert server.n_requests == 1
    assert result.reply is not None
    assert result.reply.extra["error"] == error
    assert result.reply.usage.input_tokens == 7


def test_a_parameter_refused_with_status_200(model_server: Serve) -> None:
    body = {"error": {"message": "Unsupported parameter: 'seed'", "code": 400}}
    server = model_server(lambda request, call: Response(body=body))
    with pytest.raises(ParameterRefused) as caught:
        ask_one(server, {**BODY, "seed": 1})
    assert caught.value.parameter == "seed"


@pytest.mark.parametrize(
    "error",
    [
        {"message": "slow down", "code": 429},
        {"message": "slow down", "type": "rate_limit_error"},
        "Rate limit exceeded",
    ],
)
def test_a_rate_limit_with_status_200_is_waited_for(model_server: Serve, error: Any) -> None:
    def script(request: dict[str, Any], call: int) -> Response:
        limited = Response(body={"error": error}, headers={"retry-after": "0.3"})
        return limited if call == 1 else chat_reply("ANSWER: B")

    server = model_server(script)
    result = ask_one(server)
    assert (texts([result]), result.n_attempts) == (["ANSWER: B"], 2)
    assert waits(server)[0] >= 0.3


def test_a_malformed_reply_keeps_its_evidence_and_its_cost(model_server: Serve) -> None:
    server = model_server(lambda request, call: chat_reply("x", choices=[], note="kept"))
    reply = ask_one(server).reply
    assert reply is not None
    assert reply.choices == ()
    assert reply.usage.input_tokens == 11
    assert reply.extra["note"] == "kept"


def test_some_good_samples_make_a_good_call(model_server: Serve) -> None:
    server = model_server(lambda request, call: chat_reply("", "ANSWER: B", None))
    result = ask_one(server)
    assert result.status is CompletionStatus.OK
    assert result.reply is not None
    assert [choice.status for choice in result.reply.choices] == ["empty", "ok", "empty"]


def test_refused_parameters_come_up_one_after_the_other(model_server: Serve) -> None:
    def script(request: dict[str, Any], call: int) -> Response:
        for name, instead in (("temperature", ""), ("max_tokens", "max_completion_tokens")):
            if name in request:
                hint = f" Use '{instead}' instead." if instead else ""
                return error_reply(400, f"Unsupported parameter: '{name}' is not supported.{hint}")
        return chat_reply("ANSWER: B")

    server = model_server(script)
    body = {**BODY, "temperature": 0.5, "max_tokens": 9}
    with pytest.raises(ParameterRefused) as first:
        ask_one(server, body)
    assert (first.value.parameter, first.value.replacement) == ("temperature", None)
    del body["temperature"]
    with pytest.raises(ParameterRefused) as second:
        ask_one(server, body)
    assert second.value.parameter == "max_tokens"
    assert second.value.replacement == "max_completion_tokens"
    body["max_completion_tokens"] = body.pop("max_tokens")
    assert texts([ask_one(server, body)]) == ["ANSWER: B"]
    assert server.n_requests == 3


def test_a_parameter_that_was_not_sent_cannot_be_refused(model_server: Serve) -> None:
    server = model_server(lambda request, call: error_reply(400, "Unsupported parameter: 'seed'"))
    assert ask_one(server).status is CompletionStatus.ERROR


SERVER_CLOCK = 1_700_000_000


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after": "1"}, 1.0),
        ({"retry-after": "0.3"}, 0.3),
        (
            {
                "date": formatdate(SERVER_CLOCK, usegmt=True),
                "retry-after": formatdate(SERVER_CLOCK + 1, usegmt=True),
            },
            1.0,
        ),
        ({"retry-after": "0"}, 0.0),
        ({}, 0.0),
    ],
)
@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_is_kept(
    model_server: Serve, status: int, headers: dict[str, str], seconds: float
) -> None:
    server = model_server(
        lambda request, call: (
            error_reply(status, "wait", headers) if call == 1 else chat_reply("ANSWER: B")
        )
    )
    result = ask_one(server)
    assert result.status is CompletionStatus.OK
    assert result.n_attempts == 2
    assert waits(server)[0] >= seconds
    assert result.duration_s < seconds + 15


def test_all_calls_of_a_paused_model_wait_and_another_model_does_not(model_server: Serve) -> None:
    def script(request: dict[str, Any], call: int) -> Response:
        return error_reply(429, "wait", {"retry-after": "0.6"}) if call == 1 else chat_reply("B")

    paused, other = model_server(script), model_server()

    async def both() -> None:
        async with client(paused) as slow, client(other) as fast:
            first = asyncio.create_task(slow.call(BODY))
            while paused.n_requests == 0:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)
            later = [asyncio.create_task(slow.call(BODY)) for _ in range(5)]
            while other.n_requests < 20:
                await fast.call(BODY)
            await asyncio.gather(first, *later)

    asyncio.run(both())
    start, *rest = [request.received_at for request in paused.requests]
    assert len(rest) == 6
    assert all(at - start >= 0.6 for at in rest)
    assert other.requests[19].received_at < min(rest)


def test_a_long_pause_is_announced_once_and_delays_that_model_only(model_server: Serve) -> None:
    resting = model_server(lambda request, call: error_reply(429, "rest", {"retry-after": "5400"}))
    other = model_server()
    pauses: list[tuple[float, str]] = []

    async def both() -> tuple[int, int]:
        def note(seconds: float, reason: str) -> None:
            pauses.append((seconds, reason))

        async with client(resting, on_pause=note) as slow, client(other) as fast:
            waiting = asyncio.create_task(slow.call(BODY))
            while not pauses:
                await asyncio.sleep(0.01)
            more = [asyncio.create_task(slow.call(BODY)) for _ in range(3)]
            results = await asyncio.gather(*(fast.call(BODY) for _ in range(10)))
            still_waiting = [task for task in (waiting, *more) if not task.done()]
            for task in still_waiting:
                task.cancel()
            return len(results), len(still_waiting)

    assert asyncio.run(both()) == (10, 4)
    assert pauses == [(5400.0, "rest")]
    assert resting.n_requests == 1


def test_a_pause_beyond_the_limit_makes_the_model_unavailable(model_server: Serve) -> None:
    server = model_server(lambda request, call: error_reply(429, "rest", {"retry-after": "5400"}))
    with pytest.raises(ModelUnavailable, match="pause of 5400 s"):
        ask_one(server, max_wait_s=60)


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 520, 529])
def test_what_may_succeed_later_is_tried_again(model_server: Serve, status: int) -> None:
    server = model_server(
        lambda request, call: Response(status) if call < 3 else chat_reply("ANSWER: B")
    )
    assert ask_one(server).n_attempts == 3


def test_attempts_are_bounded(model_server: Serve) -> None:
    server = model_server(lambda request, call: error_reply(429, "busy", code="rate_limit"))
    result = ask_one(server)
    assert (result.status, result.http_status) == (CompletionStatus.ERROR, 429)
    assert (result.error_code, result.error) == ("rate_limit", "busy")
    assert result.n_attempts == server.n_requests == 4


def test_the_time_of_retries_is_bounded(model_server: Serve) -> None:
    server = model_server(lambda request, call: Response(500))
    result = ask_one(server, max_attempts=10_000, max_wait_s=0.5)
    assert result.status is CompletionStatus.ERROR
    assert 1 < result.n_attempts < 10_000


def test_a_rate_limit_is_no_failure_while_others_get_replies(model_server: Serve) -> None:
    """Sixty calls at once on a server that takes eight each 0.1 s and does not say when."""
    taken: collections.Counter[int] = collections.Counter()

    def script(request: dict[str, Any], call: int) -> Response:
        window = int(time.monotonic() * 10)
        taken[window] += 1
        return chat_reply("ANSWER: B") if taken[window] <= 8 else error_reply(429, "busy")

    server = model_server(script)
    results = ask(server, *[BODY] * 60, max_attempts=3, max_concurrency=60)
    assert texts(results) == ["ANSWER: B"] * 60
    assert server.n_requests > 60


def test_a_row_that_is_too_long_ends_after_one_call(model_server: Serve) -> None:
    def script(request: dict[str, Any], call: int) -> Response:
        if len(request["messages"][0]["content"]) > 100:
            return error_reply(400, "too long", code="context_length_exceeded")
        return chat_reply("ANSWER: B")

    server = model_server(script)
    long = {"model": "m", "messages": [{"role": "user", "content": "x" * 101}]}
    results = ask(server, BODY, long, BODY)
    assert [r.status for r in results if isinstance(r, CallResult)] == [
        "ok",
        "context_overflow",
        "ok",
    ]
    assert server.n_requests == 3


@pytest.mark.parametrize(
    ("response", "words"),
    [
        (error_reply(401, "bad key"), "the key in LAB_KEY was refused (HTTP 401): bad key"),
        (error_reply(403, "no"), "access was refused (HTTP 403, key in LAB_KEY): no"),
        (error_reply(404, "no m", code="model_not_found"), "no such model or address (HTTP 404)"),
        (
            error_reply(429, "pay", code="insufficient_quota"),
            "the account has no quota left (HTTP 429, key in LAB_KEY): pay",
        ),
        (
            error_reply(400, "API key not valid. Please pass a valid API key."),
            "the key in LAB_KEY was refused (HTTP 400): API key not valid",
        ),
        (
            error_reply(200, "bad", code="invalid_api_key"),
            "the key in LAB_KEY was refused (HTTP 200 with error 401): bad",
        ),
        (
            error_reply(200, "pay", code="insufficient_quota"),
            "the account has no quota left (HTTP 200, key in LAB_KEY): pay",
        ),
        (
            error_reply(200, "pay", code=402),
            "the account has no quota left (HTTP 200 with error 402, key in LAB_KEY): pay",
        ),
        (
            Response(body={"error": "model 'x' not found"}),
            "no such model or address (HTTP 200): model 'x' not found",
        ),
        (
            Response(body={"success": False, "code": 401, "msg": "token expired"}),
            "the key in LAB_KEY was refused (HTTP 200 with error 401): token expired",
        ),
        (
            Response(400, b"<html>The plain HTTP request was sent to HTTPS port</html>"),
            "no such model or address (HTTP 400)",
        ),
    ],
)
def test_a_permanent_error_stops_the_model_with_one_line(
    model_server: Serve, response: Response, words: str
) -> None:
    server = model_server(lambda request, call: response)
    results = ask(server, *[BODY] * 50, max_concurrency=2)
    assert {type(result) for result in results} == {ModelUnavailable}
    (line,) = {str(result) for result in results}
    assert line.startswith(f"model m at 127.0.0.1:{server.port}: ")
    assert words in line
    assert "\n" not in line
    assert server.n_requests <= 2


def test_an_address_where_nothing_listens() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    with pytest.raises(ModelUnavailable, match=f"127.0.0.1:{port}: nothing answers"):
        ask_one(f"http://127.0.0.1:{port}/v1")


def test_no_connection_is_said_at_once_and_once() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    said: list[tuple[float, str]] = []
    failures = ask(
        f"http://127.0.0.1:{port}/v1", *[BODY] * 5, on_pause=lambda *words: said.append(words)
    )
    assert {type(failure) for failure in failures} == {ModelUnavailable}
    ((seconds, reason),) = said
    assert seconds > 0
    assert reason.startswith(f"no connection to 127.0.0.1:{port}, trying again (")


def test_a_model_that_gives_no_reply_yet_says_why(model_server: Serve) -> None:
    server = model_server(
        lambda request, call: error_reply(503, "Loading model") if call < 3 else chat_reply("B")
    )
    said: list[str] = []
    ask_one(server, on_pause=lambda seconds, reason: said.append(reason))
    assert said == [f"no reply from 127.0.0.1:{server.port} yet, trying again (Loading model)"]


def test_an_error_between_replies_is_not_said(model_server: Serve) -> None:
    server = model_server(
        lambda request, call: error_reply(503, "busy") if call == 2 else chat_reply("B")
    )
    said: list[str] = []
    results = ask(
        server,
        BODY,
        BODY,
        max_concurrency=1,
        on_pause=lambda seconds, reason: said.append(reason),
    )
    assert (texts(results), said) == (["B", "B"], [])


SIGN_IN = b"<!DOCTYPE html>\n<html><head><title>Sign in &amp; pay</title></head></html>"


@pytest.mark.parametrize(
    ("content", "content_type"),
    [
        (SIGN_IN, "text/html; charset=utf-8"),
        (SIGN_IN, "application/json"),
        (b"\xef\xbb\xbf\n <!-- a -->" + SIGN_IN, "text/plain"),
        (b"<title>Sign in &amp; pay</title> \xff", "TEXT/HTML"),
    ],
)
@pytest.mark.parametrize(
    ("path", "advice"),
    [
        ("", "is /v1 missing at the end of the base URL (its path is '/')?"),
        ("/api/", "is /v1 missing at the end of the base URL (its path is '/api')?"),
        ("/v1", "does a login page or a proxy stand in between?"),
    ],
)
def test_a_web_page_is_no_model(
    model_server: Serve, content: bytes, content_type: str, path: str, advice: str
) -> None:
    page = Response(body=content, headers={"content-type": content_type})
    server = model_server(lambda request, call: page)
    failures = ask(f"http://127.0.0.1:{server.port}{path}", *[BODY] * 20, max_concurrency=2)
    assert {type(failure) for failure in failures} == {ModelUnavailable}
    (line,) = {str(failure) for failure in failures}
    assert line == (
        f"model m at 127.0.0.1:{server.port}: a web page came instead of a reply (HTTP 200): "
        f"its title is 'Sign in & pay'; {advice}"
    )
    assert server.n_requests <= 2


def test_a_web_page_between_replies_is_tried_again(model_server: Serve) -> None:
    page = Response(body=SIGN_IN, headers={"content-type": "text/html"})
    server = model_server(lambda request, call: page if call in (2, 3) else chat_reply("B"))
    assert texts(ask(server, BODY, BODY, max_concurrency=1)) == ["B", "B"]


def test_web_pages_from_some_moment_on_stop_the_model(model_server: Serve) -> None:
    page = Response(body=SIGN_IN, headers={"content-type": "text/html"})
    server = model_server(lambda request, call: chat_reply("B") if call == 1 else page)
    first, second = ask(server, BODY, BODY, max_concurrency=1)
    assert isinstance(first, CallResult)
    assert isinstance(second, ModelUnavailable)
    assert server.n_requests == 5


def test_a_reply_about_web_pages_is_one(model_server: Serve) -> None:
    reply = chat_reply("<!DOCTYPE html><html></html>")
    server = model_server(
        lambda request, call: Response(body=reply.body, headers={"content-type": "text/html"})
    )
    assert texts([ask_one(server)]) == ["<!DOCTYPE html><html></html>"]


def test_https_where_http_is_served() -> None:
    async def run() -> None:
        async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read(100)
            writer.write(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n")
            writer.close()

        server = await asyncio.start_server(refuse, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, client(f"https://127.0.0.1:{port}/v1") as model:
            await model.call(BODY)

    with pytest.raises(ModelUnavailable, match=r"no secure connection: .* http:// and not https"):
        asyncio.run(run())


@pytest.mark.parametrize("base_url", ["localhost:8000/v1", "ftp://x/v1", "http://", "http://[x/v1"])
def test_an_address_that_cannot_be_one(base_url: str) -> None:
    with pytest.raises(BadInput):
        client(base_url)


def test_ten_calls_two_of_which_hang(model_server: Serve) -> None:
    def script(request: dict[str, Any], call: int) -> Response:
        return Response(hang=True) if call in (3, 7) else chat_reply(f"call {call}")

    server = model_server(script)

    async def run() -> tuple[int, list[CallResult]]:
        async with client(server, timeout_s=1.5) as model:
            tasks = [asyncio.create_task(model.call(BODY)) for _ in range(10)]
            done: set[asyncio.Task[CallResult]] = set()
            while len(done) < 8:
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED, timeout=9)
                done = {task for task in tasks if task.done()}
                await asyncio.sleep(0.01)
            return server.n_requests, await asyncio.gather(*tasks)

    n_requests_when_8_were_there, results = asyncio.run(run())
    assert n_requests_when_8_were_there == 10
    assert [result.status for result in results] == ["ok"] * 10
    assert sorted(result.n_attempts for result in results) == [1] * 8 + [2] * 2
    assert all(1.5 < result.duration_s < 15 for result in results if result.n_attempts == 2)
    hung = {server.requests[index].connection for index in (2, 6)}
    assert not hung & {request.connection for request in server.requests[10:]}


@pytest.mark.parametrize("broken", [Response(close=True), chat_reply("B" * 9_999)])
def test_a_broken_connection_is_replaced(model_server: Serve, broken: Response) -> None:
    first = broken if broken.close else Response(body=broken.body, close_midway=True)
    server = model_server(lambda request, call: first if call == 1 else chat_reply("ANSWER: B"))
    result = ask_one(server)
    assert texts([result]) == ["ANSWER: B"]
    assert result.n_attempts == 2
    assert [request.connection for request in server.requests] == [1, 2]


@pytest.mark.parametrize(
    ("response", "code"), [(Response(hang=True), "timeout"), (Response(close=True), "connection")]
)
def test_an_endless_hang_or_breaking_is_an_error(
    model_server: Serve, response: Response, code: str
) -> None:
    server = model_server(lambda request, call: response)
    result = ask_one(server, timeout_s=0.3, max_attempts=2)
    assert (result.status, result.error_code) == (CompletionStatus.ERROR, code)
    assert result.http_status is None
    assert result.error
    assert server.n_requests == 2


def test_a_body_that_trickles_in_does_not_outlive_the_deadline(model_server: Serve) -> None:
    server = model_server(
        lambda request, call: Response(body=b"{", headers={"content-length": "1000"})
    )
    result = ask_one(server, timeout_s=0.3, max_attempts=1)
    assert result.error_code == "timeout"
    assert result.duration_s < 10


ODD_TEXTS = {
    "lone surrogate": "a\ud800b",
    "NUL": "a\x00b",
    "right to left": "\u202eabc\u202c \u05d0\u05d1",
    "1 MB": "∫x² dx = x³/3 + C. " * 55_000,
    "line ends": "a\r\nb\u2028c\x85",
}


@pytest.mark.filterwarnings("ignore:Sending a large body directly:ResourceWarning")
@pytest.mark.parametrize("name", ODD_TEXTS)
def test_odd_texts_go_there_and_back(model_server: Serve, name: str) -> None:
    server = model_server(
        lambda request, call: chat_reply(request["messages"][0]["content"], "ANSWER: B")
    )
    body = {"model": "m", "messages": [{"role": "user", "content": ODD_TEXTS[name]}]}
    assert texts([ask_one(server, body)]) == [ODD_TEXTS[name], "ANSWER: B"]


def test_bytes_that_are_not_utf_8_harm_no_other_row(model_server: Serve) -> None:
    broken = json.dumps(chat_reply("caf?").body).encode().replace(b"?", b"\xe9")
    server = model_server(
        lambda request, call: Response(body=broken) if call == 2 else chat_reply("ANSWER: B")
    )
    answers = sorted(texts(ask(server, *[BODY] * 3)))
    assert answers == ["ANSWER: B", "ANSWER: B", "caf\udce9"]


@settings(max_examples=60, deadline=None)
@given(
    key=st.from_regex(r"[!-~]{4,60}", fullmatch=True),
    status=st.sampled_from([200, 400, 401, 418, 429, 500]),
)
def test_the_key_never_comes_back(key: str, status: int) -> None:
    def script(request: dict[str, Any], call: int) -> Response:
        sent = server.requests[-1].headers["authorization"]
        return error_reply(status, f"refused: {sent}", {"retry-after": "0"}, code=sent)

    with ModelServer(script) as server:
        seen: list[str] = []

        async def run() -> None:
            model = client(server, api_key=key, max_attempts=2)
            async with model:
                seen.append(repr(model))
                try:
                    result = await model.call(BODY)
                    seen.extend([repr(result), repr(result.reply)])
                except ModelUnavailable as error:
                    seen.extend([repr(error), *traceback.format_exception(error)])

        asyncio.run(run())
        assert server.requests[0].headers["authorization"] == f"Bearer {key}"
    own_words = "".join(seen).replace("[key]", "")
    quoted = repr(key)[1:-1]
    assert f"Bearer {key}" not in own_words
    assert f"Bearer {quoted}" not in own_words


@pytest.mark.parametrize("status", [200, 418])
@pytest.mark.parametrize("key", [KEY, 'ab"c', "sk-a/b\\c-0123456789abcdef"])
@pytest.mark.parametrize("escape_slashes", [False, True])
def test_the_key_does_not_come_back_in_the_escapes_of_json(
    model_server: Serve, status: int, key: str, escape_slashes: bool
) -> None:
    body = json.dumps({"error": {"message": f"no {key}", "code": f"x{key}"}})
    sent = body.replace("/", "\\/") if escape_slashes else body
    server = model_server(lambda request, call: Response(status, sent.encode()))
    result = ask_one(server, api_key=key)
    shown = [result.error, result.error_code, json.dumps(result.reply and dict(result.reply.extra))]
    for text in shown:
        assert text is not None
        assert key not in text
        assert json.dumps(key)[1:-1] not in text
    assert "[key]" in str(result.error)


def test_the_key_is_in_no_log(model_server: Serve, caplog: pytest.LogCaptureFixture) -> None:
    def script(request: dict[str, Any], call: int) -> Response:
        echo = f"bad: {server.requests[-1].headers['authorization']}"
        return error_reply([500, 429, 401][call - 1], echo)

    server = model_server(script)
    with caplog.at_level(logging.DEBUG), pytest.raises(ModelUnavailable) as caught:
        ask_one(server)
    assert server.n_requests == 3
    assert KEY not in caplog.text
    assert KEY not in "".join(traceback.format_exception(caught.value))


def test_a_stand_in_for_a_key_does_not_damage_answers(model_server: Serve) -> None:
    server = model_server(lambda request, call: chat_reply("the set is EMPTY"))
    assert texts([ask_one(server, api_key="EMPTY")]) == ["the set is EMPTY"]


def test_without_a_key_the_key_of_another_endpoint_is_not_sent(
    model_server: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_ADMIN_KEY", KEY)
    server = model_server()
    ask_one(server, api_key=None, api_key_env=None)
    assert KEY not in json.dumps(dict(server.requests[0].headers))


@pytest.mark.parametrize("key", ["sk-a\nb", "sk-ключ", "two words"])
def test_a_key_that_cannot_be_one_is_named_and_not_shown(key: str) -> None:
    with pytest.raises(BadInput, match="LAB_KEY") as caught:
        client("http://127.0.0.1:1/v1", api_key=key)
    assert key not in "".join(traceback.format_exception(caught.value))


def test_no_more_calls_at_once_than_allowed(model_server: Serve) -> None:
    server = model_server(
        lambda request, call: Response(body=chat_reply("ANSWER: B").body, delay=0.03)
    )
    assert len(texts(ask(server, *[BODY] * 40, max_concurrency=5))) == 40
    assert server.max_in_flight == 5
    assert server.n_connections == 5


def test_requests_per_minute(model_server: Serve) -> None:
    server = model_server()
    ask(server, *[BODY] * 11, requests_per_minute=600)
    times = [request.received_at for request in server.requests]
    assert times[-1] - times[0] >= 0.95 * 10 * 60 / 600


@pytest.mark.parametrize("n_used", [1_000, 10])
def test_tokens_per_minute_count_what_was_used(model_server: Serve, n_used: int) -> None:
    """1,000 tokens flow in each second, 6,000 may wait; each call may use 1,000 and more."""
    usage = {"prompt_tokens": 0, "completion_tokens": n_used}
    server = model_server(lambda request, call: chat_reply("ANSWER: B", usage=usage))

    async def one_by_one() -> None:
        async with client(server, tokens_per_minute=60_000) as model:
            for _ in range(20 if n_used == 10 else 8):
                await model.call({**BODY, "max_tokens": 1_000})

    asyncio.run(one_by_one())
    times = [request.received_at for request in server.requests]
    if n_used == 10:
        assert times[-1] - times[0] < 7
    else:
        assert times[-1] - times[0] >= 0.95 * (8 * 1_000 - 6_000) / 1_000


def test_a_request_beyond_a_full_bucket_still_goes(model_server: Serve) -> None:
    server = model_server()
    assert ask_one(server, {**BODY, "max_tokens": 10**6}, tokens_per_minute=600).status == "ok"


def test_a_cancelled_call_frees_its_slot(model_server: Serve) -> None:
    server = model_server(
        lambda request, call: Response(hang=True) if call == 1 else chat_reply("ANSWER: B")
    )

    async def run() -> CallResult:
        async with client(server, max_concurrency=1) as model:
            hanging = asyncio.create_task(model.call(BODY))
            while server.n_requests == 0:
                await asyncio.sleep(0.01)
            hanging.cancel()
            return await model.call(BODY)

    assert texts([asyncio.run(run())]) == ["ANSWER: B"]


def test_errors_are_of_bounded_length(model_server: Serve) -> None:
    server = model_server(lambda request, call: Response(418, b"<html>" + b"x" * 10**6))
    error = ask_one(server).error
    assert error is not None
    assert len(error) == 2_000


def test_it_must_be_entered() -> None:
    unopened: Coroutine[Any, Any, CallResult] = client("http://127.0.0.1:1/v1").call(BODY)
    with pytest.raises(RuntimeError, match="async with"):
        asyncio.run(unopened)


def test_redirect_is_a_wrong_address_and_not_followed(model_server: Serve) -> None:
    server = model_server(
        lambda _, __: Response(307, {}, headers={"location": "/v1/chat/completions"})
    )
    (failure,) = ask(server)
    assert isinstance(failure, ModelUnavailable)
    assert "redirects" in str(failure)
    assert server.n_requests == 1
