"""Brackets: tall ones put together from pieces, and the matrices and cases that they hold."""

from itertools import pairwise

from tasks.core.pages.atoms import Atom, Kind
from tasks.core.pages.page import enclosing
from tasks.core.pages.rows import AXIS, SCRIPT_SIZE, axis_of, is_tall, row_latex
from tasks.core.pages.strokes import Rule

_FAMILY = {
    **dict.fromkeys("⎛⎜⎝", "("),
    **dict.fromkeys("⎞⎟⎠", ")"),
    **dict.fromkeys("⎡⎢⎣", "["),
    **dict.fromkeys("⎤⎥⎦", "]"),
    **dict.fromkeys("⎧⎨⎩", "{"),
    **dict.fromkeys("⎫⎬⎭", "}"),
    **dict.fromkeys("⌠⎮⌡", "∫"),
    "⏐": "|",
    "⎪": "{}",
    "⎷": "√",
}
_LATEX = {"{": r"\{", "}": r"\}", "∫": r"\int", "√": r"\surd"}
_KIND = {"∫": Kind.OPERATOR, "|": Kind.BAR, "√": Kind.ROOT}
_MATRIX = {"(": "pmatrix", "[": "bmatrix", "|": "vmatrix", "{": "Bmatrix", "⟨": "matrix"}


def assemble_pieces(atoms: list[Atom]) -> list[Atom]:
    """Pieces that touch in one column become one tall bracket, centred on its row's axis."""
    pieces = sorted((a for a in atoms if a.kind is Kind.PIECE), key=lambda a: (a.box.y0, a.box.x0))
    rest = [a for a in atoms if a.kind is not Kind.PIECE]
    columns: list[tuple[str, list[Atom]]] = []
    for piece in pieces:
        family = _FAMILY[piece.character]
        for index, (name, members) in enumerate(columns):
            last = members[-1]
            if (
                (family in name or name in family)
                and abs(_stem(last) - _stem(piece)) < 0.14 * piece.size
                and piece.box.y0 - max(m.box.y1 for m in members) < 0.75 * piece.size
                and piece.character not in "⎛⎞⎡⎤⎧⎫⌠"
            ):
                members.append(piece)
                columns[index] = (min(name, family, key=len), members)
                break
        else:
            columns.append((family, [piece]))
    return rest + [_bracket(name[0], members) for name, members in columns]


def _stem(piece: Atom) -> float:
    """The x of the piece's vertical stroke, which all pieces of one bracket share."""
    if piece.character in "⎛⎜⎝⎡⎢⎣⎧⎩⎬":
        return piece.box.x0
    if piece.character in "⎞⎟⎠⎤⎥⎦⎫⎭⎨":
        return piece.box.x1
    return piece.box.x_centre


def _bracket(character: str, members: list[Atom]) -> Atom:
    box = enclosing([m.box for m in members])
    kind = _KIND.get(character) or (Kind.OPEN if character in "([{" else Kind.CLOSE)
    return Atom(
        kind=kind,
        character=character,
        latex=_LATEX.get(character, character),
        box=box,
        y=box.y_centre + AXIS * members[0].size,
        size=members[0].size,
        is_math=True,
        axis=box.y_centre,
        glyphs=[g for m in members for g in m.glyphs],
    )


def bars_of_rules(verticals: list[Rule], horizontals: list[Rule], atoms: list[Atom]) -> list[Atom]:
    """Short vertical rules beside glyphs are | signs; those that meet level rules are borders."""
    bars: list[Atom] = []
    for rule in verticals:
        box = rule.box
        if any(h.box.grown(1.5).intersection(box) for h in horizontals if h.box.width > 30):
            continue
        beside = [
            a
            for a in atoms
            if a.kind is not Kind.SPACE
            and box.y0 - 0.3 * a.size < a.box.y_centre < box.y1 + 0.3 * a.size
            and min(abs(a.box.x0 - box.x1), abs(box.x0 - a.box.x1)) < 0.9 * a.size
        ]
        if not beside:
            continue
        size = max(a.size for a in beside)
        if 0.6 * size <= box.height <= 9 * size:
            axis = box.y_centre
            bars.append(
                Atom(
                    Kind.BAR, "|", "|", box, axis + AXIS * size, size, is_math=True, axis=axis
                )
            )  # fmt: skip
    return bars


def assemble_matrices(atoms: list[Atom]) -> list[Atom]:
    """Tall brackets around several rows become one atom; so does a lone { before rows (cases)."""
    fences = [
        a
        for a in atoms
        if a.kind in (Kind.OPEN, Kind.BAR) and a.box.height > 1.75 * a.size and is_tall(a)
    ]
    for fence in sorted(fences, key=lambda a: a.box.height):
        if not any(fence is a for a in atoms):
            continue
        partner = _partner(fence, atoms)
        if partner is None and fence.character != "{":
            continue
        inside = [
            a
            for a in atoms
            if a is not fence
            and a is not partner
            and fence.box.x1 - 1 < a.box.x_centre
            and (partner is None or a.box.x_centre < partner.box.x0 + 1)
            and fence.box.y0 - 0.35 * a.size < a.box.y_centre < fence.box.y1 + 0.35 * a.size
        ]
        if partner is None:
            inside = _until_gap(inside, fence)
        rows = rows_of(inside)
        if len(rows) < 2:
            continue
        structure = _matrix(fence, partner, rows)
        gone = {id(a) for a in inside} | {id(fence), id(partner)}
        atoms = [a for a in atoms if id(a) not in gone] + [structure]
    return atoms


def _partner(fence: Atom, atoms: list[Atom]) -> Atom | None:
    wanted = Kind.BAR if fence.kind is Kind.BAR else Kind.CLOSE
    slack = 0.2 * fence.box.height
    partners = [
        a
        for a in atoms
        if a.kind is wanted
        and a.box.x0 > fence.box.x1
        and abs(a.box.y0 - fence.box.y0) < slack
        and abs(a.box.y1 - fence.box.y1) < slack
    ]
    return min(partners, key=lambda a: a.box.x0, default=None)


def _until_gap(inside: list[Atom], fence: Atom) -> list[Atom]:
    """Atoms that follow the brace: up to a blank wider than a column gap, or to the first block
    that stands between the rows before it (the row that the cases are a part of goes on)."""
    kept: list[Atom] = []
    n_rows = 0
    for block in _blocks(inside, fence.size):
        if kept and block[0].box.x0 - max(a.box.x1 for a in kept) > 5.5 * fence.size:
            break
        rows = len(rows_of([*kept, *block]))
        if n_rows >= 2 and rows < n_rows:
            before = _before_axis(block, fence)
            return [*kept, *before] if len(rows_of([*kept, *before])) >= n_rows else kept
        kept, n_rows = [*kept, *block], rows
    return kept


def _before_axis(block: list[Atom], fence: Atom) -> list[Atom]:
    """The block up to the first atom on the axis of the row that the cases are a part of."""
    for index, atom in enumerate(block):
        axis = axis_of(atom) if is_tall(atom) else atom.y - AXIS * atom.size
        if abs(axis - fence.box.y_centre) < 0.2 * fence.size:
            return block[:index]
    return block


def _blocks(atoms: list[Atom], size: float) -> list[list[Atom]]:
    """Atoms from left to right, apart by blanks of two thirds of a size."""
    blocks: list[list[Atom]] = []
    right = 0.0
    for atom in sorted((a for a in atoms if a.kind is not Kind.SPACE), key=lambda a: a.box.x0):
        if not blocks or atom.box.x0 - right > 0.65 * size:
            blocks.append([])
        blocks[-1].append(atom)
        right = max(right, atom.box.x1)
    return blocks


def rows_of(atoms: list[Atom]) -> list[list[Atom]]:
    """Atoms by the row they stand on, top to bottom; scripts go with the nearest row."""
    inked = [a for a in atoms if a.kind is not Kind.SPACE]
    if not inked:
        return []
    size = max(a.size for a in inked)
    anchors: list[tuple[float, Atom]] = []
    for a in inked:
        if is_tall(a):
            anchors.append((axis_of(a), a))
        elif a.size >= SCRIPT_SIZE * size:
            anchors.append((a.y - AXIS * a.size, a))
    anchors.sort(key=lambda pair: pair[0])
    levels: list[list[float]] = []
    for axis, _ in anchors:
        if levels and axis - levels[-1][-1] < 0.4 * size:
            levels[-1].append(axis)
        else:
            levels.append([axis])
    centres = [sorted(level)[len(level) // 2] for level in levels]
    if len(centres) > 1 and min(b - a for a, b in pairwise(centres)) < (0.75 * size):
        return [inked]
    rows: list[list[Atom]] = [[] for _ in centres]
    for atom in atoms:
        axis = axis_of(atom) if is_tall(atom) else atom.box.y_centre
        nearest = min(range(len(centres)), key=lambda i: abs(centres[i] - axis))
        rows[nearest].append(atom)
    return [row for row in rows if any(a.kind is not Kind.SPACE for a in row)]


def column_gaps(rows: list[list[Atom]], least: float) -> list[float]:
    """The x in the middle of every blank strip, wider than `least`, that all rows share."""
    spans = sorted((a.box.x0, a.box.x1) for row in rows for a in row if a.kind is not Kind.SPACE)
    gaps: list[float] = []
    right = spans[0][1]
    for x0, x1 in spans[1:]:
        if x0 - right > least:
            gaps.append((x0 + right) / 2)
        right = max(right, x1)
    return gaps


def grid_latex(rows: list[list[Atom]], gaps: list[float]) -> str:
    r"""Rows by \\, cells by &, cut at the gaps."""
    lines = []
    for row in rows:
        edges = [float("-inf"), *gaps, float("inf")]
        cells = [
            row_latex([a for a in row if low < a.box.x_centre <= high])
            for low, high in pairwise(edges)
        ]
        lines.append(" & ".join(cells))
    return r" \\ ".join(lines)


def _matrix(fence: Atom, partner: Atom | None, rows: list[list[Atom]]) -> Atom:
    members = [fence, *(a for row in rows for a in row)] + ([partner] if partner else [])
    size = max(a.size for row in rows for a in row)
    gaps = column_gaps(rows, 0.55 * size)
    if partner is None:
        name = "cases"
        gaps = gaps[:1]
    else:
        name = _MATRIX.get(fence.character, "matrix")
    box = enclosing([m.box for m in members])
    axis = fence.box.y_centre
    return Atom(
        kind=Kind.STRUCTURE,
        character="",
        latex=rf"\begin{{{name}}}{grid_latex(rows, gaps)}\end{{{name}}}",
        box=box,
        y=axis + AXIS * size,
        size=size,
        is_math=True,
        axis=axis,
        glyphs=[g for m in members for g in m.glyphs],
    )
