r"""Responses in other languages than English, brought into the form that the rules read.

Words of the languages that a text is written in (`vocabulary`) become signs, one for each meaning;
blanks fill up what a word is longer than its sign, so that offsets hold. The rules know the signs
beside the English words. Letters of other scripts that name options become Latin ones, and decimal
commas points.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from tasks.core.extraction.vocabulary import LANGUAGES, Language

(NONE, EVERY, NO_VALUE, BESIDES, CHOICE) = (chr(code) for code in range(0xE000, 0xE005))
(ANSWER, WRONG, RIGHT, RETRACTION, OPTION) = (chr(code) for code in range(0xE005, 0xE00A))
(TO, AND, OR, IS, NOT, FILLER) = (chr(code) for code in range(0xE00A, 0xE010))
"""The signs, characters of private use; `characters.fold` keeps those of a response apart."""

_FIELDS = (
    *((NONE, "none"), (EVERY, "every"), (NO_VALUE, "no_value"), (BESIDES, "besides")),
    *((CHOICE, "choice"), (ANSWER, "answer"), (WRONG, "wrong"), (RIGHT, "right")),
    *((RETRACTION, "retraction"), (OPTION, "option"), (TO, "to"), (AND, "both"), (OR, "either")),
    *((NOT, "denial"), (IS, "states"), (FILLER, "link")),
)
_WORD = re.compile(r"[^\W\d_]{2,}+")
_ASCII_WORD = re.compile(r"[a-z]{2,}+")
_SAMPLE = 800
_MIN_TELLING = 3
MAX_REACH = 200_000
"""Characters at the end of a text in which words are looked for."""
_SCRIPTS = (
    ("Hindi", re.compile("[ऀ-ॿ]{2}")),
    ("Arabic", re.compile("[ء-ي]{2}")),
    ("Japanese", re.compile("[ぁ-んァ-ヶ]")),
    ("Chinese", re.compile("[一-鿿]")),
    ("Korean", re.compile("[가-힣]")),
    ("Russian", re.compile("[а-яё]{2}")),
)
_BY_NAME = {language.name: language for language in LANGUAGES}
_TOLD_BY_WORDS = tuple(language for language in LANGUAGES if language.tells)

_LETTERS = "ABCDEFGHIJ"
_BETWEEN_LABELS = re.compile(r"[A-J0-9)\]*$}]\s{1,2}$")
_SERIES = tuple(series for language in LANGUAGES for series in language.letters)
_LOCAL_LETTER = "[" + "".join(sorted({letter for series in _SERIES for letter in series})) + "]"
_LOCAL = re.compile(
    rf"[(\[]\s{{0,2}}(?P<bracketed>{_LOCAL_LETTER})\s{{0,2}}[)\]]"
    rf"|[{ANSWER}{CHOICE}{OPTION}{FILLER}{IS}][\s:*\"'({IS}{FILLER}{OPTION}—-]{{1,24}}"
    rf"(?P<named>{_LOCAL_LETTER})(?!\w)"
    rf"|(?<=[{AND},] )(?P<listed>{_LOCAL_LETTER})(?!\w)"
    rf"|(?m:^)[ \t*]*+(?P<heading>{_LOCAL_LETTER})\s?[).:]"
)
_CYRILLIC_ONLY = re.compile(r"(?<!\w)[БГД](?!\w)")
_CYRILLIC = "АБВГД"
_HOMOGLYPHS = str.maketrans("АВСЕН", "ABCEH")

_DECIMAL_COMMA = re.compile(r"(?<![\d,.])(\d+)(,|\{,\})(\d+)(?!(?:,|\{,\})?\d|\.\d)")
_DECIMAL_POINT = re.compile(r"(?<![\d.,])\d+\.(?!\d{3}(?!\d))\d+(?![\d.,])")
_POINT_GROUPS = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:\.\d{3})+(?!\.?\d)")
_BLANK_GROUPS = re.compile(r"(?<![\d.,] )(?<![\d.,])[1-9]\d{0,2}(?: \d{3})+(?![\d ]*\d)")
_THIN_SPACE = "\u2009"


@dataclass(frozen=True, slots=True)
class Translation:
    """A text in which signs stand for words of its languages; offsets as in the text."""

    text: str
    decimal_comma: bool


def languages_of(lower: str) -> tuple[Language, ...]:
    """The languages beside English that a text in lower case is written in."""
    if len(lower) > 2 * _SAMPLE:
        lower = f"{lower[:_SAMPLE]} {lower[-_SAMPLE:]}"
    found = []
    if not lower.isascii():
        found += [_BY_NAME[name] for name, letters in _SCRIPTS if letters.search(lower)]
    words = set((_ASCII_WORD if lower.isascii() else _WORD).findall(lower))
    told = {language.name: len(language.tells & words) for language in _TOLD_BY_WORDS}
    most = max(told.values())
    if most >= min(_MIN_TELLING, max(1, len(words) // 4)):
        found += [language for language in _TOLD_BY_WORDS if told[language.name] == most]
    return tuple(found)


def translate(text: str, languages: tuple[Language, ...]) -> str:
    """Text of the same length with the words of `languages` as signs and option letters of other
    scripts as Latin ones."""
    if not languages:
        return text
    position = max(0, len(text) - MAX_REACH)
    pieces = [text[:position]]
    for word in _words_of(languages).finditer(text.lower(), position):
        start, end = word.span()
        is_letter = end - start == 1 and text[start].isascii()
        if is_letter and (text[start].isupper() or not _stands_between_labels(text, start)):
            continue
        sign = _FIELDS[int((word.lastgroup or "_0")[1:]) % len(_FIELDS)][0]
        pieces += [text[position:start], sign, " " * (end - start - 1)]
        position = end
    return _latin_labels("".join([*pieces, text[position:]]))


def decimal_points(text: str, languages: tuple[Language, ...]) -> str:
    """Text of the same length where numbers of a language with a decimal comma have a point.

    `3,375` stays as it is where the same text writes `2.5`: there the comma groups thousands.
    """
    if not any(language.decimal_comma for language in languages):
        return text
    has_points = bool(_DECIMAL_POINT.search(text))

    def pointed(number: re.Match[str]) -> str:
        whole, comma, decimals = number.groups()
        if has_points and len(decimals) == 3:
            return number.group()
        return f"{whole}{comma.replace(',', '.')}{decimals}"

    if not has_points:
        text = _POINT_GROUPS.sub(lambda number: number.group().replace(".", _THIN_SPACE), text)
    text = _BLANK_GROUPS.sub(lambda number: number.group().replace(" ", _THIN_SPACE), text)
    return _DECIMAL_COMMA.sub(pointed, text)


@lru_cache(maxsize=64)
def _words_of(languages: tuple[Language, ...]) -> re.Pattern[str]:
    """All words of the languages; the number of a group tells the language and the field."""
    alternatives = []
    for index, language in enumerate(languages):
        edge = f"[{language.script}]" if language.script else "(?!)"
        prefix = "[وف]?" if language.name == "Arabic" else ""
        fields = "|".join(
            f"(?P<_{index * len(_FIELDS) + number}>{getattr(language, field)})"
            for number, (_, field) in enumerate(_FIELDS)
        )
        alternatives.append(rf"(?<!{edge}){prefix}(?:{fields})(?!{edge})")
    return re.compile("|".join(alternatives))


def _stands_between_labels(text: str, position: int) -> bool:
    return bool(
        _BETWEEN_LABELS.search(text, max(0, position - 4), position)
        and text[position + 1 : position + 2].isspace()
    )


def _latin_labels(text: str) -> str:
    """Letters that name options are the Latin ones at the same place of their series. `(В)` of a
    text that has no `(Б)` or `(Г)` is a Latin B that was typed in Cyrillic."""
    is_cyrillic = bool(_CYRILLIC_ONLY.search(text))

    def latin(found: re.Match[str]) -> str:
        group = found.lastgroup or ""
        letter = found[group]
        if letter in _CYRILLIC and not is_cyrillic:
            new = letter.translate(_HOMOGLYPHS)
        else:
            new = next(_LETTERS[s.index(letter)] for s in _SERIES if letter in s)
        at = found.start(group) - found.start()
        return found.group()[:at] + new + found.group()[at + 1 :]

    return _LOCAL.sub(latin, text)
