"""Pieces of responses from which texts that nobody would write are put together."""

import random

LATEX = r"\boxed{ } ( ) [ ] $ $$ \[ \] { ^ _ \frac \sqrt \left( \right) \text{ \pi \log \sin ! e %"
SIGNS = "= ≈ : . , - + * ** / 1 2.5 1,000 10^ ³ ½ <think> </think> #### | • ٣ १ ✓ उत्तर 答案 answer:"
WORDS = (
    "(A) (B) A B, and or not is are the final answer correct options true false statement none of "
    "all except wait, no. ANSWER"
)
OTHER_LANGUAGES = (
    "réponse la est et donc 3,5 1.000,5 antwort ist richtig falsch und oder правильный ответ (Б) В "
    "неверно сорок सही (ख) नहीं और दो A和B 正确 错误 十二 二百 正しい 誤り は "
    "الإجابة (ب) و صحيحة خاطئة"
)
ITEMS = (
    "statements 1 and 2 first third (1) (ii) iv) P → 1; Q - 2, I III only yes no if would either "
    "Question: Note: can't tell which I hope 5 or 6 25% twenty-one zero"
)
RUNS = [character * 300 for character in " \t$*,(\n"]
WITHOUT_RUNS = [
    token for line in (LATEX, SIGNS, WORDS, OTHER_LANGUAGES, ITEMS) for token in line.split(" ")
] + ["\n", "\n\n", "\x00", "\ud800", "\ue007", "\u200f"]
TOKENS = [*WITHOUT_RUNS, *RUNS]

REPEATED = (
    *("{", "(", "[", "\\boxed{", "\\boxed{5} ", "\\boxed{x} ", "(A) ", "A, ", "AB", "(A)"),
    *("\\frac{", "\\frac{1}{", "\\sqrt{", "\\sqrt[", "\\text{", "\\[", "\\(", "\\begin{array}"),
    *("2^{", "2^(", "answer is ", "the answer is (A). ", "final answer: ", "correct options "),
    *(" ", "\n", "1,000,", "1", "1.", "1+", "-", "= ", "is 5 ", "5 or ", "n = 4 or ", "½", "×10"),
    *("(A) is true. ", "A no, ", "| A | yes |\n", "none of the options. ", "all but ", "not "),
    *("<think>", "</think>", "<think>a</think>", "$", "|", "**", "#### ", "<answer>", "twenty "),
    *("(rounded to ", "(given ", "\\left(", "!", "1/", "\\log_{", "[A", "option A and ", ":"),
    *("…", "x", "(A) , ", "a(1+b ", "value of x is ", "\nQuestion: a\n", "\nNote: 5\n", "if "),
    *("I hope this ", "can't say which ", "P → 1, ", "I and ", "statements 1, 2 and ", "first, "),
    *("1) true\n", "i) yes\n", "सही ", "(क) ", "正确", "A和", "و", "et ", "la ", "3,5 ", "1 000 "),
    *("1.000,", "верно ", "(Б) ", "十", "the flask grows ", "the flask grows warm ", "25 J "),
    *("a) ", "it can. ", "? ", "no, ", "e.g. ", "\ue003", "\ud800", "<|im_start|>", "-2-ene - "),
)
"""Units whose repetition to great length must cost time in proportion to the length."""


def random_text(dice: random.Random) -> str:
    """At most 30 pieces, joined with blanks or without."""
    pieces = dice.choices(WITHOUT_RUNS, k=dice.randint(0, 30))
    return ("" if dice.random() < 0.3 else " ").join(pieces)
