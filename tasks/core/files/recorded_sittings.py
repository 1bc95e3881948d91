"""Recorded replies joined to the questions that they answer: what an import of them stores.

A reply belongs to a question by its identity, never by its place in a file. Answers to a question
that the benchmark lacks, or to another text than the benchmark's, are refused; another gold or
type in the file changes nothing and is counted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tasks.core.calls.request_body import messages, request_body, request_hash
from tasks.core.errors import BadInput
from tasks.core.files.responses import RecordedReply
from tasks.core.files.rows import shown
from tasks.core.questions.answer_keys import parse_key
from tasks.core.questions.stored_rows import question_hash
from tasks.core.types import Question


@dataclass(frozen=True, slots=True)
class RecordedSitting:
    """One question with all replies to it, and the request that they answer.

    `messages` is empty where the file does not say what was asked.
    """

    question: Question
    question_hash: str
    messages: list[dict[str, str]]
    request_hash: str
    replies: tuple[RecordedReply, ...]


def _refuse_other_questions(
    replies: Sequence[RecordedReply], questions: Mapping[str, Question], benchmark: str
) -> None:
    unknown = [reply for reply in replies if reply.question_id not in questions]
    if unknown:
        names = list(dict.fromkeys(reply.question_id for reply in unknown))
        more = f" (and {len(names) - 1} more questions)" if names[1:] else ""
        raise unknown[0].row.fault(
            "question_id",
            f"{shown(names[0])} is no question of benchmark {benchmark!r}{more}; "
            "import the questions first",
        )
    others = [
        reply
        for reply in replies
        if reply.question is not None
        and reply.question.split() != questions[reply.question_id].question.split()
    ]
    if others:
        more = f" (and {len(others) - 1} more rows)" if others[1:] else ""
        raise others[0].row.fault(
            "question",
            f"is another text than that of {shown(others[0].question_id)} in benchmark "
            f"{benchmark!r}{more}; an answer counts only for the text that was asked",
        )


def sittings_of(
    replies: Sequence[RecordedReply],
    questions: Mapping[str, Question],
    benchmark: str,
    model: str,
    source: str,
) -> list[RecordedSitting]:
    """Join replies to the questions of a benchmark, in the order of the file.

    `source` is the hash of the file: the same prompt in another file is another request. Raises
    BadInput naming the first row that does not belong to a question of the benchmark.
    """
    _refuse_other_questions(replies, questions, benchmark)
    by_question: dict[str, list[RecordedReply]] = {}
    for reply in replies:
        by_question.setdefault(reply.question_id, []).append(reply)
    return [
        _sitting(questions[identity], tuple(group), model, source)
        for identity, group in by_question.items()
    ]


def _sitting(
    question: Question, replies: tuple[RecordedReply, ...], model: str, source: str
) -> RecordedSitting:
    asked = [_asked_messages(reply) for reply in replies]
    known = next((each for each in asked if each), [])
    for reply, each in zip(replies, asked, strict=True):
        if each and each != known:
            raise reply.row.fault(
                "prompt", f"differs from that of another sample of {shown(question.question_id)}"
            )
    identity = {"imported_from": source, "question_id": question.question_id}
    body = request_body("chat", model, known, identity)
    return RecordedSitting(
        question, question_hash(question), known, request_hash(endpoint_of(model), body), replies
    )


def _asked_messages(reply: RecordedReply) -> list[dict[str, str]]:
    if reply.messages is not None:
        return [dict(message) for message in reply.messages]
    return [] if reply.prompt is None else messages(reply.prompt, None)


def endpoint_of(model: str) -> str:
    """Return the endpoint that imported replies of a model are stored at."""
    return f"import:{model}"


def differences(sittings: Sequence[RecordedSitting], file: str) -> list[str]:
    """Say how many rows of the file have another gold or type than the benchmark."""
    replies = [(sitting.question, sitting.replies[0]) for sitting in sittings]
    golds = sum(
        question.gold is not None
        and reply.gold is not None
        and _is_other_gold(question, reply.gold)
        for question, reply in replies
    )
    types = sum(
        reply.question_type is not None and reply.question_type != question.type
        for question, reply in replies
    )
    return [
        f"{file}: {count} rows have another {what} than the benchmark; the benchmark's holds"
        for what, count in (("gold", golds), ("type", types))
        if count
    ]


def _is_other_gold(question: Question, gold: str) -> bool:
    try:
        return parse_key(gold, question.type) != parse_key(question.gold, question.type)
    except BadInput:
        return gold.strip() != question.gold


def coverage(
    sittings: Sequence[RecordedSitting],
    questions: Mapping[str, Question],
    n_samples: int,
    benchmark: str,
) -> list[str]:
    """Say how many questions have no response, or fewer samples than others."""
    answered = {each.question.question_id for each in sittings}
    kept = {identity for identity, each in questions.items() if each.status == "kept"}
    notices = []
    if missing := len(kept - answered):
        notices.append(f"{benchmark}: {missing} of {len(kept)} kept questions have no response")
    fewer = sum(sum(reply.n_slots for reply in each.replies) < n_samples for each in sittings)
    if fewer:
        notices.append(f"{benchmark}: {fewer} questions have fewer than {n_samples} samples")
    return notices
