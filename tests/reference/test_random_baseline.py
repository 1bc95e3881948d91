"""The exact score of guessing, by formula, by marking every guess, and as published."""

import json
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import pytest

from tasks.core.questions.answer_keys import parse_key
from tasks.core.types import QuestionType
from tests.reference.random_baseline import expected_score, expected_score_of_key

MCQ, MULTIPLE = QuestionType.MCQ, QuestionType.MCQ_MULTIPLE


@pytest.mark.parametrize(
    ("n_right", "expected"),
    [(1, Fraction(1, 16)), (2, Fraction(3, 32)), (3, Fraction(13, 64)), (4, Fraction(1, 2))],
)
def test_several_of_four_options(n_right: int, expected: Fraction) -> None:
    assert expected_score(MULTIPLE, 4, n_right) == expected


def test_one_option() -> None:
    assert expected_score(MCQ, 4) == Fraction(1, 4)
    assert expected_score(MCQ, 5) == Fraction(1, 5)
    assert expected_score(MCQ, 4, n_right=2) == Fraction(1, 2)


@pytest.mark.parametrize(
    "question_type",
    [QuestionType.INTEGER, QuestionType.NUMERIC, QuestionType.EXPRESSION, QuestionType.OPEN],
)
def test_what_is_not_guessed_scores_nothing(question_type: QuestionType) -> None:
    assert expected_score(question_type, 0, 0) == 0


@pytest.mark.parametrize("n_options", range(1, 9))
def test_the_formula_equals_marking_every_guess(n_options: int) -> None:
    for n_right in range(1, n_options + 1):
        key = parse_key("ABCDEFGH"[:n_right], MULTIPLE)
        expected = expected_score(MULTIPLE, n_options, n_right)
        assert expected_score_of_key(key, MULTIPLE, n_options) == expected
        assert 0 < expected <= 1


def test_keys_that_accept_several_answers() -> None:
    assert expected_score_of_key(parse_key("A or C", MCQ), MCQ, 4) == Fraction(1, 2)
    both = expected_score_of_key(parse_key("AB or ABD", MULTIPLE), MULTIPLE, 4)
    assert both == (2 + 2 * Fraction(1, 2) + 3 * Fraction(1, 4)) / 16


def test_keys_without_a_score() -> None:
    assert expected_score_of_key(parse_key("dropped", MCQ), MCQ, 4) is None
    assert expected_score_of_key(parse_key(None, MULTIPLE), MULTIPLE, 4) is None
    numeric = QuestionType.NUMERIC
    assert expected_score_of_key(parse_key("2.5", numeric), numeric, 0) == 0


@pytest.mark.parametrize(("n_options", "n_right"), [(4, 0), (4, 5), (0, 0), (11, 1)])
def test_impossible_questions_are_refused(n_options: int, n_right: int) -> None:
    for question_type in (MCQ, MULTIPLE):
        with pytest.raises(ValueError, match="options"):
            expected_score(question_type, n_options, n_right)


def test_every_published_cell_of_the_random_baseline(shared_data: Path) -> None:
    folder = shared_data / "jeebench"
    published = json.loads((folder / "jee_table2.json").read_text())["table"]["Random"]
    scores: dict[tuple[str, ...], list[Fraction]] = defaultdict(list)
    for row in json.loads((folder / "dataset.json").read_text()):
        question_type = QuestionType(row["type"])
        n_right = len(row["gold"]) if question_type is MULTIPLE else 1
        score = expected_score(question_type, 4, n_right)
        subject = row["subject"]
        for cell in ((), (subject,), (question_type,), (subject, question_type)):
            scores[cell].append(score)
    means = {cell: round(float(sum(each) / len(each)), 3) for cell, each in scores.items()}
    expected: dict[tuple[str, ...], float] = {(): published["total"]}
    expected |= {(subject,): score for subject, score in published["by_subject"].items()}
    expected |= {(each,): score for each, score in published["by_type"].items()}
    for subject, by_type in published["by_subject_type"].items():
        expected |= {(subject, each): score for each, score in by_type.items()}
    assert means == expected
