"""One row of atoms → LaTeX: scripts by geometry, accents and bounds already in their atoms.

A row has a baseline and a size. An atom stands on the row, or it is a script of the atom before
it: smaller and off the baseline, or clearly above or below. Scripts are rows themselves.
"""

from collections import Counter
from typing import NamedTuple

from tasks.core.pages.atoms import Atom, Kind
from tasks.core.pages.page import Box, enclosing

AXIS = 0.25  # height of the mathematical axis above the baseline, in sizes
TALL = 1.35  # a bracket higher than this many sizes is centred on the axis instead
SCRIPT_SIZE = 0.81
FUNCTIONS = frozenset(
    [
        *("sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "coth"),
        *("arcsin", "arccos", "arctan", "log", "ln", "exp", "lim", "max", "min", "sup", "inf"),
        *("det", "arg", "gcd", "deg", "dim", "ker", "Pr"),
    ]
)


class Piece(NamedTuple):
    """An atom of a row together with its scripts."""

    atom: Atom
    below: str
    above: str
    box: Box

    @property
    def has_scripts(self) -> bool:
        """Whether anything is raised or lowered at it."""
        return bool(self.below or self.above)


class Row(NamedTuple):
    """Pieces from left to right on one baseline."""

    pieces: list[Piece]
    baseline: float
    size: float


_STRETCHED = (Kind.OPEN, Kind.CLOSE, Kind.BAR, Kind.OPERATOR, Kind.ROOT)


def is_tall(atom: Atom) -> bool:
    """Whether its height, not its baseline, places it: centred on the axis of its row."""
    return atom.axis is not None or (atom.kind in _STRETCHED and atom.box.height > TALL * atom.size)


def baseline_of(atoms: list[Atom]) -> tuple[float, float]:
    """Baseline and size of the row that the largest ordinary atoms stand on.

    Of atoms that are all tall (a fraction alone) the axis decides.
    """
    ordinary = [a for a in atoms if not is_tall(a) and a.kind is not Kind.SPACE]
    ordinary = [a for a in ordinary if a.kind not in _STRETCHED] or ordinary
    if not ordinary:
        tall = [a for a in atoms if a.kind is not Kind.SPACE]
        if not tall:
            return atoms[0].y, atoms[0].size
        size = max(a.size for a in tall)
        widest = max(tall, key=lambda a: a.box.height)
        return axis_of(widest) + AXIS * size, size
    largest = max(a.size for a in ordinary)
    full = [a for a in ordinary if a.size >= SCRIPT_SIZE * largest]
    weights = Counter(round(a.y * 2) for a in full)
    best = max(weights, key=lambda y: (weights[y] + 0.6 * (weights[y - 1] + weights[y + 1]), y))
    near = sorted(a.y for a in full if abs(a.y * 2 - best) <= 1.01)
    tall_axes = [axis_of(a) for a in atoms if a.axis is not None]
    if len(near) == 1 and tall_axes and len(full) > 1:
        axis = sorted(tall_axes)[len(tall_axes) // 2]
        near = [min((a.y for a in full), key=lambda y: abs(y - AXIS * largest - axis))]
    return near[len(near) // 2], largest


def axis_of(atom: Atom) -> float:
    """The y at which a tall atom is centred."""
    return atom.axis if atom.axis is not None else atom.box.y_centre


def stands_on(atom: Atom, baseline: float, size: float) -> bool:
    """Whether the atom is part of the row itself."""
    axis = baseline - AXIS * size
    if is_tall(atom):
        reach = 0.22 * size if atom.size > SCRIPT_SIZE * size else 0.17 * size
        if atom.axis is None:
            reach = max(reach, 0.35 * atom.box.height)
        return abs(axis_of(atom) - axis) <= reach
    offset = abs(atom.y - baseline)
    if atom.kind is Kind.OPERATOR:
        return offset <= 0.45 * size
    if atom.size < SCRIPT_SIZE * size:
        return offset <= 0.07 * size
    if atom.size < 0.95 * size:
        return offset <= 0.18 * size
    return offset <= (0.27 if atom.kind is Kind.STRUCTURE else 0.4) * size


def read_row(atoms: list[Atom]) -> Row:
    """Compose atoms that belong to one row. Every atom ends in a piece or in a script of one."""
    if not atoms:
        return Row([], 0.0, 0.0)
    atoms = sorted(atoms, key=lambda a: (a.box.x0, a.box.x1))
    baseline, size = baseline_of(atoms)
    main = [a for a in atoms if a.kind is not Kind.SPACE and stands_on(a, baseline, size)]
    if not main:
        main = [a for a in atoms if a.kind is not Kind.SPACE][:1] or atoms[:1]
    chosen = set(map(id, main))
    pieces: list[Piece] = []
    loose: list[Atom] = []  # scripts since the last piece
    for atom in atoms:
        if atom.kind is Kind.SPACE:
            if not loose or stands_on(atom, baseline, size):
                pieces = _close(pieces, loose, baseline, size)
                loose = []
                pieces.append(Piece(atom, "", "", atom.box))
        elif id(atom) in chosen:
            pieces = _close(pieces, loose, baseline, size, before=atom)
            loose = []
            pieces.append(Piece(atom, "", "", atom.box))
        else:
            loose.append(atom)
    return Row(_close(pieces, loose, baseline, size), baseline, size)


def _close(
    pieces: list[Piece],
    loose: list[Atom],
    baseline: float,
    size: float,
    before: Atom | None = None,
) -> list[Piece]:
    """Give the loose scripts to the piece before them (or, set before a letter, to none)."""
    scripts = [a for a in loose if a.kind is not Kind.SPACE]
    if not scripts:
        return pieces
    base = pieces[-1] if pieces else None
    if base is not None and base.atom.kind is Kind.SPACE and len(pieces) > 1:
        gap = min(a.box.x0 for a in scripts) - pieces[-2].box.x1
        lead = before.box.x0 - max(a.box.x1 for a in scripts) if before is not None else size
        if gap < 0.35 * size and lead > 0.2 * size:
            pieces = pieces[:-1]
            base = pieces[-1]
    axis = base.atom.box.y_centre if base and is_tall(base.atom) else baseline - AXIS * size
    above = [a for a in scripts if a.box.y_centre < axis]
    below = [a for a in scripts if a.box.y_centre >= axis]
    box = enclosing([a.box for a in scripts])
    if base is None or base.atom.kind is Kind.SPACE:
        glyphs = [g for a in scripts for g in a.glyphs]
        blank = Atom(
            Kind.STRUCTURE, "", "{}", Box(box.x0, baseline, box.x0, baseline), baseline, size,
            is_math=True, glyphs=glyphs,
        )  # fmt: skip
        return [*pieces, Piece(blank, row_latex(below), row_latex(above), box)]
    base.atom.glyphs.extend(g for a in scripts for g in a.glyphs)
    return [
        *pieces[:-1],
        Piece(
            base.atom,
            base.below + row_latex(below),
            base.above + row_latex(above),
            base.box.union(box),
        ),
    ]


def row_latex(atoms: list[Atom]) -> str:
    """The atoms as one piece of mathematics, without delimiters; empty for none."""
    if not atoms:
        return ""
    return pieces_latex(read_row(atoms).pieces)


def pieces_latex(pieces: list[Piece]) -> str:
    r"""Mathematics: upright words as \mathrm or as functions, scripts in braces."""
    parts: list[str] = []
    word: list[Piece] = []

    def close_word() -> None:
        if word:
            parts.append(_word_latex(word))
            word.clear()

    previous: Piece | None = None
    for piece in pieces:
        atom = piece.atom
        if atom.kind is Kind.SPACE:
            close_word()
        elif _is_upright(atom):
            if previous is not None and word and atom.box.x0 - previous.box.x1 > 0.2 * atom.size:
                close_word()
            word.append(piece)
            if piece.has_scripts:
                close_word()
        else:
            close_word()
            latex = rf"\mathbf{{{atom.latex}}}" if _is_bold_letter(atom) else atom.latex
            parts.append(scripted(latex, piece))
        if atom.kind is not Kind.SPACE:
            previous = piece
    close_word()
    return spaced(parts)


def _is_upright(atom: Atom) -> bool:
    return atom.kind is Kind.LETTER and not atom.is_italic and atom.character.isascii()


def _is_bold_letter(atom: Atom) -> bool:
    return atom.is_bold and atom.kind is Kind.LETTER and len(atom.latex) == 1


def _word_latex(word: list[Piece]) -> str:
    text = "".join(p.atom.character for p in word)
    if text in FUNCTIONS:
        return scripted("\\" + text, word[-1])
    for name in sorted(FUNCTIONS, key=len, reverse=True):
        if len(name) > 2 and text.startswith(name) and len(text) == len(name) + 1:
            return spaced([f"\\{name}", scripted(rf"\mathrm{{{text[-1]}}}", word[-1])])
    font = r"\mathbf" if all(p.atom.is_bold for p in word) else r"\mathrm"
    return scripted(f"{font}{{{text}}}", word[-1])


def scripted(latex: str, piece: Piece) -> str:
    """`latex` with the scripts of the piece: primes first, then below, then above."""
    below = f"_{{{piece.below}}}" if piece.below else ""
    above = piece.above
    if above and set(above) <= {"'"}:
        return f"{latex}{above}{below}"
    if above in (r"^{\circ}", r"\circ"):
        above = r"^{\circ}"
        return f"{latex}{below}{above}"
    return f"{latex}{below}" + (f"^{{{above}}}" if above else "")


def spaced(parts: list[str]) -> str:
    """Joined, with a blank after a command that a letter follows."""
    text = ""
    for part in parts:
        if part and text and part[0].isalpha() and _ends_in_command(text):
            text += " "
        text += part
    return text


def _ends_in_command(text: str) -> bool:
    stem = text.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return stem.endswith("\\") and len(stem) < len(text)
