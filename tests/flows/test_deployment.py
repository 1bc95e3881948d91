"""The deployment for real: a server, a work pool, `prefect deploy --all`, a worker, one run."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tasks.io.database import Database
from tasks.io.settings import ROOT
from tasks.questions import import_questions
from tasks.sample import SAMPLE_BENCHMARK, SAMPLE_QUESTIONS

MODEL = "scripted-70"
SERVER_STARTS_WITHIN_S = 120
COMMAND_ENDS_WITHIN_S = 120
RUN_ENDS_WITHIN_S = 240
FINAL = {"COMPLETED", "FAILED", "CRASHED", "CANCELLED"}


@dataclass(frozen=True)
class Deployed:
    """A Prefect server with a home folder and a Proctor database of its own."""

    address: str
    environment: dict[str, str]

    def run(self, module: str, *arguments: str) -> str:
        """Run `prefect` or `flows.cli` (proctor) in the repository; what it prints."""
        done = subprocess.run(
            [sys.executable, "-m", module, *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=COMMAND_ENDS_WITHIN_S,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def find(self, kind: str) -> list[dict[str, Any]]:
        """All objects of one kind that the server's API has."""
        request = urllib.request.Request(
            f"{self.address}/{kind}/filter", b"{}", {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=30) as reply:
            found: list[dict[str, Any]] = json.load(reply)
        return found


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextlib.contextmanager
def _running(
    command: list[str], environment: dict[str, str], log: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """A process that runs in the repository while the block does."""
    with (
        log.open("wb") as output,
        subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT
        ) as process,
    ):
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()


def _wait_until_healthy(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    give_up_at = time.monotonic() + SERVER_STARTS_WITHIN_S
    while time.monotonic() < give_up_at and server.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/health", timeout=5):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.2)
    pytest.fail(f"the Prefect server did not start:\n{log.read_text()}")


def _wait_until_final(deployed: Deployed) -> dict[str, Any]:
    """The one flow run that there is, once it has ended or the time is up."""
    give_up_at = time.monotonic() + RUN_ENDS_WITHIN_S
    (run,) = deployed.find("flow_runs")
    while run["state_type"] not in FINAL and time.monotonic() < give_up_at:
        time.sleep(0.5)
        (run,) = deployed.find("flow_runs")
    return run


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    folder = tmp_path_factory.mktemp("deployment")
    port = _free_port()
    address = f"http://127.0.0.1:{port}/api"
    database = Database(folder / "exam.duckdb")
    import_questions(database, SAMPLE_QUESTIONS, SAMPLE_BENCHMARK)
    environment = os.environ | {
        "PREFECT_HOME": str(folder / "prefect"),
        "PREFECT_API_URL": address,
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_CLI_PROMPT": "false",
        "DO_NOT_TRACK": "1",
        "PROCTOR_DB": str(database.path),
    }
    log = folder / "server.log"
    command = [sys.executable, "-m", "prefect", "server", "start", "--port", str(port)]
    with _running([*command, "--no-ui"], environment, log) as server:
        _wait_until_healthy(address, server, log)
        here = Deployed(address, environment)
        here.run("prefect", "work-pool", "create", "local", "--type", "process")
        here.run("prefect", "--no-prompt", "deploy", "--all")
        yield here


def test_deploy_all_makes_both_deployments(deployed: Deployed) -> None:
    found = {deployment["name"]: deployment for deployment in deployed.find("deployments")}
    assert found.keys() == {"on-demand", "nightly"}
    assert {each["entrypoint"] for each in found.values()} == {"flows/evaluate.py:evaluate"}
    assert found["on-demand"]["schedules"] == []
    assert [each["active"] for each in found["nightly"]["schedules"]] == [False]
    assert all(each["global_concurrency_limit"]["limit"] == 1 for each in found.values())
    form = found["on-demand"]["parameter_openapi_schema"]["properties"]
    assert [name for name, field in form.items() if not field.get("description")] == []


def test_a_run_of_the_deployment_is_an_evaluation(deployed: Deployed, tmp_path: Path) -> None:
    models = json.dumps([MODEL])
    deployed.run(
        "prefect", "deployment", "run", "evaluate/on-demand", "--param", f"models={models}"
    )
    worker = [sys.executable, "-m", "prefect", "worker", "start", "--pool", "local"]
    with _running(worker, deployed.environment, tmp_path / "worker.log"):
        run = _wait_until_final(deployed)

    assert run["state_name"] == "Completed", run["state"]["message"]
    assert run["name"] == f"{SAMPLE_BENCHMARK} · {MODEL} · normal"
    kinds = {artifact["key"]: artifact["type"] for artifact in deployed.find("artifacts")}
    assert kinds.items() >= {("sampling", "progress"), ("leaderboard-sample", "table")}
    about = {f"benchmark:{SAMPLE_BENCHMARK}", f"model:{MODEL}", "mode:normal"}
    assert set(run["tags"]) == {"evaluate", "on-demand", *about}
    tasks = deployed.find("task_runs")
    assert {task["state_name"] for task in tasks} == {"Completed"}
    assert not any(task["tags"] for task in tasks), "a tag makes Prefect wait for a slot"

    columns = "model, mode, n_scored, n_expected"
    printed = deployed.run("flows.cli", "sql", f"SELECT {columns} FROM leaderboard", "--json")
    assert json.loads(printed) == [
        {"model": MODEL, "mode": "normal", "n_scored": 30, "n_expected": 30}
    ]
