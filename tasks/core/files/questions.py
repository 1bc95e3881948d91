"""Questions as users bring them: JEEBench's `dataset.json`, Arena-Hard's `question.jsonl`, own
JSON, JSONL or CSV, and Proctor's own export. The format is told by content, row by row.

Fields (the first name is ours, the others are accepted for it):

| field | names | notes |
| --- | --- | --- |
| identity | `question_id`, `id`, `uid` | else `"{exam}|{number}"` |
| `type` | `type`, `question_type` | one of `QuestionType`, spelled exactly; prompts are `Open` |
| `question` | | the whole text; prompts: `prompt`, or `turns` of exactly one |
| `gold` | `gold`, `answer` | absent: no key yet. Read by `answer_keys.parse_key` |
| `subject` | `subject`, `topic`; prompts: `cluster`, `subcategory`, `category` | |
| `exam`, `number` | `exam`, `description`; `number`, `index` | |
| options | `options` (list or object), or columns `A` … `J`, `option_a` … `option_j` | |
| `has_figure`, `status`, `reason` | | `status`: kept, dropped, flagged |

All else goes to `extra`. Options given apart are appended to the text, one a line, unless the
text has them already. A gold that fits no reading for its type, or that names a letter which is
no option, refuses the file; so does any other fault. Nothing is returned of a faulty file.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tasks.core.errors import BadInput
from tasks.core.files.rows import Found, Row, as_text, json_kind, plain_name, read_each, shown
from tasks.core.files.tables import Format, read_table
from tasks.core.questions.answer_keys import Accepted, Dropped, Letters, NoKey, parse_key
from tasks.core.questions.options import parse_options
from tasks.core.types import Question, QuestionType

LABELS = "ABCDEFGHIJ"
STATUSES = ("kept", "dropped", "flagged")
CHOICE_TYPES = frozenset({QuestionType.MCQ, QuestionType.MCQ_MULTIPLE})

_ID = ("question_id", "id", "uid")
_TYPE = ("type", "question_type")
_GOLD = ("gold", "answer")
_SUBJECT = ("subject", "topic")
_PROMPT_SUBJECT = (*_SUBJECT, "cluster", "subcategory", "category")
_EXAM = ("exam", "description")
_NUMBER = ("number", "index")
_OPTIONS = ("options", "choices")
_PROMPT = ("prompt", "turns")
_PLAIN = ("question", "has_figure", "status", "reason")
_KNOWN = frozenset(
    (*_ID, *_TYPE, *_GOLD, *_PROMPT_SUBJECT, *_EXAM, *_NUMBER, *_OPTIONS, *_PROMPT, *_PLAIN)
)


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """A question and where it stood.

    `position` is its 0-based place in the file, `place` the row's name in messages; `extra` holds
    the fields that have no place of their own. `given` are those of `status` and `has_figure`
    that the row has: the others have their default only for want of a value.
    """

    question: Question
    position: int
    place: str
    given: frozenset[str] = frozenset()
    extra: Mapping[str, Any] = field(default_factory=dict)


class QuestionFile(NamedTuple):
    """At least one question, ids distinct. `notices` are one line each, for the user to read."""

    format: Format
    questions: tuple[ParsedQuestion, ...]
    notices: tuple[str, ...]


def parse_questions(content: bytes | str, name: str) -> QuestionFile:
    """Read the questions of a file; `name` is what messages call it.

    Raises BadInput naming file, row and field of the first fault, and how many rows have others.
    """
    table = read_table(content, name, _KNOWN.__contains__)
    taken: dict[str, str] = {}
    positions = {row.place: position for position, row in enumerate(table.rows)}

    def read(row: Row) -> ParsedQuestion:
        parsed = _question(row, positions[row.place])
        identity = parsed.question.question_id
        if other := taken.get(identity):
            raise row.fault("question_id", f"{shown(identity)} is already that of {other}")
        taken[identity] = row.place
        return parsed

    questions = tuple(read_each(table.rows, read))
    return QuestionFile(table.format, questions, (*table.notices, *_notices(name, questions)))


def row_identity(row: Row) -> str:
    """Return the question_id of a row: its own, else `"{exam}|{number}"`."""
    identity = row.text(*_ID)
    if identity is not None:
        return identity
    exam, number = row.text(*_EXAM), row.whole_number(*_NUMBER)
    if exam is None and number is None:
        raise row.missing(*_ID)
    if exam is None:
        raise row.missing(*_EXAM)
    if number is None:
        raise row.missing(*_NUMBER)
    return f"{exam}|{number}"


def check_gold(gold: str | None, question_type: QuestionType, options: Mapping[str, str]) -> None:
    """Refuse a gold that fits no reading for the type, or names a letter that is no option.

    Where the question names no options, any letter A–J may be one. Raises BadInput.
    """
    key = parse_key(gold, question_type)
    match key:
        case NoKey() | Dropped():
            return
        case Accepted(answers):
            named = {
                each for answer in answers if isinstance(answer, Letters) for each in answer.letters
            }
            if options and (foreign := sorted(named - set(options))):
                raise BadInput(
                    f"gold {gold!r} names {', '.join(foreign)}, but the options are "
                    f"{', '.join(options)}"
                )


def _question(row: Row, position: int) -> ParsedQuestion:
    _refuse_other_files(row)
    is_prompt = row.find("question") is None and row.has(*_PROMPT)
    identity = row_identity(row)
    question_type = _type(row, is_prompt)
    stem = _prompt(row) if is_prompt else row.verbatim("question")
    if stem is None:
        raise row.missing("question")
    apart = _options_apart(row)
    _refuse_surplus_options(row, apart)
    if apart and question_type not in CHOICE_TYPES:
        raise row.fault("options", f"type {question_type} takes no options; did you mean MCQ?")
    named = parse_options(stem) if question_type in CHOICE_TYPES else {}
    subject_names = _PROMPT_SUBJECT if is_prompt else _SUBJECT
    subject = _first(row, subject_names)
    question = Question(
        question_id=identity,
        type=question_type,
        question=_with_options(stem, apart) if apart and not _same(apart, named) else stem,
        gold=_gold(row, question_type, apart or named),
        subject=None if subject is None else row.text(plain_name(subject)),
        exam=row.text(*_EXAM),
        number=row.whole_number(*_NUMBER),
        options=apart or named,
        has_figure=row.truth("has_figure") or False,
        status=row.one_of(STATUSES, "status") or "kept",
        reason=row.text("reason"),
    )
    taken = {*_ID, *_TYPE, *_GOLD, *_EXAM, *_NUMBER, *_OPTIONS, *_PLAIN}
    taken |= set(_PROMPT) if is_prompt else set()
    taken |= {plain_name(subject)} if subject else set()
    taken |= {name for name in _SUBJECT if row.find(name) is None}
    taken |= {name for names in _option_columns(row).values() for name in names}
    given = frozenset(name for name in ("status", "has_figure") if row.find(name))
    return ParsedQuestion(question, position, row.place, given, row.rest(taken))


def _refuse_other_files(row: Row) -> None:
    for name, value in row.fields.items():
        if name.endswith("_response") and isinstance(value, dict | list):
            raise row.fault(name, "this is a response file; use 'proctor import responses'")
    if row.has("answer_id", "ans_id") and row.has("messages", "choices"):
        name = "messages" if row.has("messages") else "choices"
        raise row.fault(name, "these are a model's answers; use 'proctor import responses'")


def _type(row: Row, is_prompt: bool) -> QuestionType:
    name = row.one_of(tuple(QuestionType), *_TYPE)
    if name is not None:
        return QuestionType(name)
    if is_prompt:
        return QuestionType.OPEN
    raise row.missing(*_TYPE)


def _prompt(row: Row) -> str | None:
    turns = row.find("turns")
    if turns is None:
        return row.verbatim("prompt")
    if not isinstance(turns.value, list) or len(turns.value) != 1:
        count = len(turns.value) if isinstance(turns.value, list) else json_kind(turns.value)
        raise row.fault(turns.field, f"expected a list of exactly one turn, found {count}")
    (turn,) = turns.value
    content = turn.get("content") if isinstance(turn, dict) else turn
    if not isinstance(content, str) or not content.strip():
        raise row.fault(turns.field, "the turn has no text under 'content'")
    return row.checked(turns.field, content)


def _first(row: Row, names: tuple[str, ...]) -> str | None:
    found = next((each for name in names if (each := row.find(name)) is not None), None)
    return None if found is None else found.field


def _gold(row: Row, question_type: QuestionType, options: Mapping[str, str]) -> str | None:
    found = row.find(*_GOLD)
    gold = None if found is None else gold_text(row, found, question_type)
    try:
        check_gold(gold, question_type, options)
    except BadInput as fault:
        raise row.fault(found.field if found else "gold", str(fault)) from None
    return gold


def gold_text(row: Row, found: Found, question_type: QuestionType) -> str:
    """Write a gold as text: text and numbers stay as they are written.

    A list of letters is one set of options for MCQ(multiple); a list of any other answers means
    that each of them is accepted (`"5 or 6"`).
    """
    if not isinstance(found.value, list):
        return (row.text(plain_name(found.field)) or "").strip()
    parts = [as_text(each) for each in found.value]
    texts = [each.strip() for each in parts if each is not None and each.strip()]
    if len(texts) < len(parts) or not texts:
        raise row.fault(found.field, "expected text, a number, or a list of these")
    is_one_set = question_type is QuestionType.MCQ_MULTIPLE and all(
        len(each) == 1 for each in texts
    )
    return "".join(sorted(texts)) if is_one_set else " or ".join(texts)


def _option_columns(row: Row) -> dict[str, tuple[str, ...]]:
    """Label → the names that its column may have; a single letter is one only beside an `A`."""
    if row.has("a"):
        return {label: (label.lower(), f"option_{label.lower()}") for label in LABELS}
    return {label: (f"option_{label.lower()}",) for label in LABELS}


def _refuse_surplus_options(row: Row, options: Mapping[str, str]) -> None:
    """A column for an eleventh option must not be lost without a word."""
    if len(options) < len(LABELS):
        return
    for label in "klmnopqrstuvwxyz":
        for name in (label, f"option_{label}"):
            if row.find(name) is not None:
                raise row.fault(name, "a question has at most ten options, A to J")


def _options_apart(row: Row) -> dict[str, str]:
    columns = {label: row.verbatim(*names) for label, names in _option_columns(row).items()}
    in_columns = {label: text for label, text in columns.items() if text is not None}
    found = row.find(*_OPTIONS)
    if found is None:
        options, where = in_columns, "option_a"
    elif in_columns:
        raise row.fault(found.field, "options are given here and in columns; keep one")
    else:
        options, where = _listed_options(row, found), found.field
    if not options:
        return {}
    expected = LABELS[: len(options)]
    if "".join(options) != expected:
        gap = next(label for label in expected if label not in options)
        raise row.fault(where, f"option {gap} is missing; the options are {', '.join(options)}")
    if len(options) == 1:
        raise row.fault(where, "only one option; a choice needs two or more")
    return {label: text.strip() for label, text in options.items()}


def _listed_options(row: Row, found: Found) -> dict[str, str]:
    match found.value:
        case dict() as given:
            labels = [label.strip().strip("().[]").upper() for label in given]
            texts = list(given.values())
        case list() as given:
            labels = list(LABELS[: len(given)])
            texts = given
        case _:
            raise row.fault(
                found.field,
                f"expected a list or an object of options, found {json_kind(found.value)}",
            )
    if len(texts) > len(LABELS):
        raise row.fault(found.field, f"{len(texts)} options; at most {len(LABELS)} (A–J)")
    foreign = [label for label in labels if len(label) != 1 or label not in LABELS]
    if foreign or len(set(labels)) < len(labels):
        raise row.fault(
            found.field, f"labels must be distinct letters A–J, found {', '.join(labels)[:60]}"
        )
    options: dict[str, str] = {}
    for label, text in sorted(zip(labels, texts, strict=True)):
        written = as_text(text)
        if written is None or not written.strip():
            raise row.fault(found.field, f"option {label} is {json_kind(text)}, not a text")
        options[label] = row.checked(found.field, written)
    return options


def _same(apart: Mapping[str, str], named: Mapping[str, str]) -> bool:
    return {label: text.split() for label, text in apart.items()} == {
        label: text.split() for label, text in named.items()
    }


def _with_options(stem: str, options: Mapping[str, str]) -> str:
    lines = "\n".join(f"({label}) {text}" for label, text in options.items())
    return f"{stem.rstrip()}\n\n{lines}"


def _notices(name: str, questions: tuple[ParsedQuestion, ...]) -> tuple[str, ...]:
    marked = [each.question for each in questions if each.question.type is not QuestionType.OPEN]
    keyless = sum(question.gold is None for question in marked)
    bare = sum(question.type in CHOICE_TYPES and not question.options for question in marked)
    notices = []
    if keyless:
        notices.append(f"{name}: {keyless} of {len(marked)} questions have no gold yet")
    if bare:
        unused = sorted({field for each in questions for field in each.extra})
        hint = f"; columns not used: {', '.join(unused)}" if unused else ""
        notices.append(
            f"{name}: no options were found in {bare} multiple-choice questions (they go into the "
            f"text, or into columns A … J or option_a … option_j){hint}"
        )
    return tuple(notices)
