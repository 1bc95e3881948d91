"""A reply is cut at the spans that were read in it, and no character is lost."""

import json

from hypothesis import given
from hypothesis import strategies as st

from tasks.core.report.review import marked_pieces, review_record

OFFSETS = st.none() | st.integers(-2, 30)
SPANS = st.lists(st.tuples(OFFSETS, OFFSETS, st.sampled_from(["answer", "also"])), max_size=6)


@given(st.text(max_size=25), SPANS)
def test_the_pieces_make_the_text(
    text: str, spans: list[tuple[int | None, int | None, str]]
) -> None:
    pieces = marked_pieces(text, spans)
    assert "".join(piece for piece, _ in pieces) == text
    assert all(piece for piece, _ in pieces)


def test_the_first_of_two_spans_that_meet_is_marked() -> None:
    spans = [(4, 6, "answer"), (0, 2, "also"), (5, 8, "also"), (6, 6, "also"), (9, 99, "also")]
    assert marked_pieces("ab, cd, ef", spans) == [
        ("ab", "also"),
        (", ", ""),
        ("cd", "answer"),
        (", ef", ""),
    ]


def test_a_record_marks_the_answer_and_the_candidates() -> None:
    candidate = {"answer": "A", "rule": "mentioned", "span_start": 0, "span_end": 1}
    row = {"text": "A or B", "span_start": 5, "span_end": 6, "candidates": json.dumps([candidate])}
    assert review_record(row) == {
        "candidates": [candidate],
        "pieces": [("A", "also"), (" or ", ""), ("B", "answer")],
    }
