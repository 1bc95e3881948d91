"""PDF documents → pages of glyphs and drawings, through PDFium.

Invisible glyphs (outside their clip path, written in white or in render mode 3) are kept apart, so
that counts add up. PDFium can end the process on a hostile file: `tasks/io/pdf.py` calls this in a
process of its own.
"""

import ctypes
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path as FilePath

import pypdfium2  # type: ignore[import-untyped]
import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

from tasks.core.errors import BadInput
from tasks.core.pages.page import Box, Glyph, Page
from tasks.io.pdf_drawings import Drawings, clip_boxes, read_drawings

ENGINE = f"text-1/pdfium-{pypdfium2.PDFIUM_INFO.version}"

MAX_PAGES = 500
MAX_GLYPHS_PER_PAGE = 100_000

_RENDER_INVISIBLE = 3
_WHITE = (250, 250, 250)


def read_document(path: FilePath) -> list[Page]:
    """Every page of the file, in order.

    Raises `BadInput` for a file that is encrypted, damaged, without pages or longer than
    `MAX_PAGES`. A page that fails alone becomes an empty page with a fault.
    """
    with _document(path) as document:
        n_pages = len(document)
        if n_pages == 0:
            raise BadInput(f"{path.name}: the PDF has no pages")
        if n_pages > MAX_PAGES:
            raise BadInput(f"{path.name}: {n_pages} pages, more than {MAX_PAGES}")
        return [_read_page(document, index) for index in range(n_pages)]


@contextmanager
def _document(path: FilePath) -> Iterator[pypdfium2.PdfDocument]:
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        locked = getattr(error, "err_code", None) == pdfium.FPDF_ERR_PASSWORD
        reason = "the PDF is encrypted" if locked else "the PDF is damaged"
        raise BadInput(f"{path.name}: {reason}; save an open copy and try again") from error
    try:
        yield document
    finally:
        document.close()


def _read_page(document: pypdfium2.PdfDocument, index: int) -> Page:
    try:
        page = document[index]
    except pypdfium2.PdfiumError:
        return Page(index + 1, 0.0, 0.0, (), (), (), faults=("the page cannot be loaded",))
    try:
        left, bottom, right, top = page.get_bbox()
        frame = _Frame(left, top)
        drawings = read_drawings(page, frame.flip)
        shown, hidden, faults = _read_glyphs(page, frame, drawings)
        return Page(
            number=index + 1,
            width=right - left,
            height=top - bottom,
            glyphs=tuple(shown),
            paths=drawings.paths,
            pictures=drawings.pictures,
            hidden=tuple(hidden),
            faults=(*drawings.faults, *faults),
        )
    finally:
        page.close()


class _Frame:
    """PDF space (y upwards, any corner) → page space (y downwards, origin top left)."""

    def __init__(self, left: float, top: float) -> None:
        self._left, self._top = left, top

    def flip(self, box: tuple[float, float, float, float]) -> Box:
        """(left, bottom, right, top) → Box."""
        left, bottom, right, top = box
        return Box(left - self._left, self._top - top, right - self._left, self._top - bottom)

    def point(self, x: float, y: float) -> tuple[float, float]:
        return x - self._left, self._top - y


def _read_glyphs(
    page: pypdfium2.PdfPage, frame: _Frame, drawings: Drawings
) -> tuple[list[Glyph], list[Glyph], list[str]]:
    """Shown glyphs, hidden glyphs, faults."""
    text_page = page.get_textpage()
    try:
        raw = text_page.raw
        n_characters = pdfium.FPDFText_CountChars(raw)
        if n_characters > MAX_GLYPHS_PER_PAGE:
            return [], [], [f"{n_characters} characters on the page, more than we read"]
        reader = _GlyphReader(raw, frame, drawings)
        shown: list[Glyph] = []
        hidden: list[Glyph] = []
        index = 0
        while index < n_characters:
            glyph, is_shown, n_read = reader.read(index, n_characters)
            index += n_read
            if glyph is not None:
                (shown if is_shown else hidden).append(glyph)
        return shown, hidden, []
    finally:
        text_page.close()


class _GlyphReader:
    """Reads one character after the other into the same C buffers."""

    def __init__(self, raw: object, frame: _Frame, drawings: Drawings) -> None:
        self._raw, self._frame, self._drawings = raw, frame, drawings
        self._numbers = [ctypes.c_double() for _ in range(4)]
        self._colour = [ctypes.c_uint() for _ in range(4)]
        self._matrix = pdfium.FS_MATRIX()
        self._name = ctypes.create_string_buffer(256)
        self._objects: dict[int | None, tuple[str, list[Box], bool]] = {}

    def read(self, index: int, end: int) -> tuple[Glyph | None, bool, int]:
        """The glyph at `index`, whether the page shows it, and how many characters it took.

        None for a character that PDFium made up (spaces and line ends).
        """
        raw = self._raw
        if pdfium.FPDFText_IsGenerated(raw, index) == 1:
            return None, False, 1
        code, n_read = pdfium.FPDFText_GetUnicode(raw, index), 1
        if 0xD800 <= code < 0xDC00 and index + 1 < end:
            low = pdfium.FPDFText_GetUnicode(raw, index + 1)
            if 0xDC00 <= low < 0xE000:
                code, n_read = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00), 2
        left, right, bottom, top = self._numbers
        pdfium.FPDFText_GetCharBox(raw, index, left, right, bottom, top)
        box = self._frame.flip((left.value, bottom.value, right.value, top.value))
        pdfium.FPDFText_GetCharOrigin(raw, index, left, right)
        x, y = self._frame.point(left.value, right.value)
        pdfium.FPDFText_GetMatrix(raw, index, self._matrix)
        matrix = self._matrix
        font, clips, is_drawn = self._text_object(index)
        glyph = Glyph(
            code=code,
            is_mapped=pdfium.FPDFText_HasUnicodeMapError(raw, index) != 1,
            font=font,
            size=pdfium.FPDFText_GetFontSize(raw, index) * math.hypot(matrix.c, matrix.d),
            x=x,
            y=y,
            box=box,
            angle=math.degrees(math.atan2(matrix.b, matrix.a)),
        )
        is_clipped = any(not clip.grown(1).holds(box.x_centre, box.y_centre) for clip in clips)
        return glyph, is_drawn and not is_clipped, n_read

    def _text_object(self, index: int) -> tuple[str, list[Box], bool]:
        """Font name, clip boxes and visibility of the text object that draws the character."""
        text_object = pdfium.FPDFText_GetTextObject(self._raw, index)
        address = ctypes.cast(text_object, ctypes.c_void_p).value
        if address not in self._objects:
            pdfium.FPDFText_GetFontInfo(self._raw, index, self._name, 256, None)
            font = self._name.value.decode("utf-8", "replace")
            matrix = self._drawings.form_matrices.get(address)
            clips = clip_boxes(text_object, self._frame.flip, matrix)
            invisible = pdfium.FPDFTextObj_GetTextRenderMode(text_object) == _RENDER_INVISIBLE
            self._objects[address] = font, clips, not invisible and not self._is_white(index)
        return self._objects[address]

    def _is_white(self, index: int) -> bool:
        red, green, blue, alpha = self._colour
        if not pdfium.FPDFText_GetFillColor(self._raw, index, red, green, blue, alpha):
            return False
        colour = (red.value, green.value, blue.value)
        return alpha.value == 0 or all(c >= w for c, w in zip(colour, _WHITE, strict=True))
