"""Wordings that turn a list of labels into its opposite, into all options, or into no answer."""

import re
from functools import lru_cache

from tasks.core.extraction.evidence import Reading
from tasks.core.extraction.languages import BESIDES, EVERY, FILLER, IS, NOT

EVERY_OPTION = re.compile(
    r"(?<!not\s)(?<!n't\s)\ball\s+(?:of\s+)?(?:the\s+|these\s+|four\s+|five\s+|given\s+|above\s+|listed\s+)*"
    r"(?:options?|statements?|choices?|above|of\s+them|four|are\s+(?:correct|true))\b"
    rf"|{EVERY}",
    re.IGNORECASE,
)
ALL_EXCEPT = re.compile(
    r"\b(?:except|all\s+but|other\s+than|apart\s+from|excluding|every(?:thing|\s+\w+)\s+but)\b"
    rf"|{BESIDES}",
    re.IGNORECASE,
)
NOT_BEFORE = re.compile(
    rf"(?:\b(?:not|neither|nor|except|excluding|rather\s+than|instead\s+of)|{NOT})\W*"
    r"(?:(?:option|statement|choice)s?\W*)?$",
    re.IGNORECASE,
)
TURN = re.compile(
    r"\b(?:because|since|whereas|while|but|however|although|though|rather\s+than|instead\s+of"
    r"|as\s+(?:it|they|the|this|option|statement)|(?:and|so)\s+(?:the\s+)?(?:one|ones|only\s+one|other|others|rest))\b",
    re.IGNORECASE,
)
_DENIED_AFTER = re.compile(
    r"[\s,)\]*]*+(?:(?:both|all|also)\s++)?(?:(?:is|are|was|does|do|did|has|have|can|could|will|would)"
    r"(?:\s++not\b|n't\b)|cannot\b|can't\b|fails?\b|goes\b(?!\s+with)"
    rf"|[{IS}{FILLER}\s]*+{NOT})",
    re.IGNORECASE,
)
UNDECIDED = re.compile(
    r"\b(?:can(?:'t|not|\s+not)|could\s*(?:n't|\s+not)|unable\s+to|hard\s+to|impossible\s+to)\s+"
    r"(?:\w+\s+){0,3}?(?:settle|decide|choose|tell|say|determine|pick|distinguish)\b[^.\n]{0,60}?"
    r"\b(?:between|which|whether|apart)\b"
    r"|\b(?:unsure|not\s+sure|undecided)\s+(?:which|whether|between)\b|\btorn\s+between\b",
    re.IGNORECASE,
)
_DENIAL = re.compile(r"\b(?:not|cannot|can't|never|neither)\b|n't\b", re.IGNORECASE)
_CONDITION = re.compile(r"\b(?:if|when|provided|depending|assuming)\b", re.IGNORECASE)

_NEGATED_STEM = re.compile(
    r"(?i:which|statements?|options?|choose|identify|select|find|pick)\b[^.?\n]{0,160}"
    r"\b(?:INCORRECT|FALSE|WRONG|UNTRUE|incorrect|false|wrong|untrue"
    r"|(?:not|NOT)\s+(?:correct|true|valid|CORRECT|TRUE))\b"
)
_BOTH_POLARITIES = re.compile(
    r"\b(?:true|correct)\s*(?:or|/)\s*(?:false|incorrect)\b", re.IGNORECASE
)


def is_denied(reading: Reading, start: int, end: int) -> bool:
    """Whether the words after labels deny something of them ("(C) isn't forced", "A and C are not
    odd harmonics") without calling them right or wrong, where the question itself denies nothing
    ("which cannot be …")."""
    if not _DENIED_AFTER.match(reading.plain, start, min(end, start + 60)):
        return False
    first = next(iter(reading.options.values()), "")
    stem = reading.question.question.partition(first)[0] if first else reading.question.question
    return not _DENIAL.search(stem)


def is_conditional(plain: str, first_end: int, second_start: int) -> bool:
    """Whether two labels are offered under conditions: "(B) if …, or (D) if …"."""
    between = plain[first_end:second_start]
    return (
        bool(_CONDITION.search(between))
        and re.search(r"\bor\b|\bbut\b|;", between, re.I) is not None
    )


def asks_for_false(reading: Reading) -> bool:
    """Whether the question wants the options that are false ("which is NOT correct")."""
    return _asks_for_false(reading.question.question)


@lru_cache(maxsize=4096)
def _asks_for_false(stem: str) -> bool:
    match = _NEGATED_STEM.search(stem[-4000:])
    return bool(match) and not _BOTH_POLARITIES.search(stem)
