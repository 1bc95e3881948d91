"""Replies are safe once recorded, whatever kills their process, and are never stored twice."""

import fcntl
import json
import logging
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import duckdb
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tasks.core.calls.exact_values import read_exact
from tasks.core.calls.text_storage import from_stored, to_stored
from tasks.core.errors import DatabaseBusy
from tasks.io.database import Database
from tasks.io.journal import Journal, _open_locked, merge_orphans
from tests.io import writing_process
from tests.io.writing_process import reply

N_KILLS = 6


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(tmp_path / "test.duckdb", wait_s=30)


def call_ids(database: Database) -> list[str]:
    with database.open() as store:
        rows = store.select("SELECT call_id FROM completions INNER JOIN calls USING (call_id)")
    return rows["call_id"].to_list()


def writer(database: Database, output: Path, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, writing_process.__file__, str(database.path), *arguments]
    with output.open("wb") as file:
        return subprocess.Popen(command, stdout=file)


def wait_for_output(output: Path, process: subprocess.Popen[bytes]) -> None:
    while not output.stat().st_size:
        assert process.poll() is None, "the writer ended before it wrote anything"
        time.sleep(0.005)


def saved(output: Path) -> set[str]:
    """Ids that were printed whole, so were reported saved."""
    return {
        line.strip() for line in output.read_text().splitlines(keepends=True) if line.endswith("\n")
    }


@pytest.mark.parametrize("stage", ["journal", "merge", "publish"])
def test_kill_loses_nothing_that_was_saved(database: Database, tmp_path: Path, stage: str) -> None:
    moments = random.Random(stage)
    reported: set[str] = set()
    for number in range(N_KILLS):
        output = tmp_path / f"{number}.txt"
        process = writer(database, output, f"w{number}", stage)
        wait_for_output(output, process)
        time.sleep(moments.uniform(0, 0.4))
        process.send_signal(signal.SIGKILL)
        process.wait()
        reported |= saved(output)

        merge_orphans(database)
        stored = call_ids(database)
        assert reported <= set(stored)
        assert len(stored) == len(set(stored))
        assert len(set(stored) - reported) <= number + 1
        with database.read() as store:
            assert store.select("SELECT count(*) FROM calls").item() <= len(stored)
    database.publish()
    assert not list(tmp_path.glob("*.tmp*"))


def test_two_processes_share_a_file(database: Database, tmp_path: Path) -> None:
    outputs = [tmp_path / "a.txt", tmp_path / "b.txt"]
    writers = [writer(database, output, output.stem, "merge", "12") for output in outputs]
    assert [process.wait(timeout=120) for process in writers] == [0, 0]
    expected = {f"{name}-{number}" for name in "ab" for number in range(12)}
    assert sorted(call_ids(database)) == sorted(expected)
    assert not list(database.journal_folder.iterdir())


def test_journal_of_a_live_process_is_left_alone(database: Database, tmp_path: Path) -> None:
    output = tmp_path / "out.txt"
    process = writer(database, output, "w", "journal")
    try:
        wait_for_output(output, process)
        os.kill(process.pid, signal.SIGSTOP)
        assert merge_orphans(database) == 0
        assert list(database.journal_folder.iterdir())
    finally:
        process.kill()
        process.wait()
    assert merge_orphans(database) > 0
    assert saved(output) <= set(call_ids(database))
    assert not list(database.journal_folder.iterdir())


@pytest.fixture
def abandoned(database: Database, tmp_path: Path) -> Iterator[Path]:
    """The segment of a process that recorded three replies and died."""
    journal = Journal(Database(tmp_path / "other.duckdb"))
    for number in range(3):
        journal.record(reply(f"w-{number}"))
    (segment,) = (tmp_path / "other.duckdb.journal").iterdir()
    database.journal_folder.mkdir()
    path = database.journal_folder / "host-1-1-1.jsonl"
    path.write_bytes(segment.read_bytes())
    yield path
    journal.merge()


def test_merging_twice_changes_nothing(database: Database, abandoned: Path) -> None:
    content = abandoned.read_bytes()
    assert merge_orphans(database) == 3
    abandoned.write_bytes(content)
    assert merge_orphans(database) == 3
    assert sorted(call_ids(database)) == ["w-0", "w-1", "w-2"]


def test_torn_line_is_set_aside(
    database: Database, abandoned: Path, caplog: pytest.LogCaptureFixture
) -> None:
    lines = abandoned.read_bytes().splitlines(keepends=True)
    torn = lines[2][: len(lines[2]) // 2]
    abandoned.write_bytes(lines[0] + lines[1] + torn)
    with caplog.at_level(logging.WARNING):
        assert merge_orphans(database) == 2
    assert sorted(call_ids(database)) == ["w-0", "w-1"]
    aside = abandoned.with_suffix(".torn")
    assert aside.read_bytes() == torn
    assert str(aside) in caplog.text
    assert not abandoned.exists()


def test_any_cut_keeps_the_whole_replies(database: Database, abandoned: Path) -> None:
    content = abandoned.read_bytes()
    ends = [index + 1 for index, byte in enumerate(content) if byte == ord("\n")]
    for cut in random.Random(2).sample(range(len(content) + 1), 12):
        abandoned.write_bytes(content[:cut])
        n_whole = sum(end - 1 <= cut for end in ends)
        assert merge_orphans(database) == n_whole


def test_damage_in_the_middle_costs_one_line(database: Database, abandoned: Path) -> None:
    lines = abandoned.read_bytes().splitlines(keepends=True)
    abandoned.write_bytes(lines[0] + b'{"calls": [\xff\n' + lines[2])
    assert merge_orphans(database) == 2
    assert sorted(call_ids(database)) == ["w-0", "w-2"]


def call(call_id: str, **changes: Any) -> dict[str, Any]:
    return reply(call_id, **changes)["calls"][0]


def line(rows: object) -> bytes:
    return json.dumps(rows, default=str).encode() + b"\n"


UNFIT = {
    "unknown column": line({"calls": [{"call_id": "x", "price": 1}]}),
    "missing column": line({"calls": [{"call_id": "x"}]}),
    "unknown table": line({"prices": [{"call_id": "x"}]}),
    "status that the table refuses": line({"calls": [call("x", status="fine")]}),
    "NULL where a value must be": line({"calls": [call("x", run_id=None)]}),
    "text for a number": line({"calls": [call("x", input_tokens="many")]}),
    "number that is too large": line({"calls": [call("x", input_tokens=2**70)]}),
    "no time": line({"calls": [call("x", started_at="soon")]}),
    "no bytes": line({"completions": [reply("x")["completions"][0] | {"text_bytes": "zz"}]}),
    "a number": b"7\n",
    "null": b"null\n",
    "rows that are none": line({"calls": 7}),
    "row that is none": line({"calls": [None]}),
    "lone surrogate in a name": b'{"calls": [{"a\\ud83d": 1}]}\n',
}


@pytest.mark.parametrize("name", UNFIT)
def test_a_line_that_does_not_fit_is_set_aside(
    database: Database, abandoned: Path, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    lines = abandoned.read_bytes().splitlines(keepends=True)
    abandoned.write_bytes(lines[0] + UNFIT[name] + lines[1] + lines[2])
    with caplog.at_level(logging.WARNING):
        assert merge_orphans(database) == 3
    assert sorted(call_ids(database)) == ["w-0", "w-1", "w-2"]
    aside = abandoned.with_suffix(".rejected")
    assert json.loads(aside.read_bytes()) == json.loads(UNFIT[name])
    (notice,) = [r.getMessage() for r in caplog.records if r.levelno == logging.WARNING]
    assert notice.startswith(f"1 replies do not fit the database and are set aside in {aside}: ")
    assert "\n" not in notice
    assert not abandoned.exists()
    assert merge_orphans(database) == 0


def test_lines_set_aside_are_tried_again_under_the_old_name(
    database: Database, abandoned: Path
) -> None:
    good = abandoned.read_bytes()
    bad = b"".join(UNFIT.values())
    abandoned.write_bytes(bad + good + bad)
    assert merge_orphans(database) == 3
    aside = abandoned.with_suffix(".rejected")
    assert len(aside.read_bytes().splitlines()) == 2 * len(UNFIT)
    aside.write_bytes(aside.read_bytes() + good)
    aside.rename(abandoned)
    assert merge_orphans(database) == 3
    assert aside.exists()


def test_what_does_not_fit_keeps_no_other_reply_of_its_own_process(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    journal = Journal(database)
    for number in range(20):
        changes = {"status": "fine"} if number in (3, 11) else {}
        journal.record(reply(f"w-{number}", **changes))
    (segment,) = database.journal_folder.iterdir()
    with caplog.at_level(logging.WARNING):
        assert journal.merge() == 18
    assert sorted(call_ids(database)) == sorted(
        f"w-{number}" for number in range(20) if number not in (3, 11)
    )
    aside = segment.with_suffix(".rejected")
    rejected = [json.loads(line) for line in aside.read_bytes().splitlines()]
    assert [rows["calls"][0]["call_id"] for rows in rejected] == ["w-3", "w-11"]
    assert "2 replies do not fit" in caplog.text
    assert str(aside) in caplog.text
    assert list(database.journal_folder.iterdir()) == [aside]
    journal.record(reply("w-20"))
    assert journal.merge() == 1


def test_half_a_reply_is_never_stored(database: Database) -> None:
    journal = Journal(database)
    rows = reply("w-0")
    rows["completions"].append({**rows["completions"][0], "sample_index": -1})
    journal.record(rows)
    assert journal.merge() == 0
    with database.open() as store:
        assert store.select("SELECT call_id FROM calls").is_empty()
        assert store.select("SELECT call_id FROM completions").is_empty()


def test_a_disk_that_takes_no_more_rejects_nothing(database: Database) -> None:
    """The limit of this process stands for a full disk: it is no fault of the replies."""
    journal = Journal(database)
    with database.open():
        pass
    for number in range(4):
        journal.record(reply(f"w-{number}", text="x" * 500_000))
    (segment,) = database.journal_folder.iterdir()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        with pytest.raises((OSError, duckdb.OperationalError)):
            journal.merge()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, ignored)
    assert list(database.journal_folder.iterdir()) == [segment]
    assert journal.merge() == 4
    assert sorted(call_ids(database)) == ["w-0", "w-1", "w-2", "w-3"]


def test_busy_database_keeps_everything_for_the_next_time(database: Database) -> None:
    impatient = Journal(Database(database.path, wait_s=0))
    impatient.record(reply("w-0"))
    with database.open(), pytest.raises(DatabaseBusy):
        impatient.merge()
    impatient.record(reply("w-1"))
    assert impatient.merge() == 2
    assert impatient.merge() == 0
    assert sorted(call_ids(database)) == ["w-0", "w-1"]


def test_threads_record_and_merge_at_once(database: Database) -> None:
    journal = Journal(database)
    mergers = [threading.Thread(target=journal.merge) for _ in range(3)]
    journal.record(reply("w-0"))
    with database.open():
        for thread in mergers:
            thread.start()
        time.sleep(0.3)
        for number in range(1, 100):
            journal.record(reply(f"w-{number}"))
    for thread in mergers:
        thread.join()
    journal.merge()
    assert sorted(call_ids(database)) == sorted(f"w-{number}" for number in range(100))
    assert not list(database.journal_folder.iterdir())


def test_file_that_was_taken_for_abandoned_before_it_was_locked(tmp_path: Path) -> None:
    """Another process locks a segment before its writer does, and deletes it as empty."""
    path = tmp_path / "segment.jsonl"
    taken = os.open(path, os.O_RDONLY | os.O_CREAT)
    fcntl.flock(taken, fcntl.LOCK_EX)
    opened: list[int] = []
    writer_thread = threading.Thread(target=lambda: opened.append(_open_locked(path)))
    writer_thread.start()
    time.sleep(0.1)
    path.unlink()
    os.close(taken)
    writer_thread.join()
    os.write(opened[0], b"a reply")
    assert path.read_bytes() == b"a reply"
    with path.open() as file, pytest.raises(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(opened[0])


def test_full_disk_leaves_whole_lines(database: Database) -> None:
    journal = Journal(database)
    journal.record(reply("w-0"))
    (segment,) = database.journal_folder.iterdir()
    before = segment.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 100, limits[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            journal.record(reply("w-1", text="x" * 10_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, ignored)
    assert segment.read_bytes() == before
    journal.record(reply("w-2"))
    assert journal.merge() == 2
    assert sorted(call_ids(database)) == ["w-0", "w-2"]


any_text = st.text(st.characters())
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | any_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_text, inner, max_size=3),
    max_leaves=6,
)
names = st.sampled_from(["at", "hex", "json", "x", "\ud83d", "\0"])
extras = st.dictionaries(names, json_values, max_size=2)


@pytest.fixture(scope="module")
def two_databases(tmp_path_factory: pytest.TempPathFactory) -> tuple[Database, Database]:
    folder = tmp_path_factory.mktemp("journal")
    return Database(folder / "own.duckdb"), Database(folder / "dead.duckdb")


@settings(max_examples=25, deadline=None)
@given(
    extra=extras,
    tool_calls=st.lists(extras, max_size=2),
    text=any_text,
    reasoning=st.none() | any_text,
    served_model=st.none() | any_text,
    tokens=st.integers(0, 2**63 - 1),
)
@example({"a": "\ud83d\ude00"}, [{"b": "\ud83d"}], "\ud83d\ude00", "\ude00\0", "\udc80", 0)
@example({"\ud83d": "\\ud83d", "n": 2**80}, [], "\0", "\0", "\0", 0)
def test_what_is_taken_over_is_what_was_recorded(
    two_databases: tuple[Database, Database],
    extra: dict[str, Any],
    tool_calls: list[dict[str, Any]],
    text: str,
    reasoning: str | None,
    served_model: str | None,
    tokens: int,
) -> None:
    """Merged by its own process, or from the file after its death: the same rows, and every value
    as the server sent it."""
    own, dead = two_databases
    call_id = str(uuid4())
    at = datetime(2026, 11, 30, 1, 2, 3, 456789, tzinfo=UTC)
    shown, exact = to_stored(text)
    recorded = reply(
        call_id,
        shown,
        extra=extra,
        output_tokens=tokens,
        started_at=at,
        served_model=served_model,
    )
    recorded["completions"][0] |= {
        "text_bytes": exact,
        "reasoning": reasoning,
        "tool_calls": tool_calls,
    }
    journal = Journal(own)
    journal.record(recorded)
    (segment,) = own.journal_folder.iterdir()
    dead.journal_folder.mkdir(exist_ok=True)
    (dead.journal_folder / "host-1-1-1.jsonl").write_bytes(segment.read_bytes())
    assert (journal.merge(), merge_orphans(dead)) == (1, 1)
    rows, exacts = [], []
    for database in (own, dead):
        with database.open() as store:
            both = store.select("SELECT * FROM calls INNER JOIN completions USING (call_id)")
            kept = store.select("SELECT * FROM exact_values")
        rows.append(both.filter(pl.col("call_id") == call_id).row(0, named=True))
        exacts.append(
            {
                (field, index): read_exact(field, value)
                for of_call, index, field, value in kept.iter_rows()
                if of_call == call_id
            }
        )
    assert repr(rows[0]) == repr(rows[1])
    assert exacts[0] == exacts[1]
    (row, _), (found, _) = rows, exacts
    assert from_stored(row["text"], row["text_bytes"]) == text
    assert found.get(("reasoning", 0), row["reasoning"]) == reasoning
    assert found.get(("served_model", -1), row["served_model"]) == served_model
    assert found.get(("extra", -1), json.loads(row["extra"])) == extra
    assert found.get(("tool_calls", 0), json.loads(row["tool_calls"])) == tool_calls
    assert row["output_tokens"] == tokens
    assert row["started_at"] == at
