"""What level rules are beside the glyphs: fraction bars, roots, overlines; the rest stay rules.

Narrow rules are read first: what a fraction or root holds is narrower than itself, so that every
structure finds its parts already composed.
"""

from typing import NamedTuple

from tasks.core.pages.atoms import Atom, Kind
from tasks.core.pages.bounds import attach_bounds, operators_with_bounds
from tasks.core.pages.page import Box, enclosing
from tasks.core.pages.rows import AXIS, axis_of, baseline_of, is_tall, row_latex
from tasks.core.pages.strokes import RootStroke, Rule


class Reading(NamedTuple):
    """Atoms with their structures composed, and the rules that are part of none."""

    atoms: list[Atom]
    rules: list[Rule]


def read_bars(atoms: list[Atom], rules: list[Rule], roots: list[RootStroke]) -> Reading:
    """Compose fractions, roots, overlines and bounds, from the narrowest to the widest."""
    left: list[Rule] = []
    events: list[tuple[float, int, Rule | RootStroke | Atom]] = []
    signs = [a for a in atoms if a.kind is Kind.ROOT]
    events += [(rule.box.width + 1.5 * bool(_root_sign(signs, rule)), 2, rule) for rule in rules]
    events += [(root.box.width, 1, root) for root in roots]
    events += [(op.box.width, 0, op) for op in operators_with_bounds(atoms)]
    events.sort(key=lambda event: event[:2])
    for _, _, event in events:
        if isinstance(event, Atom):
            atoms = attach_bounds(atoms, event)
        elif isinstance(event, RootStroke):
            atoms = _compose_root(atoms, event.box, event.bar_x0, [])
        else:
            composed = _read_rule(atoms, event)
            if composed is None:
                left.append(event)
            else:
                atoms = composed
    return Reading(atoms, left)


def _read_rule(atoms: list[Atom], rule: Rule) -> list[Atom] | None:
    sign = _root_sign(atoms, rule)
    if sign is not None:
        box = Box(sign.box.x0, min(rule.box.y0, sign.box.y0), rule.box.x1, sign.box.y1)
        return _compose_root(atoms, box, sign.box.x1, [sign])
    above = _beside(atoms, rule, is_above=True)
    below = _beside(atoms, rule, is_above=False)
    if _is_fraction(above, below, rule) and not any(
        _goes_on(atoms, side) for side in (above, below)
    ):
        return _compose_fraction(atoms, above, below, rule)
    if _is_overline(above, below, rule):
        return _compose_overline(atoms, below, rule)
    return None


def _root_sign(atoms: list[Atom], rule: Rule) -> Atom | None:
    box = rule.box
    signs = [
        a
        for a in atoms
        if a.kind is Kind.ROOT
        and abs(a.box.x1 - box.x0) < 0.25 * a.size
        and abs(a.box.y0 - box.y0) < 0.25 * a.size
    ]
    return min(signs, key=lambda a: abs(a.box.x1 - box.x0), default=None)


def _compose_root(atoms: list[Atom], box: Box, bar_x0: float, sign: list[Atom]) -> list[Atom]:
    inside = [
        a
        for a in atoms
        if not any(a is s for s in sign)
        and bar_x0 - 0.6 <= a.box.x_centre <= box.x1 + 1
        and box.y0 - 1 <= a.box.y_centre <= box.y1 + 0.15 * box.height
    ]
    inked = [a for a in inside if a.kind is not Kind.SPACE]
    if not inked:
        return atoms
    baseline, size = baseline_of(inked)
    index = [
        a
        for a in atoms
        if a.kind is not Kind.SPACE
        and not any(a is s for s in [*sign, *inside])
        and a.size < 0.8 * size
        and box.x0 - 0.4 * size < a.box.x0
        and box.x0 + 0.12 * size < a.box.x1 < bar_x0 + 0.1 * size
        and box.y0 - 0.4 * size < a.box.y_centre < box.y_centre
    ]
    order = f"[{row_latex(index)}]" if index else ""
    root = _structure(rf"\sqrt{order}{{{row_latex(inked)}}}", [*inside, *index, *sign], size, box)
    root.y = baseline
    root.size = max([size, *(s.size for s in sign)])
    if all(is_tall(a) for a in inked):
        root.axis = axis_of(max(inked, key=lambda a: a.box.height))
    return _replaced(atoms, [*inside, *index, *sign], root)


def _beside(atoms: list[Atom], rule: Rule, *, is_above: bool) -> list[Atom]:
    """The atoms on one side of a rule, from the nearest on, as long as they overlap in height."""
    bar = rule.box
    side = [
        a
        for a in atoms
        if a.kind is not Kind.SPACE
        and bar.x0 - 1.5 <= a.box.x_centre <= bar.x1 + 1.5
        and (a.box.y_centre < bar.y_centre) is is_above
        and (a.box.y1 < bar.y1 + 0.25 * a.size if is_above else a.box.y0 > bar.y0 - 0.25 * a.size)
    ]

    def gap(atom: Atom) -> float:
        return bar.y0 - atom.bottom if is_above else atom.top - bar.y1

    side.sort(key=gap)
    chosen: list[Atom] = []
    reach = 0.0
    for atom in side:
        limit = 0.5 * atom.size if not chosen else reach + 0.03 * atom.size
        if gap(atom) > limit:
            break
        chosen.append(atom)
        far = bar.y0 - atom.top if is_above else atom.bottom - bar.y1
        reach = max(reach, far)
    return chosen


def _goes_on(atoms: list[Atom], chosen: list[Atom]) -> bool:
    """Whether the row goes on beyond the rule, which then only underlines a part of it."""
    members = {id(a) for a in chosen}
    x0, x1 = min(a.box.x0 for a in chosen), max(a.box.x1 for a in chosen)
    for atom in atoms:
        if id(atom) in members or atom.kind in (Kind.SPACE, Kind.ROOT):
            continue
        near = 0 <= atom.box.x0 - x1 < 0.3 * atom.size or 0 <= x0 - atom.box.x1 < 0.3 * atom.size
        if near and any(
            abs(a.y - atom.y) < 0.1 * a.size and a.axis is None and atom.axis is None
            for a in chosen
        ):
            return True
    return False


def _is_fraction(above: list[Atom], below: list[Atom], rule: Rule) -> bool:
    if not above or not below or any(_has_wide_blank(side) for side in (above, below)):
        return False
    size = max(a.size for a in [*above, *below])
    widths = [max(a.box.x1 for a in side) - min(a.box.x0 for a in side) for side in (above, below)]
    return rule.box.width <= max(widths) + 2.2 * size


def _has_wide_blank(side: list[Atom]) -> bool:
    ordered = sorted(side, key=lambda a: a.box.x0)
    right = ordered[0].box.x1
    for atom in ordered[1:]:
        if atom.box.x0 - right > 2.2 * atom.size:
            return True
        right = max(right, atom.box.x1)
    return False


def _compose_fraction(
    atoms: list[Atom], above: list[Atom], below: list[Atom], rule: Rule
) -> list[Atom]:
    size = max(a.size for a in [*above, *below])
    latex = rf"\frac{{{row_latex(above)}}}{{{row_latex(below)}}}"
    fraction = _structure(latex, [*above, *below], size, rule.box)
    fraction.axis = rule.box.y_centre
    fraction.y = fraction.axis + AXIS * size
    return _replaced(atoms, [*above, *below], fraction)


def _is_overline(above: list[Atom], below: list[Atom], rule: Rule) -> bool:
    """Nearer to what is below than to what is above, and as long as that."""
    if not below:
        return False
    size = max(a.size for a in below)
    gap = min(a.box.y0 for a in below) - rule.box.y1
    if above and rule.box.y0 - max(a.bottom for a in above) < gap:
        return False
    width = max(a.box.x1 for a in below) - min(a.box.x0 for a in below)
    return gap < 0.3 * size and rule.box.width < width + 0.6 * size


def _compose_overline(atoms: list[Atom], below: list[Atom], rule: Rule) -> list[Atom]:
    baseline, size = baseline_of(below)
    main = [a for a in below if a.size > 0.8 * size]
    command = r"\bar" if len(main) == 1 else r"\overline"
    line = _structure(rf"{command}{{{row_latex(below)}}}", below, size, rule.box)
    line.y = baseline
    return _replaced(atoms, below, line)


def _structure(latex: str, members: list[Atom], size: float, box: Box) -> Atom:
    return Atom(
        kind=Kind.STRUCTURE,
        character="",
        latex=latex,
        box=enclosing([box, *(m.box for m in members)]),
        y=box.y1,
        size=size,
        is_math=True,
        glyphs=[g for m in members for g in m.glyphs],
    )


def _replaced(atoms: list[Atom], members: list[Atom], structure: Atom) -> list[Atom]:
    gone = set(map(id, members))
    return [a for a in atoms if id(a) not in gone] + [structure]
