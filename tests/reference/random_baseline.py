"""The score of guessing, exactly: what a candidate earns who knows nothing.

An MCQ is answered by one of its n options, each as likely. For MCQ(multiple) every subset of the
n options is as likely, the empty one included; with r right options the expected score is

    ( 1 + Σ_{k=1}^{r-1} C(r, k) · min(1, k/4) ) / 2^n

(1 for the full set, 0.25 per option for a proper part of it, 0 for all other subsets). Four options
give 1/16, 3/32, 13/64, 1/2 for r = 1 … 4. A number or an expression is not guessed: 0.
"""

from fractions import Fraction
from itertools import combinations
from math import comb

from tasks.core.marking import PARTIAL_SCORE_PER_OPTION, mark
from tasks.core.questions.answer_keys import Accepted, AnswerKey
from tasks.core.types import ExtractStatus, MarkingScheme, QuestionType, Tolerance

MAX_OPTIONS = 10


def expected_score(question_type: QuestionType, n_options: int, n_right: int = 1) -> Fraction:
    """Give the expected score (0–1) of a uniformly random guess.

    `n_right` is the number of right options; for an MCQ, of options that the key accepts. Both
    counts are read for the two MCQ types only. Raises ValueError unless
    1 ≤ `n_right` ≤ `n_options` ≤ 10.
    """
    if question_type not in (QuestionType.MCQ, QuestionType.MCQ_MULTIPLE):
        return Fraction(0)
    if not 1 <= n_right <= n_options <= MAX_OPTIONS:
        raise ValueError(f"{n_right} right of {n_options} options: not a question")
    if question_type is QuestionType.MCQ:
        return Fraction(n_right, n_options)
    per_option = Fraction(PARTIAL_SCORE_PER_OPTION)
    of_parts = sum(
        (comb(n_right, k) * min(Fraction(1), k * per_option) for k in range(1, n_right)),
        start=Fraction(0),
    )
    return (1 + of_parts) / Fraction(2**n_options)


def expected_score_of_key(
    key: AnswerKey, question_type: QuestionType, n_options: int
) -> Fraction | None:
    """Give the expected score under a whole key, several accepted answers included.

    Every possible guess is marked. None where the key is dropped or missing. Options of the key
    beyond `n_options` are never guessed.
    """
    if not isinstance(key, Accepted):
        return None
    options = "ABCDEFGHIJ"[:n_options]
    match question_type:
        case QuestionType.MCQ:
            guesses = list(options)
        case QuestionType.MCQ_MULTIPLE:
            sizes = range(len(options) + 1)
            guesses = ["".join(some) for size in sizes for some in combinations(options, size)]
        case _:
            return Fraction(0)
    scores = (_score(guess, key, question_type) for guess in guesses)
    return sum(scores, start=Fraction(0)) / len(guesses)


def _score(guess: str, key: Accepted, question_type: QuestionType) -> Fraction:
    status = ExtractStatus.ANSWERED if guess else ExtractStatus.ABSTAINED
    score = mark(status, guess, key, question_type, MarkingScheme(correct=1), Tolerance.DECIMAL)
    return Fraction(score.score or 0)
