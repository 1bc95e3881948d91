"""Table `run_starts`, `run_ends`: every command that changes the database is a run.

A run is one command of one model in one mode (or one import). Its start is stored before it does
anything, its end when it is over; a run whose process died without an end is closed as `crashed` by
the next run that starts on the same host.
"""

import asyncio
import contextlib
import os
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from tasks.core.errors import StoppedEarly
from tasks.io.database import Database
from tasks.io.journal import merge_orphans
from tasks.io.provenance import git_commit, host, is_alive, versions
from tasks.io.store import Store

RunState = Literal["completed", "failed", "stopped", "crashed"]


@dataclass(frozen=True, slots=True)
class Run:
    """What a run is about. `settings` must hold no secret: they are stored and shown."""

    run_id: str
    command: str
    settings: Mapping[str, Any]
    benchmark: str | None = None
    model: str | None = None
    mode: str | None = None
    epoch: str = ""
    seed: int | None = None
    flow_run_id: str | None = None


def new_run(command: str, settings: Mapping[str, Any], **about: Any) -> Run:
    """A run with an id that sorts by time: `20261130T012300-1a2b3c4d`."""
    stamp = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{uuid.uuid4().hex[:8]}"
    return Run(run_id=stamp, command=command, settings=dict(settings), **about)


def start(store: Store, run: Run) -> None:
    """Store the start of a run, and close the runs of dead processes of this host."""
    _end_crashed(store)
    hashes = store.query("benchmark_hash", benchmark=run.benchmark)
    row = {
        "run_id": run.run_id,
        "command": run.command,
        "benchmark": run.benchmark,
        "benchmark_hash": hashes.item() if hashes.height else None,
        "model": run.model,
        "mode": run.mode,
        "epoch": run.epoch,
        "settings": dict(run.settings),
        "versions": versions(),
        "git_commit": git_commit(),
        "seed": run.seed,
        "host": host(),
        "process_id": os.getpid(),
        "flow_run_id": run.flow_run_id,
        "started_at": datetime.now(UTC),
    }
    store.append("run_starts", [row])


def end(store: Store, run: Run, state: RunState, message: str | None = None) -> None:
    """Store the end of a run. Only the first end of a run counts."""
    store.append("run_ends", [_end_row(run.run_id, state, message)])


@contextlib.contextmanager
def importing(database: Database, run: Run) -> Iterator[Store]:
    """One burst and one transaction for an import: all of it is stored, or nothing."""
    with database.open() as store, store.transaction():
        start(store, run)
        yield store
        end(store, run, "completed")


def state_of(error: BaseException) -> RunState:
    """How a run that ended with this error is recorded: stopped where it can be resumed."""
    interrupts = StoppedEarly | KeyboardInterrupt | asyncio.CancelledError
    return "stopped" if isinstance(error, interrupts) else "failed"


def take_over_dead_journals(database: Database) -> int:
    """Merge replies that processes which died had received. Returns how many there were."""
    return merge_orphans(database)


def _end_crashed(store: Store) -> None:
    running = store.query("running_runs", host=host())
    dead = [run_id for run_id, *process in running.iter_rows() if not is_alive(*process)]
    store.append("run_ends", [_end_row(run_id, "crashed", "its process died") for run_id in dead])


def _end_row(run_id: str, state: RunState, message: str | None) -> dict[str, Any]:
    return {
        "run_id": run_id,
        "state": state,
        "message": message,
        "finished_at": datetime.now(UTC),
    }
