"""What the review sheet shows of a reply, as data that it unpacks and shows as plain text."""

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

Piece = tuple[str, str]


def review_record(row: Mapping[str, Any]) -> dict[str, Any]:
    """A reply with its text cut at what was read in it (see `marked_pieces`)."""
    record = {**row, "candidates": json.loads(row["candidates"] or "[]")}
    text = record.pop("text")
    spans = [(record.pop("span_start"), record.pop("span_end"), "answer")]
    spans += [(each["span_start"], each["span_end"], "also") for each in record["candidates"]]
    return record | {"pieces": marked_pieces(text, spans)}


def marked_pieces(text: str, spans: Sequence[tuple[int | None, int | None, str]]) -> list[Piece]:
    """Cut a text at spans (0-based code points, end exclusive) into pieces of text and mark; ""
    marks what lies between. The pieces make the text. A span that is empty, outside the text, or
    that meets an earlier one of the list is left out."""
    taken: list[tuple[int, int, str]] = []
    for start, end, mark in spans:
        if start is None or end is None or not 0 <= start < end <= len(text):
            continue
        if all(end <= other_start or other_end <= start for other_start, other_end, _ in taken):
            taken.append((start, end, mark))
    bounds = [(0, 0, ""), *sorted(taken), (len(text), len(text), "")]
    pieces = []
    for (_, before, _), (start, end, mark) in pairwise(bounds):
        pieces += [(text[before:start], ""), (text[start:end], mark)]
    return [piece for piece in pieces if piece[0]]
