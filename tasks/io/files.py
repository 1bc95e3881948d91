"""Reads the files that users name, so that no path can hang, flood or crash a command.

A file is read whole, once, into memory. Only regular files are opened (a pipe would wait for a
writer, a device would never end), sizes are bounded before and while unpacking, and gzip is told
by its first bytes, not by the name. Every fault is BadInput in one line that names the path.
"""

import gzip
import io
import os
import stat
import zlib
from pathlib import Path

from tasks.core.errors import BadInput

MAX_BYTES = 512 * 1024**2
MAX_UNPACKED_RATIO = 200
SMALL_BYTES = 64 * 1024**2

_GZIP = b"\x1f\x8b"
_CHUNK_BYTES = 1024**2
_KINDS = (
    ("folder", stat.S_ISDIR),
    ("pipe", stat.S_ISFIFO),
    ("socket", stat.S_ISSOCK),
    ("device", stat.S_ISCHR),
    ("device", stat.S_ISBLK),
)


def read_file(path: Path, *, max_bytes: int = MAX_BYTES) -> bytes:
    """Read a file whole, unpacked where it is gzip (several members too).

    Raises BadInput for a path that is missing, unreadable, no regular file, empty, larger than
    `max_bytes` (as unpacked), or damaged gzip. Unpacking also stops beyond `SMALL_BYTES` where the
    content is over `MAX_UNPACKED_RATIO` times the file: no text packs so well.
    """
    content = _read_regular(path, max_bytes)
    if not content:
        raise BadInput(f"{path}: the file is empty")
    if content.startswith(_GZIP):
        return _unpack(path, content, max_bytes)
    if path.suffix.lower() == ".gz":
        raise BadInput(f"{path}: not gzip data, though the name says .gz; rename or pack it again")
    return content


def _read_regular(path: Path, max_bytes: int) -> bytes:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        raise BadInput(f"{path}: {_reason(path, error)}") from None
    except ValueError as error:
        raise BadInput(f"{str(path)!r}: no path: {error}") from None
    try:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            raise BadInput(f"{path}: is a {_kind(mode)}, not a file; name one file")
        with open(descriptor, "rb", closefd=False) as file:
            content = file.read(max_bytes + 1)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    finally:
        os.close(descriptor)
    if len(content) > max_bytes:
        raise BadInput(f"{path}: {_too_large(max_bytes)}")
    return content


def _unpack(path: Path, packed: bytes, max_bytes: int) -> bytes:
    limit = min(max_bytes, max(SMALL_BYTES, MAX_UNPACKED_RATIO * len(packed)))
    unpacked = bytearray()
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(packed)) as stream:
            while chunk := stream.read(_CHUNK_BYTES):
                unpacked += chunk
                if len(unpacked) > limit:
                    raise BadInput(f"{path}: unpacked, it {_too_large(limit)}")
    except EOFError:
        raise BadInput(
            f"{path}: the gzip data breaks off after {len(unpacked)} unpacked bytes; "
            "fetch the file again"
        ) from None
    except (OSError, zlib.error) as error:
        raise BadInput(f"{path}: damaged gzip data ({error}); fetch the file again") from None
    if not unpacked:
        raise BadInput(f"{path}: the file is empty once unpacked")
    return bytes(unpacked)


def _reason(path: Path, error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file"
    if os.path.exists(path) and stat.S_ISSOCK(os.stat(path).st_mode):
        return "is a socket, not a file; name one file"
    return f"cannot be opened: {error.strerror}"


def _kind(mode: int) -> str:
    for kind, holds in _KINDS:
        if holds(mode):
            return kind
    return "special file"


def _too_large(limit: int) -> str:
    return f"holds more than {limit // 1024**2} MiB, which is more than is read at once; split it"
