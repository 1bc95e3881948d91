"""Page → lines of LaTeX, its figures, and an account of every glyph."""

from typing import NamedTuple

from tasks.core.pages.accents import attach_accents
from tasks.core.pages.arrows import assemble_arrows, attach_labels
from tasks.core.pages.atoms import UNREAD, Atom, Kind, read_atoms
from tasks.core.pages.bars import read_bars
from tasks.core.pages.brackets import assemble_matrices, assemble_pieces, bars_of_rules
from tasks.core.pages.figures import Figure, find_figures
from tasks.core.pages.font_maps import FontMaps
from tasks.core.pages.grids import compose_grids, group_rules, without_grids
from tasks.core.pages.lines import Line, body_size, read_lines
from tasks.core.pages.page import Box, Page
from tasks.core.pages.panels import panels_of
from tasks.core.pages.signs import read_signs
from tasks.core.pages.strokes import read_strokes

MOST_TURN = 4.0  # degrees


class PageReading(NamedTuple):
    """`figures` with the glyphs inside them; `turned` are glyphs written askew (watermarks, labels
    of axes); `unread` are boxes of glyphs without a character."""

    number: int
    width: float
    height: float
    panels: list[Box]
    lines: list[Line]
    figures: list[Figure]
    turned: frozenset[int]
    unread: list[Box]
    faults: tuple[str, ...]


def read_page(page: Page, maps: FontMaps) -> PageReading:
    """Rebuild a page. Glyphs of lines and figures together are all the page shows."""
    strokes = read_strokes(page)
    atoms = read_atoms(page, maps)
    grids, drawings = group_rules(strokes, page.width)
    figures = find_figures(page, strokes, drawings, atoms)
    drawn = {glyph for figure in figures for glyph in figure.glyphs}
    atoms = [a for a in atoms if not drawn.intersection(a.glyphs)]
    turned = {i for i, glyph in enumerate(page.glyphs) if abs(glyph.angle) > MOST_TURN} - drawn
    atoms = [a for a in atoms if not turned.intersection(a.glyphs)]
    horizontals, verticals = (
        [r for r in without_grids(rules, grids) if not _inside(r.box, figures)]
        for rules in (strokes.horizontals, strokes.verticals)
    )
    atoms = assemble_pieces(atoms)
    atoms += bars_of_rules(verticals, horizontals, atoms)
    atoms = _centred(atoms)
    atoms += read_signs(page, atoms, maps)
    atoms = attach_accents(assemble_arrows(atoms), maps)
    unread = [a.box for a in atoms if a.character == UNREAD]
    atoms = attach_labels(atoms)
    atoms, _ = read_bars(atoms, horizontals, strokes.roots)
    atoms = compose_grids(assemble_matrices(atoms), grids)
    panels = panels_of(atoms, page.width, page.height)
    return PageReading(
        number=page.number,
        width=page.width,
        height=page.height,
        panels=[panel.box for panel in panels],
        lines=[
            line
            for index, panel in enumerate(panels)
            for line in read_lines(panel.atoms, page.number, index)
        ],
        figures=figures,
        turned=frozenset(turned),
        unread=unread,
        faults=page.faults,
    )


def _centred(atoms: list[Atom]) -> list[Atom]:
    """Operators, and brackets set larger than the text or hung below their origin (as TeX's are),
    are centred on the axis of their row."""
    body = body_size(atoms)
    for atom in atoms:
        if atom.axis is not None or len(atom.character) != 1:
            continue
        if atom.kind is Kind.OPERATOR:
            atom.axis = atom.box.y_centre
        elif atom.kind in (Kind.OPEN, Kind.CLOSE, Kind.BAR):
            hangs = atom.y - atom.box.y0 < 0.4 * min(atom.size, atom.box.height)
            if hangs or atom.size > 1.2 * body:
                atom.axis, atom.size = atom.box.y_centre, min(atom.size, body)
    return atoms


def _inside(box: Box, figures: list[Figure]) -> bool:
    return any(figure.box.holds(box.x_centre, box.y_centre) for figure in figures)
