"""Replies are safe once they have arrived: an append-only journal beside the database.

Each process writes its own segments, `<db>.journal/<host>-<pid>-<time>-<n>.jsonl`, one JSON line
for each reply, as it arrives. A line maps table names to rows. Now and then a segment is closed and
its rows merged into DuckDB in one transaction; then the segment is deleted. Merging twice is
harmless: rows are appended by primary key.

A writer holds an advisory lock on its segment, which the system drops when the process dies,
however it dies. `merge_orphans` picks such segments up. A line that is cut off (the process died
while writing it: that reply had not been reported saved) is set aside in `<segment>.torn` with a
notice. A reply that does not fit the tables never keeps the others from being stored: it is set
aside in `<segment>.rejected` with a notice; renamed to `.jsonl`, it is tried again.

In a line, times are ISO texts and bytes are hex texts; `Store.append` knows which columns they are.
A line is UTF-8; lone surrogates are passed through.
"""

import fcntl
import itertools
import json
import logging
import os
import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from tasks.core.calls.exact_values import Rows, with_exact_values
from tasks.core.errors import ProctorError
from tasks.io.database import Database
from tasks.io.store import UNFIT, Store

_LONGEST_REASON = 300

logger = logging.getLogger(__name__)


class Journal:
    """This process's journal for one database. `record` from one thread, `merge` from any."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._number = 0
        self._segment: _Segment | None = None
        self._closed: list[_Segment] = []
        self._lock = threading.Lock()
        self._merging = threading.Lock()

    def record(self, rows: Rows) -> None:
        """Write the rows of one reply to the journal. When this returns, `kill -9` does not lose
        them. Row values are JSON values (numbers are finite), bytes or aware datetimes. Where the
        line cannot be written (disk full) OSError is raised and what was recorded before stays
        whole."""
        line, rows = _line(rows)
        with self._lock:
            if self._segment is None:
                self._segment = self._new_segment()
            self._segment.write(line, rows)

    def merge(self) -> int:
        """Move what was recorded so far into the database; returns how many replies were stored.
        Where the database cannot be opened or written now, everything stays for the next time."""
        with self._merging:
            with self._lock:
                if self._segment is not None:
                    self._closed.append(self._segment)
                    self._segment = None
                segments = tuple(self._closed)
            replies = [
                _Recorded(segment.path, rows) for segment in segments for rows in segment.rows
            ]
            if not replies:
                return 0
            with self._database.open() as store:
                rejected = list(_merge(store, replies))
            _set_aside(rejected)
            for segment in segments:
                segment.remove()
                self._closed.remove(segment)
            return len(replies) - len(rejected)

    def _new_segment(self) -> "_Segment":
        folder = self._database.journal_folder
        folder.mkdir(exist_ok=True)
        self._number += 1
        name = f"{socket.gethostname()}-{os.getpid()}-{time.time_ns()}-{self._number}.jsonl"
        return _Segment(folder / name)


def merge_orphans(database: Database) -> int:
    """Merge the segments of processes that died. Returns how many replies of them were stored.

    One that cannot be merged now (a full disk, say) stays where it is, with a notice.
    """
    n_found = 0
    for path in sorted(database.journal_folder.glob("*.jsonl")):
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        try:
            if not _take(descriptor) or not _is_at(descriptor, path):
                continue
            n_found += _merge_file(database, path)
        finally:
            os.close(descriptor)
    if n_found:
        logger.info("took over %d replies from the journal of a process that died", n_found)
    return n_found


class _Segment:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: list[Rows] = []
        self._length = 0
        self._descriptor = _open_locked(path)

    def write(self, line: bytes, rows: Rows) -> None:
        try:
            written = 0
            while written < len(line):
                written += os.write(self._descriptor, line[written:])
        except OSError:
            os.ftruncate(self._descriptor, self._length)
            raise
        self._length += len(line)
        self.rows.append(rows)

    def remove(self) -> None:
        self.path.unlink()
        os.close(self._descriptor)


def _open_locked(path: Path) -> int:
    """A new file, locked. Before the lock is there, another process may take the file for an
    abandoned one and delete it: then once more."""
    while True:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        if _is_at(descriptor, path):
            return descriptor
        os.close(descriptor)


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _take(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _merge_file(database: Database, path: Path) -> int:
    replies, torn = _read_segment(path)
    try:
        with database.open() as store:
            rejected = list(_merge(store, replies))
    except ProctorError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, the file is kept and named
        logger.warning(
            "%d replies in %s cannot be taken over: %s", len(replies), path, _one_line(error)
        )
        return 0
    _set_aside(rejected)
    if torn:
        aside = path.with_suffix(".torn")
        aside.write_bytes(torn)
        logger.warning("a reply cut off by the death of its process is set aside in %s", aside)
    path.unlink()
    return len(replies) - len(rejected)


class _Recorded(NamedTuple):
    """A reply and the segment that it is written in."""

    path: Path
    rows: Rows


class _Rejected(NamedTuple):
    """A reply that does not fit the tables, and why."""

    reply: _Recorded
    reason: str


def _read_segment(path: Path) -> tuple[list[_Recorded], bytes]:
    """The replies of a file, and the lines that are no whole reply."""
    replies: list[_Recorded] = []
    torn = b""
    for line in path.read_bytes().splitlines(keepends=True):
        try:
            replies.append(_Recorded(path, json.loads(line)))
        except (ValueError, RecursionError):
            torn += line
    return replies, torn


def _merge(store: Store, replies: Sequence[_Recorded]) -> Iterator[_Rejected]:
    """Store the replies and yield those that do not fit: together where all of them do, else each
    half by itself. What has another cause is raised."""
    try:
        _append_all(store, [reply.rows for reply in replies])
        return
    except UNFIT as error:
        reason = _one_line(error)
    if len(replies) == 1:
        yield _Rejected(replies[0], reason)
        return
    middle = len(replies) // 2
    yield from _merge(store, replies[:middle])
    yield from _merge(store, replies[middle:])


def _set_aside(rejected: Sequence[_Rejected]) -> None:
    by_segment = itertools.groupby(rejected, key=lambda each: each.reply.path)
    for path, of_segment in by_segment:
        each = list(of_segment)
        aside = path.with_suffix(".rejected")
        aside.write_bytes(b"".join(_odd_line(rejected.reply.rows) for rejected in each))
        logger.warning(
            "%d replies do not fit the database and are set aside in %s: %s",
            len(each),
            aside,
            "; ".join(dict.fromkeys(rejected.reason for rejected in each))[:_LONGEST_REASON],
        )


def _one_line(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:_LONGEST_REASON]


def _append_all(store: Store, replies: Sequence[Rows]) -> None:
    by_table: dict[str, list[Mapping[str, Any]]] = {}
    for reply in replies:
        for table, rows in reply.items():
            by_table.setdefault(table, []).extend(rows)
    with store.transaction():
        for table, rows in by_table.items():
            store.append(table, rows)


def _line(rows: Rows) -> tuple[bytes, Rows]:
    """One line of JSON, and the rows in it. What orjson refuses goes the slow way: huge integers,
    and lone surrogates, which get rows of their own."""
    try:
        return orjson.dumps(rows, default=_plain, option=orjson.OPT_APPEND_NEWLINE), rows
    except TypeError:
        rows = with_exact_values(rows)
        return _odd_line(rows), rows


def _odd_line(rows: Rows) -> bytes:
    text = json.dumps(rows, default=_plain, ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass") + b"\n"


def _plain(value: Any) -> Any:
    match value:
        case datetime():
            return value.isoformat()
        case bytes():
            return value.hex()
        case _:
            raise TypeError(f"{type(value).__name__} cannot be journaled")
