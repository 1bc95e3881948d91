"""Scripted contestants: exactly the share is right, the expected score is what marking gives."""

import json
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.core.extraction import extract
from tasks.core.marking import mark
from tasks.core.questions.answer_keys import parse_key
from tasks.core.questions.options import parse_options
from tasks.core.scripted.contestant import (
    Conduct,
    expected_score,
    find_question,
    plain_text,
    script,
)
from tasks.core.scripted.solutions import answer_text
from tasks.core.types import (
    ExtractStatus,
    MarkingScheme,
    Question,
    QuestionType,
    Tolerance,
)
from tasks.io.settings import DATA

SCHEME = MarkingScheme(1)
STATUSES = {
    Conduct.RIGHT: {ExtractStatus.ANSWERED},
    Conduct.PARTIAL: {ExtractStatus.ANSWERED},
    Conduct.WRONG: {ExtractStatus.ANSWERED},
    Conduct.ABSTAINS: {ExtractStatus.ABSTAINED},
    Conduct.UNREADABLE: {ExtractStatus.UNPARSED},
}
GOLDS = {
    QuestionType.MCQ: ["A", "D", "A or C"],
    QuestionType.MCQ_MULTIPLE: ["B", "AC", "ABD", "ABCD", "AB or ABD"],
    QuestionType.INTEGER: ["0", "-4", "1000", "5 or 6", "3 to 5"],
    QuestionType.NUMERIC: ["0.5", "-14.6", "7.16e-10", "2.30 to 2.40", "1e30"],
}


@st.composite
def _question_sets(draw: st.DrawFn) -> list[Question]:
    questions = []
    for number in range(draw(st.integers(1, 40))):
        question_type = draw(st.sampled_from(sorted(GOLDS)))
        is_lettered = question_type in (QuestionType.MCQ, QuestionType.MCQ_MULTIPLE)
        questions.append(
            Question(
                question_id=f"q{number}",
                type=question_type,
                question=f"What is number {number}?",
                gold=draw(st.sampled_from(GOLDS[question_type])),
                subject=draw(st.sampled_from(["phy", "chem", None])),
                options={label: f"option {label}" for label in "ABCD"} if is_lettered else {},
            )
        )
    return questions


def _sample() -> list[Question]:
    rows = json.loads((DATA / "sample" / "questions.json").read_text("utf-8"))
    return [
        Question(
            question_id=f"{row['description']}|{row['index']}",
            type=QuestionType(row["type"]),
            question=row["question"],
            gold=row["gold"],
            subject=row["subject"],
            options=parse_options(row["question"]),
        )
        for row in rows
    ]


@given(_question_sets(), st.integers(0, 100))
def test_exactly_the_share_is_right(questions: list[Question], percent: int) -> None:
    scripted = script(questions, percent / 100)
    n_right = sum(each.conduct is Conduct.RIGHT for each in scripted)
    assert n_right == (percent * len(questions) + 50) // 100
    assert expected_score(questions, percent / 100) >= Fraction(n_right, len(questions))


@given(_question_sets(), st.integers(0, 100), st.randoms())
def test_order_has_no_influence(questions: list[Question], percent: int, random: Random) -> None:
    shuffled = list(questions)
    random.shuffle(shuffled)
    assert script(shuffled, percent / 100) == script(questions, percent / 100)


@settings(max_examples=30, deadline=None)
@given(_question_sets(), st.integers(0, 100), st.integers(0, 9))
def test_reading_and_marking_give_the_expected_scores(
    questions: list[Question], percent: int, sample: int
) -> None:
    for each in script(questions, percent / 100):
        found = extract(answer_text(each, sample), each.question)
        assert found.status in STATUSES[each.conduct]
        key = parse_key(each.question.gold, each.question.type)
        marked = mark(
            found.status, found.answer, key, each.question.type, SCHEME, Tolerance.DECIMAL
        )
        assert marked.score == each.score


@pytest.mark.parametrize(("share", "score"), [(0.0, "0"), (1.0, "1")])
def test_ends_of_the_scale(share: float, score: str) -> None:
    lowest = Fraction(1, 4) if share == 0 else Fraction(0)
    assert Fraction(score) <= expected_score(_sample(), share) <= Fraction(score) + lowest


def test_failures_are_of_every_kind_and_spread() -> None:
    scripted = script(_sample(), 0.4)
    assert {each.conduct for each in scripted} == set(Conduct)
    for subject in ("phy", "chem", "math"):
        right = [
            each
            for each in scripted
            if each.question.subject == subject and each.conduct is Conduct.RIGHT
        ]
        assert 3 <= len(right) <= 5


def test_dropped_and_keyless_questions_count_for_nobody() -> None:
    questions = [
        Question("a", QuestionType.MCQ, "A?", "B"),
        Question("b", QuestionType.MCQ, "B?", "dropped"),
        Question("c", QuestionType.OPEN, "C?"),
    ]
    assert expected_score(questions, 1.0) == 1
    assert [each.score for each in script(questions, 1.0)].count(None) == 2
    with pytest.raises(ValueError, match="no question has a key"):
        expected_score(questions[1:], 1.0)


def test_a_question_is_found_by_its_text_whatever_the_blanks() -> None:
    questions = [
        Question("short", QuestionType.INTEGER, "What is 1?", "1"),
        Question("long", QuestionType.INTEGER, "Think.\n\nWhat is 1?", "1"),
    ]
    scripted = {plain_text(each.question.question): each for each in script(questions, 1.0)}
    long = find_question("Do this:\nThink.\nWhat  is 1?\nNow.", scripted)
    short = find_question("What is 1?", scripted)
    assert long is not None
    assert short is not None
    assert (long.question.question_id, short.question.question_id) == ("long", "short")
    assert find_question("What is 2?", scripted) is None
