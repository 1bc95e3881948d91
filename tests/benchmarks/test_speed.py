"""Proctor against the openai client alone and against its peers, all in one run, as ratios.

515 questions × 8 samples at concurrency 256 against a server with 50 ms latency. Everything that
Proctor does counts: cache, ledger, journal, database, extraction, marks, snapshot, Prefect. The
peers run where `PROCTOR_BENCH_PEERS` names a folder with their scripts and environments.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import psutil
import pytest

from tests.acceptance.results import record

HERE = Path(__file__).parent
N_QUESTIONS, N_SAMPLES, CONCURRENCY, N_ROUNDS = 515, 8, 256, 3
_PEERS_PORT = 8999  # where the peers' scripts look for the server
WORDS = ["mass", "charge", "field", "energy", "flux", "orbit", "bond", "acid", "root", "limit"]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The base URL of a server with 50 ms latency."""
    command = [sys.executable, str(HERE / "latency_server.py"), "--latency", "0.05"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as it:
        assert it.stdout is not None
        yield f"http://127.0.0.1:{it.stdout.readline().strip()}/v1"
        it.terminate()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, prefect_server: str) -> Path:
    """A folder with the questions in a database, and the same as bare requests."""
    os.environ["PREFECT_API_URL"] = prefect_server  # for the processes that are measured
    folder = tmp_path_factory.mktemp("speed")
    chance = random.Random(0)
    questions = [
        {
            "id": f"q{i}",
            "type": "MCQ",
            "gold": "B",
            "question": f"Question {i}: {' '.join(chance.choices(WORDS, k=120))}. Which holds?"
            + "".join(f"\n({label}) {chance.random():.3f}" for label in "ABCD"),
        }
        for i in range(N_QUESTIONS)
    ]
    (folder / "questions.json").write_text(json.dumps(questions))
    bodies = [
        {
            "model": "stub",
            "messages": [{"role": "user", "content": question["question"]}],
            "max_tokens": 512,
            "temperature": 1.0,
            "seed": seed,
        }
        for question in questions
        for seed in range(N_SAMPLES)
    ]
    (folder / "requests.json").write_text(json.dumps(bodies))
    _run(
        [_proctor(), "import", "questions", str(folder / "questions.json"), "--benchmark", "stub"],
        folder,
    )
    return folder


def test_sampling_and_cached_rerun(server: str, folder: Path) -> None:
    rates: dict[str, list[float]] = {"plain": [], "raw": [], "proctor": []}
    walls: list[float] = []
    peaks: list[float] = []
    beyond: list[float] = []
    for round_ in range(N_ROUNDS):
        for way in ("plain", "raw"):
            command = [sys.executable, str(HERE / "bare_clients.py"), way, server]
            rates[way].append(
                _rate(server, [*command, str(folder / "requests.json"), str(CONCURRENCY)], folder)
            )
        asked = {
            "benchmark": "stub",
            "models": ["stub"],
            "base_url": server,
            "samples": N_SAMPLES,
            "temperature": 1.0,
            "max_tokens": 512,
            "concurrency": CONCURRENCY,
            "epoch": f"round-{round_}",
            "database": str(folder / "speed.duckdb"),
        }
        fresh, seconds, rate = _evaluate(server, asked, folder)
        rates["proctor"].append(rate)
        walls.append(seconds)
        peaks.append(fresh["peak_mib"])
        cached, _, rate_of_nothing = _evaluate(server, asked, folder)
        _wait_until_idle()
        empty = json.loads(
            _run([sys.executable, str(HERE / "timed_flows.py"), "empty", "{}"], folder)
        )
        assert rate_of_nothing == 0, "a cached run must send nothing"
        beyond.append(cached["flow_s"] - empty["flow_s"])
    plain, raw, proctor = (median(rates[way]) for way in ("plain", "raw", "proctor"))
    record(
        "speed, 515 × 8 calls at concurrency 256, 50 ms",
        calls_per_s=f"{proctor:.0f}",
        of_default_client=f"{proctor / plain:.2f}",
        of_fastest_bare_loop=f"{proctor / raw:.2f}",
        whole_process_s=f"{median(walls):.1f}",
        peak_MiB=f"{max(peaks):.0f}",
        cached_rerun_beyond_Prefect_s=f"{median(beyond):.2f}",
    )
    assert proctor >= 2 * plain
    assert proctor >= 0.8 * raw
    assert max(peaks) < 350
    assert median(beyond) < 1.0


def test_whole_process_against_peers(server: str, folder: Path) -> None:
    peers = os.environ.get("PROCTOR_BENCH_PEERS")
    if not peers:
        pytest.skip("PROCTOR_BENCH_PEERS names no folder with the peers' scripts and environments")
    port = _PEERS_PORT
    scripts = Path(peers)
    stub = [sys.executable, str(scripts / "stub.py"), "--port", str(port), "--latency", "0.05"]
    ours: list[float] = []
    theirs: list[float] = []
    with subprocess.Popen(stub, stdout=subprocess.PIPE, text=True) as it:
        assert it.stdout is not None
        it.stdout.readline()
        try:
            for round_ in range(N_ROUNDS):
                out = folder / f"lm-{round_}"
                _wait_until_idle()
                began = time.perf_counter()
                _run([str(scripts / "run_lmeval.sh"), "8", str(CONCURRENCY), str(out)], folder)
                theirs.append(time.perf_counter() - began)
                shutil.rmtree(out, ignore_errors=True)
                asked = {
                    "benchmark": "stub",
                    "models": ["stub"],
                    "base_url": f"http://127.0.0.1:{port}/v1",
                    "samples": N_SAMPLES,
                    "temperature": 1.0,
                    "max_tokens": 512,
                    "concurrency": CONCURRENCY,
                    "epoch": f"peers-{round_}",
                    "database": str(folder / "speed.duckdb"),
                }
                _wait_until_idle()
                began = time.perf_counter()
                _run(
                    [sys.executable, str(HERE / "timed_flows.py"), "evaluate", json.dumps(asked)],
                    folder,
                )
                ours.append(time.perf_counter() - began)
            inspect = str(scripts / ".venv-inspect" / "bin" / "python")
            _wait_until_idle()
            began = time.perf_counter()
            _run(
                [
                    inspect,
                    str(scripts / "run_inspect.py"),
                    "--k",
                    "1",
                    "--c",
                    "256",
                    "--out",
                    str(folder / "inspect"),
                    "--base",
                    f"http://127.0.0.1:{port}/v1",
                ],
                folder,
            )
            per_call = (time.perf_counter() - began) / N_QUESTIONS
        finally:
            it.terminate()
    our_call = median(ours) / (N_QUESTIONS * N_SAMPLES)
    record(
        "whole process against peers",
        proctor_s=f"{median(ours):.1f}",
        lm_eval_s=f"{median(theirs):.1f}",
        of_lm_eval=f"{median(ours) / median(theirs):.2f}",
        of_inspect_per_call=f"{our_call / per_call:.3f}",
    )
    assert median(ours) <= median(theirs)
    assert our_call <= per_call / 10


def _evaluate(
    server: str, asked: dict[str, Any], folder: Path
) -> tuple[dict[str, Any], float, float]:
    _get(server, "/reset")
    _wait_until_idle()
    began = time.perf_counter()
    printed = _run(
        [sys.executable, str(HERE / "timed_flows.py"), "evaluate", json.dumps(asked)], folder
    )
    seconds = time.perf_counter() - began
    figures = json.loads(printed)
    assert figures["state"] == "Completed", figures
    return figures, seconds, _rate_seen(server)


def _rate(server: str, command: list[str], folder: Path) -> float:
    _wait_until_idle()
    _get(server, "/reset")
    _run(command, folder)
    return _rate_seen(server)


def _rate_seen(server: str) -> float:
    seen = _get(server, "/stats")
    seconds = seen["last_reply"] - seen["first_request"]
    return float(seen["completions"] / seconds) if seen["completions"] else 0.0


def _get(server: str, path: str) -> dict[str, Any]:
    with urllib.request.urlopen(server.removesuffix("/v1") + path, timeout=10) as reply:
        found: dict[str, Any] = json.load(reply)
    return found


def _run(command: list[str], folder: Path) -> str:
    environment = os.environ | {
        "PROCTOR_DB": str(folder / "speed.duckdb"),
        "PREFECT_LOGGING_LEVEL": "WARNING",
    }
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, cwd=folder, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip().rpartition("\n")[2]


def _proctor() -> str:
    return str(Path(sys.executable).with_name("proctor"))


def _wait_until_idle() -> None:
    """A Prefect server goes on working on a run's events after its end; what comes next must not be
    measured beside that."""
    for _ in range(60):
        if psutil.cpu_percent(interval=0.5) < 10:
            return
