"""Runs of `proctor` in processes of their own, for drills that kill them or ask beside them."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Proctor:
    """Commands over one database, with a Prefect server that runs already."""

    database: Path
    prefect_server: str

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start a command; its output goes to files beside the database."""
        with self.database.with_name(f"{time.monotonic_ns()}.log").open("w") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "flows.cli", *arguments, "--db", str(self.database)],
                cwd=ROOT,
                env=os.environ | {"PREFECT_API_URL": self.prefect_server},
                stdout=log,
                stderr=log,
                text=True,
            )

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        return subprocess.run(
            [sys.executable, "-m", "flows.cli", *arguments, "--db", str(self.database)],
            cwd=ROOT,
            env=os.environ | {"PREFECT_API_URL": self.prefect_server},
            capture_output=True,
            text=True,
            check=False,
        )

    def rows(self, statement: str) -> list[dict[str, Any]]:
        """Rows of `proctor sql --json`."""
        done = self.run("sql", statement, "--json")
        assert done.returncode == 0, done.stderr
        rows: list[dict[str, Any]] = json.loads(done.stdout)
        return rows


def wait_until(is_so: Callable[[], bool], process: subprocess.Popen[str], limit_s: float) -> bool:
    """Wait for something while a process runs; False: the process ended first."""
    deadline = time.monotonic() + limit_s
    while not is_so():
        if process.poll() is not None:
            return False
        assert time.monotonic() < deadline, f"nothing came within {limit_s} s"
        time.sleep(0.002)
    return True


def write_questions(folder: Path, n: int) -> Path:
    """`n` multiple-choice questions as a file."""
    rows = [
        {"id": f"q{i}", "type": "MCQ", "question": f"Number {i}? (A) 1 (B) 2", "gold": "B"}
        for i in range(n)
    ]
    path = folder / "questions.json"
    path.write_text(json.dumps(rows))
    return path
