"""How a scripted contestant words its answers: worked solutions in many notations.

The wording carries no information beyond `ScriptedAnswer`, and depends on the question's id and
the sample's number only.
"""

from tasks.core.scripted.contestant import Conduct, ScriptedAnswer, hash_number
from tasks.core.types import QuestionType

NO_SUCH_QUESTION = (
    "I am a scripted contestant and know only the questions of my script. This is none of them, "
    "so I give no answer."
)

_OPENINGS = (
    "We start from what is given and write down the relation that links it to what is asked.",
    "Let us set the problem up and keep exact values until the end.",
    "The quantities in the question fix the answer once the right law is chosen.",
    "First the data are collected, then the unknown is isolated.",
)
_MIDDLES = (
    "Putting the values in and simplifying leaves one step, which is checked by its dimensions.",
    "Each case is looked at in turn; two terms cancel, and the rest follows by substitution.",
    "A second way, by a limiting case, gives the same, so the algebra stands.",
    "After the substitution only a short calculation is left.",
)
_ONE_LETTER = (
    "Final answer: \\boxed{{{0}}}",
    "Hence the correct option is **({0})**.",
    "Answer: {0}",
    "So option ({0}) is correct.",
    "$\\boxed{{\\text{{{0}}}}}$",
)
_LETTER_LISTS = (
    "Final answer: \\boxed{{{commas}}}",
    "Hence options {worded} are correct.",
    "Answer: {letters}",
    "Final answer: {commas}",
    "$\\boxed{{\\text{{{worded}}}}}$",
)
_NUMBERS = (
    "Final answer: \\boxed{{{0}}}",
    "Answer: ${0}$",
    "Hence the required value is **{0}**.",
    "Final answer: {0}",
    "The value is therefore $\\boxed{{{0}}}$.",
)
_ABSTENTIONS = (
    "I cannot determine the answer from this.",
    "I do not know the answer to this question.",
)
_UNREADABLE = (
    "This is as far as the derivation goes; the rest is left to the reader.",
    "The remaining step is of the same kind and is not written out here.",
)


def answer_text(scripted: ScriptedAnswer, sample: int = 0) -> str:
    """Write the solution; other samples say the same in another notation."""
    number = hash_number(scripted.question) + sample
    opening = _OPENINGS[number % len(_OPENINGS)]
    middle = _MIDDLES[number // len(_OPENINGS) % len(_MIDDLES)]
    return f"{opening} {middle}\n\n{_closing(scripted, number)}"


def _closing(scripted: ScriptedAnswer, number: int) -> str:
    answer = scripted.answer
    if answer is None:
        endings = _ABSTENTIONS if scripted.conduct is Conduct.ABSTAINS else _UNREADABLE
        return endings[number % len(endings)]
    if scripted.question.type is QuestionType.MCQ or (
        scripted.question.type is QuestionType.MCQ_MULTIPLE and len(answer) == 1
    ):
        return _ONE_LETTER[number % len(_ONE_LETTER)].format(answer)
    if scripted.question.type is QuestionType.MCQ_MULTIPLE:
        bracketed = [f"({letter})" for letter in answer]
        return _LETTER_LISTS[number % len(_LETTER_LISTS)].format(
            letters=answer,
            commas=", ".join(answer),
            worded=f"{', '.join(bracketed[:-1])} and {bracketed[-1]}",
        )
    if scripted.question.type is QuestionType.EXPRESSION:
        return f"Final answer: $\\boxed{{{answer}}}$"
    return _NUMBERS[number % len(_NUMBERS)].format(answer)
