"""Table `extracts`, `scoring_choices`: what is read in each reply.

In: replies of current sittings without an extract by the cell's extractor. Out: one extract each.
Idempotent; a new version of the extractor reads stored text again, without a call.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from prefect import task
from prefect.cache_policies import NO_CACHE

from tasks.core.calls.text_storage import from_stored
from tasks.core.extraction import EXTRACTOR, extract
from tasks.core.questions.stored_rows import question_of
from tasks.core.types import CompletionStatus, Extract, Question, Tolerance
from tasks.io.database import Database, in_database_thread
from tasks.io.store import Store

REPLIES_PER_BATCH = 5_000


@task(cache_policy=NO_CACHE, task_run_name="extract {benchmark}")
async def extract_answers(database: Database, benchmark: str, epoch: str) -> int:
    """Read every reply of a benchmark in an epoch that was not read yet; returns how many."""
    return await in_database_thread(read_replies, database, benchmark, epoch)


def read_replies(database: Database, benchmark: str, epoch: str) -> int:
    """As `extract_answers`, for commands that need no flow. Replies are read in batches, so that
    memory does not grow with their number."""
    n_read = 0
    while True:
        with database.open() as store:
            pending = store.query(
                "pending_extracts",
                benchmark=benchmark,
                epoch=epoch,
                extractor=EXTRACTOR,
                limit=REPLIES_PER_BATCH,
            )
            if pending.is_empty():
                return n_read
            rows = store.query("questions_of_benchmark", benchmark=benchmark)
        questions = {row["question_hash"]: question_of(row) for row in rows.iter_rows(named=True)}
        extracts = _read_all(pending.iter_rows(named=True), questions)
        with database.open() as store, store.transaction():
            store.append("extracts", extracts)
        n_read += len(extracts)
        if pending.height < REPLIES_PER_BATCH:
            return n_read


def choose_scoring(
    store: Store,
    cell: Mapping[str, str],
    run_id: str,
    *,
    extractor: str = EXTRACTOR,
    tolerance: Tolerance | None = None,
) -> None:
    """Record which extractor and tolerance a cell's scores use.

    `cell` has benchmark, model, mode, epoch. `tolerance` None keeps the cell's own, or decimal.
    Stores nothing where that is the choice already.
    """
    current = store.query("scoring_choice", **cell)
    before = current.row(0, named=True) if current.height else None
    wanted = tolerance or (Tolerance(before["tolerance"]) if before else Tolerance.DECIMAL)
    if before == {"extractor": extractor, "tolerance": wanted.value}:
        return
    row = {
        **cell,
        "extractor": extractor,
        "tolerance": wanted.value,
        "run_id": run_id,
        "recorded_at": datetime.now(UTC),
    }
    store.append("scoring_choices", [row])


def extract_row(
    reply: Mapping[str, Any], found: Extract, extractor: str, recorded_at: datetime
) -> dict[str, Any]:
    """A row of `extracts`. `reply` has call_id, sample_index, question_hash."""
    return {
        "call_id": reply["call_id"],
        "sample_index": reply["sample_index"],
        "question_hash": reply["question_hash"],
        "extractor": extractor,
        "answer": found.answer,
        "status": found.status.value,
        "rule": found.rule,
        "span_start": found.span_start,
        "span_end": found.span_end,
        "candidates": [candidate._asdict() for candidate in found.candidates],
        "recorded_at": recorded_at,
    }


def _read_all(replies: Any, questions: Mapping[str, Question]) -> Sequence[Mapping[str, Any]]:
    @lru_cache(maxsize=4096)
    def read(text: str, question_hash: str, truncated: bool) -> Extract:
        return extract(text, questions[question_hash], truncated=truncated)

    now = datetime.now(UTC)
    return [
        extract_row(
            reply,
            read(
                from_stored(reply["text"], reply["text_bytes"]),
                reply["question_hash"],
                reply["completion_status"] == CompletionStatus.TRUNCATED.value,
            ),
            EXTRACTOR,
            now,
        )
        for reply in replies
    ]
