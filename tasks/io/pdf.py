"""PDF files → pages, within bounds of time and memory, whatever the file holds.

`read_pages` refuses what is not a whole, open, bounded PDF with one `BadInput` line. PDFium runs in
a child process (`tasks/io/pdf_process.py`): a file whose streams explode ends the child, not us.
"""

import pickle
import subprocess
import sys
from pathlib import Path

from tasks.core.errors import BadInput
from tasks.core.pages.page import Page
from tasks.io.pdf_engine import ENGINE, MAX_PAGES
from tasks.io.pdf_process import MAX_MEMORY

__all__ = ["ENGINE", "MAX_PAGES", "read_pages"]

MAX_BYTES = 200 * 2**20
MAX_SECONDS = 120


def read_pages(path: Path, max_seconds: float = MAX_SECONDS) -> list[Page]:
    """Every page of the file, in order.

    Raises `BadInput` for a file that is missing, empty, not a PDF, cut off, encrypted, damaged,
    larger than `MAX_BYTES`, longer than `MAX_PAGES`, or that needs more than `max_seconds` or
    `MAX_MEMORY`. A page that fails alone becomes an empty page with a fault.
    """
    _check_file(path)
    try:
        child = subprocess.run(
            [sys.executable, "-m", "tasks.io.pdf_process", str(path)],
            capture_output=True,
            timeout=max_seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise BadInput(f"{path.name}: reading takes longer than {max_seconds:g} s") from None
    if child.returncode != 0:
        raise BadInput(
            f"{path.name}: the PDF cannot be read within {MAX_MEMORY // 2**30} GiB of memory; "
            "its streams explode, or it is damaged"
        )
    pages, refusal = pickle.loads(child.stdout)
    if refusal is not None:
        raise BadInput(refusal)
    return list(pages)


def _check_file(path: Path) -> None:
    if not path.is_file():
        raise BadInput(f"{path}: no such file")
    size = path.stat().st_size
    if size == 0:
        raise BadInput(f"{path.name}: the file is empty")
    if size > MAX_BYTES:
        raise BadInput(f"{path.name}: {size / 2**20:.0f} MiB, more than {MAX_BYTES // 2**20}")
    with path.open("rb") as file:
        head = file.read(1024)
        file.seek(max(0, size - 2048))
        tail = file.read()
    if b"%PDF-" not in head:
        raise BadInput(f"{path.name}: not a PDF (it does not begin with %PDF-)")
    if b"%%EOF" not in tail or b"startxref" not in tail:
        raise BadInput(f"{path.name}: the PDF is cut off (its end, %%EOF, is missing)")
