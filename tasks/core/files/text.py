"""From the bytes of a user's file to text: UTF-8, with or without a byte-order mark.

Nothing is guessed: other encodings and formats that are no text at all are refused, with their
name where their first bytes tell it.
"""

from typing import NamedTuple

from tasks.core.errors import BadInput

_FOREIGN = {
    b"PK\x03\x04": "a zip archive or an Excel workbook; save the table as CSV",
    b"%PDF": "a PDF",
    b"PAR1": "a Parquet file; export it as JSONL or CSV",
    b"\x1f\x8b": "gzip data; unpack it",
    b"\x28\xb5\x2f\xfd": "zstandard data; unpack it",
    b"BZh": "bzip2 data; unpack it",
    b"\xfd7zXZ": "xz data; unpack it",
    b"SQLite format 3\x00": "an SQLite database; export the table as CSV",
}
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class FileText(NamedTuple):
    """`is_cut`: the bytes end inside a character, which was left out of `text`."""

    text: str
    is_cut: bool


def decode(content: bytes | str, name: str) -> FileText:
    """Return the text of a file without its byte-order mark.

    Raises BadInput where the bytes are not UTF-8 (with the line and the byte offset), hold NUL
    bytes, or hold nothing but blanks.
    """
    if isinstance(content, str):
        text, is_cut = content, False
    else:
        text, is_cut = _decode_bytes(content, name)
    text = text.removeprefix("\ufeff")
    if "\x00" in text:
        line = text.count("\n", 0, text.index("\x00")) + 1
        raise BadInput(f"{name}: line {line}: a NUL byte, which no text holds; save it as UTF-8")
    if not text.strip():
        raise BadInput(f"{name}: the file is empty" + (" but for blanks" if text else ""))
    return FileText(text, is_cut)


def _decode_bytes(content: bytes, name: str) -> FileText:
    for start, kind in _FOREIGN.items():
        if content.startswith(start):
            raise BadInput(f"{name}: not text but {kind}")
    if content.startswith(_UTF16):
        raise BadInput(f"{name}: the text is UTF-16; save it as UTF-8")
    try:
        return FileText(content.decode(), is_cut=False)
    except UnicodeDecodeError as error:
        if error.end == len(content) and error.reason == "unexpected end of data":
            return FileText(content[: error.start].decode(), is_cut=True)
        line = content.count(b"\n", 0, error.start) + 1
        raise BadInput(
            f"{name}: line {line}: byte 0x{content[error.start]:02x} at offset {error.start} "
            "is not UTF-8; save it as UTF-8"
        ) from None
