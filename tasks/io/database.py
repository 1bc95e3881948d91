"""The one place that opens DuckDB. Rules (several processes, one file):

- A writer holds the file in short bursts: `with database.open() as store:`. Writers wait for each
  other through `<db>.lock`, a bounded time, and name the holder when they give up. Opening brings
  the schema up to date. Do not nest bursts, and do no slow work inside one.
- Readers never touch the file: `with database.read() as store:` opens the published snapshot
  `<db>.snapshot.duckdb`, which is replaced as a whole, so a reader keeps the one it opened.
- Appending is idempotent: a row whose key is there already is left out.
- Writers and readers on several machines need a server; that is not this class.
"""

import asyncio
import contextlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeVar

import duckdb

from tasks.core.errors import BadInput, DatabaseBusy
from tasks.io.file_lock import FileLock
from tasks.io.schema import bring_up_to_date, is_up_to_date
from tasks.io.sql_files import attach_sql, query
from tasks.io.store import Store

CATALOG = "proctor"
P = ParamSpec("P")
T = TypeVar("T")

PUBLISH_EVERY_S = 5.0
PUBLISH_SHARE = 0.05
COPY_CHUNK_BYTES = 1 << 20
_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="database")
_MAGIC = slice(8, 12), b"DUCK"


async def in_database_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do work with the database from an event loop without stopping it.

    One thread for all of it: bursts of one process queue here instead of polling for each other's
    lock, and DuckDB's memory stays in one arena of the allocator.
    """
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_thread, partial(work, *args, **kwargs))


class Database:
    """One database file. `path` need not exist yet; its folder must.

    `wait_s`: how long to wait for another writer, seconds.
    """

    def __init__(self, path: Path, *, wait_s: float = 60.0) -> None:
        self.path = path.absolute()
        self._wait_s = wait_s
        self._last_publish = float("-inf")
        self._publish_cost_s = 0.0

    @property
    def is_there(self) -> bool:
        """Whether the file is there and its folder can be looked into."""
        return os.path.exists(self.path)

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
        """Open the published snapshot read-only. Publishes one first where there is none, or where
        it cannot be read, or another version of Proctor made it."""
        with contextlib.closing(self._connect_to_snapshot()) as connection:
            connection.execute(f"USE {CATALOG}")
            connection.execute("SET TimeZone = 'UTC'")
            connection.execute("SET enable_external_access = false")
            connection.execute("SET lock_configuration = true")
            yield Store(connection)

    def snapshot_age_s(self) -> float:
        """Seconds since the snapshot was published."""
        return time.time() - self.snapshot_path.stat().st_mtime

    def publish(self) -> None:
        """Replace the snapshot by a copy of the file as it is now."""
        with self.publishing():
            pass

    @contextlib.contextmanager
    def publishing(self) -> Iterator[Store]:
        """As `open`; when the block is left, the snapshot is replaced by a copy of the file.

        A checkpoint puts everything into the file itself, and no other process can write to it
        while our connection holds it, so its bytes are a whole database: fifteen times faster than
        copying table by table. Our own second descriptor must outlive the connection, because
        closing any descriptor of a file drops the process's lock on it.
        """
        with self._locked():
            self._remove_abandoned()
            closed_last = contextlib.ExitStack()
            with closed_last, contextlib.closing(self._connect()) as connection:
                yield Store(connection)
                began = time.monotonic()
                connection.execute(query("checkpoint"))
                file = closed_last.enter_context(self.path.open("rb"))
                with self._unpublished.open("wb") as copy:
                    shutil.copyfileobj(file, copy, COPY_CHUNK_BYTES)
            _move_into_place(self._unpublished, self.snapshot_path)
            self._publish_cost_s = time.monotonic() - began
        self._last_publish = time.monotonic()

    def publish_if_due(self) -> None:
        """Publish when the snapshot is old: every few seconds, less often as copying gets slower,
        so that it stays under `PUBLISH_SHARE` of the time. Another process may have done it."""
        interval = max(PUBLISH_EVERY_S, self._publish_cost_s / PUBLISH_SHARE)
        if time.monotonic() - self._last_publish < interval:
            return
        if self.snapshot_path.exists() and 0 <= self.snapshot_age_s() < interval:
            return
        self.publish()

    @property
    def _unpublished(self) -> Path:
        return self.snapshot_path.with_name(f"{self.snapshot_path.name}.tmp")

    @property
    def _unborn(self) -> Path:
        return self.path.with_name(f"{self.path.name}.tmp")

    def _remove_abandoned(self) -> None:
        """What a process that died while it wrote left behind; and the log of an outside tool that
        opened the snapshot for writing, which would be read as the new snapshot's."""
        for path in (self._unpublished, self._unborn):
            path.unlink(missing_ok=True)
            _log_of(path).unlink(missing_ok=True)
        _log_of(self.snapshot_path).unlink(missing_ok=True)

    def _connect_to_snapshot(self) -> duckdb.DuckDBPyConnection:
        if not self.is_there and not os.path.exists(self.snapshot_path):
            raise BadInput(
                f"{self.path}: no such database; a command that writes (proctor demo, "
                "proctor import …) makes it, or name another with --db or PROCTOR_DB"
            )
        if self.is_there and not self._is_snapshot_usable():
            self.publish()
        connection = duckdb.connect(":memory:")
        try:
            connection.execute(attach_sql(self.snapshot_path, CATALOG, read_only=True))
        except duckdb.Error as error:
            connection.close()
            raise BadInput(f"{self.snapshot_path}: {' '.join(str(error).split())}") from None
        return connection

    def _is_snapshot_usable(self) -> bool:
        with contextlib.closing(duckdb.connect(":memory:")) as connection:
            try:
                connection.execute(attach_sql(self.snapshot_path, CATALOG, read_only=True))
                connection.execute(f"USE {CATALOG}")
                return is_up_to_date(connection)
            except duckdb.Error:
                return False

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        lock_path = self.path.with_name(self.path.name + ".lock")
        if not os.path.exists(lock_path):
            _check_is_duckdb(self.path)
        deadline = time.monotonic() + self._wait_s
        with contextlib.closing(_open_lock(lock_path)) as lock:
            while not lock.take(_self_description()):
                if time.monotonic() > deadline:
                    raise DatabaseBusy(
                        f"{self.path} is in use by {lock.note() or 'another process'}; "
                        f"waited {self._wait_s:.0f} s"
                    )
                time.sleep(0.01)
            yield

    def _connect(self) -> duckdb.DuckDBPyConnection:
        if not self.path.exists():
            self._remove_abandoned()
            self._attached(self._unborn).close()
            _move_into_place(self._unborn, self.path)
        connection = self._attached(self.path)
        # What was committed is in the log; publishing folds it into the file, not every burst.
        connection.execute("PRAGMA disable_checkpoint_on_shutdown")
        return connection

    def _attached(self, path: Path) -> duckdb.DuckDBPyConnection:
        connection = duckdb.connect(":memory:")
        try:
            self._attach(connection, path)
            connection.execute(f"USE {CATALOG}")
            connection.execute("SET TimeZone = 'UTC'")
            bring_up_to_date(connection, path)
        except BaseException:
            connection.close()
            raise
        return connection

    def _attach(self, connection: duckdb.DuckDBPyConnection, path: Path) -> None:
        deadline = time.monotonic() + self._wait_s
        while True:
            try:
                connection.execute(attach_sql(path, CATALOG))
                return
            except duckdb.IOException as error:
                text = " ".join(str(error).split())
                if "Conflicting lock" not in text:
                    raise BadInput(f"{path}: {text}") from None
                if time.monotonic() > deadline:
                    raise DatabaseBusy(
                        f"{self.path} is held by another program: {text}; "
                        f"waited {self._wait_s:.0f} s"
                    ) from None
                time.sleep(0.05)
            except duckdb.Error as error:
                raise BadInput(f"{path}: {' '.join(str(error).split())}") from None


def _check_is_duckdb(path: Path) -> None:
    """Refuse another kind of file before anything is written beside it. Not for a file in use: to
    close a second descriptor of it would drop the lock that DuckDB holds in this process."""
    try:
        with path.open("rb") as file:
            where, magic = _MAGIC
            if file.read(where.stop)[where] != magic:
                raise BadInput(f"{path}: not a DuckDB database; name another file with --db")
    except FileNotFoundError:
        return
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}; name another file with --db") from None


def _open_lock(path: Path) -> FileLock:
    try:
        return FileLock(path)
    except OSError as error:
        raise BadInput(
            f"{path}: {error.strerror}; the database's folder must exist and be writable"
        ) from None


def _move_into_place(source: Path, target: Path) -> None:
    descriptor = os.open(source, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    os.replace(source, target)


def _log_of(path: Path) -> Path:
    return path.with_name(path.name + ".wal")


def _self_description() -> str:
    command = " ".join(Path(part).name if i == 0 else part for i, part in enumerate(sys.argv[:3]))
    return f"process {os.getpid()} ({command[:120]}) since {datetime.now(UTC):%H:%M:%S} UTC\n"
