"""Signs drawn as small pictures: each connected piece of ink is compared with known shapes.

A piece that is like no shape, or like two, becomes an atom without a character, and so a flag.
"""

import numpy as np
from numpy.typing import NDArray

from tasks.core.pages.atoms import UNREAD, Atom, Kind
from tasks.core.pages.figures import LEAST_PICTURE, MASK_PIXELS
from tasks.core.pages.font_maps import FontMaps
from tasks.core.pages.page import Box, Page, Picture
from tasks.core.pages.rows import AXIS
from tasks.core.pages.shapes import GRID, Shape

MOST_DIFFERENCE = 0.21  # mean difference of coverage, 0–1
LEAST_MARGIN = 0.02
LEAST_INK = 24  # of 255

_KINDS = {"∪": Kind.SYMBOL, "∩": Kind.SYMBOL, "→": Kind.SYMBOL, "⇌": Kind.SYMBOL}
_ON_AXIS = "→⇌⊕∓"


def read_signs(page: Page, atoms: list[Atom], maps: FontMaps) -> list[Atom]:
    """Atoms for the ink of small pictures; their baseline is that of the text beside them."""
    signs = []
    for picture in page.pictures:
        if not picture.ink or not _is_sign(picture):
            continue
        for box, cells in _pieces(picture):
            character = _closest(box, cells, maps.shapes)
            signs.append(_atom(character, box, atoms, maps))
    return signs


def _is_sign(picture: Picture) -> bool:
    """A colour behind a mask, or the size of a letter; and sparse, as writing is."""
    is_mask = picture.pixel_width * picture.pixel_height <= MASK_PIXELS
    if not is_mask and max(picture.box.width, picture.box.height) >= LEAST_PICTURE:
        return False
    ink = np.array([np.frombuffer(row, dtype=np.uint8) for row in picture.ink])
    return ink.size > 0 and 0 < float((ink > 127).mean()) < 0.4


def _pieces(picture: Picture) -> list[tuple[Box, NDArray[np.float64]]]:
    """Pieces of ink apart by a blank column, left to right, with their boxes on the page."""
    ink = np.array([np.frombuffer(row, dtype=np.uint8) for row in picture.ink]) / 255.0
    x_scale = picture.whole.width / ink.shape[1]
    y_scale = picture.whole.height / ink.shape[0]
    filled = (ink > LEAST_INK / 255).any(axis=0)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], filled.astype(int), [0]])))
    pieces = []
    for left, right in _dots_joined(edges.reshape(-1, 2), x_scale):
        part = ink[:, left:right]
        rows = np.flatnonzero((part > LEAST_INK / 255).any(axis=1))
        top, bottom = int(rows[0]), int(rows[-1]) + 1
        box = Box(
            picture.whole.x0 + left * x_scale,
            picture.whole.y0 + top * y_scale,
            picture.whole.x0 + right * x_scale,
            picture.whole.y0 + bottom * y_scale,
        )
        if picture.box.grown(1).holds(box.x_centre, box.y_centre):
            pieces.append((box, part[top:bottom]))
    return pieces


def _dots_joined(edges: NDArray[np.int_], scale: float) -> list[tuple[int, int]]:
    """Three narrow pieces at even distances are an ellipsis: one piece."""
    spans = [(int(left), int(right)) for left, right in edges]
    joined: list[tuple[int, int]] = []
    index = 0
    while index < len(spans):
        three = spans[index : index + 3]
        if len(three) == 3 and all((right - left) * scale < 2.5 for left, right in three):
            joined.append((three[0][0], three[2][1]))
            index += 3
        else:
            joined.append(spans[index])
            index += 1
    return joined


def _resampled(cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean coverage on the square grid."""
    rows = np.linspace(0, cells.shape[0], GRID * 4, endpoint=False).astype(int)
    columns = np.linspace(0, cells.shape[1], GRID * 4, endpoint=False).astype(int)
    fine = cells[np.ix_(rows, columns)]
    coarse: NDArray[np.float64] = fine.reshape(GRID, 4, GRID, 4).mean(axis=(1, 3))
    return coarse


def _closest(box: Box, cells: NDArray[np.float64], shapes: list[Shape]) -> str:
    aspect = box.width / max(box.height, 0.1)
    grid = _resampled(cells)
    if aspect > 4:
        return _long_sign(cells)
    differences = sorted(
        (float(np.abs(grid - shape.cells).mean()), shape.character)
        for shape in shapes
        if 0.55 < aspect / shape.aspect < 1.8 or min(aspect, shape.aspect) > 2.5
    )
    if not differences or differences[0][0] > MOST_DIFFERENCE:
        return UNREAD
    if len(differences) > 1 and differences[1][0] - differences[0][0] < LEAST_MARGIN:
        return UNREAD
    return differences[0][1]


def _long_sign(cells: NDArray[np.float64]) -> str:
    """Dots with blanks between them, or a shaft with a head at one end or both."""
    heights = (cells > 0.3).sum(axis=0)
    if (heights == 0).mean() > 0.3:
        return "…"
    width = len(heights)
    shaft = max(1.0, float(np.median(heights)))
    left = heights[: width // 4].max() > 2 * shaft
    right = heights[-(width // 4) :].max() > 2 * shaft
    middle = heights[width // 3 : -(width // 3)].max() > 2 * shaft
    if middle:
        return UNREAD
    return {(False, True): "→", (True, False): "←", (True, True): "↔"}.get((left, right), UNREAD)


def _atom(character: str, box: Box, atoms: list[Atom], maps: FontMaps) -> Atom:
    beside = [
        a
        for a in atoms
        if a.kind is not Kind.SPACE
        and a.axis is None
        and a.box.y0 - 0.4 * a.size < box.y_centre < a.box.y1 + 0.4 * a.size
        and max(a.box.x0 - box.x1, box.x0 - a.box.x1) < 2.5 * a.size
    ]
    size = max((a.size for a in beside), default=max(6.0, box.height * 1.45))
    full = [a.y for a in beside if a.size > 0.85 * size]
    own = box.y_centre + AXIS * size if character in _ON_AXIS else box.y1
    y = min(full, key=lambda value: abs(value - own), default=own)
    return Atom(
        kind=_KINDS.get(character, Kind.LETTER if character.isalpha() else Kind.SYMBOL),
        character=character,
        latex=maps.commands.get(character, character),
        box=box,
        y=y if abs(y - own) < 0.45 * size else own,
        size=size,
        is_math=True,
    )
