"""Strict reading of one TOML block: every key is known, every value of its type, or BadInput.

A fault is one line: file, block, key, what is wrong, what is right. Nothing is converted: `"3"` is
no number, `true` is no integer, and a time is no date.
"""

import difflib
import math
import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, NoReturn, TypeVar

from tasks.core.errors import BadInput
from tasks.core.hashing import canonical_json

MAX_SHOWN = 60
Value = TypeVar("Value")

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


class Block:
    """One table of a file. Take out each key by its type, then call `finish`.

    `path` is the block's name and, for a table inside it, the keys that lead there.
    """

    def __init__(self, file: str, path: tuple[str, ...], values: Any) -> None:
        self.file = file
        self.path = path
        if not isinstance(values, Mapping):
            shown_path = ".".join(path)
            raise BadInput(f"{file}: {shown_path!r} is {_kind(values)}, not a block [{shown_path}]")
        if not path[0].strip() or not path[0].isprintable() or path[0] != path[0].strip():
            raise BadInput(
                f"{file}: [{path[0]!r}]: a block's name is text without blanks around it"
            )
        self._values = dict(values)
        self._known: list[str] = []

    def fault(self, key: str, what: str) -> NoReturn:
        """Raise the refusal of one key."""
        name = ".".join(_shown_key(part) for part in self.path)
        raise BadInput(f"{self.file}: [{name}] {_shown_key(key)}: {what}")

    def missing(self, key: str, what: str = "is missing") -> NoReturn:
        """Raise the refusal of a key that is not there, or of one that looks like it."""
        unread = [name for name in self._values if name not in self._known]
        for misspelled in difflib.get_close_matches(key, unread, n=1):
            self.fault(misspelled, f"unknown key; did you mean {key!r}?")
        self.fault(key, what)

    def needed(self, key: str, value: Value | None) -> Value:
        """Return the value of a key that must be there."""
        if value is None:
            self.missing(key)
        return value

    def finish(self) -> None:
        """Refuse what was not asked for: a misspelled key must not be a setting without effect."""
        for key in self._values:
            if key not in self._known:
                self.fault(key, f"unknown key; {_nearest(key, self._known)}")

    def text(self, key: str, *, may_be_blank: bool = False) -> str | None:
        """Text, with something in it unless it may be blank."""
        value = self._take(key)
        if value is None:
            return None
        if not isinstance(value, str) or not (may_be_blank or value.strip()):
            self._wrong_type(key, value, 'text in quotes, like "…"')
        return str(value)

    def integer(self, key: str, *, least: int = 1) -> int | None:
        """A whole number of at least `least`."""
        value = self._take(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            self._wrong_type(key, value, "a whole number")
        if value < least:
            self.fault(key, f"is {value}; it must be at least {least}")
        return int(value)

    def number(self, key: str, *, least: float = -math.inf, most: float = math.inf) -> float | None:
        """A finite number within bounds, ends included."""
        value = self._take(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            self._wrong_type(key, value, "a number")
        if not math.isfinite(value) or not least <= value <= most:
            self.fault(key, f"is {value}; it must be {_bounds(least, most)}")
        return float(value)

    def date(self, key: str) -> date | None:
        """A day, written without quotes."""
        value = self._take(key)
        if value is None:
            return None
        if isinstance(value, datetime) or not isinstance(value, date):
            self._wrong_type(key, value, "a date without quotes, like 2024-06-01")
        return value

    def one_of(self, key: str, members: tuple[str, ...]) -> str | None:
        """One text of a closed set."""
        value = self.text(key)
        if value is not None and value not in members:
            self.fault(key, f"{value!r} is not known; {_nearest(value, members)}")
        return value

    def several_of(self, key: str, members: tuple[str, ...]) -> frozenset[str]:
        """A list of texts of a closed set; empty where the key is absent."""
        values = self.texts(key)
        for value in values:
            if value not in members:
                self.fault(key, f"{value!r} is not known; {_nearest(value, members)}")
        return frozenset(values)

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; empty where the key is absent."""
        values = self._take(key)
        if values is None:
            return ()
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            self._wrong_type(key, values, 'a list of texts, like ["…"]')
        return tuple(values)

    def table(self, key: str) -> "Block | None":
        """A table inside this one."""
        value = self._take(key)
        if value is None:
            return None
        if not isinstance(value, Mapping):
            self._wrong_type(key, value, "a table, like { … }")
        return Block(self.file, (*self.path, key), value)

    def tables(self, key: str) -> tuple["Block", ...]:
        """A list of tables, written `[[block.key]]`; empty where the key is absent."""
        values = self._take(key)
        if values is None:
            return ()
        if not isinstance(values, list) or not all(isinstance(value, Mapping) for value in values):
            self._wrong_type(
                key, values, f"a list of tables, each written [[{self.path[0]}.{key}]]"
            )
        return tuple(
            Block(self.file, (*self.path, key, str(number)), value)
            for number, value in enumerate(values, start=1)
        )

    def json_object(self, key: str) -> Mapping[str, Any]:
        """A table whose keys are anybody's, of values that JSON has; empty where it is absent."""
        value = self._take(key)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            self._wrong_type(key, value, "a table, like { … }")
        try:
            canonical_json(value)
        except ValueError as error:
            self.fault(key, f"goes to the model as JSON, but {error}")
        return dict(value)

    def _take(self, key: str) -> Any:
        self._known.append(key)
        return self._values.get(key)

    def _wrong_type(self, key: str, value: Any, wanted: str) -> NoReturn:
        self.fault(key, f"is {_kind(value)}; it must be {wanted}")


def _nearest(name: str, known: tuple[str, ...] | list[str]) -> str:
    names = sorted(set(known))
    nearest = difflib.get_close_matches(name.casefold(), names, n=1)
    return f"did you mean {nearest[0]!r}?" if nearest else f"known: {', '.join(names)}"


def _kind(value: Any) -> str:
    match value:
        case bool():
            return "true or false"
        case int() | float():
            return f"the number {value}"
        case str() if not value.strip():
            return "empty text"
        case str():
            return "text"
        case datetime():
            return "a date with a time"
        case date():
            return "a date"
        case list():
            return "a list"
        case Mapping():
            return "a table"
        case _:
            return f"a {type(value).__name__}"


def _shown_key(part: str) -> str:
    shown = part if len(part) <= MAX_SHOWN else part[:MAX_SHOWN] + "…"
    return shown if _BARE_KEY.fullmatch(shown) else repr(shown)


def _bounds(least: float, most: float) -> str:
    match math.isfinite(least), math.isfinite(most):
        case True, True:
            return f"from {least:g} to {most:g}"
        case True, False:
            return f"{least:g} or more"
        case False, True:
            return f"{most:g} or less"
        case _:
            return "a finite number"
