"""One evaluation: models × modes at one benchmark. Opens its cells, runs them, closes their runs.

This is where names become values (registry, settings, options) and where a failure of one cell is
kept from the others. It writes `run_starts` and `run_ends`; the stages write everything else.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from typing import Any
from uuid import UUID

from prefect import get_client, task
from prefect.cache_policies import NO_CACHE
from prefect.runtime import flow_run

from tasks.cells import Cell, plan_cell
from tasks.core.calls.pricing import likely_cost_usd
from tasks.core.errors import BadInput, ProctorError, StoppedEarly
from tasks.core.registry.entries import ModelEntry, Registry, resolve_model
from tasks.core.types import Purpose, QuestionType
from tasks.extract_requests import extractor_of, reader_of
from tasks.extracts import choose_scoring, read_replies
from tasks.io.database import Database, in_database_thread
from tasks.io.signals import cancelled_by_sigterm
from tasks.io.store import Store
from tasks.leaderboard import Board, follow_progress, read_board
from tasks.progress import CURRENT
from tasks.questions import require_database
from tasks.registry import open_registry
from tasks.requests import count_cached, longest_answer, planned_characters
from tasks.runs import Run, end, new_run, start, state_of, take_over_dead_journals
from tasks.sampling import SamplingSession, connect, sampling, sampling_alone
from tasks.scores import add_intervals, mark_answers, store_marking_schemes
from tasks.sittings import SittingOptions, SittingPlan, plan_sittings, store_sittings


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What `proctor evaluate` asks for. `budget` in US dollars; None: no bound."""

    benchmark: str
    models: Sequence[str]
    modes: Sequence[str]
    options: SittingOptions = field(default_factory=SittingOptions)
    base_url: str | None = None
    api_key_env: str | None = None
    concurrency: int | None = None
    budget: float | None = None
    fail_on_error: int | None = None


@dataclass(frozen=True, slots=True)
class DryRunLine:
    """What one cell would do. `likely_cost_usd` None: no price known."""

    model: str
    mode: str
    prompt_pack: str
    n_questions: int
    n_samples: int
    n_cached: int
    n_calls: int
    likely_cost_usd: float | None


def evaluation_of(asked: Mapping[str, Any]) -> Evaluation:
    """An evaluation from flat settings: the fields of `SittingOptions` and of `Evaluation` by name;
    None and other names are left to their defaults."""
    given = {name: value for name, value in asked.items() if value is not None}
    in_options = {f.name for f in fields(SittingOptions)} & given.keys()
    outside = {f.name for f in fields(Evaluation)} & given.keys()
    options = SittingOptions(**{name: given[name] for name in in_options})
    return Evaluation(options=options, **{name: given[name] for name in outside})


@task(cache_policy=NO_CACHE, task_run_name="open runs")
async def open_cells(database: Database, evaluation: Evaluation) -> list[Cell]:
    """Check everything that can be wrong before the first call, then start one run per cell."""
    CURRENT.cells.clear()
    registry = open_registry()
    cells = _cells(registry, evaluation)
    _check(cells, evaluation, registry)
    require_database(database, evaluation.benchmark)
    await asyncio.gather(
        in_database_thread(_start, database, registry, evaluation.benchmark, cells),
        _tag_flow_run(cells),
    )
    return cells


def _start(database: Database, registry: Registry, benchmark: str, cells: Sequence[Cell]) -> None:
    take_over_dead_journals(database)
    with database.open() as store:
        for cell in cells:
            plan_cell(store, cell)
        with store.transaction():
            store_marking_schemes(store, benchmark, registry.benchmark(benchmark))
            for cell in cells:
                start(store, _with_plan(cell))
                extractor = extractor_of(registry, benchmark)
                choose_scoring(store, _address(cell), cell.run.run_id, extractor=extractor)


@contextlib.asynccontextmanager
async def sitting(
    database: Database, evaluation: Evaluation, cells: Sequence[Cell]
) -> AsyncIterator[SamplingSession]:
    """A sampling session for the cells, with a live progress artifact. However it is left, replies
    are saved and every run gets its end."""
    follower = asyncio.create_task(follow_progress(CURRENT))
    try:
        with cancelled_by_sigterm():
            async with sampling(
                database, cells, budget=evaluation.budget, fail_on_error=evaluation.fail_on_error
            ) as session:
                yield session
    except BaseException as error:
        for cell in cells:
            cell.failure = cell.failure or error
        with database.publishing() as store:
            _store_ends(store, cells)
        raise
    finally:
        follower.cancel()
        await asyncio.gather(follower, return_exceptions=True)


async def sit(
    session: SamplingSession,
    cell: Cell,
    plan: Callable[[str, str], Awaitable[int]],
    sample: Callable[[str, str, int], Awaitable[int]],
) -> None:
    """Plan a cell and sample its shards, again where a parameter turned out to be refused, until
    all its replies are in the database.

    Whatever goes wrong fails its own cell and no other, once all its calls are over.
    """
    run_id, label = cell.run.run_id, f"{cell.model.name}, {cell.run.mode}"
    try:
        async with sampling_alone(session, cell):
            is_planned = False
            while not is_planned and cell.failure is None:
                n_shards = await plan(run_id, label)
                ended = await asyncio.gather(
                    *(sample(run_id, label, shard) for shard in range(n_shards)),
                    return_exceptions=True,
                )
                if errors := [each for each in ended if isinstance(each, BaseException)]:
                    raise errors[0]
                is_planned = not cell.must_plan_again
        await session.save()
    except Exception as error:  # noqa: BLE001 - the other cells go on; the run ends with this error
        cell.failure = error


@task(cache_policy=NO_CACHE, task_run_name="close runs")
async def close_cells(database: Database, cells: Sequence[Cell]) -> Board:
    """Store how every run ended, publish what readers see, and return the leaderboard."""
    return await in_database_thread(_close, database, cells)


def _close(database: Database, cells: Sequence[Cell]) -> Board:
    with database.publishing() as store:
        _store_ends(store, cells)
        about = cells[0].run.benchmark or "", cells[0].run.epoch
        board = read_board(store, *about)
        if not board.lacks_intervals:
            return board
        add_intervals(store, *about)
        return read_board(store, *about)


def _store_ends(store: Store, cells: Sequence[Cell]) -> None:
    with store.transaction():
        for cell in cells:
            if cell.failure is not None:
                end(store, cell.run, state_of(cell.failure), str(cell.failure))
            elif cell.progress.n_failed:
                end(store, cell.run, "failed", f"{cell.progress.n_failed} samples failed")
            else:
                end(store, cell.run, "completed")


def score_stored(database: Database, benchmark: str) -> None:
    """Read and mark what is stored and has no mark yet, and publish; asks no model."""
    with database.open() as store:
        with store.transaction():
            store_marking_schemes(store, benchmark, open_registry().benchmark(benchmark))
        epochs = store.query("epochs_of_benchmark", benchmark=benchmark)["epoch"].to_list()
    for epoch in epochs:
        read_replies(database, benchmark, epoch)
        mark_answers(database, benchmark, epoch)
        with database.open() as store:
            add_intervals(store, benchmark, epoch)
    database.publish()


def check(database: Database, evaluation: Evaluation) -> None:
    """Raise BadInput for whatever is wrong with an evaluation; starts nothing."""
    registry = open_registry()
    cells = _cells(registry, evaluation)
    _check(cells, evaluation, registry)
    require_database(database, evaluation.benchmark)
    with database.open() as store:
        for cell in cells:
            plan_cell(store, cell)


def dry_run(database: Database, evaluation: Evaluation) -> list[DryRunLine]:
    """What an evaluation would ask and cost; calls nothing and stores nothing."""
    registry = open_registry()
    cells = _cells(registry, evaluation)
    _check(cells, evaluation, registry)
    require_database(database, evaluation.benchmark)
    lines = []
    with database.open() as store:
        for cell in cells:
            plan = cell.make_plan(store)
            assert isinstance(plan, SittingPlan)
            n_total = len(plan.requests) * plan.n_samples
            n_cached = count_cached(store, plan)
            share = (n_total - n_cached) / n_total
            cost = likely_cost_usd(
                planned_characters(plan.requests),
                longest_answer(plan.parameters) or 0,
                n_total,
                cell.model.prices,
            )
            lines.append(
                DryRunLine(
                    model=cell.model.name,
                    mode=plan.mode.name,
                    prompt_pack=plan.pack,
                    n_questions=len(plan.sittings),
                    n_samples=n_total,
                    n_cached=n_cached,
                    n_calls=n_total - n_cached,
                    likely_cost_usd=None if cost is None else cost * share,
                )
            )
    return lines


def failure_of(cells: Sequence[Cell]) -> ProctorError | None:
    """The error that an evaluation ends with, if any: what stopped it early, else what failed."""
    failures = [cell.failure for cell in cells if cell.failure is not None]
    stopped = [failure for failure in failures if isinstance(failure, StoppedEarly)]
    for failure in stopped or failures:
        if isinstance(failure, ProctorError):
            return failure
        return ProctorError(f"{type(failure).__name__}: {failure} (a defect; the log has more)")
    n_failed = sum(cell.progress.n_failed for cell in cells)
    if n_failed:
        return ProctorError(
            f"{n_failed} samples have no reply, the last with: {_last_error(cells)}; table `calls` "
            "has them all; the same command asks for them again"
        )
    return None


def _last_error(cells: Sequence[Cell]) -> str:
    errors = [cell.last_error for cell in cells if cell.last_error]
    return errors[-1] if errors else "no error text"


def _tags(cell: Cell) -> list[str]:
    about = {"benchmark": cell.run.benchmark, "model": cell.model.name, "mode": cell.run.mode}
    return [f"{noun}:{name}" for noun, name in about.items()]


async def _tag_flow_run(cells: Sequence[Cell]) -> None:
    """Add what the run is about to the tags of its deployment; Prefect's UI filters by them. Task
    runs have none: for each tag Prefect asks for a concurrency slot, which can take two seconds."""
    about = {tag for cell in cells for tag in _tags(cell)}
    async with get_client() as client:
        await client.update_flow_run(UUID(flow_run.id), tags=about.union(flow_run.tags))


def _cells(registry: Registry, evaluation: Evaluation) -> list[Cell]:
    models = [_model(registry, name, evaluation) for name in dict.fromkeys(evaluation.models)]
    modes = [registry.mode(name) for name in dict.fromkeys(evaluation.modes)]
    cells = []
    for model in models:
        for mode in modes:
            run = new_run(
                "evaluate",
                _settings(evaluation, model),
                benchmark=evaluation.benchmark,
                model=model.name,
                mode=mode.name,
                epoch=evaluation.options.epoch,
                flow_run_id=flow_run.id,
            )
            label = f"{model.name} · {mode.name}"
            progress = CURRENT.add(label)
            progress.is_priced = model.prices is not None
            make_plan = partial(
                plan_sittings,
                benchmark=evaluation.benchmark,
                model=model,
                mode=mode,
                bundled_pack=registry.packs[mode.name],
                options=evaluation.options,
            )
            cells.append(Cell(run, model, Purpose.SAMPLE, make_plan, store_sittings, progress))
    return cells


def _model(registry: Registry, name: str, evaluation: Evaluation) -> ModelEntry:
    entry = resolve_model(registry, name, evaluation.base_url, evaluation.api_key_env)
    if evaluation.concurrency is not None:
        return replace(entry, max_concurrency=evaluation.concurrency)
    return entry


def _check(cells: Sequence[Cell], evaluation: Evaluation, registry: Registry) -> None:
    if not cells:
        raise BadInput("name at least one --model and one --mode")
    options = evaluation.options
    positive = {
        "--samples": options.samples,
        "--limit": options.limit,
        "--max-tokens": options.max_tokens,
        "--concurrency": evaluation.concurrency,
        "--fail-on-error": evaluation.fail_on_error,
        "--budget": evaluation.budget,
    }
    for name, value in positive.items():
        if value is not None and not value > 0:
            raise BadInput(f"{name} {value} must be above 0")
    if options.temperature is not None and not 0 <= options.temperature <= 2:
        raise BadInput(f"--temperature {options.temperature} must be from 0 to 2")
    if options.type is not None and options.type not in set(QuestionType):
        raise BadInput(f"--type {options.type!r} must be one of {', '.join(QuestionType)}")
    reader = reader_of(registry, evaluation.benchmark)
    models = [cell.model for cell in cells] + ([reader] if reader else [])
    for model in models:
        connect(model)
    unpriced = [model.name for model in models if model.prices is None]
    if evaluation.budget is not None and unpriced:
        raise BadInput(
            f"--budget needs prices, and {unpriced[0]!r} has none; add `prices` to its block in "
            "the registry"
        )


def _settings(evaluation: Evaluation, model: ModelEntry) -> Mapping[str, Any]:
    options = {
        name: value
        for name, value in asdict(evaluation.options).items()
        if value is not None and value is not False and value not in ("", {})
    }
    return {
        **options,
        "endpoint": model.endpoint_id,
        "concurrency": model.max_concurrency,
        "budget": evaluation.budget,
    }


def _with_plan(cell: Cell) -> Run:
    plan = cell.planned
    assert isinstance(plan, SittingPlan)
    planned = {"pack": plan.pack, "parameters": dict(plan.parameters)}
    return replace(cell.run, settings={**cell.run.settings, **planned})


def _address(cell: Cell) -> dict[str, str]:
    return {
        "benchmark": cell.run.benchmark or "",
        "model": cell.model.name,
        "mode": cell.run.mode or "",
        "epoch": cell.run.epoch,
    }
