"""Rows of `exact_values`: what of a call's rows no column can hold as it is.

A server may send lone surrogates in any text, also inside JSON. The columns get U+FFFD in their
places; here is the way that nothing is lost. `completions.text` has `text_bytes` for it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tasks.core.calls.text_storage import to_stored

Rows = Mapping[str, Sequence[Mapping[str, Any]]]

OF_THE_CALL = -1


def with_exact_values(rows: Rows) -> Rows:
    """The rows of one call (table → rows), and where one of `calls` or `completions` holds a value
    that is not valid Unicode, the rows of `exact_values` for it."""
    exact = [*_rows_of(rows.get("calls", ())), *_rows_of(rows.get("completions", ()))]
    return {**rows, "exact_values": exact} if exact else rows


def read_exact(field: str, exact: bytes) -> Any:
    """The value that a row of `exact_values` keeps: a text, or the value of a JSON column."""
    text = exact.decode("utf-8", "surrogatepass")
    return json.loads(text) if field in _JSON_FIELDS else text


_JSON_FIELDS = frozenset({"extra", "tool_calls"})


def _rows_of(rows: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for row in rows:
        for field, value in row.items():
            if isinstance(value, dict | list):
                value = json.dumps(value, ensure_ascii=False)
            exact = to_stored(value)[1] if isinstance(value, str) else None
            if exact is not None:
                yield {
                    "call_id": row["call_id"],
                    "sample_index": row.get("sample_index", OF_THE_CALL),
                    "field": field,
                    "exact": exact,
                }
