"""What holds for every answer, notation and text."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.core.extraction import extract
from tasks.core.extraction.characters import fold
from tasks.core.extraction.markup import blank_markup
from tasks.core.extraction.numerals import normal_form
from tasks.core.extraction.thinking import blank_thinking
from tasks.core.questions.options import parse_options
from tasks.core.types import ExtractStatus, Question, QuestionType
from tests.core.extraction.fragments import REPEATED, TOKENS
from tests.core.extraction.questions import INTEGER, NUMERIC, ONE, SOME, question

LETTERS = st.sets(st.sampled_from("ABCD"), min_size=1).map(lambda letters: sorted(letters))

HINDI = dict(zip("ABCD", "कखगघ", strict=True))
LETTER_NOTATIONS: dict[str, Callable[[list[str]], str]] = {
    "run": "".join,
    "commas": ", ".join,
    "brackets": lambda letters: "".join(f"({letter})" for letter in letters),
    "square": lambda letters: " ".join(f"[{letter}]" for letter in letters),
    "maths": lambda letters: ", ".join(rf"$[\mathrm{{{letter}}}]$" for letter in letters),
    "box": lambda letters: rf"\boxed{{{','.join(letters)}}}",
    "box of text": lambda letters: rf"$$\boxed{{\text{{{' and '.join(letters)}}}}}$$",
    "boxes": lambda letters: ", ".join(rf"\boxed{{{letter}}}" for letter in letters),
    "bold": lambda letters: "; ".join(f"**{letter}**" for letter in letters),
    "sentence": lambda letters: (
        f"So the final answer is {' and '.join(f'({x})' for x in letters)}."
    ),
    "options": lambda letters: f"The correct options are: {', '.join(letters)}",
    "tag": lambda letters: f"ANSWER: {','.join(letters)}",
    "lines": lambda letters: "The correct options are:\n" + "\n".join(f"({x}) so" for x in letters),
    "thought": lambda letters: f"<think>(A)? (C)!</think>\n\\boxed{{{''.join(letters)}}}",
    "verdicts": lambda letters: "\n".join(
        f"({x}) {'True' if x in letters else 'False'}" for x in "ABCD"
    ),
    "json": lambda letters: '{"answer": [' + ", ".join(f'"{x}"' for x in letters) + "]}",
    "German": lambda letters: f"Die richtige Antwort ist also {' und '.join(letters)}.",
    "French": lambda letters: f"Les bonnes réponses sont donc {' et '.join(letters)}.",
    "Spanish": lambda letters: f"Las opciones correctas son ({') y ('.join(letters)}).",
    "Russian": lambda letters: f"Правильный ответ: {', '.join(letters)}.",
    "Hindi": lambda letters: f"सही विकल्प {' और '.join(f'({x})' for x in letters)} हैं।",
    "Devanagari": lambda letters: f"सही उत्तर {', '.join(f'({HINDI[x]})' for x in letters)} है।",
    "Arabic": lambda letters: f"الإجابة الصحيحة هي {' و '.join(f'({x})' for x in letters)}.",
    "Chinese": lambda letters: f"因此，正确答案是{'、'.join(letters)}。",
    "Japanese": lambda letters: f"したがって、正解は{'と'.join(letters)}です。",
    "explained": lambda letters: f"Answer: {', '.join(letters)}\n\nExplanation: B is warm.",
}

NUMBERS = st.one_of(
    st.integers(-(10**9), 10**9).map(Decimal),
    st.decimals(-(10**6), 10**6, places=3),
    st.decimals(Decimal("-1"), Decimal("1"), places=6),
)


def german(number: Decimal) -> str:
    """Points between thousands, and a comma."""
    return f"{number:,f}".translate(str.maketrans(",.", ".,"))


NUMBER_NOTATIONS: dict[str, Callable[[Decimal], str]] = {
    "plain": lambda x: f"{x:f}",
    "unicode minus": lambda x: f"{x:f}".replace("-", "−"),
    "Devanagari": lambda x: f"{x:f}".translate(str.maketrans("0123456789", "०१२३४५६७८९")),
    "trailing zeros": lambda x: f"{x:.9f}",
    "groups": lambda x: f"{x:,f}",
    "LaTeX groups": lambda x: f"{x:,f}".replace(",", "{,}"),
    "power of ten": lambda x: rf"${x.scaleb(3):f} \times 10^{{-3}}$",
    "superscript": lambda x: f"{x.scaleb(-2):f} × 10²",
    "e": lambda x: f"{x:e}",
    "fraction": lambda x: rf"$\frac{{{x.scaleb(6):f}}}{{1000000}}$",
    "slash": lambda x: f"{x.scaleb(6):f}/1000000",
    "box": lambda x: rf"So we get $\boxed{{{x:f}}}$.",
    "box with unit": lambda x: rf"\[ x = \boxed{{{x:f} \, \mathrm{{kg}}}} \]",
    "bold": lambda x: f"**Final Answer:** **{x:f}**",
    "sentence": lambda x: f"Therefore, the final answer is {x:f} m/s.",
    "about": lambda x: f"The energy is approximately ${x:f}$ J (rounded).",
    "German": lambda x: f"Die Energie beträgt also {f'{x:f}'.replace('.', ',')} J.",
    "German groups": lambda x: f"Das Ergebnis ist {german(x)}.",
    "French": lambda x: f"La réponse est donc {f'{x:f}'.replace('.', ',')} m.",
    "LaTeX comma": lambda x: f"La respuesta es ${f'{x:f}'.replace('.', '{,}')}$.",
    "Hindi": lambda x: f"अतः अंतिम उत्तर {x:f} है।",
    "Chinese": lambda x: f"所以答案是{x:f}。",
    "chain": lambda x: f"Answer: $E = 1 + 1 = {x:f}$",
}


@pytest.mark.parametrize("notation", LETTER_NOTATIONS)
@settings(deadline=None)
@given(letters=LETTERS)
def test_letters_in_every_notation(notation: str, letters: list[str]) -> None:
    text = LETTER_NOTATIONS[notation](letters)
    assert extract(text, SOME).answer == "".join(letters), text


@pytest.mark.parametrize("notation", LETTER_NOTATIONS)
@pytest.mark.parametrize("letter", "ABCD")
def test_one_letter_in_every_notation(notation: str, letter: str) -> None:
    assert extract(LETTER_NOTATIONS[notation]([letter]), ONE).answer == letter


@pytest.mark.parametrize("notation", NUMBER_NOTATIONS)
@settings(deadline=None)
@given(number=NUMBERS)
def test_numbers_in_every_notation(notation: str, number: Decimal) -> None:
    text = NUMBER_NOTATIONS[notation](number)
    assert extract(text, NUMERIC).answer == normal_form(number), text


@settings(deadline=None)
@given(NUMBERS)
def test_normal_form_of_numbers_is_stable(number: Decimal) -> None:
    answer = normal_form(number)
    for asked in (NUMERIC, INTEGER, question(QuestionType.EXPRESSION)):
        assert extract(answer, asked).answer == answer


@settings(deadline=None)
@given(st.integers(-40, 40), st.integers(1, 10**12 - 1))
def test_normal_form_of_large_and_small_numbers_is_stable(exponent: int, mantissa: int) -> None:
    answer = normal_form(Decimal(mantissa).scaleb(exponent))
    assert extract(answer, NUMERIC).answer == answer


@settings(deadline=None)
@given(LETTERS)
def test_normal_form_of_letters_is_stable(letters: list[str]) -> None:
    assert extract("".join(letters), SOME).answer == "".join(letters)


@pytest.mark.parametrize(
    "expression", [r"\sqrt{2}", r"\frac{1}{3}", r"\pi^2", r"\ln 3", r"\sin 1", "2^{1/3}", r"e^{-5}"]
)
def test_rounded_values_are_stable(expression: str) -> None:
    answer = extract(expression, NUMERIC).answer
    assert answer is not None
    assert extract(answer, NUMERIC).answer == answer


FRAGMENTS = st.lists(st.one_of(st.sampled_from(TOKENS), st.text(max_size=8)), max_size=40).map(
    " ".join
)


@settings(deadline=None)
@given(st.one_of(FRAGMENTS, st.text()), st.sampled_from(QuestionType), st.booleans())
def test_any_text_is_read_without_an_error(text: str, kind: QuestionType, truncated: bool) -> None:
    found = extract(text, question(kind), truncated=truncated)
    assert (found.answer is not None) is (found.status is ExtractStatus.ANSWERED)
    assert found == extract(text, question(kind), truncated=truncated)
    if found.span_start is not None and found.span_end is not None:
        assert 0 <= found.span_start <= found.span_end <= len(text)
    if found.answer is not None:
        again = extract(found.answer, question(kind))
        assert again.answer == found.answer


@settings(deadline=None)
@given(st.one_of(FRAGMENTS, st.text()))
def test_preparation_keeps_offsets(text: str) -> None:
    folded = fold(text)
    assert len(folded) == len(folded.lower()) == len(text)
    assert len(blank_thinking(folded)) == len(blank_markup(folded)) == len(text)


def test_folding_keeps_the_length_of_every_character_in_lower_case() -> None:
    for code in range(0x110000):
        assert len(fold(chr(code)).lower()) == 1, hex(code)


@settings(deadline=None)
@given(FRAGMENTS)
def test_options_of_any_text_are_labelled_in_order(text: str) -> None:
    assert "ABCDEFGHIJ".startswith("".join(parse_options(text)))


@pytest.mark.parametrize("unit", REPEATED)
@pytest.mark.parametrize("asked", [ONE, SOME, NUMERIC], ids=lambda asked: asked.type.name)
def test_long_repetitive_texts_are_read(unit: str, asked: Question) -> None:
    text = unit * (20_000 // len(unit))
    assert extract(text, asked) == extract(text, asked)
