"""Variants of each kind of fault, invented for this test: one wording a line."""

import pytest

from tasks.core.extraction import extract
from tasks.core.types import ExtractStatus, Question, QuestionType

STEM = "Which of the following is(are) {}?\n\n(A) one\n\n(B) two\n\n(C) three\n\n(D) four"
LETTER = Question("q", QuestionType.MCQ, STEM.format("correct"))
LETTERS = Question("q", QuestionType.MCQ_MULTIPLE, STEM.format("correct"))
FALSE_ONES = Question("q", QuestionType.MCQ_MULTIPLE, STEM.format("NOT correct"))
NUMBER = Question("q", QuestionType.NUMERIC, "What is the energy in joule?")
COUNT = Question("q", QuestionType.INTEGER, "How many flasks?")
NUMBERED = Question("q", QuestionType.MCQ, "Find x.\n\n(1) 12\n\n(2) 13\n\n(3) 14\n\n(4) 15")
FORMULAS = Question(
    "q",
    QuestionType.MCQ_MULTIPLE,
    "Which are polar?\n\n(A) $\\mathrm{BF}_{3}$\n\n(B) $\\mathrm{NF}_{3}$\n\n"
    "(C) $\\mathrm{CO}_{2}$\n\n(D) $\\mathrm{H}_2\\mathrm{O}$",
)
MATCH = Question(
    "q",
    QuestionType.MCQ,
    "Match.\n\n"
    "(A) $\\mathrm{P}\\rightarrow 1; \\mathrm{Q}\\rightarrow 2; \\mathrm{R}\\rightarrow 3$\n\n"
    "(B) $\\mathrm{P}\\rightarrow 2; \\mathrm{Q}\\rightarrow 1; \\mathrm{R}\\rightarrow 3$\n\n"
    "(C) $\\mathrm{P}\\rightarrow 3; \\mathrm{Q}\\rightarrow 2; \\mathrm{R}\\rightarrow 1$",
)

OTHER_LANGUAGES = [
    (LETTER, "La bonne réponse est la (B).", "B"),
    (LETTER, "La réponse correcte est B.", "B"),
    (LETTER, "La respuesta correcta es la opción C.", "C"),
    (LETTER, "La opción correcta es la D", "D"),
    (LETTER, "Die richtige Antwort ist (C).", "C"),
    (LETTER, "Die richtige Antwort lautet B.", "B"),
    (LETTER, "Antwort: c)", "C"),
    (LETTER, "Somit ist Option B richtig.", "B"),
    (LETTER, "Donc l'option C est correcte.", "C"),
    (LETTER, "Следовательно, правильный ответ (Г).", "D"),
    (LETTER, "Верный вариант — Б.", "B"),
    (LETTER, "Правильный ответ: В", "B"),
    (LETTER, "Ответ: (В)", "B"),
    (LETTER, "Ответ: C", "C"),
    (LETTER, "正解は（B）です。", "B"),
    (LETTER, "答えは C です。", "C"),
    (LETTER, "したがって、正解は D。", "D"),
    (LETTER, "所以选 B。", "B"),
    (LETTER, "选 C", "C"),
    (LETTER, "因此应选（D）。", "D"),
    (LETTER, "正确选项为 A。", "A"),
    (LETTER, "答案选D。", "D"),
    (LETTER, "सही विकल्प (ग) है।", "C"),
    (LETTER, "उत्तर: ख", "B"),
    (LETTER, "अतः विकल्प B सही है।", "B"),
    (LETTER, "إذن الخيار (ج) هو الصحيح.", "C"),
    (LETTER, "الجواب الصحيح هو ب.", "B"),
    (LETTER, "الإجابة الصحيحة: د", "D"),
    (LETTERS, "Les affirmations correctes sont A, B et D.", "ABD"),
    (LETTERS, "Richtig sind (A), (C) und (D).", "ACD"),
    (LETTERS, "Верны утверждения А и Г.", "AD"),
    (LETTERS, "Правильные варианты: A, C, D", "ACD"),
    (LETTERS, "正しいのは A と C である。", "AC"),
    (LETTERS, "正解は A、B、D です。", "ABD"),
    (LETTERS, "选项 A、B、D 正确，C 错误。", "ABD"),
    (LETTERS, "正确的选项是 A 和 C。", "AC"),
    (LETTERS, "故选 ACD。", "ACD"),
    (LETTERS, "应选 BD", "BD"),
    (LETTERS, "विकल्प A, C और D सही हैं।", "ACD"),
    (LETTERS, "सही विकल्प: (A) तथा (C)", "AC"),
    (LETTERS, "الخيارات الصحيحة هي A وB وD", "ABD"),
    (LETTERS, "الخيارات الصحيحة هي (A) و (C) و (D).", "ACD"),
    (LETTERS, "العبارات A و D صحيحة.", "AD"),
    (LETTERS, "Toutes les options sauf C sont correctes.", "ABD"),
    (LETTERS, "| Option | Verdict |\n|---|---|\n| A | ✓ |\n| B | ✗ |\n| C | ✗ |\n| D | ✓ |", "AD"),
    (NUMBERED, "The correct option is (2) 13.", "B"),
    (NUMBER, "La energía es 3,25 J.", "3.25"),
    (NUMBER, "Die Energie beträgt 1.250 J.", "1250"),
    (NUMBER, "Die Energie beträgt 12,5 J.", "12.5"),
    (NUMBER, "L'énergie vaut donc 0,75 J.", "0.75"),
    (NUMBER, "Ответ: 0,75 Дж", "0.75"),
    (NUMBER, "Энергия равна 12,5 Дж.", "12.5"),
    (NUMBER, "答えは 3.5 J です。", "3.5"),
    (NUMBER, "能量为 3.5 J。", "3.5"),
    (NUMBER, "ऊर्जा 3.5 J है।", "3.5"),
    (NUMBER, "الطاقة تساوي ٣٫٥ جول.", "3.5"),
    (COUNT, "共有五个。", "5"),
    (COUNT, "Es gibt also zwölf Kolben.", "12"),
    (COUNT, "Il y a donc trois flacons.", "3"),
]
LISTS = [
    (LETTERS, "Los enunciados verdaderos son A y D.", "AD"),
    (LETTERS, "Aussagen A und C sind richtig, B und D sind falsch.", "AC"),
    (LETTERS, "All except (C) are correct.", "ABD"),
    (LETTERS, "Every option but B holds.", "ACD"),
    (LETTERS, "The correct statements are (A)-(C).", "ABC"),
    (LETTERS, "Options A through C", "ABC"),
    (LETTERS, "A: yes\nB: no\nC: yes\nD: no", "AC"),
    (
        LETTERS,
        "| (A) | 1 | correct |\n| (B) | 2 | wrong |\n| (C) | 3 | correct |",
        "AC",
    ),
    (LETTERS, "- A is correct\n- B is not correct\n- C is correct\n- D is incorrect", "AC"),
    (LETTERS, "A ✅, B ❌, C ✅, D ❌", "AC"),
    (LETTERS, "(A) true (B) false (C) false (D) true", "AD"),
    (FALSE_ONES, "Statements A and C are correct. B and D are incorrect.", "BD"),
    (FALSE_ONES, "(B) is false, everything else holds.", "B"),
    (LETTERS, '{"answer": ["A", "C"]}', "AC"),
    (LETTERS, "The answer is A and C.", "AC"),
    (LETTERS, "Correct: A, C", "AC"),
    (LETTERS, "The correct ones: (a), (c)", "AC"),
    (LETTERS, "So A, B and D.", "ABD"),
    (LETTERS, "Therefore A and C.", "AC"),
    (LETTERS, "Hence, options A, B, and C are true while D is false.", "ABC"),
]
ITEMS = [
    (NUMBERED, "The answer is (3).", "C"),
    (NUMBERED, "Answer: 2", "B"),
    (NUMBERED, "\\boxed{4}", "D"),
    (NUMBERED, "x = 14", "C"),
    (NUMBERED, "Option 1 is correct.", "A"),
    (NUMBERED, "3", "C"),
    (LETTERS, "Statements 1 and 4 are correct.", "AD"),
    (LETTERS, "The first and third options are right.", "AC"),
    (LETTERS, "Statement (ii) and (iv) are true.", "BD"),
    (FORMULAS, "The polar ones are NF3 and H2O.", "BD"),
    (FORMULAS, "So NF₃ and H₂O are polar.", "BD"),
    (MATCH, "P-2, Q-1, R-3", "B"),
    (MATCH, "So P matches with 3, Q with 2 and R with 1.", "C"),
    (MATCH, "P → 1\nQ → 2\nR → 3", "A"),
]
CLOSINGS = [
    (LETTER, "**Answer:** \\(\\boxed{\\text{(C) three}}\\)", "C"),
    (LETTER, "The final answer is: $\\boxed{B}$", "B"),
    (LETTER, "Answer\n\nC", "C"),
    (LETTER, "So the answer is B, not C.", "B"),
    (LETTER, "I was wrong about A. It's B.", "B"),
    (LETTER, "My choice: D", "D"),
    (LETTER, "I'd go with C.", "C"),
    (LETTER, "I choose option (B).", "B"),
    (LETTER, "Hence (C).", "C"),
    (LETTER, "Thus, B", "B"),
    (LETTER, "∴ (D)", "D"),
    (LETTER, "=> C", "C"),
    (LETTER, "Ans. (b)", "B"),
    (LETTER, "ans: c", "C"),
    (LETTER, "The answer is b", "B"),
    (LETTER, "Option D it is.", "D"),
    (LETTER, '{"answer": "C"}', "C"),
    (LETTER, "<answer>(B) two</answer>", "B"),
]
VALUES = [
    (
        NUMBER,
        "The energy is 5 J.\n\nI hope this helps! Let me know of 3 more questions.",
        "5",
    ),
    (NUMBER, "The answer is 5.\n\nQuestion: What is 2+2?\nAnswer: 4", "5"),
    (NUMBER, "E = 5 J\n\nNote: for a mass of 2 kg it would be 10 J.", "5"),
    (NUMBER, '{"answer": 3.5}', "3.5"),
    (NUMBER, "$$E = 3.2 \\times 10^{-3}\\,\\text{J}$$", "0.0032"),
    (NUMBER, "E ≈ 12.5 J", "12.5"),
    (NUMBER, "So E is roughly 4.2e-3 J", "0.0042"),
    (NUMBER, "Answer: $\\dfrac{5}{4}$", "1.25"),
    (NUMBER, "the value comes out to 7.5", "7.5"),
    (NUMBER, "We find E = 7.5 J, in agreement with the 8 J estimated before.", "7.5"),
]


@pytest.mark.parametrize(
    ("asked", "text", "answer"), [*OTHER_LANGUAGES, *LISTS, *ITEMS, *CLOSINGS, *VALUES]
)
def test_answer(asked: Question, text: str, answer: str) -> None:
    found = extract(text, asked)
    assert (found.answer, found.status) == (answer, ExtractStatus.ANSWERED)


CITED = "(A) one\n(B) two\n(C) three\n(D) four"
AMBIGUOUS, UNPARSED = ExtractStatus.AMBIGUOUS, ExtractStatus.UNPARSED


@pytest.mark.parametrize(
    ("asked", "text", "status"),
    [
        (LETTERS, "Only (B) fails, the rest are true.", UNPARSED),
        (LETTER, "I can't decide between (A) and (C).", AMBIGUOUS),
        (LETTER, "It is either B or C.", None),
        (LETTER, "The answer could be (A) or (D).", AMBIGUOUS),
        (LETTER, "The answer is (A) if the flask is closed, or (B) if it is open.", AMBIGUOUS),
        (LETTER, "I'll start with option A. This needs a longer solution.", UNPARSED),
        (LETTER, "Let me check option (B).", UNPARSED),
        (LETTER, "Consider (A) first.", UNPARSED),
        (LETTER, "(A) one\n(C) three\n(D) four", AMBIGUOUS),
        (LETTERS, CITED, UNPARSED),
        (NUMBER, "The energy is 5 J or 6 J.", AMBIGUOUS),
        (COUNT, "There are n = 4 or n = 5 flasks.", AMBIGUOUS),
        (NUMBER, "The energy is $3 \\mathbf{y} \\times 10^2$ J.", UNPARSED),
    ],
)
def test_no_answer_is_guessed(asked: Question, text: str, status: ExtractStatus | None) -> None:
    found = extract(text, asked)
    assert found.answer is None
    assert status is None or found.status is status


def test_a_truncated_text_that_goes_on_with_the_next_step_has_not_answered() -> None:
    text = "The first integral is \\boxed{1}. For the second integral we have 2 -"
    assert extract(text, NUMBER, truncated=True).status is ExtractStatus.TRUNCATED
