"""Drawings that a reader must see: pictures and paths that are no part of text or a formula.

Paths and pictures that lie close together are one figure, and so are the glyphs between them. Its
`kind` says what it is made of. Letter-sized pictures, root strokes, rules and borders are none.
"""

from typing import NamedTuple

from tasks.core.pages.atoms import Atom
from tasks.core.pages.clusters import touching_groups
from tasks.core.pages.page import Box, Page, enclosing
from tasks.core.pages.strokes import Strokes

NEAR = 9.0  # points between parts of one figure
LEAST_PICTURE = 26.0  # points; smaller pictures are letters or signs
LEAST_EXTENT = 14.0
TOUCH = 1.5  # points between strokes that meet
MASK_PIXELS = 16  # a picture of so few pixels is a colour behind a mask


class Figure(NamedTuple):
    """`kind`: picture or drawing. `glyphs`: indices of the glyphs inside (labels)."""

    page: int
    box: Box
    kind: str
    n_parts: int
    glyphs: tuple[int, ...]


def find_figures(
    page: Page, strokes: Strokes, drawings: list[list[Box]], atoms: list[Atom]
) -> list[Figure]:
    """The figures of a page, top to bottom. `drawings`: groups of rules that draw something."""
    whole = page.width * page.height
    parts = [
        (p.box, "picture")
        for p in page.pictures
        if max(p.box.width, p.box.height) >= LEAST_PICTURE
        and min(p.box.width, p.box.height) > 4
        and not (p.ink and p.pixel_width * p.pixel_height <= MASK_PIXELS)
        and p.box.width * p.box.height < 0.8 * whole
    ]
    parts += [(s.box, "drawing") for s in strokes.shapes if s.box.width < 0.95 * page.width]
    parts += [(box, "rule") for box in _touching_rules(strokes, page.width)]
    parts += [(box, "drawing") for boxes in drawings for box in boxes]
    found = []
    for indices in touching_groups([box for box, _ in parts], NEAR / 2):
        group = [parts[index] for index in indices]
        box = enclosing([part for part, _ in group])
        kind = "picture" if any(kind == "picture" for _, kind in group) else "drawing"
        if kind == "drawing" and not _is_drawing(group, box):
            continue
        inside = [a for a in atoms if box.holds(a.box.x_centre, a.box.y_centre)]
        glyphs = tuple(g for a in inside for g in a.glyphs)
        found.append(Figure(page.number, box, kind, len(group), glyphs))
    return sorted(found, key=lambda figure: figure.box.y0)


def _is_drawing(group: list[tuple[Box, str]], box: Box) -> bool:
    """More than an arrow head or a tick: several parts, or one of some extent both ways."""
    if max(box.width, box.height) < LEAST_EXTENT:
        return False
    return (
        sum(kind != "rule" for _, kind in group) >= 3 or min(box.width, box.height) >= LEAST_EXTENT
    )


def _touching_rules(strokes: Strokes, width: float) -> list[Box]:
    """Rules that meet a shape: the straight parts of what it draws."""
    shapes = [shape.box for shape in strokes.shapes if shape.box.width < 0.95 * width]
    rules = [r.box for r in [*strokes.horizontals, *strokes.verticals] if r.box.width < 0.8 * width]
    groups = touching_groups([*shapes, *rules], TOUCH)
    n = len(shapes)
    return [
        rules[index - n]
        for group in groups
        if any(index < n for index in group)
        for index in group
        if index >= n
    ]
