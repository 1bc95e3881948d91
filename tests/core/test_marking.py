"""Scores and exam marks: the papers' rules, the published tables, and what must always hold."""

import gzip
import json
from collections import defaultdict
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.core.marking import mark
from tasks.core.questions.answer_keys import NoKey, parse_key
from tasks.core.types import (
    ExtractStatus,
    MarkingScheme,
    Outcome,
    QuestionType,
    Score,
    Tolerance,
)

SINGLE_SCHEME = MarkingScheme(correct=3, wrong=-1, blank=0)
MULTIPLE_SCHEME = MarkingScheme(correct=4, wrong=-2, blank=0, partial_per_option=1)
NUMBER_SCHEME = MarkingScheme(correct=3)

MCQ, MULTIPLE = QuestionType.MCQ, QuestionType.MCQ_MULTIPLE
INTEGER, NUMERIC = QuestionType.INTEGER, QuestionType.NUMERIC
SCHEMES = {MCQ: SINGLE_SCHEME, MULTIPLE: MULTIPLE_SCHEME}

ANSWERED, ABSTAINED = ExtractStatus.ANSWERED, ExtractStatus.ABSTAINED
DECIMAL, OFFICIAL = Tolerance.DECIMAL, Tolerance.OFFICIAL


def marked(
    answer: str | None,
    gold: str | None,
    question_type: QuestionType,
    *,
    status: ExtractStatus = ANSWERED,
    tolerance: Tolerance = DECIMAL,
    scheme: MarkingScheme | None = None,
) -> Score:
    scheme = scheme or SCHEMES.get(question_type, NUMBER_SCHEME)
    return mark(status, answer, parse_key(gold, question_type), question_type, scheme, tolerance)


@pytest.mark.parametrize(
    ("gold", "answer", "expected"),
    [
        ("ABD", "ABD", Score(Outcome.CORRECT, 1, 4, 4)),
        ("ABD", "AB", Score(Outcome.PARTIAL, 0.5, 2, 4)),
        ("ABD", "A", Score(Outcome.PARTIAL, 0.25, 1, 4)),
        ("ABD", "ABC", Score(Outcome.WRONG, 0, -2, 4)),
        ("ABD", "C", Score(Outcome.WRONG, 0, -2, 4)),
        ("ABD", "ABCD", Score(Outcome.WRONG, 0, -2, 4)),
        ("D", "D", Score(Outcome.CORRECT, 1, 4, 4)),
        ("D", "AD", Score(Outcome.WRONG, 0, -2, 4)),
        ("ABCD", "ABC", Score(Outcome.PARTIAL, 0.75, 3, 4)),
        ("AB or ABD", "AB", Score(Outcome.CORRECT, 1, 4, 4)),
        ("AB or ABD", "ABD", Score(Outcome.CORRECT, 1, 4, 4)),
        ("AB or ABD", "AD", Score(Outcome.PARTIAL, 0.5, 2, 4)),
        ("AB or ABD", "ABC", Score(Outcome.WRONG, 0, -2, 4)),
    ],
)
def test_several_options(gold: str, answer: str, expected: Score) -> None:
    assert marked(answer, gold, MULTIPLE) == expected


@pytest.mark.parametrize(
    ("gold", "answer", "expected"),
    [
        ("A", "A", Score(Outcome.CORRECT, 1, 3, 3)),
        ("A", "(a)", Score(Outcome.CORRECT, 1, 3, 3)),
        ("A", "B", Score(Outcome.WRONG, 0, -1, 3)),
        ("A", "AB", Score(Outcome.WRONG, 0, -1, 3)),
        ("A or C", "C", Score(Outcome.CORRECT, 1, 3, 3)),
        ("A or C", "AC", Score(Outcome.WRONG, 0, -1, 3)),
        ("A or C", "B", Score(Outcome.WRONG, 0, -1, 3)),
        ("A", "none of them", Score(Outcome.UNPARSED, 0, 0, 3)),
    ],
)
def test_one_option(gold: str, answer: str, expected: Score) -> None:
    assert marked(answer, gold, MCQ) == expected


@pytest.mark.parametrize(
    ("status", "outcome", "earned"),
    [
        (ExtractStatus.ABSTAINED, Outcome.BLANK, -0.5),
        (ExtractStatus.AMBIGUOUS, Outcome.UNPARSED, 0),
        (ExtractStatus.UNPARSED, Outcome.UNPARSED, 0),
        (ExtractStatus.TRUNCATED, Outcome.TRUNCATED, 0),
    ],
)
@pytest.mark.parametrize("question_type", [MCQ, MULTIPLE])
def test_no_answer_is_blank_unparsed_or_truncated_and_never_wrong(
    status: ExtractStatus, outcome: Outcome, earned: float, question_type: QuestionType
) -> None:
    scheme = MarkingScheme(correct=4, wrong=-2, blank=-0.5, partial_per_option=1)
    score = marked(None, "A", question_type, status=status, scheme=scheme)
    assert score == Score(outcome, 0, earned, 4)


@pytest.mark.parametrize("status", ExtractStatus)
@pytest.mark.parametrize("question_type", QuestionType)
def test_dropped_and_keyless_questions_count_for_nobody(
    status: ExtractStatus, question_type: QuestionType
) -> None:
    for answer in (None, "A", "0", "None"):
        void = marked(answer, "dropped", question_type, status=status)
        assert void == Score(Outcome.VOID, None, None, None)
        unscored = marked(answer, None, question_type, status=status)
        assert unscored == Score(Outcome.UNSCORED, None, None, None)


@pytest.mark.parametrize("question_type", [INTEGER, NUMERIC])
def test_an_empty_reply_is_not_the_gold_zero(question_type: QuestionType) -> None:
    assert marked(None, "0", question_type, status=ExtractStatus.UNPARSED).score == 0
    for answer in (None, "", " ", "None"):
        assert marked(answer, "0", question_type) == Score(Outcome.UNPARSED, 0, 0, 3)


@pytest.mark.parametrize(
    ("gold", "answer", "outcome"),
    [
        ("0.50", "0.51", Outcome.CORRECT),
        ("2.34", "2.35", Outcome.CORRECT),
        ("25.00", "25.01", Outcome.CORRECT),
        ("0.62", "0.63", Outcome.CORRECT),
        ("13.32", "13.33", Outcome.CORRECT),
        ("0.50", "0.511", Outcome.WRONG),
        ("0.50", "0.5100000000000000000000000000000001", Outcome.WRONG),
        ("-14.6", "-14.59", Outcome.CORRECT),
        ("-14.6", "14.6", Outcome.WRONG),
        ("1080", "1,080", Outcome.CORRECT),
        ("7.16e-10", "0", Outcome.CORRECT),
        ("0.50", "nan", Outcome.UNPARSED),
        ("0.50", "inf", Outcome.UNPARSED),
        ("0.50", "1e400", Outcome.UNPARSED),
        ("0.50", "about a half", Outcome.UNPARSED),
        ("0.50", "0.5 or 0.6", Outcome.UNPARSED),
        ("5 or 6", "6", Outcome.CORRECT),
        ("5 or 6", "5.5", Outcome.WRONG),
        ("2.30 to 2.40", "2.30", Outcome.CORRECT),
        ("2.30 to 2.40", "2.40", Outcome.CORRECT),
        ("2.30 to 2.40", "2.405", Outcome.WRONG),
        ("2.30 to 2.40 or 7", "7.01", Outcome.CORRECT),
    ],
)
def test_numbers_within_a_hundredth_decided_exactly(
    gold: str, answer: str, outcome: Outcome
) -> None:
    assert marked(answer, gold, NUMERIC).outcome is outcome


@pytest.mark.parametrize(
    ("gold", "answer", "outcome"),
    [
        ("0.62", "0.63", Outcome.WRONG),
        ("13.32", "13.33", Outcome.CORRECT),
        ("0.50", "0.511", Outcome.WRONG),
        ("5 or 6", "6", Outcome.CORRECT),
        ("2.30 to 2.40", "2.405", Outcome.WRONG),
    ],
)
def test_official_tolerance_decides_in_binary_floats(
    gold: str, answer: str, outcome: Outcome
) -> None:
    assert marked(answer, gold, NUMERIC, tolerance=OFFICIAL).outcome is outcome


@pytest.mark.parametrize(
    ("gold", "answer", "outcome"),
    [
        ("1", "01", Outcome.CORRECT),
        ("1", "1.0", Outcome.CORRECT),
        ("3", "3.005", Outcome.CORRECT),
        ("3", "3.02", Outcome.WRONG),
        ("3", "4", Outcome.WRONG),
    ],
)
def test_integers_follow_the_published_tolerance(gold: str, answer: str, outcome: Outcome) -> None:
    assert marked(answer, gold, INTEGER).outcome is outcome


@pytest.mark.parametrize(
    ("gold", "answer", "outcome"),
    [
        (r"\frac{\pi}{2}", r"$\dfrac{\pi}{2}$", Outcome.CORRECT),
        ("0.5", ".50", Outcome.CORRECT),
        ("0.5", "0.51", Outcome.WRONG),
        ("x+1", "1+x", Outcome.WRONG),
        ("x", "$$", Outcome.UNPARSED),
    ],
)
def test_expressions_by_normal_spelling_or_equal_number(
    gold: str, answer: str, outcome: Outcome
) -> None:
    assert marked(answer, gold, QuestionType.EXPRESSION).outcome is outcome


def test_a_scheme_without_partial_marks_pays_a_part_as_wrong() -> None:
    scheme = MarkingScheme(correct=3, wrong=-1)
    assert marked("AB", "ABD", MULTIPLE, scheme=scheme) == Score(Outcome.PARTIAL, 0.5, -1, 3)


def test_a_part_of_many_options_never_pays_more_than_all_of_them() -> None:
    assert marked("ABCDE", "ABCDEF", MULTIPLE) == Score(Outcome.PARTIAL, 1, 4, 4)


def test_the_answer_and_the_key_must_be_of_one_type() -> None:
    key = parse_key("2.5", NUMERIC)
    with pytest.raises(ValueError, match="cannot be held against"):
        mark(ANSWERED, "A", key, MCQ, SINGLE_SCHEME, DECIMAL)


def test_open_prompts_are_unscored() -> None:
    score = mark(ANSWERED, "x", NoKey(), QuestionType.OPEN, NUMBER_SCHEME, DECIMAL)
    assert score.outcome is Outcome.UNSCORED


option_sets = st.sets(st.sampled_from("ABCDEFGHIJ"), min_size=1).map(
    lambda options: "".join(sorted(options))
)
any_answers = st.one_of(option_sets, st.decimals().map(str), st.text(), st.none())
finite = st.decimals(-(10**300), 10**300, allow_nan=False)
questions = st.one_of(
    st.tuples(st.just(MCQ), st.sampled_from("ABCDEFGHIJ")),
    st.tuples(st.just(MULTIPLE), option_sets),
    st.tuples(st.just(INTEGER), st.integers(-(10**30), 10**30).map(str)),
    st.tuples(st.just(NUMERIC), finite.map(str)),
    st.tuples(st.just(QuestionType.EXPRESSION), st.sampled_from(["x+1", "0.5"])),
)


@given(st.sampled_from(ExtractStatus), any_answers, questions, st.sampled_from(Tolerance))
def test_scores_and_marks_stay_in_bounds(
    status: ExtractStatus,
    answer: str | None,
    question: tuple[QuestionType, str],
    tolerance: Tolerance,
) -> None:
    question_type, gold = question
    scheme = SCHEMES.get(question_type, NUMBER_SCHEME)
    score = marked(answer, gold, question_type, status=status, tolerance=tolerance)
    assert score.score is not None
    assert score.mark is not None
    assert 0 <= score.score <= 1
    assert scheme.wrong <= score.mark <= scheme.correct == score.max_mark
    if status is not ANSWERED:
        assert (score.score, score.mark) == (0, 0)
    if score.outcome is Outcome.CORRECT:
        assert (score.score, score.mark) == (1, scheme.correct)


@given(questions)
def test_the_gold_itself_is_correct(question: tuple[QuestionType, str]) -> None:
    question_type, gold = question
    for tolerance in Tolerance:
        score = marked(gold, gold, question_type, tolerance=tolerance)
        assert score.outcome is Outcome.CORRECT


@given(option_sets, option_sets, st.permutations("ABCDEFGHIJ"))
def test_relabelling_the_options_changes_nothing(
    gold: str, answer: str, permuted: list[str]
) -> None:
    relabel = str.maketrans("ABCDEFGHIJ", "".join(permuted))
    original = marked(answer, gold, MULTIPLE)
    assert marked(answer.translate(relabel), gold.translate(relabel), MULTIPLE) == original
    assert marked(answer[::-1], ", ".join(reversed(gold)), MULTIPLE) == original


def payment(score: Score) -> tuple[float, float]:
    assert score.score is not None
    assert score.mark is not None
    return score.score, score.mark


@given(option_sets, option_sets, st.sampled_from("ABCDEFGHIJ"))
def test_one_more_right_option_never_costs_and_a_wrong_one_never_pays(
    gold: str, answer: str, option: str
) -> None:
    before, after = marked(answer, gold, MULTIPLE), marked(answer + option, gold, MULTIPLE)
    if option in gold:
        assert payment(after) >= payment(before)
    else:
        assert (after.score, after.mark) == (0, MULTIPLE_SCHEME.wrong)


@given(st.decimals(-1000, 1000, places=3), st.decimals(-1000, 1000, places=3))
def test_the_spelling_of_a_number_does_not_matter(gold: Decimal, answer: Decimal) -> None:
    expected = marked(str(answer), str(gold), NUMERIC)
    assert (expected.outcome is Outcome.CORRECT) == (abs(gold - answer) <= Decimal("0.01"))
    spellings = [f"{answer:e}", f"{answer}00", f" {answer} ", f"{answer:,}", f"{answer}e0"]
    for spelling in [*spellings, str(answer).replace("-", "−")]:
        assert marked(spelling, f"{gold:e}", NUMERIC) == expected


@given(st.decimals(-10000, 10000, places=2), st.decimals(0, 1, places=4), st.sampled_from([1, -1]))
def test_nearer_to_the_gold_is_never_worse(gold: Decimal, off: Decimal, sign: int) -> None:
    near = marked(str(gold + sign * off / 2), str(gold), NUMERIC)
    far = marked(str(gold + sign * off), str(gold), NUMERIC)
    assert payment(near) >= payment(far)


def recorded_extracts(shared_data: Path, model: str) -> list[dict[str, Any]]:
    """The published answers as read by hand, joined to the data set's golds by question id."""
    folder = shared_data / "jeebench"
    golds = {
        f"{row['description']}|{row['index']}": row["gold"]
        for row in json.loads((folder / "dataset.json").read_text())
    }
    with gzip.open(folder / f"responses_{model}.json.gz", "rt") as file:
        rows: list[dict[str, Any]] = json.load(file)
    for row in rows:
        row["question_id"] = f"{row['description']}|{row['index']}"
        row["gold"] = golds[row["question_id"]]
    return rows


def marked_row(row: dict[str, Any], tolerance: Tolerance) -> Score:
    is_abstained = row["extract"] == "None"
    return marked(
        None if is_abstained else row["extract"],
        row["gold"],
        QuestionType(row["type"]),
        status=ABSTAINED if is_abstained else ANSWERED,
        tolerance=tolerance,
    )


@pytest.mark.parametrize("model", ["GPT4_normal", "GPT3.5_normal"])
def test_published_scores_of_every_question(shared_data: Path, model: str) -> None:
    expected = json.loads((shared_data / "jeebench" / "jee_scores_per_question.json").read_text())
    scores = {
        row["question_id"]: marked_row(row, OFFICIAL).score
        for row in recorded_extracts(shared_data, model)
    }
    assert scores == expected[model]


@pytest.mark.parametrize("model", ["GPT4_normal", "GPT3.5_normal"])
def test_published_exam_marks(shared_data: Path, model: str) -> None:
    expected = json.loads((shared_data / "jeebench" / "jee_exam_marks.json").read_text())
    scores: dict[tuple[str, str], list[Score]] = defaultdict(list)
    for row in recorded_extracts(shared_data, model):
        if row["type"] not in (MCQ, MULTIPLE):
            continue
        split = "y2023" if "2023" in row["description"] else "y2016_2022"
        score = marked_row(row, OFFICIAL)
        for each_split in ("all", split):
            for group in (row["type"], "both"):
                scores[each_split, group].append(score)
    for split in ("all", "y2016_2022", "y2023"):
        for group, figures in expected[split][model].items():
            counts = {key: figures[key] for key in figures if key.startswith("n_")}
            sums = {key: figures[key] for key in ("n", "positive", "negative", "total", "max")}
            assert exam_sums(scores[split, group]) == sums
            assert {key: outcome_counts(scores[split, group])[key] for key in counts} == counts


def exam_sums(scores: list[Score]) -> dict[str, float]:
    marks = [score.mark for score in scores if score.mark is not None]
    return {
        "n": len(scores),
        "positive": sum(each for each in marks if each > 0),
        "negative": -sum(each for each in marks if each < 0),
        "total": sum(marks),
        "max": sum(score.max_mark for score in scores if score.max_mark is not None),
    }


def outcome_counts(scores: list[Score]) -> dict[str, int]:
    outcomes = [score.outcome for score in scores]
    return {
        "n_full": outcomes.count(Outcome.CORRECT),
        "n_partial": outcomes.count(Outcome.PARTIAL),
        "n_wrong": outcomes.count(Outcome.WRONG),
        "n_skipped": outcomes.count(Outcome.BLANK),
    }


def test_all_answers_to_all_keys_of_four_options() -> None:
    subsets = ["".join(some) for size in range(1, 5) for some in combinations("ABCD", size)]
    for gold in subsets:
        for answer in subsets:
            expected = (
                1.0 if answer == gold else 0.25 * len(answer) if set(answer) <= set(gold) else 0.0
            )
            assert marked(answer, gold, MULTIPLE).score == expected
