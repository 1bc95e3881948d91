"""Reads the files of `sql/`: one statement a file, the stem is its name, the first comment its doc.

The comment of a view is also what `COMMENT ON` says in the database, so that an analyst reads it
in any client:

    -- First lines: what a row is.
    -- Grain: the key columns.
    -- Columns:
    --   name: meaning and unit
"""

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from tasks.io.settings import SQL

Folder = Literal["schema", "views", "queries", "checks"]


@dataclass(frozen=True, slots=True)
class SqlFile:
    """`order` is the file's leading number (0 without one); `name` the stem without it."""

    name: str
    order: int
    text: str

    @property
    def sha256(self) -> str:
        """Hash of the file's text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def comment(self) -> str:
        """The leading comment without its column list."""
        return "\n".join(self._header()).partition("\nColumns:")[0].strip()

    @property
    def column_comments(self) -> dict[str, str]:
        """Column → meaning, from the lines below `Columns:`; a deeper line goes on."""
        columns: dict[str, str] = {}
        lines = self._header()
        below = lines[lines.index("Columns:") + 1 :] if "Columns:" in lines else []
        for line in below:
            if match := re.match(r"  (\w+): (.+)", line):
                columns[match[1]] = match[2]
            elif columns and line.startswith("    "):
                columns[next(reversed(columns))] += " " + line.strip()
        return columns

    def _header(self) -> list[str]:
        lines = []
        for line in self.text.splitlines():
            if not line.startswith("--"):
                break
            lines.append(line[2:].removeprefix(" "))
        return lines


@cache
def sql_files(folder: Folder) -> tuple[SqlFile, ...]:
    """All files of one folder of `sql/`, in the order of their numbers, then names."""
    files = (_read(path) for path in (SQL / folder).glob("*.sql"))
    return tuple(sorted(files, key=lambda file: (file.order, file.name)))


@cache
def query(name: str) -> str:
    """Text of `sql/queries/<name>.sql`. Raises KeyError on a name that no file has."""
    texts = {file.name: file.text for file in sql_files("queries")}
    return texts[name]


def attach_sql(path: Path, alias: str, *, read_only: bool = False) -> str:
    """`ATTACH` takes no bound parameter, so the path is written as a quoted literal."""
    return f"ATTACH {literal(str(path))} AS {alias}{' (READ_ONLY)' if read_only else ''}"


def batch_view_sql(path: Path) -> str:
    """Let statements read a Parquet file as `batch`. A view takes no bound parameter."""
    return f"CREATE OR REPLACE TEMP VIEW batch AS FROM read_parquet({literal(str(path))})"


def comment_sql(kind: Literal["VIEW", "COLUMN"], name: str, text: str) -> str:
    """`COMMENT ON` takes no bound parameter either. `name` is ours, `text` any text."""
    return f"COMMENT ON {kind} {name} IS {literal(text)}"


def drop_view_sql(name: str) -> str:
    """`DROP VIEW` of a view that may be gone already. `name` is ours."""
    return f"DROP VIEW IF EXISTS {name}"


def literal(text: str) -> str:
    """A SQL string literal."""
    return "'" + text.replace("'", "''") + "'"


def _read(path: Path) -> SqlFile:
    number, _, rest = path.stem.partition("_")
    if number.isdigit():
        return SqlFile(name=rest, order=int(number), text=path.read_text())
    return SqlFile(name=path.stem, order=0, text=path.read_text())
