"""Where a response declares its answer: boxes and the wordings of `CUES`.

Declarations come in the order of the text. Only the last `MAX_DECLARATIONS` are looked at, and
each over a bounded stretch, so that the work is linear in the text.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tasks.core.extraction.evidence import Declaration, Reading
from tasks.core.extraction.languages import ANSWER, CHOICE, FILLER, IS, OPTION, RIGHT
from tasks.core.extraction.markup import closing_brace

MAX_DECLARATIONS = 24
MAX_STRETCH = 800
"""Characters from a cue to the end of the answer it declares."""


class Cue(NamedTuple):
    """A wording that announces an answer. It begins with one of `anchors` (found by plain search)
    and goes on as `pattern` says; both are in lower case."""

    name: str
    anchors: tuple[str, ...]
    pattern: re.Pattern[str]


_NOUN = (
    r"(?:answers?|options?|choices?|statements?|alternatives?|responses?|match(?:es|ing|ings)?|combinations?|sets?"
    r"|sequences?|orders?|pairs?|letters?|ones?|relations?|selections?|propositions?|items?|\(s\))(?:\(s\))?(?![a-z])"
)
_ADJECTIVE = r"[a-z]+\s+(?:and\s+[a-z]+\s+)?(?:possible\s+|final\s+|multiple-choice\s+)?"

_RIGHT = (
    "correct right true valid best appropriate suitable accurate proper matching chosen selected"
)
_HEADING = r"(?<![a-z] )(?:correct|right|true)(?=[ \t*_]*:)"
_WRONG = "incorrect false wrong untrue invalid"
CUES: tuple[Cue, ...] = (
    Cue("box", ("\\boxed", "\\fbox"), re.compile(r"\\f?box(?:ed)?")),
    Cue("answer_tag", ("<answer>", "<final_answer>"), re.compile(r"<(?:final_)?answer>")),
    Cue("hashes", ("####",), re.compile(r"####(?!#)")),
    Cue(
        "final_answer",
        ("final",),
        re.compile(
            r"final[ \-_*]{1,3}(?:answers?|results?|choices?|options?|selections?|verdict)(?![a-z])"
        ),
    ),
    Cue("correct_option", tuple(_RIGHT.split()), re.compile(rf"{_ADJECTIVE}{_NOUN}|{_HEADING}")),
    Cue("wrong_option", tuple(_WRONG.split()), re.compile(_ADJECTIVE + _NOUN)),
    Cue("answer", ("answer", "ans"), re.compile(r"ans(?:wers?)?(?![a-z])")),
    Cue(
        "option_is",
        ("option", "choice"),
        re.compile(r"(?:option|choice)s?\s+(?:is|are)(?=[\s:*]+[(\[a-j])"),
    ),
    Cue("answer_foreign", (ANSWER, CHOICE), re.compile(f"[{ANSWER}{CHOICE}]")),
)

_REQUIREMENT = re.compile(
    r"\s+(?:must|should|has|have|needs?|can|could|may|might|will)\s+(?:not\s+)?(?:to\s+)?(?:be\s+)?"
    r"(?:an?|in|between|given|rounded|correct|one|expressed|only|also|non)(?![a-z])"
)
_VERB = re.compile(r"(?<![a-z])(?:to|can|we|could|us|now|will|you|i|should|must|please)\s+$")
_LINK = re.compile(
    r"""
    (?:(?!,?\s(?:and|while|whereas|but)\s(?:the|option|statement|so|it|only)\b
        |,\s(?:we|let)\b)[^.\n:=]){0,160}?
    (?: \b(?: is | are | was | were | becomes | includes? | equals
          | (?:would|will|should|must)\s+be
            (?!\s+(?:an?|in|between|given|rounded|correct|one|expressed)\b)
        )\b (?:\s*/\s*are\b)?
      | [:=] | (?<=\s)-+(?=\s) | → | \\(?:approx|Rightarrow|rightarrow)(?![a-z]) | ≈ )
    """,
    re.VERBOSE,
)
_FOREIGN_LINK = re.compile(
    rf"[\s*_\])]{{0,40}}+(?:\(s\))?(?:(?:[{IS}{FILLER}{OPTION}{RIGHT}:>—]|-(?=\s))[\s*_]*+){{0,6}}"
)
_TIGHT_LINK = re.compile(r"[ \t*_\"']*+(?:\(s\))?[ \t*_]*+(?:[:=>]|-+(?=\s)|\]|$|(?=\n))[ \t*_:]*+")
_INK = re.compile(r"[^\s*_:$#>\-=.{}\\()\[\]]|\\[a-z]{2,}|[(\[]\s*[A-Ja-j0-9]|\.\d")
_SENTENCE_END = re.compile(
    r"\n|。|[.!?](?=[\s*\"']|$)(?<!\bi\.e\.)(?<!\be\.g\.)(?<!\beq\.)(?<!\bno\.)(?<!\bvs\.)(?<!approx\.)"
)
_DISPLAY = {"\\[": "\\]", "$$": "$$"}
_LIST_LINE = re.compile(
    r"[ \t>]*+(?:[-*+•·|]|\d{1,2}[.)])?[ \t|]*+(?:\*\*|__|\$|\\\(|\\text\{"
    r"|\\boxed\{)*\s*+(?:option\s++|statement\s++)?[(\[]?\s*+"
    r"(?:\\(?:mathrm|text|mathbf|textbf)\{\s*+)?[A-J]\s*+\}?\s*+[)\].:\s*+|$]",
    re.IGNORECASE,
)


def declarations(reading: Reading) -> list[Declaration]:
    """The last declarations of the text, in its order."""
    found: list[Declaration] = []
    covered = -1
    for start, cue, match in _cues(reading.lower)[-2 * MAX_DECLARATIONS :]:
        if start < covered:
            continue
        declaration = _declare(reading, cue, match)
        if declaration:
            found.append(declaration)
            covered = match.end()
    return found[-MAX_DECLARATIONS:]


def _cues(lower: str) -> list[tuple[int, Cue, re.Match[str]]]:
    """The last cues of the text by position; of those at one place the longest comes first."""
    found = []
    for cue in CUES:
        for anchor in cue.anchors:
            position = len(lower)
            for _ in range(2 * MAX_DECLARATIONS):
                position = lower.rfind(anchor, 0, position)
                if position < 0:
                    break
                if (
                    anchor[0].isalpha()
                    and anchor.isascii()
                    and lower[position - 1 : position].isalpha()
                ):
                    continue
                match = cue.pattern.match(lower, position)
                if match:
                    found.append((position, cue, match))
    found.sort(key=lambda item: (item[0], -item[2].end()))
    return found


def _declare(reading: Reading, cue: Cue, match: re.Match[str]) -> Declaration | None:
    if cue.name == "box":
        return _box(reading.text, match)
    lower, end = reading.lower, match.end()
    if cue.name in ("answer_tag", "hashes"):
        return _stretch(reading, cue.name, match, end)
    if cue.name == "option_is":
        return _stretch(reading, cue.name, match, end)
    if cue.name == "answer_foreign":
        link = _FOREIGN_LINK.match(lower, end)
    elif _REQUIREMENT.match(lower, end) or (
        cue.name == "answer" and _VERB.search(lower, max(0, match.start() - 12), match.start())
    ):
        return None
    else:
        limit = min(len(lower), end + 200)
        link = _TIGHT_LINK.match(lower, end, limit) or _LINK.match(lower, end, limit)
    return _stretch(reading, cue.name, match, link.end()) if link else None


def _box(text: str, cue: re.Match[str]) -> Declaration | None:
    opening = cue.end()
    while opening < len(text) and text[opening] == " " and opening < cue.end() + 4:
        opening += 1
    if opening < len(text) and text[opening] == "{":
        closing = closing_brace(text, opening, min(len(text), opening + MAX_STRETCH))
        if closing < 0:
            return None
        return Declaration("box", cue.start(), opening + 1, closing, boxed=True)
    if opening < len(text) and text[opening].isalnum():
        return Declaration("box", cue.start(), opening, opening + 1, boxed=True)
    return None


def _stretch(reading: Reading, name: str, cue: re.Match[str], start: int) -> Declaration | None:
    """The rest of the sentence; where that is empty, the lines that follow."""
    text = reading.text
    limit = min(len(text), start + MAX_STRETCH)
    end = sentence_end(text, start, limit)
    if _INK.search(text, start, end):
        after = text[start:end].rstrip(" *_$")
        if after.endswith(":"):
            listed_end = _list_end(text, end, limit)
            if listed_end > end:
                return Declaration(name, cue.start(), end, listed_end, listed=True)
        return Declaration(name, cue.start(), start, end)
    ink = _INK.search(text, end, limit)
    if ink is None:
        return None
    line = text.rfind("\n", 0, ink.start()) + 1
    line = max(line, end)
    if _LIST_LINE.match(text, line, limit):
        return Declaration(name, cue.start(), line, _list_end(text, line, limit), listed=True)
    return Declaration(name, cue.start(), line, sentence_end(text, ink.start(), limit))


def sentence_end(text: str, start: int, limit: int) -> int:
    """Offset where the sentence (or the displayed formula) at `start` ends, at most `limit`."""
    lead = start
    while lead < limit and text[lead] in " \n*:":
        lead += 1
    closing = _DISPLAY.get(text[lead : lead + 2])
    if closing:
        closed = text.find(closing, lead + 2, limit)
        if closed >= 0:
            return closed
    match = _SENTENCE_END.search(text, start, limit)
    return match.start() if match else limit


def _list_end(text: str, start: int, limit: int) -> int:
    """End of the run of lines that begin with a label, blank lines between them allowed."""
    end = start
    position = start
    while position < limit:
        line_end = text.find("\n", position, limit)
        if line_end < 0:
            line_end = limit
        if text[position:line_end].strip():
            if not _LIST_LINE.match(text, position, line_end + 1):
                break
            end = line_end
        position = line_end + 1
    return end


def sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """(start, end) of sentences and lines of [`start`, `end`), in order, without blank ones."""
    position = start
    for match in _SENTENCE_END.finditer(text, start, end):
        if text[position : match.start()].strip():
            yield position, match.start()
        position = match.end()
    if text[position:end].strip():
        yield position, end
