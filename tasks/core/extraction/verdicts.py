"""Judgements on options: "(A) and (C) are true", "option (D) is not correct", "(B): False".

The last judgement on an option holds. A judgement on several options at once ("(A) and (C) are
correct") is a summing-up: it replaces the positive ones before it.
"""

import re
from dataclasses import dataclass

from tasks.core.extraction.languages import FILLER, IS, OPTION, RIGHT, WRONG
from tasks.core.extraction.evidence import Reading
from tasks.core.extraction.labels import LabelGroup, find_bare_pairs, find_groups

_GOOD = r"correct|true|right|valid|accurate|holds?|satisfied"
_BAD = r"incorrect|false|wrong|invalid|untrue|inaccurate|ruled\s+out|eliminated|rejected"
_PREDICATE = (
    r"(?P<negated>(?:not|n't|never|cannot\s++be|can't\s++be)\s++(?:(?:necessarily|a|the|always)\s++)?)?"
    rf"(?:(?P<bad>(?:{_BAD})(?!\w)|{WRONG})|(?P<good>(?:{_GOOD})(?!\w)|{RIGHT}))"
)
_AFTER_LABELS = re.compile(
    r"""[\s,:|\-→=()]*+
    (?:(?:options?|statements?|choices?|ones?|alone|only|both|all|alternatives?|together)(?![a-z])[\s,]*+)*
    (?:["""
    + FILLER
    + IS
    + OPTION
    + r"""][\s,|:]*+)*
    (?:(?:is|are|was|were|must\s++be|will\s++be|would\s++be|should\s++be|seems?(?:\s++to\s++be)?|appears?\s++to\s++be|isn't|aren't)(?![a-z])[\s,|:]*+)?
    (?:(?:also|both|all|the|indeed|therefore|thus|only|two|three|four|definitely|clearly|hence|a|an|dimensionally
        |necessarily|always|still|in\s++fact|actually|not\s++only|obviously|considered|most|likely)(?![a-z])[\s,|:]*+)*
    """
    + _PREDICATE,
    re.VERBOSE | re.IGNORECASE,
)
_ABOUT_CONTEXT = re.compile(
    r"(?:\b(?:this|the|so|hence|thus|therefore|which|it)\b[\s,]*+(?:(?:is|makes?)\s++)?(?:(?:the|this|it|given|above)\s++)*"
    r"(?:statement|option|choice|claim|assertion|one)?[\s,]*+(?:is|are|must be"
    r"|seems?)?\s*+(?:also|indeed|therefore|thus|clearly|definitely|hence)?\s*+"
    rf"{_PREDICATE})"
    r"|(?P<mark>[✓✔✅✗✘❌✖])"
    r"|(?:[\s(\[:|\-→–—]|\*)(?P<tail>true|false|correct|incorrect|wrong|right)[)\]\s.!|*]*+$",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"[ \t>]*+(?:[-*+•|#]+|\d{1,2}[.)])?[ \t|]*+(?:(?i:option|statement|choice|checking"
    r"|for(?: option)?|consider(?:ing)?)\s++)*$"
)
_BARE_HEAD = re.compile(
    r"[ \t>|*-]*+(?:(?i:option|statement|choice)\s++)?([A-J])"
    r"(?=\s*+(?:[|:→—]|-\s)|\s++(?:is|isn't)\b)"
)
MAX_REACH = 60_000
"""Characters before the end of a stretch in which judgements are looked for."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judgement on labels at a place. `holds`: they are said to be correct."""

    letters: str
    holds: bool
    start: int
    end: int


def verdict_after(plain: str, group: LabelGroup, end: int) -> Verdict | None:
    """The judgement that directly follows a group of labels."""
    match = _AFTER_LABELS.match(plain, group.end, min(end, group.end + 120))
    if match is None:
        return None
    return Verdict(group.letters, _holds(match), group.start, match.end())


def _holds(match: re.Match[str]) -> bool:
    said = match.group().lower()
    negated = bool(match["negated"]) or "n't" in said
    return bool(match["good"]) != negated


def verdicts(reading: Reading, start: int, end: int) -> list[Verdict]:
    """All judgements of a stretch in order: on labels named in the sentence, and on the option
    that heads the paragraph ("(C) One hydroxide per boron. This statement is true.")."""
    plain = reading.plain
    found: list[Verdict] = []
    heading = ""
    position = max(start, end - MAX_REACH)
    while position < end:
        line_end = plain.find("\n", position, end)
        line_end = end if line_end < 0 else line_end
        if line_end > position:
            heading = _judge_line(plain, position, line_end, reading.labels, heading, found)
        position = line_end + 1
    return found


def _judge_line(
    plain: str, start: int, end: int, labels: str, heading: str, found: list[Verdict]
) -> str:
    """Add the verdicts of one line; return the label that heads the lines after it."""
    groups = (
        find_groups(plain, start, end, labels)
        or find_bare_pairs(plain, start, end)
        or _bare_head(plain, start, end, labels)
    )
    if groups and len(groups[0].letters) == 1 and _HEADING.fullmatch(plain, start, groups[0].start):
        heading = groups[0].letters
    direct = [verdict for group in groups if (verdict := verdict_after(plain, group, end))]
    found.extend(direct)
    if heading and not direct:
        for match in _ABOUT_CONTEXT.finditer(plain, start, end):
            if mark := match["mark"]:
                holds = mark in "✓✔✅"
            elif tail := match["tail"]:
                holds = tail.lower() in ("true", "correct", "right")
            else:
                holds = _holds(match)
            found.append(Verdict(heading, holds, match.start(), match.end()))
    return heading


def _bare_head(plain: str, start: int, end: int, labels: str) -> list[LabelGroup]:
    """The bare label that heads a line or a row of a table (`A is correct`, `| A | True |`)."""
    head = _BARE_HEAD.match(plain, start, end)
    if head is None or head[1] not in labels:
        return []
    return [LabelGroup(head[1], head.start(1), head.end(1))]


def standing(found: list[Verdict]) -> dict[str, Verdict]:
    """The verdict that stands for each label."""
    last: dict[str, Verdict] = {}
    for verdict in found:
        if verdict.holds and len(verdict.letters) > 1:
            last = {label: old for label, old in last.items() if not old.holds}
        for label in verdict.letters:
            last[label] = verdict
    return last
