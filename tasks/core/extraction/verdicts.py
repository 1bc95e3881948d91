"""Judgements on options: "(A) and (C) are true", "option (D) is not correct", "(B): False".

The last judgement on an option holds. A judgement on several options at once ("(A) and (C) are
correct") is a summing-up: it replaces the positive ones before it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tasks.core.extraction.evidence import Reading
from tasks.core.extraction.labels import LabelGroup, find_bare_pairs, find_groups
from tasks.core.extraction.languages import FILLER, IS, OPTION, RIGHT, WRONG
from tasks.core.extraction.wordings import says_no_more

_GOOD = r"correct|true|right|valid|accurate|holds?|satisfied|yes|ok"
_BAD = (
    r"incorrect|false|wrong|invalid|untrue|inaccurate|ruled\s+out|eliminated|rejected"
    r"|no(?=\s*+(?:[,.;(|)\n—–]|-\s|$))"
)
_GOOD_MARK, _BAD_MARK = "✓✔✅☑", "✗✘❌✖"
_PREDICATE = (
    r"(?P<negated>(?:not|n't|never|cannot\s++be|can't\s++be)\s++(?:(?:necessarily|a|the|always)\s++)?)?"
    rf"(?:(?P<bad>(?:{_BAD})(?!\w)|[{WRONG}{_BAD_MARK}])|(?P<good>(?:{_GOOD})(?!\w)|[{RIGHT}{_GOOD_MARK}]))"
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
_HYPOTHETICAL = re.compile(r"would|could\s|might")
_ONLY_IF = re.compile(r"[\s,]*(?:for|if|only|when|in\s+case|were|had)\b", re.IGNORECASE)
_ABOUT_CONTEXT = re.compile(
    r"(?:\b(?:this|the|so|hence|thus|therefore|which|it)\b[\s,]*+(?:(?:is|makes?)\s++)?(?:(?:the|this|it|given|above)\s++)*"
    r"(?:statement|option|choice|claim|assertion|one)?[\s,]*+(?:is|are|must be"
    r"|seems?)?\s*+(?:also|indeed|therefore|thus|clearly|definitely|hence)?\s*+"
    rf"{_PREDICATE})"
    rf"|(?P<mark>[{_GOOD_MARK}{_BAD_MARK}])"
    r"|(?:[-–—:|→(]\s*+|\.\s++)(?P<early>(?:yes|no|true|false|correct|incorrect|right|wrong)(?!\w)"
    rf"|[{RIGHT}{WRONG}])(?=\s*+(?:[,.;:!—–()|-]|because|since|$))"
    r"|(?:[\s(\[:|\-→–—]|\*)(?P<tail>true|false|correct|incorrect|wrong|right|yes|no)[)\]\s.!|*]*+$"
    r"|\b(?:it|they|this|which)\s+(?P<can>can|does|do|will|is|are)(?P<cannot>\s?not|n't)?\s*+[.!]*+$",
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
_BARE_JUDGED = re.compile(
    r"(?<![A-Za-z0-9_À-ɏЀ-ӿ\\^'])([A-J])(?![A-Za-z0-9_'À-ɏЀ-ӿ)\]}])"
    rf"(?=\s?[-:–—→]?\s?(?:(?i:yes|no|true|false|correct|incorrect|right|wrong)\b(?!\s[a-z])"
    rf"|[{_GOOD_MARK}{_BAD_MARK}]|[{FILLER}{IS}\s]*+[{RIGHT}{WRONG}]))"
)
_FIRST_WORD = re.compile(r"[^\W_]+")
_WORDED_HEAD = re.compile(
    r"(?:[ \t>*•-]|\d{1,2}[.)]\s)*+(?P<words>\S[^\n:–—]{1,160}?)(?:\s[-–—]\s|\s?[:→])"
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
    if _HYPOTHETICAL.search(match.group()) and _ONLY_IF.match(plain, match.end(), end):
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
            heading = _judge_line(reading, position, line_end, heading, found)
        position = line_end + 1
    return found


def _judge_line(reading: Reading, start: int, end: int, heading: str, found: list[Verdict]) -> str:
    """Add the verdicts of one line; return the label that heads the lines after it."""
    plain, labels = reading.plain, reading.labels
    groups = find_groups(plain, start, end, labels) or [
        *find_bare_pairs(plain, start, end),
        *_bare_head(plain, start, end, labels),
    ]
    if not groups and (worded := _worded_head(reading, start, end)):
        heading = worded
    if groups and len(groups[0].letters) == 1 and _HEADING.fullmatch(plain, start, groups[0].start):
        heading = groups[0].letters
    direct = [verdict for group in groups if (verdict := verdict_after(plain, group, end))]
    if not direct or len(groups) == 1:
        covered = {verdict.start for verdict in direct}
        direct += [
            verdict
            for group in _bare_labels(plain, start, end, labels)
            if group.start not in covered and (verdict := verdict_after(plain, group, end))
        ]
    found.extend(direct)
    if heading and not direct:
        found.extend(
            Verdict(heading, _holds_in_context(match), match.start(), match.end())
            for match in _ABOUT_CONTEXT.finditer(plain, start, end)
        )
    return heading


def _holds_in_context(match: re.Match[str]) -> bool:
    if mark := match["mark"]:
        return mark in _GOOD_MARK
    if word := match["early"] or match["tail"]:
        return word.lower() in ("true", "correct", "right", "yes", RIGHT)
    return not match["cannot"] if match["can"] else _holds(match)


def _bare_head(plain: str, start: int, end: int, labels: str) -> list[LabelGroup]:
    """The bare label that heads a line or a row of a table (`A is correct`, `| A | True |`)."""
    head = _BARE_HEAD.match(plain, start, end)
    if head is None or head[1] not in labels:
        return []
    return [LabelGroup(head[1], head.start(1), head.end(1))]


def _bare_labels(plain: str, start: int, end: int, labels: str) -> list[LabelGroup]:
    """Bare letters that a judgement directly follows: `A no, B yes`, `A は正しい`."""
    return [
        LabelGroup(match[1], match.start(1), match.end(1))
        for match in _BARE_JUDGED.finditer(plain, start, end)
        if match[1] in labels
    ]


def _worded_head(reading: Reading, start: int, end: int) -> str:
    """The label of the one option whose wording a line begins with, if a dash or colon follows."""
    head = _WORDED_HEAD.match(reading.plain, start, min(end, start + 200))
    if head is None or not _could_be_wording(head["words"], reading.options):
        return ""
    labels = [
        label
        for label, wording in reading.options.items()
        if says_no_more(reading.text, head.start("words"), head.end("words"), wording)
    ]
    return labels[0] if len(labels) == 1 else ""


def _could_be_wording(words: str, options: Mapping[str, str]) -> bool:
    first = _FIRST_WORD.search(words)
    return first is not None and any(first.group() in wording for wording in options.values())


def standing(found: list[Verdict]) -> dict[str, Verdict]:
    """The verdict that stands for each label."""
    last: dict[str, Verdict] = {}
    for verdict in found:
        if verdict.holds and len(verdict.letters) > 1:
            last = {label: old for label, old in last.items() if not old.holds}
        for label in verdict.letters:
            last[label] = verdict
    return last
