"""Running heads, feet and watermarks: what stands at the same place on many pages."""

import re
from collections import Counter

from tasks.core.pages.lines import Line
from tasks.core.pages.reading import PageReading
from tasks.core.papers.layout import Layout
from tasks.core.papers.plain_text import plain_text

Key = tuple[str, int]
LEAST_TEXT = 5  # characters

_PAGE_NUMBER = re.compile(r"^\W*(page )?\d{1,4}( ?(/|of) ?\d{1,4})?\W*$", re.IGNORECASE)


def furniture_of(pages: list[PageReading], layout: Layout) -> set[int]:
    """`id`s of lines that are furniture.

    In the margins: page numbers, and lines of which a part returns at one height on at least two
    pages (digits apart). On the rest of the page: texts at one height on at least five pages and
    on more than half of all. The number of a question is never furniture.
    """
    in_margin: Counter[Key] = Counter()
    anywhere: Counter[Key] = Counter()
    for page in pages:
        margin_keys = {
            key for line in page.lines if _is_in_margin(line, page, layout) for key in _keys(line)
        }
        in_margin.update(margin_keys)
        anywhere.update({_key(line.text, line) for line in page.lines})
    most = max(5, len(pages) // 2 + 1)
    return {
        id(line)
        for page in pages
        for line in page.lines
        if (
            anywhere[_key(line.text, line)] >= most
            or (_is_in_margin(line, page, layout) and _is_running(line, in_margin))
        )
        and not layout.question.search(plain_text(line.text))
    } | {
        id(line)
        for page in pages
        for line in page.lines
        if _is_in_margin(line, page, layout) and _PAGE_NUMBER.match(plain_text(line.text))
    }


def _is_running(line: Line, in_margin: Counter[Key]) -> bool:
    return any(in_margin[key] >= 2 for key in _keys(line))


def _keys(line: Line) -> list[Key]:
    """The line's spans that are long enough to be told from a label."""
    keys = [_key(span.text, line) for span in line.spans]
    return [key for key in keys if len(key[0]) >= LEAST_TEXT]


def _key(text: str, line: Line) -> Key:
    """Text without digits, and height on the page in steps of three points."""
    return re.sub(r"\d+", "#", plain_text(text)), round(line.baseline / 3)


def _is_in_margin(line: Line, page: PageReading, layout: Layout) -> bool:
    height = page.height * layout.margin
    return line.box.y_centre < height or line.box.y_centre > page.height - height
