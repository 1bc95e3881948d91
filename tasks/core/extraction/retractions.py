"""Declarations that the response takes back at once."""

import re

from tasks.core.extraction.evidence import Reading
from tasks.core.extraction.languages import RETRACTION, WRONG

_QUESTIONED = re.compile(r"[\s})$*\]\"'.]*\?")
_RETRACTED = re.compile(
    r"\W*+(?:(?:but|hmm|oh|oops|so|and)\W++)*"
    r"(?:no\s*+[,.!\-]|wait\W++(?:no\b|that)|(?:that|this)(?:'s|\s+is|\s+was|\s+seems|\s+can't\s+be|\s+cannot\s+be)\s+"
    r"(?:wrong|incorrect|not\s+(?:right|correct|possible)|impossible|a\s+mistake|an\s+error)|scratch\s+that|i\s+made\s+an?\s+(?:mistake|error)"
    rf"|{RETRACTION}|{WRONG}\s*+[,.!])",
    re.IGNORECASE,
)


def is_questioned(text: str, end: int) -> bool:
    """Whether a question mark follows: "ANSWER: A? …" declares nothing."""
    return bool(_QUESTIONED.match(text, end, min(len(text), end + 12)))


def is_retracted(reading: Reading, end: int) -> bool:
    """Whether the text goes on with "no, …", "wait, that is wrong" or the like."""
    return bool(_RETRACTED.match(reading.lower, end, min(len(reading.lower), end + 120)))
