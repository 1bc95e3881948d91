"""A composed row → text with mathematics between dollar signs, in spans cut at wide blanks."""

from typing import NamedTuple

from tasks.core.pages.atoms import UNREAD, Atom, Kind
from tasks.core.pages.page import Box, enclosing
from tasks.core.pages.rows import FUNCTIONS, Piece, Row, pieces_latex, spaced

SPAN_GAP = 1.9  # sizes; a wider blank separates columns of a table or options in a row
WORD_GAP = 0.16
DIGIT_GAP = 0.3  # a 1 has little ink in a wide cell
UNREAD_LATEX = r"\boxed{?}"

_TEXT_ESCAPES = {
    "%": r"\%", "&": r"\&", "#": r"\#", "$": r"\$", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}",
    UNREAD: UNREAD_LATEX,
}  # fmt: skip
_NEUTRAL = set("0123456789.,=<>+-/()[]|:;*!'–%")
_PUNCTUATION = ".,;:?"


class Span(NamedTuple):
    """A part of a line without a wide blank. `glyphs` are indices into the page's glyphs."""

    text: str
    box: Box
    glyphs: tuple[int, ...]
    size: float


class _Token(NamedTuple):
    pieces: list[Piece]
    is_math: bool
    is_neutral: bool


def read_spans(row: Row) -> list[Span]:
    """The row's spans from left to right."""
    groups: list[list[Piece]] = [[]]
    right: float | None = None
    for piece in row.pieces:
        if piece.atom.kind is not Kind.SPACE:
            if right is not None and piece.box.x0 - right > SPAN_GAP * row.size:
                groups.append([])
            right = max(right or piece.box.x1, piece.box.x1)
        groups[-1].append(piece)
    return [_span(group, row.size) for group in groups if group]


def _span(pieces: list[Piece], size: float) -> Span:
    inked = [p for p in pieces if p.atom.kind is not Kind.SPACE]
    glyphs = tuple(g for p in pieces for g in p.atom.glyphs)
    box = enclosing([p.box for p in inked or pieces])
    return Span(_text(_tokens(pieces)), box, glyphs, size)


def _tokens(pieces: list[Piece]) -> list[_Token]:
    tokens: list[_Token] = []
    current: list[Piece] = []
    for piece in pieces:
        is_blank = piece.atom.kind is Kind.SPACE
        gap = piece.box.x0 - current[-1].box.x1 if current and not is_blank else 0.0
        is_narrow = piece.atom.kind is Kind.DIGIT or piece.atom.character in (".", ",")
        least = DIGIT_GAP if is_narrow else WORD_GAP
        if current and (is_blank or gap > least * piece.atom.size):
            tokens.append(_token(current))
            current = []
        if not is_blank:
            current.append(piece)
    if current:
        tokens.append(_token(current))
    return tokens


def _token(pieces: list[Piece]) -> _Token:
    letters = [p for p in pieces if p.atom.kind is Kind.LETTER]
    text = "".join(p.atom.character for p in pieces)
    is_math = any(
        p.has_scripts
        or p.atom.is_math
        or p.atom.kind in (Kind.STRUCTURE, Kind.OPERATOR, Kind.ROOT, Kind.SYMBOL)
        for p in pieces
    ) or (0 < len(letters) <= 2 and all(p.atom.is_italic for p in letters))
    is_function = text.strip("()") in FUNCTIONS
    is_neutral = not is_math and (all(c in _NEUTRAL for c in text) or is_function)
    if len(text) == 3 and text[0] == "(" and text[2] == ")" and text[1].isalnum():
        is_neutral = is_math = False
        is_math = any(p.has_scripts for p in pieces)
    return _Token(pieces, is_math, is_neutral)


def _text(tokens: list[_Token]) -> str:
    parts: list[str] = []
    index = 0
    while index < len(tokens):
        if not tokens[index].is_math:
            end = index + 1
            if _is_bold(tokens[index]):
                while end < len(tokens) and _is_bold(tokens[end]):
                    end += 1
            parts.append(_plain(tokens[index:end]))
            index = end
            continue
        end = last = index
        while end < len(tokens) and (tokens[end].is_math or tokens[end].is_neutral):
            if tokens[end].is_math or _continues(tokens[end]):
                last = end
            end += 1
        parts.append(_mathematics(tokens[index : last + 1]))
        index = last + 1
    return " ".join(part for part in parts if part)


def _continues(token: _Token) -> bool:
    """A neutral token that belongs to mathematics before it: a sign, or a number after one."""
    text = "".join(p.atom.character for p in token.pieces)
    return any(c in "=<>+/" for c in text)


def _mathematics(tokens: list[_Token]) -> str:
    pieces = [p for token in tokens for p in token.pieces]
    tail = ""
    while len(pieces) > 1 and _is_punctuation(pieces[-1]):
        tail = pieces[-1].atom.character + tail
        pieces = pieces[:-1]
    kept = set(map(id, pieces))
    parts = [pieces_latex([p for p in token.pieces if id(p) in kept]) for token in tokens]
    latex = ""
    for part in parts:
        if latex.endswith("}") and part.startswith((r"\mathrm", r"\mathbf")):
            latex += r"\ "
        latex = spaced([latex, part])
    return f"${latex.replace(UNREAD, UNREAD_LATEX)}${tail}"


def _is_punctuation(piece: Piece) -> bool:
    return not piece.has_scripts and piece.atom.character in tuple(_PUNCTUATION)


def _is_bold(token: _Token) -> bool:
    letters = [p for p in token.pieces if p.atom.kind in (Kind.LETTER, Kind.DIGIT)]
    return not token.is_math and bool(letters) and all(p.atom.is_bold for p in letters)


def _plain(tokens: list[_Token]) -> str:
    text = " ".join("".join(_escaped(p.atom) for p in token.pieces) for token in tokens)
    return rf"\textbf{{{text}}}" if _is_bold(tokens[0]) else text


def _escaped(atom: Atom) -> str:
    if not atom.character:
        return f"${atom.latex}$"
    return "".join(_TEXT_ESCAPES.get(c, c) for c in atom.character)
