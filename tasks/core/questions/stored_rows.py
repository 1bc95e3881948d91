"""Questions as rows of `questions_current`, and back. Nothing but the change of form."""

import json
from collections.abc import Mapping
from typing import Any

from tasks.core.hashing import content_hash
from tasks.core.types import Question, QuestionType


def question_of(row: Mapping[str, Any]) -> Question:
    """The question of a row that has at least the columns of `questions_current` named here."""
    return Question(
        question_id=row["question_id"],
        type=QuestionType(row["type"]),
        question=row["question"],
        gold=row["gold"],
        subject=row["subject"],
        exam=row["exam"],
        number=row["number"],
        options=json.loads(row["options"]),
        has_figure=row["has_figure"],
        status=row["status"],
        reason=row["reason"],
    )


def question_hash(question: Question) -> str:
    """Identity of what is asked and how an answer is read: type, text and options. Not the key."""
    return content_hash(
        {
            "type": question.type.value,
            "question": question.question,
            "options": dict(question.options),
        }
    )


def key_hash(gold: str) -> str:
    """Identity of an answer key as published."""
    return content_hash({"gold": gold})
