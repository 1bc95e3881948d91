"""What the cells of one process share while they sample: the way from a planned call to its rows.

Journal, budget, and for each model one client and one worker pool, opened when the first call needs
them (a fully cached run starts no server). Every reply is in the journal before anything else
happens, and in the database seconds later.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass

from prefect import get_run_logger

from tasks.cells import Cell, PlannedCall
from tasks.core.calls.ledger import CallRecord, ledger_rows
from tasks.core.calls.pricing import cost_usd, highest_cost_usd
from tasks.core.errors import ModelUnavailable, ProctorError, StoppedEarly
from tasks.core.hashing import content_hash
from tasks.core.questions.stored_rows import question_of
from tasks.core.registry.entries import DEFAULT_KEY_VARIABLE, ModelEntry
from tasks.core.types import CompletionStatus
from tasks.io.budget import Budget
from tasks.io.database import Database, in_database_thread
from tasks.io.file_lock import FileLock
from tasks.io.journal import Journal
from tasks.io.local_models import serve
from tasks.io.model_client import CallResult, ModelClient
from tasks.io.settings import read_key
from tasks.io.worker_pool import WorkerPool
from tasks.requests import longest_answer

MAX_ATTEMPTS = 3
SAVE_EVERY_S = 3.0


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

    def add(self, cell: Cell) -> None:
        """Let one more cell be sampled in this session."""
        self.cells[cell.run.run_id] = cell

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
            except (ProctorError, OSError) as error:
                get_run_logger().warning("not saved yet, replies stay in the journal: %s", error)

    def proving(self, cell: Cell) -> asyncio.Lock:
        """Held by the one cell that tries out what the model's endpoint accepts."""
        return self._proving.setdefault(cell.place, asyncio.Lock())

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
        model = self._models.get(cell.model.name) or await self.open_model(cell)
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
        is_odd = result.is_odd
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
            cell.last_error = result.error
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
        entry = cell.model
        _require_key(entry)
        if entry.served is not None or entry.scripted is not None:
            with self.database.open() as store:
                rows = store.query("questions_of_benchmark", benchmark=cell.run.benchmark)
            questions = [question_of(row) for row in rows.iter_rows(named=True)]
            server = serve(entry, questions=questions)
            entry = (await self._stack.enter_async_context(server)).entry
        logger = get_run_logger()

        def say_pause(seconds: float, reason: str) -> None:
            logger.warning("%s pauses for %.0f s: %s", entry.name, seconds, reason)

        client = await self._stack.enter_async_context(connect(entry, say_pause))
        pool = await self._stack.enter_async_context(WorkerPool(entry.max_concurrency))
        return _OpenModel(client, pool)


@dataclass(slots=True)
class _OpenModel:
    client: ModelClient
    pool: WorkerPool


_REPLIES = frozenset({CompletionStatus.OK, CompletionStatus.TRUNCATED})
_MAY_IMPROVE = frozenset({CompletionStatus.EMPTY, CompletionStatus.FILTERED})
_open_session: list[SamplingSession] = []


def _require_key(entry: ModelEntry) -> None:
    """A key that was named must be there before the first call. Only the default one of a bare
    address may be missing: many local servers need none."""
    is_default = entry.endpoint_id == entry.base_url and entry.api_key_env == DEFAULT_KEY_VARIABLE
    if entry.api_key_env and not is_default and not read_key(entry.api_key_env):
        raise ModelUnavailable(
            f"{entry.name} needs a key; set the environment variable {entry.api_key_env}"
        )


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


@contextlib.asynccontextmanager
async def sampling_alone(session: SamplingSession, cell: Cell) -> AsyncIterator[None]:
    """Let one process at a time sample the same cell, so that two runs of one job pay once: the
    second waits for the first and finds its answers in the cache. Cells that differ in anything run
    side by side."""
    about = [cell.purpose, cell.run.benchmark, *cell.place, cell.run.mode, cell.run.epoch]
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


def find_cell(run_id: str) -> tuple[SamplingSession, Cell]:
    """The session of this process that samples a run, and the run's cell."""
    for session in _open_session:
        if run_id in session.cells:
            return session, session.cells[run_id]
    raise LookupError(f"run {run_id} is not sampling in this process")


def _record(cell: Cell, call: PlannedCall, result: CallResult, price: float | None) -> CallRecord:
    return CallRecord(
        run_id=cell.run.run_id,
        purpose=cell.purpose,
        endpoint=cell.model.endpoint_id,
        model=cell.model.name,
        request_hash=call.request.request_hash,
        epoch=cell.run.epoch,
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
