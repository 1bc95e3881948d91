"""Sit models at a benchmark, read their answers, mark them, show the leaderboard.

Order: runs are opened and everything checked before the first call; cells (one model in one mode)
are sampled side by side, each in shards; then replies are read (what the rules cannot read by the
benchmark's extraction model, where it has one), marked and averaged. Every stage
asks the database what is missing, so the flow may be stopped and run again at any time. Nothing is
cached by Prefect; the response cache is a table. Needs: the benchmark's questions in the database.
"""

import asyncio
from typing import Any

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.runtime import flow_run
from prefect.states import Failed

from tasks.completions import plan_shards, sample_shard
from tasks.database import open_database
from tasks.evaluations import (
    close_cells,
    evaluation_of,
    failure_of,
    open_cells,
    sit,
    sitting,
)
from tasks.extract_requests import open_reader, take_readings
from tasks.extracts import extract_answers
from tasks.leaderboard import show_leaderboard
from tasks.scores import score_answers


def _flow_run_name() -> str:
    asked = flow_run.parameters
    models, modes = ", ".join(asked["models"]), ", ".join(asked["modes"])
    return " · ".join(filter(None, [asked["benchmark"], models, modes, asked["epoch"]]))


@flow(name="evaluate", flow_run_name=_flow_run_name)
async def evaluate(
    benchmark: str,
    models: list[str],
    modes: list[str] = ["normal"],  # noqa: B006 - Prefect shows the default in its form
    epoch: str = "",
    samples: int | None = None,
    subject: str | None = None,
    type: str | None = None,  # noqa: A002 - the field's name everywhere
    exam: str | None = None,
    limit: int | None = None,
    temperature: float | None = None,
    max_tokens: int | None = None,
    effort: str | None = None,
    extra_body: dict[str, Any] | None = None,
    retry_truncated: bool = False,
    concurrency: int | None = None,
    budget: float | None = None,
    fail_on_error: int | None = None,
    base_url: str | None = None,
    api_key_env: str | None = None,
    database: str | None = None,
) -> State[Any] | None:
    """Sit models at a benchmark and mark their answers, as `proctor evaluate` does.

    Args:
        benchmark: A benchmark whose questions are in the database.
        models: Names of the registry, or any names with a base URL.
        modes: Ways to ask: `normal`, `cot`, or one of the registry.
        epoch: The re-evaluation window, such as `2026-W48`; a new one asks the models afresh.
        samples: Samples of each question; empty: as the mode says.
        subject: Only the questions of this subject.
        type: Only the questions of this type, such as `MCQ`.
        exam: Only the questions of this exam.
        limit: At most so many questions.
        temperature: 0 to 2; empty: as the model or the mode says.
        max_tokens: Bound of one answer, tokens; empty: as the model or the mode says.
        effort: Reasoning effort, where the model takes one.
        extra_body: Fields that go into each request as they are.
        retry_truncated: Ask again for answers that were cut off.
        concurrency: Requests in flight for each model; empty: as the registry says.
        budget: US dollars that this run may spend at most.
        fail_on_error: Stop after so many failed calls.
        base_url: An OpenAI-compatible endpoint for models that the registry does not name.
        api_key_env: Name of the environment variable with that endpoint's key.
        database: The database file; empty: the worker's `PROCTOR_DB`.

    """
    evaluation = evaluation_of(locals())
    store = open_database(database)
    cells = await open_cells(store, evaluation)
    async with sitting(store, evaluation, cells) as session:
        await asyncio.gather(*(sit(session, cell, plan_shards, sample_shard) for cell in cells))
        await extract_answers(store, benchmark, epoch)
        for reader in await open_reader(session, benchmark, epoch):
            cells.append(reader)
            await sit(session, reader, plan_shards, sample_shard)
            await take_readings(session, reader)
    await score_answers(store, benchmark, epoch)
    board = await close_cells(store, cells)
    await show_leaderboard(board)
    failure = failure_of(cells)
    return Failed(message=str(failure), data=failure) if failure else None
