r"""Options that a text names by their wording: `$\mathrm{BF}_{3}$` is "BF3", `\frac{F}{3}` "F/3".

Texts are compared as sequences of tokens (words, numbers, signs) in which LaTeX, Unicode and plain
spellings are one. An option that is prose is found whatever its case; one that is a formula only
where the formula in the text does not go on (`F` is not named in `F/3`).
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

_MAX_LENGTH = 1200
_TOKEN = re.compile(
    r"\\(?P<command>[A-Za-z]+)|(?P<word>[^\W\d_]+)|(?P<number>\d+(?:\.\d+)?)|(?P<sign>[^\w\s])"
)
_LAYOUT = frozenset(
    [
        "mathrm",
        "mathbf",
        "mathbb",
        "mathit",
        "mathcal",
        "text",
        "textbf",
        "textit",
        "rm",
        "bf",
        "left",
        "right",
        "displaystyle",
        "quad",
        "qquad",
        "operatorname",
        "limits",
        "boxed",
        "big",
        "bigl",
        "bigr",
        "Big",
        "dfrac",
        "tfrac",
        "frac",
    ]
)
_SAME = {
    "→": "->", "⟶": "->", "rightarrow": "->", "longrightarrow": "->", "to": "->", "×": "*",
    "times": "*", "cdot": "*", "·": "*", "≥": "geq", "ge": "geq", "≤": "leq", "le": "leq",
    "≠": "neq", "ne": "neq", "∞": "infty", "√": "sqrt", "∪": "cup", "∩": "cap", "°": "circ",
    "−": "-", "–": "-", "′": "'", "prime": "'",
}  # fmt: skip
_DROPPED = frozenset("{}$_^~\\*()[],;:.!?\"'`|#&%")
_FRACTION = re.compile(
    r"\\[dt]?frac\s{0,2}\{(?P<top>[^{}]{1,60})\}\s{0,2}\{(?P<bottom>[^{}]{1,60})\}"
)
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_OPERATORS = frozenset("/*+-=<>") | {"geq", "leq", "sqrt", "->"}
_PROSE = re.compile(r"[a-z]{4,}")
_FILLING = frozenset(
    [
        "a",
        "an",
        "the",
        "is",
        "are",
        "its",
        "it",
        "of",
        "to",
        "and",
        "in",
        "at",
        "be",
        "for",
        "both",
        "only",
    ]
)
_MIN_PROSE_TOKENS = 1


class Token(NamedTuple):
    """A word, a number or a sign in its common spelling; offsets as in the text."""

    text: str
    start: int
    end: int


class Named(NamedTuple):
    """An option that is named at [`start`, `end`)."""

    label: str
    start: int
    end: int


def named_options(text: str, start: int, end: int, options: Mapping[str, str]) -> list[Named]:
    """The options whose wording a stretch holds, in its order; of overlapping ones the longest."""
    end = min(end, start + _MAX_LENGTH)
    said = tokens(text, start, end)
    found = []
    for label, wording in options.items():
        wanted = _wording(wording)
        if wanted:
            found += _places(label, wanted, said)
    found.sort(key=lambda named: (named.start, -named.end))
    kept: list[Named] = []
    for named in found:
        if kept and named.start < kept[-1].end:
            if named.end - named.start > kept[-1].end - kept[-1].start:
                kept[-1] = named
            continue
        kept.append(named)
    return kept


def says_no_more(text: str, start: int, end: int, wording: str) -> bool:
    """Whether a stretch is the wording of an option and nothing else."""
    said = [token.text.lower() for token in tokens(text, start, min(end, start + _MAX_LENGTH))]
    return bool(said) and said == [token.lower() for token in _wording(wording)]


def tokens(text: str, start: int, end: int) -> list[Token]:
    """The tokens of a stretch; layout and punctuation are none."""
    stretch = _FRACTION.sub(_as_quotient, text[start:end].translate(_SUBSCRIPTS))
    found = []
    for match in _TOKEN.finditer(stretch):
        command = match["command"]
        token = command or match.group()
        if (command and command in _LAYOUT) or token in _DROPPED:
            continue
        token = _SAME.get(token, token) if command or not match["word"] else token
        found.append(Token(_plain(token), start + match.start(), start + match.end()))
    return found


def _as_quotient(fraction: re.Match[str]) -> str:
    """A fraction as `top/bottom`, filled up with blanks to its length."""
    quotient = f"{fraction['top']}/{fraction['bottom']}"
    return quotient.ljust(len(fraction.group()))


@lru_cache(maxsize=8192)
def _plain(token: str) -> str:
    if token.isascii():
        return token
    if len(token) == 1 and (name := unicodedata.name(token, "")).startswith("GREEK SMALL LETTER "):
        return name.rpartition(" ")[2].lower()
    return unicodedata.normalize("NFKC", token)


@lru_cache(maxsize=4096)
def _wording(option: str) -> tuple[str, ...]:
    return tuple(token.text for token in tokens(option, 0, min(len(option), _MAX_LENGTH)))


def _places(label: str, wanted: tuple[str, ...], said: list[Token]) -> list[Named]:
    is_prose = any(_PROSE.search(token) for token in wanted)
    if is_prose:
        wanted = tuple(token.lower() for token in wanted if token.lower() not in _FILLING) or wanted
        said = [token for token in said if token.text.lower() not in _FILLING]
    n = len(wanted)
    sequence = [token.text.lower() for token in said] if is_prose else [t.text for t in said]
    if not is_prose and n == 1 and wanted[0].isalpha() and len(wanted[0]) == 1:
        return []
    found = []
    for index in range(len(sequence) - n + 1):
        if sequence[index] != wanted[0] or tuple(sequence[index : index + n]) != wanted:
            continue
        if not is_prose and _goes_on(sequence, index, n):
            continue
        found.append(Named(label, said[index].start, said[index + n - 1].end))
    return found


def _goes_on(sequence: list[str], index: int, n: int) -> bool:
    """Whether a formula begins before or ends after the tokens that were found."""
    before = sequence[index - 1] if index else ""
    after = sequence[index + n] if index + n < len(sequence) else ""
    return (before in _OPERATORS - {"="}) or after in _OPERATORS
