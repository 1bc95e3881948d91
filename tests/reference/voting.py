"""How the K samples of one question become one answer (self-consistency, arXiv 2203.11171).

- One answer (MCQ, Integer, Numeric, Expression): the answer of most samples that have one. Equal
  answers pool whatever their spelling (`0.5`, `.50`). A tie goes to the first letter or the
  smallest number, or to no answer at all where a guess may cost marks; never to the sample that
  came first.
- A set of options (MCQ(multiple)): every option that occurs in at least `threshold` of all
  samples.

Samples without an answer, or with text that is none for the type, never win, but they count in
every share. This is the reference that the SQL view `voted_answers` is held against.
"""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple, assert_never

from tasks.core.questions.answer_keys import number_text, read_expression, read_letters, read_number
from tasks.core.types import QuestionType


class TieRule(StrEnum):
    """Who wins when several answers have the most samples."""

    FIRST = "first"
    """The first letter, the smallest number."""

    NO_ANSWER = "no_answer"
    """Nobody: under exam marks a coin toss is left blank."""


class Vote(NamedTuple):
    """What the samples agree on.

    `answer` is in normal form (`"BD"`, `"0.5"`), or None. `share` is the fraction of all `n`
    samples behind it; for MCQ(multiple) the smallest share among its options, so that the answer
    holds at every threshold up to `share`. None where `answer` is None.
    """

    answer: str | None
    share: float | None
    n: int


class _Candidate(NamedTuple):
    """An answer to count: `number` first in a tie, then `text`; equal candidates pool."""

    number: Decimal
    text: str


def vote(
    answers: Sequence[str | None],
    question_type: QuestionType,
    *,
    ties: TieRule = TieRule.FIRST,
    threshold: float = 0.5,
) -> Vote:
    """Combine the answers of all samples; their order does not matter.

    `ties` rules single answers, `threshold` (0 < threshold ≤ 1, the share that puts an option in)
    rules MCQ(multiple). No samples, or none with an answer, give no answer; so does
    MCQ(multiple) where no option reaches the threshold. Raises ValueError for a threshold outside
    its range and for type `Open`, whose answers cannot be equal.
    """
    match question_type:
        case QuestionType.MCQ_MULTIPLE:
            return _options_at_threshold(answers, threshold)
        case (
            QuestionType.MCQ | QuestionType.INTEGER | QuestionType.NUMERIC | QuestionType.EXPRESSION
        ):
            return _majority(answers, question_type, ties)
        case QuestionType.OPEN:
            raise ValueError("answers to open prompts cannot be put to a vote")
        case _:
            assert_never(question_type)


def _majority(answers: Sequence[str | None], question_type: QuestionType, ties: TieRule) -> Vote:
    candidates = (_candidate(answer, question_type) for answer in answers if answer is not None)
    counts = Counter(candidate for candidate in candidates if candidate is not None)
    if not counts:
        return Vote(None, None, len(answers))
    most = max(counts.values())
    winners = [candidate for candidate, count in counts.items() if count == most]
    if len(winners) > 1 and ties is TieRule.NO_ANSWER:
        return Vote(None, None, len(answers))
    return Vote(min(winners).text, most / len(answers), len(answers))


def _options_at_threshold(answers: Sequence[str | None], threshold: float) -> Vote:
    if not 0 < threshold <= 1:
        raise ValueError(f"threshold {threshold} is not in (0, 1]")
    counts = Counter(
        letter for answer in answers if answer is not None for letter in read_letters(answer) or ""
    )
    shares = {letter: count / len(answers) for letter, count in counts.items()}
    chosen = sorted(letter for letter, share in shares.items() if share >= threshold)
    if not chosen:
        return Vote(None, None, len(answers))
    return Vote("".join(chosen), min(shares[letter] for letter in chosen), len(answers))


def _candidate(answer: str, question_type: QuestionType) -> _Candidate | None:
    if question_type is QuestionType.MCQ:
        letters = read_letters(answer)
        return None if letters is None else _Candidate(Decimal(0), letters)
    text = answer
    if question_type is QuestionType.EXPRESSION:
        expression = read_expression(answer)
        if expression is None:
            return None
        text = expression.text
    number = read_number(text)
    if number is not None:
        return _Candidate(number, number_text(number))
    if question_type is QuestionType.EXPRESSION:
        return _Candidate(Decimal("Infinity"), text)
    return None
