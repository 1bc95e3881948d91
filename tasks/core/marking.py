"""From an extracted answer and an answer key to a score and exam marks.

Two measures of one answer:

- `score` is the accuracy of JEEBench (arXiv 2305.15074): MCQ, Integer, Numeric 0 or 1;
  MCQ(multiple) 1 for exactly the right options, 0 with any wrong one, else 0.25 per right option
  (never more than 1, however many options a question has).
- `mark` is what the exam's own scheme pays, with its negative marks.

The outcome says why. A question dropped by the board is void and one without a key is unscored,
whatever was answered. Giving no answer is blank; an answer that cannot be read, or is cut off, is
neither blank nor wrong: its mark is 0 and its outcome keeps it apart.
"""

from decimal import Context, Decimal
from typing import assert_never

from tasks.core.questions.answer_keys import (
    Accepted,
    AcceptedAnswer,
    AnswerKey,
    Dropped,
    Expression,
    Letters,
    NoKey,
    Number,
    NumberRange,
    read_expression,
    read_letters,
    read_number,
)
from tasks.core.types import (
    ExtractStatus,
    MarkingScheme,
    Outcome,
    QuestionType,
    Score,
    Tolerance,
)

SCORER = "marks-1"

PARTIAL_SCORE_PER_OPTION = 0.25

_TOLERANCE = Decimal("0.01")
_TOLERANCE_CONTEXT = Context(prec=1000)

_Answer = Letters | Number | Expression


def mark(
    extract_status: ExtractStatus,
    answer: str | None,
    key: AnswerKey,
    question_type: QuestionType,
    scheme: MarkingScheme,
    tolerance: Tolerance,
) -> Score:
    """Mark one answer.

    `answer` counts only with status `ANSWERED`. It need not be in normal form: `01` is 1 for an
    Integer, and `AC` for an MCQ is a wrong answer; text that is no answer to this type of
    question (`about five`, `nan`, `1e400` for a number) is `UNPARSED`.

    A number is right within 0.01 of the key: decided exactly, or by `Tolerance.OFFICIAL` in
    binary floats like JEEBench's published scorer. A range has no tolerance beyond its ends. An
    expression is right if its normal spelling equals the key's, or both are the same number.

    Where the key accepts several answers, the one that pays best counts. An answer with only some
    of the right options is `PARTIAL`; it earns the wrong mark where the scheme knows no partial
    marks, and never more than the whole answer.
    """
    match key:
        case Dropped():
            return Score(Outcome.VOID, score=None, mark=None, max_mark=None)
        case NoKey():
            return Score(Outcome.UNSCORED, score=None, mark=None, max_mark=None)
        case Accepted():
            pass
        case _:
            assert_never(key)
    match extract_status:
        case ExtractStatus.ANSWERED:
            read = _read_answer(answer, question_type)
            if read is None:
                return _without_answer(Outcome.UNPARSED, 0.0, scheme)
            return max(
                (_compare(read, accepted, scheme, tolerance) for accepted in key.answers),
                key=lambda score: (score.score, score.mark),
            )
        case ExtractStatus.ABSTAINED:
            return _without_answer(Outcome.BLANK, scheme.blank, scheme)
        case ExtractStatus.AMBIGUOUS | ExtractStatus.UNPARSED:
            return _without_answer(Outcome.UNPARSED, 0.0, scheme)
        case ExtractStatus.TRUNCATED:
            return _without_answer(Outcome.TRUNCATED, 0.0, scheme)
        case _:
            assert_never(extract_status)


def _read_answer(answer: str | None, question_type: QuestionType) -> _Answer | None:
    if answer is None:
        return None
    match question_type:
        case QuestionType.MCQ | QuestionType.MCQ_MULTIPLE:
            letters = read_letters(answer)
            return None if letters is None else Letters(letters)
        case QuestionType.INTEGER | QuestionType.NUMERIC:
            value = read_number(answer)
            return None if value is None else Number(value)
        case QuestionType.EXPRESSION:
            return read_expression(answer)
        case QuestionType.OPEN:
            return None
        case _:
            assert_never(question_type)


def _compare(
    answer: _Answer, accepted: AcceptedAnswer, scheme: MarkingScheme, tolerance: Tolerance
) -> Score:
    match answer, accepted:
        case Letters(chosen), Letters(right) if set(chosen) < set(right):
            return _partial(len(chosen), scheme)
        case Letters(), Letters():
            is_right = answer == accepted
        case Number(value), Number(gold):
            is_right = _is_within_tolerance(value, gold, tolerance)
        case Number(value), NumberRange(lower, upper):
            is_right = lower <= value <= upper
        case Expression(), Expression():
            is_right = _is_same_expression(answer, accepted)
        case _:
            raise ValueError(f"an answer {answer} cannot be held against a key {accepted}")
    if is_right:
        return Score(Outcome.CORRECT, 1.0, scheme.correct, scheme.correct)
    return Score(Outcome.WRONG, 0.0, scheme.wrong, scheme.correct)


def _partial(n_right: int, scheme: MarkingScheme) -> Score:
    if scheme.partial_per_option is None:
        earned = scheme.wrong
    else:
        earned = min(n_right * scheme.partial_per_option, scheme.correct)
    score = min(n_right * PARTIAL_SCORE_PER_OPTION, 1.0)
    return Score(Outcome.PARTIAL, score, earned, scheme.correct)


def _without_answer(outcome: Outcome, earned: float, scheme: MarkingScheme) -> Score:
    return Score(outcome, 0.0, earned, scheme.correct)


def _is_within_tolerance(value: Decimal, gold: Decimal, tolerance: Tolerance) -> bool:
    match tolerance:
        case Tolerance.DECIMAL:
            lower = _TOLERANCE_CONTEXT.subtract(gold, _TOLERANCE)
            upper = _TOLERANCE_CONTEXT.add(gold, _TOLERANCE)
            return lower <= value <= upper
        case Tolerance.OFFICIAL:
            return abs(float(gold) - float(value)) <= 0.01
        case _:
            assert_never(tolerance)


def _is_same_expression(one: Expression, other: Expression) -> bool:
    if one == other:
        return True
    one_value, other_value = read_number(one.text), read_number(other.text)
    return one_value is not None and one_value == other_value
