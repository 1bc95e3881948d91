"""Shapes of signs, by which a sign that is drawn as a picture can be told."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

GRID = 16


class Shape(NamedTuple):
    """Coverage on a square grid over the ink's box (values 0–1), and width by height."""

    character: str
    aspect: float
    cells: NDArray[np.float64]


def read_shapes(content: Mapping[str, Any]) -> list[Shape]:
    """From the parsed `shapes.toml`."""
    return [
        Shape(
            entry["character"],
            float(entry["aspect"]),
            np.array([[int(cell, 16) / 15 for cell in row] for row in entry["rows"]]),
        )
        for entry in content["shapes"]
    ]
