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
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

import polars as pl
from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from tasks.core.call_errors import ParameterRefused
from tasks.core.errors import DatabaseBusy, ModelUnavailable, StoppedEarly
from tasks.core.hashing import canonical_json, content_hash
from tasks.core.ledger import CallRecord, ledger_rows
from tasks.core.pricing import cost_usd, highest_cost_usd
from tasks.core.prompting import PromptPack
from tasks.core.question_rows import question_of
from tasks.core.registry import ModelEntry, PromptMode
from tasks.core.types import CompletionStatus, Purpose
from tasks.io.budget import Budget
from tasks.io.database import Database, in_database_thread
from tasks.io.file_lock import FileLock
from tasks.io.journal import Journal
from tasks.io.local_models import serve
from tasks.io.model_client import CallResult, ModelClient
from tasks.io.settings import read_key
from tasks.io.store import Store
from tasks.io.worker_pool import Job, WorkerPool
from tasks.progress import CellProgress
from tasks.prompts import (
    PlannedRequest,
    SittingOptions,
    SittingPlan,
    longest_answer,
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


class Cell:
    """One model in one mode at one benchmark: what is to be asked, and how far it is.

    `unproven`: parameters that the endpoint was not yet seen to accept with these values.
    `failed`: slots (request_hash, sample_index) whose last call failed; another run may fill them.
    `n_tried`: how often slots were asked for in vain.
    Not a dataclass, because Prefect walks through every field of those that it is given.
    """

    def __init__(
        self,
        run: Run,
        model: ModelEntry,
        mode: PromptMode,
        pack: PromptPack,
        options: SittingOptions,
        progress: CellProgress,
    ) -> None:
        self.run = run
        self.model = model
        self.mode = mode
        self.pack = pack
        self.options = options
        self.progress = progress
        self.plan: SittingPlan | None = None
        self.unproven: tuple[str, ...] = ()
        self.shards: list[list[PlannedCall]] = []
        self.must_plan_again = False
        self.failed: set[tuple[str, int]] = set()
        self.n_tried: Counter[tuple[str, int]] = Counter()
        self.failure: BaseException | None = None


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
        self.learned: set[tuple[str, str]] = set()
        self._stopped: StoppedEarly | None = None
        self._fail_on_error = fail_on_error
        self._proving: dict[tuple[str, str], asyncio.Lock] = {}
        self._models: dict[str, _OpenModel] = {}
        self._opening = asyncio.Lock()
        self._stack = contextlib.AsyncExitStack()

    async def save(self) -> None:
        """Merge the journal into the database, and publish a snapshot where one is due."""
        if await in_database_thread(self.journal.merge):
            await in_database_thread(self.database.publish_if_due)

    async def save_regularly(self) -> None:
        """Save every `SAVE_EVERY_S` seconds until cancelled. Publishes with nothing new too: the
        snapshot's age says how far behind its reader may be."""
        while True:
            await asyncio.sleep(SAVE_EVERY_S)
            try:
                await self.save()
                await in_database_thread(self.database.publish_if_due)
            except DatabaseBusy as busy:
                get_run_logger().warning("not saved yet, replies stay in the journal: %s", busy)

    def proving(self, cell: Cell) -> asyncio.Lock:
        """Held by the one cell that tries out what the model's endpoint accepts."""
        return self._proving.setdefault(_place(cell), asyncio.Lock())

    async def open_model(self, cell: Cell) -> "_OpenModel":
        """The client and pool of the cell's model; starts its server where Proctor serves it."""
        async with self._opening:
            if cell.model.name not in self._models:
                self._models[cell.model.name] = await self._open(cell)
            return self._models[cell.model.name]

    async def close(self) -> None:
        """Close clients and stop servers."""
        await self._stack.aclose()

    async def ask(
        self, cell: Cell, call: PlannedCall, again: list[PlannedCall]
    ) -> CompletionStatus:
        """Make one call and record what came of it; samples that may yet come go into `again`.

        Raises StoppedEarly where the budget is used up or too many calls failed.
        """
        if self._stopped is not None:
            raise self._stopped
        model = await self.open_model(cell)
        n_samples = len(call.sample_indices)
        body = dict(call.request.body)
        if n_samples > 1:
            body["n"] = n_samples
        highest = self._highest_cost(cell, call)
        await self.budget.reserve(highest)
        cost: float | None = 0.0
        try:
            result = await model.client.call(body)
            price = cost_usd(result.reply.usage, cell.model.prices) if result.reply else None
            self.journal.record(ledger_rows(_record(cell, call, result, price)))
            cost = price if result.reply else 0.0
        finally:
            await self.budget.settle(highest, cost)
        cell.progress.spent_usd += cost or 0.0
        self._count(cell, call, result, again)
        return result.status

    def _count(
        self, cell: Cell, call: PlannedCall, result: CallResult, again: list[PlannedCall]
    ) -> None:
        choices = result.reply.choices if result.reply else ()
        came = dict(zip(call.sample_indices, (c.status for c in choices), strict=False))
        if not choices:
            came = dict.fromkeys(call.sample_indices, result.status)
        cell.progress.n_done += sum(status in _REPLIES for status in came.values())
        again.extend(
            PlannedCall(call.request, (index,))
            for index in call.sample_indices
            if index not in came
        )
        is_odd = result.reply is not None
        improvable = []
        for index, status in came.items():
            slot = (call.request.request_hash, index)
            cell.failed.discard(slot)
            if status in _REPLIES:
                continue
            cell.n_tried[slot] += 1
            if status is CompletionStatus.ERROR:
                cell.failed.add(slot)
            may_improve = status in _MAY_IMPROVE or (status is CompletionStatus.ERROR and is_odd)
            if may_improve and cell.n_tried[slot] < MAX_ATTEMPTS:
                improvable.append(index)
        if improvable:
            again.append(PlannedCall(call.request, tuple(improvable)))
        cell.progress.n_failed = len(cell.failed)
        if result.status is CompletionStatus.ERROR:
            self.n_errors += 1
            if self._fail_on_error is not None and self.n_errors >= self._fail_on_error:
                self._stopped = StoppedEarly(
                    f"{self.n_errors} calls failed (--fail-on-error {self._fail_on_error}); the "
                    f"last one of {cell.model.name}: {result.error}"
                )
                raise self._stopped

    def _highest_cost(self, cell: Cell, call: PlannedCall) -> float:
        if not self.budget.is_bounded:
            return 0.0
        max_tokens = longest_answer(call.request.body) or cell.model.context_tokens
        if max_tokens is None:
            raise StoppedEarly(
                f"{cell.model.name} takes no bound on the length of an answer, so no --budget can "
                "hold; give its block in the registry `context_tokens`, which bounds it"
            )
        n_bytes = sum(
            len(message["content"].encode(errors="replace")) for message in call.request.messages
        )
        highest = highest_cost_usd(n_bytes, max_tokens, len(call.sample_indices), cell.model.prices)
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
        logger = get_run_logger()

        def say_pause(seconds: float, reason: str) -> None:
            logger.warning("%s pauses for %.0f s: %s", entry.name, seconds, reason)

        client = await self._stack.enter_async_context(connect(entry, say_pause))
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


def connect(entry: ModelEntry, on_pause: Callable[[float, str], None] | None = None) -> ModelClient:
    """The client of a model, not opened yet. Raises BadInput for an address or a key that cannot
    be one."""
    return ModelClient(
        entry.name,
        base_url=entry.base_url,
        api_key=read_key(entry.api_key_env),
        api_key_env=entry.api_key_env,
        api=entry.api,
        timeout_s=entry.timeout_s,
        max_concurrency=entry.max_concurrency,
        requests_per_minute=entry.requests_per_minute,
        tokens_per_minute=entry.tokens_per_minute,
        on_pause=on_pause,
    )


@contextlib.asynccontextmanager
async def sampling(
    database: Database, cells: Sequence[Cell], *, budget: float | None, fail_on_error: int | None
) -> AsyncIterator[SamplingSession]:
    """A session for these cells. However it is left, everything that arrived is stored."""
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
    with _failing(cell):
        return await _plan_shards(session, cell)
    return 0


async def _plan_shards(session: SamplingSession, cell: Cell) -> int:
    if cell.must_plan_again:
        await _plan_again(session, cell)
    if cell.unproven:
        async with session.proving(cell):
            if _place(cell) in session.learned:
                await _plan_again(session, cell)
            while cell.unproven and not await _is_proven(session, cell):
                await _plan_again(session, cell)
    await session.save()
    plan = _plan(cell)
    with session.database.open() as store:
        with store.transaction():
            store_sitting(store, cell.run.run_id, plan)
        slots = store.query(
            "pending_slots",
            run_id=cell.run.run_id,
            max_attempts=MAX_ATTEMPTS,
            reuse_truncated=plan.reuse_truncated,
        )
    cell.progress.n_total = len(plan.requests) * plan.n_samples
    cell.progress.n_done = 0
    cell.progress.n_failed = 0
    cell.failed.clear()
    tried = slots.filter(slots["n_tried"] > 0).select("request_hash", "sample_index", "n_tried")
    cell.n_tried = Counter({(request, index): n for request, index, n in tried.iter_rows()})
    cell.progress.n_cached = cell.progress.n_total - slots.height
    calls = _calls(plan, slots, by_question="n" in cell.model.capabilities)
    size = max(CALLS_PER_SHARD, -(-len(calls) // MAX_SHARDS))
    cell.shards = [calls[start : start + size] for start in range(0, len(calls), size)]
    cell.progress.stage = "sampling" if calls else "sampled"
    get_run_logger().info(
        "%s: %d samples needed, %d are there, %d calls to make",
        cell.progress.label,
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
    with _failing(cell):
        await _sample(session, cell, cell.shards[shard])
    return len(cell.shards[shard])


async def _sample(session: SamplingSession, cell: Cell, calls: list[PlannedCall]) -> None:
    model = await session.open_model(cell)
    while calls:
        again: list[PlannedCall] = []
        try:
            await model.pool.run(_jobs(session, cell, calls, again))
        except ParameterRefused as refused:
            _learn_refusal(session, cell, refused)
            cell.must_plan_again = True
            break
        calls = again


def plan_cell(store: Store, cell: Cell) -> None:
    """Plan a cell's requests, and note which of its parameters its endpoint has yet to accept."""
    cell.plan = plan_sitting(
        store, cell.run.benchmark or "", cell.model, cell.mode, cell.pack, cell.options
    )
    cell.unproven = unproven_parameters(store, cell.plan)


@contextlib.asynccontextmanager
async def sampling_alone(session: SamplingSession, cell: Cell) -> AsyncIterator[None]:
    """Let one process at a time sample the same cell, so that two runs of one job pay once: the
    second waits for the first and finds its answers in the cache. Cells that differ in anything run
    side by side."""
    about = [cell.run.benchmark, *_place(cell), cell.mode.name, cell.options.epoch]
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


@contextlib.contextmanager
def _failing(cell: Cell) -> Iterator[None]:
    """Let a model that cannot be asked, or a run that must stop, fail the cell and say so in one
    line; raised through Prefect each shard would log a stack trace."""
    try:
        yield
    except (ModelUnavailable, StoppedEarly) as error:
        if cell.failure is None:
            cell.failure = error
            get_run_logger().error("%s: %s", cell.progress.label, error)


def _place(cell: Cell) -> tuple[str, str]:
    """The endpoint and what it calls the model."""
    return cell.model.endpoint_id, cell.model.api_name


def _plan(cell: Cell) -> SittingPlan:
    assert cell.plan is not None
    return cell.plan


async def _plan_again(session: SamplingSession, cell: Cell) -> None:
    cell.must_plan_again = False
    await session.save()
    with session.database.open() as store:
        plan_cell(store, cell)


async def _is_proven(session: SamplingSession, cell: Cell) -> bool:
    """Make one call alone where the endpoint has not yet accepted these parameters, so that a
    refusal costs one call and not as many as are in flight. False: refused, plan again."""
    plan = _plan(cell)
    with session.database.open() as store:
        missing = store.query_with(
            "missing_requests",
            pl.DataFrame({"request_hash": [request.request_hash for request in plan.requests]}),
            epoch=plan.epoch,
            n_samples=plan.n_samples,
            reuse_truncated=plan.reuse_truncated,
        )
    if missing.is_empty():
        return True
    first = next(r for r in plan.requests if r.request_hash == missing["request_hash"][0])
    try:
        status = await session.ask(cell, PlannedCall(first, (0,)), [])
    except ParameterRefused as refused:
        _learn_refusal(session, cell, refused)
        return False
    if status is not CompletionStatus.ERROR:
        _learn_acceptance(session, cell, cell.unproven)
    return True


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
    session.learned.add(_place(cell))
