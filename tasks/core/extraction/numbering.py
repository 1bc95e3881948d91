r"""Options called by number: "statements 1 and 3", `(2)`, "the first and the third option", `iii)`.

Numbers become the letters of the options at their place, blanks fill up, so that offsets hold.
This is done where the question numbers its options itself, and where the response does so in words
that leave no doubt; never in a response that uses letters too, or for a question with numbered
items of its own.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

_LETTERS = "ABCDEFGHIJ"
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
_ORDINAL = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_ORDINALS = "|".join(_ORDINAL)
_NUMBER = r"(?:10|[1-9]|viii|vii|iii|iv|ix|vi|ii|i|v|x)"
_JOIN = r"(?:\s{0,3},\s{0,3}(?:and\s+)?|\s{0,3}[;&]\s{0,3}|\s{1,3}and\s{1,3}(?:the\s+)?)"
_NAMED = re.compile(
    rf"\b(?:statement|option|choice|number|claim|assertion)s?(?:\(s\))?\s+"
    rf"(?P<list>[(\[]?{_NUMBER}[)\]]?(?:{_JOIN}[(\[]?{_NUMBER}(?![A-Za-z\d]|\.\d)[)\]]?){{0,9}})(?![A-Za-z\d])",
    re.IGNORECASE,
)
_ORDINAL_LIST = re.compile(
    rf"\b(?P<list>(?:{_ORDINALS})(?:{_JOIN}(?:the\s+)?(?:{_ORDINALS})){{0,7}})"
    r"\s+(?:statements?|options?|choices?|claims?|ones?)\b",
    re.IGNORECASE,
)
_HEADING = re.compile(
    rf"(?m)^[ \t>*#-]*(?P<number>[(\[]?{_NUMBER}[)\].:])(?=[ \t*])", re.IGNORECASE
)
_BRACKETED = re.compile(rf"(?<![\w\\^_])[(\[]\s?{_NUMBER}\s?[)\]]")
_DECLARED = re.compile(
    r"(?:\b(?:answer|ans|option|choice)(?:\s+(?:is|number))*|boxed)[\s:*{(\[]{1,6}(?P<list>[1-9])"
    r"(?![\d.,/^]\d|\d|\s*(?:\\|\^|/|[+*-]\s*\d))",
    re.IGNORECASE,
)
_ONE = re.compile(_NUMBER + "|" + _ORDINALS, re.IGNORECASE)
_JUDGEMENT = re.compile(
    r"\b(?:true|false|correct|incorrect|right|wrong|valid|invalid|yes|no|holds?|fails?)\b",
    re.IGNORECASE,
)
_LETTERED = re.compile(r"[(\[]\s{0,2}[A-J]\s{0,2}[)\]]|\b(?:option|statement|choice)s?\s+[A-J]\b")
_OWN_ITEMS = re.compile(
    r"(?<![\w}\\])\(\s{0,2}(?:[1-9]|I{1,3}|IV|i{1,3}|iv|P|Q)\s{0,2}\)|(?m:^)\s*(?:I{1,3}|IV|[1-9])[.)]\s"
    r"|\bList\b|\b(?:Statement|Assertion|Reason)\b"
)


def lettered(plain: str, question: str, options: Mapping[str, str]) -> str:
    """`plain` with the numbers of options as their letters; unchanged where there are none."""
    if not options:
        return plain
    if _numbers_its_options(question, tuple(options)):
        return _of_numbered_question(plain, options)
    if _has_items(question) or _LETTERED.search(plain):
        return plain
    for pattern in (_NAMED, _ORDINAL_LIST):
        plain = pattern.sub(lambda found: _replaced(found, "list", len(options)), plain)
    if _judges_in_order(plain, len(options)):
        plain = _HEADING.sub(lambda found: _replaced(found, "number", len(options)), plain)
    return plain


def _judges_in_order(plain: str, n: int) -> bool:
    """Whether the text has the headings 1 to n, with a judgement after each."""
    heads = list(_HEADING.finditer(plain))
    places = [_place(head["number"].strip("([)].:").lower()) for head in heads]
    if places != list(range(n)):
        return False
    ends = [head.start() for head in heads[1:]] + [len(plain)]
    return all(
        _JUDGEMENT.search(plain, head.end(), min(end, head.end() + 2000))
        for head, end in zip(heads, ends, strict=True)
    )


@lru_cache(maxsize=4096)
def _numbers_its_options(question: str, labels: tuple[str, ...]) -> bool:
    """Whether the text of a question has its options as (1), (2) … and no lettered ones."""
    if re.search(r"(?<![\w}\\])[(\[]\s*[A-D]\s*[)\]]|(?m:^)\s*[A-D][.)]\s", question):
        return False
    places = [
        re.search(rf"(?m)(?:^|(?<=\s))[(\[]?{number}[)\].]\s", question)
        for number in range(1, len(labels) + 1)
    ]
    return all(places)


@lru_cache(maxsize=4096)
def _has_items(question: str) -> bool:
    return bool(_OWN_ITEMS.search(question))


def _of_numbered_question(plain: str, options: Mapping[str, str]) -> str:
    n = len(options)
    values = {option.strip(" $.") for option in options.values()}
    plain = _NAMED.sub(lambda found: _replaced(found, "list", n), plain)
    plain = _BRACKETED.sub(lambda found: _replaced(found, 0, n), plain)

    def unless_value(found: re.Match[str]) -> str:
        return found.group() if found["list"] in values else _replaced(found, "list", n)

    stripped = plain.strip(" .()\n")
    if len(stripped) == 1 and stripped.isdigit() and stripped not in values:
        place = int(stripped) - 1
        return plain.replace(stripped, _LETTERS[place]) if 0 <= place < n else plain
    return _DECLARED.sub(unless_value, plain)


def _replaced(found: re.Match[str], group: str | int, n: int) -> str:
    """The match with the numbers in `group` as letters, unless one of them is no option."""
    whole, listed = found.group(), found[group]
    words = list(_ONE.finditer(listed))
    places = [_place(word.group().lower()) for word in words]
    if any(not 0 <= place < n for place in places):
        return whole
    for word, place in zip(words, places, strict=True):
        is_word = word.group().lower() in _ORDINAL
        letter = f"({_LETTERS[place]})" if is_word else _LETTERS[place]
        listed = listed[: word.start()] + letter.ljust(len(word.group())) + listed[word.end() :]
    at = found.start(group) - found.start()
    return whole[:at] + listed + whole[at + len(listed) :]


def _place(word: str) -> int:
    """0-based place that a number, a Roman numeral or an ordinal names; -1 for none."""
    if word.isdigit():
        return int(word) - 1
    for words in (_ROMAN, _ORDINAL):
        if word in words:
            return words.index(word)
    return -1
