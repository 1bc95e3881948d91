"""A process that writes to a database until it is killed: the other side of the tests for that.

    python writing_process.py DATABASE NAME STAGE [N_REPLIES]

Each reply's id is printed once `record` has reported it saved. STAGE is where it spends its time:
`journal` (merges now and then), `merge` (after each reply) or `publish` (after each reply).
`hold` takes the database, says so, and keeps it until its standard input is closed.
"""

import itertools
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tasks.io.database import Database
from tasks.io.journal import Journal

MERGE_EVERY = {"journal": 200, "merge": 1, "publish": 1}


def reply(call_id: str, text: str = "ANSWER: A", **changes: Any) -> dict[str, list[dict[str, Any]]]:
    """The rows of one reply with one sample. `changes` go into the row of `calls`."""
    now = datetime.now(UTC)
    call = {
        "call_id": call_id,
        "run_id": "r",
        "purpose": "sample",
        "endpoint": "e",
        "model": "m",
        "request_hash": f"hash of {call_id}",
        "n_requested": 1,
        "n_returned": 1,
        "status": "ok",
        "http_status": 200,
        "error_code": None,
        "error": None,
        "n_attempts": 1,
        "input_tokens": 10,
        "cached_input_tokens": None,
        "output_tokens": 5,
        "reasoning_tokens": None,
        "cost_usd": 0.5,
        "served_model": None,
        "response_id": None,
        "extra": {},
        "started_at": now,
        "duration_s": 0.1,
    }
    completion = {
        "request_hash": f"hash of {call_id}",
        "epoch": "",
        "sample_index": 0,
        "call_id": call_id,
        "status": "ok",
        "finish_reason": "stop",
        "text": text,
        "text_bytes": None,
        "reasoning": None,
        "tool_calls": [],
        "received_at": now,
    }
    return {"calls": [call | changes], "completions": [completion]}


def write(database: Database, name: str, stage: str, n_replies: int | None) -> None:
    """Record replies, print their ids, merge and publish as the stage says."""
    journal = Journal(database)
    numbers = itertools.count() if n_replies is None else range(n_replies)
    for number in numbers:
        call_id = f"{name}-{number}"
        journal.record(reply(call_id))
        os.write(sys.stdout.fileno(), f"{call_id}\n".encode())
        if (number + 1) % MERGE_EVERY[stage] == 0:
            journal.merge()
            if stage == "publish":
                database.publish()
    journal.merge()


def hold(database: Database) -> None:
    """Take the database for writing until standard input is closed."""
    with database.open():
        os.write(sys.stdout.fileno(), b"held\n")
        sys.stdin.read()


if __name__ == "__main__":
    path, name, stage, *rest = sys.argv[1:]
    if stage == "hold":
        hold(Database(Path(path)))
    else:
        write(Database(Path(path)), name, stage, int(rest[0]) if rest else None)
