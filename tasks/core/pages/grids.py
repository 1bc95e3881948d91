"""Tables with borders, told from drawings made of level and upright rules (circuits, axes)."""

from typing import NamedTuple

from tasks.core.pages.atoms import Atom, Kind
from tasks.core.pages.clusters import touching_groups
from tasks.core.pages.page import Box, enclosing
from tasks.core.pages.rows import AXIS, row_latex
from tasks.core.pages.strokes import Rule, Strokes

TOUCH = 1.5  # points
WIDEST_CELL = 11.0  # sizes; a table of longer cells is text in columns


class Grid(NamedTuple):
    """A closed frame: x of its columns' and y of its rows' borders, the outer ones included."""

    box: Box
    xs: list[float]
    ys: list[float]


class RuleGroups(NamedTuple):
    """`drawings`: boxes of rules that draw something, without the frames of text."""

    grids: list[Grid]
    drawings: list[list[Box]]


def group_rules(strokes: Strokes, width: float) -> RuleGroups:
    """Sort groups of touching rules: frames and tables, drawings, and lone rules (left out)."""
    rules = [r for r in [*strokes.horizontals, *strokes.verticals] if r.box.width < 0.92 * width]
    groups = RuleGroups([], [])
    for indices in touching_groups([rule.box for rule in rules], TOUCH):
        members = [rules[i].box for i in indices]
        level = [box for box in members if box.width >= box.height]
        upright = [box for box in members if box.width < box.height]
        if not level or not upright or len(members) < 4:
            continue
        box = enclosing(members)
        if _is_closed(box, level, upright):
            ys = _distinct([b.y_centre for b in level if b.width > 0.1 * box.width])
            xs = _distinct([b.x_centre for b in upright])
            groups.grids.append(Grid(box, xs, ys))
        elif len(members) >= 5 and min(box.width, box.height) > 14:
            groups.drawings.append(members)
    return groups


def _is_closed(box: Box, level: list[Box], upright: list[Box]) -> bool:
    """Whether rules run along all four sides."""
    top = sum(b.width for b in level if abs(b.y_centre - box.y0) < 2)
    bottom = sum(b.width for b in level if abs(b.y_centre - box.y1) < 2)
    left = sum(b.height for b in upright if abs(b.x_centre - box.x0) < 2)
    right = sum(b.height for b in upright if abs(b.x_centre - box.x1) < 2)
    return min(top, bottom) > 0.93 * box.width and min(left, right) > 0.93 * box.height


def _distinct(values: list[float]) -> list[float]:
    kept: list[float] = []
    for value in sorted(values):
        if not kept or value - kept[-1] > 3:
            kept.append(value)
    return kept


def compose_grids(atoms: list[Atom], grids: list[Grid]) -> list[Atom]:
    """Tables of short cells become one atom each; frames around text leave it as it is."""
    for grid in grids:
        if len(grid.xs) < 3 or len(grid.ys) < 2 or len(grid.xs) * len(grid.ys) > 2000:
            continue
        inside = [a for a in atoms if grid.box.holds(a.box.x_centre, a.box.y_centre)]
        cells = _cells(inside, grid)
        if cells and all(_is_short(cell) for row in cells for cell in row):
            atoms = _replaced(atoms, inside, cells, grid)
    return atoms


def _cells(atoms: list[Atom], grid: Grid) -> list[list[list[Atom]]]:
    cells: list[list[list[Atom]]] = [[[] for _ in grid.xs[1:]] for _ in grid.ys[1:]]
    for atom in atoms:
        row = sum(y < atom.box.y_centre for y in grid.ys[1:-1])
        column = sum(x < atom.box.x_centre for x in grid.xs[1:-1])
        cells[row][column].append(atom)
    return cells


def _is_short(cell: list[Atom]) -> bool:
    inked = [a for a in cell if a.kind is not Kind.SPACE]
    if not inked:
        return True
    box, size = enclosing([a.box for a in inked]), max(a.size for a in inked)
    return box.width < WIDEST_CELL * size and box.height < 2.2 * size


def _replaced(
    atoms: list[Atom], inside: list[Atom], cells: list[list[list[Atom]]], grid: Grid
) -> list[Atom]:
    lines = [" & ".join(row_latex(cell) for cell in row) for row in cells]
    columns = "|" + "c|" * (len(grid.xs) - 1)
    body = r" \\ \hline ".join(lines)
    size = max((a.size for a in inside), default=10.0)
    axis = grid.box.y_centre
    table = Atom(
        kind=Kind.STRUCTURE,
        character="",
        latex=rf"\begin{{array}}{{{columns}}}\hline {body} \\ \hline\end{{array}}",
        box=grid.box,
        y=axis + AXIS * size,
        size=size,
        is_math=True,
        axis=axis,
        glyphs=[g for a in inside for g in a.glyphs],
    )
    gone = set(map(id, inside))
    return [a for a in atoms if id(a) not in gone] + [table]


def without_grids(rules: list[Rule], grids: list[Grid]) -> list[Rule]:
    """The rules that belong to no frame or table."""
    return [
        rule
        for rule in rules
        if not any(
            _is_on(rule.box, grid) for grid in grids if grid.box.grown(2).intersection(rule.box)
        )
    ]


def _is_on(box: Box, grid: Grid) -> bool:
    on_row = box.width >= box.height and any(abs(box.y_centre - y) < 2 for y in grid.ys)
    on_column = box.width < box.height and any(abs(box.x_centre - x) < 2 for x in grid.xs)
    return on_row or on_column
