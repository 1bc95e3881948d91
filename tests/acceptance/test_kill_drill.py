"""`kill -9` at random moments: nothing that arrived is lost, little is paid twice."""

import random
import signal
from functools import partial
from pathlib import Path
from typing import Any

from tests.acceptance.results import record
from tests.acceptance.running import Proctor, wait_until, write_questions
from tests.exam import after
from tests.model_server import ModelServer, Response, chat_reply

N_QUESTIONS, N_SAMPLES, N_KILLS, CONCURRENCY = 500, 4, 20, 32
N_COMPLETIONS = N_QUESTIONS * N_SAMPLES


def answer(request: dict[str, Any], call: int) -> Response:
    return after(0.02, chat_reply("ANSWER: B"))


def test_twenty_kills(prefect_server: str, tmp_path: Path) -> None:
    seed = random.SystemRandom().getrandbits(32)
    dice = random.Random(seed)
    proctor = Proctor(tmp_path / "drill.duckdb", prefect_server)
    about = ("--benchmark", "own")
    done = proctor.run("import", "questions", str(write_questions(tmp_path, N_QUESTIONS)), *about)
    assert done.returncode == 0, done.stderr
    repeated: list[int] = []
    with ModelServer(answer) as server:
        command: tuple[str, ...] = (
            "evaluate",
            *about,
            "--model",
            "m",
            "--base-url",
            server.base_url,
        )
        command += ("--samples", str(N_SAMPLES), "--temperature", "0.5")
        command += ("--concurrency", str(CONCURRENCY))
        n_kills = n_stored = 0
        while n_kills < N_KILLS:
            process = proctor.start(*command)
            # Not so far that the work ends before the last kill; at times right at the first call.
            ahead = dice.randint(0, (N_COMPLETIONS - n_stored) // (N_KILLS - n_kills + 1))
            goal = server.n_requests + max(1, ahead)
            assert wait_until(partial(_reached, server, goal), process, 120), seed
            process.send_signal(signal.SIGKILL)
            process.wait()
            n_kills += 1
            verified = proctor.run("db", "verify")
            assert verified.returncode == 0, (seed, verified.stderr)
            n_stored, n_twice = counts(proctor)
            assert n_twice == 0, seed
            repeated.append(server.n_requests - n_stored - sum(repeated))
            assert 0 <= repeated[-1] <= CONCURRENCY, (seed, repeated)
        last = proctor.run(*command)
        assert last.returncode == 0, (seed, last.stderr)
        assert counts(proctor) == (N_COMPLETIONS, 0)
        assert server.n_requests - N_COMPLETIONS == sum(repeated)
        n_requests = server.n_requests
        again = proctor.run(*command)
        assert again.returncode == 0
        assert server.n_requests == n_requests
    (line,) = proctor.rows("SELECT n_scored, score FROM leaderboard")
    assert line == {"n_scored": N_QUESTIONS, "score": 1.0}
    states = proctor.rows(
        "SELECT state, count(*) AS n FROM runs WHERE command = 'evaluate' GROUP BY ALL"
    )
    assert {row["state"]: row["n"] for row in states} == {"crashed": N_KILLS, "completed": 2}
    assert list(proctor.database.with_name("drill.duckdb.journal").glob("*.jsonl")) == []
    record(
        f"kill -9, {N_KILLS} times in {N_COMPLETIONS} calls at concurrency {CONCURRENCY}",
        completions_repeated_per_kill_at_most=max(repeated),
        completions_repeated_in_all=sum(repeated),
        answers_stored_once=N_COMPLETIONS,
        verify_passed=N_KILLS,
        seed=seed,
    )


def counts(proctor: Proctor) -> tuple[int, int]:
    """How many slots of the cache are filled, and how many of them twice."""
    published = proctor.run("db", "publish")
    assert published.returncode == 0, published.stderr
    (row,) = proctor.rows(
        "SELECT count(*) AS n, count(*) FILTER (WHERE times > 1) AS twice FROM (SELECT count(*) AS "
        "times FROM completions WHERE status = 'ok' GROUP BY request_hash, epoch, sample_index)"
    )
    return row["n"], row["twice"]


def _reached(server: ModelServer, n_requests: int) -> bool:
    return server.n_requests >= n_requests
