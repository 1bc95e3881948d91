"""Paths, pictures and clip paths of a PDF page, read through PDFium's page objects.

Objects inside form objects are in form space: every point passes through the matrices of the
forms around it. White fills without a stroke are not seen and left out.
"""

import ctypes
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

from tasks.core.pages.page import Box, Path, Picture

MAX_OBJECTS = 200_000
MAX_SEGMENTS = 1_000_000
MAX_FORM_DEPTH = 12
INK_HEIGHT, INK_WIDTH = 40.0, 620.0  # points; a larger picture is no sign in a line
INK_SCALE = 4

Flip = Callable[[tuple[float, float, float, float]], Box]


class Matrix(NamedTuple):
    """(x, y) → (a x + c y + e, b x + d y + f)."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def apply(self, x: float, y: float) -> tuple[float, float]:
        """The point's image."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def after(self, inner: "Matrix") -> "Matrix":
        """The matrix that applies `inner` first, then this one."""
        e, f = self.apply(inner.e, inner.f)
        return Matrix(
            self.a * inner.a + self.c * inner.b,
            self.b * inner.a + self.d * inner.b,
            self.a * inner.c + self.c * inner.d,
            self.b * inner.c + self.d * inner.d,
            e,
            f,
        )


@dataclass(slots=True)
class Drawings:
    """What is drawn beside text. `form_matrices`: address of a text object in a form → matrix."""

    paths: tuple[Path, ...] = ()
    pictures: tuple[Picture, ...] = ()
    form_matrices: dict[int | None, Matrix] = field(default_factory=dict)
    faults: tuple[str, ...] = ()


def read_drawings(page: Any, flip: Flip) -> Drawings:
    """All visible paths and pictures of a page; limits end the reading with a fault."""
    drawings = Drawings()
    paths: list[Path] = []
    pictures: list[Picture] = []
    n_segments = 0
    for n_objects, (page_object, kind, matrix, is_in_form) in enumerate(_objects(page.raw)):
        if n_objects > MAX_OBJECTS or n_segments > MAX_SEGMENTS:
            drawings.faults = ("the page holds more drawings than we read",)
            break
        if kind == pdfium.FPDF_PAGEOBJ_TEXT and is_in_form:
            address = ctypes.cast(page_object, ctypes.c_void_p).value
            drawings.form_matrices[address] = matrix
        elif kind == pdfium.FPDF_PAGEOBJ_PATH:
            path = _path(page_object, matrix, flip)
            if path is not None:
                paths.append(path)
                n_segments += len(path.segments) + path.n_curves
        elif kind in (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_SHADING):
            is_image = kind == pdfium.FPDF_PAGEOBJ_IMAGE
            picture = _picture(page, page_object, matrix, flip, is_image=is_image)
            if picture is not None:
                pictures.append(picture)
    drawings.paths, drawings.pictures = tuple(paths), tuple(pictures)
    return drawings


def _objects(raw_page: Any) -> Iterator[tuple[Any, int, Matrix, bool]]:
    """Every object of the page: itself, its kind, its form's matrix, whether it is in a form."""
    for index in range(pdfium.FPDFPage_CountObjects(raw_page)):
        yield from _walk(pdfium.FPDFPage_GetObject(raw_page, index), Matrix(), 0)


def _walk(page_object: Any, matrix: Matrix, depth: int) -> Iterator[tuple[Any, int, Matrix, bool]]:
    kind = pdfium.FPDFPageObj_GetType(page_object)
    if kind != pdfium.FPDF_PAGEOBJ_FORM:
        yield page_object, kind, matrix, depth > 0
    elif depth < MAX_FORM_DEPTH:
        inner = matrix.after(_matrix_of(page_object))
        for index in range(pdfium.FPDFFormObj_CountObjects(page_object)):
            yield from _walk(pdfium.FPDFFormObj_GetObject(page_object, index), inner, depth + 1)


def _matrix_of(page_object: Any) -> Matrix:
    raw = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(page_object, raw):
        return Matrix()
    return Matrix(raw.a, raw.b, raw.c, raw.d, raw.e, raw.f)


def clip_boxes(page_object: Any, flip: Flip, matrix: Matrix | None) -> list[Box]:
    """The boxes of the object's clip paths; what lies outside one of them is not seen."""
    clip = pdfium.FPDFPageObj_GetClipPath(page_object)
    if not clip:
        return []
    boxes: list[Box] = []
    for path_index in range(max(0, pdfium.FPDFClipPath_CountPaths(clip))):
        n_segments = pdfium.FPDFClipPath_CountPathSegments(clip, path_index)
        points = [
            _point(pdfium.FPDFClipPath_GetPathSegment(clip, path_index, i), matrix or Matrix())
            for i in range(max(0, n_segments))
        ]
        if points:
            boxes.append(_flipped(points, flip))
    return boxes


def _point(segment: Any, matrix: Matrix) -> tuple[float, float]:
    x, y = ctypes.c_float(), ctypes.c_float()
    pdfium.FPDFPathSegment_GetPoint(segment, x, y)
    return matrix.apply(x.value, y.value)


def _flipped(points: list[tuple[float, float]], flip: Flip) -> Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return flip((min(xs), min(ys), max(xs), max(ys)))


def _path(page_object: Any, form: Matrix, flip: Flip) -> Path | None:
    fill_mode, is_stroked = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(page_object, fill_mode, is_stroked)
    is_filled = fill_mode.value != 0 and not _is_white(page_object)
    if not is_filled and not is_stroked.value:
        return None
    matrix = form.after(_matrix_of(page_object))
    points: list[tuple[float, float]] = []
    segments: list[tuple[float, float, float, float]] = []
    n_bezier_points = 0
    start = current = (0.0, 0.0)
    for index in range(max(0, pdfium.FPDFPath_CountSegments(page_object))):
        segment = pdfium.FPDFPath_GetPathSegment(page_object, index)
        point = _point(segment, matrix)
        points.append(point)
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            start = point
        elif kind == pdfium.FPDF_SEGMENT_LINETO:
            segments.append(_segment(current, point, flip))
        else:
            n_bezier_points += 1
        current = point
        if pdfium.FPDFPathSegment_GetClose(segment) and current != start:
            segments.append(_segment(current, start, flip))
            current = start
    if not points:
        return None
    box: Box | None = _flipped(points, flip)
    for clip in clip_boxes(page_object, flip, form):
        box = box and box.intersection(clip)
    if box is None:
        return None
    width = ctypes.c_float()
    pdfium.FPDFPageObj_GetStrokeWidth(page_object, width)
    scale = math.sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c))
    return Path(
        box=box,
        segments=tuple(segments),
        n_curves=n_bezier_points // 3,
        is_filled=is_filled,
        is_stroked=bool(is_stroked.value),
        line_width=width.value * scale,
    )


def _segment(
    start: tuple[float, float], end: tuple[float, float], flip: Flip
) -> tuple[float, float, float, float]:
    first, second = flip((*start, *start)), flip((*end, *end))
    return first.x0, first.y0, second.x0, second.y0


def _is_white(page_object: Any) -> bool:
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    pdfium.FPDFPageObj_GetFillColor(page_object, red, green, blue, alpha)
    return alpha.value == 0 or min(red.value, green.value, blue.value) >= 250


def _picture(
    page: Any, page_object: Any, form: Matrix, flip: Flip, *, is_image: bool
) -> Picture | None:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not pdfium.FPDFPageObj_GetBounds(page_object, left, bottom, right, top):
        return None
    xs, ys = (left.value, right.value), (bottom.value, top.value)
    whole = _flipped([form.apply(x, y) for x in xs for y in ys], flip)
    box: Box | None = whole
    for clip in clip_boxes(page_object, flip, form):
        box = box and box.intersection(clip)
    if box is None:
        return None
    width, height = ctypes.c_uint(), ctypes.c_uint()
    if is_image:
        pdfium.FPDFImageObj_GetImagePixelSize(page_object, width, height)
    ink: tuple[bytes, ...] = ()
    if is_image and box.height <= INK_HEIGHT and box.width <= INK_WIDTH:
        ink = _ink(page, page_object, form)
    return Picture(box, whole, width.value, height.value, ink)


def _ink(page: Any, image: Any, form: Matrix) -> tuple[bytes, ...]:
    """The upright image drawn at `INK_SCALE` pixels a point, mask included; empty if turned."""
    own = _matrix_of(image)
    whole = form.after(own)
    if min(whole.a, whole.d) <= 0 or max(abs(whole.b), abs(whole.c)) > 0.01 * whole.a:
        return ()
    large = pdfium.FS_MATRIX(whole.a * INK_SCALE, 0, 0, whole.d * INK_SCALE, 0, 0)
    pdfium.FPDFPageObj_SetMatrix(image, large)
    raw = pdfium.FPDFImageObj_GetRenderedBitmap(page.pdf.raw, page.raw, image)
    pdfium.FPDFPageObj_SetMatrix(image, pdfium.FS_MATRIX(own.a, own.b, own.c, own.d, own.e, own.f))
    if not raw:
        return ()
    try:
        width, height = pdfium.FPDFBitmap_GetWidth(raw), pdfium.FPDFBitmap_GetHeight(raw)
        stride = pdfium.FPDFBitmap_GetStride(raw)
        if pdfium.FPDFBitmap_GetFormat(raw) != pdfium.FPDFBitmap_BGRA:
            return ()
        data = ctypes.string_at(pdfium.FPDFBitmap_GetBuffer(raw), stride * height)
        rows = (data[y * stride : y * stride + 4 * width] for y in range(height))
        return tuple(_darkness(row) for row in rows)
    finally:
        pdfium.FPDFBitmap_Destroy(raw)


def _darkness(row: bytes) -> bytes:
    """Opacity of the dark pixels of a BGRA row; light ones count as blank."""
    return bytes(a if g < 128 else 0 for g, a in zip(row[1::4], row[3::4], strict=True))
