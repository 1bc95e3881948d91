"""Whatever of a call is not valid Unicode is kept as it came; everything else costs no row."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.core.calls.exact_values import OF_THE_CALL, read_exact, with_exact_values

any_text = st.text(st.characters())
any_json = st.recursive(
    any_text | st.integers() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_text, inner, max_size=3),
    max_leaves=5,
)


def rows(extra: Any, reasoning: str | None, index: int = 0) -> dict[str, list[dict[str, Any]]]:
    return {
        "calls": [{"call_id": "c", "extra": {"x": extra}}],
        "completions": [{"call_id": "c", "sample_index": index, "reasoning": reasoning}],
    }


def is_valid(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


@given(any_json, st.none() | any_text)
def test_every_value_that_is_not_valid_and_no_other(extra: Any, reasoning: str | None) -> None:
    given_rows = rows(extra, reasoning)
    found = with_exact_values(given_rows)
    kept = {
        (row["sample_index"], row["field"]): read_exact(row["field"], row["exact"])
        for row in found.get("exact_values", ())
    }
    sent = {(OF_THE_CALL, "extra"): {"x": extra}, (0, "reasoning"): reasoning}
    assert kept == {key: value for key, value in sent.items() if not is_valid(value)}
    assert {table: found[table] for table in given_rows} == given_rows


@pytest.mark.parametrize("text", ["\ud83d", "\ude00\ud83d", "a\udc80\0", "\udfff😀"])
def test_halves_stay_halves(text: str) -> None:
    for row in with_exact_values(rows(text, text, index=3))["exact_values"]:
        value = read_exact(row["field"], row["exact"])
        assert value == ({"x": text} if row["field"] == "extra" else text)
        assert row["call_id"] == "c"


def test_two_halves_that_came_apart_stay_apart() -> None:
    halves = "\ud83d" + chr(0xDE00)
    (row, _) = with_exact_values(rows(halves, halves))["exact_values"]
    assert read_exact("extra", row["exact"]) == {"x": halves}


def test_rows_of_other_tables_are_left_alone() -> None:
    parameters = {"model_parameters": [{"message": "\ud83d"}]}
    assert with_exact_values(parameters) is parameters
