r"""Options that are made of items of the question: pairs of a match, sets of statements.

A response may give the match (`P → 3, Q → 1, R → 4`) or the statements ("only I and III are
correct") and leave it to the reader which option says so.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

_LATEX = re.compile(r"\\(?:mathrm|mathbf|text|textbf|left|right|q?quad)(?![A-Za-z])|[${}~*\\]")
_ARROW = re.compile(r"\\(?:long)?rightarrow(?![A-Za-z])|\\to(?![A-Za-z])|→|⟶|->|=>")
_ITEM = r"[(\[]?(?P<{}>(?:[PQRSTU]|[A-E]|[IV]{{1,3}}|IV|[ivx]{{1,4}}|[pqrstu]|[1-9]))[)\]]?"
_PAIR = re.compile(
    rf"(?<![A-Za-z\d]){_ITEM.format('left')}\s*(?:→|-|–|—|:|=|with|matches(?:\s+with)?|goes\s+with"
    rf"|corresponds\s+to)\s*(?=[(\[]?[A-Za-z\d]){_ITEM.format('right')}(?![A-Za-z\d]|\.\d)"
)
_STATEMENT = re.compile(
    r"(?<![A-Za-z\d\\])[(\[]?(?P<item>I{1,3}|IV|VI{0,3}|V)[)\]]?(?![A-Za-z\d'])"
)
_ONLY_ITEMS = re.compile(
    r"(?:[\s,;.&()\[\]]|(?:statements?|only|and|both|are|is|correct|true)(?![A-Za-z])"
    r"|(?:I{1,3}|IV|VI{0,3}|V)(?![A-Za-z\d]))+",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:not|n't|false|incorrect|wrong|neither|except|fails?)\b|n't\b", re.IGNORECASE
)
_MIN_PAIRS = 2
_MIN_SETS = 2


def matched_option(text: str, options: Mapping[str, str]) -> str | None:
    """The one label whose pairs are those that the text gives last for each left item; None where
    the options are no matches, a left item is missing, or no option or several agree."""
    wanted = _pairs_of_options(tuple(options.items()))
    if len(wanted) < _MIN_SETS:
        return None
    given = _pairs(text)
    agreeing = [
        label
        for label, pairs in wanted.items()
        if all(given.get(left) == right for left, right in pairs.items())
    ]
    return agreeing[0] if len(agreeing) == 1 else None


def option_of_statements(text: str, options: Mapping[str, str]) -> str | None:
    """The one label whose option is the set of statements (I, II, III …) that a sentence names."""
    wanted = _statements_of_options(tuple(options.items()))
    if len(wanted) < _MIN_SETS or _NOT.search(text):
        return None
    said = frozenset(item["item"] for item in _STATEMENT.finditer(text))
    agreeing = [label for label, items in wanted.items() if items == said]
    return agreeing[0] if said and len(agreeing) == 1 else None


@lru_cache(maxsize=2048)
def _pairs_of_options(options: tuple[tuple[str, str], ...]) -> dict[str, dict[str, str]]:
    found = {label: _pairs(option) for label, option in options}
    return {label: pairs for label, pairs in found.items() if len(pairs) >= _MIN_PAIRS}


@lru_cache(maxsize=2048)
def _statements_of_options(options: tuple[tuple[str, str], ...]) -> dict[str, frozenset[str]]:
    found = {}
    for label, option in options:
        plain = _LATEX.sub(" ", option)
        items = frozenset(item["item"] for item in _STATEMENT.finditer(plain))
        if items and _ONLY_ITEMS.fullmatch(plain):
            found[label] = items
    return found


def _pairs(text: str) -> dict[str, str]:
    plain = _LATEX.sub(" ", _ARROW.sub("→", text))
    return {pair["left"]: pair["right"] for pair in _PAIR.finditer(plain)}
