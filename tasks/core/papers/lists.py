"""Prose, and lists that are matched: List-I and List-II stand side by side and are read in turn."""

import re
from collections.abc import Sequence, Set
from typing import NamedTuple

from tasks.core.pages.prose import Span
from tasks.core.papers.layout import Layout
from tasks.core.papers.plain_text import plain_text

_ENTRY = re.compile(r"^\(?([P-Z]|\d{1,2}|[ivx]+|[a-e])\)")
_NUMBERED = re.compile(r"^\((1|2|3|4|5|6)\)")


BROKEN = "\xad"
"""Follows a hyphen at which a line ended; `mended` decides what becomes of the two."""


def mended(text: str, vocabulary: Set[str]) -> str:
    """Words broken at a line's end are joined; a hyphen between two words of the paper stays."""

    def joined(match: re.Match[str]) -> str:
        first, second = match.groups()
        both_are_words = {first.lower(), second.lower()} <= vocabulary
        return f"{first}-{second}" if both_are_words else first + second

    return re.sub(rf"([A-Za-z]+)-{BROKEN}([A-Za-z]+)", joined, text).replace(BROKEN, "")


class Fragment(NamedTuple):
    """A span with the height it stands at, so that columns can be told from lines."""

    place: tuple[int, int]  # page and panel
    baseline: float
    span: Span

    @property
    def text(self) -> str:
        """The span's LaTeX."""
        return self.span.text


def read_lists(fragments: Sequence[Fragment], layout: Layout) -> str:
    """Paragraphs of prose; from a pair of list headings on, the left column, then the right."""
    start = _heading_row(fragments, layout)
    if start is None:
        return prose(fragments)
    headings = [
        f
        for f in fragments[start : start + 2]
        if layout.list_heading.search(plain_text(f.span.text))
    ]
    end = start + len(headings)
    left: list[Fragment] = []
    right: list[Fragment] = []
    border = _border(fragments[end:], headings[0], headings[-1])
    for fragment in fragments[end:]:
        text = plain_text(fragment.span.text)
        if layout.list_end.search(text) and fragment.span.box.x0 < border:
            break
        for column, part in _at_border(fragment, border):
            (left if column == 0 else right).append(part)
        end += 1
    parts = [
        prose(fragments[:start]),
        rf"\textbf{{{plain_text(headings[0].span.text)}}}",
        *_entries(left),
        rf"\textbf{{{plain_text(headings[-1].span.text)}}}",
        *_entries(right),
        prose(fragments[end:]),
    ]
    return "\n\n".join(part for part in parts if part)


def _heading_row(fragments: Sequence[Fragment], layout: Layout) -> int | None:
    for index in range(len(fragments) - 1):
        first, second = fragments[index], fragments[index + 1]
        if (
            all(layout.list_heading.search(plain_text(f.span.text)) for f in (first, second))
            and first.place == second.place
            and abs(first.baseline - second.baseline) < 6
        ):
            return index
    return None


def _border(
    fragments: Sequence[Fragment], left_heading: Fragment, right_heading: Fragment
) -> float:
    """The x of the right column: where its numbered entries begin, else its heading."""
    starts = [f.span.box.x0 for f in fragments if _NUMBERED.match(plain_text(f.span.text))]
    near = [
        x for x in starts if x > left_heading.span.box.x1 + 20 and x < right_heading.span.box.x1
    ]
    return min([right_heading.span.box.x0, *near]) - 4


def _at_border(fragment: Fragment, border: float) -> list[tuple[int, Fragment]]:
    """The fragment with its column (0 or 1); one that reaches over the border is cut in two at a
    numbered label."""
    box = fragment.span.box
    if box.x0 >= border:
        return [(1, fragment)]
    labels = list(re.finditer(r"(?<=\s)\(\d\)\s", fragment.span.text))
    if box.x1 < border + 8 or not labels:
        return [(0, fragment)]
    cut = labels[-1].start()
    left, right = fragment.span.text[:cut].strip(), fragment.span.text[cut:]
    return [
        (0, fragment._replace(span=fragment.span._replace(text=left))),
        (1, fragment._replace(span=fragment.span._replace(text=right))),
    ]


def _entries(fragments: Sequence[Fragment]) -> list[str]:
    """One text for each entry; a span without a label goes on with the entry before it."""
    texts: list[str] = []
    for fragment in fragments:
        text = fragment.span.text
        if texts and not _ENTRY.match(plain_text(text)):
            texts[-1] += " " + text
        else:
            texts.append(text)
    return texts


def prose(fragments: Sequence[Fragment]) -> str:
    """Spans joined to lines and paragraphs: a wide step down begins a new paragraph."""
    text = ""
    previous: Fragment | None = None
    for fragment in fragments:
        part = fragment.span.text.strip()
        if not part:
            continue
        if previous is None:
            text = part
        elif fragment.place == previous.place and (
            fragment.baseline - previous.baseline > 1.75 * fragment.span.size
        ):
            text += "\n\n" + part
        elif re.search(r"[a-z]-$", text) and re.match(r"[a-z]", part):
            text += BROKEN + part
        else:
            text += " " + part
        previous = fragment
    return text
