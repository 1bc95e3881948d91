"""Running heads, feet and watermarks: what stands at the same place on many pages."""

import re
from collections import Counter

from tasks.core.pages.lines import Line
from tasks.core.pages.reading import PageReading
from tasks.core.papers.layout import Layout
from tasks.core.papers.plain_text import plain_text

_PAGE_NUMBER = re.compile(r"^\W*(page )?\d{1,4}( ?(/|of) ?\d{1,4})?\W*$", re.IGNORECASE)


def furniture_of(pages: list[PageReading], layout: Layout) -> set[int]:
    """`id`s of lines that are furniture.

    In the margins: page numbers, and texts that return at one height on at least two pages (digits
    apart). On the rest of the page: texts at one height on at least five pages and on more than
    half of all. The number of a question is never furniture.
    """
    in_margin: Counter[tuple[str, int]] = Counter()
    anywhere: Counter[tuple[str, int]] = Counter()
    for page in pages:
        for line in page.lines:
            in_margin[_key(line)] += _is_in_margin(line, page, layout)
            anywhere[_key(line)] += 1
    most = max(5, len(pages) // 2 + 1)
    return {
        id(line)
        for page in pages
        for line in page.lines
        if (
            _is_in_margin(line, page, layout)
            and (in_margin[_key(line)] >= 2 or _PAGE_NUMBER.match(plain_text(line.text)))
        )
        or anywhere[_key(line)] >= most
    } - {
        id(line)
        for page in pages
        for line in page.lines
        if layout.question.search(plain_text(line.text))
        and not _PAGE_NUMBER.match(plain_text(line.text))
    }


def _key(line: Line) -> tuple[str, int]:
    """Text without digits, and height on the page in steps of three points."""
    return re.sub(r"\d+", "#", plain_text(line.text)), round(line.baseline / 3)


def _is_in_margin(line: Line, page: PageReading, layout: Layout) -> bool:
    height = page.height * layout.margin
    return line.box.y_centre < height or line.box.y_centre > page.height - height
