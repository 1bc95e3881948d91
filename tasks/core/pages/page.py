"""What an engine hands over: a page as positioned glyphs and drawings.

Units are PDF points (1/72 inch). The origin is the page's top left corner and y grows downwards,
so `y0 < y1` and a raised script has a smaller y than its base. Pages are numbered from 1.
"""

from dataclasses import dataclass
from typing import NamedTuple


class Box(NamedTuple):
    """A rectangle; `x0 <= x1` and `y0 <= y1`."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """Extent from left to right."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """Extent from top to bottom."""
        return self.y1 - self.y0

    @property
    def x_centre(self) -> float:
        """The x half way between the sides."""
        return (self.x0 + self.x1) / 2

    @property
    def y_centre(self) -> float:
        """The y half way between top and bottom."""
        return (self.y0 + self.y1) / 2

    def union(self, other: "Box") -> "Box":
        """The smallest box around both."""
        return Box(
            min(self.x0, other.x0),
            min(self.y0, other.y0),
            max(self.x1, other.x1),
            max(self.y1, other.y1),
        )

    def intersection(self, other: "Box") -> "Box | None":
        """The common part, None where there is none (a shared edge counts as common)."""
        x0, y0 = max(self.x0, other.x0), max(self.y0, other.y0)
        x1, y1 = min(self.x1, other.x1), min(self.y1, other.y1)
        return Box(x0, y0, x1, y1) if x0 <= x1 and y0 <= y1 else None

    def grown(self, by: float) -> "Box":
        """The box with `by` points more on each side."""
        return Box(self.x0 - by, self.y0 - by, self.x1 + by, self.y1 + by)

    def holds(self, x: float, y: float) -> bool:
        """Whether the point lies in the box or on its edge."""
        return self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1


def enclosing(boxes: "list[Box]") -> Box:
    """The smallest box around all of a non-empty list."""
    return Box(
        min(box.x0 for box in boxes),
        min(box.y0 for box in boxes),
        max(box.x1 for box in boxes),
        max(box.y1 for box in boxes),
    )


@dataclass(frozen=True, slots=True)
class Glyph:
    """One drawn character.

    `code` is the character as the file maps it, or the font's own code where the file maps it to
    nothing (`is_mapped` False). `size` is the font size as drawn; `x`, `y` the origin on the
    baseline; `box` the tight box of the ink; `angle` the writing direction in degrees.
    """

    code: int
    is_mapped: bool
    font: str
    size: float
    x: float
    y: float
    box: Box
    angle: float = 0.0


@dataclass(frozen=True, slots=True)
class Path:
    """A drawn path: its straight segments (x0, y0, x1, y1) and the number of its curves."""

    box: Box
    segments: tuple[tuple[float, float, float, float], ...]
    n_curves: int
    is_filled: bool
    is_stroked: bool
    line_width: float


@dataclass(frozen=True, slots=True)
class Picture:
    """A raster image on the page, with its size in pixels.

    `box` is what a clip path leaves of it, `whole` the picture itself. `ink` is set for pictures
    no higher than a line: rows of bytes from the top, 0 = blank to 255 = full, on a grid over
    `whole`. Some producers draw single signs in this way.
    """

    box: Box
    whole: Box
    pixel_width: int
    pixel_height: int
    ink: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """One page. `hidden` are glyphs that the file holds but the page does not show.

    `faults` says in words what the engine could not read of this page.
    """

    number: int
    width: float
    height: float
    glyphs: tuple[Glyph, ...]
    paths: tuple[Path, ...]
    pictures: tuple[Picture, ...]
    hidden: tuple[Glyph, ...] = ()
    faults: tuple[str, ...] = ()
