"""Answer keys as users bring them: JSON, JSONL or CSV rows of a question's identity and its gold.

Fields: `question_id` (or `id`, `uid`), else `exam` and `number` (or `description`, `index`);
`gold` (or `answer`, `key`). A gold is the text as published: several accepted (`A or C`), a range
(`2.30 to 2.40`), `dropped`; a JSON list means that each of its answers is accepted (letters of
MCQ(multiple): one set). Whether a gold fits depends on the question's type and options, which the
file need not name: `key_for` decides it against the stored question.
"""

from dataclasses import dataclass
from typing import NamedTuple

from tasks.core.errors import BadInput
from tasks.core.files.questions import check_gold, gold_text, row_identity
from tasks.core.files.rows import Found, Row, read_each, shown
from tasks.core.files.tables import Format, read_table
from tasks.core.types import Question

_GOLD = ("gold", "answer", "key")
_KNOWN = frozenset(("question_id", "id", "uid", "exam", "number", "description", "index", *_GOLD))


@dataclass(frozen=True, slots=True)
class RecordedKey:
    """A key of one question, as the row has it."""

    question_id: str
    row: Row
    found: Found


class KeyFile(NamedTuple):
    """At least one key, question ids distinct."""

    format: Format
    keys: tuple[RecordedKey, ...]
    notices: tuple[str, ...]


def parse_keys(content: bytes | str, name: str) -> KeyFile:
    """Read the keys of a file. Raises BadInput naming file, row and field."""
    table = read_table(content, name, _KNOWN.__contains__)
    taken: dict[str, str] = {}

    def read(row: Row) -> RecordedKey:
        identity = row_identity(row)
        found = row.find(*_GOLD)
        if found is None:
            raise row.missing(*_GOLD)
        if other := taken.get(identity):
            raise row.fault("question_id", f"{shown(identity)} is already that of {other}")
        taken[identity] = row.place
        return RecordedKey(identity, row, found)

    return KeyFile(table.format, tuple(read_each(table.rows, read)), table.notices)


def key_for(key: RecordedKey, question: Question) -> str:
    """Return the gold's text. Raises BadInput where it does not fit the question."""
    gold = gold_text(key.row, key.found, question.type)
    try:
        check_gold(gold, question.type, question.options)
    except BadInput as fault:
        raise key.row.fault(key.found.field, f"{fault} (question {key.question_id})") from None
    return gold
