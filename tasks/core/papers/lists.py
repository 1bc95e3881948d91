"""Prose, and lists that are matched: List-I and List-II stand side by side and are read in turn."""

import re
from collections.abc import Sequence
from typing import Protocol

from tasks.core.pages.prose import Span
from tasks.core.papers.layout import Layout
from tasks.core.papers.plain_text import plain_text

_ENTRY = re.compile(r"^\(?([P-Z]|\d{1,2}|[ivx]+|[a-e])\)")
_NUMBERED = re.compile(r"^\((1|2|3|4|5|6)\)")


class Placed(Protocol):
    """A span and the height it stands at."""

    @property
    def page(self) -> int: ...
    @property
    def baseline(self) -> float: ...
    @property
    def span(self) -> Span: ...


def read_lists(fragments: Sequence[Placed], layout: Layout) -> str:
    """Paragraphs of prose; from a pair of list headings on, the left column, then the right."""
    start = _heading_row(fragments, layout)
    if start is None:
        return prose(fragments)
    headings = [
        f for f in fragments[start : start + 2] if layout.list_heading.search(plain_text(f.span.text))
    ]
    end = start + len(headings)
    left: list[Placed] = []
    right: list[Placed] = []
    border = _border(fragments[end:], headings[-1])
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


def _heading_row(fragments: Sequence[Placed], layout: Layout) -> int | None:
    for index in range(len(fragments) - 1):
        first, second = fragments[index], fragments[index + 1]
        if (
            all(layout.list_heading.search(plain_text(f.span.text)) for f in (first, second))
            and first.page == second.page
            and abs(first.baseline - second.baseline) < 6
        ):
            return index
    return None


def _border(fragments: Sequence[Placed], right_heading: Placed) -> float:
    """x of the right column: where its numbered entries begin, else its heading."""
    starts = [
        f.span.box.x0 for f in fragments if _NUMBERED.match(plain_text(f.span.text))
    ]
    near = [x for x in starts if abs(x - right_heading.span.box.x0) < 80]
    return min([right_heading.span.box.x0, *near]) - 4


def _at_border(fragment: Placed, border: float) -> list[tuple[int, Placed]]:
    return [(0 if fragment.span.box.x0 < border else 1, fragment)]


def _entries(fragments: Sequence[Placed]) -> list[str]:
    """One text for each entry; a span without a label goes on with the entry before it."""
    texts: list[str] = []
    for fragment in fragments:
        text = fragment.span.text
        if texts and not _ENTRY.match(plain_text(text)):
            texts[-1] += " " + text
        else:
            texts.append(text)
    return texts


def prose(fragments: Sequence[Placed]) -> str:
    """Spans joined to lines and paragraphs: a wide step down begins a new paragraph."""
    text = ""
    previous: Placed | None = None
    for fragment in fragments:
        part = fragment.span.text.strip()
        if not part:
            continue
        if previous is None:
            text = part
        elif fragment.page == previous.page and (
            fragment.baseline - previous.baseline > 1.75 * fragment.span.size
        ):
            text += "\n\n" + part
        else:
            text += " " + part
        previous = fragment
    return text
