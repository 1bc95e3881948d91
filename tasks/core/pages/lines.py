"""A page's atoms → its lines of text, top to bottom.

Full-size atoms with one baseline make a line; tall structures join the line that passes through
their axis; scripts join the line of what stands before them.
"""

from bisect import bisect_left
from typing import NamedTuple

from tasks.core.pages.arrays import compose_arrays
from tasks.core.pages.atoms import Atom, Kind
from tasks.core.pages.page import Box, enclosing
from tasks.core.pages.prose import SPAN_GAP, Span, read_spans
from tasks.core.pages.rows import AXIS, SCRIPT_SIZE, axis_of, is_tall, read_row


class Line(NamedTuple):
    """One line of a page (numbered from 1), as spans from left to right.

    `panel` counts the page's columns and full-width parts in reading order, from 0.
    """

    page: int
    panel: int
    box: Box
    baseline: float
    spans: tuple[Span, ...]

    @property
    def text(self) -> str:
        """The spans, joined by blanks."""
        return " ".join(span.text for span in self.spans)


def body_size(atoms: list[Atom]) -> float:
    """The largest size that at least a quarter of the glyphs reach; 0 for an empty page."""
    sizes = sorted((round(a.size * 2) / 2 for a in atoms if a.kind is not Kind.SPACE), reverse=True)
    return sizes[(len(sizes) - 1) // 4] if sizes else 0.0


def read_lines(atoms: list[Atom], page: int, panel: int = 0) -> list[Line]:
    """Every atom ends in exactly one line."""
    body = body_size(atoms)
    if not body:
        return []
    lines = []
    groups = sorted(_grouped(atoms, body), key=_middle)
    for members in compose_arrays(groups, body):
        rows = [read_row(part) for part in _columns(members, body)]
        spans = tuple(span for row in rows for span in read_spans(row))
        if spans:
            box = enclosing([span.box for span in spans])
            lines.append(Line(page, panel, box, rows[0].baseline, spans))
    return sorted(lines, key=lambda line: (line.baseline, line.box.x0))


def _middle(atoms: list[Atom]) -> float:
    return sorted(a.y for a in atoms)[len(atoms) // 2]


def _columns(atoms: list[Atom], body: float) -> list[list[Atom]]:
    """The parts of a line between wide blanks: each has a baseline of its own."""
    parts: list[list[Atom]] = [[]]
    right: float | None = None
    for atom in sorted(atoms, key=lambda a: (a.box.x0, a.box.x1)):
        if atom.kind is not Kind.SPACE:
            if right is not None and atom.box.x0 - right > SPAN_GAP * body:
                parts.append([])
            right = max(right or atom.box.x1, atom.box.x1)
        parts[-1].append(atom)
    return parts


def _grouped(atoms: list[Atom], body: float) -> list[list[Atom]]:
    full = [
        a for a in atoms if a.kind is not Kind.SPACE and not is_tall(a) and a.size >= 0.8 * body
    ]
    groups: list[list[Atom]] = []
    for atom in sorted(full, key=lambda a: a.y):
        if groups and atom.y - groups[-1][-1].y <= 0.22 * body:
            groups[-1].append(atom)
        else:
            groups.append([atom])
    groups = _absorbed(groups, body)
    baselines = [sorted(a.y for a in group)[len(group) // 2] for group in groups]
    chosen = set(map(id, full))
    rest = [a for a in atoms if id(a) not in chosen]
    ordered = sorted(rest, key=lambda a: (not is_tall(a), a.kind is Kind.SPACE, a.box.x0))
    extra: list[list[Atom]] = []
    tall_lines: list[tuple[Atom, int]] = []
    for atom in ordered:
        index = _line_of_base(atom, tall_lines)
        if index is None and not is_tall(atom) and atom.kind is not Kind.SPACE:
            index = _line_of_neighbour(atom, groups, baselines, body)
        if index is None:
            index = _line_of(atom, groups, baselines, body)
        if index is not None and is_tall(atom):
            tall_lines.append((atom, index))
        if index is not None:
            groups[index].append(atom)
        elif not _joins(extra, atom, body):
            extra.append([atom])
    return groups + [g for g in extra if any(a.kind is not Kind.SPACE for a in g)]


def _absorbed(groups: list[list[Atom]], body: float) -> list[list[Atom]]:
    """Full-size scripts: a short group a little above or below a longer one, inside its width."""
    merged: list[list[Atom]] = []
    for group in groups:
        if merged:
            last = merged[-1]
            gap = min(a.y for a in group) - max(a.y for a in last)
            short, long = sorted((group, last), key=len)
            if gap < 0.55 * body and len(short) <= 4 < len(long) and _touches(short, long, body):
                last.extend(group)
                continue
        merged.append(list(group))
    return merged


def _touches(short: list[Atom], long: list[Atom], body: float) -> bool:
    return all(any(-0.1 * body < s.box.x0 - a.box.x1 < 0.4 * body for a in long) for s in short[:1])


def _line_of_base(atom: Atom, tall_lines: list[tuple[Atom, int]]) -> int | None:
    """The line of the tall bracket or structure that the atom is a script of."""
    if atom.kind is Kind.SPACE or (is_tall(atom) and atom.kind is not Kind.STRUCTURE):
        return None
    for base, index in tall_lines:
        overlap = 0.9 * base.box.width if base.kind is Kind.OPERATOR else 0.15 * base.size
        if (
            -overlap < atom.box.x0 - base.box.x1 < 0.4 * base.size
            and base.box.y0 - 0.6 * atom.size < atom.box.y_centre < base.box.y1 + 0.6 * atom.size
        ):
            return index
    return None


def _line_of_neighbour(
    atom: Atom, groups: list[list[Atom]], baselines: list[float], body: float
) -> int | None:
    """The line of the atom right before this script: a base, or a script of the same base."""
    low = bisect_left(baselines, atom.y - 1.6 * body)
    high = bisect_left(baselines, atom.y + 1.6 * body)
    best: tuple[float, int] | None = None
    for index in range(low, high):
        for other in groups[index]:
            gap = atom.box.x0 - other.box.x1
            if other.kind is Kind.SPACE or not -0.12 * body < gap < 0.22 * body:
                continue
            apart = max(other.top - atom.box.y1, atom.box.y0 - other.bottom)
            if apart < 0.05 * body and (best is None or abs(gap) + apart < best[0]):
                best = abs(gap) + apart, index
    return best[1] if best else None


def _line_of(
    atom: Atom, groups: list[list[Atom]], baselines: list[float], body: float
) -> int | None:
    """The line an atom off the full-size baselines belongs to; None: none is near."""
    if not baselines:
        return None
    if is_tall(atom):
        place = axis_of(atom) + AXIS * body
        reach = max(0.45 * body, 0.3 * atom.box.height if atom.kind is not Kind.STRUCTURE else 0)
    elif atom.kind is Kind.SPACE or atom.size >= 0.8 * body:
        place, reach = atom.y, 0.3 * body
    else:
        place, reach = atom.y, 0.75 * body
    at = bisect_left(baselines, place)
    best: tuple[float, int] | None = None
    for index in range(max(0, at - 2), min(len(baselines), at + 2)):
        distance = abs(baselines[index] - place)
        if distance > reach:
            continue
        if not is_tall(atom) and atom.kind is not Kind.SPACE:
            gap = min(
                (
                    abs(atom.box.x0 - other.box.x1)
                    for other in groups[index]
                    if other.box.x0 < atom.box.x1 + 0.2 * body
                ),
                default=3 * body,
            )
            distance += min(gap, 3 * body)
        if best is None or distance < best[0]:
            best = distance, index
    if best is None and atom.kind is Kind.STRUCTURE and atom.size < SCRIPT_SIZE * body:
        for index, group in enumerate(groups):
            if any(_is_script_of(atom, base, body) for base in group):
                return index
    return best[1] if best else None


def _is_script_of(atom: Atom, base: Atom, body: float) -> bool:
    gap = atom.box.x0 - base.box.x1
    return -0.1 * body < gap < 0.3 * body and (
        base.top - 0.35 * body < atom.box.y1 < base.box.y_centre
        or base.box.y_centre < atom.box.y0 < base.bottom + 0.35 * body
    )


def _joins(extra: list[list[Atom]], atom: Atom, body: float) -> bool:
    for group in extra:
        head = group[0]
        if abs(head.y - atom.y) < 0.5 * body:
            group.append(atom)
            return True
    return False
