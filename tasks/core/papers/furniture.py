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

    In the margins: page numbers, and texts that return on at least two pages (digits apart). On the
    rest of the page: texts at one height on at least five pages and on more than half of all.
    """
    in_margin: Counter[str] = Counter()
    anywhere: Counter[tuple[str, int]] = Counter()
    for page in pages:
        for line in page.lines:
            key = _key(line)
            in_margin[key] += _is_in_margin(line, page, layout)
            anywhere[key, round(line.baseline / 3)] += 1
    most = max(5, len(pages) // 2 + 1)
    return {
        id(line)
        for page in pages
        for line in page.lines
        if (
            _is_in_margin(line, page, layout)
            and (in_margin[_key(line)] >= 2 or _PAGE_NUMBER.match(plain_text(line.text)))
        )
        or anywhere[_key(line), round(line.baseline / 3)] >= most
    }


def _key(line: Line) -> str:
    return re.sub(r"\d+", "#", plain_text(line.text))


def _is_in_margin(line: Line, page: PageReading, layout: Layout) -> bool:
    height = page.height * layout.margin
    return line.box.y_centre < height or line.box.y_centre > page.height - height
