"""Rules that read the answer to a question with options. Each finds evidence in text order."""

import re

from tasks.core.extraction import languages
from tasks.core.extraction.abstentions import DECLARED_NONE, NO_OPTION, NO_VALUE, REFUSAL
from tasks.core.extraction.declarations import declarations, sentences
from tasks.core.extraction.evidence import Declaration, Evidence, Reading
from tasks.core.extraction.labels import (
    LabelGroup,
    find_bare_pairs,
    find_groups,
    find_leading,
    read_only_labels,
)
from tasks.core.extraction.option_values import option_of_quantity, option_of_text
from tasks.core.extraction.quantities import last_stated, read_quantity
from tasks.core.extraction.retractions import is_questioned, is_retracted
from tasks.core.extraction.verdicts import Verdict, standing, verdict_after, verdicts
from tasks.core.types import ExtractStatus, QuestionType

_ALL = re.compile(
    r"\ball\s+(?:of\s+)?(?:the\s+|these\s+|four\s+|given\s+|above\s+|listed\s+)*(?:options?|statements?|choices?|above|of\s+them|four|are\s+(?:correct|true))\b"
    rf"|{languages.EVERY}",
    re.IGNORECASE,
)
_EXCEPT = re.compile(rf"\b(?:except|all\s+but|other\s+than|apart\s+from|excluding)\b|{languages.BESIDES}", re.IGNORECASE)
_NOT_BEFORE = re.compile(
    r"\b(?:not|neither|nor|except|excluding|rather than|instead of)\W*(?:(?:option"
    r"|statement)s?\W*)?$",
    re.IGNORECASE,
)
_TURN = re.compile(
    r"\b(?:because|since|whereas|while|but|however|although|though|rather\s+than|instead\s+of|as\s+(?:it|they|the|this|option|statement))\b",
    re.IGNORECASE,
)
_NEGATED_STEM = re.compile(
    r"(?:which|statements?|options?|choose|identify|select|find|pick)\b[^.?\n]{0,160}"
    r"\b(?:INCORRECT|FALSE|WRONG|UNTRUE|incorrect|false|wrong|untrue|(?:not|NOT)\s+(?:correct|true|valid|CORRECT|TRUE))\b"
)
_BOTH_POLARITIES = re.compile(
    r"\b(?:true|correct)\s*(?:or|/)\s*(?:false|incorrect)\b", re.IGNORECASE
)
_PLURAL_CUE = re.compile(r"s\b|\(s\)|\bare\b")
_SETTLED = ("box", "answer_tag", "final_answer", "hashes")
_MIN_PARTS = 3
_TAIL = 1500
_MENTION = re.compile(r"[(\[]\s*[A-J]\s*[)\]]|\boption\s+[A-J]\b")


def whole_text(reading: Reading) -> list[Evidence]:
    """The response is nothing but labels: `BD`, `**A** ; **C**`, `(a)`, `A or C`."""
    group = read_only_labels(reading.plain)
    return [_of_group(reading, "whole_text", group)] if group else []


def last_line(reading: Reading) -> list[Evidence]:
    """The last line of the response is nothing but labels: `**A, C, D**`."""
    stripped = reading.plain.rstrip()
    start = stripped.rfind("\n") + 1
    group = read_only_labels(stripped[start:]) if start else None
    if group is None or not set(group.letters) <= set(reading.labels):
        return []
    moved = LabelGroup(group.letters, start + group.start, start + group.end, group.alternative)
    return [_of_group(reading, "last_line", moved)]


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
        _evidence(reading, "declared:boxes", "".join(letters), boxes[0].start, boxes[-1].end),
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
        return [_evidence(reading, "judged", letters, begin, max(v.end for v in chosen))]
    if set(last) == set(reading.labels):
        return [Evidence("judged", ExtractStatus.ABSTAINED, None, end.start, end.end)]
    return []


def mentioned(reading: Reading) -> list[Evidence]:
    """The labels of the last sentence that has any, or of the lines that end the text."""
    end = len(reading.plain.rstrip())
    spans = list(sentences(reading.plain, max(0, end - _TAIL), end))[-6:]
    if everything := _every_option(reading, spans):
        return [everything]
    listed: list[LabelGroup] = []
    for start, stop in reversed(spans):
        groups = find_groups(reading.plain, start, stop, reading.labels) or find_bare_pairs(
            reading.plain, start, stop
        )
        groups = [
            group
            for group in groups
            if set(group.letters) <= set(reading.labels)
            and not _is_negative(reading, group, start, stop)
        ]
        if groups and not reading.plain[start : groups[0].start].strip(" -*•:.>\n"):
            listed.insert(0, groups[0])
            if reading.question.type is QuestionType.MCQ_MULTIPLE:
                continue
            break
        if listed:
            break
        if groups:
            whole = "".join(sorted({letter for group in groups for letter in group.letters}))
            listed = [LabelGroup(whole, groups[0].start, groups[-1].end, groups[0].alternative)]
            if len(whole) > 1 and reading.question.type is QuestionType.MCQ:
                listed = [groups[-1]]
            break
    if not listed:
        return []
    letters = "".join(sorted({letter for group in listed for letter in group.letters}))
    group = LabelGroup(letters, listed[0].start, listed[-1].end, any(g.alternative for g in listed))
    return [_of_group(reading, "mentioned", group)]


def _every_option(reading: Reading, spans: list[tuple[int, int]]) -> Evidence | None:
    """Every option, or the one that says so, where the last sentence is like "all of the above"."""
    start, stop = spans[-1] if spans else (0, 0)
    every = _ALL.search(reading.plain, start, stop)
    if every is None or _EXCEPT.search(reading.plain, start, stop):
        return None
    for label, option in reading.options.items():
        if _ALL.match(option.strip()):
            return _evidence(reading, "mentioned", label, every.start(), every.end())
    if reading.question.type is QuestionType.MCQ:
        return None
    return _evidence(reading, "mentioned", reading.labels, every.start(), every.end())


def valued(reading: Reading) -> list[Evidence]:
    """A declared value or wording without a label, where exactly one option has it."""
    if not reading.options:
        return []
    found = []
    places = [(d.start, d.end) for d in declarations(reading)]
    end = len(reading.text.rstrip())
    tail = list(sentences(reading.text, max(0, end - 600), end))[-1:]
    for start, stop in tail + places:
        if label := _option_of(reading, start, stop):
            found.append(_evidence(reading, "valued", label, start, stop))
    return found


def refused(reading: Reading) -> list[Evidence]:
    """The text says that it cannot or will not answer."""
    end = len(reading.text)
    start = max(0, end - 500)
    match = NO_VALUE.search(reading.said, start) or REFUSAL.search(reading.said, start)
    if match is None:
        return []
    return [Evidence("refused", ExtractStatus.ABSTAINED, None, match.start(), match.end())]


def asks_for_false(reading: Reading) -> bool:
    """Whether the question wants the options that are false ("which is NOT correct")."""
    stem = reading.question.question
    match = _NEGATED_STEM.search(stem[-4000:])
    return bool(match) and not _BOTH_POLARITIES.search(stem)


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
        declaration.boxed and _NOT_BEFORE.search(plain, max(0, declaration.cue_start - 24), start)
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
    every = _ALL.search(plain, start, end)
    if every and every.start() <= first and not (groups and _EXCEPT.search(plain, start, end)):
        return _evidence(reading, rule, reading.labels, every.start(), every.end())
    excepted = _EXCEPT.search(plain, start, end)
    if excepted and not groups and (group := find_leading(plain, excepted.end(), end)):
        return _evidence(reading, rule, _others(reading, group.letters), group.start, group.end)
    if not groups:
        return None
    if _EXCEPT.search(plain, start, groups[0].start):
        return _evidence(
            reading, rule, _others(reading, groups[0].letters), groups[0].start, groups[0].end
        )
    chosen = _chosen(reading, declaration, groups)
    if chosen is None:
        return None
    evidence = _of_group(reading, rule, chosen)
    if declaration.cue == "wrong_option" and evidence.answer and not asks_for_false(reading):
        if reading.question.type is QuestionType.MCQ:
            return None
        evidence = _evidence(
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
        if kept and _TURN.search(reading.plain, previous, group.start):
            break
        verdict = verdict_after(reading.plain, group, declaration.end)
        denied = bool(_NOT_BEFORE.search(reading.plain, previous, group.start))
        if verdict is not None and verdict.holds is not wanted and not (kept and not wanted):
            denied = True
        previous = group.end
        if denied:
            continue
        kept.append(group)
        if reading.question.type is QuestionType.MCQ:
            break
    if not kept:
        return None
    return LabelGroup(
        "".join(sorted({letter for group in kept for letter in group.letters})),
        kept[0].start,
        kept[-1].end,
        any(group.alternative for group in kept),
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
            return [_evidence(reading, "declared:none", label, match.start(), match.end())]
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
    return _evidence(reading, "judged", "".join(standing_letters), last.start, later[-1].end)


def _is_negative(reading: Reading, group: LabelGroup, start: int, end: int) -> bool:
    verdict = verdict_after(reading.plain, group, end)
    if verdict is not None:
        return verdict.holds is asks_for_false(reading)
    return bool(_NOT_BEFORE.search(reading.plain, start, group.start))


def _option_of(reading: Reading, start: int, end: int) -> str | None:
    quantity = read_quantity(reading.text, start, end) or last_stated(reading.text, start, end)
    if quantity and not quantity.symbolic and not quantity.several:
        label = option_of_quantity(quantity, reading.options)
        if label:
            return label
    return option_of_text(reading.text[start:end], reading.options)


def _others(reading: Reading, letters: str) -> str:
    return "".join(label for label in reading.labels if label not in letters)


def _of_group(reading: Reading, rule: str, group: LabelGroup) -> Evidence:
    if group.alternative and len(group.letters) > 1:
        return Evidence(rule, ExtractStatus.AMBIGUOUS, None, group.start, group.end)
    return _evidence(reading, rule, group.letters, group.start, group.end)


def _evidence(reading: Reading, rule: str, letters: str, start: int, end: int) -> Evidence:
    """Labels that the question does not have are no answer."""
    if not letters or not set(letters) <= set(reading.labels):
        return Evidence(rule, ExtractStatus.UNPARSED, None, start, end)
    return Evidence(rule, ExtractStatus.ANSWERED, "".join(sorted(letters)), start, end)
