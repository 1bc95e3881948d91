"""Normal form of numbers, and numbers written as words."""

import re
from decimal import Context, Decimal
from typing import NamedTuple

from tasks.core.extraction.vocabulary import LANGUAGES

SIGNIFICANT_DIGITS = 12
"""Digits kept of a value that had to be rounded (roots, π, thirds)."""
_EXACT_DIGITS = 34
_PLAIN_FROM, _PLAIN_BELOW = -7, 21


def normal_form(number: Decimal, exact: bool = True) -> str:
    """One spelling for equal numbers: `"0.5"`, `"-14.6"`, `"2000000"`, `"7.16e-10"`.

    Rounded values keep 12 significant digits. Plain notation from 1e-7 up to below 1e21.
    """
    digits = _EXACT_DIGITS if exact else SIGNIFICANT_DIGITS
    rounded = Context(prec=digits).plus(number).normalize(Context(prec=digits))
    if not rounded:
        return "0"
    exponent = rounded.adjusted()
    if _PLAIN_FROM <= exponent < _PLAIN_BELOW:
        return format(rounded, "f")
    mantissa = rounded.scaleb(-exponent, Context(prec=digits))
    return f"{mantissa:f}e{exponent}"


class WordNumber(NamedTuple):
    """A number in words; `end` is the offset after it."""

    number: Decimal
    end: int


_BELOW_TWENTY = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS_FROM_TWENTY = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL = {word: value for value, word in enumerate(_BELOW_TWENTY.split())}
_TENS = {word: 10 * value for value, word in enumerate(_TENS_FROM_TWENTY.split(), start=2)}
_SCALES = {"thousand": 10**3, "lakh": 10**5, "million": 10**6, "crore": 10**7, "billion": 10**9}
_FIRST = "|".join([*_TENS, *sorted(_SMALL, key=len, reverse=True)])
_LATER = "|".join([_FIRST, *_SCALES, "hundred"])
_WORD = re.compile(
    rf"(?:(?P<sign>minus|negative)\s+)?"
    rf"(?P<words>(?:{_FIRST})(?:(?:\s+and\s+|\s+|-)(?:{_LATER}))*)"
    r"(?![A-Za-z]|\s+of\b|-)",
    re.IGNORECASE,
)


_FOREIGN = {word: value for language in LANGUAGES for word, value in language.numbers.items()}
_FOREIGN_WORD = re.compile(
    rf"(?P<word>{'|'.join(sorted(_FOREIGN, key=len, reverse=True))})(?![\wऀ-ॿ-])", re.IGNORECASE
)
_CHINESE_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
}
_CHINESE_SCALES = {"十": 10, "百": 100, "千": 1000}
_CHINESE = re.compile(r"(?P<sign>负)?(?P<digits>[零〇一二两三四五六七八九十百千]{1,8})(?![万亿点])")


def read_words(text: str, start: int, end: int) -> WordNumber | None:
    """The number whose words begin at `start` (`"twenty-one"`, `"minus three"`), or None."""
    end = min(end, start + 120)
    match = _WORD.match(text, start, end)
    if match is None:
        return _read_foreign(text, start, end)
    total = current = 0
    for word in re.split(r"[\s-]+", match["words"].lower()):
        if word in _SMALL:
            current += _SMALL[word]
        elif word in _TENS:
            current += _TENS[word]
        elif word == "hundred":
            current = max(current, 1) * 100
        elif word in _SCALES:
            total += max(current, 1) * _SCALES[word]
            current = 0
    number = Decimal(total + current)
    return WordNumber(-number if match["sign"] else number, match.end())


def _read_foreign(text: str, start: int, end: int) -> WordNumber | None:
    if chinese := _CHINESE.match(text, start, end):
        total = current = 0
        for digit in chinese["digits"]:
            if digit in _CHINESE_DIGITS:
                current = _CHINESE_DIGITS[digit]
            else:
                total += (current or 1) * _CHINESE_SCALES[digit]
                current = 0
        number = Decimal(total + current)
        return WordNumber(-number if chinese["sign"] else number, chinese.end())
    if word := _FOREIGN_WORD.match(text, start, end):
        return WordNumber(Decimal(_FOREIGN[word["word"].lower()]), word.end())
    return None
