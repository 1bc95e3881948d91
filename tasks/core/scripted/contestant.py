"""What a scripted contestant answers: a program that knows the keys and how many to get right.

It is there to try the pipeline out: its true score is known before a run, so a leaderboard that
shows another one is wrong. Of n questions with a key exactly `round(share · n)` (halves up) are
answered rightly, spread over subjects and types in proportion; hashes of the ids decide which. The
others are wrong, partly right, without an answer, or without a readable one, in turn.

Scores are JEEBench accuracy (`core.marking`). Questions that were dropped count for nobody, and
those without a key cannot be scored: both get an answer, and neither counts in n.
"""

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from itertools import cycle
from typing import assert_never

from tasks.core.marking import PARTIAL_SCORE_PER_OPTION
from tasks.core.questions.answer_keys import (
    Accepted,
    AcceptedAnswer,
    Expression,
    Letters,
    Number,
    NumberRange,
    number_text,
    parse_key,
)
from tasks.core.types import Question, QuestionType


class Conduct(StrEnum):
    """What the contestant does with a question."""

    RIGHT = "right"
    PARTIAL = "partial"
    WRONG = "wrong"
    ABSTAINS = "abstains"
    UNREADABLE = "unreadable"


_FAILURES = (Conduct.WRONG, Conduct.ABSTAINS, Conduct.WRONG, Conduct.UNREADABLE)
_FAILURES_MULTIPLE = (Conduct.PARTIAL, Conduct.WRONG, Conduct.ABSTAINS, Conduct.UNREADABLE)
_PER_OPTION = Fraction(PARTIAL_SCORE_PER_OPTION)
_LETTERS = "ABCD"


@dataclass(frozen=True, slots=True)
class ScriptedAnswer:
    """What is answered to a question, and its score 0–1; None: the question cannot be scored."""

    question: Question
    conduct: Conduct
    answer: str | None
    score: Fraction | None


def script(questions: Iterable[Question], share: float) -> tuple[ScriptedAnswer, ...]:
    """Decide every answer. The order of the questions has no influence, their set has.

    Raises BadInput on a gold that is no key of its type.
    """
    ordered = sorted(questions, key=_hash)
    scored = [question for question in ordered if _accepted(question) is not None]
    right = _spread(scored, share)
    failures, failures_multiple = cycle(_FAILURES), cycle(_FAILURES_MULTIPLE)
    answers = []
    for question in ordered:
        accepted = _accepted(question)
        if accepted is None:
            answers.append(ScriptedAnswer(question, Conduct.UNREADABLE, None, None))
        elif question.question_id in right:
            answer = _right_answer(accepted)
            answers.append(ScriptedAnswer(question, Conduct.RIGHT, answer, Fraction(1)))
        else:
            is_multiple = question.type is QuestionType.MCQ_MULTIPLE
            conduct = next(failures_multiple if is_multiple else failures)
            answers.append(_failed(question, accepted, conduct))
    return tuple(answers)


def expected_score(questions: Iterable[Question], share: float) -> Fraction:
    """Return the mean score, exactly, of the contestant on the questions that can be scored.

    Raises ValueError where none can be.
    """
    scores = [answer.score for answer in script(questions, share) if answer.score is not None]
    if not scores:
        raise ValueError("no question has a key")
    return sum(scores, Fraction(0)) / len(scores)


def _spread(questions: Sequence[Question], share: float) -> frozenset[str]:
    """Choose the ids to be right on: in each group in proportion, by largest remainders."""
    exact_share = Fraction(repr(share))
    groups: dict[tuple[str, str], list[Question]] = {}
    for question in questions:
        groups.setdefault((question.subject or "", question.type.value), []).append(question)
    quotas = {group: exact_share * len(members) for group, members in groups.items()}
    n_right = {group: math.floor(quota) for group, quota in quotas.items()}
    n_left = math.floor(exact_share * len(questions) + Fraction(1, 2)) - sum(n_right.values())
    by_remainder = sorted(quotas, key=lambda group: (n_right[group] - quotas[group], group))
    for group in by_remainder[: max(n_left, 0)]:
        n_right[group] += 1
    return frozenset(
        question.question_id
        for group, members in groups.items()
        for question in members[: n_right[group]]
    )


def _failed(
    question: Question, accepted: tuple[AcceptedAnswer, ...], conduct: Conduct
) -> ScriptedAnswer:
    """Fail as asked, or in the next way that this question allows."""
    if conduct is Conduct.PARTIAL:
        part = _partial_answer(question, accepted)
        if part is not None:
            return ScriptedAnswer(question, conduct, part, _PER_OPTION * len(part))
        conduct = Conduct.WRONG
    if conduct is Conduct.WRONG:
        wrong = _wrong_answer(question, accepted)
        if wrong is not None:
            return ScriptedAnswer(question, conduct, wrong, Fraction(0))
        conduct = Conduct.ABSTAINS
    return ScriptedAnswer(question, conduct, None, Fraction(0))


def _accepted(question: Question) -> tuple[AcceptedAnswer, ...] | None:
    key = parse_key(question.gold, question.type)
    return key.answers if isinstance(key, Accepted) else None


def _right_answer(accepted: tuple[AcceptedAnswer, ...]) -> str:
    match accepted[0]:
        case Letters(letters):
            return letters
        case Number(value):
            return number_text(value)
        case NumberRange(lower, upper):
            return number_text((lower + upper) / 2)
        case Expression(text):
            return text
        case _ as never:
            assert_never(never)


def _partial_answer(question: Question, accepted: tuple[AcceptedAnswer, ...]) -> str | None:
    """Some of the right options, all but the last; None where that is no part of one key only."""
    if question.type is not QuestionType.MCQ_MULTIPLE or len(accepted) != 1:
        return None
    key = accepted[0]
    if not isinstance(key, Letters) or not 2 <= len(key.letters) <= 4:
        return None
    return key.letters[:-1]


def _wrong_answer(question: Question, accepted: tuple[AcceptedAnswer, ...]) -> str | None:
    first = accepted[0]
    match first:
        case Letters():
            right = {
                letter for key in accepted if isinstance(key, Letters) for letter in key.letters
            }
            others = [label for label in question.options or _LETTERS if label not in right]
            if not others:
                return None
            wrong = others[hash_number(question) % len(others)]
            if question.type is QuestionType.MCQ:
                return wrong
            return "".join(sorted({first.letters[0], wrong}))
        case Number() | NumberRange():
            highest = max(
                key.value if isinstance(key, Number) else key.upper
                for key in accepted
                if isinstance(key, Number | NumberRange)
            )
            return number_text(highest + abs(highest) + 1 + Decimal(hash_number(question) % 3))
        case Expression(text):
            return f"{text}+1"
        case _ as never:
            assert_never(never)


def _hash(question: Question) -> str:
    return hashlib.sha256(question.question_id.encode("utf-8", "surrogatepass")).hexdigest()


def hash_number(question: Question) -> int:
    """Return a number that depends on the question's id alone, for choices that look random."""
    return int(_hash(question)[:8], 16)


def find_question(prompt: str, scripted: Mapping[str, ScriptedAnswer]) -> ScriptedAnswer | None:
    """Find the question whose text is in the prompt, whatever the blanks; the longest holds.

    `scripted` is keyed by `plain_text` of the questions.
    """
    plain = plain_text(prompt)
    found = [text for text in scripted if text in plain]
    return scripted[max(found, key=len)] if found else None


def plain_text(text: str) -> str:
    """Write a text with single blanks, so that rules for blank lines make no difference."""
    return " ".join(text.split())
