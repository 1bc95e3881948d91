"""Replies are safe once they have arrived: an append-only journal beside the database.

Each process writes its own segments, `<db>.journal/<host>-<pid>-<time>-<n>.jsonl`, one JSON line
for each reply, as it arrives. A line maps table names to rows. Now and then a segment is closed and its
rows merged into DuckDB in one transaction; then the segment is deleted. Merging twice is harmless:
rows are appended by primary key.

A writer holds an advisory lock on its segment, which the system drops when the process dies,
however it dies. `merge_orphans` picks such segments up. A torn last line (the process died while
writing it) is set aside in `<segment>.torn` with a notice: that reply had not been reported saved.
"""

import fcntl
import json
import logging
import os
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from tasks.io.database import Database, Store

Rows = Mapping[str, Sequence[Mapping[str, Any]]]

logger = logging.getLogger(__name__)


class Journal:
    """This process's journal for one database. `record` from one thread, `merge` from any."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._number = 0
        self._segment: _Segment | None = None
        self._closed: list[_Segment] = []
        self._lock = threading.Lock()

    def record(self, rows: Rows) -> None:
        """Write the rows of one reply to the journal. When this returns, `kill -9` does not lose
        them. Row values are JSON values, bytes or aware datetimes."""
        line = json.dumps(rows, default=_encode) + "\n"
        with self._lock:
            if self._segment is None:
                self._segment = self._new_segment()
            self._segment.write(line.encode(), rows)

    def merge(self) -> int:
        """Move what was recorded so far into the database; returns the number of replies. Where the
        database cannot be opened now, everything stays for the next time."""
        with self._lock:
            if self._segment is not None:
                self._closed.append(self._segment)
                self._segment = None
            segments = tuple(self._closed)
        replies = [rows for segment in segments for rows in segment.rows]
        if not replies:
            return 0
        with self._database.open() as store:
            _append_all(store, replies)
        for segment in segments:
            segment.remove()
            self._closed.remove(segment)
        return len(replies)

    def _new_segment(self) -> "_Segment":
        folder = self._database.journal_folder
        folder.mkdir(exist_ok=True)
        self._number += 1
        name = f"{socket.gethostname()}-{os.getpid()}-{time.time_ns()}-{self._number}.jsonl"
        return _Segment(folder / name)


def merge_orphans(database: Database) -> int:
    """Merge the segments of processes that died. Returns the number of replies found in them."""
    n_found = 0
    for path in sorted(database.journal_folder.glob("*.jsonl")):
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        try:
            if _is_held(descriptor) or not path.exists():
                continue
            rows = _read_segment(path)
            with database.open() as store:
                _append_all(store, rows)
            path.unlink()
            n_found += len(rows)
        finally:
            os.close(descriptor)
    if n_found:
        logger.info("took over %d replies from the journal of a process that died", n_found)
    return n_found


class _Segment:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: list[Rows] = []
        self._descriptor = os.open(
            path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644
        )
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)

    def write(self, line: bytes, rows: Rows) -> None:
        written = 0
        while written < len(line):
            written += os.write(self._descriptor, line[written:])
        self.rows.append(rows)

    def remove(self) -> None:
        self.path.unlink()
        os.close(self._descriptor)


def _is_held(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def _read_segment(path: Path) -> list[Rows]:
    rows: list[Rows] = []
    for line in path.read_bytes().splitlines(keepends=True):
        if not line.endswith(b"\n"):
            torn = path.with_suffix(".torn")
            torn.write_bytes(line)
            logger.warning("a reply cut off by the death of its process is set aside in %s", torn)
            break
        rows.append(json.loads(line, object_hook=_decode))
    return rows


def _append_all(store: Store, replies: Sequence[Rows]) -> None:
    by_table: dict[str, list[Mapping[str, Any]]] = {}
    for reply in replies:
        for table, rows in reply.items():
            by_table.setdefault(table, []).extend(rows)
    with store.transaction():
        for table, rows in by_table.items():
            store.append(table, rows)


def _encode(value: Any) -> Any:
    if isinstance(value, datetime):
        return {"$at": value.isoformat()}
    if isinstance(value, bytes):
        return {"$hex": value.hex()}
    raise TypeError(f"{type(value).__name__} cannot be journaled")


def _decode(value: dict[str, Any]) -> Any:
    if value.keys() == {"$at"}:
        return datetime.fromisoformat(value["$at"])
    if value.keys() == {"$hex"}:
        return bytes.fromhex(value["$hex"])
    return value
