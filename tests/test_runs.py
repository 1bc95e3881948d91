"""Every command that writes leaves a run with a start and one end, whatever becomes of it."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psutil
import pytest

from tasks import runs
from tasks.core.errors import BadInput, StoppedEarly
from tasks.io.database import Database
from tasks.io.provenance import is_alive
from tasks.runs import Run, importing, new_run


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    database = Database(tmp_path_factory.mktemp("runs") / "template.duckdb")
    with database.open():
        pass
    return database.path


@pytest.fixture
def database(template: Path, tmp_path: Path) -> Database:
    return Database(Path(shutil.copy(template, tmp_path / "test.duckdb")))


def stored(database: Database, run: Run) -> dict[str, Any]:
    with database.open() as store:
        rows = store.select("SELECT * FROM runs")
    (row,) = (row for row in rows.iter_rows(named=True) if row["run_id"] == run.run_id)
    return row


def start(database: Database, run: Run) -> None:
    with database.open() as store:
        runs.start(store, run)


def end(database: Database, run: Run, state: runs.RunState, message: str | None = None) -> None:
    with database.open() as store:
        runs.end(store, run, state, message)


def start_in_a_process_that_dies(database: Database, run_id: str) -> None:
    program = (
        "import os, sys; from pathlib import Path;"
        "from tasks import runs; from tasks.io.database import Database\n"
        "with Database(Path(sys.argv[1])).open() as store:\n"
        "    runs.start(store, runs.Run(sys.argv[2], 'evaluate', {}))\n"
        "os.kill(os.getpid(), 9)\n"
    )
    command = [sys.executable, "-c", program, str(database.path), run_id]
    assert subprocess.run(command, check=False).returncode == -9


def test_start_and_end_are_stored(database: Database) -> None:
    run = new_run("evaluate", {"samples": 8}, benchmark="b", model="m", mode="cot", seed=3)
    start(database, run)
    row = stored(database, run)
    assert row["state"] == "running"
    assert row["finished_at"] is None
    assert row["benchmark_hash"] is None
    assert (row["benchmark"], row["model"], row["mode"]) == ("b", "m", "cot")
    assert (row["epoch"], row["seed"], row["process_id"]) == ("", 3, os.getpid())
    assert json.loads(row["settings"]) == {"samples": 8}
    assert set(json.loads(row["versions"])) >= {"proctor", "prefect", "duckdb", "polars", "openai"}
    end(database, run, "failed", "one line")
    row = stored(database, run)
    assert (row["state"], row["message"]) == ("failed", "one line")
    assert row["finished_at"] >= row["started_at"]


def test_only_the_first_end_counts(database: Database) -> None:
    run = new_run("evaluate", {})
    start(database, run)
    end(database, run, "stopped", "budget")
    end(database, run, "completed")
    assert stored(database, run)["state"] == "stopped"
    assert stored(database, run)["message"] == "budget"


def test_run_of_a_dead_process_is_closed_by_the_next(database: Database) -> None:
    dead = Run("dead", "evaluate", {})
    start_in_a_process_that_dies(database, dead.run_id)
    assert stored(database, dead)["state"] == "running"
    run = new_run("evaluate", {})
    start(database, run)
    assert stored(database, dead)["state"] == "crashed"
    assert stored(database, run)["state"] == "running"


def test_run_of_another_host_is_left_alone(database: Database) -> None:
    run = new_run("evaluate", {})
    start(database, run)
    with database.open() as store:
        row = store.select("SELECT * FROM run_starts").row(0, named=True)
        elsewhere = row | {"run_id": "elsewhere", "host": "another-host", "process_id": 2**22 + 1}
        store.append("run_starts", [elsewhere])
    start(database, new_run("evaluate", {}))
    assert stored(database, replace(run, run_id="elsewhere"))["state"] == "running"


def test_import_is_stored_whole(database: Database) -> None:
    run = new_run("import questions", {"file": "x.json"})
    with importing(database, run) as store:
        store.append("prompts", [{"prompt_hash": "p", "messages": []}])
    assert stored(database, run)["state"] == "completed"


def test_import_that_fails_leaves_nothing(database: Database) -> None:
    def fail() -> None:
        with importing(database, new_run("import questions", {})) as store:
            store.append("prompts", [{"prompt_hash": "p", "messages": []}])
            raise BadInput("row 7 has no gold")

    with pytest.raises(BadInput, match="row 7"):
        fail()
    with database.open() as store:
        assert store.select("SELECT * FROM prompts").is_empty()
        assert store.select("SELECT * FROM runs").is_empty()


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (StoppedEarly("budget"), "stopped"),
        (KeyboardInterrupt(), "stopped"),
        (BadInput("x"), "failed"),
        (ValueError("x"), "failed"),
    ],
)
def test_state_of_an_error(error: BaseException, state: str) -> None:
    assert runs.state_of(error) == state


def test_ids_sort_by_time_and_differ() -> None:
    ids = [new_run("evaluate", {}).run_id for _ in range(50)]
    assert len(set(ids)) == 50
    assert [run_id[:15] for run_id in ids] == sorted(run_id[:15] for run_id in ids)


def test_flow_run_is_tied_to_a_run(database: Database) -> None:
    run = new_run("evaluate", {}, flow_run_id="flow-1")
    start(database, run)
    assert stored(database, run)["flow_run_id"] == "flow-1"


class TestIsAlive:
    def test_this_process(self) -> None:
        assert is_alive(os.getpid(), datetime.now(UTC))

    def test_same_id_given_to_a_later_process(self) -> None:
        began = datetime.fromtimestamp(psutil.Process().create_time(), UTC)
        assert not is_alive(os.getpid(), began - timedelta(hours=1))

    def test_process_that_ended(self) -> None:
        process = subprocess.Popen([sys.executable, "-c", ""])
        process.wait()
        assert not is_alive(process.pid, datetime.now(UTC))

    def test_process_that_died_and_was_not_waited_for(self) -> None:
        process = subprocess.Popen([sys.executable, "-c", ""])
        try:
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            assert not is_alive(process.pid, datetime.now(UTC))
        finally:
            process.wait()
