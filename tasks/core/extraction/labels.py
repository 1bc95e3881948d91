"""Option labels in text whose markup is blanked: `(A)`, `[A]`, `(a)`, `B, D`, `option C`, `ABD`.

Within one stretch of text labels have one notation, that of the first: in `(C) rate = k[A][B]`
only C is a label. Bare letters count only in lists that the caller has reason to expect.
"""

import re
from dataclasses import dataclass

from tasks.core.extraction.languages import AND, FILLER, IS, OPTION, OR, TO

_WORD_BEFORE = r"(?<![A-Za-z0-9_À-ɏЀ-ӿ\\^'])"
_NOT_IN_WORD = r"(?![A-Za-z0-9_'À-ɏЀ-ӿ])"
_NOUN = (
    r"(?:(?i:options?|choices?|statements?|alternatives?|letters?)(?:\(s\))?(?![A-Za-z])|OPTION)"
)
_NOUN = _NOUN.replace("OPTION", OPTION)
_BRACKETED = re.compile(rf"{_WORD_BEFORE}([(\[])\s*(?:{_NOUN}\s+)?([A-J])\s*[)\]]")
_BRACKETED_SMALL = re.compile(rf"{_WORD_BEFORE}([(\[])\s*([a-j])\s*[)\]]")
_NAMED = re.compile(rf"(?<![A-Za-z]){_NOUN}[\s:]+([A-J]){_NOT_IN_WORD}")
_HALF = re.compile(r"(?<![\w\\^_'(|])([A-J])\)")
_SMALL_HALF = re.compile(r"([a-j])(?:\s*[).](?=\s|$)|\s*$)")
_WORDS = rf"(?:(?:and|or|as well as|plus)(?![A-Za-z])|&|{AND}|{OR})"
_RANGE = rf"(?:to(?![A-Za-z])|through(?![A-Za-z])|thru(?![A-Za-z])|{TO}|-|~)"
_SEPARATOR = rf"(?:\s*+[,;/+&.|]++\s*+|\s++|(?=[-{AND}{OR}{TO}]))(?:(?:{_WORDS}|{_RANGE})\s*+)?"
_ITEM = rf"(?:{_NOUN}\s++)?[(\[]?\s*+[A-J]{_NOT_IN_WORD}(?:\s*+[)\]])?{_NOT_IN_WORD}"
_BARE_LIST = re.compile(rf"{_ITEM}(?:{_SEPARATOR}(?:both\s++)?{_ITEM})*")
_BARE_PAIRS = re.compile(
    rf"{_WORD_BEFORE}[A-J](?:\s{{0,4}},\s{{0,4}}[A-J]{_NOT_IN_WORD}){{0,9}}"
    rf"\s{{0,4}}(?:,?\s{{0,4}}(?:and|or|&|{AND}|{OR})\s{{0,4}})[A-J]{_NOT_IN_WORD}"
)
_RUN = re.compile(rf"[A-J]{{2,10}}{_NOT_IN_WORD}")
_LETTER = re.compile(r"(?<![A-Za-z])[A-J](?![A-Za-z])")
_ARTICLE = re.compile(
    r"[AI]\s+(?!(?:is|are|as|because|since|which|with|for|and|or|to|through|thru|only|hold|holds|has)\b)[a-z]"
)
_INTRODUCTION = re.compile(
    r"(?:[\s:=>\-.—]|(?i:therefore|thus|both|all of|only|just|the|options?|choices?|statements?"
    r"|letters?|answers?|is|are|be"
    rf"|clearly|indeed|then|following|probably|definitely)(?![A-Za-z])|[{FILLER}{IS}{OPTION}])*"
)
_BETWEEN = re.compile(
    rf"[\s,;/+&.|:]*+(?:{_WORDS})?[\s,]*+"
    rf"(?:(?:{_NOUN}|(?i:both|also|the)(?![A-Za-z])|{FILLER})\s*)*"
)
_RANGE_BETWEEN = re.compile(rf"\s*+{_RANGE}\s*+(?:{_NOUN}\s*+)?", re.IGNORECASE)
_ALTERNATIVE = re.compile(rf"\b(?:or|either)\b|{OR}")

_MAX_GAP = 60
_LETTERS = "ABCDEFGHIJ"


@dataclass(frozen=True, slots=True)
class LabelGroup:
    """Labels that are named in one breath. `alternative`: joined by "or"."""

    letters: str
    start: int
    end: int
    alternative: bool = False


def find_groups(plain: str, start: int, end: int, valid: str = _LETTERS) -> list[LabelGroup]:
    """Bracketed (or "option B") labels of a stretch, grouped where only separators lie between.

    Labels that are not `valid` (the `(I)` of a list to be matched) are passed over, unless there
    are no others: then the text names options that the question does not have.
    """
    labels = _bracketed(plain, start, end)
    labels = [label for label in labels if label[0] in valid] or labels
    if not labels:
        labels = [(m[1], m.start(1), m.end(1)) for m in _NAMED.finditer(plain, start, end)]
        if labels and (more := _BARE_LIST.match(plain, labels[0][1], end)) and len(labels) == 1:
            labels = _letters_of(plain, labels[0][1], more.end())
        elif not labels:
            labels = [(m[1], m.start(), m.end()) for m in _HALF.finditer(plain, start, end)]
    return _grouped(plain, labels)


def find_leading(plain: str, start: int, end: int) -> LabelGroup | None:
    """The list of labels, bare ones too, that a stretch begins with (`B, D because …`, `ABD`)."""
    introduction = _INTRODUCTION.match(plain, start, end)
    position = introduction.end() if introduction else start
    if run := _RUN.match(plain, position, end):
        letters = run.group()
        if list(letters) == sorted(set(letters)):
            return LabelGroup(letters, position, run.end())
        return None
    if small := _SMALL_HALF.match(plain, position, end):
        return LabelGroup(small[1].upper(), position, small.end())
    listed = _BARE_LIST.match(plain, position, min(end, position + 200))
    if listed is None:
        return None
    last = listed.end() - 1
    if _ARTICLE.match(plain, max(position, last), end) or _ARTICLE.match(plain, position, end):
        return None
    labels = _letters_of(plain, position, listed.end())
    return _grouped(plain, labels)[0] if labels else None


def find_bare_pairs(plain: str, start: int, end: int) -> list[LabelGroup]:
    """Lists of at least two bare letters with a conjunction (`both B and D`, `A, B, and D`)."""
    return [
        LabelGroup(
            _unique(_LETTER.findall(match.group())),
            match.start(),
            match.end(),
            bool(_ALTERNATIVE.search(match.group())),
        )
        for match in _BARE_PAIRS.finditer(plain, start, end)
    ]


def read_only_labels(plain: str) -> LabelGroup | None:
    """The labels of a text that holds nothing else, small letters too (`b`, `**A** ; **C**`)."""
    stripped = plain.strip()
    if not 0 < len(stripped) <= 200:
        return None
    offset = plain.index(stripped)
    if _SMALL_ONLY.fullmatch(stripped):
        plain = plain[:offset] + stripped.upper() + plain[offset + len(stripped) :]
    if not _ONLY.fullmatch(plain, offset, offset + len(stripped)):
        return None
    labels = [
        (letter, match.start() + index, match.start() + index + 1)
        for match in _ONLY_LETTERS.finditer(plain, offset, offset + len(stripped))
        for index, letter in enumerate(match.group())
    ]
    letters = [label[0] for label in labels]
    if len(set(letters)) != len(letters):
        return None
    return LabelGroup(
        _unique(letters), labels[0][1], labels[-1][2], bool(_ALTERNATIVE.search(stripped))
    )


_SMALL_ITEM = r"[(\[]?\s*+[a-j](?:\s*+[)\].])?"
_SMALL_ONLY = re.compile(rf"{_SMALL_ITEM}(?:[\s,;&/]*+(?:and\s++)?{_SMALL_ITEM})*")
_ONLY_LETTERS = re.compile(r"(?<![A-Za-z])[A-J]{1,10}(?![A-Za-z])")
_ONLY = re.compile(
    r"(?:(?i:options?|choices?|statements?|answers?|both|only|is|are)\b[\s:]*+)*"
    r"[(\[]?\s*+[A-J]{1,10}(?:\s*+[)\].])?"
    rf"(?:\s*+[,;/+&|.]*+\s*+(?:{_WORDS}\s*+)?(?:(?i:options?)\s++)?"
    r"[(\[]?\s*+[A-J](?![A-Za-z])(?:\s*+[)\]])?)*[\s.,;]*+"
)


def _bracketed(plain: str, start: int, end: int) -> list[tuple[str, int, int]]:
    for pattern in (_BRACKETED, _BRACKETED_SMALL):
        found = list(pattern.finditer(plain, start, end))
        if found:
            notation = found[0][1]
            return [
                (match[2].upper(), match.start(), match.end())
                for match in found
                if match[1] == notation
            ]
    return []


def _letters_of(plain: str, start: int, end: int) -> list[tuple[str, int, int]]:
    return [(m.group(), m.start(), m.end()) for m in _LETTER.finditer(plain, start, end)]


def _grouped(plain: str, labels: list[tuple[str, int, int]]) -> list[LabelGroup]:
    groups: list[list[tuple[str, int, int]]] = []
    for label in labels:
        if groups and _RANGE_BETWEEN.fullmatch(plain, groups[-1][-1][2], label[1]):
            first, last = groups[-1][-1][0], label[0]
            between = _LETTERS[_LETTERS.index(first) + 1 : _LETTERS.index(last)]
            groups[-1] += [(letter, label[1], label[2]) for letter in between] + [label]
        elif groups and (
            label[1] - groups[-1][-1][2] < _MAX_GAP
            and _BETWEEN.fullmatch(plain, groups[-1][-1][2], label[1])
        ):
            groups[-1].append(label)
        else:
            groups.append([label])
    return [
        LabelGroup(
            _unique([label[0] for label in group]),
            group[0][1],
            group[-1][2],
            bool(_ALTERNATIVE.search(plain, group[0][1], group[-1][2])),
        )
        for group in groups
    ]


def _unique(letters: list[str]) -> str:
    return "".join(sorted(set(letters)))
