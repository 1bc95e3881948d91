"""A database is at the version of this Proctor, or is refused and left as it was."""

import hashlib
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tasks.core.errors import BadInput, DatabaseTooNew
from tasks.io.database import Database
from tasks.io.sql_files import sql_files


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    database = Database(tmp_path_factory.mktemp("schema") / "template.duckdb")
    with database.publishing() as store:
        store.append("prompts", [{"prompt_hash": "p", "messages": [{"role": "user"}]}])
    return database.path


@pytest.fixture
def database(template: Path, tmp_path: Path) -> Database:
    return Database(Path(shutil.copy(template, tmp_path / "test.duckdb")))


def change(database: Database, *statements: str) -> None:
    """What another program, or another version of Proctor, does to the file."""
    with duckdb.connect(str(database.path)) as connection:
        for statement in statements:
            connection.execute(statement)


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def select(database: Database, statement: str) -> list[tuple[Any, ...]]:
    with database.open() as store:
        return store.select(statement).rows()


def test_fresh_database_has_every_table_and_view(database: Database) -> None:
    tables = {name for (name,) in select(database, "SELECT table_name FROM duckdb_tables()")}
    views = {
        name
        for (name,) in select(database, "SELECT view_name FROM duckdb_views() WHERE NOT internal")
    }
    assert tables == {file.name for file in sql_files("schema")} | {"applied_files"}
    assert views == {file.name for file in sql_files("views")}


def test_every_view_can_be_read(database: Database) -> None:
    with database.open() as store:
        for file in sql_files("views"):
            assert store.select(f"SELECT * FROM {file.name}").is_empty()


def test_comments_reach_the_database(database: Database) -> None:
    statement = "SELECT view_name, comment FROM duckdb_views() WHERE NOT internal"
    comments = dict(select(database, statement))
    for file in sql_files("views"):
        assert comments[file.name] == file.comment
    columns = (
        "SELECT table_name, column_name, comment FROM duckdb_columns() WHERE comment IS NOT NULL"
    )
    assert {tuple(row) for row in select(database, columns)} == {
        (file.name, column, text)
        for file in sql_files("views")
        for column, text in file.column_comments.items()
    }


def test_every_table_has_a_key_so_that_appending_is_idempotent(database: Database) -> None:
    statement = "SELECT table_name FROM duckdb_tables() WHERE NOT has_primary_key"
    assert select(database, statement) == []


def test_missing_migration_is_applied_and_data_stays(database: Database) -> None:
    newest = sql_files("schema")[-1].name
    change(
        database,
        f"DROP TABLE {newest}",
        f"DELETE FROM applied_files WHERE file = 'schema/{newest}'",
    )
    assert select(database, f"SELECT * FROM {newest}") == []
    assert select(database, "SELECT prompt_hash FROM prompts") == [("p",)]
    assert (f"schema/{newest}",) in select(database, "SELECT file FROM applied_files")


def test_views_are_made_again_only_when_their_text_changed(database: Database) -> None:
    comment = "SELECT comment FROM duckdb_views() WHERE view_name = 'leaderboard'"
    change(database, "COMMENT ON VIEW leaderboard IS 'marker'")
    assert select(database, comment) == [("marker",)]
    change(database, "UPDATE applied_files SET sha256 = 'old' WHERE file = 'views/runs'")
    assert select(database, comment) != [("marker",)]


def test_view_of_an_older_version_is_replaced_or_dropped(database: Database) -> None:
    change(
        database,
        "CREATE OR REPLACE VIEW leaderboard AS SELECT 1 AS old",
        "UPDATE applied_files SET sha256 = 'old' WHERE file = 'views/leaderboard'",
        "CREATE VIEW gone AS SELECT * FROM leaderboard",
        "INSERT INTO applied_files VALUES ('views/gone', 'x', now())",
    )
    assert select(database, "SELECT * FROM leaderboard") == []
    assert select(database, "SELECT * FROM duckdb_views() WHERE view_name = 'gone'") == []
    assert select(database, "SELECT * FROM applied_files WHERE file = 'views/gone'") == []


def test_view_that_a_user_made_stays(database: Database) -> None:
    change(
        database,
        "CREATE VIEW my_view AS SELECT prompt_hash FROM prompts",
        "UPDATE applied_files SET sha256 = 'old' WHERE file = 'views/runs'",
    )
    assert select(database, "SELECT * FROM my_view") == [("p",)]


def test_newer_database_is_refused(database: Database) -> None:
    change(database, "INSERT INTO applied_files VALUES ('schema/from_the_future', 'x', now())")
    before = digest(database.path)
    with pytest.raises(DatabaseTooNew, match="from_the_future"), database.open():
        pass
    assert digest(database.path) == before


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("CREATE TABLE customers (id INTEGER)", "customers"),
        ("CREATE VIEW sales AS SELECT 1 AS id", "sales"),
        ("CREATE TABLE applied_files (id INTEGER)", "applied_files"),
    ],
)
def test_database_of_something_else_is_refused(tmp_path: Path, statement: str, name: str) -> None:
    database = Database(tmp_path / "foreign.duckdb")
    change(database, statement)
    before = digest(database.path)
    for burst in (database.open, database.read):
        with pytest.raises(BadInput, match=name), burst():
            pass
    assert digest(database.path) == before


def test_failed_migration_changes_nothing(database: Database) -> None:
    newest = sql_files("schema")[-1].name
    change(database, f"DELETE FROM applied_files WHERE file = 'schema/{newest}'")
    with pytest.raises(duckdb.CatalogException, match=newest), database.open():
        pass
    with duckdb.connect(str(database.path)) as connection:
        files = connection.sql("SELECT file FROM applied_files").fetchall()
        assert (f"schema/{newest}",) not in files
        assert connection.sql("SELECT prompt_hash FROM prompts").fetchall() == [("p",)]
