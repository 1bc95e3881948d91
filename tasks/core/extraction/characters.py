"""Folding of scripts and look-alike characters, one code point to one code point.

The folded text has the length of the original, so an offset found in it points at the same place
in the response. Superscripts stay as they are: they are exponents, not digits.
"""

import unicodedata
from functools import lru_cache

_SAME_MEANING = {
    **dict.fromkeys("−–‐‑﹣", "-"),
    **dict.fromkeys("·⋅∙•", "·"),
    **dict.fromkeys("،、", ","),
    **dict.fromkeys("।॥", "."),
    **dict.fromkeys((chr(code) for code in range(0xE000, 0xE010)), "\ufffd"),
    **dict.fromkeys(
        "\u00a0\u2002\u2003\u2007\u3000\ufeff\u200b\u200c\u200d\u200e\u200f\r\v\f", " "
    ),
    **dict.fromkeys("\u2028\u2029\u0085", "\n"),
    **dict.fromkeys("\u2009\u202f\u2008\u200a", "\u2009"),
    **dict.fromkeys("’‘ʼ`", "'"),
    **dict.fromkeys("【〔［", "["),
    **dict.fromkeys("】〕］", "]"),
    "∗": "*",
    "؛": ";",
    "؟": "?",
    "٫": ".",
    "٬": ",",
    "٪": "%",
    "İ": "I",
}
THIN_SPACE = "\u2009"


class _Fold(dict[int, str]):
    """Translation table that decides about a code point when it first meets it."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _fold_character(chr(code))
        return folded


def _fold_character(character: str) -> str:
    if character in _SAME_MEANING:
        return _SAME_MEANING[character]
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    if character.isascii() or "<su" in unicodedata.decomposition(character):
        return character
    compatible = unicodedata.normalize("NFKC", character)
    return compatible if len(compatible) == 1 and compatible.isascii() else character


@lru_cache(maxsize=1)
def _table() -> _Fold:
    return _Fold()


def fold(text: str) -> str:
    """Text of the same length in which digits of all scripts are ASCII, dashes that mean minus
    are `-`, full-width and mathematical letters are plain, and odd spaces are blanks."""
    return text.translate(_table())
