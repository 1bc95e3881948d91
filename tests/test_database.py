"""The commands about the database as a whole, and two processes on one file."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tasks.core.errors import CheckFailed
from tasks.database import trace, verify
from tasks.io.database import Database
from tests.commands import proctor, rows_of, succeed
from tests.malformed_inputs import INTEGER, MCQ

ROOT = Path(__file__).resolve().parents[1]
HOLD = """
import sys, time
from pathlib import Path
from tasks.io.database import Database
with Database(Path(sys.argv[1])).open():
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A database with a benchmark of two questions and a model's responses."""
    path = tmp_path / "own.duckdb"
    about = ("--benchmark", "own", "--db", path)
    (tmp_path / "questions.json").write_text(json.dumps([MCQ, INTEGER]))
    responses = [{"id": "q1", "response": "ANSWER: A"}, {"id": "q2", "response": "ANSWER: 8"}]
    (tmp_path / "responses.json").write_text(json.dumps(responses))
    succeed("import", "questions", tmp_path / "questions.json", *about)
    succeed("import", "responses", tmp_path / "responses.json", *about, "--model", "m")
    return path


@pytest.fixture
def holder(own: Path) -> subprocess.Popen[str]:
    """A process that holds the database for writing until its stdin is closed."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(own)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_readers_get_on_while_a_writer_holds_the_file(
    own: Path, holder: subprocess.Popen[str]
) -> None:
    with holder:
        for _ in range(3):
            assert rows_of(own, "SELECT count(*) AS n FROM scores_current") == [{"n": 2}]
        said = succeed("sql", "SELECT 1", "--db", own)
        assert "snapshot is" in said.err
        succeed("cost", "--db", own)
        succeed("trace", "q1", "--benchmark", "own", "--db", own)
        assert holder.poll() is None
        holder.communicate()


def test_a_writer_that_must_give_up_says_who_holds_the_file(
    own: Path, holder: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROCTOR_DB_WAIT", "0.2")
    with holder:
        said = proctor("db", "publish", "--db", own)
        holder.communicate()
    assert said.status == 1
    assert f"process {holder.pid}" in said.err
    assert len(said.err.splitlines()) == 1


def test_a_writer_waits_for_a_reader_of_the_snapshot_never(own: Path) -> None:
    with Database(own).read() as store:
        before = store.select("SELECT count(*) AS n FROM questions").item()
        succeed("db", "publish", "--db", own)
        assert store.select("SELECT count(*) AS n FROM questions").item() == before


def test_verify_names_what_was_changed(own: Path) -> None:
    assert verify(Database(own)).n_questions == 2
    program = (
        "import duckdb, sys; c = duckdb.connect(sys.argv[1]);"
        "c.execute(\"UPDATE questions SET question = 'Other?' WHERE question_id = 'q2'\")"
    )
    subprocess.run([sys.executable, "-c", program, str(own)], check=True)
    with pytest.raises(CheckFailed, match="'q2' of 'own' was changed"):
        verify(Database(own))
    said = proctor("db", "verify", "--db", own)
    assert said.status == 1
    assert len(said.err.splitlines()) == 1


def test_a_backup_is_a_whole_database(own: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.duckdb"
    succeed("db", "backup", copy, "--db", own)
    board = "SELECT * FROM leaderboard"
    assert rows_of(copy, board) == rows_of(own, board)
    succeed("db", "verify", "--db", copy)
    assert proctor("db", "backup", copy, "--db", own).status == 2


def test_trace_shows_each_step(own: Path) -> None:
    steps = trace(Database(own), "own", "q2")
    assert steps["step"].to_list() == [
        "question",
        "key",
        "prompt",
        "completion",
        "extract",
        "score",
    ]
    assert steps["content"].to_list()[-2:] == ["8", "8"]
    said = succeed("trace", "q2", "--benchmark", "own", "--db", own)
    assert "ANSWER: 8" in said.out


def test_the_age_is_that_of_the_snapshot(own: Path) -> None:
    time.sleep(1.1)
    said = succeed("sql", "SELECT 1 AS one", "--db", own, "--json")
    assert said.json == [{"one": 1}]
    assert not said.err.startswith("snapshot is 0 s")
