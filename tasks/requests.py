"""Tables `prompts`, `requests`, `dropped_parameters`: what models are asked, whatever it is for.

In: a model, messages, wanted parameters. Out: requests, keyed by content, so that planning the same
again stores nothing new. Parameters that the model is known to refuse are left out or renamed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import polars as pl

from tasks.core.calls.request_body import request_body, request_hash, without_refused
from tasks.core.hashing import content_hash
from tasks.core.registry.entries import ModelEntry
from tasks.io.store import Store
from tasks.model_parameters import known_refusals


@dataclass(frozen=True, slots=True)
class PlannedRequest:
    """What is asked of a model; `n` and the model's endpoint come in when it is sent."""

    prompt_hash: str
    messages: list[dict[str, str]]
    body: Mapping[str, Any]
    request_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestPlan:
    """Requests to one model, `n_samples` of each; every request is there once.

    `parameters` are the fields that each body has; `dropped_parameters` those that the model
    refuses, with the name each is sent under instead.
    """

    model: ModelEntry
    epoch: str
    n_samples: int
    parameters: Mapping[str, Any]
    dropped_parameters: Mapping[str, str | None]
    reuse_truncated: bool
    requests: tuple[PlannedRequest, ...]

    @property
    def hashes(self) -> pl.DataFrame:
        """The requests in order: request_hash, position."""
        hashes = [request.request_hash for request in self.requests]
        schema = {"request_hash": pl.String, "position": pl.Int64}
        return pl.DataFrame(
            {"request_hash": hashes, "position": list(range(len(hashes)))}, schema=schema
        )


def accepted_parameters(
    store: Store, model: ModelEntry, wanted: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, str | None]]:
    """The fields that the model takes of those wanted, and those it refuses with the name that each
    is sent under instead (None: left out)."""
    refusals = known_refusals(store, model)
    taken = without_refused(wanted, refusals)
    dropped = {
        name: next(iter(without_refused({name: value}, refusals)), None)
        for name, value in wanted.items()
        if name not in taken
    }
    return taken, dropped


def plan_request(
    model: ModelEntry, messages: list[dict[str, str]], parameters: Mapping[str, Any]
) -> PlannedRequest:
    """One request with its identity; stores nothing."""
    body = request_body(model.api, model.api_name, messages, parameters)
    return PlannedRequest(
        prompt_hash=content_hash(messages),
        messages=messages,
        body=body,
        request_hash=request_hash(model.endpoint_id, body),
    )


def store_requests(store: Store, run_id: str, plan: RequestPlan) -> None:
    """Append the plan's new prompts and requests, and the run's dropped parameters."""
    now = datetime.now(UTC)
    unknown = set(store.query_with("unknown_requests", plan.hashes)["request_hash"])
    new = [request for request in plan.requests if request.request_hash in unknown]
    store.append(
        "dropped_parameters",
        [
            {"run_id": run_id, "parameter": name, "sent_as": sent_as, "recorded_at": now}
            for name, sent_as in plan.dropped_parameters.items()
        ],
    )
    store.append("prompts", [{"prompt_hash": r.prompt_hash, "messages": r.messages} for r in new])
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


def count_cached(store: Store, plan: RequestPlan) -> int:
    """How many samples of a plan need no call."""
    counted = store.query_with(
        "count_cached_slots",
        plan.hashes,
        epoch=plan.epoch,
        n_samples=plan.n_samples,
        reuse_truncated=plan.reuse_truncated,
    )
    return int(counted.item())


def longest_answer(parameters: Mapping[str, Any]) -> int | None:
    """The bound on an answer that these fields of a body set, tokens; None: they set none."""
    bounds = (parameters.get(name) for name in ("max_tokens", "max_completion_tokens"))
    return max((int(bound) for bound in bounds if bound), default=None)


def planned_characters(requests: Sequence[PlannedRequest]) -> int:
    """Characters of all prompts together."""
    return sum(len(message["content"]) for request in requests for message in request.messages)
