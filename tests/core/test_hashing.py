"""Golden values of the frozen contract: a failure means that stored identities would change."""

import hashlib
import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.core.hashing import bytes_hash, canonical_json, content_hash
from tasks.core.types import QuestionType

GOLDEN_JSON: list[tuple[Any, str]] = [
    (None, "null"),
    (True, "true"),
    (1, "1"),
    (1.0, "1"),
    (-0.0, "0"),
    (0.1, "0.1"),
    (1e16, "10000000000000000"),
    (1e-7, "1e-07"),
    (2**70, "1180591620717411303424"),
    ("", '""'),
    ("é\n\0/", '"\\u00e9\\n\\u0000/"'),
    ("\ud800", '"\\ud800"'),
    ("𝑥", '"\\ud835\\udc65"'),
    ([], "[]"),
    ((1, [2.0]), "[1,[2]]"),
    ({"b": 1, "a": {"d": [], "c": None}}, '{"a":{"c":null,"d":[]},"b":1}'),
    ({"é": 1, "z": 2, "Z": 3, "": 4}, '{"":4,"Z":3,"z":2,"\\u00e9":1}'),
    (QuestionType.MCQ_MULTIPLE, '"MCQ(multiple)"'),
]

GOLDEN_HASHES: list[tuple[Any, str]] = [
    (None, "p1:c552f16d64c1a998edcea96aa286b260"),
    ({}, "p1:f1bb82cc9bbd3e72ebdeb8e4f26312d0"),
    ("question", "p1:6778e6bb573b337e6cd1b06921a05e64"),
    (["a", 1, 0.5, False], "p1:8a045bd8d92c29a8d09a91ed19b76caf"),
    (
        {
            "model": "m",
            "messages": [{"role": "user", "content": "2 + 2 = ?"}],
            "temperature": 0.5,
            "max_tokens": 2048,
        },
        "p1:0142dd4260b42e140a3c733d188a9dea",
    ),
]


@pytest.mark.parametrize(("value", "text"), GOLDEN_JSON)
def test_golden_canonical_json(value: Any, text: str) -> None:
    assert canonical_json(value) == text


@pytest.mark.parametrize(("value", "expected"), GOLDEN_HASHES)
def test_golden_content_hashes(value: Any, expected: str) -> None:
    assert content_hash(value) == expected


def test_a_hash_is_its_version_and_half_of_sha256_over_version_and_json() -> None:
    digest = hashlib.sha256(b'p1\0{"a":1}').hexdigest()
    assert content_hash({"a": 1.0}) == f"p1:{digest[:32]}"


def test_golden_bytes_hash() -> None:
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert bytes_hash(b"") == empty
    assert bytes_hash(b"abc").startswith("ba7816bf8f01cfea414140de5dae2223")


@pytest.mark.parametrize(
    "value", [math.nan, math.inf, {"a": [-math.inf]}, {1: "a"}, {None: 1}, b"a", {1}, object()]
)
def test_what_has_no_canonical_form_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r"canonical form|not text"):
        content_hash(value)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


def reordered(value: Any) -> Any:
    """The same value with the keys of every object in reverse order and whole numbers as floats."""
    match value:
        case bool():
            return value
        case dict():
            return {key: reordered(value[key]) for key in reversed(value)}
        case list():
            return tuple(reordered(item) for item in value)
        case int() if abs(value) < 2**53:
            return float(value)
        case _:
            return value


@given(json_values)
def test_key_order_and_number_spelling_change_nothing(value: Any) -> None:
    assert content_hash(reordered(value)) == content_hash(value)


@given(json_values)
def test_canonical_json_reads_back_as_the_value_and_is_a_fixed_point(value: Any) -> None:
    text = canonical_json(value)
    assert text.isascii()
    assert json.loads(text) == value
    assert canonical_json(json.loads(text)) == text


@given(json_values, json_values)
def test_different_canonical_json_has_different_hashes(one: Any, other: Any) -> None:
    is_equal = canonical_json(one) == canonical_json(other)
    assert (content_hash(one) == content_hash(other)) == is_equal


@pytest.mark.parametrize(
    ("one", "other"), [(True, 1), (False, 0), (None, "null"), (1, "1"), ([], {})]
)
def test_types_of_json_are_kept_apart(one: Any, other: Any) -> None:
    assert content_hash(one) != content_hash(other)
