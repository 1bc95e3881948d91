"""Long arrows put together from minus signs and a head, and the labels above and below arrows."""

from tasks.core.pages.atoms import Atom, Kind
from tasks.core.pages.page import enclosing
from tasks.core.pages.rows import AXIS, row_latex

_SHAFTS = "−-=⎯"
_HEADS = {"→": r"\longrightarrow", "←": r"\longleftarrow"}
LABELLED = 1.7  # sizes; a shorter arrow stands for itself


def assemble_arrows(atoms: list[Atom]) -> list[Atom]:
    """Shaft pieces that touch each other and a head become one arrow."""
    for head in [a for a in atoms if a.character in _HEADS and a.character]:
        shafts = sorted(
            (
                a
                for a in atoms
                if a.character
                and a.character in _SHAFTS
                and abs(a.y - head.y) < 0.6
                and a.box.x0 < head.box.x1
                and abs(a.size - head.size) < 0.5
            ),
            key=lambda a: -a.box.x1,
        )
        members = [head]
        left = head.box.x0
        for shaft in shafts:
            if shaft.box.x1 < left - 0.04 * head.size:
                break
            members.append(shaft)
            left = min(left, shaft.box.x0)
        if len(members) > 1:
            atoms = _joined(atoms, members, head)
    return atoms


def _joined(atoms: list[Atom], members: list[Atom], head: Atom) -> list[Atom]:
    arrow = Atom(
        kind=Kind.SYMBOL,
        character=head.character,
        latex=_HEADS[head.character],
        box=enclosing([m.box for m in members]),
        y=head.y,
        size=head.size,
        is_math=True,
        glyphs=[g for m in members for g in m.glyphs],
    )
    gone = set(map(id, members))
    return [a for a in atoms if id(a) not in gone] + [arrow]


def attach_labels(atoms: list[Atom]) -> list[Atom]:
    """Smaller writing above and below a long arrow becomes part of it."""
    for arrow in [a for a in atoms if a.character in _HEADS and a.character]:
        if arrow.box.width < LABELLED * arrow.size:
            continue
        near = [
            a
            for a in atoms
            if a is not arrow
            and a.kind is not Kind.SPACE
            and arrow.box.x0 - 1 < a.box.x_centre < arrow.box.x1 + 1
            and a.size < 0.87 * arrow.size
            and abs(a.box.y_centre - arrow.box.y_centre) < 1.3 * arrow.size
        ]
        above = [a for a in near if a.box.y_centre < arrow.box.y_centre]
        below = [a for a in near if a.box.y_centre >= arrow.box.y_centre]
        if near:
            atoms = _labelled(atoms, arrow, above, below)
    return atoms


def _labelled(atoms: list[Atom], arrow: Atom, above: list[Atom], below: list[Atom]) -> list[Atom]:
    latex = _HEADS[arrow.character]
    if above:
        latex = rf"\stackrel{{{row_latex(above)}}}{{{latex}}}"
    if below:
        latex = rf"\underset{{{row_latex(below)}}}{{{latex}}}"
    members = [arrow, *above, *below]
    labelled = Atom(
        kind=Kind.STRUCTURE,
        character="",
        latex=latex,
        box=enclosing([m.box for m in members]),
        y=arrow.box.y_centre + AXIS * arrow.size,
        size=arrow.size,
        is_math=True,
        glyphs=[g for m in members for g in m.glyphs],
    )
    gone = set(map(id, members))
    return [a for a in atoms if id(a) not in gone] + [labelled]
