"""Agreement with the answers that JEEBench's authors read by hand.

Canonical and score-equal agreement as `extract_baselines.json` defines them; where
`extract_adjudicated.json` lists a row, its answer is the truth.
"""

import gzip
import json
from collections import defaultdict
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import pytest

from tasks.core.extraction import extract
from tasks.core.types import Question, QuestionType

FLOORS = {
    ("GPT4_normal", "canonical"): 0.995,
    ("GPT4_normal", "score_equal"): 0.997,
    ("GPT3.5_normal", "canonical"): 0.985,
    ("GPT3.5_normal", "score_equal"): 0.990,
}
TYPE_FLOOR = 0.97


@pytest.mark.parametrize("responses", ["GPT4_normal", "GPT3.5_normal"])
def test_agreement_with_human_extracts(shared_data: Path, responses: str) -> None:
    folder = shared_data / "jeebench"
    questions = {
        f"{row['description']}|{row['index']}": row
        for row in json.loads((folder / "dataset.json").read_text())
    }
    adjudicated = {
        row["id"]: row["literal_answer"]
        for row in json.loads((folder / "extract_adjudicated.json").read_text())
        if row["set"] == responses
    }
    agreements: dict[QuestionType, list[tuple[bool, bool]]] = defaultdict(list)
    with gzip.open(folder / f"extract_{responses}.jsonl.gz", "rt") as lines:
        for row in map(json.loads, lines):
            asked = questions[row["id"]]
            kind = QuestionType(row["type"])
            found = extract(
                row["response_text"] or "",
                Question(row["id"], kind, asked["question"]),
                truncated=row["finish_reason"] == "length",
            ).answer
            truth = adjudicated.get(row["id"], row["human_extract"])
            truth = None if truth == "None" else truth
            agreements[kind].append(
                (
                    canonical(kind, found) == canonical(kind, truth) or close(kind, found, truth),
                    score(kind, found, asked["gold"]) == score(kind, truth, asked["gold"]),
                )
            )
    rows = [pair for pairs in agreements.values() for pair in pairs]
    assert len(rows) == 515
    assert share(rows, 0) >= FLOORS[responses, "canonical"]
    assert share(rows, 1) >= FLOORS[responses, "score_equal"]
    for kind, pairs in agreements.items():
        assert share(pairs, 0) >= TYPE_FLOOR, kind


def share(pairs: list[tuple[bool, bool]], index: int) -> float:
    return sum(pair[index] for pair in pairs) / len(pairs)


def canonical(kind: QuestionType, answer: str | None) -> Any:
    """Letters as a set, numbers as decimals; a non-integer of an Integer question is None."""
    if answer is None:
        return None
    if kind in (QuestionType.MCQ, QuestionType.MCQ_MULTIPLE):
        return frozenset(answer)
    try:
        number = Decimal(answer)
    except InvalidOperation:
        return None
    if kind is QuestionType.INTEGER and number != number.to_integral_value():
        return None
    return number


def close(kind: QuestionType, a: str | None, b: str | None) -> bool:
    x, y = canonical(kind, a), canonical(kind, b)
    if not (isinstance(x, Decimal) and isinstance(y, Decimal)):
        return False
    difference = abs(x - y)
    return difference <= Decimal("0.01") or (abs(y) >= 100 and difference <= abs(y) / 1000)


def score(kind: QuestionType, answer: str | None, gold: str) -> float:
    if answer is None:
        return 0.0
    if kind is QuestionType.MCQ:
        return float(answer == gold)
    if kind is QuestionType.MCQ_MULTIPLE:
        chosen, right = set(answer), set(gold)
        if chosen == right:
            return 1.0
        return 0.25 * len(chosen) if chosen < right else 0.0
    return float(abs(Decimal(answer) - Decimal(gold)) <= Decimal("0.01"))
