"""Tables `scores`, `score_intervals`, `marking_schemes`: what answers are worth.

In: current answers (samples, or votes) that have no mark yet. Out: one mark for each distinct
(question, key, scheme, tolerance, answer), however many models gave it; and a bootstrap interval
for each mean. Idempotent: a revised key or a new scheme adds rows and asks no model.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import numpy as np
from prefect import task
from prefect.cache_policies import NO_CACHE

from tasks.core.hashing import content_hash
from tasks.core.marking import SCORER, mark
from tasks.core.questions.answer_keys import parse_key
from tasks.core.registry.entries import BenchmarkEntry, scheme_for
from tasks.core.statistics.bootstrap import mean_interval
from tasks.core.types import ExtractStatus, MarkingScheme, QuestionType, Tolerance
from tasks.io.database import Database, in_database_thread
from tasks.io.store import Store

LEVEL = 0.95
SEED = 20240611
N_RESAMPLES = 10_000


@task(cache_policy=NO_CACHE, task_run_name="score {benchmark}")
async def score_answers(database: Database, benchmark: str, epoch: str) -> int:
    """Mark every answer of a benchmark in an epoch that has no mark yet; returns how many distinct
    ones there were."""
    return await in_database_thread(mark_answers, database, benchmark, epoch)


def mark_answers(database: Database, benchmark: str, epoch: str) -> int:
    """As `score_answers`, for commands that need no flow."""
    with database.open() as store:
        pending = store.query("pending_scores", benchmark=benchmark, epoch=epoch, scorer=SCORER)
        rows = [_score_row(answer) for answer in pending.iter_rows(named=True)]
        store.append("scores", rows)
    return len(rows)


def add_intervals(store: Store, benchmark: str, epoch: str) -> None:
    """Compute the interval of every mean of a benchmark in an epoch that has none yet."""
    vectors = store.query("pending_score_intervals", benchmark=benchmark, epoch=epoch, level=LEVEL)
    store.append("score_intervals", [_interval_row(row) for row in vectors.iter_rows(named=True)])


def store_marking_schemes(store: Store, benchmark: str, entry: BenchmarkEntry) -> None:
    """Record the schemes of every exam and type that the benchmark has, where they changed."""
    exams = store.query("exams_and_types", benchmark=benchmark)
    now = datetime.now(UTC)
    rows = []
    for row in exams.iter_rows(named=True):
        scheme = scheme_for(entry, row["exam"] or None, QuestionType(row["type"]))
        columns = {
            "correct": scheme.correct,
            "wrong": scheme.wrong,
            "blank": scheme.blank,
            "partial_per_option": scheme.partial_per_option,
        }
        if content_hash(columns) != row["scheme_hash"]:
            rows.append(
                {
                    "benchmark": benchmark,
                    "exam": row["exam"],
                    "type": row["type"],
                    "scheme_hash": content_hash(columns),
                    **columns,
                    "recorded_at": now,
                }
            )
    store.append("marking_schemes", rows)


def _score_row(answer: Mapping[str, Any]) -> dict[str, Any]:
    kind = QuestionType(answer["type"])
    score = mark(
        ExtractStatus(answer["status"]),
        answer["answer"] or None,
        parse_key(answer["gold"], kind),
        kind,
        MarkingScheme(
            correct=answer["mark_correct"],
            wrong=answer["mark_wrong"],
            blank=answer["mark_blank"],
            partial_per_option=answer["mark_partial_per_option"],
        ),
        Tolerance(answer["tolerance"]),
    )
    return {
        "question_hash": answer["question_hash"],
        "key_hash": answer["key_hash"],
        "scheme_hash": answer["scheme_hash"],
        "tolerance": answer["tolerance"],
        "scorer": SCORER,
        "extract_status": answer["status"],
        "answer": answer["answer"],
        "outcome": score.outcome.value,
        "score": score.score,
        "mark": score.mark,
        "max_mark": score.max_mark,
    }


def _interval_row(vector: Mapping[str, Any]) -> dict[str, Any]:
    interval = mean_interval(
        np.asarray(vector["scores"]), level=LEVEL, n_resamples=N_RESAMPLES, seed=SEED
    )
    return {
        "benchmark": vector["benchmark"],
        "model": vector["model"],
        "mode": vector["mode"],
        "epoch": vector["epoch"],
        "scores_hash": vector["scores_hash"],
        "level": LEVEL,
        "lower": interval.lower if interval else None,
        "upper": interval.upper if interval else None,
        "n_resamples": N_RESAMPLES,
        "seed": SEED,
        "unit": "question",
    }
