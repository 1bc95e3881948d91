"""Votes of samples, and their independence of order and spelling."""

from decimal import Decimal
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.core.types import QuestionType
from tests.reference.voting import TieRule, Vote, vote

MCQ, MULTIPLE = QuestionType.MCQ, QuestionType.MCQ_MULTIPLE
INTEGER, NUMERIC = QuestionType.INTEGER, QuestionType.NUMERIC
VOTED_TYPES = [each for each in QuestionType if each is not QuestionType.OPEN]


@pytest.mark.parametrize("question_type", VOTED_TYPES)
@pytest.mark.parametrize("ties", TieRule)
@pytest.mark.parametrize("answers", [[None] * 8, ["", None, "$ $"], []])
def test_without_an_answer_there_is_no_vote(
    question_type: QuestionType, ties: TieRule, answers: list[str | None]
) -> None:
    assert vote(answers, question_type, ties=ties) == Vote(None, None, len(answers))


@pytest.mark.parametrize("answers", ["AAAACCCC", "CCCCAAAA", "CACACACA"])
def test_a_tie_goes_to_the_first_letter_or_under_exam_marks_to_nobody(answers: str) -> None:
    assert vote(list(answers), MCQ) == Vote("A", 0.5, 8)
    assert vote(list(answers), MCQ, ties=TieRule.NO_ANSWER) == Vote(None, None, 8)


def test_invalid_samples_count_in_the_share_but_never_win() -> None:
    answers = ["[invalid]"] * 3 + ["C"] * 3 + ["D"] * 2
    for ties in TieRule:
        assert vote(answers, MCQ, ties=ties) == Vote("C", 3 / 8, 8)


def test_none_never_wins_by_number() -> None:
    assert vote([None] * 7 + ["B"], MCQ, ties=TieRule.NO_ANSWER) == Vote("B", 1 / 8, 8)


def test_a_single_answer_of_two_letters_is_an_answer_of_its_own() -> None:
    assert vote(["AC", "CA", "A"], MCQ) == Vote("AC", 2 / 3, 3)


def test_equal_numbers_pool_whatever_their_spelling() -> None:
    assert vote(["0.5", "0.50", ".5", "1", "1"], NUMERIC) == Vote("0.5", 3 / 5, 5)
    assert vote(["007", "7.0", "8", "8"], INTEGER, ties=TieRule.NO_ANSWER).answer is None
    assert vote(["-0", "0", "0.00", "1"], INTEGER) == Vote("0", 3 / 4, 4)


def test_a_tie_of_numbers_goes_to_the_smallest_number_not_text() -> None:
    assert vote(["10", "9"], INTEGER).answer == "9"
    assert vote(["-2", "-10", "1"], NUMERIC).answer == "-10"
    assert vote(["2e-5", "1"], NUMERIC).answer == "0.00002"


def test_expressions_pool_by_normal_spelling_or_equal_number() -> None:
    answers = ["$x + 1$", "x+1", "1+x", "0.50", "1/2"]
    assert vote(answers, QuestionType.EXPRESSION) == Vote("x+1", 2 / 5, 5)
    assert vote(["y", "x", "2"], QuestionType.EXPRESSION).answer == "2"


@pytest.mark.parametrize(
    ("answers", "threshold", "expected"),
    [
        (["AB", "AB", "B", "B", None, None, None, None], 0.5, Vote("B", 0.5, 8)),
        (["AB", "AB", "B", "B", None, None, None, None], 0.25, Vote("AB", 0.25, 8)),
        (["AB", "AB", "B", "B", None, None, None, None], 0.51, Vote(None, None, 8)),
        (["BD", "D,B", "ABD"], 1.0, Vote("BD", 1.0, 3)),
        (["A", "B", "C"], 0.5, Vote(None, None, 3)),
        (["AB"] + ["C"] * 9, 0.1, Vote("ABC", 0.1, 10)),
    ],
)
def test_an_option_is_in_at_the_threshold_of_all_samples(
    answers: list[str | None], threshold: float, expected: Vote
) -> None:
    assert vote(answers, MULTIPLE, threshold=threshold) == expected


def test_a_share_equal_to_the_threshold_is_in() -> None:
    for n in range(1, 101):
        for count in range(1, n + 1):
            answers = ["A"] * count + [None] * (n - count)
            assert vote(answers, MULTIPLE, threshold=count / n).answer == "A"


@pytest.mark.parametrize("threshold", [0.0, -0.1, 1.01, float("nan")])
def test_a_threshold_outside_its_range_is_refused(threshold: float) -> None:
    with pytest.raises(ValueError, match="threshold"):
        vote(["A"], MULTIPLE, threshold=threshold)


def test_open_answers_are_not_voted_on() -> None:
    with pytest.raises(ValueError, match="open"):
        vote(["some text"], QuestionType.OPEN)


samples = {
    MCQ: st.sampled_from(["A", "B", "C", "(a)", None]),
    MULTIPLE: st.sampled_from(["AB", "B", "ABCD", "D, A", "C", None]),
    NUMERIC: st.sampled_from(["1", "1.0", "-1", "0.5", ".5", "5e-1", "nan", None]),
}


@given(st.sampled_from(sorted(samples)), st.sampled_from(TieRule), st.data())
def test_the_order_of_samples_changes_nothing(
    question_type: QuestionType, ties: TieRule, data: st.DataObject
) -> None:
    answers = data.draw(st.lists(samples[question_type], max_size=12))
    shuffled = data.draw(st.permutations(answers))
    assert vote(shuffled, question_type, ties=ties) == vote(answers, question_type, ties=ties)


@given(st.lists(st.decimals(-3, 3, places=1), min_size=1), st.randoms(use_true_random=False))
def test_the_spelling_of_numbers_changes_nothing(values: list[Decimal], random: Random) -> None:
    spellings = [random.choice([f"{v}", f"{v}0", f"{v:e}", f"{v:+}"]) for v in values]
    assert vote(spellings, NUMERIC) == vote([str(v) for v in values], NUMERIC)


@given(st.lists(samples[MULTIPLE], min_size=1, max_size=12), st.floats(0.01, 1))
def test_a_higher_threshold_never_adds_an_option(
    answers: list[str | None], threshold: float
) -> None:
    low = vote(answers, MULTIPLE, threshold=threshold / 2).answer or ""
    high = vote(answers, MULTIPLE, threshold=threshold).answer or ""
    assert set(high) <= set(low)


def test_every_vote_of_four_samples_has_the_most_samples_behind_it() -> None:
    for answers in product("ABC", repeat=4):
        answer, share, n = vote(answers, MCQ)
        counts = {letter: answers.count(letter) for letter in answers}
        assert share == max(counts.values()) / n
        assert answer == min(letter for letter in counts if counts[letter] == share * n)
