"""Reads a review file: what people say that replies answer, as the review sheet saves it.

`{"proctor_review": 1, "benchmark": …, "reviewer": …, "corrections": [{"call_id", "sample_index",
"question_hash", "question_id", "status", "answer", "note"}]}`. Every fault is one BadInput with its
place; nothing is guessed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tasks.core.errors import BadInput
from tasks.core.extraction import extract
from tasks.core.files.strict_json import whole_value
from tasks.core.files.text import decode
from tasks.core.questions.answer_keys import read_expression
from tasks.core.types import ExtractStatus, Question, QuestionType

FORMAT = 1
_STATUSES = tuple(status for status in ExtractStatus if status is not ExtractStatus.TRUNCATED)
_FILE_FIELDS = {"proctor_review", "benchmark", "reviewer", "corrections"}
_FIELDS = {"call_id", "sample_index", "question_hash", "question_id", "status", "answer", "note"}


@dataclass(frozen=True, slots=True)
class Correction:
    """What a person says of one reply. `answer`: as typed; None unless status is answered.
    `place`: file and number of the correction, for messages."""

    call_id: str
    sample_index: int
    question_hash: str
    question_id: str
    status: ExtractStatus
    answer: str | None
    note: str
    place: str


@dataclass(frozen=True, slots=True)
class Review:
    """A whole file."""

    benchmark: str
    reviewer: str
    corrections: tuple[Correction, ...]


def parse_review(content: bytes, name: str) -> Review:
    """Read a review file called `name`. Raises BadInput for another kind of file, for an unknown or
    missing field, a value of another type, and a reply that is corrected twice."""
    value = whole_value(decode(content, name).text, name)
    if not isinstance(value, dict) or "proctor_review" not in value:
        raise BadInput(f"{name}: no review file; a sheet of `proctor review extracts` saves one")
    if value["proctor_review"] != FORMAT:
        raise BadInput(
            f"{name}: a review of format {value['proctor_review']!r}, this Proctor reads {FORMAT}; "
            "make the sheet anew"
        )
    _refuse_unknown(value, _FILE_FIELDS, name)
    rows = value.get("corrections")
    if not isinstance(rows, list):
        raise BadInput(f"{name}: corrections must be a list")
    corrections = tuple(
        _correction(row, f"{name}: correction {i}") for i, row in enumerate(rows, 1)
    )
    seen: dict[tuple[str, int, str], Correction] = {}
    for each in corrections:
        key = (each.call_id, each.sample_index, each.question_hash)
        if key in seen:
            raise BadInput(f"{each.place}: corrects the same reply as {seen[key].place}; keep one")
        seen[key] = each
    return Review(_text(value, "benchmark", name), _text(value, "reviewer", name), corrections)


def _correction(row: Any, place: str) -> Correction:
    if not isinstance(row, dict):
        raise BadInput(f"{place}: must be an object")
    _refuse_unknown(row, _FIELDS, place)
    index = row.get("sample_index")
    if type(index) is not int or not 0 <= index < 2**31:
        raise BadInput(f"{place}: sample_index must be a whole number from 0")
    status = _text(row, "status", place)
    if status not in _STATUSES:
        raise BadInput(f"{place}: status {status!r} must be one of {', '.join(_STATUSES)}")
    answer = row.get("answer")
    if status == ExtractStatus.ANSWERED:
        answer = _text(row, "answer", place)
    elif answer is not None:
        raise BadInput(f"{place}: status {status} has no answer, yet answer is {answer!r}")
    return Correction(
        call_id=_text(row, "call_id", place),
        sample_index=index,
        question_hash=_text(row, "question_hash", place),
        question_id=_text(row, "question_id", place),
        status=ExtractStatus(status),
        answer=answer,
        note=_text(row, "note", place),
        place=place,
    )


def answer_to(question: Question, correction: Correction) -> str | None:
    """The corrected answer in the normal form of extracts: a person may type `b, d` or `1/2`.

    None where the person says that there is none. Raises BadInput for a text that is no answer to
    this question: prose, a letter that it does not have, several numbers.
    """
    if correction.answer is None:
        return None
    found = extract(correction.answer, question)
    if found.answer is not None and found.rule == "whole_text":
        return found.answer
    if question.type is QuestionType.EXPRESSION and (form := read_expression(correction.answer)):
        return form.text
    options = f" with options {', '.join(question.options)}" if question.options else ""
    raise BadInput(
        f"{correction.place} ({correction.question_id}): {correction.answer!r} is no answer to a "
        f"question of type {question.type.value}{options}"
    )


def _refuse_unknown(row: Mapping[str, Any], known: set[str], place: str) -> None:
    if unknown := sorted(row.keys() - known):
        raise BadInput(f"{place}: unknown field {unknown[0]!r}; known: {', '.join(sorted(known))}")


def _text(row: Mapping[str, Any], field: str, place: str) -> str:
    value = row.get(field)
    if not isinstance(value, str):
        raise BadInput(f"{place}: {field} must be a text")
    return value
