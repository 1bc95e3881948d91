"""One row of a user's table and how its fields are read: values stay as they are written.

Field names count without regard to case, blanks and hyphens (`Question ID` is `question_id`).
A field that is missing, null or (in text) blank is absent: None. Every refusal names the file,
the row and the field.
"""

import difflib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from tasks.core.errors import BadInput
from tasks.core.files.strict_json import WrittenFloat

Item = TypeVar("Item")
Value = TypeVar("Value")

_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class Found(NamedTuple):
    """A field as the file spells it, and its value, which is not None."""

    field: str
    value: Any


def plain_name(name: str) -> str:
    """Write a field name in the form in which names are compared: `Option-A` → `option_a`."""
    return "_".join(name.replace("-", " ").casefold().split())


@dataclass(frozen=True, slots=True)
class Row:
    """`place` says where in the file: "row 3" (1-based), "line 3" in JSONL."""

    file: str
    place: str
    fields: Mapping[str, Any]
    _spelled: Mapping[str, str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        spelled: dict[str, str] = {}
        for name in self.fields:
            other = spelled.setdefault(plain_name(name), name)
            if other != name:
                raise self.fault(name, f"is the same field as {other!r}; keep one")
        object.__setattr__(self, "_spelled", spelled)

    def fault(self, field: str, what: str) -> BadInput:
        """Make the refusal of one field."""
        return BadInput(f"{self.file}: {self.place}: field {shown(field)}: {what}")

    def has(self, *names: str) -> bool:
        """Whether the row has a field of one of these plain names, even null or blank."""
        return any(name in self._spelled for name in names)

    def find(self, *names: str) -> Found | None:
        """Return the value under any of these plain names. Raises where two of them differ."""
        found: Found | None = None
        for name in names:
            if name not in self._spelled:
                continue
            candidate = Found(self._spelled[name], self.fields[self._spelled[name]])
            if candidate.value is None or _is_blank(candidate.value):
                continue
            if found is None:
                found = candidate
            elif as_text(found.value) != as_text(candidate.value):
                raise self.fault(candidate.field, f"differs from field {found.field!r}; keep one")
        return found

    def text(self, *names: str) -> str | None:
        """Text, or a number as it is written, without blanks around it."""
        found = self.find(*names)
        return None if found is None else self._text(found).strip()

    def verbatim(self, *names: str) -> str | None:
        """Text with every blank and line break that it has."""
        found = self.find(*names)
        return None if found is None else self._text(found)

    def whole_number(self, *names: str) -> int | None:
        """Read a whole number of at most nine digits, from a number or its text."""
        found = self.find(*names)
        if found is None:
            return None
        written = self._text(found).strip()
        if not written.isascii() or not written.isdecimal() or len(written) > 9:
            raise self.fault(found.field, f"{shown(written)} is no whole number from 0 up")
        return int(written)

    def truth(self, *names: str) -> bool | None:
        """Read a JSON boolean, or true/false, yes/no, 1/0 as text."""
        found = self.find(*names)
        if found is None or isinstance(found.value, bool):
            return None if found is None else found.value
        written = self._text(found).strip().casefold()
        if written not in _TRUTH:
            raise self.fault(found.field, f"{shown(written)} is neither true nor false")
        return _TRUTH[written]

    def one_of(self, allowed: Sequence[str], *names: str) -> str | None:
        """Text out of a closed list, spelled exactly so."""
        found = self.find(*names)
        if found is None:
            return None
        written = self._text(found).strip()
        if written not in allowed:
            raise self.fault(found.field, unknown_name(written, allowed))
        return written

    def missing(self, *names: str) -> BadInput:
        """Make the refusal of a row that lacks a needed field; names a field that looks like it."""
        wanted = " or ".join(repr(name) for name in names)
        near = difflib.get_close_matches(names[0], self._spelled, n=1, cutoff=0.86)
        present = self.has(*names)
        hint = f"; is {self._spelled[near[0]]!r} meant for it?" if near and not present else ""
        state = "is empty" if present else "is missing"
        return BadInput(f"{self.file}: {self.place}: field {wanted} {state}{hint}")

    def checked(self, field: str, text: str) -> str:
        """Return the text if it is whole Unicode; lone surrogates cannot be stored as text."""
        try:
            text.encode()
        except UnicodeEncodeError as error:
            half = f"\\u{ord(text[error.start]):04x}"
            raise self.fault(
                field, f"holds half a character ({half}, a lone surrogate); mend the text"
            ) from None
        return text

    def rest(self, taken: Iterable[str]) -> dict[str, Any]:
        """Return the fields under none of these plain names, spelled as in the file."""
        names = set(taken)
        rest = {
            spelled: self.fields[spelled]
            for name, spelled in self._spelled.items()
            if name not in names
        }
        for name, value in rest.items():
            self.checked(name, json.dumps(value, ensure_ascii=False))
        return rest

    def _text(self, found: Found) -> str:
        text = as_text(found.value)
        if text is None:
            raise self.fault(
                found.field, f"expected text or a number, found {json_kind(found.value)}"
            )
        return self.checked(found.field, text)


def read_each(rows: Iterable[Item], read: Callable[[Item], Value]) -> list[Value]:
    """Return `read` of every row. Raises the first refusal, and counts the rows with others."""
    values: list[Value] = []
    faults: list[str] = []
    for row in rows:
        try:
            values.append(read(row))
        except BadInput as fault:
            faults.append(str(fault))
    if faults:
        more = len(faults) - 1
        also = f" ({more} more row{'s have' if more > 1 else ' has'} faults)" if more else ""
        raise BadInput(faults[0] + also)
    return values


def as_text(value: Any) -> str | None:
    """Text, or a number as it was written; None for everything else, booleans too."""
    match value:
        case str():
            return value
        case WrittenFloat():
            return value.literal
        case bool():
            return None
        case int():
            return str(value)
    return None


def json_kind(value: Any) -> str:
    """Say what a JSON value is, in words."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return "text"
        case int() | float():
            return "a number"
        case list():
            return "a list"
    return "an object"


def unknown_name(name: str, allowed: Sequence[str]) -> str:
    """Says that a name is not in a closed list: the list, and the nearest of it."""
    folded = {each.casefold(): str(each) for each in allowed}
    near = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.5)
    hint = f"; nearest is {folded[near[0]]!r}" if near else ""
    return f"{shown(name)} is not one of {', '.join(allowed)}{hint}"


def shown(text: str) -> str:
    """Text as a message quotes it: one line, cut where long."""
    return repr(text if len(text) <= 60 else text[:60] + "…")


def _is_blank(value: Any) -> bool:
    return isinstance(value, str) and not value.strip()
