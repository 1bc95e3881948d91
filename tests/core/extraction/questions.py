"""Invented questions to read answers to."""

from tasks.core.types import Question, QuestionType

FOUR = {
    "A": r"$6.0 \times 10^{-34}$",
    "B": r"$\frac{\sqrt{3}}{2}$",
    "C": "the flask grows warm",
    "D": "25 J",
}


def question(
    kind: QuestionType,
    text: str = "Which of the following statements is/are TRUE?",
    options: dict[str, str] | None = None,
) -> Question:
    lettered = kind in (QuestionType.MCQ, QuestionType.MCQ_MULTIPLE)
    return Question("Q|1", kind, text, options=options or (FOUR if lettered else {}))


ONE = question(QuestionType.MCQ, "What is found in the experiment?")
SOME = question(QuestionType.MCQ_MULTIPLE)
FALSE_ONES = question(
    QuestionType.MCQ_MULTIPLE, "Which of the following statements are NOT correct?"
)
INTEGER = question(QuestionType.INTEGER, "How many flasks are there?")
NUMERIC = question(QuestionType.NUMERIC, "What is the energy in joule?")
PERCENT = question(QuestionType.NUMERIC, "What is the percentage error?")
