"""Rules that read a choice where nothing declares one: what the end of the text names, by label,
by value, by wording, or by the items an option is made of. Each finds evidence in text order."""

import re

from tasks.core.extraction.abstentions import NO_VALUE, REFUSAL
from tasks.core.extraction.declarations import declarations, sentences
from tasks.core.extraction.evidence import Evidence, Reading, of_group, of_letters
from tasks.core.extraction.items import matched_option, option_of_statements
from tasks.core.extraction.labels import LabelGroup, find_bare_pairs, find_groups, find_leading
from tasks.core.extraction.languages import EVERY, WRONG
from tasks.core.extraction.option_values import option_of_quantity, option_of_text
from tasks.core.extraction.polarity import (
    ALL_EXCEPT,
    EVERY_OPTION,
    NOT_BEFORE,
    UNDECIDED,
    asks_for_false,
    is_denied,
)
from tasks.core.extraction.quantities import last_stated, read_quantity
from tasks.core.extraction.verdicts import verdict_after
from tasks.core.extraction.wordings import named_options, says_no_more
from tasks.core.types import ExtractStatus, QuestionType

_TAIL = 1500
_NEGATIVE = re.compile(
    r"\b(?:not|neither|nor|except|false|incorrect|wrong|untrue|fails?|unlike|rather|would|but(?!-)|if|whether|either)\b"
    rf"|n't\b|{WRONG}",
    re.IGNORECASE,
)
_CONSIDERED = re.compile(
    r"\b(?:start\w*|begin\w*|consider\w*|check\w*|try\w*|look\w*|examin\w*|test\w*|evaluat\w*|analy[sz]\w*"
    r"|verify\w*|compar\w*|unlike|like)\s+(?:with\s+|at\s+|by\s+|whether\s+)?(?:the\s+)?"
    r"(?:options?\s+|statements?\s+|choices?\s+)?\W*$",
    re.IGNORECASE,
)
_WHOLE = re.compile(rf"\b(?:all|every|everything|each)\b|{EVERY}", re.IGNORECASE)
_LABELLED = re.compile(r"[\s*•-]*[(\[]?[A-Ja-j][)\].]")
_ANAPHORA = re.compile(r"\s*(?:so\s+)?(?:these|those|they|both)\b", re.IGNORECASE)
_EVERY_ONE = re.compile(
    r"(?<!not\s)\ball\s+(?:of\s+)?(?:the\s+|these\s+|four\s+)+(?P<noun>[a-z]{4,}s)\b"
)


def undecided(reading: Reading) -> list[Evidence]:
    """The end of the text says that it cannot tell which option it is."""
    start, stop = _last_sentence(reading)
    match = UNDECIDED.search(reading.plain, start, stop)
    if match is None or len(find_groups(reading.plain, start, stop, reading.labels)) == 0:
        return []
    return [Evidence("undecided", ExtractStatus.AMBIGUOUS, None, match.start(), match.end())]


def restated(reading: Reading) -> list[Evidence]:
    """The last sentence is the wording of one option."""
    start, stop = _last_sentence(reading)
    labels = [
        label
        for label, wording in reading.options.items()
        if says_no_more(reading.text, start, stop, wording)
    ]
    return [of_letters(reading, "restated", labels[0], start, stop)] if len(labels) == 1 else []


def excepted(reading: Reading) -> list[Evidence]:
    """The last sentence names the options that are not right: "all except (C) are correct"."""
    start, stop = _last_sentence(reading)
    match = ALL_EXCEPT.search(reading.plain, start, stop)
    if match is None or reading.question.type is QuestionType.MCQ or asks_for_false(reading):
        return []
    if not _WHOLE.search(reading.plain, start, match.end()):
        return []
    groups = find_groups(reading.plain, match.end(), stop, reading.labels)
    group = groups[0] if groups else find_leading(reading.plain, match.end(), stop)
    if group is None or reading.plain[match.end() : group.start].strip(" (["):
        return []
    letters = "".join(label for label in reading.labels if label not in group.letters)
    return [of_letters(reading, "excepted", letters, match.start(), group.end)]


def itemised(reading: Reading) -> list[Evidence]:
    """The option that is the match, or the set of statements, with which the text ends."""
    end = len(reading.text.rstrip())
    begin = max(0, end - _TAIL)
    if label := matched_option(reading.text[begin:end], reading.options):
        return [of_letters(reading, "matched", label, begin, end)]
    start, stop = _last_sentence(reading)
    if label := option_of_statements(reading.plain[start:stop], reading.options):
        return [of_letters(reading, "statements", label, start, stop)]
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
        if groups and not reading.plain[start : groups[0].start].strip(" -*•·:.>\n"):
            listed.insert(0, groups[0])
            continue
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
    if len(listed) >= len(reading.labels) and letters == reading.labels:
        return []
    several = reading.question.type is QuestionType.MCQ and len(listed) > 1
    alternative = several or any(group.alternative for group in listed)
    group = LabelGroup(letters, listed[0].start, listed[-1].end, alternative)
    return [of_group(reading, "mentioned", group)]


def _every_option(reading: Reading, spans: list[tuple[int, int]]) -> Evidence | None:
    """Every option, or the one that says so, where the last sentence is like "all of the above"."""
    start, stop = spans[-1] if spans else (0, 0)
    every = EVERY_OPTION.search(reading.plain, start, stop)
    if every is None:
        every = _EVERY_ONE.search(reading.plain, start, stop)
        if every is None or every["noun"].lower() not in reading.question.question.lower():
            return None
    if ALL_EXCEPT.search(reading.plain, start, stop):
        return None
    for label, option in reading.options.items():
        if EVERY_OPTION.match(option.strip()):
            return of_letters(reading, "mentioned", label, every.start(), every.end())
    if reading.question.type is QuestionType.MCQ:
        return None
    return of_letters(reading, "mentioned", reading.labels, every.start(), every.end())


def valued(reading: Reading) -> list[Evidence]:
    """A declared value or wording without a label, where exactly one option has it; for questions
    with several right options, all options that the last sentence words."""
    if not reading.options:
        return []
    places = [(d.start, d.end) for d in declarations(reading)]
    tail = _last_sentence(reading)
    if reading.question.type is QuestionType.MCQ_MULTIPLE:
        named = _named(reading, *(places[-1] if places else tail))
        if named is None and _ANAPHORA.match(reading.text, *tail):
            named = _named(reading, *_last_sentence(reading, before=tail[0]))
        if named:
            return [named]
    found = []
    is_labelled = _LABELLED.match(reading.plain, *tail)
    if not is_labelled and (label := _option_of(reading, *tail, at_end=True)):
        found.append(of_letters(reading, "valued", label, *tail))
    for start, stop in places:
        if label := _option_of(reading, start, stop):
            found.append(of_letters(reading, "valued", label, start, stop))
    return found


def refused(reading: Reading) -> list[Evidence]:
    """The text says that it cannot or will not answer."""
    start = max(0, len(reading.said) - 500)
    match = NO_VALUE.search(reading.said, start) or REFUSAL.search(reading.said, start)
    if match is None:
        return []
    return [Evidence("refused", ExtractStatus.ABSTAINED, None, match.start(), match.end())]


def _last_sentence(reading: Reading, before: int | None = None) -> tuple[int, int]:
    end = len(reading.text.rstrip() if before is None else reading.text[:before].rstrip())
    spans = list(sentences(reading.text, max(0, end - 600), end))
    return spans[-1] if spans else (end, end)


def _named(reading: Reading, start: int, stop: int) -> Evidence | None:
    """The options that a sentence without any denial words."""
    if (
        asks_for_false(reading)
        or _NEGATIVE.search(reading.said, start, stop)
        or _LABELLED.match(reading.plain, start, stop)
    ):
        return None
    named = named_options(reading.text, start, stop, reading.options)
    letters = "".join(sorted({option.label for option in named}))
    if not letters:
        return None
    return of_letters(reading, "named", letters, named[0].start, named[-1].end)


def _is_negative(reading: Reading, group: LabelGroup, start: int, end: int) -> bool:
    verdict = verdict_after(reading.plain, group, end)
    if verdict is not None:
        return verdict.holds is asks_for_false(reading)
    return is_denied(reading, group.end, end) or any(
        words.search(reading.plain, start, group.start) for words in (NOT_BEFORE, _CONSIDERED)
    )


def _option_of(reading: Reading, start: int, end: int, *, at_end: bool = False) -> str | None:
    """`at_end`: the stretch is a whole sentence; what it states last counts first."""
    text = reading.text
    readings = (read_quantity(text, start, end), last_stated(reading.said, start, end))
    quantities = [q for q in readings if q]
    for quantity in quantities[::-1] if at_end else quantities[:1]:
        if not quantity.symbolic and not quantity.several:
            label = option_of_quantity(quantity, reading.options)
            if label:
                return label
    if label := option_of_text(text[start:end], reading.options):
        return label
    named = {option.label for option in named_options(text, start, end, reading.options)}
    return named.pop() if len(named) == 1 else None
