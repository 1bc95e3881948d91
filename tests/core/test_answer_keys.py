"""Keys as boards and data sets print them; what is no key is refused by name."""

import json
from decimal import Decimal
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.core.errors import BadInput
from tasks.core.questions.answer_keys import (
    Accepted,
    Dropped,
    Expression,
    Letters,
    NoKey,
    Number,
    NumberRange,
    number_text,
    parse_key,
    read_expression,
    read_letters,
    read_number,
)
from tasks.core.types import QuestionType

MCQ, MULTIPLE = QuestionType.MCQ, QuestionType.MCQ_MULTIPLE
INTEGER, NUMERIC = QuestionType.INTEGER, QuestionType.NUMERIC
EXPRESSION, OPEN = QuestionType.EXPRESSION, QuestionType.OPEN


def letters(*sets: str) -> Accepted:
    return Accepted(tuple(Letters(each) for each in sets))


def numbers(*values: str) -> Accepted:
    return Accepted(tuple(Number(Decimal(each)) for each in values))


def number_range(lower: str, upper: str) -> Accepted:
    return Accepted((NumberRange(Decimal(lower), Decimal(upper)),))


@pytest.mark.parametrize(
    ("gold", "question_type", "key"),
    [
        ("A", MCQ, letters("A")),
        (" (c) ", MCQ, letters("C")),
        ("Option B", MCQ, letters("B")),
        ("A or C", MCQ, letters("A", "C")),
        ("(A) OR (C)", MCQ, letters("A", "C")),
        ("A/C", MCQ, letters("A", "C")),
        ("A, C, or D", MCQ, letters("A", "C", "D")),
        ("A or A", MCQ, letters("A")),
        ("J", MCQ, letters("J")),
        ("BD", MULTIPLE, letters("BD")),
        ("B,D", MULTIPLE, letters("BD")),
        ("D ; B", MULTIPLE, letters("BD")),
        ("(D)(A)(B)", MULTIPLE, letters("ABD")),
        ("a, b and d", MULTIPLE, letters("ABD")),
        ("[A] & [J]", MULTIPLE, letters("AJ")),
        ("AB or ABD", MULTIPLE, letters("AB", "ABD")),
        ("A,B or A,B,D", MULTIPLE, letters("AB", "ABD")),
        ("C", MULTIPLE, letters("C")),
        ("7", INTEGER, numbers("7")),
        ("007", INTEGER, numbers("7")),
        ("9.00", INTEGER, numbers("9")),
        ("-3", INTEGER, numbers("-3")),
        ("5 or 6", INTEGER, numbers("5", "6")),
        ("5 to 7", INTEGER, number_range("5", "7")),
        ("−14.6", NUMERIC, numbers("-14.6")),
        ("–11.62", NUMERIC, numbers("-11.62")),
        ("+.5", NUMERIC, numbers("0.5")),
        ("7.16e-10", NUMERIC, numbers("7.16e-10")),
        ("18,900", NUMERIC, numbers("18900")),
        ("1{,}080", NUMERIC, numbers("1080")),
        ("12,34,567.5", NUMERIC, numbers("1234567.5")),
        ("2.30 to 2.40", NUMERIC, number_range("2.30", "2.40")),
        ("2.30-2.40", NUMERIC, number_range("2.30", "2.40")),
        ("2.30 – 2.40", NUMERIC, number_range("2.30", "2.40")),
        ("[2.30, 2.40]", NUMERIC, number_range("2.30", "2.40")),
        ("[2.30 to 2.40]", NUMERIC, number_range("2.30", "2.40")),
        ("[1,000, 2,000]", NUMERIC, number_range("1000", "2000")),
        ("between 2.3 and 2.4", NUMERIC, number_range("2.3", "2.4")),
        ("-2.4--2.3", NUMERIC, number_range("-2.4", "-2.3")),
        ("-2.3 to -2.4", NUMERIC, number_range("-2.4", "-2.3")),
        ("1e-5 - 2e-5", NUMERIC, number_range("1e-5", "2e-5")),
        (
            "2.3 to 2.4 or 5",
            NUMERIC,
            Accepted((*number_range("2.3", "2.4").answers, *numbers("5").answers)),
        ),
        (r"$\dfrac{\pi}{2}$", EXPRESSION, Accepted((Expression(r"\frac{\pi}{2}"),))),
        ("x = 1 or x = 2", EXPRESSION, Accepted((Expression("x=1orx=2"),))),
        ("Na", EXPRESSION, Accepted((Expression("Na"),))),
    ],
)
def test_published_spellings_of_a_key(
    gold: str, question_type: QuestionType, key: Accepted
) -> None:
    assert parse_key(gold, question_type) == key


@pytest.mark.parametrize("question_type", QuestionType)
@pytest.mark.parametrize(
    "gold", ["dropped", "Dropped.", "BONUS", "cancelled", "canceled", "Question dropped", "deleted"]
)
def test_a_dropped_question_is_dropped_for_every_type(
    gold: str, question_type: QuestionType
) -> None:
    assert parse_key(gold, question_type) == Dropped()


@pytest.mark.parametrize("question_type", QuestionType)
@pytest.mark.parametrize("gold", [None, "", "  \n"])
def test_an_empty_gold_is_no_key(gold: str | None, question_type: QuestionType) -> None:
    assert parse_key(gold, question_type) == NoKey()


@pytest.mark.parametrize("question_type", QuestionType)
@pytest.mark.parametrize("gold", ["None", "none", "NA", "N/A", "nan", "NaN", "null", "<NA>", "–"])
def test_the_text_of_a_missing_value_is_no_gold(gold: str, question_type: QuestionType) -> None:
    with pytest.raises(BadInput, match="missing value") as refusal:
        parse_key(gold, question_type)
    assert repr(gold) in str(refusal.value)


@pytest.mark.parametrize(
    ("gold", "question_type"),
    [
        ("AC", MCQ),
        ("A,C", MCQ),
        ("A or", MCQ),
        ("or", MCQ),
        ("K", MCQ),
        ("1", MCQ),
        ("None of these", MCQ),
        ("AB or 3", MULTIPLE),
        ("ABK", MULTIPLE),
        ("A or or B", MULTIPLE),
        ("five", INTEGER),
        ("2.5", INTEGER),
        ("B", INTEGER),
        ("5 or", INTEGER),
        ("5, 6", NUMERIC),
        ("0,1", NUMERIC),
        ("12,34", NUMERIC),
        ("2.5 m/s", NUMERIC),
        ("3/2", NUMERIC),
        ("1_000", NUMERIC),
        ("inf", NUMERIC),
        ("-Infinity", NUMERIC),
        ("1e400", NUMERIC),
        ("1e400 to 1e401", NUMERIC),
        ("1e99999999999999999999", NUMERIC),
        ("2.3 to", NUMERIC),
        ("[2.3]", NUMERIC),
        ("[1, 2, 3]", NUMERIC),
        ("2.3 to 2.4 to 2.5", NUMERIC),
        ("$ $", EXPRESSION),
        ("a good essay", OPEN),
    ],
)
def test_what_fits_no_reading_is_refused_in_one_line(
    gold: str, question_type: QuestionType
) -> None:
    with pytest.raises(BadInput) as refusal:
        parse_key(gold, question_type)
    message = str(refusal.value)
    assert repr(gold) in message
    assert f"type {question_type}" in message
    assert "\n" not in message


def test_the_message_about_a_long_gold_stays_short() -> None:
    with pytest.raises(BadInput) as refusal:
        parse_key("lorem\nipsum " * 10_000, NUMERIC)
    assert len(str(refusal.value)) < 300
    assert "\n" not in str(refusal.value)


@given(st.sets(st.sampled_from("ABCDEFGHIJ"), min_size=1), st.randoms(use_true_random=False))
def test_order_case_and_separators_of_letters_do_not_matter(
    options: set[str], random: Random
) -> None:
    shuffled = sorted(options)
    random.shuffle(shuffled)
    separator = random.choice(["", " ", ",", ", ", " and ", ")(", ";", " & "])
    text = separator.join(random.choice([each, each.lower()]) for each in shuffled)
    expected = "".join(sorted(options))
    assert read_letters(text) == expected
    assert parse_key(text, MULTIPLE) == letters(expected)


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**300), max_value=10**300))
def test_a_number_is_read_exactly_and_written_in_one_spelling(value: Decimal) -> None:
    text = number_text(value)
    assert read_number(text) == value
    assert read_number(str(value)) == value
    assert number_text(Decimal(text)) == text


@given(st.integers(-(10**15), 10**15), st.integers(0, 99))
def test_thousands_groups_do_not_change_a_number(whole: int, hundredths: int) -> None:
    assert read_number(f"{whole:,}.{hundredths:02}") == Decimal(f"{whole}.{hundredths:02}")


@given(st.decimals(-1000, 1000, places=3), st.decimals(-1000, 1000, places=3))
def test_a_range_is_the_same_in_every_spelling(one: Decimal, other: Decimal) -> None:
    expected = number_range(str(min(one, other)), str(max(one, other)))
    for text in (f"{one} to {other}", f"{one}-{other}", f"[{one}, {other}]", f"{other} – {one}"):
        assert parse_key(text, NUMERIC) == expected


@given(st.text())
def test_any_text_is_a_key_or_a_refusal(text: str) -> None:
    for question_type in QuestionType:
        try:
            key = parse_key(text, question_type)
        except BadInput as refusal:
            assert "\n" not in str(refusal)  # noqa: PT017
        else:
            assert isinstance(key, Accepted | Dropped | NoKey)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("01", "1"),
        ("1.", "1"),
        ("१२", "12"),
        ("1.5e3", "1500"),
        ("- 2", "-2"),
        ("nan", None),
        ("Infinity", None),
        ("1e400", None),
        ("", None),
        ("5 6", None),
        ("0x10", None),
        ("1,00", None),
        ("0,123", None),
    ],
)
def test_numbers_and_what_is_none(text: str, value: str | None) -> None:
    assert read_number(text) == (None if value is None else Decimal(value))


@pytest.mark.parametrize(
    ("value", "text"),
    [("0.50", "0.5"), ("-0.0", "0"), ("1E+3", "1000"), ("7.16E-10", "7.16e-10"), ("1e30", "1e30")],
)
def test_the_one_spelling_of_a_number(value: str, text: str) -> None:
    assert number_text(Decimal(value)) == text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"\left( x + 1 \right)", "(x+1)"),
        (r"$\tfrac{1}{2}\,\pi$.", r"\(\frac{1}{2} \pi\)"),
        ("−x", "-x"),
    ],
)
def test_equal_expressions_have_one_normal_spelling(one: str, other: str) -> None:
    assert read_expression(one) == read_expression(other)


@pytest.mark.parametrize(
    ("one", "other"), [("x", "X"), ("1 2", "12"), ("x²", "x2"), (r"\leftarrow", "arrow")]
)
def test_different_expressions_stay_different(one: str, other: str) -> None:
    assert read_expression(one) != read_expression(other)


def test_every_gold_of_jeebench_is_a_key(shared_data: Path) -> None:
    rows = json.loads((shared_data / "jeebench" / "dataset.json").read_text())
    keys = [(row["gold"], parse_key(row["gold"], QuestionType(row["type"]))) for row in rows]
    assert len(keys) == 515
    for gold, key in keys:
        assert isinstance(key, Accepted)
        match key.answers:
            case (Letters(read),):
                assert read == gold
            case (Number(value),):
                assert value == Decimal(gold)
            case _:
                pytest.fail(f"{gold} was read as {key}")
