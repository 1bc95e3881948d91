"""Responses written for this test, in the manners of many models and languages.

`written_responses.jsonl`: one response a line with its question and the answer a careful person
reads in it. Texts are ours; the manners (`kind`) are those of models one meets.
"""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tasks.core.extraction import extract
from tasks.core.types import Question, QuestionType

ROWS = [
    json.loads(line)
    for line in Path(__file__).with_name("written_responses.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['kind']}-{row['id']}")
def test_a_careful_person_reads_the_same(row: dict[str, Any]) -> None:
    kind = QuestionType(row["type"])
    asked = Question(row["id"], kind, row["question"], options=row["options"])
    found = extract(row["text"], asked, truncated=row["truncated"])
    assert found.status.value == row["status"]
    if kind in (QuestionType.MCQ, QuestionType.MCQ_MULTIPLE) or row["answer"] is None:
        assert found.answer == row["answer"]
    else:
        assert found.answer is not None
        assert abs(Decimal(found.answer) - Decimal(row["answer"])) <= Decimal("0.01")
