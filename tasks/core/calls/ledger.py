"""A model call as rows of `calls` and `completions`. Only the change of form, and the price."""

import itertools
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tasks.core.calls.text_storage import to_stored
from tasks.core.types import Choice, CompletionStatus, Purpose, Reply, Usage

# A call's id: 80 random bits of this process and a number; a UUID for each costs ten times more.
_PROCESS = uuid.uuid4().hex[:20]
_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class CallRecord:
    """What the ledger keeps of one request, whatever came of it.

    `sample_indices` are the slots that were asked for, in the order of the reply's choices.
    `duration_s` runs from the first attempt to the end of the last.
    """

    run_id: str
    purpose: Purpose
    endpoint: str
    model: str
    request_hash: str
    epoch: str
    sample_indices: Sequence[int]
    status: CompletionStatus
    reply: Reply | None
    http_status: int | None
    error_code: str | None
    error: str | None
    n_attempts: int
    cost_usd: float | None
    started_at: datetime
    duration_s: float


def ledger_rows(record: CallRecord) -> dict[str, list[dict[str, Any]]]:
    """Table → rows. Every slot that was asked for gets a completion row: its choice, or where the
    reply has none for it, the way the call failed. A reply with fewer choices than asked for
    leaves the remaining slots without a row, so that they are asked again."""
    call_id = f"{_PROCESS}{next(_numbers):012x}"
    reply = record.reply
    usage = reply.usage if reply else Usage()
    choices = reply.choices if reply else ()
    call = {
        "call_id": call_id,
        "run_id": record.run_id,
        "purpose": record.purpose.value,
        "endpoint": record.endpoint,
        "model": record.model,
        "request_hash": record.request_hash,
        "n_requested": len(record.sample_indices),
        "n_returned": len(choices),
        "status": record.status.value,
        "http_status": record.http_status,
        "error_code": record.error_code,
        "error": record.error,
        "n_attempts": record.n_attempts,
        "input_tokens": usage.input_tokens,
        "cached_input_tokens": usage.cached_input_tokens,
        "output_tokens": usage.output_tokens,
        "reasoning_tokens": usage.reasoning_tokens,
        "cost_usd": record.cost_usd,
        "served_model": reply.served_model if reply else None,
        "response_id": reply.response_id if reply else None,
        "extra": dict(reply.extra) if reply else {},
        "started_at": record.started_at,
        "duration_s": record.duration_s,
    }
    now = datetime.now(UTC)
    if choices:
        pairs = list(zip(record.sample_indices, choices, strict=False))
    else:
        failed = Choice(status=record.status, text="")
        pairs = [(index, failed) for index in record.sample_indices]
    completions = [
        {
            "request_hash": record.request_hash,
            "epoch": record.epoch,
            "sample_index": index,
            "call_id": call_id,
            **_choice_columns(choice),
            "received_at": now,
        }
        for index, choice in pairs
    ]
    return {"calls": [call], "completions": completions}


def _choice_columns(choice: Choice) -> Mapping[str, Any]:
    text, exact = to_stored(choice.text)
    return {
        "status": choice.status.value,
        "finish_reason": choice.finish_reason,
        "text": text,
        "text_bytes": exact,
        "reasoning": choice.reasoning,
        "tool_calls": [dict(tool_call) for tool_call in choice.tool_calls],
    }
