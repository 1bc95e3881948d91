"""The one place that opens DuckDB. Rules (several processes, one file):

- A writer holds the file in short bursts: `with database.open() as store:`. Writers wait for each
  other through `<db>.lock`, a bounded time, and name the holder when they give up. Opening brings
  the schema up to date. Do not nest bursts, and do no slow work inside one.
- Readers never touch the file: `with database.read() as store:` opens the published snapshot
  `<db>.snapshot.duckdb`, which is replaced as a whole, so a reader keeps the one it opened.
- Appending is idempotent: a row whose key is there already is left out.
- Writers and readers on several machines need a server; that is not this class.
"""

import contextlib
import fcntl
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from tasks.core.errors import BadInput, DatabaseBusy
from tasks.core.text_storage import readable
from tasks.io.schema import PolarsType, bring_up_to_date, polars_schema
from tasks.io.sql_files import attach_sql, query, sql_files

CATALOG = "proctor"
PUBLISH_EVERY_S = 5.0
PUBLISH_SHARE = 0.05


class Store:
    """An open database. Statements come from `sql/queries` by name; parameters are bound."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def query(self, name: str, **parameters: Any) -> pl.DataFrame:
        """Rows of `sql/queries/<name>.sql`. A missing or surplus parameter raises."""
        return self._connection.sql(query(name), params=parameters or None).pl()

    def execute(self, name: str, **parameters: Any) -> None:
        """Run a statement of `sql/queries` that returns nothing of interest."""
        self._connection.execute(query(name), parameters or None)

    def query_with(self, name: str, batch: pl.DataFrame, **parameters: Any) -> pl.DataFrame:
        """As `query`, with a frame that the statement reads under the name `batch`."""
        self._connection.register("batch", batch)
        try:
            return self.query(name, **parameters)
        finally:
            self._connection.unregister("batch")

    def append(self, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Append rows to a table; one whose primary key is there already is left out.

        Values are Python's: datetimes aware, JSON columns as dicts, lists or JSON text. Every
        row has every column of the table; a missing one raises. Lone surrogates become U+FFFD
        (`core.text_storage` keeps them where they matter).
        """
        if not rows:
            return
        schema = polars_schema(self._connection, table)
        if surplus := set(rows[0]) - set(schema):
            raise KeyError(f"{table} has no column {sorted(surplus)}")
        batch = pl.DataFrame(
            [_series(name, kind, [row[name] for row in rows]) for name, kind in schema.items()]
        )
        self._connection.register("batch", batch)
        try:
            self._connection.execute(query(f"append_{table}"))
        finally:
            self._connection.unregister("batch")

    def offenders(self) -> dict[str, pl.DataFrame]:
        """Check name → rows that break it, for every file of `sql/checks` that finds any."""
        found = {file.name: self._connection.sql(file.text).pl() for file in sql_files("checks")}
        return {name: rows for name, rows in found.items() if not rows.is_empty()}

    def select(self, statement: str) -> pl.DataFrame:
        """Rows of a user's own statement; for read-only stores, which cannot be changed by it."""
        try:
            relation = self._connection.sql(statement)
        except duckdb.Error as error:
            raise BadInput(" ".join(str(error).split())) from None
        if relation is None:
            raise BadInput("the statement returns no rows; give a SELECT")
        return relation.pl()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All statements inside are stored together, or none of them."""
        self._connection.execute("BEGIN")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")


class Database:
    """One database file. `path` need not exist yet; its folder must.

    `wait_s`: how long to wait for another writer, seconds.
    """

    def __init__(self, path: Path, *, wait_s: float = 60.0) -> None:
        self.path = path
        self._wait_s = wait_s
        self._last_publish = float("-inf")
        self._publish_cost_s = 0.0

    @property
    def snapshot_path(self) -> Path:
        """The published copy that readers open."""
        return self.path.with_name(self.path.name + ".snapshot.duckdb")

    @property
    def journal_folder(self) -> Path:
        """Where running processes keep replies that are not in the file yet."""
        return self.path.with_name(self.path.name + ".journal")

    @contextlib.contextmanager
    def open(self) -> Iterator[Store]:
        """Hold the file for writing. Raises DatabaseBusy naming the holder after `wait_s`."""
        with self._locked(), contextlib.closing(self._connect()) as connection:
            yield Store(connection)

    @contextlib.contextmanager
    def read(self) -> Iterator[Store]:
        """Open the published snapshot read-only. Publishes one first where there is none yet."""
        if not self.snapshot_path.exists():
            if not self.path.exists():
                raise BadInput(
                    f"{self.path}: no such database; a command that writes (proctor demo, "
                    "proctor import …) makes it, or name another with --db or PROCTOR_DB"
                )
            self.publish()
        connection = duckdb.connect(str(self.snapshot_path), read_only=True)
        with contextlib.closing(connection):
            connection.execute("SET enable_external_access = false")
            connection.execute("SET lock_configuration = true")
            yield Store(connection)

    def snapshot_age_s(self) -> float:
        """Seconds since the snapshot was published."""
        return time.time() - self.snapshot_path.stat().st_mtime

    def publish(self) -> None:
        """Replace the snapshot by a copy of the file as it is now."""
        began = time.monotonic()
        temporary = self.snapshot_path.with_name(f"{self.snapshot_path.name}.{os.getpid()}.tmp")
        temporary.unlink(missing_ok=True)
        try:
            with self._locked(), contextlib.closing(self._connect()) as connection:
                connection.execute(attach_sql(temporary, "snapshot"))
                connection.execute(query("copy_to_snapshot"))
                connection.execute("DETACH snapshot")
            os.replace(temporary, self.snapshot_path)
        finally:
            temporary.unlink(missing_ok=True)
            temporary.with_name(temporary.name + ".wal").unlink(missing_ok=True)
        self._last_publish = time.monotonic()
        self._publish_cost_s = self._last_publish - began

    def publish_if_due(self) -> None:
        """Publish when the snapshot is old: every few seconds, less often as copying gets slower,
        so that it stays under `PUBLISH_SHARE` of the time."""
        interval = max(PUBLISH_EVERY_S, self._publish_cost_s / PUBLISH_SHARE)
        if time.monotonic() - self._last_publish < interval:
            return
        if self.snapshot_path.exists() and self.snapshot_age_s() < PUBLISH_EVERY_S:
            return
        self.publish()

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        lock_path = self.path.with_name(self.path.name + ".lock")
        deadline = time.monotonic() + self._wait_s
        with _open_lock(lock_path) as lock:
            while not _try_lock(lock):
                if time.monotonic() > deadline:
                    raise DatabaseBusy(
                        f"{self.path} is in use by {_holder(lock)}; waited {self._wait_s:.0f} s"
                    )
                time.sleep(0.01)
            os.ftruncate(lock, 0)
            os.pwrite(lock, _self_description().encode(), 0)
            yield

    def _connect(self) -> duckdb.DuckDBPyConnection:
        connection = duckdb.connect(":memory:")
        try:
            self._attach(connection)
            connection.execute(f"USE {CATALOG}")
            connection.execute("SET TimeZone = 'UTC'")
            bring_up_to_date(connection, self.path)
        except BaseException:
            connection.close()
            raise
        return connection

    def _attach(self, connection: duckdb.DuckDBPyConnection) -> None:
        deadline = time.monotonic() + self._wait_s
        while True:
            try:
                connection.execute(attach_sql(self.path, CATALOG))
                return
            except duckdb.IOException as error:
                text = " ".join(str(error).split())
                if "Conflicting lock" not in text:
                    raise BadInput(_unreadable(self.path, text)) from None
                if time.monotonic() > deadline:
                    raise DatabaseBusy(
                        f"{self.path} is held by another program: {text}; "
                        f"waited {self._wait_s:.0f} s"
                    ) from None
                time.sleep(0.05)
            except duckdb.Error as error:
                raise BadInput(_unreadable(self.path, " ".join(str(error).split()))) from None


def _series(name: str, kind: PolarsType, values: list[Any]) -> pl.Series:
    if kind != pl.String:
        return pl.Series(name, values, dtype=kind)
    texts = [json.dumps(v) if isinstance(v, dict | list | tuple) else v for v in values]
    try:
        return pl.Series(name, texts, dtype=kind)
    except UnicodeEncodeError:
        return pl.Series(name, [None if t is None else readable(t) for t in texts], dtype=kind)


@contextlib.contextmanager
def _open_lock(path: Path) -> Iterator[int]:
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise BadInput(
            f"{path}: {error.strerror}; the database's folder must exist and be writable"
        ) from None
    try:
        yield lock
    finally:
        os.close(lock)


def _try_lock(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _holder(lock: int) -> str:
    return os.pread(lock, 300, 0).decode(errors="replace").strip() or "another process"


def _self_description() -> str:
    command = " ".join(Path(part).name if i == 0 else part for i, part in enumerate(sys.argv[:3]))
    return f"process {os.getpid()} ({command[:120]}) since {datetime.now(UTC):%H:%M:%S} UTC\n"


def _unreadable(path: Path, reason: str) -> str:
    return f"{path}: not a DuckDB database that can be opened ({reason})"
