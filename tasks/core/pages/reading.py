"""Page → lines of LaTeX, its figures, and an account of every glyph."""

from typing import NamedTuple

from tasks.core.pages.accents import attach_accents
from tasks.core.pages.atoms import UNREAD, Atom, Kind, read_atoms
from tasks.core.pages.bars import read_bars
from tasks.core.pages.brackets import assemble_matrices, assemble_pieces, bars_of_rules
from tasks.core.pages.figures import Figure, find_figures
from tasks.core.pages.font_maps import FontMaps
from tasks.core.pages.lines import Line, body_size, read_lines
from tasks.core.pages.page import Box, Page
from tasks.core.pages.strokes import read_strokes


class PageReading(NamedTuple):
    """`figures` with the glyphs inside them; `unread` are boxes of glyphs without a character."""

    number: int
    width: float
    height: float
    lines: list[Line]
    figures: list[Figure]
    unread: list[Box]
    faults: tuple[str, ...]


def read_page(page: Page, maps: FontMaps) -> PageReading:
    """Rebuild a page. Glyphs of lines and figures together are all the page shows."""
    strokes = read_strokes(page)
    atoms = read_atoms(page, maps)
    figures = find_figures(page, strokes, atoms)
    drawn = {glyph for figure in figures for glyph in figure.glyphs}
    atoms = [a for a in atoms if not drawn.intersection(a.glyphs)]
    strokes = strokes._replace(
        horizontals=[r for r in strokes.horizontals if not _inside(r.box, figures)],
        verticals=[r for r in strokes.verticals if not _inside(r.box, figures)],
    )
    atoms = assemble_pieces(atoms)
    atoms += bars_of_rules(strokes.verticals, strokes.horizontals, atoms)
    atoms = _centred(attach_accents(atoms, maps))
    unread = [a.box for a in atoms if a.character == UNREAD]
    atoms, _ = read_bars(atoms, strokes.horizontals, strokes.roots)
    atoms = assemble_matrices(atoms)
    return PageReading(
        page.number, page.width, page.height, read_lines(atoms, page.number), figures,
        unread, page.faults,
    )  # fmt: skip


def _centred(atoms: list[Atom]) -> list[Atom]:
    """Operators, and brackets set larger than the text, are centred on the axis of their row."""
    body = body_size(atoms)
    for atom in atoms:
        if atom.axis is not None or len(atom.character) != 1:
            continue
        if atom.kind is Kind.OPERATOR:
            atom.axis = atom.box.y_centre
        elif atom.kind in (Kind.OPEN, Kind.CLOSE, Kind.BAR) and atom.size > 1.2 * body:
            atom.axis, atom.size = atom.box.y_centre, body
    return atoms


def _inside(box: Box, figures: list[Figure]) -> bool:
    return any(figure.box.holds(box.x_centre, box.y_centre) for figure in figures)
