"""Table `model_parameters`: what endpoints were seen to accept and refuse, learned once for each.

In: how a model answered a request with certain parameters. Out: one row a fact, by the journal, so
that a killed run has learned it too. Plans leave out or rename what is refused.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from prefect import get_run_logger

from tasks.core.calls.errors import ParameterRefused
from tasks.core.calls.request_body import Refusal
from tasks.core.hashing import canonical_json
from tasks.core.registry.entries import ModelEntry
from tasks.io.journal import Journal
from tasks.io.store import Store


def known_refusals(store: Store, model: ModelEntry) -> tuple[Refusal, ...]:
    """The parameters that the model's endpoint was seen to refuse."""
    rows = store.query("known_parameters", endpoint=model.endpoint_id, api_name=model.api_name)
    return tuple(
        Refusal(row["parameter"], row["value"], row["replaced_by"])
        for row in rows.iter_rows(named=True)
        if not row["is_accepted"]
    )


def unproven_parameters(
    store: Store, model: ModelEntry, parameters: Mapping[str, Any]
) -> dict[str, Any]:
    """The parameters that the model's endpoint was not yet seen to accept with these values."""
    rows = store.query("known_parameters", endpoint=model.endpoint_id, api_name=model.api_name)
    accepted = {
        (row["parameter"], row["value"]) for row in rows.iter_rows(named=True) if row["is_accepted"]
    }
    return {
        name: value
        for name, value in parameters.items()
        if (name, canonical_json(value)) not in accepted
    }


def learn_refusal(
    journal: Journal, run_id: str, model: ModelEntry, refused: ParameterRefused, value: Any
) -> None:
    """Remember that a parameter is refused, with any value or (`value_specific`) with this one."""
    fact = {
        "parameter": refused.parameter,
        "value": canonical_json(value) if refused.value_specific else None,
        "is_accepted": False,
        "replaced_by": refused.replacement,
        "message": refused.message,
    }
    journal.record({"model_parameters": [_row(run_id, model, fact)]})
    get_run_logger().warning(
        "%s refuses the parameter %s%s: %s",
        model.name,
        refused.parameter,
        f"; {refused.replacement} takes its place" if refused.replacement else "",
        refused.message,
    )


def learn_acceptance(
    journal: Journal, run_id: str, model: ModelEntry, parameters: Mapping[str, Any]
) -> None:
    """Remember that these parameters are accepted with these values."""
    facts = [
        {
            "parameter": name,
            "value": canonical_json(value),
            "is_accepted": True,
            "replaced_by": None,
            "message": None,
        }
        for name, value in parameters.items()
    ]
    journal.record({"model_parameters": [_row(run_id, model, fact) for fact in facts]})


def _row(run_id: str, model: ModelEntry, fact: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "endpoint": model.endpoint_id,
        "api_name": model.api_name,
        "run_id": run_id,
        "learned_at": datetime.now(UTC),
        **fact,
    }
