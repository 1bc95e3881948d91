"""Questions go into rows and come back; their identity is what is asked, not the key."""

import json
from dataclasses import asdict, replace

from hypothesis import given
from hypothesis import strategies as st

from tasks.core.questions.stored_rows import key_hash, question_hash, question_of
from tasks.core.types import Question, QuestionType

TEXTS = st.text(max_size=30)
QUESTIONS = st.builds(
    Question,
    question_id=TEXTS,
    type=st.sampled_from(QuestionType),
    question=TEXTS,
    gold=st.none() | TEXTS,
    subject=st.none() | TEXTS,
    exam=st.none() | TEXTS,
    number=st.none() | st.integers(0, 99),
    options=st.dictionaries(st.sampled_from("ABCD"), TEXTS),
)


@given(QUESTIONS)
def test_there_and_back(question: Question) -> None:
    row = asdict(question) | {
        "type": question.type.value,
        "options": json.dumps(dict(question.options)),
        "position": 3,
    }
    assert question_of(row) == question


@given(QUESTIONS, TEXTS)
def test_identity_is_what_is_asked(question: Question, other: str) -> None:
    same = replace(question, gold=other, subject=other, status="flagged", number=100)
    assert question_hash(same) == question_hash(question)
    changed = replace(question, question=question.question + "x")
    assert question_hash(changed) != question_hash(question)
    more = replace(question, options={**question.options, "E": other})
    assert question_hash(more) != question_hash(question)


def test_keys_differ_by_their_text() -> None:
    assert key_hash("0.5") != key_hash("0.50")
    assert key_hash("A") == key_hash("A")
