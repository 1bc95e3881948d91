"""Reads a user's table of rows. JSON, JSONL and CSV are told apart by content, not by name.

- JSON: one array of objects, or one object as the only row.
- JSONL: one object a line; blank lines are passed over. A last line that breaks off (its writer
  died) is set aside with a notice; any other bad line refuses the file.
- CSV: a header row, then one row a record; comma, semicolon or tab, whichever makes the header
  name the most known columns. Cells are text and stay as they are; an empty cell is absent.

Every refusal is BadInput and names the file, the row or line, and what is wrong.
"""

import csv
import io
from collections.abc import Callable, Collection, Iterator
from enum import StrEnum
from typing import Any, NamedTuple

from tasks.core.errors import BadInput
from tasks.core.files.rows import Row, json_kind, plain_name, shown
from tasks.core.files.strict_json import array_items, line_value, whole_value
from tasks.core.files.text import decode

csv.field_size_limit(2**31 - 1)


class Format(StrEnum):
    """How a file writes its rows."""

    JSON = "JSON"
    JSONL = "JSONL"
    CSV = "CSV"


class Table(NamedTuple):
    """At least one row, in the order of the file. `notices` are for the user to read."""

    format: Format
    rows: tuple[Row, ...]
    notices: tuple[str, ...] = ()


def read_table(content: bytes | str, name: str, is_known_field: Callable[[str], bool]) -> Table:
    """Read the rows of a file.

    `is_known_field` tells of a plain field name whether it means anything here; a header, or an
    only object, that has no such field is refused.
    """
    text, is_cut = decode(content, name)
    start = text.lstrip()[0]
    if start == "[":
        table = Table(Format.JSON, tuple(_array_rows(text, name)))
    elif start != "{":
        if is_cut:
            raise BadInput(f"{name}: the file breaks off inside a character; fetch it again")
        table = Table(Format.CSV, tuple(_csv_rows(text, name, is_known_field)))
    elif _is_one_object(text):
        table = Table(Format.JSON, (_only_row(text, name, is_known_field),))
    else:
        table = _jsonl_table(text, name)
    if not table.rows:
        raise BadInput(f"{name}: the file holds no rows")
    return table


def _array_rows(text: str, name: str) -> Iterator[Row]:
    for number, (value, line) in enumerate(array_items(text, name), start=1):
        yield _row(name, f"row {number} (line {line})", value)


def _only_row(text: str, name: str, is_known_field: Callable[[str], bool]) -> Row:
    row = _row(name, "row 1", whole_value(text, name))
    if not any(is_known_field(plain_name(field)) for field in row.fields):
        fields = ", ".join(shown(field) for field in list(row.fields)[:5]) or "nothing"
        raise BadInput(f"{name}: expected a list of rows, found one object that holds {fields}")
    return row


def _is_one_object(text: str) -> bool:
    lines = [line for line in text.split("\n") if line.strip()]
    return len(lines) == 1 or not (
        lines[0].rstrip().endswith("}") or lines[1].lstrip().startswith("{")
    )


def _jsonl_table(text: str, name: str) -> Table:
    lines = [
        (number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()
    ]
    rows: list[Row] = []
    for number, line in lines:
        try:
            value = line_value(line, name, number)
        except BadInput as fault:
            is_torn = number == lines[-1][0] and not text.endswith("\n")
            if is_torn and rows:
                notice = (
                    f"{name}: line {number}, the last, breaks off and was set aside "
                    f"({len(rows)} whole rows before it)"
                )
                return Table(Format.JSONL, tuple(rows), (notice,))
            raise fault from None
        rows.append(_row(name, f"line {number}", value))
    return Table(Format.JSONL, tuple(rows))


def _row(name: str, place: str, value: Any) -> Row:
    if not isinstance(value, dict):
        raise BadInput(f"{name}: {place}: expected an object with fields, found {json_kind(value)}")
    return Row(name, place, value)


def _csv_rows(text: str, name: str, is_known_field: Callable[[str], bool]) -> Iterator[Row]:
    delimiter = max(",;\t", key=lambda each: len(_known(_header(text, each), is_known_field)))
    columns = _header(text, delimiter)
    if not _known(columns, is_known_field):
        raise BadInput(
            f"{name}: neither JSON nor CSV with a header that names its columns; "
            f"the first line is {shown(text.lstrip().splitlines()[0])}"
        )
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    number = -1
    try:
        for cells in reader:
            if not cells:
                continue
            number += 1
            if number > 0:
                place = f"row {number} (line {reader.line_num})"
                yield Row(name, place, _cells(name, place, columns, cells))
    except csv.Error as error:
        raise BadInput(f"{name}: line {reader.line_num}: not CSV: {error}") from None


def _header(text: str, delimiter: str) -> list[str]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    return next((cells for cells in reader if cells), [])


def _known(columns: Collection[str], is_known_field: Callable[[str], bool]) -> list[str]:
    return [column for column in columns if is_known_field(plain_name(column))]


def _cells(name: str, place: str, columns: list[str], cells: list[str]) -> dict[str, str]:
    if len(cells) != len(columns):
        raise BadInput(
            f"{name}: {place}: {len(cells)} cells under {len(columns)} columns; "
            "put quotes around cells that hold the delimiter"
        )
    fields: dict[str, str] = {}
    for column, cell in zip(columns, cells, strict=True):
        if not column.strip():
            if cell.strip():
                raise BadInput(f"{name}: {place}: the cell {shown(cell)} has no column name")
        elif column in fields:
            raise BadInput(f"{name}: the header has the column {shown(column)} twice")
        else:
            fields[column] = cell
    return fields
