"""Tables `prompts`, `requests`, `sittings`, `dropped_parameters`: what models are asked.

In: a benchmark's kept questions, a mode, a model. Out: for each question the messages, the request
(messages + parameters at an endpoint) and the sitting that ties it to the run. All are rows keyed
by content, so planning the same again stores nothing new but the run's own sittings.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import polars as pl

from tasks.core.calls.request_body import (
    SamplingParameters,
    messages,
    parameter_fields,
    request_body,
    request_hash,
    without_refused,
)
from tasks.core.errors import BadInput, UnknownName
from tasks.core.hashing import content_hash
from tasks.core.prompts.rendering import Frame, PromptPack, render
from tasks.core.questions.stored_rows import question_hash, question_of
from tasks.core.registry.entries import ModelEntry, PromptMode
from tasks.core.types import Aggregation, Question, QuestionType
from tasks.io.store import Store
from tasks.model_parameters import known_refusals


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


@dataclass(frozen=True, slots=True)
class PlannedRequest:
    """One question as it will be asked; `n` and the model's endpoint come in when it is sent."""

    question: Question
    question_hash: str
    prompt_hash: str
    messages: list[dict[str, str]]
    body: Mapping[str, Any]
    request_hash: str


@dataclass(frozen=True, slots=True)
class SittingPlan:
    """All requests of one model in one mode. `parameters` are the fields that each body has;
    `dropped_parameters` those that the model refuses, with the name each is sent under instead."""

    benchmark: str
    model: ModelEntry
    mode: PromptMode
    epoch: str
    n_samples: int
    aggregation: Aggregation
    pack: str
    parameters: Mapping[str, Any]
    dropped_parameters: Mapping[str, str | None]
    reuse_truncated: bool
    requests: tuple[PlannedRequest, ...]


def plan_sitting(
    store: Store,
    benchmark: str,
    model: ModelEntry,
    mode: PromptMode,
    bundled_pack: PromptPack,
    options: SittingOptions,
) -> SittingPlan:
    """Decide every request of a sitting; stores nothing.

    The wording is the one imported for this benchmark and mode, if there is one, else ours.
    Parameters that the model is known to refuse are left out. Raises BadInput where no question is
    left or the wording lacks a type.
    """
    questions = _questions(store, benchmark, options)
    pack = imported_pack(store, benchmark, mode.name) or bundled_pack
    wanted = parameter_fields(_sampling_parameters(model, mode, options))
    refusals = known_refusals(store, model)
    taken = without_refused(wanted, refusals)
    requests = tuple(_planned(question, pack, model, taken) for question in questions)
    return SittingPlan(
        benchmark=benchmark,
        model=model,
        mode=mode,
        epoch=options.epoch,
        n_samples=options.samples or mode.n_samples,
        aggregation=mode.aggregation,
        pack=pack.name,
        parameters=taken,
        dropped_parameters={
            name: next(iter(without_refused({name: value}, refusals)), None)
            for name, value in wanted.items()
            if name not in taken
        },
        reuse_truncated=not options.retry_truncated,
        requests=requests,
    )


def store_sitting(store: Store, run_id: str, plan: SittingPlan) -> None:
    """Append the plan's new prompts and requests, and the run's sittings and dropped parameters."""
    now = datetime.now(UTC)
    hashes = pl.DataFrame({"request_hash": [request.request_hash for request in plan.requests]})
    unknown = set(store.query_with("unknown_requests", hashes)["request_hash"])
    new = [request for request in plan.requests if request.request_hash in unknown]
    store.append(
        "dropped_parameters",
        [
            {"run_id": run_id, "parameter": name, "sent_as": sent_as, "recorded_at": now}
            for name, sent_as in plan.dropped_parameters.items()
        ],
    )
    store.append(
        "prompts",
        [{"prompt_hash": r.prompt_hash, "messages": r.messages} for r in new],
    )
    store.append(
        "requests",
        [
            {
                "request_hash": request.request_hash,
                "endpoint": plan.model.endpoint_id,
                "api_name": plan.model.api_name,
                "prompt_hash": request.prompt_hash,
                "parameters": dict(plan.parameters),
            }
            for request in new
        ],
    )
    store.append(
        "sittings",
        [
            {
                "run_id": run_id,
                "benchmark": plan.benchmark,
                "model": plan.model.name,
                "mode": plan.mode.name,
                "epoch": plan.epoch,
                "question_id": request.question.question_id,
                "question_hash": request.question_hash,
                "request_hash": request.request_hash,
                "n_samples": plan.n_samples,
                "aggregation": plan.aggregation.value,
                "recorded_at": now,
            }
            for request in plan.requests
        ],
    )


def count_cached(store: Store, plan: SittingPlan) -> int:
    """How many samples of a plan need no call."""
    hashes = pl.DataFrame({"request_hash": [request.request_hash for request in plan.requests]})
    counted = store.query_with(
        "count_cached_slots",
        hashes,
        epoch=plan.epoch,
        n_samples=plan.n_samples,
        reuse_truncated=plan.reuse_truncated,
    )
    return int(counted.item())


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


def _planned(
    question: Question, pack: PromptPack, model: ModelEntry, parameters: Mapping[str, Any]
) -> PlannedRequest:
    if question.type not in pack.by_type:
        raise BadInput(
            f"the prompts {pack.name!r} have no wording for type {question.type.value!r} "
            f"(question {question.question_id!r})"
        )
    prompt_messages = messages(render(question, pack), model.system_prompt)
    body = request_body(model.api, model.api_name, prompt_messages, parameters)
    return PlannedRequest(
        question=question,
        question_hash=question_hash(question),
        prompt_hash=content_hash(prompt_messages),
        messages=prompt_messages,
        body=body,
        request_hash=request_hash(model.endpoint_id, body),
    )


def longest_answer(parameters: Mapping[str, Any]) -> int | None:
    """The bound on an answer that these fields of a body set, tokens; None: they set none."""
    bounds = (parameters.get(name) for name in ("max_tokens", "max_completion_tokens"))
    return max((int(bound) for bound in bounds if bound), default=None)


def requests_by_hash(plan: SittingPlan) -> Mapping[str, PlannedRequest]:
    """Requests by their hash; questions that are asked the very same share one."""
    return {request.request_hash: request for request in plan.requests}


def planned_characters(requests: Sequence[PlannedRequest]) -> int:
    """Characters of all prompts together."""
    return sum(len(message["content"]) for request in requests for message in request.messages)
