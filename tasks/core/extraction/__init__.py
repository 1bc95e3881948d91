"""What a response answers, read by rules alone: no gold, no network, no randomness.

The rules of `CHOICE_RULES` and `VALUE_RULES` are asked in order; the first that finds evidence
decides, and within it the last place in the text holds: a later declaration replaces an earlier
one. What a model thinks (`<think>`) is never evidence. Time is linear in the length of the text,
and a normal form is read as itself: `extract(answer) == answer`.

A truncated text answers only what it declared in full before the cut (a closed box, a finished
sentence); otherwise its status is `TRUNCATED` and nothing is read from it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from tasks.core.extraction import choices, values
from tasks.core.extraction.characters import fold
from tasks.core.extraction.evidence import Evidence, Reading
from tasks.core.extraction.languages import decimal_points, languages_of, translate
from tasks.core.extraction.markup import blank_markup
from tasks.core.extraction.thinking import blank_thinking
from tasks.core.questions.options import parse_options
from tasks.core.types import Candidate, Extract, ExtractStatus, Question, QuestionType

EXTRACTOR = "rules-2"
"""Name of this version of the rules; stored with every extract."""

_MAX_CANDIDATES = 8


@dataclass(frozen=True, slots=True)
class Rule:
    """`find` gives evidence in text order. `certain`: it may be believed in a truncated text."""

    find: Callable[[Reading], list[Evidence]]
    certain: bool = False


CHOICE_RULES: tuple[Rule, ...] = (
    Rule(choices.whole_text),
    Rule(choices.declared, certain=True),
    Rule(choices.last_line),
    Rule(choices.judged),
    Rule(choices.mentioned),
    Rule(choices.valued),
    Rule(choices.refused),
)

VALUE_RULES: tuple[Rule, ...] = (
    Rule(values.whole_text),
    Rule(values.declared, certain=True),
    Rule(values.concluded),
    Rule(values.refused),
)


def extract(text: str, question: Question, *, truncated: bool = False) -> Extract:
    """The answer that `text` gives to `question`, in normal form (see `Extract`).

    `truncated`: generation stopped at a token limit. Questions of type `Open` have no answer to
    extract: their status is `UNPARSED`.
    """
    reading = _prepare(text, question, truncated)
    evidence = [] if question.type is QuestionType.OPEN else _weigh(reading)
    if not evidence:
        status = ExtractStatus.TRUNCATED if truncated else ExtractStatus.UNPARSED
        return Extract(None, status, "none")
    best, *others = evidence
    candidates = _candidates(best, others, question)
    if truncated and best.status is not ExtractStatus.ANSWERED:
        return Extract(None, ExtractStatus.TRUNCATED, best.rule, candidates=candidates)
    return Extract(best.answer, best.status, best.rule, best.start, best.end, candidates)


_options_of = lru_cache(maxsize=4096)(parse_options)


def _is_lettered(question: Question) -> bool:
    return question.type in (QuestionType.MCQ, QuestionType.MCQ_MULTIPLE)


def _prepare(text: str, question: Question, truncated: bool) -> Reading:
    lettered = _is_lettered(question)
    folded = blank_thinking(fold(text))
    languages = languages_of(folded.lower())
    folded = decimal_points(folded, languages)
    said = translate(folded, languages)
    return Reading(
        text=folded,
        said=said,
        lower=said.lower(),
        plain=blank_markup(said) if lettered else said,
        question=question,
        options=(question.options or _options_of(question.question)) if lettered else {},
        truncated=truncated,
    )


def _weigh(reading: Reading) -> list[Evidence]:
    """Evidence of the first rule that finds any, best first."""
    for rule in CHOICE_RULES if _is_lettered(reading.question) else VALUE_RULES:
        if reading.truncated and not rule.certain:
            continue
        found = rule.find(reading)
        if reading.truncated:
            found = [evidence for evidence in found if _is_complete(reading, evidence)]
        if found:
            return found[::-1]
    return []


def _is_complete(reading: Reading, evidence: Evidence) -> bool:
    """Whether more of the text follows what was read, so that it cannot have been cut."""
    return bool(reading.text[evidence.end :].strip(" \n*$"))


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
