"""Brings a database up to the files of `sql/schema` and `sql/views`.

`sql/schema` is an append-only list of migrations: each file is applied once, in order, and its hash
remembered. `sql/views` is the present: views are made again when the hash of any of them changed,
and one whose file is gone is dropped. All in one transaction: a database is at one version or the
next, never between.
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import duckdb
import polars as pl

from tasks.core.errors import BadInput, DatabaseTooNew
from tasks.io.sql_files import SqlFile, comment_sql, drop_view_sql, query, sql_files

PolarsType = pl.DataType | type[pl.DataType]

_POLARS_TYPES: dict[str, PolarsType] = {
    "VARCHAR": pl.String,
    "JSON": pl.String,
    "BLOB": pl.Binary,
    "BOOLEAN": pl.Boolean,
    "INTEGER": pl.Int32,
    "BIGINT": pl.Int64,
    "DOUBLE": pl.Float64,
    "DATE": pl.Date,
    "TIMESTAMP WITH TIME ZONE": pl.Datetime("us", "UTC"),
}


class Column(NamedTuple):
    """A column as a frame holds it. JSON is text there."""

    name: str
    type: PolarsType
    is_json: bool


def bring_up_to_date(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Apply what is missing. Raises DatabaseTooNew where the file knows migrations that we do not,
    BadInput where it is a DuckDB database of something else."""
    applied = _applied(connection, path)
    migrations = {f"schema/{file.name}": file for file in sql_files("schema")}
    views = {f"views/{file.name}": file for file in sql_files("views")}
    if unknown := [
        name for name in applied if name.startswith("schema/") and name not in migrations
    ]:
        raise DatabaseTooNew(
            f"{path} was written by a newer Proctor (it has {unknown[0]}); "
            "update Proctor, or name another database with --db"
        )
    missing = [file for name, file in migrations.items() if name not in applied]
    current_views = {name: file.sha256 for name, file in views.items()}
    applied_views = {name: sha for name, sha in applied.items() if name.startswith("views/")}
    if not missing and current_views == applied_views:
        return
    connection.execute("BEGIN")
    try:
        if not applied:
            connection.execute(query("create_applied_files"))
        for file in missing:
            connection.execute(file.text)
            _remember(connection, f"schema/{file.name}", file)
        if current_views != applied_views:
            _replace_views(connection, set(applied_views), views)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def is_up_to_date(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether a database has just the schema and the views of this Proctor."""
    applied = dict(connection.execute(query("applied_files")).fetchall())
    views = {f"views/{file.name}": file.sha256 for file in sql_files("views")}
    migrations = {f"schema/{file.name}" for file in sql_files("schema")}
    return applied.keys() == migrations | views.keys() and views.items() <= applied.items()


def columns_of(connection: duckdb.DuckDBPyConnection, table: str) -> list[Column]:
    """Columns of a table in order."""
    rows = connection.execute(query("table_columns"), {"table": table}).fetchall()
    return [Column(name, _POLARS_TYPES[kind], is_json=kind == "JSON") for name, kind in rows]


def _applied(connection: duckdb.DuckDBPyConnection, path: Path) -> dict[str, str]:
    relations = sorted(name for (name,) in connection.execute(query("list_relations")).fetchall())
    if not relations:
        return {}
    try:
        return dict(connection.execute(query("applied_files")).fetchall())
    except (duckdb.BinderException, duckdb.CatalogException):
        raise BadInput(
            f"{path} is a DuckDB database of something else (it has {relations[0]!r}); "
            "name another file with --db"
        ) from None


def _replace_views(
    connection: duckdb.DuckDBPyConnection, applied: set[str], views: dict[str, SqlFile]
) -> None:
    for name in applied:
        connection.execute(drop_view_sql(name.removeprefix("views/")))
        connection.execute(query("forget_applied_file"), {"file": name})
    for name, file in views.items():
        connection.execute(file.text)
        connection.execute(comment_sql("VIEW", file.name, file.comment))
        for column, text in file.column_comments.items():
            connection.execute(comment_sql("COLUMN", f"{file.name}.{column}", text))
        _remember(connection, name, file)


def _remember(connection: duckdb.DuckDBPyConnection, name: str, file: SqlFile) -> None:
    connection.execute(
        query("append_applied_file"),
        {"file": name, "sha256": file.sha256, "applied_at": datetime.now(UTC)},
    )
