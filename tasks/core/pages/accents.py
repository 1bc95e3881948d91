"""Accents, arrows and braces above letters: one atom with what they stand over."""

from tasks.core.pages.atoms import UNREAD, Atom, Kind
from tasks.core.pages.font_maps import FontMaps
from tasks.core.pages.page import enclosing
from tasks.core.pages.rows import row_latex

_WIDE = {
    r"\vec": r"\overrightarrow",
    r"\bar": r"\overline",
    r"\hat": r"\widehat",
    r"\tilde": r"\widetilde",
}
_ARROWS = "→⟶←↔"
_NEGATED = {"=": r"\neq", "∈": r"\notin"}


def attach_accents(atoms: list[Atom], maps: FontMaps) -> list[Atom]:
    """Join every accent with its base; an accent without a base stays as it is."""
    atoms = _with_strokes(_with_heads(atoms))
    marks = [a for a in atoms if a.kind is Kind.ACCENT or (a.character and a.character in _ARROWS)]
    for mark in sorted(marks, key=lambda a: a.box.width):
        command = maps.above.get(mark.character) or maps.below.get(mark.character)
        if command is None:
            continue
        is_below = mark.character in maps.below
        base = (
            _arrow_base(atoms, mark)
            if mark.character in _ARROWS
            else _base(atoms, mark, is_below=is_below)
        )
        if base:
            label = _label(atoms, mark, is_below=is_below) if mark.character in "⏞⏟" else []
            atoms = _joined(atoms, mark, base, label, command)
    return atoms


def _with_strokes(atoms: list[Atom]) -> list[Atom]:
    """A combining slash and the sign that it strikes out become the negated sign."""
    for slash in [a for a in atoms if a.character == "\u0338"]:
        struck = [
            a
            for a in atoms
            if a is not slash
            and a.kind in (Kind.SYMBOL, Kind.MARK)
            and slash.box.grown(0.5).intersection(a.box)
        ]
        if struck:
            sign = min(struck, key=lambda a: abs(a.box.x_centre - slash.box.x_centre))
            sign.latex = _NEGATED.get(sign.character, rf"\not{sign.latex}")
            sign.character, sign.kind, sign.is_math = "≠", Kind.SYMBOL, True
            sign.glyphs.extend(slash.glyphs)
            atoms = [a for a in atoms if a is not slash]
    return atoms


def _with_heads(atoms: list[Atom]) -> list[Atom]:
    """A glyph without a character that touches an accent is a part of it (an arrow's head)."""
    marks = [a for a in atoms if a.kind is Kind.ACCENT]
    for part in [a for a in atoms if a.character == UNREAD]:
        for mark in marks:
            if mark.box.grown(0.05 * mark.size).intersection(part.box):
                mark.box = mark.box.union(part.box)
                mark.glyphs.extend(part.glyphs)
                atoms = [a for a in atoms if a is not part]
                break
    return atoms


def _base(atoms: list[Atom], mark: Atom, *, is_below: bool) -> list[Atom]:
    box, size = mark.box, mark.size
    near = [
        a
        for a in atoms
        if a is not mark
        and a.kind in (Kind.LETTER, Kind.DIGIT, Kind.STRUCTURE, Kind.SYMBOL, Kind.MARK)
        and a.size > 0.6 * size
        and (
            -0.5 * size < box.y0 - a.box.y1 < 0.5 * size
            if is_below
            else -0.5 * size < a.box.y0 - box.y1 < 0.5 * size
        )
        and (a.box.y_centre < box.y_centre if is_below else a.box.y_centre > box.y_centre)
    ]
    if box.width > 0.8 * size and near:
        row = min(near, key=lambda a: abs(a.box.y0 - box.y1)).y
        inside = [
            a
            for a in atoms
            if a is not mark
            and a.kind is not Kind.SPACE
            and box.x0 - 0.5 <= a.box.x_centre <= box.x1 + 0.5
            and abs(a.y - row) < 0.3 * size
        ]
        if len(inside) > 1:
            return inside
    over = [
        a for a in near if min(a.box.x1, box.x1) - max(a.box.x0, box.x0) > -0.12 * size
        and abs(a.box.x_centre - box.x_centre) < 0.6 * size
    ]  # fmt: skip
    best = min(
        over, key=lambda a: abs(a.box.x_centre - box.x_centre) + 0.5 * abs(a.box.y0 - box.y1),
        default=None,
    )  # fmt: skip
    return [best] if best is not None else []


def _arrow_base(atoms: list[Atom], mark: Atom) -> list[Atom]:
    """Letters right under an arrow that spans just them."""
    box = mark.box
    under = [
        a
        for a in atoms
        if a.kind is Kind.LETTER
        and box.x0 - 0.2 * a.size < a.box.x_centre < box.x1 + 0.2 * a.size
        and -0.15 * a.size < a.box.y0 - box.y1 < 0.4 * a.size
        and a.box.y0 > box.y_centre
    ]
    if not under:
        return []
    x0, x1 = min(a.box.x0 for a in under), max(a.box.x1 for a in under)
    size = max(a.size for a in under)
    fits = abs(x0 - box.x0) < 0.45 * size and abs(x1 - box.x1) < 0.45 * size
    return under if fits and len({round(a.y) for a in under}) == 1 else []


def _label(atoms: list[Atom], mark: Atom, *, is_below: bool) -> list[Atom]:
    box = mark.box
    return [
        a
        for a in atoms
        if a is not mark
        and a.kind is not Kind.SPACE
        and box.x0 - 1 < a.box.x_centre < box.x1 + 1
        and a.size < 0.87 * mark.size
        and (
            0 <= a.box.y0 - box.y1 + 2 < 0.7 * mark.size
            if is_below
            else 0 <= box.y0 - a.box.y1 + 2 < 0.7 * mark.size
        )
    ]


def _joined(
    atoms: list[Atom], mark: Atom, base: list[Atom], label: list[Atom], command: str
) -> list[Atom]:
    if len(base) > 1:
        command = _WIDE.get(command, command)
    elif command == r"\overrightarrow":
        command = r"\vec"
    inner = row_latex(base)
    if command == r"\hat" and inner in ("ı", r"\imath"):
        inner = r"\imath"
    latex = f"{command}{{{inner}}}"
    if label:
        latex += f"{'_' if 'under' in command else '^'}{{{row_latex(label)}}}"
    members = [mark, *base, *label]
    first = max(base, key=lambda a: a.size)
    joined = Atom(
        kind=Kind.STRUCTURE,
        character="",
        latex=latex,
        box=enclosing([m.box for m in members]),
        y=first.y,
        size=first.size,
        is_bold=first.is_bold,
        is_math=True,
        axis=first.axis,
        glyphs=[g for m in members for g in m.glyphs],
    )
    gone = set(map(id, members))
    return [a for a in atoms if id(a) not in gone] + [joined]
