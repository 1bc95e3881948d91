"""Readers and a second run on the database of a run that writes."""

import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from statistics import median
from typing import Any

from tests.acceptance.results import record
from tests.acceptance.running import ROOT, Proctor, wait_until, write_questions
from tests.exam import after
from tests.model_server import ModelServer, Response, chat_reply

N_READS, N_QUESTIONS = 100, 300
OLDEST_SNAPSHOT_S = 12.0
IMPORTS = "import flows.cli, flows.terminal, tasks.database"


def test_a_hundred_reads_while_a_run_writes(prefect_server: str, tmp_path: Path) -> None:
    """Each answers within two seconds beyond the time that Python needs to import what it uses."""
    is_over = threading.Event()

    def answer(request: dict[str, Any], call: int) -> Response:
        return after(0.02 if is_over.is_set() else 0.4, chat_reply("ANSWER: B. " * 100))

    proctor = Proctor(tmp_path / "readers.duckdb", prefect_server)
    about = ("--benchmark", "own")
    proctor.run("import", "questions", str(write_questions(tmp_path, N_QUESTIONS)), *about)
    with ModelServer(answer) as server:
        command: tuple[str, ...] = (
            "evaluate",
            *about,
            "--model",
            "m",
            "--base-url",
            server.base_url,
        )
        command += ("--samples", "32", "--temperature", "0.5", "--concurrency", "16")
        writer = proctor.start(*command)
        assert wait_until(lambda: server.n_requests > 50, writer, 120)
        start_ups, beyond, ages, n_seen = [], [], [], []
        for number in range(N_READS):
            if number % 10 == 0:
                start_ups.append(_seconds(lambda: _python("-c", IMPORTS)))
            began = time.monotonic()
            said = proctor.run("sql", "select * from leaderboard")
            beyond.append(time.monotonic() - began - median(start_ups))
            assert said.returncode == 0, said.stderr
            age = re.search(r"snapshot is (\d+) s old", said.stderr)
            assert age is not None, said.stderr
            if writer.poll() is None:
                ages.append(int(age[1]))
                n_seen.append(server.n_requests)
        is_over.set()
        assert writer.wait(timeout=300) == 0
        n_while_writing = len(ages)
    assert max(beyond) < 2.0
    assert n_while_writing >= N_READS // 2, "the run was over too soon"
    assert max(ages) <= OLDEST_SNAPSHOT_S
    record(
        f"{N_READS} × proctor sql while a run writes",
        slowest_beyond_imports_s=round(max(beyond), 2),
        median_beyond_imports_s=round(median(beyond), 2),
        imports_s=round(median(start_ups), 2),
        oldest_snapshot_s=max(ages),
        reads_while_writing=n_while_writing,
    )


def test_a_second_run_of_another_mode_and_of_the_same_cell(
    prefect_server: str, tmp_path: Path
) -> None:
    def answer(request: dict[str, Any], call: int) -> Response:
        return after(0.1, chat_reply("ANSWER: B"))

    proctor = Proctor(tmp_path / "two.duckdb", prefect_server)
    about = ("--benchmark", "own")
    proctor.run("import", "questions", str(write_questions(tmp_path, N_QUESTIONS)), *about)
    with ModelServer(answer) as server:
        command: tuple[str, ...] = (
            "evaluate",
            *about,
            "--model",
            "m",
            "--base-url",
            server.base_url,
        )
        command += ("--concurrency", "4")
        first = proctor.start(*command, "--mode", "normal")
        assert wait_until(lambda: server.n_requests > 5, first, 120)
        others = [proctor.start(*command, "--mode", mode) for mode in ("cot", "normal")]
        assert [process.wait(timeout=300) for process in (first, *others)] == [0, 0, 0]
        assert server.n_requests == 2 * N_QUESTIONS
    board = proctor.rows("SELECT mode, n_scored, score FROM leaderboard ORDER BY mode")
    assert board == [
        {"mode": mode, "n_scored": N_QUESTIONS, "score": 1.0} for mode in ("cot", "normal")
    ]
    runs = proctor.rows("SELECT state, mode FROM runs WHERE command = 'evaluate' ORDER BY mode")
    assert [row["state"] for row in runs] == ["completed"] * 3
    assert proctor.run("db", "verify").returncode == 0
    record(
        "three runs on one file at once, two of them of the same cell",
        calls=server.n_requests,
        answers=2 * N_QUESTIONS,
    )


def _python(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], cwd=ROOT, check=True)


def _seconds(do: Any) -> float:
    began = time.monotonic()
    do()
    return time.monotonic() - began
