"""PDF files at the edge: glyphs and drawings of real files, and one clear line for bad ones."""

import zlib
from collections.abc import Callable
from pathlib import Path

import pypdfium2  # type: ignore[import-untyped]
import pytest

from tasks.core.errors import BadInput
from tasks.io.pdf import MAX_PAGES, read_pages


def pdf_file(*streams: str, trailer: str = "") -> bytes:
    """A PDF of A4 pages that show the given content streams, with Helvetica as /F1."""
    n = len(streams)
    kids = " ".join(f"{4 + 2 * i} 0 R" for i in range(n))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {n} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for i, stream in enumerate(streams):
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents "
            f"{5 + 2 * i} 0 R /Resources << /Font << /F1 3 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    body = b"%PDF-1.7\n"
    offsets = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n".encode()
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    end = (
        f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
        f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R {trailer} >>\n"
        f"startxref\n{len(body)}\n%%EOF\n"
    )
    return body + end.encode()


@pytest.fixture
def saved(tmp_path: Path) -> Callable[[bytes], Path]:
    def save(content: bytes) -> Path:
        path = tmp_path / "paper.pdf"
        path.write_bytes(content)
        return path

    return save


def test_glyphs_have_their_place_and_size(saved: Callable[[bytes], Path]) -> None:
    [page] = read_pages(saved(pdf_file("BT /F1 12 Tf 100 700 Td (Hi) Tj ET")))
    assert [chr(glyph.code) for glyph in page.glyphs] == ["H", "i"]
    first = page.glyphs[0]
    assert (first.x, first.y, first.size) == pytest.approx((100, 142, 12), abs=0.01)
    assert first.box.y0 < first.box.y1 <= first.y + 0.1
    assert (page.width, page.height) == (595, 842)


def test_size_is_as_drawn(saved: Callable[[bytes], Path]) -> None:
    [page] = read_pages(saved(pdf_file("BT /F1 1 Tf 9 0 0 9 100 700 Tm (H) Tj ET")))
    assert page.glyphs[0].size == pytest.approx(9)


@pytest.mark.parametrize(
    "stream",
    [
        pytest.param("0 0 50 50 re W n BT /F1 12 Tf 100 700 Td (H) Tj ET", id="clipped"),
        pytest.param("BT /F1 12 Tf 3 Tr 100 700 Td (H) Tj ET", id="invisible"),
        pytest.param("1 1 1 rg BT /F1 12 Tf 100 700 Td (H) Tj ET", id="white"),
    ],
)
def test_glyphs_that_the_page_does_not_show_are_kept_apart(
    saved: Callable[[bytes], Path], stream: str
) -> None:
    [page] = read_pages(saved(pdf_file(stream)))
    assert (len(page.glyphs), len(page.hidden)) == (0, 1)


def test_drawings(saved: Callable[[bytes], Path]) -> None:
    stream = "2 w 100 100 m 200 100 l S 10 10 m 20 40 30 40 40 10 c f 1 1 1 rg 0 0 500 500 re f"
    [page] = read_pages(saved(pdf_file(stream)))
    line, curve = page.paths
    assert line.segments == ((100, 742, 200, 742),)
    assert line.line_width == pytest.approx(2)
    assert (curve.n_curves, curve.is_filled) == (1, True)


WHOLE = pdf_file("BT /F1 12 Tf 100 700 Td (Hi) Tj ET")
ENCRYPTED = pdf_file(
    "BT ET",
    trailer="/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 "
    f"/O <{'00' * 32}> /U <{'00' * 32}> >>",
)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(b"", "empty", id="empty"),
        pytest.param(b"Q.1 What is 2 + 2?\n", "not a PDF", id="text"),
        pytest.param(b"\x89PNG\r\n\x1a\n" + bytes(500), "not a PDF", id="picture"),
        pytest.param(WHOLE[: len(WHOLE) // 2], "cut off", id="half"),
        pytest.param(WHOLE[:-20], "cut off", id="without its end"),
        pytest.param(ENCRYPTED, "encrypted", id="encrypted"),
        pytest.param(b"%PDF-1.7\nnonsense\nstartxref\n9\n%%EOF\n", "damaged", id="no objects"),
    ],
)
def test_bad_files_are_refused_in_one_line(
    saved: Callable[[bytes], Path], content: bytes, words: str
) -> None:
    with pytest.raises(BadInput, match=words) as refusal:
        read_pages(saved(content))
    assert "\n" not in str(refusal.value)


def compressed(stream: bytes, filters: str) -> bytes:
    """A one-page PDF whose content is the given bytes behind the named filters."""
    plain = pdf_file("x")
    body = stream.decode("latin-1")
    assert b"<< /Length 1 >>\nstream\nx\nendstream" in plain
    return plain.replace(
        b"<< /Length 1 >>\nstream\nx\nendstream",
        f"<< /Length {len(stream)} /Filter {filters} >>\nstream\n{body}\nendstream".encode(
            "latin-1"
        ),
    )


def test_streams_that_explode_end_in_one_line(saved: Callable[[bytes], Path]) -> None:
    """Two kilobytes that unfold to 600 megabytes of line segments."""
    packer = zlib.compressobj(9)
    strokes = b"0 0 m 1 1 l S\n" * 75_000
    folded = b"".join(packer.compress(strokes) for _ in range(600)) + packer.flush()
    bomb = compressed(zlib.compress(folded, 9), "[/FlateDecode /FlateDecode]")
    assert len(bomb) < 10_000
    with pytest.raises(BadInput, match=r"explode|longer than") as refusal:
        read_pages(saved(bomb), max_seconds=60)
    assert "\n" not in str(refusal.value)


def test_reading_ends_in_time(saved: Callable[[bytes], Path]) -> None:
    with pytest.raises(BadInput, match=r"longer than 0\.001 s"):
        read_pages(saved(WHOLE), max_seconds=0.001)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="nowhere"):
        read_pages(tmp_path / "nowhere.pdf")


def test_too_many_pages(tmp_path: Path) -> None:
    document = pypdfium2.PdfDocument.new()
    for _ in range(MAX_PAGES + 1):
        document.new_page(100, 100)
    document.save(tmp_path / "long.pdf")
    document.close()
    with pytest.raises(BadInput, match=f"{MAX_PAGES + 1} pages"):
        read_pages(tmp_path / "long.pdf")


def test_a_truncated_exam_is_refused(shared_data: Path) -> None:
    with pytest.raises(BadInput, match="cut off"):
        read_pages(shared_data / "papers" / "truncated_2021_paper1.pdf")
