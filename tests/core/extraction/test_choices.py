"""Answers to questions with options (kinds of fault X1–X6 and S9, and variants of each)."""

import pytest

from tasks.core.extraction import extract
from tasks.core.types import ExtractStatus, Question
from tests.core.extraction.questions import FALSE_ONES, FOUR, ONE, SOME, question

A, U = ExtractStatus.ABSTAINED, ExtractStatus.UNPARSED
AMBIGUOUS = ExtractStatus.AMBIGUOUS


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        # the last declaration holds, a questioned one is none
        ("Format: ANSWER: [LETTER]. Try A: fails. ANSWER: A? No, sign error. ANSWER: C", "C"),
        ("The answer is (A). Wait, I dropped a sign. So the answer is (B).", "B"),
        ("Answer: D\n\nExplanation: (A) is too small, (B) too large, (C) no number.", "D"),
        ("I first thought the correct option is (A), but the correct option is (D).", "D"),
        ("Answer with \\boxed{letter}. Energy is 25 J.\n\n\\boxed{D}", "D"),
        ("**Answer: (C)**", "C"),
        ("#### B", "B"),
        ("<answer>B</answer>", "B"),
        ("### Final Answer\n\n**(B)** $\\frac{\\sqrt{3}}{2}$", "B"),
        ("The correct answer is option C.", "C"),
        ("The correct choice is therefore **B**.", "B"),
        ("Hence, the value is 25 J, which corresponds to option (D).", "D"),
        ("So (A) fails. Therefore, option (B) is the correct answer.", "B"),
        ("The correct answer is (B), since (A) contradicts the data.", "B"),
        ("The answer is (c).", "C"),
        ("Answer: d) 25 J", "D"),
        ("उत्तर: (B)", "B"),
        ("अतः सही विकल्प (C) है।", "C"),
        ("因此，答案是（D）。", "D"),
        ("إذن الإجابة الصحيحة هي (A).", "A"),
        ("La respuesta correcta es (B).", "B"),
        # thinking is no answer
        ("reasoning (A)...</think>\n\\boxed{C}", "C"),
        ("<think>The answer is (A).</think>The answer is (B).", "B"),
        ("<think>The answer is (A).</think><think>or (C)?</think> (D)", "D"),
        # a value or a wording instead of a letter
        ("The result is $6.0 \\times 10^{-34}$.", "A"),
        ("The answer is 25 J.", "D"),
        ("So the answer is $\\sqrt{3}/2$.", "B"),
        ("The answer is: the flask grows warm.", "C"),
        ("\\boxed{0.866}", "B"),
        ("\\boxed{\\dfrac{\\sqrt3}{2}}", "B"),
        # more than one letter stays more than one
        ("The correct answers are (A) and (C).", None),
    ],
)
def test_single_choice(text: str, answer: str | None) -> None:
    expected = "AC" if answer is None else answer
    assert extract(text, ONE).answer == expected


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        # letters in words
        ("Both B and D hold.", "BD"),
        ("A, B, and D are correct", "ABD"),
        ("Option (a) & (d)", "AD"),
        ("All of the above are correct.", "ABCD"),
        ("Final answer: All the options are correct.", "ABCD"),
        ("The correct options are A, B and D.", "ABD"),
        ("Thus options B and C are correct, whereas A and D are not.", "BC"),
        ("The correct statements are all except (B).", "ACD"),
        ("The correct options are (A), (C) but not (D).", "AC"),
        # notations
        (r"$\boxed{B,D}$", "BD"),
        (r"\boxed{\text{(A) and (C)}}", "AC"),
        ("ABD", "ABD"),
        ("A,B,", "AB"),
        ("**A** ; **C**", "AC"),
        (r"\boxed{A}, \boxed{C}", "AC"),
        (r"$\boxed{A}$ and $\boxed{C}$", "AC"),
        ("(A)(B)(D)", "ABD"),
        ("[A]", "A"),
        (r"$[\mathrm{A}]$", "A"),
        (r"$\boxed{[\mathrm{A}], [\mathrm{D}]}$", "AD"),
        (r"\boxed{\mathbf{BC}}", "BC"),
        ("Answer: A, C", "AC"),
        ("**Final Answer:** A and B", "AB"),
        ("The correct options are A & C.", "AC"),
        ("Final answer: Ⓐ, Ⓒ", "AC"),
        ("Final answer: （Ａ）、（Ｃ）", "AC"),
        # lists
        ("The correct statements are:\n\n(A) cold\n(C) warm because of (B)", "AC"),
        ("Correct options:\n- **B**: 3\n- **D**: 25 J", "BD"),
        ("In conclusion, the correct options are:\n\n1. (A) cold\n2. (D) 25 J", "AD"),
        # verdicts
        ("(A) and (C) are true, (B) and (D) are false", "AC"),
        ("The only FALSE statement is (A).", "BCD"),
        ("(A): True\n(B): False\n(C): True\n(D): False", "AC"),
        ("| (A) | True |\n| (B) | False |\n| (C) | False |\n| (D) | True |", "AD"),
        ("(A) ✓\n(B) ✗\n(C) ✓\n(D) ✗", "AC"),
        (
            "(A) It is cold. This statement is false.\n\n(B) Half. So this is correct.\n\n"
            "(C) Warm. Hence this statement is also correct.\n\n(D) This is not true.",
            "BC",
        ),
        ("Option (A) is correct. Option (B) is not correct. (C) is correct. (D) is false.", "AC"),
        ("Option A is incorrect. Option B is correct. Options C and D are incorrect.", "B"),
        ("(A) is correct. Check again: (A) is wrong. (B) is correct.", "B"),
        ("Final Answer: (B), (C), and (D) are true.", "BCD"),
        ("The final answers are:\n(A) False\n(B) True\n(C) Unknown\n(D) True", "BD"),
        ("(A) holds.\nSo the answer is $\\boxed{(B)}$, and the answer is not $\\boxed{(D)}$.", "B"),
        (
            "Options (A) and (C) are correct. The final answers are:\n"
            "(A) cold\n(B) half\n(C) warm\n(D) 25 J",
            "AC",
        ),
        ("First $\\boxed{(A)}$. Then $\\boxed{(B)}$ holds. At last $\\boxed{(D)}$.", "ABD"),
        (
            "Now we can answer the questions:\n\n"
            "(A) It is cold. True.\n(B) No: false.\n(C) Yes: true.",
            "AC",
        ),
        ("The correct options are (A) and (B). Now (C): it holds, so (C) is correct.", "ABC"),
    ],
)
def test_several_options(text: str, answer: str) -> None:
    assert extract(text, SOME).answer == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("(A) and (B) are true, (C) and (D) are false.", "CD"),
        ("The incorrect statements are (A) and (D).", "AD"),
        ("Hence the answer is (B).", "B"),
        ("(A) True\n(B) False\n(C) True\n(D) False", "BD"),
    ],
)
def test_question_that_asks_for_the_false_ones(text: str, answer: str) -> None:
    assert extract(text, FALSE_ONES).answer == answer


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("None of the above", A),
        ("So the value is 257, which is not among the given options.", A),
        ("None of the options (A), (B), (C), or (D) are correct.", A),
        ("The final answer is that none of the options are correct.", A),
        ("(A) false\n(B) false\n(C) false\n(D) false", A),
        ("However, no option matches this. There may be an error in the problem statement.", A),
        ("", U),
        ("   \n", U),
        ("<think>I lean to (B)", U),
        ("<think>\nThe answer is (B).", U),
        ("A student mixes two liquids and waits.", U),
        ("The answer is (A) or (C).", AMBIGUOUS),
        ("[E] 10 %", U),
    ],
)
@pytest.mark.parametrize("asked", [ONE, SOME])
def test_no_answer(text: str, status: ExtractStatus, asked: Question) -> None:
    found = extract(text, asked)
    assert (found.answer, found.status) == (None, status)


def test_an_option_may_say_none_of_the_above() -> None:
    asked = question(SOME.type, options=FOUR | {"D": "None of the above"})
    assert extract("None of the above.", asked).answer == "D"
    assert extract("The answer is (D) None of the above.", asked).answer == "D"


def test_more_than_four_options() -> None:
    asked = question(SOME.type, options=FOUR | {"E": "cold", "F": "hot"})
    assert extract("Options B, E and F are correct.", asked).answer == "BEF"
    assert extract("All of the above", asked).answer == "ABCDEF"


def test_concentrations_are_not_labels() -> None:
    text = "The rate law is rate = k[A][B]. The correct answer is (C) rate $= k[A][B]$."
    assert extract(text, ONE).answer == "C"
    assert extract(text, SOME).answer == "C"


def test_matching_lists_are_not_labels() -> None:
    text = "The correct option is:\n\n(A) (I) $\\rightarrow$ (P); (II) $\\rightarrow$ (Q)"
    assert extract(text, ONE).answer == "A"


def test_options_are_read_from_the_question_where_none_are_given() -> None:
    asked = Question("Q|2", ONE.type, "Find x.\n\n(A) 12\n\n(B) 13\n\n(C) 14")
    assert extract("So x = 13.", asked).answer == "B"


@pytest.mark.parametrize(
    "text", ["", "So x = 12. Checking option (B)", "Option (A) is correct. Opt"]
)
def test_truncated_text_gives_nothing(text: str) -> None:
    found = extract(text, SOME, truncated=True)
    assert (found.answer, found.status) == (None, ExtractStatus.TRUNCATED)


def test_truncated_text_keeps_what_it_declared_before_the_cut() -> None:
    found = extract("\\boxed{BD}\n\nLet me check this once mo", SOME, truncated=True)
    assert (found.answer, found.status) == ("BD", ExtractStatus.ANSWERED)


def test_span_and_runners_up() -> None:
    text = "The answer is (A). No: the answer is (C)."
    found = extract(text, ONE)
    assert found.span_start is not None
    assert text[found.span_start : found.span_end] == "(C)"
    assert [candidate.answer for candidate in found.candidates] == ["A"]
