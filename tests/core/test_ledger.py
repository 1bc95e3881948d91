"""What the ledger keeps of a call: every slot asked for gets its row, or is asked again."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from tasks.core.calls.ledger import CallRecord, ledger_rows
from tasks.core.calls.text_storage import from_stored
from tasks.core.types import Choice, CompletionStatus, Purpose, Reply, Usage

OK, ERROR = CompletionStatus.OK, CompletionStatus.ERROR
RECORD = CallRecord(
    run_id="r",
    purpose=Purpose.SAMPLE,
    endpoint="e",
    model="m",
    request_hash="h",
    epoch="2026-W01",
    sample_indices=(4, 7),
    status=OK,
    reply=Reply(
        choices=(Choice(OK, "first", "stop"), Choice(OK, "half \ud83d pair", "stop")),
        usage=Usage(input_tokens=11, output_tokens=14, reasoning_tokens=3),
        served_model="m-2026",
        response_id="x1",
        extra={"note": {"queue": 2}},
    ),
    http_status=200,
    error_code=None,
    error=None,
    n_attempts=2,
    cost_usd=0.25,
    started_at=datetime(2026, 1, 1, tzinfo=UTC),
    duration_s=1.5,
)


def rows(record: CallRecord) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    tables = ledger_rows(record)
    assert tables.keys() == {"calls", "completions"}
    (call,) = tables["calls"]
    return call, tables["completions"]


def test_choices_go_to_the_slots_they_were_asked_for() -> None:
    call, completions = rows(RECORD)
    assert [row["sample_index"] for row in completions] == [4, 7]
    assert [from_stored(row["text"], row["text_bytes"]) for row in completions] == [
        "first",
        "half \ud83d pair",
    ]
    assert {row["call_id"] for row in completions} == {call["call_id"]}
    assert {row["epoch"] for row in completions} == {"2026-W01"}
    assert (call["n_requested"], call["n_returned"]) == (2, 2)
    assert (call["input_tokens"], call["output_tokens"], call["reasoning_tokens"]) == (11, 14, 3)
    assert call["extra"] == {"note": {"queue": 2}}
    assert call["cost_usd"] == 0.25


def test_each_call_has_an_identity_of_its_own() -> None:
    assert rows(RECORD)[0]["call_id"] != rows(RECORD)[0]["call_id"]


def test_a_slot_that_the_server_left_out_has_no_row() -> None:
    assert RECORD.reply is not None
    fewer = replace(RECORD, reply=replace(RECORD.reply, choices=RECORD.reply.choices[:1]))
    call, completions = rows(fewer)
    assert [row["sample_index"] for row in completions] == [4]
    assert (call["n_requested"], call["n_returned"]) == (2, 1)


@pytest.mark.parametrize("reply", [None, Reply((), Usage(input_tokens=5))])
def test_a_failed_call_is_evidence_for_each_of_its_slots(reply: Reply | None) -> None:
    failed = replace(RECORD, status=ERROR, reply=reply, http_status=500, error="boom")
    call, completions = rows(failed)
    assert [(row["sample_index"], row["status"], row["text"]) for row in completions] == [
        (4, "error", ""),
        (7, "error", ""),
    ]
    assert (call["status"], call["http_status"], call["error"]) == ("error", 500, "boom")
    assert call["input_tokens"] == (5 if reply else None)
