"""An open database: named statements in, frames out, rows appended.

Statements are the files of `sql/`; parameters are bound. Frames cross to DuckDB as Parquet and come
back over Arrow's C interface: the ways that need no pyarrow (60 MB of memory).
"""

import contextlib
import itertools
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from tasks.core.calls.text_storage import readable
from tasks.core.errors import BadInput
from tasks.io.schema import Column, columns_of
from tasks.io.sql_files import batch_view_sql, query, sql_files

UNFIT = (
    AttributeError,
    LookupError,
    OverflowError,
    RecursionError,
    TypeError,
    ValueError,
    pl.exceptions.PolarsError,
    duckdb.DataError,
    duckdb.IntegrityError,
    duckdb.NotSupportedError,
    duckdb.ProgrammingError,
)
"""What `Store.append` raises for rows that do not fit their table. Everything else (a full disk,
memory, a file that is gone) says nothing about the rows."""

_TEXT_IN_FRAMES = ("INTERVAL", "UNION(")


class Store:
    """An open database. Statements come from `sql/queries` by name; parameters are bound."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def query(self, name: str, **parameters: Any) -> pl.DataFrame:
        """Rows of `sql/queries/<name>.sql`. A missing or surplus parameter raises."""
        return _frame(self._connection.sql(query(name), params=parameters or None))

    def execute(self, name: str, **parameters: Any) -> None:
        """Run a statement of `sql/queries` that returns nothing of interest."""
        self._connection.execute(query(name), parameters or None)

    def query_with(self, name: str, batch: pl.DataFrame, **parameters: Any) -> pl.DataFrame:
        """As `query`, with a frame that the statement reads under the name `batch`."""
        with self._batch(batch):
            return self.query(name, **parameters)

    def append(self, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Append rows to a table; one whose primary key is there already is left out.

        Values are Python's: datetimes aware (or ISO texts), bytes (or hex texts), JSON columns as
        dicts, lists or JSON text. Every row has every column of the table; a missing or surplus one
        raises KeyError, any value that its column cannot hold one of `UNFIT`. Lone surrogates
        become U+FFFD (`core.calls.exact_values` and `text_storage` keep them as they are).
        """
        if not rows:
            return
        columns = columns_of(self._connection, table)
        if surplus := set().union(*rows) - {column.name for column in columns}:
            raise KeyError(f"{table} has no column {sorted(surplus)}")
        batch = pl.DataFrame(
            [_series(column, [row[column.name] for row in rows]) for column in columns]
        )
        with self._batch(batch):
            self._connection.execute(query(f"append_{table}"))

    def offenders(self) -> dict[str, pl.DataFrame]:
        """Check name → rows that break it, for every file of `sql/checks` that finds any."""
        found = {file.name: _frame(self._connection.sql(file.text)) for file in sql_files("checks")}
        return {name: rows for name, rows in found.items() if not rows.is_empty()}

    @property
    def n_checks(self) -> int:
        """How many rules `offenders` looks at."""
        return len(sql_files("checks"))

    def select(self, statement: str) -> pl.DataFrame:
        """Rows of a user's own statement; for read-only stores, which cannot be changed by it.

        Types that a frame cannot hold (intervals) come as text. Raises BadInput with DuckDB's own
        words where the statement is wrong, also where it turns out so only in the middle.
        """
        try:
            relation = self._connection.sql(statement)
            if relation is None:
                raise BadInput("the statement returns no rows; give a SELECT")
            return _frame(_framed(relation))
        except (duckdb.Error, pl.exceptions.PolarsError) as error:
            raise BadInput(" ".join(str(error).split())) from None

    @contextlib.contextmanager
    def _batch(self, frame: pl.DataFrame) -> Iterator[None]:
        with tempfile.NamedTemporaryFile(prefix="proctor-", suffix=".parquet") as file:
            try:
                frame.write_parquet(file.name, compression="uncompressed", statistics=False)
            except pl.exceptions.PolarsError as error:
                raise OSError(f"{file.name}: {error}") from None
            self._connection.execute(batch_view_sql(Path(file.name)))
            try:
                yield
            except BaseException:
                # In a transaction that failed nothing can be dropped; rolling back does it.
                with contextlib.suppress(duckdb.Error):
                    self._connection.execute(query("drop_batch"))
                raise
            self._connection.execute(query("drop_batch"))

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All statements inside are stored together, or none of them."""
        self._connection.execute("BEGIN")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")


def _frame(relation: duckdb.DuckDBPyRelation) -> pl.DataFrame:
    """Rows as a frame, over Arrow's C interface; `relation.pl()` would load pyarrow (60 MB)."""
    return pl.DataFrame(relation)


def _series(column: Column, values: list[Any]) -> pl.Series:
    if column.type == pl.Binary:
        values = [bytes.fromhex(value) if isinstance(value, str) else value for value in values]
    elif isinstance(column.type, pl.Datetime):
        values = [
            datetime.fromisoformat(value) if isinstance(value, str) else value for value in values
        ]
    if column.type != pl.String:
        return pl.Series(column.name, values, dtype=column.type)
    texts = [_json_text(value) for value in values] if column.is_json else values
    try:
        return pl.Series(column.name, texts, dtype=pl.String)
    except UnicodeEncodeError:
        valid = [None if text is None else readable(text) for text in texts]
        return pl.Series(column.name, valid, dtype=pl.String)


def _json_text(value: Any) -> Any:
    """JSON text in which no lone surrogate is escaped: DuckDB refuses that, and the whole batch."""
    if isinstance(value, str) and "\\ud" in value.lower():
        value = json.loads(value)
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _framed(relation: duckdb.DuckDBPyRelation) -> duckdb.DuckDBPyRelation:
    """The relation as a frame can hold it: what has no place there as text, and a name that occurs
    again with a number (`b`, `b_1`)."""
    is_text = [any(word in str(kind) for word in _TEXT_IN_FRAMES) for kind in relation.types]
    names = _numbered(relation.columns)
    if not any(is_text) and names == relation.columns:
        return relation
    columns = [duckdb.SQLExpression(f"#{i}") for i in range(1, len(is_text) + 1)]
    return relation.select(
        *(
            (column.cast("VARCHAR") if cast else column).alias(name)
            for column, cast, name in zip(columns, is_text, names, strict=True)
        )
    )


def _numbered(names: Sequence[str]) -> list[str]:
    taken: list[str] = []
    for name in names:
        numbered = (f"{name}_{i}" for i in itertools.count(1))
        taken.append(
            name if name not in taken else next(n for n in numbered if n not in (*names, *taken))
        )
    return taken
