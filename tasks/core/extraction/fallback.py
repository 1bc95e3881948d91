"""A model reads what the rules could not: what it is asked, and what its reply is worth.

The reader sees the question and the end of the response, and replies with one line `FINAL: …`. It
copies, it does not solve: an answer that the end of the response does not contain is not taken. The
response is data, between two marks that it cannot write itself.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from tasks.core.extraction import extract
from tasks.core.extraction.characters import fold
from tasks.core.extraction.option_values import option_of_text
from tasks.core.extraction.quantities import standalone
from tasks.core.extraction.thinking import blank_thinking
from tasks.core.hashing import content_hash
from tasks.core.prompts.rendering import fill
from tasks.core.types import Extract, ExtractStatus, Question, QuestionType

READER_RULE = "model"
MAX_TOKENS = 64
READ_CHARACTERS = 2_000
"""How much of the end of a response the reader sees."""

_FORMS: Mapping[QuestionType, str] = {
    QuestionType.MCQ: "one option letter",
    QuestionType.MCQ_MULTIPLE: "all option letters it gives, without separators, such as ABD",
    QuestionType.INTEGER: "one whole number in digits",
    QuestionType.NUMERIC: "one number in digits",
    QuestionType.EXPRESSION: "one expression or number",
}
_FINAL = re.compile(r"(?im)^[ \t*`>]*+FINAL[ \t]*+:[ \t*`]*+(?P<answer>[^\n]*)$")
_NO_ANSWER = {"none", "no answer"}
_UNCLEAR = {"unclear", "ambiguous"}
_SCHEMA = {
    "type": "json_schema",
    "json_schema": {
        "name": "final_answer",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {"final": {"type": "string"}},
            "required": ["final"],
            "additionalProperties": False,
        },
    },
}


def reader_prompt(template: str, text: str, question: Question) -> str:
    """What the reader is asked about one response. The marks around the response are named after
    its hash, which no text can contain of itself."""
    tail = blank_thinking(text)[-READ_CHARACTERS:]
    mark = content_hash(tail).partition(":")[2][:12]
    values = {
        "question": question.question,
        "form": _FORMS[question.type],
        "mark": mark,
        "response": tail,
    }
    return fill(template, values)


def reader_fields(*, structured: bool) -> dict[str, Any]:
    """The fields of the reader's requests beside the messages; `structured`: as JSON by schema."""
    fields: dict[str, Any] = {"temperature": 0.0, "top_p": 1.0, "max_tokens": MAX_TOKENS}
    return fields | ({"response_format": _SCHEMA} if structured else {})


def read_reader(reply: str, text: str, question: Question) -> Extract:
    """What the reader says that the response `text` answers.

    Rule `model`; status `UNPARSED` where the reply has another form than asked for, an answer that
    fits no question of this type, or one that the end of the response does not contain. No span:
    the reader does not say where.
    """
    final = _final_of(reply)
    if final is None:
        return Extract(None, ExtractStatus.UNPARSED, READER_RULE)
    if final.lower() in _NO_ANSWER:
        return Extract(None, ExtractStatus.ABSTAINED, READER_RULE)
    if final.lower() in _UNCLEAR:
        return Extract(None, ExtractStatus.AMBIGUOUS, READER_RULE)
    found = extract(final, question)
    if found.status is not ExtractStatus.ANSWERED or found.rule != "whole_text":
        return Extract(None, ExtractStatus.UNPARSED, READER_RULE)
    assert found.answer is not None
    if not _contains(blank_thinking(fold(text))[-READ_CHARACTERS:], found.answer, question):
        return Extract(None, ExtractStatus.UNPARSED, READER_RULE)
    return Extract(found.answer, ExtractStatus.ANSWERED, READER_RULE)


def _final_of(reply: str) -> str | None:
    """The answer of a reply in one of the two forms: a JSON object, or one `FINAL:` line."""
    shown = blank_thinking(reply).strip()
    if shown.startswith("{"):
        try:
            final = json.loads(shown).get("final")
        except (ValueError, RecursionError):
            return None
        return final.strip() if isinstance(final, str) else None
    lines = [found["answer"].strip(" \t\r*`.") for found in _FINAL.finditer(shown)]
    return lines[0] if len(lines) == 1 else None


def _contains(tail: str, answer: str, question: Question) -> bool:
    if question.type in (QuestionType.MCQ, QuestionType.MCQ_MULTIPLE):
        return all(_names(tail, letter, question) for letter in answer)
    return any(quantity.answer == answer for quantity in standalone(tail, 0, len(tail)))


def _names(tail: str, letter: str, question: Question) -> bool:
    if re.search(rf"(?<![A-Za-z]){letter}(?![A-Za-z])", tail):
        return True
    option = question.options.get(letter)
    return option is not None and option_of_text(tail, {letter: option}) == letter
