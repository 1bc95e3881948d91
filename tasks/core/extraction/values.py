"""Rules that read the answer to a question whose answer is a number. Evidence in text order."""

import re
from dataclasses import replace
from decimal import Decimal

from tasks.core.extraction.abstentions import DECLARED_NONE, NO_VALUE, REFUSAL
from tasks.core.extraction.declarations import declarations, sentences
from tasks.core.extraction.evidence import Declaration, Evidence, Reading
from tasks.core.extraction.numerals import normal_form
from tasks.core.extraction.polarity import UNDECIDED
from tasks.core.extraction.quantities import (
    Quantity,
    blank_asides,
    bound_stated,
    last_stated,
    read_quantity,
    skip_filler,
    standalone,
)
from tasks.core.extraction.retractions import is_questioned, is_retracted
from tasks.core.types import ExtractStatus

_TAIL = 1600
_MAX_SENTENCES = 8
_RELATION_NEXT = re.compile(
    r"(?>[\s$~,}]|\\[,;:!)\] (\[]|\\(?:text|mathrm)\s*\{[^{}]{0,40}\}|\^\s*\{?\\circ\}?"
    r"|\^\s*\{?-?\d+\}?"
    r"|[A-Za-zΩμ°%/·]{1,12}+(?![A-Za-z])|\\q?quad(?![a-z])){0,40}+"
    r"(?:=|≈|\\approx(?![A-Za-z])|\\simeq(?![A-Za-z]))"
)
_VALUE_OF = re.compile(
    r"\bvalue\s+of[$\s|]*(?:\\(?:mathbf|mathrm|boldsymbol|bm)\s*\{\s*)?(\\?[A-Za-z]+)\s*\}?[$\s|,]*"
    r"(?=[.?:=]|is\b|in\b|to\b|equals\b|\(|$)"
)
_UNIT_POWER = re.compile(r"\^\s*\{?\s*-?\d+\s*\}?|(?<=[A-Za-z])-?\d")
_ASKED_POWER = re.compile(
    r"(?<![\d.A-Za-z\\])(?:\\(?:mathbf|mathrm|boldsymbol)\s*\{\s*)?\|?[A-Za-z]\|?\s*\}?\$?\s*(?:\$?\\times|×)\s*10\s*\^\s*\{?\s*(-?\d+)"
)
_SCALED = re.compile(
    r"(-?\d+(?:\.\d+)?)\s*(?:\\times|\\cdot|×|\*)\s*10\s*\^\s*[{(]?\s*(-?\d+)\s*[})]?"
)
_HYPOTHESIS = re.compile(
    r"^\W*(?:if|for|had|were|with|without|in\s+case|as\s+a\s+check)\b[^.]*\b(?:would|it'd|one'd|we'd)\b",
    re.IGNORECASE,
)
_CONSEQUENCE = re.compile(
    r"\b(?:this|that|which|it)\s+(?:gives|yields|corresponds|means|implies|amounts|is\s+equivalent|leads)\b",
    re.IGNORECASE,
)
_NOT_INK = re.compile(r"[\s$\\{}(),.;:?~*]|left|right|mathrm|mathbf")
_MIN_RESTATED = 24
_CONTENT = re.compile(r"[a-z]{4,}")
_EMPTY = frozenset(
    [
        "which",
        "value",
        "given",
        "there",
        "their",
        "where",
        "number",
        "mathrm",
        "following",
        "this",
        "that",
        "with",
        "from",
        "have",
        "what",
        "when",
    ]
)
_CONCLUSION = re.compile(r"\b(?:so|thus|therefore|hence|finally|consequently)\b", re.IGNORECASE)


def whole_text(reading: Reading) -> list[Evidence]:
    """The response is nothing but a number, possibly with its unit or a name before `=`."""
    stripped = reading.said.strip()
    if not 0 < len(stripped) <= 120 or "\n" in stripped:
        return []
    start = reading.said.index(stripped[0])
    end = start + len(stripped)
    quantity = read_quantity(reading.said, start, end)
    if quantity is None or quantity.symbolic:
        return []
    rest = _UNIT_POWER.sub("", reading.said[quantity.end : end])
    if len(rest.split()) > 3 or (re.search(r"\d", rest) and not quantity.several):
        return []
    return [_of_quantity("whole_text", quantity)]


def declared(reading: Reading) -> list[Evidence]:
    """Numbers in boxes and after wordings such as "the final answer is"."""
    found: list[Evidence] = [
        evidence
        for declaration in _outermost(declarations(reading))
        if (evidence := _read(reading, declaration))
    ]
    found = [_in_power_asked(reading, evidence) for evidence in found]
    if found:
        found += _no_value(reading, found[-1].end)
    return found


def concluded(reading: Reading) -> list[Evidence]:
    """The number that one of the last sentences states; where the last line is a formula without
    a value there is none."""
    end = len(reading.said.rstrip())
    begin = max(0, end - _TAIL)
    text = reading.said[:begin] + blank_asides(reading.said[begin:])
    question = _squeezed(reading.question.question)
    spans = [
        (start, stop)
        for start, stop in list(sentences(text, begin, end))[-_MAX_SENTENCES:]
        if not _is_part_of(reading.text[start:stop], question)
    ]
    if asked := _asked_value(text, spans, reading.question.question):
        return [asked]
    spans = _without_consequences(text, spans, reading.question.question)
    for index, (start, stop) in enumerate(reversed(spans)):
        if undecided := UNDECIDED.search(text, start, stop):
            return [Evidence("undecided", ExtractStatus.AMBIGUOUS, None, undecided.start(), stop)]
        if NO_VALUE.search(text, start, stop):
            return [Evidence("concluded:none", ExtractStatus.ABSTAINED, None, start, stop)]
        quantity = last_stated(text, start, stop)
        if quantity is not None and quantity.symbolic:
            if index == 0:
                return [_of_quantity("concluded", quantity)]
            continue
        if quantity is not None:
            return [_of_quantity("concluded", quantity)]
        if index == 0 and (unread := _formula_without_value(text, start, stop)):
            return [unread]
        numbers = list(standalone(text, start, stop))
        if numbers and (index == 0 or _CONCLUSION.search(text, start, stop)):
            return [_of_quantity("concluded:last_number", numbers[-1])]
    return []


def _without_consequences(
    text: str, spans: list[tuple[int, int]], question: str
) -> list[tuple[int, int]]:
    """The sentences without hypotheses at the end ("for NaCl it would be …"), and without what
    follows from the answer but was not asked for ("this gives a moment of …")."""
    kept = list(spans)
    asked = _content(question)
    while len(kept) > 1:
        sentence = text[kept[-1][0] : kept[-1][1]]
        if _HYPOTHESIS.search(sentence):
            kept.pop()
            continue
        earlier = text[kept[-2][0] : kept[-2][1]]
        follows = _CONSEQUENCE.search(sentence) and not asked & _content(sentence)
        if not (follows and asked & _content(earlier) and last_stated(text, *kept[-2])):
            break
        kept.pop()
    return kept


def _is_part_of(sentence: str, question: str) -> bool:
    """Whether a sentence restates the question (which is given squeezed)."""
    said = _squeezed(sentence)
    return len(said) >= _MIN_RESTATED and said in question


def _squeezed(text: str) -> str:
    return _NOT_INK.sub("", text)


def _content(text: str) -> set[str]:
    """The words of a text that carry meaning."""
    return {word for word in _CONTENT.findall(text.lower()) if word not in _EMPTY}


def refused(reading: Reading) -> list[Evidence]:
    """The text says that it cannot or will not answer."""
    match = REFUSAL.search(reading.said, max(0, len(reading.said) - 500))
    if match is None:
        return []
    return [Evidence("refused", ExtractStatus.ABSTAINED, None, match.start(), match.end())]


def _in_power_asked(reading: Reading, evidence: Evidence) -> Evidence:
    """Where the question asks for x in "x × 10⁻²", an answer written as `2.4 × 10^{-2}` is 2.4;
    the whole product is kept as the second reading."""
    scaled = _SCALED.fullmatch(reading.said, evidence.start, evidence.end)
    if evidence.answer is None or scaled is None:
        return evidence
    exponents = {int(exponent) for exponent in _ASKED_POWER.findall(reading.question.question)}
    if exponents != {int(scaled[2])} or not _VALUE_OF.search(reading.question.question):
        return evidence
    return replace(evidence, answer=normal_form(Decimal(scaled[1])), second=evidence.answer)


def _asked_value(text: str, spans: list[tuple[int, int]], question: str) -> Evidence | None:
    """What the last "the value of Y is …" says, where Y is what the question asks for."""
    asked = _VALUE_OF.findall(question)
    if not asked:
        return None
    for start, stop in reversed(spans):
        place = _VALUE_OF.search(text, start, stop)
        if place and place[1] == asked[-1]:
            quantity = last_stated(text, place.end(1), stop)
            return _of_quantity("concluded:asked", quantity) if quantity else None
    return None


def _outermost(found: list[Declaration]) -> list[Declaration]:
    """Without declarations whose answer is a box that is declared on its own."""
    boxes = [d for d in found if d.boxed]
    return [
        d for d in found if d.boxed or not any(d.start <= box.cue_start < d.end for box in boxes)
    ]


def _read(reading: Reading, declaration: Declaration) -> Evidence | None:
    text, start, end = reading.said, declaration.start, declaration.end
    if is_questioned(text, end):
        return None
    rule = f"declared:{declaration.cue}"
    if none := DECLARED_NONE.match(text, start, end):
        return Evidence(rule, ExtractStatus.ABSTAINED, None, none.start(), none.end())
    evidence = (
        _read_box(reading, rule, declaration)
        if declaration.boxed
        else _read_sentence(text, rule, start, end)
    )
    if evidence and evidence.status is ExtractStatus.ANSWERED and is_retracted(reading, end):
        return Evidence(rule, ExtractStatus.AMBIGUOUS, None, evidence.start, evidence.end)
    return evidence


def _read_box(reading: Reading, rule: str, box: Declaration) -> Evidence:
    text = reading.said
    quantity = read_quantity(text, box.start, box.end)
    if quantity is None or quantity.symbolic or "=" in text[quantity.end : box.end]:
        quantity = last_stated(text, box.start, box.end) or quantity
    if quantity is None:
        return Evidence(rule, ExtractStatus.UNPARSED, None, box.start, box.end)
    evidence = _of_quantity(rule, quantity)
    before = text[max(0, box.cue_start - 12) : box.cue_start].rstrip(" $")
    if (
        evidence.answer
        and before.endswith("-")
        and not before[:-1].rstrip(" $").endswith(tuple("0123456789)}"))
    ):
        negative = quantity.number.copy_negate()
        signed = Quantity(negative, quantity.exact, box.cue_start - 1, quantity.end)
        return _of_quantity(rule, signed)
    return evidence


def _read_sentence(text: str, rule: str, start: int, end: int) -> Evidence | None:
    visible = text[:start] + blank_asides(text[start:end])
    begin = skip_filler(visible, start, end)
    quantity = read_quantity(visible, begin, end)
    if quantity and not quantity.symbolic and not _RELATION_NEXT.match(visible, quantity.end, end):
        return _of_quantity(rule, quantity)
    stated = last_stated(visible, start, end)
    if stated is not None and not stated.symbolic:
        return _of_quantity(rule, stated)
    if quantity and not quantity.symbolic:
        return _of_quantity(rule, quantity)
    if none := NO_VALUE.search(visible, start, end):
        return Evidence(rule, ExtractStatus.ABSTAINED, None, none.start(), none.end())
    numbers = list(standalone(visible, begin, end))
    readable = [number for number in numbers if not number.symbolic]
    if quantity is None and stated is None and readable and not _is_formula(visible[begin:end]):
        return _of_quantity(rule, readable[-1])
    if bound := bound_stated(visible, begin, end):
        return _of_quantity(rule, bound)
    if quantity or stated or _is_formula(visible[begin:end]):
        return Evidence(rule, ExtractStatus.UNPARSED, None, begin, end)
    return None


def _is_formula(text: str) -> bool:
    """Whether a stretch is maths rather than prose."""
    lead = text.lstrip(" \n*:")
    return lead.startswith(("$", "\\", "{")) or bool(re.match(r"[A-Za-z]\w{0,2}\s*[=^_]", lead))


def _formula_without_value(text: str, start: int, end: int) -> Evidence | None:
    if "=" in text[start:end] and _is_formula(text[start:end]):
        return Evidence("concluded", ExtractStatus.UNPARSED, None, start, end)
    return None


def _no_value(reading: Reading, start: int) -> list[Evidence]:
    """A statement after the last declaration that there is no answer."""
    match = NO_VALUE.search(reading.said, max(start, len(reading.said) - 500))
    if match is None or last_stated(reading.said, match.end(), len(reading.said)):
        return []
    return [Evidence("declared:none", ExtractStatus.ABSTAINED, None, match.start(), match.end())]


def _of_quantity(rule: str, quantity: Quantity) -> Evidence:
    if quantity.symbolic:
        return Evidence(rule, ExtractStatus.UNPARSED, None, quantity.start, quantity.end)
    if quantity.several:
        return Evidence(rule, ExtractStatus.AMBIGUOUS, None, quantity.start, quantity.end)
    return Evidence(
        rule,
        ExtractStatus.ANSWERED,
        quantity.answer,
        quantity.start,
        quantity.end,
        quantity.fraction,
        quantity.percent,
    )
