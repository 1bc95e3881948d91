"""A layout profile: how one family of papers marks its sections, questions and options."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tasks.core.errors import BadInput, UnknownName
from tasks.core.types import QuestionType


@dataclass(frozen=True, slots=True)
class Layout:
    """Patterns are searched in plain text. `subjects`: (subject, heading) in printed order;
    `types`: (type, pattern in the section's instructions), the first match holds."""

    name: str
    question: re.Pattern[str]
    options: re.Pattern[str]
    section: re.Pattern[str]
    paragraph: re.Pattern[str]
    list_heading: re.Pattern[str]
    list_end: re.Pattern[str]
    end: re.Pattern[str]
    default_type: QuestionType
    margin: float
    subjects: tuple[tuple[str, re.Pattern[str]], ...]
    types: tuple[tuple[QuestionType, re.Pattern[str]], ...]


_PATTERNS = ("question", "options", "section", "paragraph", "list_heading", "list_end", "end")


def read_layout(registry: Mapping[str, Any], name: str) -> Layout:
    """The block `layouts.<name>`. Raises `UnknownName`, or `BadInput` naming the wrong field."""
    blocks = registry.get("layouts", {})
    if name not in blocks:
        raise UnknownName(f"no layout {name!r}; there are: {', '.join(sorted(blocks))}")
    block = blocks[name]
    where = f"layouts.{name}"
    patterns = {field: _pattern(block, field, where) for field in _PATTERNS}
    subjects = tuple(
        (entry["subject"], _pattern(entry, "heading", f"{where}.subjects"))
        for entry in block.get("subjects", [])
    )
    types = tuple(
        (_type(entry, "type", where), _pattern(entry, "pattern", f"{where}.types"))
        for entry in block.get("types", [])
    )
    margin = float(block.get("margin", 0.08))
    return Layout(
        name=name, default_type=_type(block, "default_type", where), margin=margin,
        subjects=subjects, types=types, **patterns,
    )  # fmt: skip


def _pattern(block: Mapping[str, Any], field: str, where: str) -> re.Pattern[str]:
    try:
        return re.compile(block[field])
    except KeyError:
        raise BadInput(f"{where}: the field {field!r} is missing") from None
    except re.error as error:
        raise BadInput(f"{where}.{field}: not a regular expression ({error})") from error


def _type(block: Mapping[str, Any], field: str, where: str) -> QuestionType:
    try:
        return QuestionType(block[field])
    except (KeyError, ValueError):
        known = ", ".join(QuestionType)
        raise BadInput(f"{where}.{field}: must be one of {known}") from None
