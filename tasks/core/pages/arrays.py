"""Tables without borders: neighbouring lines whose short cells stand in the same columns."""

from itertools import pairwise

from tasks.core.pages.atoms import Atom, Kind
from tasks.core.pages.brackets import column_gaps, grid_latex
from tasks.core.pages.page import enclosing
from tasks.core.pages.rows import AXIS

LEAST_GAP = 0.75  # sizes of blank between columns
LEAST_COLUMNS = 3
WIDEST_CELL = 9.0  # sizes


def compose_arrays(lines: list[list[Atom]], body: float) -> list[list[Atom]]:
    """Runs of two and more lines (top to bottom) that form a table become one line with an array.

    Lines that begin with a bracketed label are options or list entries, not rows.
    """
    composed: list[list[Atom]] = []
    index = 0
    while index < len(lines):
        end = index + 1
        gaps: list[float] = []
        while end < len(lines) and _is_next(lines[end - 1], lines[end], body):
            wider = _shared_gaps(lines[index : end + 1], body)
            if len(wider) + 1 < LEAST_COLUMNS or (gaps and len(wider) < len(gaps)):
                break
            gaps = wider
            end += 1
        if end - index >= 2:
            composed.append([_array(lines[index:end], gaps, body)])
        else:
            composed.append(lines[index])
        index = end
    return composed


def _is_next(upper: list[Atom], lower: list[Atom], body: float) -> bool:
    return 0.8 * body < _baseline(lower) - _baseline(upper) < 3.2 * body


def _baseline(line: list[Atom]) -> float:
    return sorted(a.y for a in line)[len(line) // 2]


def _shared_gaps(lines: list[list[Atom]], body: float) -> list[float]:
    """The column gaps of all lines; none unless every cell is filled and short."""
    rows = [[a for a in line if a.kind is not Kind.SPACE] for line in lines]
    for row in rows:
        if min(row, key=lambda a: a.box.x0).kind is Kind.OPEN:
            return []
    gaps = column_gaps(rows, LEAST_GAP * body)
    edges = [float("-inf"), *gaps, float("inf")]
    for row in rows:
        for low, high in pairwise(edges):
            cell = [a for a in row if low < a.box.x_centre <= high]
            if not cell or enclosing([a.box for a in cell]).width > WIDEST_CELL * body:
                return []
    return gaps


def _array(lines: list[list[Atom]], gaps: list[float], body: float) -> Atom:
    members = [a for line in lines for a in line]
    box = enclosing([a.box for a in members if a.kind is not Kind.SPACE])
    columns = "c" * (len(gaps) + 1)
    return Atom(
        kind=Kind.STRUCTURE,
        character="",
        latex=rf"\begin{{array}}{{{columns}}}{grid_latex(lines, gaps)}\end{{array}}",
        box=box,
        y=box.y_centre + AXIS * body,
        size=body,
        is_math=True,
        axis=box.y_centre,
        glyphs=[g for a in members for g in a.glyphs],
    )
