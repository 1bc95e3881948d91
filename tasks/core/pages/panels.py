"""Columns of a page: where the text runs in two columns, each is read on its own."""

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from tasks.core.pages.atoms import Atom, Kind
from tasks.core.pages.page import Box

GUTTER = 9.0  # points, the least blank strip between columns
LEAST_BAND = 0.06  # of the page's height
LEAST_COLUMN = 0.28  # of the page's width
LEAST_ATOMS = 120
OFF_CENTRE = 0.06  # of the written width, between the gutter and its middle


class Panel(NamedTuple):
    """A part of a page that is read from top to bottom, with its atoms."""

    box: Box
    atoms: list[Atom]


class _Split(NamedTuple):
    x: float
    bands: list[tuple[float, float]]


def panels_of(atoms: list[Atom], width: float, height: float) -> list[Panel]:
    """The page's panels in reading order: whole width, or left column before right column."""
    whole = Box(0.0, 0.0, width, height)
    split = _best_split(atoms, width, height)
    if split is None:
        return [Panel(whole, atoms)]
    panels: list[Panel] = []
    top = 0.0
    for y0, y1 in split.bands:
        boxes = [
            Box(0.0, top, width, y0),
            Box(0.0, y0, split.x, y1),
            Box(split.x, y0, width, y1),
        ]
        panels += [Panel(box, []) for box in boxes]
        top = y1
    panels.append(Panel(Box(0.0, top, width, height), []))
    for atom in atoms:
        x, y = atom.box.x_centre, min(max(atom.box.y_centre, 0.0), height)
        for panel in panels:
            box = panel.box
            inside = box.y0 <= y <= box.y1 and (box.width == width or box.x0 <= x < box.x1)
            if inside or panel is panels[-1]:
                panel.atoms.append(atom)
                break
    return [panel for panel in panels if panel.atoms]


def _best_split(atoms: list[Atom], width: float, height: float) -> _Split | None:
    """The gutter, near the middle of the written area, with the most running text beside it."""
    inked = sorted((a for a in atoms if a.kind is not Kind.SPACE), key=lambda a: a.box.y_centre)
    if not inked:
        return None
    heights = [a.box.y_centre for a in inked]
    left, right = min(a.box.x0 for a in inked), max(a.box.x1 for a in inked)
    middle, reach = (left + right) / 2, OFF_CENTRE * (right - left)
    best: _Split | None = None
    most = 0.0
    for step in range(int(middle - reach), int(middle + reach) + 1, 4):
        bands = []
        for y0, y1 in _free_bands(inked, float(step), height):
            if y1 - y0 > LEAST_BAND * height:
                inside = inked[bisect_left(heights, y0) : bisect_right(heights, y1)]
                if len(inside) >= LEAST_ATOMS and _is_running(inside, float(step), width):
                    bands.append((y0, y1))
        total = sum(y1 - y0 for y0, y1 in bands)
        if total > most:
            best, most = _Split(float(step), bands), total
    return best


def _free_bands(atoms: list[Atom], x: float, height: float) -> list[tuple[float, float]]:
    """Stretches of the page where no ink is within half a gutter of x."""
    half = GUTTER / 2
    crossing = sorted(
        (a.box.y0 - a.size / 3, a.box.y1 + a.size / 3)
        for a in atoms
        if a.box.x0 < x + half and a.box.x1 > x - half
    )
    bands = []
    top = 0.0
    for y0, y1 in crossing:
        if y0 > top:
            bands.append((top, y0))
        top = max(top, y1)
    bands.append((top, height))
    return bands


def _is_running(atoms: list[Atom], x: float, width: float) -> bool:
    """Running text on both sides: wide columns of several rows, some of them full.

    Where rows on both sides begin with bracketed labels, they are options or list entries.
    """
    left = _Column.of([a for a in atoms if a.box.x1 <= x])
    right = _Column.of([a for a in atoms if a.box.x0 >= x])
    if min(left.width, right.width) < LEAST_COLUMN * width:
        return False
    return (
        min(left.n_rows, right.n_rows) >= 4
        and min(left.n_full, right.n_full) >= 1
        and left.n_full + right.n_full >= 5
        and (left.n_labelled < 0.5 * left.n_at_edge or left.n_full >= 4)
        and (right.n_labelled < 0.5 * right.n_at_edge or left.n_labelled < 0.25 * left.n_at_edge)
    )


class _Column(NamedTuple):
    """Counts of a column's rows: all, full ones, those at its left edge, labelled ones of those."""

    width: float
    n_rows: int
    n_full: int
    n_at_edge: int
    n_labelled: int

    @classmethod
    def of(cls, atoms: list[Atom]) -> "_Column":
        if not atoms:
            return cls(0.0, 0, 0, 0, 0)
        by_row: dict[int, list[Atom]] = {}
        for atom in atoms:
            by_row.setdefault(round(atom.y / 3), []).append(atom)
        rows = [sorted(row, key=lambda a: a.box.x0) for row in by_row.values() if len(row) >= 4]
        x0, x1 = min(a.box.x0 for a in atoms), max(a.box.x1 for a in atoms)
        full = [row for row in rows if _is_full(row, x1 - x0)]
        at_edge = [row for row in rows if row[0].box.x0 - x0 < 0.6 * row[0].size]
        labelled = [row for row in at_edge if row[0].kind is Kind.OPEN]
        return cls(x1 - x0, len(rows), len(full), len(at_edge), len(labelled))


def _is_full(row: list[Atom], width: float) -> bool:
    """Reaches across the column without a wide blank."""
    right = row[0].box.x1
    for atom in row[1:]:
        if atom.box.x0 - right > 1.8 * atom.size:
            return False
        right = max(right, atom.box.x1)
    return right - row[0].box.x0 > 0.75 * width
