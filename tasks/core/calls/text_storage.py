"""Any text a server sends can be stored, and comes back as it was.

A database column holds valid Unicode only, but JSON may carry lone surrogates (half of a
character outside the basic plane). Such a text is stored twice: readable, with one U+FFFD in the
place of each, so that offsets hold in both, and as bytes.
"""

import re

_SURROGATE = re.compile("[\ud800-\udfff]")


def to_stored(text: str) -> tuple[str, bytes | None]:
    """The readable text and, only where it is not valid Unicode, its exact bytes (UTF-8 with
    surrogates passed through)."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text), text.encode("utf-8", "surrogatepass")
    return text, None


def from_stored(text: str, exact: bytes | None) -> str:
    """Inverse of `to_stored`."""
    return text if exact is None else exact.decode("utf-8", "surrogatepass")


def readable(text: str) -> str:
    """The text with every lone surrogate replaced by U+FFFD."""
    return to_stored(text)[0]
