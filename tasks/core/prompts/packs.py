"""Reads the wording of prompts off files that carry them, so that it can be used on other copies.

A prompt is taken apart into what stands before the question and what stands behind it. The wording
of a mode is a pack only if, for each type, these are the same in every row, and rendering gives
every prompt back byte for byte; anything less is refused. Prompts that differ in more than the
question (examples by subject, a model's earlier answer) have no such pack.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tasks.core.errors import BadInput
from tasks.core.files.rows import shown
from tasks.core.prompts.rendering import WHITESPACE_RULES, Frame, PromptPack, render
from tasks.core.types import Question, QuestionType


class Asked(NamedTuple):
    """A question and the whole text in which it was asked."""

    question: Question
    prompt: str


class _Misfit(NamedTuple):
    """`n_fitting`: rows that fitted before the first that did not."""

    n_fitting: int
    question: Question


def derive_pack(name: str, mode: str, rows: Sequence[Asked]) -> PromptPack:
    """Find the pack that gives every prompt of `rows` (at least one) back.

    The first whitespace rule under which all rows fit holds. Raises BadInput naming the question
    that no rule and no wording of its type's other rows fit.
    """
    if not rows:
        raise BadInput(f"{name}: no prompts to read the wording of mode {mode} from")
    misfits: list[_Misfit] = []
    for rule in WHITESPACE_RULES:
        pack = _pack_under(rule, name, mode, rows)
        if isinstance(pack, PromptPack):
            return pack
        misfits.append(pack)
    best = max(misfits, key=lambda misfit: misfit.n_fitting)
    raise BadInput(
        f"{name}: the prompts of mode {mode} are no fixed wording around the question: "
        f"question {shown(best.question.question_id)} ({best.question.type}) does not fit the "
        f"{best.n_fitting} rows before it"
    )


def _pack_under(rule: str, name: str, mode: str, rows: Sequence[Asked]) -> PromptPack | _Misfit:
    by_type: dict[QuestionType, list[Asked]] = {}
    for row in rows:
        by_type.setdefault(row.question.type, []).append(row)
    frames: dict[QuestionType, Frame] = {}
    n_fitting = 0
    for question_type, asked in by_type.items():
        best = _Misfit(0, asked[0].question)
        for frame in _frames(rule, asked[0]):
            pack = PromptPack(name, mode, rule, {question_type: frame})
            misfit = next(
                (
                    _Misfit(number, each.question)
                    for number, each in enumerate(asked)
                    if render(each.question, pack) != each.prompt
                ),
                None,
            )
            if misfit is None:
                frames[question_type] = frame
                n_fitting += len(asked)
                break
            best = max(best, misfit, key=lambda each: each.n_fitting)
        else:
            return _Misfit(n_fitting + best.n_fitting, best.question)
    return PromptPack(name, mode, rule, frames)


def _frames(rule: str, asked: Asked) -> Iterator[Frame]:
    """Every way to cut the prompt around the question: its text may occur more than once."""
    text = WHITESPACE_RULES[rule](asked.question.question)
    at = asked.prompt.rfind(text) if text else -1
    while at >= 0:
        yield Frame(asked.prompt[:at], asked.prompt[at + len(text) :])
        at = asked.prompt.rfind(text, 0, at + len(text) - 1)
