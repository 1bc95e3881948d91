"""What a page shows of questions and responses, as data that it unpacks and shows as plain text."""

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from tasks.core.report.latex import question_nodes
from tasks.core.report.markup import Node, element
from tasks.core.types import QuestionType

Row = Mapping[str, Any]


def packed(value: Any) -> str:
    """JSON, deflated (zlib format), in base64: nothing in it can end a script element. Equal values
    give equal texts."""
    plain = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(zlib.compress(plain.encode(), level=9)).decode()


def question_record(row: Row) -> dict[str, Any]:
    """A question with its text as nodes; open prompts are no LaTeX and stay as they are."""
    body: Sequence[Node]
    if row["type"] == QuestionType.OPEN:
        body = (element("div", row["question"], class_="plain"),)
    else:
        body = question_nodes(row["question"])
    return {**row, "body": body, "options": json.loads(row["options"])}


def sample_record(row: Row) -> dict[str, Any]:
    """A sample with its text cut in three: before, inside and after the span that was read as the
    answer (all in the first part where there is none). `pieces` None: the text was left out."""
    record = {**row, "candidates": json.loads(row["candidates"] or "[]"), "pieces": None}
    reply = record.pop("reply")
    start, end = record.pop("span_start"), record.pop("span_end")
    if reply is not None:
        record["pieces"] = _pieces(reply, start, end)
    return record


def prompt_record(row: Row) -> dict[str, Any]:
    """The messages of a prompt; None: left out."""
    return {
        "prompt_hash": row["prompt_hash"],
        "messages": None if row["messages"] is None else json.loads(row["messages"]),
    }


def _pieces(text: str, start: int | None, end: int | None) -> tuple[str, str, str]:
    if start is None or end is None:
        return text, "", ""
    return text[:start], text[start:end], text[end:]
