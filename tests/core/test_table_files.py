import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.core.errors import BadInput
from tasks.core.files.tables import Format, Table, read_table


def read(content: str | bytes) -> Table:
    return read_table(content, "input", {"id", "gold", "note"}.__contains__)


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
ROWS = st.lists(st.fixed_dictionaries({"id": TEXT, "note": TEXT}), min_size=1, max_size=5)


@given(ROWS)
def test_json_and_jsonl_give_the_same_rows(rows: list[dict[str, str]]) -> None:
    as_json = read(json.dumps(rows, ensure_ascii=False, indent=2))
    as_lines = read("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows) * 2)
    assert [row.fields for row in as_json.rows] == rows
    assert [row.fields for row in as_lines.rows] == rows * 2


@given(ROWS, st.sampled_from(",;\t"))
def test_csv_cells_come_back_as_they_are(rows: list[dict[str, str]], delimiter: str) -> None:
    file = io.StringIO(newline="")
    writer = csv.DictWriter(file, ["id", "note"], delimiter=delimiter, quoting=csv.QUOTE_ALL)
    writer.writeheader()
    writer.writerows(rows)
    table = read("\ufeff" + file.getvalue())
    assert table.format is Format.CSV
    assert [row.fields for row in table.rows] == rows


@pytest.mark.parametrize(
    "text",
    ["12:30:00", "2024-01-05", "007", "0.50", "12345678901234567890123", "None", "NA", "nan"],
)
def test_text_stays_text_in_every_format(text: str) -> None:
    for content in (
        f"id,gold\n{text},{text}\n",
        json.dumps([{"id": text, "gold": text}]),
        json.dumps({"id": text, "gold": text}) + "\n",
    ):
        (row,) = read(content).rows
        assert (row.text("id"), row.text("gold")) == (text, text)


@pytest.mark.parametrize("number", ["0.50", "12345678901234567890123", "1e-7", "-3", "1E5"])
def test_a_json_number_keeps_its_spelling(number: str) -> None:
    (row,) = read(f'[{{"id": {number}}}]').rows
    assert row.text("id") == number


def test_a_field_that_first_appears_late_is_kept() -> None:
    lines = [json.dumps({"id": n}) for n in range(150)] + [json.dumps({"id": 150, "late": 1})]
    assert read("\n".join(lines)).rows[150].fields["late"] == 1


def test_a_torn_last_line_is_set_aside_with_a_notice() -> None:
    whole = '{"id": 1, "note": "caf\u00e9"}\n'.encode()
    for cut in range(2, len(whole) - 2):
        table = read(whole + whole[:-cut])
        assert len(table.rows) == 1
        assert "line 2" in table.notices[0]


def test_a_last_line_without_its_end_is_whole() -> None:
    table = read('{"id": 1}\n{"id": 2}')
    assert [row.fields["id"] for row in table.rows] == [1, 2]
    assert table.notices == ()


def test_line_separators_inside_texts_do_not_cut_a_line() -> None:
    (first, second) = read('{"id": "a\u2028b\u0085c"}\r\n\r\n{"id": "d"}\r\n').rows
    assert first.fields["id"] == "a\u2028b\u0085c"
    assert (second.place, second.fields["id"]) == ("line 3", "d")


def test_places_are_counted_as_an_editor_counts_them() -> None:
    rows = read('[\n {"id": 1},\n\n {"id":\n 2}\n]').rows
    assert [row.place for row in rows] == ["row 1 (line 2)", "row 2 (line 4)"]
    assert [row.place for row in read('id,note\n1,"a\nb"\n2,c\n').rows] == [
        "row 1 (line 3)",
        "row 2 (line 4)",
    ]


def test_one_object_over_many_lines_is_one_row() -> None:
    table = read(json.dumps({"id": 1, "note": {"deep": [1, {"x": 2}]}}, indent=2))
    assert table.format is Format.JSON
    assert len(table.rows) == 1


@given(st.binary(max_size=60) | st.text(max_size=60))
def test_any_content_is_read_or_refused_in_one_line(content: bytes | str) -> None:
    outcome = read_or_refusal(content)
    assert outcome.rows if isinstance(outcome, Table) else outcome.startswith("input: ")
    assert isinstance(outcome, Table) or "\n" not in outcome


def read_or_refusal(content: bytes | str) -> Table | str:
    try:
        return read(content)
    except BadInput as refusal:
        return str(refusal)
