"""The values that pass between stages. Only data: frozen, hashable, no behaviour that computes.

Enumerations are closed: a value that is not a member raises instead of passing on.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple


class QuestionType(StrEnum):
    """JEEBench's names, plus `Expression` (a closed form) and `Open` (a prompt without a gold)."""

    MCQ = "MCQ"
    MCQ_MULTIPLE = "MCQ(multiple)"
    INTEGER = "Integer"
    NUMERIC = "Numeric"
    EXPRESSION = "Expression"
    OPEN = "Open"


class CompletionStatus(StrEnum):
    """How a model call ended for one sample. Only `OK` (and, by choice, `TRUNCATED`) is reused."""

    OK = "ok"
    TRUNCATED = "truncated"
    FILTERED = "filtered"
    EMPTY = "empty"
    CONTEXT_OVERFLOW = "context_overflow"
    ERROR = "error"


class ExtractStatus(StrEnum):
    """What reading a response gave. `ABSTAINED`: the model says that it gives no answer."""

    ANSWERED = "answered"
    ABSTAINED = "abstained"
    AMBIGUOUS = "ambiguous"
    UNPARSED = "unparsed"
    TRUNCATED = "truncated"


class Outcome(StrEnum):
    """The result of marking. The first six count in every mean; `VOID` and `UNSCORED` do not."""

    CORRECT = "correct"
    PARTIAL = "partial"
    WRONG = "wrong"
    BLANK = "blank"
    UNPARSED = "unparsed"
    TRUNCATED = "truncated"
    VOID = "void"
    UNSCORED = "unscored"


class Tolerance(StrEnum):
    """How |answer − gold| ≤ 0.01 is decided: exactly, or in floats as JEEBench's scorer does."""

    DECIMAL = "decimal"
    OFFICIAL = "official"


class Aggregation(StrEnum):
    """How the K samples of a question become one score."""

    MEAN = "mean"
    MAJORITY = "majority"


class Purpose(StrEnum):
    """Why a model was called; the ledger is grouped by it."""

    SAMPLE = "sample"
    EXTRACT = "extract"
    JUDGE = "judge"
    LABEL = "label"
    PROBE = "probe"


@dataclass(frozen=True, slots=True)
class Question:
    """One question as it is asked and marked.

    `question` is the whole LaTeX text with its options in it, as in JEEBench. `options` maps
    capital labels A–J in order to their texts; empty for types without options, and where the
    text names none. `gold` is the answer key as published (see `core.questions.answer_keys`);
    None: no key.
    """

    question_id: str
    type: QuestionType
    question: str
    gold: str | None = None
    subject: str | None = None
    exam: str | None = None
    number: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    has_figure: bool = False
    status: str = "kept"
    reason: str | None = None


class Candidate(NamedTuple):
    """An answer that was seen in a response; offsets are 0-based code points, end exclusive."""

    answer: str
    rule: str
    span_start: int
    span_end: int


@dataclass(frozen=True, slots=True)
class Extract:
    """What a response answers.

    `answer` is the normal form (letters sorted, `"ABD"`; numbers in plain or `e` notation,
    `"-14.6"`, `"7.16e-10"`); None unless `status` is `ANSWERED`. `span_*` locate it in the text
    (0-based code points, end exclusive), None where there is nothing to point at. `candidates`
    are the runners-up, best first.
    """

    answer: str | None
    status: ExtractStatus
    rule: str
    span_start: int | None = None
    span_end: int | None = None
    candidates: tuple[Candidate, ...] = ()


@dataclass(frozen=True, slots=True)
class MarkingScheme:
    """Marks of one question type in one exam (marks, not percent).

    `correct`, `wrong`, `blank`: for a whole answer; `partial_per_option`: for each right option
    of a proper non-empty subset of the gold (None: no partial marks).
    """

    correct: float
    wrong: float = 0.0
    blank: float = 0.0
    partial_per_option: float | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """`score` is a fraction 0–1 (JEEBench accuracy); `mark`, `max_mark` are exam marks.

    All three are None where the outcome is `VOID` or `UNSCORED`.
    """

    outcome: Outcome
    score: float | None
    mark: float | None
    max_mark: float | None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request as the server counted them. None: it did not say."""

    input_tokens: int | None = None
    cached_input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """One sample out of a reply. `reasoning` is thinking text that the server sent apart."""

    status: CompletionStatus
    text: str
    finish_reason: str | None = None
    reasoning: str | None = None
    tool_calls: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server sent for one request: its choices, its token counts and all the rest of the
    body (`extra`: every field that has no place of its own, so that none is lost)."""

    choices: tuple[Choice, ...]
    usage: Usage
    served_model: str | None = None
    response_id: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
