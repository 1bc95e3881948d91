"""Bounds set above and below an operator (sum, integral, union) or a word such as lim."""

from itertools import pairwise

from tasks.core.pages.atoms import Atom, Kind
from tasks.core.pages.page import enclosing
from tasks.core.pages.rows import row_latex

LIMIT_WORDS = {
    "lim": r"\lim",
    "Lim": r"\lim",
    "max": r"\max",
    "min": r"\min",
    "sup": r"\sup",
    "inf": r"\inf",
}


def operators_with_bounds(atoms: list[Atom]) -> list[Atom]:
    """Operators, and words like lim as one atom each (not yet among `atoms`)."""
    return [a for a in atoms if a.kind is Kind.OPERATOR] + _words(atoms)


def _words(atoms: list[Atom]) -> list[Atom]:
    letters = sorted(
        (a for a in atoms if a.kind is Kind.LETTER and not a.is_italic),
        key=lambda a: (round(a.y), a.box.x0),
    )
    words = []
    for index in range(len(letters) - 2):
        three = letters[index : index + 3]
        text = "".join(a.character for a in three)
        if text not in LIMIT_WORDS or any(abs(a.y - three[0].y) > 0.6 for a in three):
            continue
        gaps = [b.box.x0 - a.box.x1 for a, b in pairwise(three)]
        if max(gaps) > 0.25 * three[0].size:
            continue
        words.append(
            Atom(
                kind=Kind.OPERATOR,
                character=text,
                latex=LIMIT_WORDS[text],
                box=enclosing([a.box for a in three]),
                y=three[0].y,
                size=three[0].size,
                is_math=True,
                glyphs=[g for a in three for g in a.glyphs],
            )
        )
    return words


def attach_bounds(atoms: list[Atom], operator: Atom) -> list[Atom]:
    """Give the operator what stands right above and below it; without either, all stays."""
    parts = _parts(atoms, operator)
    if parts is None:
        return atoms
    below = _bound(atoms, operator, parts, is_above=False)
    above = _bound(atoms, operator, parts, is_above=True)
    is_word = len(operator.character) > 1
    if not below and (is_word or not above):
        return atoms
    if is_word:
        above = []
    latex = operator.latex
    latex += f"_{{{row_latex(below)}}}" if below else ""
    latex += f"^{{{row_latex(above)}}}" if above else ""
    members = [*parts, *below, *above]
    composed = Atom(
        kind=Kind.STRUCTURE,
        character="",
        latex=latex,
        box=enclosing([m.box for m in members]),
        y=operator.y,
        size=operator.size,
        is_math=True,
        axis=None if is_word else operator.box.y_centre,
        glyphs=[g for m in members for g in m.glyphs],
    )
    gone = set(map(id, members))
    return [a for a in atoms if id(a) not in gone] + [composed]


def _parts(atoms: list[Atom], operator: Atom) -> list[Atom] | None:
    """The atoms that make up the operator; None where another structure holds them already."""
    if any(a is operator for a in atoms):
        return [operator]
    wanted = set(operator.glyphs)
    parts = [a for a in atoms if a.glyphs and set(a.glyphs) <= wanted]
    return parts if {g for a in parts for g in a.glyphs} == wanted else None


def _bound(atoms: list[Atom], operator: Atom, parts: list[Atom], *, is_above: bool) -> list[Atom]:
    """Smaller atoms beyond the operator's end that overlap it in width, and their neighbours."""
    box, size = operator.box, operator.size
    small = [
        a
        for a in atoms
        if a.kind is not Kind.SPACE
        and not any(a is p for p in parts)
        and a.size < 0.87 * size
        and (
            -0.35 * size < box.y0 - a.box.y1 < 0.5 * size
            if is_above
            else -0.35 * size < a.box.y0 - box.y1 < 0.5 * size
        )
        and (a.box.y_centre < box.y0 if is_above else a.box.y_centre > box.y1)
    ]
    chosen = [a for a in small if a.box.x1 > box.x0 - 1 and a.box.x0 < box.x1 + 1]
    if not chosen:
        return []
    grown = True
    while grown:
        grown = False
        x0, x1 = min(a.box.x0 for a in chosen), max(a.box.x1 for a in chosen)
        for atom in small:
            if any(atom is c for c in chosen):
                continue
            gap = max(atom.box.x0 - x1, x0 - atom.box.x1)
            if gap < 0.28 * size and x1 - x0 < 6 * size:
                chosen.append(atom)
                grown = True
                break
    centre = (min(a.box.x0 for a in chosen) + max(a.box.x1 for a in chosen)) / 2
    return chosen if abs(centre - box.x_centre) < max(1.2 * size, box.width) else []
