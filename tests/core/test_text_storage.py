"""Any text a server can send comes back as it was."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.core.calls.text_storage import from_stored, readable, to_stored

any_text = st.text(st.characters())


@given(any_text)
def test_stored_text_comes_back(text: str) -> None:
    stored, exact = to_stored(text)
    assert from_stored(stored, exact) == text
    stored.encode()


@given(any_text)
def test_readable_text_keeps_every_offset(text: str) -> None:
    shown = readable(text)
    assert len(shown) == len(text)
    assert all(
        (a == b) != ("\ud800" <= a <= "\udfff" and b == "\ufffd")
        for a, b in zip(text, shown, strict=True)
    )


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_valid_text_is_stored_once(text: str) -> None:
    assert to_stored(text) == (text, None)


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        (r'"a\ud83d"', "a\ufffd"),
        (r'"\ude00b"', "\ufffdb"),
        (r'"\ud83d\ude00"', "😀"),
        (r'"\ude00\ud83d"', "\ufffd\ufffd"),
        (r'"\u0000"', "\0"),
        (r'"\ufffd"', "\ufffd"),
    ],
)
def test_escapes_in_a_reply(sent: str, shown: str) -> None:
    text = json.loads(sent)
    stored, exact = to_stored(text)
    assert stored == shown
    assert from_stored(stored, exact) == text
