"""Reads `data/fonts/*.toml`."""

import tomllib
from functools import cache
from pathlib import Path

from tasks.core.pages.font_maps import FontMaps, font_maps

FOLDER = Path(__file__).resolve().parents[2] / "data" / "fonts"


@cache
def read_font_maps() -> FontMaps:
    """All bundled tables, parsed once a process."""
    return font_maps(
        {path.stem: tomllib.loads(path.read_text("utf-8")) for path in FOLDER.glob("*.toml")}
    )
