"""Glyph → character: what the file says, put right by tables of fonts that say it in their own way.

A table names its fonts by patterns (without the subset tag) and maps the font's codes, given as
they are or as U+F000 + code, to Unicode. A glyph that neither the file nor a table maps has no
character: it is flagged, never guessed.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from tasks.core.errors import BadInput
from tasks.core.pages.page import Glyph
from tasks.core.pages.shapes import Shape, read_shapes

_SUBSET_TAG = re.compile(r"^[A-Z]{6}\+")
_PRIVATE_USE = range(0xE000, 0xF900)
_SYMBOL_AREA = range(0xF000, 0xF100)
_ALPHANUMERICS = range(0x1D400, 0x1D800)
_LETTERLIKE = {"ℎ": "h"}  # italic h, missing from the block of mathematical italics


class Character(NamedTuple):
    """A character as it reads. `value` None: unread. `is_symbol`: it is mathematics for certain."""

    value: str | None
    is_italic: bool
    is_bold: bool
    is_symbol: bool


@dataclass(frozen=True, slots=True)
class _Table:
    fonts: re.Pattern[str]
    codes: Mapping[int, str]
    is_for_unmapped: bool


class FontMaps:
    """The tables of `data/fonts`, and the LaTeX of each character."""

    def __init__(
        self, tables: Iterable[_Table], latex: Mapping[str, Any], shapes: list[Shape]
    ) -> None:
        self._tables = tuple(tables)
        self.shapes = shapes
        self.commands: Mapping[str, str] = latex["commands"]
        self.above: Mapping[str, str] = latex["above"]
        self.below: Mapping[str, str] = latex["below"]
        self._read = lru_cache(maxsize=None)(self._character)

    def read(self, glyph: Glyph) -> Character:
        """The character that the glyph shows."""
        return self._read(glyph.code, glyph.is_mapped, glyph.font)

    def _character(self, code: int, is_mapped: bool, font: str) -> Character:
        family = _SUBSET_TAG.sub("", font)
        is_italic = bool(re.search(r"Ital|Oblique|CMMI|CMTI|CMMIB|BMI", family))
        is_bold = bool(re.search(r"Bold|CMB|CMMIB|Black", family))
        for table in self._tables:
            if table.fonts.match(family) and not (table.is_for_unmapped and is_mapped):
                own = code - 0xF000 if code in _SYMBOL_AREA else code
                if (value := table.codes.get(own)) is not None and (
                    not is_mapped or code in _SYMBOL_AREA or own < 0x20
                ):
                    italic = value.isalpha() and is_italic
                    return Character(value, italic, is_bold, not value.isspace())
        if not is_mapped or code in _PRIVATE_USE or code in (0, 0xFFFD, 0xFFFE, 0xFFFF):
            return Character(None, is_italic, is_bold, True)
        value = chr(code)
        if code in _ALPHANUMERICS or value in _LETTERLIKE:
            name = unicodedata.name(value, "")
            plain = _LETTERLIKE.get(value) or unicodedata.normalize("NFKC", value)
            return Character(
                plain, "ITALIC" in name or value in _LETTERLIKE, "BOLD" in name, is_symbol=True
            )
        if value in "ﬀﬁﬂﬃﬄ":
            value = unicodedata.normalize("NFKC", value)
        value = unicodedata.normalize("NFC", value)  # the ohm and ångström signs are letters
        is_symbol = bool(re.search(r"Math|CMMI|CMSY|CMEX|MSBM|MSAM|EUFM", family))
        return Character(value, is_italic, is_bold, is_symbol)


def font_maps(files: Mapping[str, Mapping[str, Any]]) -> FontMaps:
    """From parsed TOML files by name (stem). `latex` maps characters, every other one a font."""
    for name in ("latex", "shapes"):
        if name not in files:
            raise BadInput(f"data/fonts: {name}.toml is missing")
    tables = []
    for name, content in sorted(files.items()):
        if name in ("latex", "shapes"):
            continue
        if not content.get("source"):
            raise BadInput(f"data/fonts/{name}.toml: the table names no source")
        patterns = "|".join(f"(?:{pattern})" for pattern in content["fonts"])
        codes = {int(code, 0): value for code, value in content["codes"].items()}
        tables.append(_Table(re.compile(patterns), codes, content.get("unmapped_only", False)))
    return FontMaps(tables, files["latex"], read_shapes(files["shapes"]))
