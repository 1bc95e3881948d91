"""Runs that end before they are done: budget, interrupt, termination; and keys that stay secret."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.commands import proctor, rows_of
from tests.exam import Exam, after, asked_number, write_registry
from tests.model_server import ModelServer, Response, chat_reply, error_reply

MakeExam = Callable[..., Exam]
StartServer = Callable[..., ModelServer]
ROOT = Path(__file__).resolve().parents[2]
PRICED = """
[m]
base_url = "{url}"
max_concurrency = 64
{more}

[m.prices]
input = 10.0
output = 40.0
as_of = 2026-01-01
"""


def start_evaluate(own: Exam, prefect_server: str, *options: str) -> subprocess.Popen[str]:
    """`proctor evaluate` in a process of its own."""
    command = [sys.executable, "-m", "flows.cli", "evaluate", "--benchmark", "own", *options]
    return subprocess.Popen(
        [*command, "--db", str(own.database.path)],
        cwd=ROOT,
        env=os.environ | {"PREFECT_API_URL": prefect_server},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(is_so: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Wait for something to come true while a process runs."""
    deadline = time.monotonic() + 120
    while not is_so():
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < deadline
        time.sleep(0.01)


class TestBudget:
    @pytest.mark.parametrize("reports_usage", [True, False])
    def test_it_is_never_exceeded_and_the_run_goes_on_with_more(
        self,
        exam: MakeExam,
        model_server: StartServer,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        reports_usage: bool,
    ) -> None:
        def answer(request: dict[str, Any], call: int) -> Response:
            size = len(request["messages"][0]["content"].encode())
            usage = {"prompt_tokens": size, "completion_tokens": asked_number(request) % 51}
            more = {"usage": usage} if reports_usage else {"usage": None}
            return chat_reply("ANSWER: B", **more)

        server = model_server(answer)
        registry = write_registry(
            tmp_path / "registry", PRICED.format(url=server.base_url, more="")
        )
        monkeypatch.setenv("PROCTOR_REGISTRY", str(registry))
        own = exam(300)
        command: tuple[str, ...] = (
            "evaluate",
            "--benchmark",
            "own",
            "--model",
            "m",
            "--max-tokens",
            "50",
        )
        command += ("--db", str(own.database.path))
        budget = 0.5
        said = proctor(*command, "--budget", str(budget))
        assert said.status == 3, said.err
        assert "budget" in said.err
        assert own.run()["state"] == "stopped"
        spent = own.column("SELECT coalesce(sum(cost_usd), 0) FROM calls")[0]
        n_first = server.n_requests
        assert 0 < n_first < 300
        assert own.column("SELECT count(*) FROM completions") == [n_first]
        if reports_usage:
            assert budget * 0.9 < spent <= budget
        said = proctor(*command, "--budget", "100")
        assert said.status == 0, said.err
        assert server.n_requests == 300
        assert own.column("SELECT score FROM leaderboard") == [1.0]

    def test_answers_without_a_bound_cannot_be_budgeted(
        self,
        exam: MakeExam,
        model_server: StartServer,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        def refuse(request: dict[str, Any], call: int) -> Response:
            if "max_tokens" in request:
                return error_reply(400, "Unsupported parameter: 'max_tokens'")
            return chat_reply("ANSWER: B")

        server = model_server(refuse)
        models = tmp_path / "registry"
        monkeypatch.setenv("PROCTOR_REGISTRY", str(models))
        write_registry(models, PRICED.format(url=server.base_url, more=""))
        own = exam(3)
        failure = own.evaluate(budget=1.0).failure
        assert "context_tokens" in str(failure)
        assert own.column("SELECT count(*) FROM completions") == [0]
        write_registry(models, PRICED.format(url=server.base_url, more="context_tokens = 900"))
        assert own.evaluate(budget=1.0).failure is None


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_a_stopped_run_keeps_what_arrived_and_goes_on(
    exam: MakeExam, model_server: StartServer, prefect_server: str, number: signal.Signals
) -> None:
    is_slow = True

    def answer(request: dict[str, Any], call: int) -> Response:
        return after(0.05 if is_slow else 0.0, chat_reply("ANSWER: B"))

    server = model_server(answer)
    own = exam(400)
    options = ("--model", "m", "--base-url", server.base_url, "--concurrency", "8")
    process = start_evaluate(own, prefect_server, *options)
    wait_for(lambda: server.n_requests > 60, process)
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 3, err
    assert "Traceback" not in err
    n_stored = own.column("SELECT count(*) FROM completions WHERE status = 'ok'")[0]
    assert n_stored >= server.n_requests - 8
    assert n_stored < 400
    assert own.run()["state"] == "stopped"
    assert list(own.database.journal_folder.glob("*.jsonl")) == []
    in_snapshot = rows_of(own.database.path, "SELECT count(*) AS n FROM completions")
    assert in_snapshot == [{"n": n_stored}]
    is_slow = False
    assert own.evaluate(server, concurrency=8).failure is None
    assert own.column("SELECT count(*) FROM completions WHERE status = 'ok'") == [400]
    assert server.n_requests <= 400 + 8


def test_a_key_is_nowhere(
    exam: MakeExam,
    model_server: StartServer,
    prefect_server: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The server puts the header that it was sent into every reply and every error."""
    key = "sk-test-4f9c1d7e8b2a6035"
    server: ModelServer

    def echo(request: dict[str, Any], call: int) -> Response:
        sent = server.requests[-1].headers["authorization"]
        assert sent == f"Bearer {key}"
        number = asked_number(request)
        if number % 3 == 0:
            return error_reply(422, f"what is {sent}?", code=sent, debug={"headers": [sent]})
        headers = {"x-request-echo": sent}
        reply = chat_reply(f"You sent {sent}. ANSWER: B", echo={"authorization": sent})
        return Response(body=reply.body, headers=headers)

    server = model_server(echo)
    monkeypatch.setenv("OPENAI_API_KEY", key)
    own = exam(9)
    options = ("--model", "m", "--base-url", server.base_url)
    process = start_evaluate(own, prefect_server, *options)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 1, err
    assert {asked_number(request.json) for request in server.requests} == set(range(1, 10))
    shut = model_server(lambda request, call: error_reply(401, f"Incorrect API key: {key}"))
    process = start_evaluate(own, prefect_server, "--model", "m", "--base-url", shut.base_url)
    more_out, more_err = process.communicate(timeout=120)
    assert process.returncode == 1, more_err
    report = proctor("report", "--out", tmp_path / "report", "--db", own.database.path)
    assert report.status == 0, report.err
    said = out + err + more_out + more_err + report.out + report.err
    assert key not in said
    assert "OPENAI_API_KEY" in more_err
    assert files_with(key, tmp_path, Path(os.environ["PREFECT_HOME"])) == []


def files_with(text: str, *folders: Path) -> list[Path]:
    """Files under these folders that hold a text, in UTF-8 or UTF-16."""
    spellings = (text.encode(), text.encode("utf-16-le"))
    return [
        path
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and any(spelling in path.read_bytes() for spelling in spellings)
    ]
