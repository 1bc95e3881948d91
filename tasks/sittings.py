"""Table `sittings`: which request asks which question of a model in a mode.

In: a benchmark's kept questions, a mode, a model. Out: for each question its request, and the row
that ties it to the run. Planning the same again stores nothing new but the run's own sittings.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

from tasks.core.calls.request_body import SamplingParameters, messages, parameter_fields
from tasks.core.errors import BadInput, UnknownName
from tasks.core.prompts.rendering import Frame, PromptPack, render
from tasks.core.questions.stored_rows import question_hash, question_of
from tasks.core.registry.entries import ModelEntry, PromptMode
from tasks.core.types import Aggregation, Question, QuestionType
from tasks.io.store import Store
from tasks.requests import (
    PlannedRequest,
    RequestPlan,
    accepted_parameters,
    plan_request,
    store_requests,
)


@dataclass(frozen=True, slots=True)
class SittingOptions:
    """What a user can say about a sitting; None: as the mode (or the model) says.

    `subject`, `type`, `exam`, `limit` narrow the questions. `max_tokens` bounds an answer.
    """

    epoch: str = ""
    samples: int | None = None
    subject: str | None = None
    type: str | None = None
    exam: str | None = None
    limit: int | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    effort: str | None = None
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    retry_truncated: bool = False


class Sitting(NamedTuple):
    """One question and the request that asks it."""

    question: Question
    question_hash: str
    request: PlannedRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class SittingPlan(RequestPlan):
    """All questions of a benchmark as one model is asked them in one mode. Questions that are asked
    the very same share a request."""

    benchmark: str
    mode: PromptMode
    aggregation: Aggregation
    pack: str
    sittings: tuple[Sitting, ...]


def plan_sittings(
    store: Store,
    benchmark: str,
    model: ModelEntry,
    mode: PromptMode,
    bundled_pack: PromptPack,
    options: SittingOptions,
) -> SittingPlan:
    """Decide every request of a model in a mode; stores nothing.

    The wording is the one imported for this benchmark and mode, if there is one, else ours.
    Parameters that the model is known to refuse are left out. Raises BadInput where no question is
    left or the wording lacks a type.
    """
    questions = _questions(store, benchmark, options)
    pack = imported_pack(store, benchmark, mode.name) or bundled_pack
    wanted = parameter_fields(_sampling_parameters(model, mode, options))
    taken, dropped = accepted_parameters(store, model, wanted)
    sittings = tuple(_sitting(question, pack, model, taken) for question in questions)
    requests = {sitting.request.request_hash: sitting.request for sitting in sittings}
    return SittingPlan(
        benchmark=benchmark,
        model=model,
        mode=mode,
        epoch=options.epoch,
        n_samples=options.samples or mode.n_samples,
        aggregation=mode.aggregation,
        pack=pack.name,
        parameters=taken,
        dropped_parameters=dropped,
        reuse_truncated=not options.retry_truncated,
        requests=tuple(requests.values()),
        sittings=sittings,
    )


def store_sittings(store: Store, run_id: str, plan: SittingPlan) -> None:
    """Append the plan's new requests, and the run's sittings."""
    store_requests(store, run_id, plan)
    now = datetime.now(UTC)
    store.append(
        "sittings",
        [
            {
                "run_id": run_id,
                "benchmark": plan.benchmark,
                "model": plan.model.name,
                "mode": plan.mode.name,
                "epoch": plan.epoch,
                "question_id": sitting.question.question_id,
                "question_hash": sitting.question_hash,
                "request_hash": sitting.request.request_hash,
                "n_samples": plan.n_samples,
                "aggregation": plan.aggregation.value,
                "recorded_at": now,
            }
            for sitting in plan.sittings
        ],
    )


def imported_pack(store: Store, benchmark: str, mode: str) -> PromptPack | None:
    """The wording that was read off response files for this benchmark and mode."""
    rows = store.query("prompt_pack", benchmark=benchmark, mode=mode)
    if rows.is_empty():
        return None
    frames = {
        QuestionType(row["type"]): Frame(prefix=row["prefix"], suffix=row["suffix"])
        for row in rows.iter_rows(named=True)
    }
    return PromptPack(
        name=rows["pack"][0],
        mode=mode,
        whitespace_rule=rows["whitespace_rule"][0],
        by_type=frames,
    )


def _questions(store: Store, benchmark: str, options: SittingOptions) -> list[Question]:
    rows = store.query(
        "questions_to_sit",
        benchmark=benchmark,
        subject=options.subject,
        type=options.type,
        exam=options.exam,
        limit=options.limit,
    )
    if not rows.is_empty():
        return [question_of(row) for row in rows.iter_rows(named=True)]
    known = store.query("known_benchmarks")["benchmark"].to_list()
    if benchmark not in known:
        raise UnknownName(
            f"benchmark {benchmark!r} has no questions; known: {', '.join(known) or 'none yet'} "
            "(proctor import questions FILE --benchmark NAME makes one)"
        )
    raise BadInput(
        f"no kept question of {benchmark!r} has subject={options.subject or 'any'}, "
        f"type={options.type or 'any'}, exam={options.exam or 'any'}"
    )


def _sampling_parameters(
    model: ModelEntry, mode: PromptMode, options: SittingOptions
) -> SamplingParameters:
    settings: dict[str, Any] = {
        "temperature": mode.temperature,
        "max_tokens": mode.max_tokens,
    }
    settings |= dict(model.parameters)
    settings |= {
        name: value
        for name in ("temperature", "max_tokens", "effort")
        if (value := getattr(options, name)) is not None
    }
    extra = {**model.extra_body, **options.extra_body}
    return SamplingParameters(**settings, extra_body=extra)


def _sitting(
    question: Question, pack: PromptPack, model: ModelEntry, parameters: Mapping[str, Any]
) -> Sitting:
    if question.type not in pack.by_type:
        raise BadInput(
            f"the prompts {pack.name!r} have no wording for type {question.type.value!r} "
            f"(question {question.question_id!r})"
        )
    prompt = messages(render(question, pack), model.system_prompt)
    return Sitting(question, question_hash(question), plan_request(model, prompt, parameters))
