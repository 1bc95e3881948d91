"""Rules that read the answer to a question with options. Each finds evidence in text order."""

import re

from tasks.core.extraction.abstentions import DECLARED_NONE, NO_OPTION
from tasks.core.extraction.declarations import declarations, sentences
from tasks.core.extraction.evidence import (
    Declaration,
    Evidence,
    Reading,
    of_group,
    of_letters,
)
from tasks.core.extraction.labels import (
    LabelGroup,
    find_groups,
    find_leading,
    read_only_labels,
)
from tasks.core.extraction.polarity import (
    ALL_EXCEPT,
    EVERY_OPTION,
    NOT_BEFORE,
    TURN,
    asks_for_false,
    is_conditional,
    is_denied,
)
from tasks.core.extraction.retractions import is_questioned, is_retracted
from tasks.core.extraction.verdicts import Verdict, standing, verdict_after, verdicts
from tasks.core.types import ExtractStatus, QuestionType

_LEAD = re.compile(
    r"(?:\s|[,:=>∴→-]|(?:so|thus|hence|therefore|finally|then|it's|it\s+is|that's|it\s+must\s+be|i(?:'d|'ll|\s+will|\s+would)?"
    r"\s+(?:go\s+(?:with|for)|choose|pick|select)|my\s+(?:answer|choice|pick)\s+is)(?![a-z]))*",
    re.IGNORECASE,
)
_SETTLED = ("box", "answer_tag", "final_answer", "hashes")
_MIN_PARTS = 3
_MENTION = re.compile(r"[(\[]\s*[A-J]\s*[)\]]|\boption\s+[A-J]\b")


def whole_text(reading: Reading) -> list[Evidence]:
    """The response is nothing but labels: `BD`, `**A** ; **C**`, `(a)`, `A or C`."""
    group = read_only_labels(reading.plain)
    return [of_group(reading, "whole_text", group)] if group else []


def last_line(reading: Reading) -> list[Evidence]:
    """The last line or sentence is nothing but labels, or says just these: `**A, C, D**`, "So B
    falls. **A, C**", "Thus, B", "I'd go with C"."""
    end = len(reading.plain.rstrip(" \n.*"))
    start = reading.plain.rfind("\n", 0, end) + 1
    breaks = [stop + 1 for _, stop in list(sentences(reading.text, start, end))[-2:-1]]
    for begin in (start, *breaks):
        lead = _LEAD.match(reading.plain, begin, end)
        at = lead.end() if lead else begin
        group = read_only_labels(reading.plain[at:end]) if at else None
        if group and set(group.letters) <= set(reading.labels):
            moved = LabelGroup(group.letters, at + group.start, at + group.end, group.alternative)
            return [of_group(reading, "last_line", moved)]
    return []


def declared(reading: Reading) -> list[Evidence]:
    """Labels in boxes and after wordings such as "the final answer is", "correct options:"; and,
    at their place among these, statements that no option is right."""
    found = [
        evidence
        for declaration in _merged(reading, declarations(reading))
        if (evidence := _read(reading, declaration))
    ]
    found = _without_restatement(reading, found)
    found = _answers_in_parts(reading, found)
    last_end = found[-1].end if found else 0
    found.extend(_no_option(reading, last_end))
    if found and reading.question.type is QuestionType.MCQ_MULTIPLE:
        amended = _amended_by_verdicts(reading, found[-1])
        if amended:
            found.append(amended)
    return found


def _without_restatement(reading: Reading, found: list[Evidence]) -> list[Evidence]:
    """A last list of all options restates them if the text has judged only some to be right."""
    if not found or found[-1].answer != reading.labels:
        return found
    earlier = standing(verdicts(reading, 0, found[-1].start))
    right = [label for label, verdict in earlier.items() if verdict.holds]
    summed_up = any(len(earlier[label].letters) > 1 for label in right)
    return found[:-1] if summed_up and len(right) < len(reading.labels) else found


def _answers_in_parts(reading: Reading, found: list[Evidence]) -> list[Evidence]:
    """Three or more boxes that name one option each, in order, are parts of one answer."""
    boxes = [e for e in found if e.rule == "declared:box" and e.answer]
    letters = [box.answer or "" for box in boxes]
    parts = (
        reading.question.type is QuestionType.MCQ_MULTIPLE
        and len(boxes) >= _MIN_PARTS
        and all(len(letter) == 1 for letter in letters)
        and letters == sorted(set(letters))
        and found[-1] is boxes[-1]
    )
    if not parts:
        return found
    return [
        *found,
        of_letters(reading, "declared:boxes", "".join(letters), boxes[0].start, boxes[-1].end),
    ]


def judged(reading: Reading) -> list[Evidence]:
    """The options that are judged correct (false, where the question asks for those)."""
    found = verdicts(reading, 0, len(reading.plain))
    last = standing([verdict for verdict in found if set(verdict.letters) <= set(reading.labels)])
    if not last:
        return []
    wanted = not asks_for_false(reading)
    letters = "".join(sorted(label for label, verdict in last.items() if verdict.holds is wanted))
    end = max(last.values(), key=lambda verdict: verdict.end)
    if letters:
        if reading.question.type is QuestionType.MCQ and len(letters) > 1:
            return []
        chosen = [last[letter] for letter in letters]
        begin = min(verdict.start for verdict in chosen)
        return [of_letters(reading, "judged", letters, begin, max(v.end for v in chosen))]
    if set(last) == set(reading.labels):
        return [Evidence("judged", ExtractStatus.ABSTAINED, None, end.start, end.end)]
    return []


def _merged(reading: Reading, found: list[Declaration]) -> list[Declaration]:
    r"""Neighbouring boxes (`\boxed{A}, \boxed{C}`) become one declaration."""
    merged: list[Declaration] = []
    for declaration in found:
        if merged and declaration.boxed and merged[-1].boxed:
            between = reading.plain[merged[-1].end : declaration.cue_start].lower()
            if len(between) < 40 and not between.replace("and", "").strip(" ,;&$."):
                last = merged.pop()
                declaration = Declaration("box", last.cue_start, last.start, declaration.end, True)
        merged.append(declaration)
    return merged


def _read(reading: Reading, declaration: Declaration) -> Evidence | None:
    plain, start, end = reading.plain, declaration.start, declaration.end
    if is_questioned(reading.text, end) or (
        declaration.boxed and NOT_BEFORE.search(plain, max(0, declaration.cue_start - 24), start)
    ):
        return None
    rule = f"declared:{declaration.cue}"
    groups = (
        _heads_of_lines(reading, start, end)
        if declaration.listed
        else find_groups(plain, start, end, reading.labels)
    )
    if declaration.boxed or not groups:
        leading = find_leading(plain, start, end)
        if leading and (not groups or leading.start <= groups[0].start):
            tail_groups = [group for group in groups if group.start >= leading.end]
            groups = [leading, *tail_groups]
    first = groups[0].start if groups else end
    none = NO_OPTION.search(reading.said, start, end)
    if none and none.start() <= first:
        return Evidence(rule, ExtractStatus.ABSTAINED, None, none.start(), none.end())
    if none := DECLARED_NONE.match(reading.said, start, end):
        return Evidence(rule, ExtractStatus.ABSTAINED, None, none.start(), none.end())
    every = EVERY_OPTION.search(plain, start, end)
    if every and every.start() <= first and not (groups and ALL_EXCEPT.search(plain, start, end)):
        return of_letters(reading, rule, reading.labels, every.start(), every.end())
    excepted = ALL_EXCEPT.search(plain, start, end)
    if excepted and not groups and (group := find_leading(plain, excepted.end(), end)):
        return of_letters(reading, rule, _others(reading, group.letters), group.start, group.end)
    if not groups:
        return None
    if ALL_EXCEPT.search(plain, start, groups[0].start):
        return of_letters(
            reading, rule, _others(reading, groups[0].letters), groups[0].start, groups[0].end
        )
    chosen = _chosen(reading, declaration, groups)
    if chosen is None:
        return None
    evidence = of_group(reading, rule, chosen)
    if declaration.cue == "wrong_option" and evidence.answer and not asks_for_false(reading):
        if reading.question.type is QuestionType.MCQ:
            return None
        evidence = of_letters(
            reading, rule, _others(reading, evidence.answer), chosen.start, chosen.end
        )
    if evidence.status is ExtractStatus.ANSWERED and is_retracted(reading, end):
        return Evidence(rule, ExtractStatus.AMBIGUOUS, None, chosen.start, chosen.end)
    return evidence


def _chosen(
    reading: Reading, declaration: Declaration, groups: list[LabelGroup]
) -> LabelGroup | None:
    """What a declaration's labels amount to: the first group for one answer, all for several,
    without those that the sentence denies or names as a reason."""
    if declaration.listed:
        groups = _judged_heads(reading, declaration, groups)
    kept: list[LabelGroup] = []
    previous = declaration.start
    wanted = not asks_for_false(reading)
    for group in groups:
        if kept and TURN.search(reading.plain, previous, group.start):
            break
        verdict = verdict_after(reading.plain, group, declaration.end)
        denied = bool(NOT_BEFORE.search(reading.plain, previous, group.start))
        if verdict is not None and verdict.holds is not wanted and not (kept and not wanted):
            denied = True
        if verdict is None and is_denied(reading, group.end, declaration.end):
            denied = True
        previous = group.end
        if denied:
            continue
        kept.append(group)
        if reading.question.type is QuestionType.MCQ:
            break
    if not kept:
        return None
    later = [group for group in groups if group.start >= kept[-1].end][:1]
    conditional = later and is_conditional(reading.plain, kept[-1].end, later[0].start)
    taken = kept + later if conditional else kept
    return LabelGroup(
        "".join(sorted({letter for group in taken for letter in group.letters})),
        taken[0].start,
        taken[-1].end,
        bool(conditional) or any(group.alternative for group in kept),
    )


def _judged_heads(
    reading: Reading, declaration: Declaration, heads: list[LabelGroup]
) -> list[LabelGroup]:
    """The lines of a list; where some are judged ("(A) False"), those that are judged at all."""
    judged_heads = [h for h in heads if verdict_after(reading.plain, h, declaration.end)]
    return judged_heads or heads


def _heads_of_lines(reading: Reading, start: int, end: int) -> list[LabelGroup]:
    plain = reading.plain
    heads = []
    position = start
    while position < end:
        line_end = plain.find("\n", position, end)
        line_end = end if line_end < 0 else line_end
        groups = find_groups(plain, position, line_end, reading.labels)
        leading = None if groups else find_leading(plain, position, line_end)
        if groups or leading:
            heads.append(groups[0] if groups else leading)
        position = line_end + 1
    return [head for head in heads if head]


def _no_option(reading: Reading, start: int) -> list[Evidence]:
    """The last statement after `start` that no option is right, if no label is named after it."""
    matches = list(NO_OPTION.finditer(reading.said, max(start, len(reading.text) - 6000)))
    if not matches:
        return []
    match = matches[-1]
    stop = reading.text.find("\n", match.end())
    stop = len(reading.text) if stop < 0 else stop
    if _MENTION.search(reading.plain, stop):
        return []
    for label, option in reading.options.items():
        if re.fullmatch(r"\W*none\b.{0,40}", option, re.IGNORECASE | re.DOTALL):
            return [of_letters(reading, "declared:none", label, match.start(), match.end())]
    return [Evidence("declared:none", ExtractStatus.ABSTAINED, None, match.start(), match.end())]


def _amended_by_verdicts(reading: Reading, last: Evidence) -> Evidence | None:
    """Options judged correct after the last declaration, unless that one settles the answer."""
    if last.answer is None or last.rule.partition(":")[2] in _SETTLED or asks_for_false(reading):
        return None
    later = [
        verdict
        for verdict in verdicts(reading, last.end, len(reading.plain))
        if set(verdict.letters) <= set(reading.labels)
    ]
    if not any(verdict.holds and not set(verdict.letters) <= set(last.answer) for verdict in later):
        return None
    everything = [Verdict(last.answer, True, last.start, last.end), *later]
    standing_letters = sorted(k for k, verdict in standing(everything).items() if verdict.holds)
    return of_letters(reading, "judged", "".join(standing_letters), last.start, later[-1].end)


def _others(reading: Reading, letters: str) -> str:
    return "".join(label for label in reading.labels if label not in letters)
