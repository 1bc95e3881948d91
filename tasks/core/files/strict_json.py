"""JSON as the standard has it, with places in the messages.

Stricter than Python's reader where that would change or lose a value without a word: NaN and the
infinities, numbers that overflow, a field that occurs twice in one object, and nesting that no
data has are refused. Numbers with a fraction keep their spelling (`0.50` stays `0.50`).
"""

import json
import math
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

from tasks.core.errors import BadInput

MAX_DEPTH = 64
MAX_DIGITS = 1000

_BLANKS = " \t\r\n"


class WrittenFloat(float):
    """A number that remembers how it was written."""

    literal: str

    def __new__(cls, literal: str) -> "WrittenFloat":
        """Read a number. Raises ValueError where the number is too large for a float."""
        number = super().__new__(cls, literal)
        if not math.isfinite(number):
            raise _Refused(f"the number {_shown(literal)} is too large")
        number.literal = literal
        return number


class JsonValue(NamedTuple):
    """`line` is that of the value's first character; lines and rows are 1-based."""

    value: Any
    line: int


def array_items(text: str, name: str) -> Iterator[JsonValue]:
    """Read the items of one JSON array. Raises BadInput with row, line and column."""
    at = _skip_blanks(text, _skip_blanks(text, 0) + 1)
    line, counted = 1, 0
    row = 0
    while not (row == 0 and text.startswith("]", at)):
        row += 1
        line, counted = line + text.count("\n", counted, at), at
        try:
            value, at = _DECODER.raw_decode(text, at)
            _refuse_depth(value)
        except (ValueError, RecursionError) as error:
            raise BadInput(f"{name}: row {row}: {_explain(error, text, line)}") from None
        yield JsonValue(value, line)
        at = _skip_blanks(text, at)
        if not text.startswith(",", at):
            break
        at = _skip_blanks(text, at + 1)
    if not text.startswith("]", at):
        gap = json.JSONDecodeError("Expecting ',' or ']'", text, at)
        raise BadInput(f"{name}: after row {row}: {_explain(gap, text, line)}")
    end = _skip_blanks(text, at + 1)
    if end < len(text):
        surplus = json.JSONDecodeError("Extra data after the array", text, end)
        raise BadInput(f"{name}: {_explain(surplus, text, line)}")


def whole_value(text: str, name: str) -> Any:
    """Read the value of a text that is one JSON document. Raises BadInput with line and column."""
    try:
        value = _DECODER.decode(text)
        _refuse_depth(value)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{name}: {_explain(error, text, 1)}") from None
    return value


def line_value(text: str, name: str, line: int) -> Any:
    """Read the value of one line of a JSONL file. Raises BadInput with line and column."""
    try:
        value = _DECODER.decode(text)
        _refuse_depth(value)
    except json.JSONDecodeError as error:
        raise BadInput(
            f"{name}: line {line}, column {error.colno}: not JSON: {error.msg}"
        ) from None
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{name}: {_explain(error, text, line)}") from None
    return value


class _Refused(ValueError):
    """JSON that is well formed by Python's reader and still refused."""


def _explain(error: ValueError | RecursionError, text: str, line: int) -> str:
    if isinstance(error, RecursionError):
        return f"line {line}: nested more than {MAX_DEPTH} deep"
    if not isinstance(error, json.JSONDecodeError):
        return f"line {line}: {error}"
    where = f"line {error.lineno}, column {error.colno}"
    if error.msg.startswith("Unterminated") or not text[error.pos :].strip(_BLANKS):
        return f"{where}: the JSON breaks off: {error.msg}"
    return f"{where}: not JSON: {error.msg}"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Refused(f"field {_shown(twice)} occurs twice in one object")
    return fields


def _integer(literal: str) -> int:
    if len(literal) > MAX_DIGITS:
        raise _Refused(f"a number of {len(literal)} digits; write it as text")
    return int(literal)


def _constant(literal: str) -> NoReturn:
    raise _Refused(f"{literal} is no JSON number; write null, or text in quotes")


def _refuse_depth(value: Any) -> None:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return
    raise _Refused(f"nested more than {MAX_DEPTH} deep")


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    return at


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "…")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_float=WrittenFloat,
    parse_int=_integer,
    parse_constant=_constant,
)
