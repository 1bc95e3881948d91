r"""Rules that read an answer that is a closed form: `\frac{x^{2}}{2}+C`, `2\sqrt{3}\,a`, `12`.

A form that has a value is answered as that number, any other in the spelling of
`answer_keys.read_expression`; what stands before the last `=` names it and is left out.
"""

import re

from tasks.core.extraction.abstentions import DECLARED_NONE, NO_VALUE
from tasks.core.extraction.declarations import declarations, sentences
from tasks.core.extraction.evidence import Declaration, Evidence, Reading
from tasks.core.extraction.languages import languages_of
from tasks.core.extraction.quantities import read_quantity
from tasks.core.extraction.retractions import is_questioned, is_retracted
from tasks.core.questions.answer_keys import read_expression
from tasks.core.types import ExtractStatus

_MAX_LENGTH = 300
_TAIL = 600
_MATHS = re.compile(r"\$\$?(?P<dollar>[^$]{1,300})\$|\\[(\[](?P<paren>[^$]{1,300}?)\\[)\]]")
_PROSE = re.compile(r"(?<![A-Za-z\\{])[A-Za-z]{3,}")
_FUNCTION = re.compile(
    r"(?:arc)?(?:sin|cos|tan|cot|sec|csc)h?|log|ln|exp|sqrt|pi|det|max|min|lim|gcd|mod"
)
_RELATION = re.compile(r"(?<![<>!\\])=|≈|\\approx(?![A-Za-z])")
_SEVERAL = re.compile(r"\\text\{\s*(?:or|and)\s*\}|\bor\b|;|\\pm(?![A-Za-z])|±")
_NOT_ALONE = re.compile(r"[\n$]|\\f?box")
_EDGE = " \t\n$*.,;:"


def whole_text(reading: Reading) -> list[Evidence]:
    """The response is nothing but one closed form."""
    stripped = reading.text.strip(_EDGE)
    if not 0 < len(stripped) <= _MAX_LENGTH or _NOT_ALONE.search(stripped) or _is_prose(stripped):
        return []
    start = reading.text.index(stripped)
    found = _form(reading, "whole_text", start, start + len(stripped))
    return [found] if found else []


def declared(reading: Reading) -> list[Evidence]:
    """Closed forms in boxes and after wordings such as "the final answer is"."""
    found = declarations(reading)
    boxes = [declaration for declaration in found if declaration.boxed]
    return [
        evidence
        for declaration in found
        if declaration.boxed
        or not any(declaration.start <= box.cue_start < declaration.end for box in boxes)
        if (evidence := _read(reading, declaration))
    ]


def concluded(reading: Reading) -> list[Evidence]:
    """The last formula of the last sentence, if it is an equation, or all the maths there is."""
    end = len(reading.text.rstrip())
    spans = list(sentences(reading.text, max(0, end - _TAIL), end))[-1:]
    for start, stop in spans:
        if none := NO_VALUE.search(reading.said, start, stop):
            return [Evidence("concluded:none", ExtractStatus.ABSTAINED, None, none.start(), stop)]
        formulas = list(_MATHS.finditer(reading.text, start, min(len(reading.text), stop + 2)))
        if formulas and (len(formulas) == 1 or _RELATION.search(formulas[-1].group())):
            group = formulas[-1].lastgroup or 0
            found = _form(reading, "concluded", *formulas[-1].span(group))
            return [found] if found else []
    return []


def _read(reading: Reading, declaration: Declaration) -> Evidence | None:
    start, end = declaration.start, declaration.end
    if is_questioned(reading.said, end):
        return None
    rule = f"declared:{declaration.cue}"
    none = DECLARED_NONE.match(reading.said, start, end) or NO_VALUE.search(
        reading.said, start, end
    )
    if none:
        return Evidence(rule, ExtractStatus.ABSTAINED, None, none.start(), none.end())
    if not declaration.boxed:
        formula = _MATHS.search(reading.text, start, min(len(reading.text), end + 2))
        if formula:
            start, end = formula.span(formula.lastgroup or 0)
        elif _is_prose(reading.text[start:end]):
            return None
    found = _form(reading, rule, start, end)
    if found and found.answer and is_retracted(reading, declaration.end):
        return Evidence(rule, ExtractStatus.AMBIGUOUS, None, start, end)
    return found


def _form(reading: Reading, rule: str, start: int, end: int) -> Evidence | None:
    text = reading.text
    relations = list(_RELATION.finditer(text, start, min(end, start + _MAX_LENGTH)))
    begin = relations[-1].end() if relations else start
    written = text[begin:end].strip(_EDGE)
    if not written or len(written) > _MAX_LENGTH:
        return None
    begin = text.index(written, begin)
    stop = begin + len(written)
    if _SEVERAL.search(text, start, end):
        return Evidence(rule, ExtractStatus.AMBIGUOUS, None, begin, stop)
    answer = _normal_form(written)
    if answer is None or not _stands_alone(answer) or _normal_form(answer) != answer:
        return Evidence(rule, ExtractStatus.UNPARSED, None, begin, stop)
    return Evidence(rule, ExtractStatus.ANSWERED, answer, begin, stop)


def _normal_form(written: str) -> str | None:
    """The number where the form has a value, else its normal spelling; None for neither."""
    quantity = read_quantity(written, 0, len(written))
    if quantity and quantity.several:
        return None
    if quantity and not quantity.symbolic and not written[quantity.end :].strip(_EDGE + "}\\)"):
        return quantity.answer
    if _is_prose(written) or not re.search(r"[A-Za-z0-9]", written):
        return None
    expression = read_expression(written)
    return expression.text if expression else None


def _stands_alone(text: str) -> bool:
    """Whether a text could be a whole response: one closed form without a box around it."""
    return (
        0 < len(text) <= _MAX_LENGTH
        and not _NOT_ALONE.search(text)
        and not _RELATION.search(text)
        and not _SEVERAL.search(text)
        and text == text.strip(_EDGE)
        and not languages_of(text.lower())
        and text.count("{") == text.count("}")
    )


def _is_prose(text: str) -> bool:
    """Whether a text has words that are neither LaTeX commands nor names of functions."""
    return any(not _FUNCTION.fullmatch(word.group()) for word in _PROSE.finditer(text))
