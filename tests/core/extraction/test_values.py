"""Answers that are numbers (kinds of fault X5–X11, M1 and S9, and variants of each)."""

import pytest

from tasks.core.extraction import extract
from tasks.core.types import ExtractStatus, QuestionType
from tests.core.extraction.questions import INTEGER, NUMERIC, PERCENT, question


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        # spellings
        ("−14.6", "-14.6"),
        ("1.5e3", "1500"),
        ("1.5×10³", "1500"),
        (r"1.15 \times 10^{3}", "1150"),
        (r"\frac{3}{2}", "1.5"),
        ("3/2", "1.5"),
        (r"-\boxed{0.5}", "-0.5"),
        (".5", "0.5"),
        ("0.50", "0.5"),
        ("१२", "12"),
        ("٣٫٥", "3.5"),
        ("**7**", "7"),
        (r"2\sqrt{2}", "2.82842712475"),
        (r"\pi/2", "1.57079632679"),
        ("zero", "0"),
        ("twenty-one", "21"),
        ("minus three", "-3"),
        ("+5", "5"),
        ("-0", "0"),
        ("007", "7"),
        ("½", "0.5"),
        (r"2\frac{1}{2}", "2.5"),
        (r"\boxed{2^{16}}", "65536"),
        (r"\log_{2} 32", "5"),
        (r"\ln 2", "0.69314718056"),
        ("6.02e23", "6.02e23"),
        ("7.16 × 10⁻¹⁰ m", "7.16e-10"),
        ("3:1", "3"),
        (r"45^{\circ}", "45"),
        # separators
        ("1,000", "1000"),
        ("1{,}080", "1080"),
        ("12,34,567", "1234567"),
        ("2\u202f000", "2000"),
        # units
        ("x ≈ 25.0", "25"),
        ("3336~g", "3336"),
        (r"$6.15 \mathrm{~L}$", "6.15"),
        (r"\boxed{3.8 \mathrm{~g}}", "3.8"),
        (r"0.5\,\text{m s}^{-1}", "0.5"),
        ("12 m/s", "12"),
        # boxes and declarations
        (r"\boxed{5} wait, so \boxed{6}", "6"),
        (r"So $x = \boxed{a=1}$", "1"),
        (r"The maximum is $\boxed{7}$, which occurs at x = 2.", "7"),
        ("Final answer: 6.00", "6"),
        ("**Final Answer**\n\n$$n = 12$$", "12"),
        ("The answer is x + y = 20 + 25 = 45.", "45"),
        ("#### 42", "42"),
        ("Answer: 12\n\nExplanation: 3 rows of 4.", "12"),
        ("The final answer is approximately 3.14 seconds (rounded to 2 decimal places).", "3.14"),
        ("The final answer must be an integer between 0 and 9. So, the count is 4.", "4"),
        (
            r"$\Delta a = -80.5$ mm, so the change is $-80.5$ mm, or a decrease of $80.5$ mm.",
            "-80.5",
        ),
        # numbers after the answer
        ("In total, there are 6 possible isomers for the given compound C8H10O2.", "6"),
        ("So, there are 51051 possible ways during 1-15 June 2021.", "51051"),
        ("Therefore the work is 12 J (see eq. 3).", "12"),
        ("So the value is 2.5, correct up to the 2nd decimal digit.", "2.5"),
        ("The final answer is 8. You asked: what is the energy of 3 flasks in joule?", "8"),
        ("There are 3024 pairs $(A, B)$ such that $1 \\leq |B| < |A|$.", "3024"),
        (
            "Therefore, we need to fire at least 11 shots to ensure a chance not less than 0.95.",
            "11",
        ),
        (r"Final answer: $\det(A) \leq 6$.", "6"),
        ("Since the final answer must be an integer, we can say that P is 2. So E is -1 J.", "-1"),
        # other languages
        ("अतः अंतिम उत्तर १२.५ है।", "12.5"),
        ("答案是 12。", "12"),
        ("الجواب: ١٢", "12"),
        ("La respuesta es 12.", "12"),
        # thinking
        ("<think>\\boxed{3}</think>It is \\boxed{4}", "4"),
    ],
)
def test_number(text: str, answer: str) -> None:
    found = extract(text, NUMERIC)
    assert (found.answer, found.status) == (answer, ExtractStatus.ANSWERED)


def test_percent_sign() -> None:
    for text in (r"25 \%", r"The final answer is $25\%$.", "25 percent"):
        assert extract(text, PERCENT).answer == "25"
        assert extract(text, PERCENT).candidates == ()
        found = extract(text, NUMERIC)
        assert found.answer == "25"
        assert [candidate.answer for candidate in found.candidates] == ["0.25"]


@pytest.mark.parametrize(
    "text",
    [
        "0,1",
        "12,34",
        r"\left(1,2\right)",
        "24 or 25",
        "between 24 and 25",
        r"The final answer is $24$ or $25$.",
        r"\boxed{\pm 2}",
        r"\boxed{1} and \boxed{2}",
        "The answer is 24-25.",
        "The final answer is 5. Wait, that is wrong.",
    ],
)
def test_several_values_are_ambiguous(text: str) -> None:
    found = extract(text, NUMERIC)
    assert (found.answer, found.status) == (None, ExtractStatus.AMBIGUOUS)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "nan",
        "inf",
        "NaN",
        "1e400",
        "1e99999",
        "1e-400",
        r"\infty",
        "None",
        "9**9**9",
        r"\boxed{\infty}",
        r"\boxed{2\alpha}",
        r"The final answer is $\boxed{b^2}$ after 3 steps.",
        "The final answer is 1/0.",
        r"So the final answer is $n = \frac{15 R^4}{M}$.",
        r"The answer is $\frac{x}{2}$.",
        "<think>the answer is 7",
    ],
)
def test_nothing_readable(text: str) -> None:
    for asked in (NUMERIC, INTEGER):
        found = extract(text, asked)
        assert (found.answer, found.status) == (None, ExtractStatus.UNPARSED)


@pytest.mark.parametrize(
    "text",
    [
        "The value of n cannot be determined from these data.",
        "This gives 3 = 20, so there must be an error in the problem statement.",
        "Therefore the limit does not exist.",
        "We do not have enough information to find the current.",
    ],
)
def test_abstention(text: str) -> None:
    found = extract(text, NUMERIC)
    assert (found.answer, found.status) == (None, ExtractStatus.ABSTAINED)


def test_the_symbol_that_was_asked_for() -> None:
    asked = question(
        QuestionType.NUMERIC,
        r"The rate is $\mathbf{Y} \times 10^{-5}$. What is the value of $\mathbf{Y}$?",
    )
    text = r"So, the value of Y is 6.75. The rate is $6.75 \times 10^{-5}$."
    assert extract(text, asked).answer == "6.75"


def test_a_product_that_the_question_writes_out() -> None:
    asked = question(
        QuestionType.NUMERIC, r"The mass is $x \times 10^{-2}$ g. What is the value of $x$?"
    )
    found = extract(r"The final answer is $x = 2.4 \times 10^{-2}$.", asked)
    assert found.answer == "2.4"
    assert [candidate.answer for candidate in found.candidates] == ["0.024"]
    assert extract(r"The final answer is $2.4 \times 10^{-3}$.", asked).answer == "0.0024"


@pytest.mark.parametrize("text", ["", "so x = 12. Checking option (B)", "The final answer is 1"])
def test_truncated_text_gives_nothing(text: str) -> None:
    found = extract(text, NUMERIC, truncated=True)
    assert (found.answer, found.status) == (None, ExtractStatus.TRUNCATED)


def test_truncated_text_keeps_what_it_declared_before_the_cut() -> None:
    found = extract(r"\boxed{12.5}. Let me verify this by ano", NUMERIC, truncated=True)
    assert (found.answer, found.status) == ("12.5", ExtractStatus.ANSWERED)


def test_open_prompts_have_no_answer() -> None:
    assert extract("12", question(QuestionType.OPEN)).status is ExtractStatus.UNPARSED
