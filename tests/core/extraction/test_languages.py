"""Responses whose prose is not English, letters of other scripts, ranges of letters, "None"."""

import pytest

from tasks.core.extraction import extract
from tasks.core.types import ExtractStatus, Question, QuestionType

STEM = "Which?\n\n(A) one\n\n(B) two\n\n(C) three\n\n(D) four"
ONE = Question("q", QuestionType.MCQ, STEM)
SEVERAL = Question("q", QuestionType.MCQ_MULTIPLE, STEM)
NUMBER = Question("q", QuestionType.NUMERIC, "How many?")

ANSWERS = [
    (ONE, "इसलिए सही उत्तर विकल्प (ख) है।", "B"),
    (ONE, "अतः सही उत्तर है: (ग)", "C"),
    (ONE, "الإجابة الصحيحة هي (ب)", "B"),
    (ONE, "الإجابة: ج", "C"),
    (ONE, "所以答案是 B。", "B"),
    (ONE, "故选C", "C"),
    (ONE, "答案：(乙)", "B"),
    (ONE, "答案是 A？不对，答案是 C。", "C"),
    (ONE, "Правильный ответ: (Б)", "B"),
    (ONE, "Ответ: В) три", "B"),
    (ONE, "Правильный ответ — (В), так как вариант (Б) неверен.", "C"),
    (SEVERAL, "विकल्प (A) सही है।\nविकल्प (B) गलत है।\nविकल्प (C) सही है।\nविकल्प (D) गलत है।", "AC"),
    (SEVERAL, "विकल्प (A) सही है।\nविकल्प (B) सही नहीं है।", "A"),
    (SEVERAL, "选项 (A) 正确。\n选项 (B) 错误。\n选项 (C) 不正确。\n选项 (D) 正确。", "AD"),
    (SEVERAL, "(A) صحيح\n(B) خاطئ\n(C) غير صحيح\n(D) صحيح", "AD"),
    (
        SEVERAL,
        "La opción (A) es correcta.\nLa opción (B) es incorrecta.\nLa (C) es verdadera.",
        "AC",
    ),
    (SEVERAL, "以上全部正确", "ABCD"),
    (SEVERAL, "सभी विकल्प सही हैं।", "ABCD"),
    (SEVERAL, "الإجابة: A و C", "AC"),
    (SEVERAL, "उत्तर: A और D", "AD"),
    (SEVERAL, "The correct options are A to C.", "ABC"),
    (SEVERAL, "The correct options are (A) through (C).", "ABC"),
    (SEVERAL, "Answer: (B) to (D)", "BCD"),
    (NUMBER, "इसलिए उत्तर १२.५ है", "12.5"),
    (NUMBER, "الجواب النهائي هو ٢٥", "25"),
    (NUMBER, "因此，答案为 3.5", "3.5"),
    (NUMBER, "答案为12", "12"),
    (NUMBER, "La respuesta final es 42.", "42"),
    (NUMBER, "La réponse est 7", "7"),
]


@pytest.mark.parametrize(("question", "text", "answer"), ANSWERS)
def test_an_answer_in_any_language(question: Question, text: str, answer: str) -> None:
    assert extract(text, question).answer == answer


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (ONE, "ANSWER: None"),
        (NUMBER, "ANSWER: None"),
        (NUMBER, r"\boxed{\text{None}}"),
        (ONE, "$\\boxed{None}$"),
        (ONE, "इनमें से कोई नहीं"),
        (ONE, "以上都不正确。"),
        (ONE, "Ninguna de las opciones es correcta."),
        (NUMBER, "该值无法确定。"),
    ],
)
def test_no_answer_is_said_in_any_language(question: Question, text: str) -> None:
    assert extract(text, question).status is ExtractStatus.ABSTAINED


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (ONE, "A to B is the path; the answer follows."),
        (NUMBER, "None of this gives the mass."),
    ],
)
def test_no_answer_is_made_of_words_alone(question: Question, text: str) -> None:
    assert extract(text, question).status is not ExtractStatus.ANSWERED


def test_spans_point_into_the_text_as_it_was_sent() -> None:
    text = "सही उत्तर विकल्प (ग) है।"
    found = extract(text, ONE)
    assert found.span_start is not None
    assert text[found.span_start : found.span_end].strip("() ") == "ग"
