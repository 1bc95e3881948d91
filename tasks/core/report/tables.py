"""Long tables turned wide for reading: a line for each contestant, a column for each group."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

Row = Mapping[str, Any]
Key = tuple[str | None, str | None, str | None]

MOST_SUBJECT_COLUMNS = 12


class Column(NamedTuple):
    """`group`: what its values have in common (Subject, Type, Year, All); `n` questions in it."""

    group: str
    name: str
    n: int | None


class Line(NamedTuple):
    """`contestant` None: random guessing. `cells` has the row behind each column, or None."""

    contestant: Row | None
    cells: tuple[Row | None, ...]


class WideTable(NamedTuple):
    """`n_columns_left_out` counts subjects that were too many to stand side by side."""

    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    n_columns_left_out: int = 0


def mean_table(means: Sequence[Row], contestants: Sequence[Row]) -> WideTable:
    """Means by subject, by type, and in all, as in Table 2 of the JEEBench paper. Where there are
    more than `MOST_SUBJECT_COLUMNS` subjects none is shown."""
    cells = {(_key(row), row["subject"], row["type"]): row for row in means}
    subjects = sorted({subject for _, subject, _ in cells if subject is not None})
    types = sorted({kind for _, _, kind in cells if kind is not None})
    shown = subjects if len(subjects) <= MOST_SUBJECT_COLUMNS else []
    groups: list[tuple[str, str | None, str | None]] = [
        *(("Subject", subject, None) for subject in shown),
        *(("Type", None, kind) for kind in types),
        ("All", None, None),
    ]
    columns = tuple(
        Column(group, subject or kind or "all", _largest(cells, subject, kind))
        for group, subject, kind in groups
    )
    by_key = {_key(row): row for row in contestants}
    lines = tuple(
        Line(by_key.get(key), tuple(cells.get((key, *group[1:])) for group in groups))
        for key in dict.fromkeys(_key(row) for row in means)
    )
    return WideTable(columns, lines, len(subjects) - len(shown))


def mark_table(marks: Sequence[Row], contestants: Sequence[Row]) -> WideTable | None:
    """Marks in all and by year; None where no question has a marking scheme."""
    if not marks:
        return None
    cells = {(_key(row), row["year"]): row for row in marks}
    years = sorted({year for _, year in cells if year is not None})
    columns = (
        Column("All", "all", None),
        *(Column("Year", str(year), None) for year in (years if len(years) > 1 else [])),
    )
    by_key = {_key(row): row for row in contestants}
    years_shown = [None, *years[: len(columns) - 1]]
    lines = tuple(
        Line(by_key.get(key), tuple(cells.get((key, year)) for year in years_shown))
        for key in dict.fromkeys(_key(row) for row in marks)
    )
    return WideTable(columns, lines)


def _key(row: Row) -> Key:
    return row["model"], row["mode"], row["epoch"]


def _largest(
    cells: Mapping[tuple[Key, Any, Any], Row], subject: str | None, kind: str | None
) -> int | None:
    counts = (row["n"] for key, row in cells.items() if key[1:] == (subject, kind))
    return max(counts, default=None)
