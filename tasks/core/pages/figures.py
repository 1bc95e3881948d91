"""Drawings that a reader must see: pictures and paths that are no part of text or a formula.

Paths and pictures that lie close together are one figure, and so are the glyphs between them. Its
`kind` says what it is made of. Letter-sized pictures, root strokes, rules and borders are none.
"""

from typing import NamedTuple

from tasks.core.pages.atoms import Atom, Kind
from tasks.core.pages.page import Box, Page, enclosing
from tasks.core.pages.strokes import Strokes

NEAR = 9.0  # points between parts of one figure
LEAST_PICTURE = 26.0  # points; smaller pictures are letters or signs
LEAST_EXTENT = 14.0


class Figure(NamedTuple):
    """`kind`: picture or drawing. `glyphs`: indices of the glyphs inside (labels)."""

    page: int
    box: Box
    kind: str
    n_parts: int
    glyphs: tuple[int, ...]


def find_figures(page: Page, strokes: Strokes, atoms: list[Atom]) -> list[Figure]:
    """The figures of a page, top to bottom."""
    whole = page.width * page.height
    parts = [
        (p.box, "picture")
        for p in page.pictures
        if max(p.box.width, p.box.height) >= LEAST_PICTURE
        and min(p.box.width, p.box.height) > 4
        and p.pixel_width * p.pixel_height != 4
        and p.box.width * p.box.height < 0.8 * whole
    ]
    parts += [(s.box, "drawing") for s in strokes.shapes if s.box.width < 0.95 * page.width]
    found = []
    for group in _clusters(parts):
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
    return len(group) >= 3 or min(box.width, box.height) >= LEAST_EXTENT


def _clusters(parts: list[tuple[Box, str]]) -> list[list[tuple[Box, str]]]:
    """Parts joined where their boxes, grown by half of `NEAR`, touch; swept from the top."""
    clusters: list[tuple[Box, list[tuple[Box, str]]]] = []
    for part in sorted(parts, key=lambda p: p[0].y0):
        box, members = part[0], [part]
        merged = True
        while merged:
            merged = False
            for index, (other, others) in enumerate(clusters):
                if box.grown(NEAR / 2).intersection(other.grown(NEAR / 2)):
                    box, members = box.union(other), others + members
                    del clusters[index]
                    merged = True
                    break
        clusters.append((box, members))
    return [members for _, members in clusters]


def labels_around(figure: Figure, atoms: list[Atom]) -> list[Atom]:
    """Glyphs within a letter's reach of the figure that no line of prose could be."""
    reach = figure.box.grown(4)
    return [
        a
        for a in atoms
        if a.kind is not Kind.SPACE and reach.holds(a.box.x_centre, a.box.y_centre)
    ]
