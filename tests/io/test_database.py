"""Several processes on one file, a snapshot for readers, and values that come back as they were."""

import contextlib
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tasks.core.calls.text_storage import readable
from tasks.core.errors import BadInput, DatabaseBusy
from tasks.io.database import Database
from tasks.io.journal import Journal
from tests.io import writing_process
from tests.io.writing_process import reply

AT = datetime(2026, 11, 30, tzinfo=UTC)
NOBODY = 65534


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    database = Database(tmp_path_factory.mktemp("database") / "template.duckdb")
    with database.open():
        pass
    return database.path


@pytest.fixture
def database(template: Path, tmp_path: Path) -> Database:
    """An empty database whose writers do not wait for each other."""
    return Database(Path(shutil.copy(template, tmp_path / "test.duckdb")), wait_s=0.2)


def key_row(question_id: str, gold: str = "A", **changes: Any) -> dict[str, Any]:
    row = {
        "benchmark": "b",
        "question_id": question_id,
        "key_hash": "k",
        "gold": gold,
        "source": "s",
        "run_id": "r",
        "recorded_at": AT,
    }
    return row | changes


def golds(database: Database) -> dict[str, str]:
    with database.open() as store:
        rows = store.select("SELECT question_id, gold FROM answer_keys")
    return dict(rows.iter_rows())


@contextlib.contextmanager
def held_by_another_process(command: list[str]) -> Iterator[int]:
    """Another process holds the database from now on; its id."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == b"held\n"
        yield process.pid
    finally:
        process.stdin.close()
        process.wait()
        process.stdout.close()


def writer_command(database: Database) -> list[str]:
    return [sys.executable, writing_process.__file__, str(database.path), "holder", "hold"]


def outside_reader_command(path: Path) -> list[str]:
    program = (
        "import duckdb, sys; c = duckdb.connect(sys.argv[1], read_only=True);"
        "print('held', flush=True); sys.stdin.read()"
    )
    return [sys.executable, "-c", program, str(path)]


class TestSeveralProcesses:
    def test_reader_does_not_wait_for_a_writer(self, database: Database) -> None:
        database.publish()
        with held_by_another_process(writer_command(database)), database.read() as store:
            assert store.select("SELECT count(*) FROM runs").item() == 0

    def test_writer_names_the_writer_it_gives_up_on(self, database: Database) -> None:
        with held_by_another_process(writer_command(database)) as process_id:
            holder = rf"process {process_id} \(writing_process.py"
            with pytest.raises(DatabaseBusy, match=holder), database.open():
                pass
            with pytest.raises(DatabaseBusy, match=str(process_id)):
                database.publish()
        with database.open() as store:
            store.append("answer_keys", [key_row("q")])
        assert golds(database) == {"q": "A"}

    def test_writer_waits_for_a_writer(self, database: Database) -> None:
        patient = Database(database.path, wait_s=60)
        with held_by_another_process(writer_command(database)):
            written = threading.Thread(target=golds, args=(patient,))
            written.start()
            assert written.is_alive()
        written.join(timeout=60)
        assert not written.is_alive()

    def test_writer_does_not_wait_for_readers(self, database: Database) -> None:
        database.publish()
        with database.read() as store:
            with database.open() as writing:
                writing.append("answer_keys", [key_row("q")])
            database.publish()
            assert store.select("SELECT count(*) FROM answer_keys").item() == 0
            with database.read() as newer:
                assert newer.select("SELECT count(*) FROM answer_keys").item() == 1

    def test_writer_names_an_outside_program(self, database: Database) -> None:
        with (
            held_by_another_process(outside_reader_command(database.path)) as process_id,
            pytest.raises(DatabaseBusy, match=f"PID {process_id}"),
            database.open(),
        ):
            pass
        assert golds(database) == {}

    def test_outside_program_may_hold_the_snapshot(self, database: Database) -> None:
        database.publish()
        with held_by_another_process(outside_reader_command(database.snapshot_path)):
            with database.open() as store:
                store.append("answer_keys", [key_row("q")])
            database.publish()
            with database.read() as store:
                assert store.select("SELECT gold FROM answer_keys").item() == "A"

    def test_lock_is_given_back_after_an_error(self, database: Database) -> None:
        with pytest.raises(RuntimeError, match="inside"), database.open():
            raise RuntimeError("inside")
        assert golds(database) == {}


class TestSnapshot:
    def test_readers_in_a_loop_see_whole_snapshots(self, database: Database) -> None:
        """Two tables written together are read together, and never an older state than before."""
        database.publish()
        journal = Journal(database)
        done = threading.Event()
        seen: list[tuple[int, int]] = []
        statement = "SELECT (SELECT count(*) FROM calls), (SELECT count(*) FROM completions)"

        def read() -> None:
            while not done.is_set():
                with database.read() as store:
                    seen.append(store.select(statement).row(0))

        reader = threading.Thread(target=read)
        reader.start()
        try:
            for number in range(15):
                for sample in range(20):
                    journal.record(reply(f"{number}-{sample}"))
                journal.merge()
                database.publish()
        finally:
            done.set()
            reader.join()
        assert all(n_calls == n_completions for n_calls, n_completions in seen)
        assert all(n_calls % 20 == 0 for n_calls, _ in seen)
        assert seen == sorted(seen)
        with database.read() as store:
            assert store.select(statement).row(0) == (300, 300)

    def test_first_reader_publishes(self, database: Database) -> None:
        with database.read() as store:
            assert store.select("SELECT * FROM leaderboard").is_empty()
        assert database.snapshot_path.exists()

    def test_no_database_at_all(self, tmp_path: Path) -> None:
        with (
            pytest.raises(BadInput, match="no such database"),
            Database(tmp_path / "x.duckdb").read(),
        ):
            pass
        assert not list(tmp_path.iterdir())

    def test_is_published_when_due(self, database: Database) -> None:
        def published_at() -> int:
            return database.snapshot_path.stat().st_mtime_ns

        database.publish_if_due()
        first = published_at()
        database.publish_if_due()
        Database(database.path).publish_if_due()
        assert published_at() == first
        os.utime(database.snapshot_path, (AT.timestamp(), AT.timestamp()))
        database.publish_if_due()
        assert published_at() == int(AT.timestamp() * 1e9)
        Database(database.path).publish_if_due()
        assert published_at() != int(AT.timestamp() * 1e9)

    def test_of_another_version_is_published_anew(self, database: Database) -> None:
        database.publish()
        with duckdb.connect(str(database.snapshot_path)) as connection:
            connection.execute("DROP VIEW leaderboard")
            connection.execute("DELETE FROM applied_files WHERE file = 'views/leaderboard'")
        with database.read() as store:
            assert store.select("SELECT * FROM leaderboard").is_empty()

    def test_damaged_one_is_published_anew(self, database: Database) -> None:
        database.snapshot_path.write_text("not a database")
        with database.read() as store:
            assert store.select("SELECT * FROM leaderboard").is_empty()

    def test_alone_is_read_as_it_is(self, database: Database) -> None:
        with database.open() as store:
            store.append("answer_keys", [key_row("q")])
        database.publish()
        database.path.unlink()
        with database.read() as store:
            assert store.select("SELECT gold FROM answer_keys").item() == "A"
        assert not database.path.exists()

    def test_leftovers_of_dead_processes_are_removed(self, database: Database) -> None:
        for name in ("test.duckdb.snapshot.duckdb.tmp", "test.duckdb.snapshot.duckdb.tmp.wal"):
            (database.path.parent / name).write_text("half a copy")
        database.publish()
        assert not list(database.path.parent.glob("*.tmp*"))

    @pytest.mark.parametrize(
        "statement",
        [
            "INSERT INTO run_ends VALUES ('r', 'completed', NULL, now())",
            "DROP VIEW leaderboard",
            "CREATE TABLE t AS SELECT 1 AS x",
            "SELECT * FROM read_csv('{file}')",
            "COPY (SELECT 1) TO '{file}'",
            "ATTACH '{file}.duckdb'",
            "SET lock_configuration = false",
            "SELECT nothing",
            "SELECT 'abc'::INTEGER",
            "SELECT * FROM range(3) AS t(x) WHERE (1 // (x - 2))::VARCHAR::INTEGER > 'x'::INTEGER",
            "SELEC 1",
            "",
            "-- nothing",
        ],
    )
    def test_statement_of_a_user_that_fails(
        self, database: Database, tmp_path: Path, statement: str
    ) -> None:
        file = tmp_path / "outside.csv"
        file.write_text("a,b\n1,2\n")
        with database.read() as store, pytest.raises(BadInput) as failure:
            store.select(statement.format(file=file))
        assert "\n" not in str(failure.value)
        assert file.read_text() == "a,b\n1,2\n"
        assert not (tmp_path / "outside.csv.duckdb").exists()

    @pytest.mark.parametrize(
        ("expression", "value"),
        [
            ("INTERVAL 3 DAY", "3 days"),
            ("[INTERVAL 1 HOUR]", "['01:00:00']"),
            ("TIMESTAMPTZ '2026-11-30 02:00:00+02'", AT),
            ("12345678901234567890::HUGEINT", 12345678901234567890),
            ("NULL", None),
            ("chr(0) || 'x'", "\0x"),
        ],
    )
    def test_value_that_a_user_selects(
        self, database: Database, expression: str, value: object
    ) -> None:
        with database.read() as store:
            row = store.select(f"SELECT {expression} AS a, 1 AS b, 2 AS b").row(0)
        assert row == (value, 1, 2)


class TestAppend:
    def test_is_idempotent(self, database: Database) -> None:
        with database.open() as store:
            store.append("answer_keys", [key_row("q", "A"), key_row("q", "B"), key_row("p", "C")])
            store.append("answer_keys", [key_row("q", "D"), key_row("o", "E")])
        assert golds(database) == {"q": "A", "p": "C", "o": "E"}

    def test_field_that_comes_late_is_not_dropped(self, database: Database) -> None:
        rows = [key_row(str(number)) for number in range(100)]
        with database.open() as store, pytest.raises(KeyError, match="reasoning_tokens"):
            store.append("answer_keys", [*rows, key_row("100", reasoning_tokens=7)])
        assert golds(database) == {}

    def test_value_that_first_appears_late_is_kept(self, database: Database) -> None:
        calls = [
            reply(str(number), reasoning_tokens=7 if number == 100 else None)["calls"][0]
            for number in range(101)
        ]
        with database.open() as store:
            store.append("calls", calls)
            rows = store.select("SELECT reasoning_tokens FROM calls WHERE call_id = '100'")
        assert rows.item() == 7

    def test_missing_column_raises(self, database: Database) -> None:
        row = key_row("q")
        del row["source"]
        with database.open() as store, pytest.raises(KeyError, match="source"):
            store.append("answer_keys", [row])

    @pytest.mark.parametrize(
        "change", [{"gold": 1}, {"gold": None}, {"gold": 0.5}, {"recorded_at": "2026"}]
    )
    def test_value_of_another_type_raises(self, database: Database, change: dict[str, Any]) -> None:
        with (
            database.open() as store,
            pytest.raises((TypeError, ValueError, duckdb.ConstraintException)),
        ):
            store.append("answer_keys", [key_row("q"), key_row("p") | change])
        assert golds(database) == {}

    def test_times_are_stored_as_instants(self, database: Database) -> None:
        elsewhere = AT.astimezone(timezone(timedelta(hours=5, minutes=30)))
        with database.open() as store:
            store.append("answer_keys", [key_row("q", recorded_at=elsewhere)])
            store.append("answer_keys", [key_row("q", recorded_at=AT)])
            assert store.select("SELECT recorded_at FROM answer_keys").rows() == [(AT,)]

    @pytest.mark.parametrize(
        "text",
        [
            "12:30:00",
            "2024-01-05",
            "007",
            "0.50",
            "12345678901234567890123",
            "None",
            "NA",
            "nan",
            "",
            " ",
            "true",
            "\u202eright to left\u202c",
            "a\0b",
            "'; DROP TABLE answer_keys; --",
            "x" * 1_000_000,
        ],
    )
    def test_text_stays_text(self, database: Database, text: str) -> None:
        with database.open() as store:
            store.append("answer_keys", [key_row("before"), key_row(text, text), key_row("after")])
        assert golds(database) == {"before": "A", text: text, "after": "A"}

    @settings(
        max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    @given(texts=st.lists(st.text(st.characters()), min_size=1, max_size=5))
    def test_any_text_leaves_the_others_unharmed(
        self, database: Database, texts: list[str]
    ) -> None:
        with database.open() as store, contextlib.suppress(_Undo), store.transaction():
            store.append("answer_keys", [key_row(str(i), text) for i, text in enumerate(texts)])
            rows = store.select("SELECT gold FROM answer_keys ORDER BY question_id")
            assert rows["gold"].to_list() == [readable(text) for text in texts]
            raise _Undo

    @pytest.mark.parametrize(
        ("value", "expression", "read_back"),
        [
            ({"x": "\ud800"}, "extra->>'x'", "\ufffd"),
            ({"x": "a\0b"}, "extra->>'x'", "a\0b"),
            ({"x": 12345678901234567890123}, "extra->>'x'", "12345678901234567890123"),
            ({"x": float("nan")}, "extra->>'x'", "NaN"),
            ({"reasoning": {"tokens": 7}}, "extra->'reasoning'->>'tokens'", "7"),
            ('{"x": "\\ud800", "y": "\\ud83d\\ude00"}', "extra->>'y'", "😀"),
            ('{"x": "0.50"}', "extra->>'x'", "0.50"),
            ([1, "a"], "extra->>1", "a"),
        ],
    )
    def test_json_columns(
        self, database: Database, value: object, expression: str, read_back: str
    ) -> None:
        with database.open() as store:
            store.append("calls", reply("c", extra=value)["calls"] + reply("d")["calls"])
            rows = store.select(f"SELECT {expression} FROM calls ORDER BY call_id")
        assert rows.rows() == [(read_back,), (None,)]

    def test_transaction_stores_all_or_nothing(self, database: Database) -> None:
        with database.open() as store, contextlib.suppress(_Undo), store.transaction():
            store.append("answer_keys", [key_row("q")])
            store.append("prompts", [{"prompt_hash": "p", "messages": []}])
            raise _Undo
        with database.open() as store:
            assert store.select("SELECT * FROM answer_keys").is_empty()
            assert store.select("SELECT * FROM prompts").is_empty()


class _Undo(Exception):
    """Ends a transaction."""


class TestNoDatabase:
    """What is no database that can be used: one line, and nothing is changed."""

    def test_other_files(self, tmp_path: Path) -> None:
        for name, content in {
            "text": b"hello",
            "empty": b"",
            "sqlite": b"SQLite format 3\0" * 90,
        }.items():
            path = tmp_path / name
            path.write_bytes(content)
            self._is_refused(path, "not a DuckDB database")
            assert path.read_bytes() == content

    def test_damaged_database(self, template: Path, tmp_path: Path) -> None:
        content = template.read_bytes()
        path = tmp_path / "damaged.duckdb"
        path.write_bytes(content[:20] + bytes(len(content) - 20))
        with pytest.raises(BadInput), Database(path).open():
            pass
        path.write_bytes(content[:5000])
        with pytest.raises(BadInput), Database(path).open():
            pass

    def test_folder(self, tmp_path: Path) -> None:
        (tmp_path / "folder").mkdir()
        self._is_refused(tmp_path / "folder", "Is a directory")

    def test_folder_that_is_not_there(self, tmp_path: Path) -> None:
        self._is_refused(tmp_path / "none" / "x.duckdb", "folder must exist")

    def test_folder_that_is_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("x")
        self._is_refused(tmp_path / "file" / "x.duckdb", "Not a directory")

    def test_folder_without_permission(self, tmp_path: Path) -> None:
        folder = tmp_path / "folder"
        folder.mkdir()
        with _without_rights(tmp_path, folder):
            self._is_refused(folder / "x.duckdb", "Permission denied")

    def test_file_without_permission(self, template: Path, tmp_path: Path) -> None:
        path = Path(shutil.copy(template, tmp_path / "test.duckdb"))
        with _without_rights(tmp_path, path):
            self._is_refused(path, "Permission denied")

    @staticmethod
    def _is_refused(path: Path, reason: str) -> None:
        before = sorted(path.parent.iterdir()) if path.parent.is_dir() else None
        with pytest.raises(BadInput, match=reason) as failure, Database(path).open():
            pass
        assert str(path) in str(failure.value)
        assert "\n" not in str(failure.value)
        assert before is None or sorted(path.parent.iterdir()) == before


@contextlib.contextmanager
def _without_rights(top: Path, path: Path) -> Iterator[None]:
    """Take all rights to a path from this process, also where it runs as root."""
    path.chmod(0o500 if path.is_dir() else 0)
    user = os.geteuid()
    if user == 0:
        opened = [folder for folder in (top, *top.parents) if not folder.stat().st_mode & 0o005]
        modes = {folder: folder.stat().st_mode for folder in opened}
        for folder in opened:
            folder.chmod(0o755)
        path.chmod(0o555 if path.is_dir() else 0)
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if user == 0:
            os.seteuid(user)
            for folder, mode in modes.items():
                folder.chmod(mode)
        path.chmod(0o700)


def test_database_is_born_whole(tmp_path: Path) -> None:
    """What a process that died at its creation left is no obstacle."""
    (tmp_path / "x.duckdb.tmp").write_bytes(b"half a header")
    with Database(tmp_path / "x.duckdb").open() as store:
        assert store.select("SELECT * FROM runs").is_empty()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.duckdb", "x.duckdb.lock"]


def test_path_with_odd_characters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("it's", "quack:x", ":memory:", "a b", "ü.duckdb"):
        database = Database(Path(name))
        with database.open() as store:
            store.append("answer_keys", [key_row("q")])
        with database.read() as store:
            assert store.select("SELECT gold FROM answer_keys").item() == "A"
        assert (tmp_path / name).is_file()


def test_killed_while_it_is_created(tmp_path: Path) -> None:
    database = Database(tmp_path / "x.duckdb")
    for number in range(4):
        output = tmp_path / "out"
        with output.open("wb") as file:
            command = [sys.executable, writing_process.__file__, str(database.path), "w", "merge"]
            process = subprocess.Popen(command, stdout=file)
        while process.poll() is None and not output.stat().st_size:
            time.sleep(0.002)
        time.sleep(number * 0.03)
        process.kill()
        process.wait()
        with database.open() as store:
            assert store.select("SELECT count(*) FROM runs").item() == 0
        database.path.unlink()
