"""Equations rebuilt from geometry: pages set by hand, glyph by glyph."""

from collections.abc import Sequence

import pytest

from tasks.core.pages.page import Box, Glyph, Page, Path
from tasks.core.pages.reading import PageReading, read_page
from tasks.io.font_maps import read_font_maps

ITALIC, UPRIGHT, SYMBOL = "Times-Italic", "Times-Roman", "SymbolMT"
WIDTH = 0.5  # sizes, of every letter set here


def letters(text: str, x: float, y: float, size: float = 12.0, font: str = ITALIC) -> list[Glyph]:
    """Glyphs with ink from the baseline up to two thirds of their size, half a size apart."""
    return [
        Glyph(
            code=ord(c), is_mapped=True, font=font, size=size, x=x + i * WIDTH * size, y=y,
            box=Box(x + i * WIDTH * size, y - 0.66 * size, x + (i + 0.9) * WIDTH * size, y),
        )
        for i, c in enumerate(text)
    ]  # fmt: skip


def piece(code: int, x: float, y0: float, y1: float) -> Glyph:
    """A piece of a tall bracket in the Symbol font, by the font's code."""
    return Glyph(0xF000 + code, True, SYMBOL, 12.0, x, y1, Box(x, y0, x + 3, y1))


def rule(x0: float, x1: float, y: float) -> Path:
    return Path(Box(x0, y, x1, y), ((x0, y, x1, y),), 0, False, True, 0.5)


def reading(glyphs: Sequence[Glyph], paths: Sequence[Path] = ()) -> PageReading:
    page = Page(1, 600.0, 800.0, tuple(glyphs), tuple(paths), ())
    return read_page(page, read_font_maps())


def latex(glyphs: Sequence[Glyph], paths: Sequence[Path] = ()) -> list[str]:
    return [line.text for line in reading(glyphs, paths).lines]


def test_scripts() -> None:
    x = letters("x", 100, 100)
    below, above = letters("i", 106.5, 102.5, 7), letters("2", 106.5, 95, 7, UPRIGHT)
    assert latex(x + below) == ["$x_{i}$"]
    assert latex(x + above) == ["$x^{2}$"]
    assert latex(x + below + above) == ["$x_{i}^{2}$"]


def test_a_script_of_a_script() -> None:
    glyphs = letters("e", 100, 100) + letters("x", 106, 95, 8) + letters("2", 110, 92, 5, UPRIGHT)
    assert latex(glyphs) == ["$e^{x^{2}}$"]


def test_scripts_that_carry_their_base_with_another_size() -> None:
    """A Greek letter set larger than the text around it does not make scripts of the text."""
    greek = [Glyph(0xF061, True, SYMBOL, 14, 130.0, 100.0, Box(130, 93, 137, 100))]
    assert latex(letters("Let", 100, 100.8, 12, UPRIGHT) + greek) == [r"Let $\alpha$"]


def test_a_fraction_and_one_inside_it() -> None:
    inner = [*letters("a", 100, 90), *letters("b", 100, 106)]
    glyphs = [*inner, *letters("c", 100, 124)]
    rules = [rule(99, 107, 94), rule(97, 109, 110)]
    assert latex(inner, rules[:1]) == [r"$\frac{a}{b}$"]
    assert latex(glyphs, rules) == [r"$\frac{\frac{a}{b}}{c}$"]


def test_an_underline_is_no_fraction_bar() -> None:
    words = letters("the", 100, 100, 12, UPRIGHT) + letters("marks", 120, 100, 12, UPRIGHT)
    below = letters("nextline", 100, 114, 12, UPRIGHT)
    assert latex(words + below, [rule(100, 117, 102)]) == ["the marks", "nextline"]


def test_an_overline() -> None:
    assert latex(letters("z", 100, 100), [rule(100, 106, 90)]) == [r"$\bar{z}$"]


def test_a_root_of_one_path() -> None:
    hook = ((100, 95, 101, 94), (101, 94, 103, 101), (103, 101, 106, 88), (106, 88, 114, 88))
    root = Path(Box(100, 88, 114, 101), hook, 0, False, True, 0.3)
    assert latex(letters("x", 107, 100), [root]) == [r"$\sqrt{x}$"]


def test_a_root_sign_with_its_rule() -> None:
    sign = Glyph(0x221A, True, "CambriaMath", 12, 100, 100, Box(100, 88, 106, 102))
    assert latex([sign, *letters("x", 107, 100)], [rule(106, 114, 88.2)]) == [r"$\sqrt{x}$"]


def test_bounds_of_an_operator() -> None:
    total = Glyph(0xF0E5, True, SYMBOL, 18, 100, 104, Box(100, 90, 112, 108))
    bounds = letters("i", 104, 116, 7) + letters("n", 104, 87, 7)
    assert latex([total, *bounds, *letters("x", 116, 103)]) == [r"$\sum_{i}^{n}x$"]


def test_a_limit() -> None:
    word = letters("lim", 100, 100, 12, UPRIGHT)
    arrow = Glyph(0x2192, True, SYMBOL, 7, 106, 109, Box(106, 104, 112, 108))
    below = [*letters("x", 102, 109, 7), arrow, *letters("0", 113, 109, 7, UPRIGHT)]
    assert latex([*word, *below, *letters("f", 122, 100)]) == [r"$\lim_{x\rightarrow0}f$"]


def test_a_matrix_in_brackets_of_pieces() -> None:
    left = [piece(0xE6, 100, 88, 100), piece(0xE7, 100, 100, 110), piece(0xE8, 100, 110, 122)]
    right = [piece(0xF6, 137, 88, 100), piece(0xF7, 137, 100, 110), piece(0xF8, 137, 110, 122)]
    cells = [
        *letters("a", 106, 100), *letters("b", 126, 100),
        *letters("c", 106, 118), *letters("d", 126, 118),
    ]  # fmt: skip
    assert latex([*left, *right, *cells]) == [r"$\begin{pmatrix}a & b \\ c & d\end{pmatrix}$"]


def test_cases() -> None:
    brace = [piece(0xEC, 100, 84, 96), piece(0xED, 97.3, 96, 112), piece(0xEE, 100, 112, 124)]
    cells = [*letters("a", 106, 100), *letters("x", 140, 100)]
    cells += [*letters("b", 106, 118), *letters("y", 140, 118)]
    before = letters("f", 86, 108)
    assert latex([*before, *brace, *cells]) == [r"$f\begin{cases}a & x \\ b & y\end{cases}$"]


def test_an_accent_and_an_arrow_over_two_letters() -> None:
    hat = Glyph(0x0302, True, "CambriaMath", 12, 100, 100, Box(100.5, 88, 105, 90.5))
    assert latex([*letters("x", 100, 100), hat]) == [r"$\hat{x}$"]
    arrow = Glyph(0x2192, True, SYMBOL, 12, 100, 92, Box(100, 87, 112, 90))
    assert latex([*letters("OP", 100, 100), arrow]) == [r"$\overrightarrow{OP}$"]


def test_a_glyph_without_a_character_is_flagged_not_guessed() -> None:
    unknown = Glyph(0x41, False, "ABCDEF+Strange", 12, 106, 100, Box(106, 92, 111, 100))
    page = reading([*letters("x", 100, 100), unknown])
    assert [line.text for line in page.lines] == [r"$x\boxed{?}$"]
    assert page.unread == [unknown.box]


def test_rows_of_short_cells_are_a_table() -> None:
    glyphs = []
    for y, row in ((100, "xyz"), (118, "abc")):
        for column, cell in enumerate(row):
            glyphs += letters(cell, 100 + 20 * column, y)
    assert latex(glyphs) == [r"$\begin{array}{ccc}x & y & z \\ a & b & c\end{array}$"]


def test_curves_and_slants_are_a_figure_and_hold_its_letters() -> None:
    triangle = [
        Path(Box(100, 100, 160, 150), ((100, 150, 130, 100),), 0, False, True, 1),
        Path(Box(100, 100, 160, 150), ((130, 100, 160, 150),), 0, False, True, 1),
        Path(Box(100, 150, 160, 152), ((100, 150, 160, 152),), 2, False, True, 1),
    ]
    page = reading([*letters("A", 128, 130), *letters("text", 100, 200, 12, UPRIGHT)], triangle)
    [figure] = page.figures
    assert (figure.kind, figure.glyphs) == ("drawing", (0,))
    assert [line.text for line in page.lines] == ["text"]


@pytest.mark.parametrize("n_columns", [2, 3])
def test_every_glyph_ends_in_one_line(n_columns: int) -> None:
    glyphs = [
        glyph
        for column in range(n_columns)
        for line in range(4)
        for glyph in letters("some words", 60 + 180 * column, 100 + 15 * line, 12, UPRIGHT)
    ]
    lines = reading(glyphs).lines
    found = [index for line in lines for span in line.spans for index in span.glyphs]
    assert sorted(found) == list(range(len(glyphs)))
