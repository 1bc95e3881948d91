"""Tables `calls`, `completions`: the one cache and ledger of model calls.

In: planned requests. Out: a completion for each sample that they need and do not have. Idempotent:
what is there is not asked again; a killed run repeats at most the calls that were in flight.
A cell is what one run asks of one model; its shards are Prefect task runs.
"""

import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter

import polars as pl
from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from tasks.cells import Cell, PlannedCall, plan_cell
from tasks.core.calls.errors import ParameterRefused
from tasks.core.errors import ModelUnavailable, StoppedEarly
from tasks.core.types import CompletionStatus
from tasks.io.store import Store
from tasks.io.worker_pool import Job
from tasks.model_parameters import learn_acceptance, learn_refusal
from tasks.sampling import MAX_ATTEMPTS, SamplingSession, find_cell

CALLS_PER_SHARD = 1_000
MAX_SHARDS = 16


@task(cache_policy=NO_CACHE, task_run_name="plan {label}")
async def plan_shards(run_id: str, label: str) -> int:
    """Plan a cell's requests, make sure that its parameters are accepted, store the plan, and cut
    what is pending into shards. Returns how many shards there are."""
    session, cell = find_cell(run_id)
    with _failing(cell):
        return await _plan_shards(session, cell)
    return 0


async def _plan_shards(session: SamplingSession, cell: Cell) -> int:
    if cell.must_plan_again:
        await _plan_again(session, cell)
    if cell.unproven:
        async with session.proving(cell):
            if cell.place in session.learned:
                await _plan_again(session, cell)
            while cell.unproven and not await _is_proven(session, cell):
                await _plan_again(session, cell)
    await session.save()
    plan = cell.planned
    with session.database.open() as store:
        with store.transaction():
            cell.store_plan(store, cell.run.run_id, plan)
        slots = _pending_slots(store, cell)
    cell.progress.n_total = len(plan.requests) * plan.n_samples
    cell.progress.n_failed = 0
    cell.failed.clear()
    tried = slots.filter(slots["n_tried"] > 0).select("request_hash", "sample_index", "n_tried")
    cell.n_tried = Counter({(request, index): n for request, index, n in tried.iter_rows()})
    n_there = cell.progress.n_total - slots.height
    cell.progress.n_cached = max(0, n_there - cell.progress.n_done)
    calls = _calls(cell, slots)
    size = max(CALLS_PER_SHARD, -(-len(calls) // MAX_SHARDS))
    cell.shards = [calls[start : start + size] for start in range(0, len(calls), size)]
    cell.progress.stage = "sampling" if calls else "sampled"
    get_run_logger().info(
        "%s: %d samples needed, %d in the cache, %d asked already, %d calls to make",
        cell.progress.label,
        cell.progress.n_total,
        cell.progress.n_cached,
        cell.progress.n_done,
        len(calls),
    )
    return len(cell.shards)


@task(cache_policy=NO_CACHE, task_run_name="sample {label} {shard}")
async def sample_shard(run_id: str, label: str, shard: int) -> int:
    """Make the calls of one shard; returns how many. Samples that came back empty, filtered or
    malformed are asked again within `MAX_ATTEMPTS`."""
    session, cell = find_cell(run_id)
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


async def _plan_again(session: SamplingSession, cell: Cell) -> None:
    cell.must_plan_again = False
    await session.save()
    with session.database.open() as store:
        plan_cell(store, cell)


async def _is_proven(session: SamplingSession, cell: Cell) -> bool:
    """Make one call alone where the endpoint has not yet accepted these parameters, so that a
    refusal costs one call and not as many as are in flight. False: refused, plan again."""
    with session.database.open() as store:
        slots = _pending_slots(store, cell)
    if slots.is_empty():
        return True
    try:
        status = await session.ask(cell, _calls(cell, slots)[0], [])
    except ParameterRefused as refused:
        _learn_refusal(session, cell, refused)
        return False
    if status is not CompletionStatus.ERROR:
        learn_acceptance(session.journal, cell.run.run_id, cell.model, cell.unproven)
        session.learned.add(cell.place)
    return True


def _pending_slots(store: Store, cell: Cell) -> pl.DataFrame:
    plan = cell.planned
    return store.query_with(
        "pending_slots",
        plan.hashes,
        run_id=cell.run.run_id,
        epoch=plan.epoch,
        n_samples=plan.n_samples,
        max_attempts=MAX_ATTEMPTS,
        reuse_truncated=plan.reuse_truncated,
    )


def _calls(cell: Cell, slots: pl.DataFrame) -> list[PlannedCall]:
    requests = {request.request_hash: request for request in cell.planned.requests}
    pending = slots.select("request_hash", "sample_index").iter_rows()
    if not cell.takes_n:
        return [PlannedCall(requests[request_hash], (index,)) for request_hash, index in pending]
    return [
        PlannedCall(requests[request_hash], tuple(index for _, index in of_request))
        for request_hash, of_request in groupby(pending, key=itemgetter(0))
    ]


def _jobs(
    session: SamplingSession, cell: Cell, calls: Sequence[PlannedCall], again: list[PlannedCall]
) -> Iterator[Job]:
    for call in calls:
        yield partial(session.ask, cell, call, again)


def _learn_refusal(session: SamplingSession, cell: Cell, refused: ParameterRefused) -> None:
    value = cell.planned.parameters.get(refused.parameter)
    learn_refusal(session.journal, cell.run.run_id, cell.model, refused, value)
    session.learned.add(cell.place)
