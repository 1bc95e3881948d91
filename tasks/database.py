"""The database as a whole: questions in SQL, publishing, proof that it is sound, backup.

Imports no Prefect: these commands start at once.
"""

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from tasks.core.errors import BadInput, CheckFailed
from tasks.core.hashing import content_hash
from tasks.core.questions.stored_rows import question_hash, question_of
from tasks.io.database import Database
from tasks.io.journal import merge_orphans
from tasks.io.settings import read_settings
from tasks.io.store import Store


@dataclass(frozen=True, slots=True)
class Answer:
    """Rows of a user's question, and how old the snapshot is that they come from, seconds."""

    rows: pl.DataFrame
    age_s: float


@dataclass(frozen=True, slots=True)
class Verified:
    """What `verify` looked at."""

    n_checks: int
    n_prompts: int
    n_questions: int
    n_replies_taken_over: int


def open_database(path: str | None) -> Database:
    """The database that an option or the environment (PROCTOR_DB) names."""
    settings = read_settings()
    return Database(Path(path) if path else settings.database, wait_s=settings.database_wait_s)


def answer_sql(database: Database, statement: str) -> Answer:
    """Rows of a read-only statement over the published snapshot. Never waits for a writer."""
    with database.read() as store:
        return Answer(store.select(statement), database.snapshot_age_s())


def publish(database: Database) -> Path:
    """Publish a snapshot now, with what dead processes left in their journals."""
    _must_exist(database)
    merge_orphans(database)
    database.publish()
    return database.snapshot_path


def verify(database: Database) -> Verified:
    """Prove that stored data keeps its rules: every file of `sql/checks` finds nothing, and every
    content hash is the hash of its content. Raises CheckFailed naming rule and rows."""
    _must_exist(database)
    n_taken_over = merge_orphans(database)
    with database.open() as store:
        offenders = store.offenders()
        prompts = store.query("all_prompts")
        questions = store.query("all_questions")
        n_checks = store.n_checks
    for name, rows in offenders.items():
        raise CheckFailed(
            f"{database.path}: check {name} finds {rows.height} rows, the first: "
            f"{json.dumps(rows.row(0, named=True), default=str)}"
        )
    for row in prompts.iter_rows(named=True):
        if content_hash(json.loads(row["messages"])) != row["prompt_hash"]:
            raise CheckFailed(f"{database.path}: prompt {row['prompt_hash']} was changed")
    for row in questions.iter_rows(named=True):
        if question_hash(question_of(row)) != row["question_hash"]:
            raise CheckFailed(
                f"{database.path}: question {row['question_id']!r} of {row['benchmark']!r} "
                "was changed after it was stored"
            )
    return Verified(n_checks, prompts.height, questions.height, n_taken_over)


def backup(database: Database, target: Path) -> Path:
    """Write a whole copy of the database to a new file. Raises BadInput where `target` exists."""
    _must_exist(database)
    if target.exists():
        raise BadInput(f"{target} exists; a backup never overwrites, name a new file")
    if not target.parent.is_dir():
        raise BadInput(f"{target.parent}: no such folder; make it first")
    publish(database)
    temporary = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    try:
        shutil.copyfile(database.snapshot_path, temporary)
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
    return target


def trace(database: Database, benchmark: str, question_id: str) -> pl.DataFrame:
    """One question from its import to its marks, one row a step. Raises BadInput where unknown."""
    with database.read() as store:
        rows = store.query("trace_question", benchmark=benchmark, question_id=question_id)
        if rows.is_empty():
            raise BadInput(_unknown_question(store, benchmark, question_id))
    return rows


def cost(database: Database) -> pl.DataFrame:
    """What every run asked and paid, newest first."""
    with database.read() as store:
        return store.query("cost_of_runs")


def _must_exist(database: Database) -> None:
    if not database.is_there:
        raise BadInput(f"{database.path}: no such database; name another with --db or PROCTOR_DB")


def _unknown_question(store: Store, benchmark: str, question_id: str) -> str:
    known = store.query("questions_of_benchmark", benchmark=benchmark)["question_id"].to_list()
    if not known:
        benchmarks = store.query("known_benchmarks")["benchmark"].to_list()
        return f"no benchmark {benchmark!r}; known: {', '.join(benchmarks) or 'none yet'}"
    return f"benchmark {benchmark!r} has no question {question_id!r}; one of its ids: {known[0]!r}"
