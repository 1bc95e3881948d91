"""Names, order, comments and literals of the files under `sql/`."""

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.io.sql_files import SqlFile, literal, query, sql_files

VIEW = SqlFile(
    name="marks",
    order=7,
    text="""\
-- Marks of each exam.
-- Grain: exam.
-- Columns:
--   total: marks won less marks lost,
--     over all questions
--   n: questions
SELECT 1 AS total, 2 AS n;
-- Grain: not part of the header
""",
)


def test_header_is_split_into_comment_and_columns() -> None:
    assert VIEW.comment == "Marks of each exam.\nGrain: exam."
    assert VIEW.column_comments == {
        "total": "marks won less marks lost, over all questions",
        "n": "questions",
    }


def test_header_without_columns() -> None:
    file = SqlFile(name="x", order=0, text="-- One line. Grain: x.\nSELECT 1;")
    assert file.comment == "One line. Grain: x."
    assert file.column_comments == {}


def test_files_come_in_the_order_of_their_numbers() -> None:
    for folder in ("schema", "views"):
        files = sql_files(folder)
        assert [file.order for file in files] == sorted(file.order for file in files)
        assert len({file.name for file in files}) == len(files)


def test_unknown_query_raises() -> None:
    with pytest.raises(KeyError, match="no_such_query"):
        query("no_such_query")


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_literal_is_the_text(text: str) -> None:
    """Of any text that can be a path or a comment: those have no NUL."""
    with duckdb.connect(":memory:") as connection:
        assert connection.sql(f"SELECT {literal(text)}").fetchall() == [(text,)]
