"""Table `extract_requests`: a model reads the replies that the rules could not.

In: replies whose extract is ambiguous or unparsed, of a benchmark whose registry block names an
`extraction_model`. Out: requests to that model, through the same cache and ledger as any other, and
one extract by extractor `<rules>+<model>` for each of its replies. Only undecided replies are ever
asked about, so it cannot override what a response declares.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

import polars as pl
from prefect import task
from prefect.cache_policies import NO_CACHE
from prefect.runtime import flow_run

from tasks.cells import Cell, plan_cell
from tasks.core.calls.request_body import messages
from tasks.core.calls.text_storage import from_stored
from tasks.core.extraction import EXTRACTOR
from tasks.core.extraction.fallback import read_reader, reader_fields, reader_prompt
from tasks.core.questions.stored_rows import question_of
from tasks.core.registry.entries import ModelEntry, Registry, resolve_model
from tasks.core.types import Purpose, Question
from tasks.extracts import extract_row
from tasks.io.database import Database, in_database_thread
from tasks.io.store import Store
from tasks.progress import CURRENT
from tasks.registry import open_registry
from tasks.requests import RequestPlan, accepted_parameters, plan_request, store_requests
from tasks.runs import new_run, start
from tasks.sampling import SamplingSession

MODE = "reading"


def extractor_of(registry: Registry, benchmark: str) -> str:
    """The extractor that a benchmark's scores use: the rules, and after them the model that reads
    the rest where the registry names one."""
    model = registry.benchmark(benchmark).extraction_model
    return EXTRACTOR if model is None else f"{EXTRACTOR}+{model}"


def reader_of(registry: Registry, benchmark: str) -> ModelEntry | None:
    """The model that reads what the rules cannot. Raises UnknownName for a name without a block."""
    name = registry.benchmark(benchmark).extraction_model
    return None if name is None else resolve_model(registry, name)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingPlan(RequestPlan):
    """Requests to the reader. `asked`: the rows of `extract_requests`, without run and time."""

    asked: tuple[Mapping[str, Any], ...]


async def open_reader(session: SamplingSession, benchmark: str, epoch: str) -> list[Cell]:
    """The cell that asks the benchmark's reader about all undecided replies of an epoch, ready to
    be sat in this session; none where there is no reader, or nothing to ask."""
    cell = await in_database_thread(_open_cell, session.database, benchmark, epoch, flow_run.id)
    if cell is None:
        return []
    session.add(cell)
    return [cell]


def _open_cell(
    database: Database, benchmark: str, epoch: str, flow_run_id: str | None
) -> Cell | None:
    registry = open_registry()
    model = reader_of(registry, benchmark)
    if model is None:
        return None
    extractor = extractor_of(registry, benchmark)
    make_plan = partial(
        plan_reading,
        model=model,
        template=registry.reading_template,
        benchmark=benchmark,
        epoch=epoch,
        extractor=extractor,
    )
    run = new_run(
        "evaluate",
        {"extractor": extractor, "endpoint": model.endpoint_id},
        benchmark=benchmark,
        model=model.name,
        mode=MODE,
        epoch=epoch,
        flow_run_id=flow_run_id,
    )
    progress = CURRENT.add(f"{model.name} · {MODE}")
    progress.is_priced = model.prices is not None
    cell = Cell(run, model, Purpose.EXTRACT, make_plan, store_reading, progress)
    with database.open() as store:
        plan_cell(store, cell)
        if cell.planned.requests:
            start(store, run)
            return cell
    CURRENT.cells.remove(progress)
    return None


def plan_reading(
    store: Store, *, model: ModelEntry, template: str, benchmark: str, epoch: str, extractor: str
) -> ReadingPlan:
    """Decide what the reader is asked; stores nothing."""
    rows = store.query("questions_of_benchmark", benchmark=benchmark)
    questions = {row["question_hash"]: question_of(row) for row in rows.iter_rows(named=True)}
    undecided = store.query(
        "undecided_extracts", benchmark=benchmark, epoch=epoch, rules=EXTRACTOR, extractor=extractor
    )
    fields = reader_fields(structured="structured_output" in model.capabilities)
    taken, dropped = accepted_parameters(store, model, fields)
    requests, asked = {}, []
    for row in undecided.iter_rows(named=True):
        text = from_stored(row["text"], row["text_bytes"])
        prompt = reader_prompt(template, text, questions[row["question_hash"]])
        request = plan_request(model, messages(prompt, model.system_prompt), taken)
        requests[request.request_hash] = request
        key = {name: row[name] for name in ("call_id", "sample_index", "question_hash")}
        asked.append(
            {**key, "extractor": extractor, "request_hash": request.request_hash, "epoch": epoch}
        )
    return ReadingPlan(
        model=model,
        epoch=epoch,
        n_samples=1,
        parameters=taken,
        dropped_parameters=dropped,
        reuse_truncated=True,
        requests=tuple(requests.values()),
        asked=tuple(asked),
    )


def store_reading(store: Store, run_id: str, plan: ReadingPlan) -> None:
    """Append the plan's new requests, and what each is about."""
    store_requests(store, run_id, plan)
    now = datetime.now(UTC)
    rows = [{**row, "run_id": run_id, "recorded_at": now} for row in plan.asked]
    store.append("extract_requests", rows)


@task(cache_policy=NO_CACHE, task_run_name="read what {cell.model.name} replied")
async def take_readings(session: SamplingSession, cell: Cell) -> int:
    """Turn the reader's replies into extracts; returns how many."""
    await session.save()
    return await in_database_thread(_take_readings, session.database, cell)


def _take_readings(database: Database, cell: Cell) -> int:
    extractor = cell.run.settings["extractor"]
    with database.open() as store:
        rows = store.query("questions_of_benchmark", benchmark=cell.run.benchmark)
        pending = store.query("pending_readings", extractor=extractor, epoch=cell.run.epoch)
        questions = {row["question_hash"]: question_of(row) for row in rows.iter_rows(named=True)}
        store.append("extracts", list(_readings(pending, questions, extractor)))
    return pending.height


def _readings(
    pending: pl.DataFrame, questions: Mapping[str, Question], extractor: str
) -> Iterator[Mapping[str, Any]]:
    now = datetime.now(UTC)
    for row in pending.iter_rows(named=True):
        if row["question_hash"] in questions:
            found = read_reader(
                from_stored(row["said"], row["said_bytes"]),
                from_stored(row["text"], row["text_bytes"]),
                questions[row["question_hash"]],
            )
            yield extract_row(row, found, extractor, now)
