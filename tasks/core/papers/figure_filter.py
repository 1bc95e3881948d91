"""Which questions need a drawing: by what is drawn in their region, not by words alone."""

import re
from typing import NamedTuple

from tasks.core.pages.figures import Figure
from tasks.core.pages.page import Box

_WORDS = re.compile(
    r"\b(shown in (the |a )?(given )?(figure|diagram|graph|plot)|(see|as shown in|in the) "
    r"(adjoining |given |following )?(figure|diagram)|figure (below|above)|as shown below)\b",
    re.IGNORECASE,
)


class FigureVerdict(NamedTuple):
    """`has_figure` drops the question; `is_doubtful` sends it to review. `reason`: what, where."""

    has_figure: bool
    is_doubtful: bool
    reason: str | None


def judge_figures(
    regions: list[tuple[int, Box]], figures: list[Figure], latex: str
) -> FigureVerdict:
    """A figure counts where its middle lies in one of the question's regions."""
    found = [
        figure
        for figure in figures
        for page, box in regions
        if figure.page == page and box.holds(figure.box.x_centre, figure.box.y_centre)
    ]
    if found:
        first = max(found, key=lambda figure: figure.box.width * figure.box.height)
        box = first.box
        place = f"page {first.page}, {box.x0:.0f}–{box.x1:.0f} × {box.y0:.0f}–{box.y1:.0f} pt"
        return FigureVerdict(True, False, f"{first.kind} of {first.n_parts} parts ({place})")
    if match := _WORDS.search(latex):
        return FigureVerdict(False, True, f"“{match.group(0)}”, but nothing is drawn there")
    return FigureVerdict(False, False, None)
