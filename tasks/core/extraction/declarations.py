"""Where a response declares its answer: boxes and the wordings of `CUES`.

Declarations come in the order of the text. Only the last `MAX_DECLARATIONS` are looked at, and
each over a bounded stretch, so that the work is linear in the text.
"""

import re
from collections.abc import Iterator

from tasks.core.extraction.evidence import Declaration, Reading
from tasks.core.extraction.markup import closing_brace

MAX_DECLARATIONS = 24
MAX_STRETCH = 800
"""Characters from a cue to the end of the answer it declares."""

CUES: tuple[tuple[str, str], ...] = (
    ("box", r"\\boxed|\\fbox"),
    ("answer_tag", r"<(?:final_)?answer>|\[answer\](?=\s*\S)"),
    ("final_answer", r"\bfinal[ \-_*]{1,3}(?:answers?|results?|choices?|options?|selections?|verdict)\b"),
    ("hashes", r"####(?!#)"),
    (
        "correct_option",
        r"\b(?:correct|right|true|valid|best|appropriate|suitable|accurate|proper|matching|chosen|selected)\s+"
        r"(?:and\s+\w+\s+)?(?:answers?|options?|choices?|statements?|alternatives?|responses?|match(?:es|ing|ings)?"
        r"|combinations?|sets?|sequences?|orders?|pairs?|letters?|ones?|relations?|selections?|\(s\))(?:\(s\))?",
    ),
    ("answer", r"\b(?:answers?|ans)\b"),
    (
        "answer_foreign",
        r"उत्तर|सही विकल्प|答案|正确选项|正确的选项|应选|故选|الإجابة|الجواب|الاجابة|الخيار الصحيح|الخيارات الصحيحة"
        r"|\brespuestas?\b|\bréponses?\b|\bantwort(?:en)?\b|\brisposte?\b|\brespostas?\b|\bответ\b|正解|答え|정답",
    ),
)
_CUE = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in CUES))

_LINK = re.compile(
    r"""[^.\n:=]{0,160}? (?: \b(?:is|are|was|were|(?:would|will|should|must)\s+be(?!\s+(?:an?|in|between|given|rounded|correct|one|expressed)\b)|becomes|includes?|equals)\b(?:\s*/\s*are\b)?
        | [:=] | (?<=\s)-+(?=\s) | → | \\(?:approx|Rightarrow|rightarrow)(?![a-z]) | ≈ )""",
    re.VERBOSE,
)
_FOREIGN_LINK = re.compile(r"[\s*_(s)]{0,6}(?:是|为|为|होगा|है|هو|هي|es\b|son\b|est\b|ist\b|sono\b|é\b|は|:|-)?[\s*:]*")
_TIGHT_LINK = re.compile(r"[\s*_]*(?:\(s\))?[\s*_]*(?:[:=>]|-+(?=\s)|\]|$|\n)[\s*_:]*")
_INK = re.compile(r"[^\s*_:$#>\-=.{}\\()\[\]]|\\[a-z]{2,}|[(\[]\s*[A-Ja-j0-9]|\.\d")
_SENTENCE_END = re.compile(r"(?<!\bi\.e)(?<!\be\.g)(?<!\beq)(?<!\bno)(?<!\bvs)(?<!\bapprox)[.!?](?=[\s*\"']|$)|\n|。")
_DISPLAY = {"\\[": "\\]", "$$": "$$"}
_LIST_LINE = re.compile(
    r"[ \t>]*(?:[-*+•·|]|\d{1,2}[.)])?[ \t|]*(?:\*\*|__|\$|\\\(|\\text\{|\\boxed\{)*\s*(?:option\s+|statement\s+)?[(\[]?\s*"
    r"(?:\\(?:mathrm|text|mathbf|textbf)\{\s*)?[A-J]\s*\}?\s*[)\].:\s*|$]",
    re.IGNORECASE,
)


def declarations(reading: Reading) -> list[Declaration]:
    """The last declarations of the text, in its order."""
    matches: list[re.Match[str]] = []
    for match in _CUE.finditer(reading.lower):
        matches.append(match)
        if len(matches) > 8 * MAX_DECLARATIONS:
            del matches[: 4 * MAX_DECLARATIONS]
    found = (_declare(reading, match) for match in matches[-2 * MAX_DECLARATIONS :])
    return [declaration for declaration in found if declaration][-MAX_DECLARATIONS:]


def _declare(reading: Reading, cue: re.Match[str]) -> Declaration | None:
    name = cue.lastgroup or ""
    if name == "box":
        return _box(reading.text, cue)
    end_of_text = len(reading.text)
    if name in ("answer_tag", "hashes"):
        return _stretch(reading, name, cue, cue.end())
    if name == "answer_foreign":
        link = _FOREIGN_LINK.match(reading.lower, cue.end(), end_of_text)
    else:
        limit = min(end_of_text, cue.end() + 200)
        link = _TIGHT_LINK.match(reading.lower, cue.end(), limit) or _LINK.match(
            reading.lower, cue.end(), limit
        )
    return _stretch(reading, name, cue, link.end()) if link else None


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
