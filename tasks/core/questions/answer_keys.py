r"""How a published answer key is read, and how single answers in it are.

A gold is text as an exam board or a data set prints it: `BD`, `B, D`, `A or C`, `-14.6`,
`5 or 6`, `2.30 to 2.40`, `dropped`. `parse_key` turns it into one of three things: the accepted
answers, a dropped question, or no key at all. Text that fits no reading for the question's type
is refused, so that importing a key also validates it.

`None`, `NA`, `nan` and their like are refused as well: they are what is left of a missing value
after a trip through a table, and taken as text they would equal an answer that was not found.
Only a gold that is None or blank means "no key".

The readers of single answers are public because marking and voting read answers by the same
rules: `BD`, `D, B` and `(b) and (d)` are one answer, and so are `0.5`, `.50` and `+0.5`.
"""

import math
import re
import unicodedata
from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, InvalidOperation
from typing import assert_never

from tasks.core.errors import BadInput
from tasks.core.types import QuestionType


@dataclass(frozen=True, slots=True)
class Letters:
    """A set of options: capital letters A–J, sorted, each once, at least one (`"BD"`)."""

    letters: str


@dataclass(frozen=True, slots=True)
class Number:
    """One number; an answer is right within the tolerance of the marking."""

    value: Decimal


@dataclass(frozen=True, slots=True)
class NumberRange:
    """All numbers from `lower` to `upper`, both included and without further tolerance."""

    lower: Decimal
    upper: Decimal


@dataclass(frozen=True, slots=True)
class Expression:
    """A closed form in its normal spelling (see `read_expression`)."""

    text: str


AcceptedAnswer = Letters | Number | NumberRange | Expression


@dataclass(frozen=True, slots=True)
class Accepted:
    """The answers that count as right, at least one, in the order of the key."""

    answers: tuple[AcceptedAnswer, ...]


@dataclass(frozen=True, slots=True)
class Dropped:
    """The board withdrew the question: it counts for nobody and is out of the maximum."""


@dataclass(frozen=True, slots=True)
class NoKey:
    """Nothing to mark against."""


AnswerKey = Accepted | Dropped | NoKey

_DROPPED = re.compile(
    r"(?:question\s+)?(?:is\s+|was\s+)?"
    r"(?:drop|dropped|bonus|cancell?ed|deleted|withdrawn|void|(?:full\s+)?marks\s+to\s+all|mta)"
    r"[\s.!*]*",
    re.IGNORECASE,
)
_MISSING = frozenset(
    {"None", "none", "NONE", "Null", "null", "NULL", "NA", "N/A", "n/a", "N.A.", "#N/A", "#NA"}
    | {"<NA>", "NaN", "nan", "NAN", "-NaN", "-nan", "-", "--"}
)
_OR = re.compile(r",?\s*\bor\b", re.IGNORECASE)
_OR_SLASH = re.compile(rf"{_OR.pattern}|[/|]", re.IGNORECASE)
_OR_SLASH_COMMA = re.compile(rf"{_OR.pattern}|[,/|]", re.IGNORECASE)

_LETTER_FILLER = re.compile(r"\b(?:and|options?)\b|[\s,;&.()\[\]{}]", re.IGNORECASE)
_LETTERS = re.compile(r"[A-J]+")

_DASHES = str.maketrans(dict.fromkeys("−–—‐‑﹣－", "-"))
_UNSIGNED = (
    r"(?:(?:[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d{2})+,\d{3}|\d+)(?:\.\d*)?|\.\d+)"
    r"(?:[eE][+-]?\d+)?"
)
_NUMBER = re.compile(rf"[+-]?\s*{_UNSIGNED}")
_BOUND = rf"\(?\s*([+-]?\s*{_UNSIGNED})\s*\)?"
_WORDED_RANGE = re.compile(
    rf"(?:from\s+)?{_BOUND}\s*(?:to|-|\.\.+|~)\s*{_BOUND}|between\s+{_BOUND}\s+and\s+{_BOUND}",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\[(.+)\]")

_MATHS_SPACING = re.compile(
    r"(?<!\\)\\(?:[,;:! ]|(?:left|right|quad|qquad|displaystyle)(?![A-Za-z]))|~"
)
_MATHS_DELIMITER = re.compile(r"\$|(?<!\\)\\[()\[\]]")
_FRACTION_SIZE = re.compile(r"\\[dt]frac(?![A-Za-z])")
_BLANK_BETWEEN_DIGITS = re.compile(r"(?<=\d)\s+(?=\d)")

_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
_SHOWN_GOLD_LENGTH = 60


def parse_key(gold: str | None, question_type: QuestionType) -> AnswerKey:
    """Read a gold as published.

    - Any type: None or blank is `NoKey`; `dropped`, `bonus`, `cancelled` … is `Dropped`.
    - `MCQ`: one letter A–J, or several accepted ones (`A or C`, `A/C`).
    - `MCQ(multiple)`: letters in any order, with or without separators; several accepted sets
      (`AB or ABD`).
    - `Integer`, `Numeric`: a number, a range (`2.30 to 2.40`, `2.30-2.40`, `[2.30, 2.40]`, the
      ends in either order), or several of these (`5 or 6`). A single Integer is a whole number.
    - `Expression`: the whole text is one answer; `x=1 or x=2` may be a solution set.
    - `Open`: has no gold.

    Raises BadInput where the text fits no reading for the type; the message names the gold, the
    type and the mend.
    """
    text = " ".join((gold or "").split())
    if not text:
        return NoKey()
    if text.translate(_DASHES) in _MISSING:
        raise _refusal(
            text, question_type, "it stands for a missing value; leave it empty for no key"
        )
    if _DROPPED.fullmatch(text):
        return Dropped()
    match question_type:
        case QuestionType.MCQ:
            return Accepted(_single_letters(text))
        case QuestionType.MCQ_MULTIPLE:
            return Accepted(_letter_sets(text))
        case QuestionType.INTEGER | QuestionType.NUMERIC:
            return Accepted(_numbers(text, question_type))
        case QuestionType.EXPRESSION:
            expression = read_expression(text)
            if expression is None:
                raise _refusal(text, question_type, "nothing is left of it but delimiters")
            return Accepted((expression,))
        case QuestionType.OPEN:
            raise _refusal(text, question_type, "an open prompt has no gold; leave it empty")
        case _:
            assert_never(question_type)


def read_letters(text: str) -> str | None:
    """Read the options that a short answer names: sorted capitals (`"d, (b)"` → `"BD"`).

    Reads A–J in either case with blanks, commas, brackets, `and` or `&` between them. None where
    anything else is in the text.
    """
    letters = _LETTER_FILLER.sub("", text).upper()
    return "".join(sorted(set(letters))) if _LETTERS.fullmatch(letters) else None


def read_number(text: str) -> Decimal | None:
    """Read the number that the whole text is, exactly.

    Reads a sign (dashes of any kind), decimal and `e` notation, and thousands groups of either
    habit (`1,000`, `1{,}080`, `12,34,567`). None for everything else: words, two values (`0,1`,
    `12,34`), `nan`, infinities, and what is too large for a binary float (`1e400`).
    """
    plain = text.strip().translate(_DASHES).replace("{,}", ",")
    if not _NUMBER.fullmatch(plain):
        return None
    try:
        value = Decimal(re.sub(r"[\s,]", "", plain))
    except InvalidOperation:
        return None
    return value if math.isfinite(float(value)) else None


def number_text(value: Decimal) -> str:
    """Write a number in its one spelling: no needless zeros, `e` only below 1e-6 and from 1e21."""
    if value == 0:
        return "0"
    shortest = _EXACT.normalize(value)
    if -6 <= shortest.adjusted() < 21:
        return f"{shortest:f}"
    return str(shortest).replace("E+", "e").replace("E", "e")


def read_expression(text: str) -> Expression | None:
    r"""Bring a closed form into its normal spelling; None where nothing is left.

    Drops maths delimiters, spacing commands, `\left` and `\right`, blanks (except between two
    digits) and a final full stop; `\dfrac` and `\tfrac` become `\frac`, dashes a minus. Letters
    keep their case. No algebra: `x+1` and `1+x` are two expressions.
    """
    plain = unicodedata.normalize("NFC", text).translate(_DASHES)
    plain = _MATHS_SPACING.sub(" ", _MATHS_DELIMITER.sub(" ", plain))
    plain = _FRACTION_SIZE.sub(r"\\frac", plain).strip().rstrip(".").strip()
    words = _BLANK_BETWEEN_DIGITS.split(plain)
    normal = " ".join(re.sub(r"\s", "", word) for word in words)
    return Expression(normal) if normal else None


def _single_letters(text: str) -> tuple[Letters, ...]:
    separator = _OR_SLASH_COMMA if _OR.search(text) else _OR_SLASH
    found = [read_letters(part) for part in separator.split(text)]
    letters = [each for each in found if each is not None and len(each) == 1]
    if len(letters) < len(found):
        raise _refusal(
            text, QuestionType.MCQ, "it has one right option; write one letter A–J, or 'A or C'"
        )
    return tuple(Letters(each) for each in dict.fromkeys(letters))


def _letter_sets(text: str) -> tuple[Letters, ...]:
    found = [read_letters(part) for part in _OR_SLASH.split(text)]
    sets = [each for each in found if each is not None]
    if len(sets) < len(found):
        raise _refusal(
            text, QuestionType.MCQ_MULTIPLE, "write letters A–J such as 'BD', or 'AB or ABD'"
        )
    return tuple(Letters(each) for each in dict.fromkeys(sets))


def _numbers(text: str, question_type: QuestionType) -> tuple[Number | NumberRange, ...]:
    found = [_number_or_range(part) for part in _OR.split(text)]
    answers = [each for each in found if each is not None]
    if len(answers) < len(found):
        raise _refusal(
            text, question_type, "write a number such as '-14.6', '2.30 to 2.40', or '5 or 6'"
        )
    for each in answers:
        is_whole = not isinstance(each, Number) or _is_whole(each.value)
        if question_type is QuestionType.INTEGER and not is_whole:
            raise _refusal(
                text, question_type, "it is no whole number; correct it or use type Numeric"
            )
    return tuple(dict.fromkeys(answers))


def _number_or_range(text: str) -> Number | NumberRange | None:
    value = read_number(text)
    if value is not None:
        return Number(value)
    plain = text.strip().translate(_DASHES).replace("{,}", ",")
    bracketed = _BRACKETED.fullmatch(plain)
    inner = bracketed.group(1).strip() if bracketed else plain
    if worded := _WORDED_RANGE.fullmatch(inner):
        return _range(*(bound for bound in worded.groups() if bound is not None))
    if bracketed is None:
        return None
    commas = [index for index, character in enumerate(inner) if character in ",;"]
    readings = {_range(inner[:at], inner[at + 1 :]) for at in commas} - {None}
    return readings.pop() if len(readings) == 1 else None


def _range(one_end: str, other_end: str) -> NumberRange | None:
    one, other = read_number(one_end), read_number(other_end)
    if one is None or other is None:
        return None
    return NumberRange(min(one, other), max(one, other))


def _is_whole(value: Decimal) -> bool:
    return value == value.to_integral_value(context=_EXACT)


def _refusal(gold: str, question_type: QuestionType, why: str) -> BadInput:
    shown = gold if len(gold) <= _SHOWN_GOLD_LENGTH else gold[:_SHOWN_GOLD_LENGTH] + "…"
    return BadInput(f"gold {shown!r} is no key of type {question_type}: {why}")
