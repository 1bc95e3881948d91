"""What a response answers, read by rules alone: no gold, no network, no randomness.

The rules of `CHOICE_RULES`, `VALUE_RULES` and `EXPRESSION_RULES` are asked in order; the first
that finds evidence decides, and within it the last place in the text holds: a later declaration
replaces an earlier one. What a model thinks (`<think>`) is never evidence. Time is linear in the
length of the text,
and a normal form is read as itself: `extract(answer) == answer`.

A truncated text answers only what it declared in full before the cut (a closed box, a finished
sentence); otherwise its status is `TRUNCATED` and nothing is read from it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from tasks.core.extraction import choices, expressions, mentions, values
from tasks.core.extraction.asides import answer_end
from tasks.core.extraction.characters import fold
from tasks.core.extraction.evidence import Evidence, Reading
from tasks.core.extraction.languages import decimal_points, languages_of, translate
from tasks.core.extraction.markup import blank_markup
from tasks.core.extraction.numbering import lettered as with_letters
from tasks.core.extraction.thinking import blank_thinking
from tasks.core.questions.options import parse_options
from tasks.core.types import Candidate, Extract, ExtractStatus, Question, QuestionType

EXTRACTOR = "rules-2"
"""Name of this version of the rules; stored with every extract."""

_MAX_CANDIDATES = 8
_NEXT_STEP = re.compile(
    r"(?<![A-Za-z])(?:next|now|for\s+the\s+(?:second|other|next|remaining)|similarly|secondly"
    r"|it\s+remains|we\s+still|step\s+\d)(?![A-Za-z])"
    r"(?!\s+(?:let\s+me\s+)?(?:check|verify|confirm))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Rule:
    """`find` gives evidence in text order. `certain`: it may be believed in a truncated text."""

    find: Callable[[Reading], list[Evidence]]
    certain: bool = False


CHOICE_RULES: tuple[Rule, ...] = (
    Rule(choices.whole_text),
    Rule(choices.declared, certain=True),
    Rule(choices.last_line),
    Rule(mentions.undecided),
    Rule(mentions.restated),
    Rule(mentions.itemised),
    Rule(mentions.excepted),
    Rule(choices.judged),
    Rule(mentions.mentioned),
    Rule(mentions.valued),
    Rule(mentions.refused),
)

VALUE_RULES: tuple[Rule, ...] = (
    Rule(values.whole_text),
    Rule(values.declared, certain=True),
    Rule(values.concluded),
    Rule(values.refused),
)


EXPRESSION_RULES: tuple[Rule, ...] = (
    Rule(expressions.whole_text),
    Rule(expressions.declared, certain=True),
    Rule(expressions.concluded),
    Rule(values.refused),
)


def extract(text: str, question: Question, *, truncated: bool = False) -> Extract:
    """The answer that `text` gives to `question`, in normal form (see `Extract`).

    `truncated`: generation stopped at a token limit. Questions of type `Open` have no answer to
    extract: their status is `UNPARSED`.
    """
    evidence = [] if question.type is QuestionType.OPEN else _evidence(text, question, truncated)
    if not evidence:
        status = ExtractStatus.TRUNCATED if truncated else ExtractStatus.UNPARSED
        return Extract(None, status, "none")
    best, *others = evidence
    candidates = _candidates(best, others, question)
    if truncated and best.status is not ExtractStatus.ANSWERED:
        return Extract(None, ExtractStatus.TRUNCATED, best.rule, candidates=candidates)
    return Extract(best.answer, best.status, best.rule, best.start, best.end, candidates)


def _evidence(text: str, question: Question, truncated: bool) -> list[Evidence]:
    """Evidence of the part of the text that answers; if that answers nothing, of all of it."""
    visible = blank_thinking(fold(text))
    end = answer_end(visible)
    if end < len(visible):
        evidence = _weigh(_prepare(visible[:end], question, truncated=False))
        if evidence and evidence[0].status is ExtractStatus.ANSWERED:
            return evidence
    return _weigh(_prepare(visible, question, truncated))


_options_of = lru_cache(maxsize=4096)(parse_options)


def _is_lettered(question: Question) -> bool:
    return question.type in (QuestionType.MCQ, QuestionType.MCQ_MULTIPLE)


def _rules_of(question: Question) -> tuple[Rule, ...]:
    if _is_lettered(question):
        return CHOICE_RULES
    return EXPRESSION_RULES if question.type is QuestionType.EXPRESSION else VALUE_RULES


def _prepare(visible: str, question: Question, truncated: bool) -> Reading:
    lettered = _is_lettered(question)
    options = (question.options or _options_of(question.question)) if lettered else {}
    languages = languages_of(visible.lower())
    pointed = decimal_points(visible, languages)
    said = translate(pointed, languages)
    plain = with_letters(blank_markup(said), question.question, options) if lettered else said
    return Reading(pointed, said, said.lower(), plain, question, options, truncated)


def _weigh(reading: Reading) -> list[Evidence]:
    """Evidence of the first rule that finds any, best first."""
    for rule in _rules_of(reading.question):
        if reading.truncated and not rule.certain:
            continue
        found = rule.find(reading)
        if reading.truncated:
            found = [evidence for evidence in found if _is_complete(reading, evidence)]
        if found:
            return found[::-1]
    return []


def _is_complete(reading: Reading, evidence: Evidence) -> bool:
    """Whether more of the text follows, no further step though, so that nothing was cut."""
    rest = reading.text[evidence.end :]
    return bool(rest.strip(" \n*$")) and not _NEXT_STEP.search(rest[:160])


def _candidates(
    best: Evidence, others: list[Evidence], question: Question
) -> tuple[Candidate, ...]:
    found: dict[str, Candidate] = {}
    if best.second and not (best.percent and "percent" in question.question.lower()):
        found[best.second] = Candidate(best.second, "second_reading", best.start, best.end)
    for evidence in others:
        if evidence.answer and evidence.answer != best.answer:
            found.setdefault(
                evidence.answer,
                Candidate(evidence.answer, evidence.rule, evidence.start, evidence.end),
            )
    return tuple(found.values())[:_MAX_CANDIDATES]
