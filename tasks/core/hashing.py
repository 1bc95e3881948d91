"""Identity is a hash of canonical content. This module is a frozen contract: a change here
changes every stored identity, so the golden values in `tests/core/test_hashing.py` must hold.

Canonical JSON: keys sorted, no blanks, non-ASCII escaped (so that lone surrogates have a form),
floats that are whole numbers written as integers (`1.0` is `1`), `-0.0` as `0`; NaN and the
infinities are refused. A hash is `"<version>:<32 hex digits>"`: the first 128 bits of SHA-256
over `version`, a NUL, and the canonical JSON.
"""

import hashlib
import json
import math
from typing import Any

VERSION = "p1"


def canonical_json(value: Any) -> str:
    """The one spelling of a JSON value. Raises ValueError on NaN, infinities and foreign types."""
    return json.dumps(_canonical(value), sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def content_hash(value: Any) -> str:
    """Tagged hash of a JSON value: equal for equal content, whatever the spelling or key order."""
    digest = hashlib.sha256(f"{VERSION}\0{canonical_json(value)}".encode()).hexdigest()
    return f"{VERSION}:{digest[:32]}"


def bytes_hash(content: bytes) -> str:
    """SHA-256 of bytes in hex: the identity of a document or of a model's weights."""
    return hashlib.sha256(content).hexdigest()


def _canonical(value: Any) -> Any:
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            if not math.isfinite(value):
                raise ValueError(f"{value} has no canonical form")
            return int(value) if value.is_integer() else value
        case dict():
            for key in value:
                if not isinstance(key, str):
                    raise ValueError(f"key {key!r} is not text")
            return {key: _canonical(item) for key, item in value.items()}
        case list() | tuple():
            return [_canonical(item) for item in value]
        case _:
            raise ValueError(f"{type(value).__name__} has no canonical form")
