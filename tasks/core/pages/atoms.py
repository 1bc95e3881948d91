"""Atoms: the smallest things that a line is composed of, from one glyph to a whole fraction.

Rebuilding an equation means replacing several atoms by one that holds their LaTeX. Each atom
remembers the glyphs it came from, so that none is lost.
"""

from dataclasses import dataclass, field
from enum import Enum, auto

from tasks.core.pages.font_maps import FontMaps
from tasks.core.pages.page import Box, Page

UNREAD = "\ufffd"


class Kind(Enum):
    """What an atom does in a row."""

    LETTER = auto()
    DIGIT = auto()
    MARK = auto()  # punctuation and everything else that text has too
    SYMBOL = auto()  # a mathematical sign
    OPEN = auto()
    CLOSE = auto()
    BAR = auto()  # | opens and closes
    OPERATOR = auto()  # takes bounds
    PIECE = auto()  # part of a tall bracket
    ACCENT = auto()
    ROOT = auto()
    SPACE = auto()
    STRUCTURE = auto()  # fraction, root, matrix: LaTeX of its own


@dataclass(slots=True, eq=False)
class Atom:
    """`character` reads as text, `latex` as mathematics. `y` is the baseline, `size` the font's.

    `axis` is the y at which a STRUCTURE or tall bracket is centred on its row.
    """

    kind: Kind
    character: str
    latex: str
    box: Box
    y: float
    size: float
    is_italic: bool = False
    is_bold: bool = False
    is_math: bool = False
    axis: float | None = None
    glyphs: list[int] = field(default_factory=list)

    @property
    def top(self) -> float:
        """The ink's top, or that of a capital letter where the ink is lower."""
        if self.axis is not None or self.kind is Kind.STRUCTURE:
            return self.box.y0
        return min(self.box.y0, self.y - 0.66 * self.size)

    @property
    def bottom(self) -> float:
        """The ink's bottom, or the baseline where the ink ends above it."""
        if self.axis is not None or self.kind is Kind.STRUCTURE:
            return self.box.y1
        return max(self.box.y1, self.y)


_OPEN, _CLOSE = "([{⟨⌊⌈", ")]}⟩⌋⌉"
_OPERATORS = "∑∏∐∫∬∭∮⋃⋂⋀⋁⨀⨁⨂"
_PIECES = "⎛⎜⎝⎞⎟⎠⎡⎢⎣⎤⎥⎦⎧⎨⎩⎪⎫⎬⎭⏐⌠⎮⌡⎷"
_LINE_END_HYPHEN = 2  # PDFium's code for a hyphen that ends a line
# Greek and signs that only mathematics uses; text has the others too.
_TEXT_MARKS = set(".,;:!?'\"`’‘“”-–—/()[]%&*+=<>|_@#$^~•…°")


def read_atoms(page: Page, maps: FontMaps) -> list[Atom]:
    """One atom for each glyph that the page shows, in no order of reading."""
    atoms = []
    for index, glyph in enumerate(page.glyphs):
        value, is_italic, is_bold, is_symbol = maps.read(glyph)
        box, size = glyph.box, glyph.size
        has_ink = box.width > 0.05 and box.height > 0.05
        if value is not None and (value.isspace() or value in "\u200b\xad") and not has_ink:
            atoms.append(_space(index, glyph.x, glyph.y, size))
            continue
        if glyph.code == _LINE_END_HYPHEN:
            value = "-"
        elif value is None or value.isspace() or ord(value[0]) < 0x20:
            value = UNREAD
        latex = maps.commands.get(value, value)
        kind = _kind(value, maps, box, glyph.y, size)
        atoms.append(
            Atom(
                kind=kind,
                character=value,
                latex=latex,
                box=box if has_ink else Box(glyph.x, glyph.y - size * 0.5, glyph.x + 0.1, glyph.y),
                y=glyph.y,
                size=size,
                is_italic=is_italic,
                is_bold=is_bold,
                is_math=is_symbol
                or not (value.isascii() or value in _TEXT_MARKS or value.isalpha()),
                glyphs=[index],
            )
        )
    return atoms


def _space(index: int, x: float, y: float, size: float) -> Atom:
    box = Box(x, y - size * 0.3, x + size * 0.2, y)
    return Atom(Kind.SPACE, " ", " ", box, y, size, glyphs=[index])


def _kind(value: str, maps: FontMaps, box: Box, y: float, size: float) -> Kind:
    if value in _PIECES:
        return Kind.PIECE
    if value == "√":
        return Kind.ROOT
    if value in _OPERATORS:
        return Kind.OPERATOR
    if value in _OPEN:
        return Kind.OPEN
    if value in _CLOSE:
        return Kind.CLOSE
    if value in "|∣":
        return Kind.BAR
    if _is_accent(value, maps, box, y, size):
        return Kind.ACCENT
    if value.isdigit() and value.isascii():
        return Kind.DIGIT
    if value.isalpha():
        return Kind.LETTER
    return Kind.MARK if value in _TEXT_MARKS else Kind.SYMBOL


def _is_accent(value: str, maps: FontMaps, box: Box, y: float, size: float) -> bool:
    """Combining marks always; signs that may stand alone only where they hang above a row."""
    if value in maps.below:
        return value in "⏟⏝"
    if value not in maps.above:
        return False
    if "\u0300" <= value <= "\u036f" or "\u20d0" <= value <= "\u20ff" or value in "⏞⏜ˆ˜ˉ˙¨ˇ˘":
        return True
    return value in "^¯‾´`"
