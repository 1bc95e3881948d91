"""Tables `calls`, `completions`, `model_parameters`: the one cache and ledger of model calls.

In: the runs' sittings. Out: a completion for each sample they need and do not have. Idempotent:
what is there is not asked again. Every reply is in the journal before anything else happens, and
in the database seconds later, so that a killed run repeats at most the calls that were in flight.

A `SamplingSession` holds what the cells of one process share: journal, budget, and for each model
one client and one worker pool, opened when the first call needs them (a fully cached run starts no
server). A cell is one model in one mode; its shards are Prefect task runs.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

import polars as pl
from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from tasks.core.call_errors import ParameterRefused
from tasks.core.errors import StoppedEarly
from tasks.core.hashing import canonical_json, content_hash
from tasks.core.ledger import CallRecord, ledger_rows
from tasks.core.pricing import cost_usd, highest_cost_usd
from tasks.core.question_rows import question_of
from tasks.core.registry import ModelEntry, PromptMode
from tasks.core.prompting import PromptPack
from tasks.core.types import CompletionStatus, Purpose
from tasks.io.budget import Budget
from tasks.io.database import Database
from tasks.io.file_lock import FileLock
from tasks.io.journal import Journal
from tasks.io.local_models import serve
from tasks.io.model_client import CallResult, ModelClient
from tasks.io.settings import read_key
from tasks.io.worker_pool import Job, WorkerPool
from tasks.progress import CellProgress
from tasks.prompts import (
    PlannedRequest,
    SittingOptions,
    SittingPlan,
    plan_sitting,
    store_sitting,
    unproven_parameters,
)
from tasks.runs import Run

MAX_ATTEMPTS = 3
CALLS_PER_SHARD = 256
MAX_SHARDS = 16
SAVE_EVERY_S = 1.5


class PlannedCall(NamedTuple):
    """One request for some samples of one question."""

    request: PlannedRequest
    sample_indices: tuple[int, ...]


@dataclass(slots=True)
class Cell:
    """One model in one mode at one benchmark: what is to be asked, and how far it is."""

    run: Run
    model: ModelEntry
    mode: PromptMode
    pack: PromptPack
    options: SittingOptions
    progress: CellProgress
    plan: SittingPlan | None = None
    shards: list[list[PlannedCall]] = field(default_factory=list)
    must_plan_again: bool = False
    failure: BaseException | None = None


class SamplingSession:
    """What the cells of this process share while they sample. See `sampling`."""

    def __init__(
        self, database: Database, cells: Sequence[Cell], budget: Budget, fail_on_error: int | None
    ) -> None:
        self.database = database
        self.journal = Journal(database)
        self.budget = budget
        self.cells = {cell.run.run_id: cell for cell in cells}
        self.n_errors = 0
        self._fail_on_error = fail_on_error
        self._models: dict[str, _OpenModel] = {}
        self._opening = asyncio.Lock()
        self._stack = contextlib.AsyncExitStack()

    async def save(self) -> None:
        """Merge the journal into the database, and publish a snapshot where one is due."""
        if await asyncio.to_thread(self.journal.merge):
            await asyncio.to_thread(self.database.publish_if_due)

    async def save_regularly(self) -> None:
        """Save every `SAVE_EVERY_S` seconds until cancelled."""
        while True:
            await asyncio.sleep(SAVE_EVERY_S)
            await self.save()

    async def open_model(self, cell: Cell) -> "_OpenModel":
        """The client and pool of the cell's model; starts its server where Proctor serves it."""
        async with self._opening:
            if cell.model.name not in self._models:
                self._models[cell.model.name] = await self._open(cell)
            return self._models[cell.model.name]

    async def close(self) -> None:
        """Close clients and stop servers."""
        await self._stack.aclose()

    async def ask(self, cell: Cell, call: PlannedCall, again: list[PlannedCall]) -> CompletionStatus:
        """Make one call and record what came of it; samples that may yet come go into `again`."""
        model = await self.open_model(cell)
        n_samples = len(call.sample_indices)
        body = dict(call.request.body)
        if n_samples > 1:
            body["n"] = n_samples
        highest = self._highest_cost(cell, call)
        await self.budget.reserve(highest)
        cost = 0.0
        try:
            result = await model.client.call(body)
            price = cost_usd(result.reply.usage, cell.model.prices) if result.reply else None
            self.journal.record(ledger_rows(_record(cell, call, result, price)))
            cost = price or 0.0
        finally:
            await self.budget.settle(highest, cost)
        cell.progress.spent_usd += cost
        self._count(cell, call, result, again)
        return result.status

    def _count(
        self, cell: Cell, call: PlannedCall, result: CallResult, again: list[PlannedCall]
    ) -> None:
        choices = result.reply.choices if result.reply else ()
        pairs = zip(call.sample_indices, choices, strict=False)
        good = {index for index, choice in pairs if choice.status in _REPLIES}
        cell.progress.n_done += len(good)
        missing = tuple(index for index in call.sample_indices if index not in good)
        if not missing:
            return
        if choices and len(choices) < len(call.sample_indices):
            again.extend(PlannedCall(call.request, (index,)) for index in missing)
        elif result.status in _MAY_IMPROVE or result.error_code == "malformed_reply":
            again.append(PlannedCall(call.request, missing))
        else:
            cell.progress.n_failed += len(missing)
        if result.status is CompletionStatus.ERROR:
            self.n_errors += 1
            if self._fail_on_error is not None and self.n_errors >= self._fail_on_error:
                raise StoppedEarly(
                    f"{self.n_errors} calls failed (--fail-on-error {self._fail_on_error}); the "
                    f"last one of {cell.model.name}: {result.error}"
                )

    def _highest_cost(self, cell: Cell, call: PlannedCall) -> float:
        parameters = call.request.body
        max_tokens = parameters.get("max_tokens") or parameters.get("max_completion_tokens") or 0
        n_characters = sum(len(message["content"]) for message in call.request.messages)
        highest = highest_cost_usd(
            n_characters, max_tokens, len(call.sample_indices), cell.model.prices
        )
        return highest or 0.0

    async def _open(self, cell: Cell) -> "_OpenModel":
        assert cell.plan is not None
        entry = cell.model
        if entry.served is not None or entry.scripted is not None:
            with self.database.open() as store:
                rows = store.query("questions_of_benchmark", benchmark=cell.plan.benchmark)
            questions = [question_of(row) for row in rows.iter_rows(named=True)]
            server = serve(entry, questions=questions)
            entry = (await self._stack.enter_async_context(server)).entry
        client = await self._stack.enter_async_context(
            ModelClient(
                entry.name,
                base_url=entry.base_url,
                api_key=read_key(entry.api_key_env),
                api_key_env=entry.api_key_env,
                api=entry.api,
                timeout_s=entry.timeout_s,
                max_concurrency=entry.max_concurrency,
                requests_per_minute=entry.requests_per_minute,
                tokens_per_minute=entry.tokens_per_minute,
            )
        )
        pool = await self._stack.enter_async_context(WorkerPool(entry.max_concurrency))
        return _OpenModel(client, pool, takes_n="n" in entry.capabilities)


@dataclass(slots=True)
class _OpenModel:
    client: ModelClient
    pool: WorkerPool
    takes_n: bool


_REPLIES = frozenset({CompletionStatus.OK, CompletionStatus.TRUNCATED})
_MAY_IMPROVE = frozenset({CompletionStatus.EMPTY, CompletionStatus.FILTERED})
_open_session: list[SamplingSession] = []


@contextlib.asynccontextmanager
async def sampling(
    database: Database, cells: Sequence[Cell], *, budget: float | None, fail_on_error: int | None
) -> AsyncIterator[SamplingSession]:
    """A session for these cells. On leaving, however, everything that arrived is in the database."""
    session = SamplingSession(database, cells, Budget(budget), fail_on_error)
    _open_session.append(session)
    saver = asyncio.create_task(session.save_regularly())
    try:
        yield session
    finally:
        _open_session.remove(session)
        saver.cancel()
        await asyncio.gather(saver, return_exceptions=True)
        await session.close()
        await session.save()


@task(cache_policy=NO_CACHE, task_run_name="plan {label}")
async def plan_shards(run_id: str, label: str) -> int:
    """Plan a cell's requests, make sure that its parameters are accepted, store its sittings, and
    cut what is pending into shards. Returns how many shards there are."""
    session, cell = _cell(run_id)
    cell.must_plan_again = False
    await _settle_parameters(session, cell)
    await session.save()
    plan = _plan(cell)
    with session.database.open() as store:
        with store.transaction():
            store_sitting(store, run_id, plan)
        slots = store.query(
            "pending_slots",
            run_id=run_id,
            max_attempts=MAX_ATTEMPTS,
            reuse_truncated=plan.reuse_truncated,
        )
    cell.progress.n_total = len(plan.requests) * plan.n_samples
    cell.progress.n_done = 0
    cell.progress.n_cached = cell.progress.n_total - slots.height
    calls = _calls(plan, slots, by_question="n" in cell.model.capabilities)
    size = max(CALLS_PER_SHARD, -(-len(calls) // MAX_SHARDS))
    cell.shards = [calls[start : start + size] for start in range(0, len(calls), size)]
    cell.progress.stage = "sampling" if calls else "sampled"
    get_run_logger().info(
        "%s: %d samples needed, %d in the cache, %d calls to make",
        label,
        cell.progress.n_total,
        cell.progress.n_cached,
        len(calls),
    )
    return len(cell.shards)


@task(cache_policy=NO_CACHE, task_run_name="sample {label} {shard}")
async def sample_shard(run_id: str, label: str, shard: int) -> int:
    """Make the calls of one shard; returns how many. Samples that came back empty, filtered or
    malformed are asked again within `MAX_ATTEMPTS`."""
    session, cell = _cell(run_id)
    calls = cell.shards[shard]
    model = await session.open_model(cell)
    for _ in range(MAX_ATTEMPTS):
        again: list[PlannedCall] = []
        try:
            await model.pool.run(_jobs(session, cell, calls, again))
        except ParameterRefused as refused:
            _learn_refusal(session, cell, refused)
            cell.must_plan_again = True
            break
        calls = again
        if not calls:
            break
    cell.progress.n_failed += sum(len(call.sample_indices) for call in calls)
    return len(cell.shards[shard])


@contextlib.asynccontextmanager
async def sampling_alone(session: SamplingSession, cell: Cell) -> AsyncIterator[None]:
    """Let one process at a time sample the same cell, so that two runs of one job pay once: the
    second waits for the first and finds its answers in the cache. Cells that differ in anything run
    side by side."""
    about = [cell.run.benchmark, cell.model.endpoint_id, cell.mode.name, cell.options.epoch]
    folder = session.database.journal_folder
    folder.mkdir(exist_ok=True)
    lock = FileLock(folder / f"{content_hash(about).partition(':')[2]}.lock")
    try:
        while not lock.take():
            cell.progress.stage = "waiting for another run of the same cell"
            await asyncio.sleep(0.2)
        yield
    finally:
        lock.close()


def _cell(run_id: str) -> tuple[SamplingSession, Cell]:
    for session in _open_session:
        if run_id in session.cells:
            return session, session.cells[run_id]
    raise LookupError(f"run {run_id} is not sampling in this process")


def _plan(cell: Cell) -> SittingPlan:
    assert cell.plan is not None
    return cell.plan


async def _settle_parameters(session: SamplingSession, cell: Cell) -> None:
    while True:
        await session.save()
        with session.database.open() as store:
            cell.plan = plan_sitting(
                store, cell.run.benchmark or "", cell.model, cell.mode, cell.pack, cell.options
            )
            unproven = unproven_parameters(store, cell.plan)
            batch = pl.DataFrame({"request_hash": [r.request_hash for r in cell.plan.requests]})
            missing = store.query_with(
                "missing_requests",
                batch,
                epoch=cell.plan.epoch,
                n_samples=cell.plan.n_samples,
                reuse_truncated=cell.plan.reuse_truncated,
            )
        if not unproven or missing.is_empty():
            return
        first = next(
            request
            for request in cell.plan.requests
            if request.request_hash == missing["request_hash"][0]
        )
        try:
            status = await session.ask(cell, PlannedCall(first, (0,)), [])
        except ParameterRefused as refused:
            _learn_refusal(session, cell, refused)
            continue
        if status is not CompletionStatus.ERROR:
            _learn_acceptance(session, cell, unproven)
        return


def _calls(plan: SittingPlan, slots: pl.DataFrame, *, by_question: bool) -> list[PlannedCall]:
    requests = {request.question.question_id: request for request in plan.requests}
    pending = [
        PlannedCall(requests[question_id], (index,))
        for question_id, index in slots.select("question_id", "sample_index").iter_rows()
    ]
    asked: set[tuple[str, int]] = set()
    unique: list[PlannedCall] = []
    for call in pending:
        slot = (call.request.request_hash, call.sample_indices[0])
        if slot not in asked:
            asked.add(slot)
            unique.append(call)
    if not by_question:
        return unique
    return [
        PlannedCall(request, tuple(call.sample_indices[0] for call in calls))
        for request, calls in groupby(unique, key=attrgetter("request"))
    ]


def _jobs(
    session: SamplingSession, cell: Cell, calls: Sequence[PlannedCall], again: list[PlannedCall]
) -> Iterator[Job]:
    for call in calls:
        yield partial(_ask, session, cell, call, again)


async def _ask(
    session: SamplingSession, cell: Cell, call: PlannedCall, again: list[PlannedCall]
) -> None:
    try:
        await session.ask(cell, call, again)
    except ParameterRefused as refused:
        if refused.parameter != "n":
            raise
        again.extend(PlannedCall(call.request, (index,)) for index in call.sample_indices)


def _record(cell: Cell, call: PlannedCall, result: CallResult, price: float | None) -> CallRecord:
    return CallRecord(
        run_id=cell.run.run_id,
        purpose=Purpose.SAMPLE,
        endpoint=cell.model.endpoint_id,
        model=cell.model.name,
        request_hash=call.request.request_hash,
        epoch=cell.options.epoch,
        sample_indices=call.sample_indices,
        status=result.status,
        reply=result.reply,
        http_status=result.http_status,
        error_code=result.error_code,
        error=result.error,
        n_attempts=result.n_attempts,
        cost_usd=price,
        started_at=result.started_at,
        duration_s=result.duration_s,
    )


def _learn_refusal(session: SamplingSession, cell: Cell, refused: ParameterRefused) -> None:
    value = _plan(cell).parameters.get(refused.parameter)
    _learn(
        session,
        cell,
        {
            "parameter": refused.parameter,
            "value": canonical_json(value) if refused.value_specific else None,
            "is_accepted": False,
            "replaced_by": refused.replacement,
            "message": refused.message,
        },
    )
    get_run_logger().warning(
        "%s refuses the parameter %s%s: %s",
        cell.model.name,
        refused.parameter,
        f"; {refused.replacement} takes its place" if refused.replacement else "",
        refused.message,
    )


def _learn_acceptance(session: SamplingSession, cell: Cell, parameters: Sequence[str]) -> None:
    for name in parameters:
        _learn(
            session,
            cell,
            {
                "parameter": name,
                "value": canonical_json(_plan(cell).parameters[name]),
                "is_accepted": True,
                "replaced_by": None,
                "message": None,
            },
        )


def _learn(session: SamplingSession, cell: Cell, fact: Mapping[str, Any]) -> None:
    row = {
        "endpoint": cell.model.endpoint_id,
        "api_name": cell.model.api_name,
        "run_id": cell.run.run_id,
        "learned_at": datetime.now(UTC),
        **fact,
    }
    session.journal.record({"model_parameters": [row]})

