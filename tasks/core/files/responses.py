"""Responses that were produced elsewhere, as files bring them. The form is told row by row:

- JEEBench `responses.json`: a question's fields, `prompt`, `<MODEL>_<mode>_response` with the raw
  body of the API's response (chat or text completion), or a list of bodies, and `extract`. Of
  several such fields the one that is named for the model and mode is read.
- Arena-Hard `model_answer/*.jsonl`: `question_id, choices[].turns[]` (v0.1), or `uid, messages`.
- own JSON, JSONL or CSV: `question_id`, `response` (or `text`, `output`, `completion`), and
  maybe `sample_index, prompt, extract, finish_reason`. Rows of one question without a
  `sample_index` are its samples in the order of the file.

A reply is one request and may hold several samples. `extract` is what a person read in a reply:
text, or a list with one for each sample, or a field of each choice; null, blank or `None` say that
the person found no answer, which is not the same as no `extract` field at all.

A reply that is null was never received: it is left out and counted in a notice. A body that holds
an error, and Arena-Hard's `$ERROR$`, are failed calls, never answers.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from tasks.core.calls.replies import Api, MalformedReply, read_reply
from tasks.core.errors import BadInput
from tasks.core.files.questions import row_identity
from tasks.core.files.rows import Row, as_text, json_kind, plain_name, read_each, shown
from tasks.core.files.tables import Format, read_table
from tasks.core.types import Reply, Usage

MAX_SAMPLES = 1000

_TEXT = ("response", "text", "output", "completion")
_ID = ("question_id", "id", "uid")
_EXAM = ("exam", "description", "number", "index")
_KNOWN = frozenset((*_TEXT, *_ID, *_EXAM, "messages", "choices", "extract", "prompt"))
_QUESTION = ("question", "type", "subject", "gold")
_ASKED = ("prompt", "messages", "extract", "finish_reason", "sample_index", "created", "tstamp")
_YEAR_3000 = 32_503_680_000
_NO_ANSWER = frozenset({"", "none", "null"})
_FAILED = "$ERROR$"

Message = Mapping[str, str]


class RecordedExtract(NamedTuple):
    """What a person read in a sample; None: the person found no answer."""

    text: str | None


@dataclass(frozen=True, slots=True)
class RecordedReply:
    """One reply to one question.

    `sample_index` (0-based) is that of `reply.choices[0]`; the others follow it. `extracts` has
    one item for each choice, None where nothing was recorded. `error`: why the call failed; the
    reply then has no choices. `question`, `gold` and `question_type` are the file's own, as text.
    `prompt` is the whole text that was asked, or `messages` where the file has them.
    """

    row: Row
    question_id: str
    sample_index: int
    reply: Reply
    extracts: tuple[RecordedExtract | None, ...]
    api: Api = "chat"
    error: str | None = None
    prompt: str | None = None
    messages: tuple[Message, ...] | None = None
    created_at: datetime | None = None
    question: str | None = None
    question_type: str | None = None
    gold: str | None = None

    @property
    def n_slots(self) -> int:
        """How many samples it stands for: its choices, or one failed one."""
        return max(len(self.reply.choices), 1)


class ResponseFile(NamedTuple):
    """Replies in the order of the file, at least one. `notices` are for the user to read."""

    format: Format
    replies: tuple[RecordedReply, ...]
    notices: tuple[str, ...]

    @property
    def n_samples(self) -> int:
        """Samples of the question that has the most."""
        return max(each.sample_index + each.n_slots for each in self.replies)


def parse_responses(content: bytes | str, name: str, cell: str | None = None) -> ResponseFile:
    """Read the replies of a file; `name` is what messages call it.

    `cell`: `<MODEL>_<mode>`, which chooses where rows hold the responses of several. Raises
    BadInput naming file, row and field of the first fault, and how many rows have others.
    """
    table = read_table(content, name, _is_known_field)
    read = read_each(table.rows, lambda row: tuple(_replies(row, cell)))
    replies = _numbered(read)
    notices = list(table.notices)
    missing = sum(not row for row in read)
    if missing == len(read):
        raise BadInput(f"{name}: none of the {len(read)} rows holds a response")
    if missing:
        notices.append(f"{name}: {missing} of {len(read)} rows hold no response and are left out")
    failed = sum(reply.error is not None for reply in replies)
    if failed:
        notices.append(f"{name}: {failed} of {len(replies)} replies are failed calls")
    return ResponseFile(table.format, tuple(replies), tuple(notices))


def _is_known_field(name: str) -> bool:
    return name in _KNOWN or _is_raw_name(name)


def _is_raw_name(name: str) -> bool:
    return name.endswith("_response")


def _replies(row: Row, cell: str | None) -> Iterator[RecordedReply]:
    identity = row_identity(row)
    field = _response_field(row, cell)
    prompt, messages = _asked(row, field)
    for reply in _read(row, field):
        yield replace(
            reply,
            question_id=identity,
            prompt=reply.prompt if prompt is None else prompt,
            messages=reply.messages if messages is None else messages,
            question=row.verbatim("question"),
            question_type=row.text("type"),
            gold=as_text(_value(row, "gold")),
        )


def _read(row: Row, field: str | None) -> list[RecordedReply]:
    if field is None:
        return _arena_messages(row) if row.has("messages") else _arena_choices(row)
    value = row.fields[field]
    if value is None:
        return []
    bodies = value if isinstance(value, list) else [value]
    return _with_extracts(row, [_reply(row, field, body) for body in bodies])


def _response_field(row: Row, cell: str | None) -> str | None:
    """The field that holds the response; None for Arena-Hard's answers, which have none."""
    raw = [name for name in row.fields if _is_raw_name(name)]
    plain = [name for name in row.fields if plain_name(name) in _TEXT]
    fields = raw or plain
    if not fields and row.has("messages", "choices"):
        return None
    if not fields:
        raise row.missing(*_TEXT)
    named = [name for name in fields if name == f"{cell}_response"]
    if len(named or fields) > 1:
        raise row.fault(
            fields[1],
            f"and {shown(fields[0])} are both responses; give --model and --mode as in the field's "
            "name <MODEL>_<mode>_response to choose one",
        )
    return (named or fields)[0]


def _reply(row: Row, field: str, body: Any) -> RecordedReply:
    written = as_text(body)
    if written is not None:
        return _from_text(row, field, written)
    if body is None:
        return _failed(row, "the file holds null for this sample")
    if not isinstance(body, dict):
        raise row.fault(field, f"expected text or an API response, found {json_kind(body)}")
    api: Api = "completions" if _is_text_completion(body) else "chat"
    try:
        reply, error = read_reply(body, api=api), None
    except MalformedReply as malformed:
        reply, error = malformed.reply or Reply((), Usage()), str(malformed)
    rest = reply.extra.get("choices", [])
    extracts = tuple(
        _recorded(row, "extract", each["extract"]) if "extract" in each else None
        for each in rest[: len(reply.choices)]
    )
    return RecordedReply(
        row, "", 0, reply, extracts, api, error, created_at=_moment(body.get("created"))
    )


def _from_text(row: Row, field: str, text: str) -> RecordedReply:
    choice = {"message": {"content": text}, "finish_reason": row.text("finish_reason")}
    usage = row.find("usage")
    body = {"choices": [choice], "usage": usage.value if usage else None}
    taken = (*_ID, *_EXAM, *_QUESTION, *_ASKED, plain_name(field), "usage", "model")
    reply = replace(
        read_reply(body, api="chat"), served_model=row.text("model"), extra=row.rest(taken)
    )
    created_at = _moment(_value(row, "created"))
    return RecordedReply(row, "", 0, reply, (None,), created_at=created_at)


def _failed(row: Row, error: str, **about: Any) -> RecordedReply:
    return RecordedReply(row, "", 0, Reply((), Usage(), **about), (), error=error)


def _is_text_completion(body: Mapping[str, Any]) -> bool:
    choices = body.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return isinstance(first, dict) and "text" in first and "message" not in first


def _with_extracts(row: Row, replies: list[RecordedReply]) -> list[RecordedReply]:
    """Share the row's `extract` out among its samples, where the choices carry none."""
    field = next((name for name in row.fields if plain_name(name) == "extract"), None)
    if field is None or any(each for reply in replies for each in reply.extracts):
        return replies
    value = row.fields[field]
    values = value if isinstance(value, list) else [value]
    n_samples = sum(reply.n_slots for reply in replies)
    if len(values) != n_samples:
        raise row.fault(field, f"{len(values)} extracts for {n_samples} samples; give one for each")
    recorded = iter([_recorded(row, field, each) for each in values])
    shared = []
    for reply in replies:
        extracts = [next(recorded) for _ in range(reply.n_slots)]
        shared.append(replace(reply, extracts=tuple(extracts[: len(reply.reply.choices)])))
    return shared


def _recorded(row: Row, field: str, value: Any) -> RecordedExtract:
    text = "" if value is None else as_text(value)
    if text is None:
        raise row.fault(field, f"expected text, null or a list of these, found {json_kind(value)}")
    row.checked(field, text)
    return RecordedExtract(None if text.strip().casefold() in _NO_ANSWER else text.strip())


def _arena_choices(row: Row) -> list[RecordedReply]:
    found = row.find("choices")
    choices = [] if found is None else found.value
    if not isinstance(choices, list) or not all(isinstance(each, dict) for each in choices):
        raise row.fault("choices", "expected a list of objects with 'turns'")
    if not choices:
        return []
    texts, tokens = [], []
    for choice in choices:
        turns = choice.get("turns")
        if not isinstance(turns, list) or len(turns) != 1 or not isinstance(turns[0], dict):
            raise row.fault("choices", "expected 'turns' with exactly one turn")
        texts.append(turns[0].get("content"))
        tokens.append(turns[0].get("token_len"))
    return [_arena_reply(row, "choices", texts, tokens, row.text("model_id"))]


def _arena_messages(row: Row) -> list[RecordedReply]:
    found = row.find("messages")
    sent = [] if found is None else found.value
    if (
        not isinstance(sent, list)
        or len(sent) < 2
        or not all(isinstance(each, dict) and isinstance(each.get("role"), str) for each in sent)
        or sent[-1]["role"] != "assistant"
    ):
        raise row.fault("messages", "expected a list of messages that ends with the assistant's")
    *asked, answer = sent
    content = answer.get("content")
    text = content.get("answer") if isinstance(content, dict) else content
    metadata = row.find("metadata")
    lengths = metadata.value if metadata and isinstance(metadata.value, dict) else {}
    reply = _arena_reply(row, "messages", [text], [lengths.get("token_len")], row.text("model"))
    return [_with_asked(reply, _messages(row, "messages", asked))]


def _arena_reply(
    row: Row, field: str, texts: list[Any], tokens: list[Any], served_model: str | None
) -> RecordedReply:
    for text in texts:
        if text is not None and not isinstance(text, str):
            raise row.fault(field, f"expected the answer's text, found {json_kind(text)}")
    created_at = _moment(_value(row, "tstamp"))
    taken = (
        *_ID,
        *_EXAM,
        *_QUESTION,
        *_ASKED,
        "choices",
        "model",
        "model_id",
        "ans_id",
        "answer_id",
    )
    about: dict[str, Any] = {
        "served_model": served_model,
        "response_id": row.text("ans_id", "answer_id"),
        "extra": row.rest(taken),
    }
    if all(text is None or text == _FAILED for text in texts):
        failed = _failed(row, "the file records a failed call", **about)
        return replace(failed, created_at=created_at)
    choices = [
        {"message": {"content": text}} if text not in (None, _FAILED) else {"error": _FAILED}
        for text in texts
    ]
    counts = [each for each in tokens if type(each) is int and each >= 0]
    usage = Usage(output_tokens=sum(counts) if len(counts) == len(tokens) else None)
    reply = replace(read_reply({"choices": choices}, api="chat"), usage=usage, **about)
    return RecordedReply(row, "", 0, reply, (None,) * len(texts), created_at=created_at)


def _asked(row: Row, field: str | None) -> tuple[str | None, tuple[Message, ...] | None]:
    found = row.find("prompt", "messages") if field else row.find("prompt")
    if found is None:
        return None, None
    if isinstance(found.value, list):
        return None, _messages(row, found.field, found.value)
    return row.verbatim("prompt"), None


def _messages(row: Row, field: str, sent: list[Any]) -> tuple[Message, ...]:
    messages = []
    for each in sent:
        role = each.get("role") if isinstance(each, dict) else None
        content = each.get("content") if isinstance(each, dict) else None
        if not isinstance(role, str) or not isinstance(content, str):
            raise row.fault(field, "expected messages with a 'role' and a text 'content'")
        messages.append({"role": role, "content": row.checked(field, content)})
    return tuple(messages)


def _with_asked(reply: RecordedReply, messages: tuple[Message, ...]) -> RecordedReply:
    if len(messages) == 1 and messages[0]["role"] == "user":
        return replace(reply, prompt=messages[0]["content"])
    return replace(reply, messages=messages)


def _numbered(rows: Sequence[Sequence[RecordedReply]]) -> list[RecordedReply]:
    """Give every reply its place among the samples of its question."""
    next_index: dict[str, int] = {}
    taken: dict[tuple[str, int], str] = {}
    numbered: list[RecordedReply] = []
    for reply in (each for row in rows for each in row):
        row, identity = reply.row, reply.question_id
        is_first_of_row = not numbered or numbered[-1].row is not row
        given = row.whole_number("sample_index") if is_first_of_row else None
        index = next_index.get(identity, 0) if given is None else given
        if index + reply.n_slots > MAX_SAMPLES:
            raise row.fault("sample_index", f"more than {MAX_SAMPLES} samples of one question")
        for slot in range(index, index + reply.n_slots):
            if other := taken.get((identity, slot)):
                raise row.fault(
                    "sample_index", f"sample {slot} of {shown(identity)} is in {other} already"
                )
            taken[identity, slot] = row.place
        if is_first_of_row and index and given is None and _is_published(row):
            first = taken[identity, 0]
            raise row.fault("question_id", f"{shown(identity)} is answered in {first} already")
        next_index[identity] = index + reply.n_slots
        numbered.append(replace(reply, sample_index=index))
    return numbered


def _is_published(row: Row) -> bool:
    """Whether the row is of a published form, which has one row a question."""
    return not any(plain_name(name) in _TEXT for name in row.fields)


def _moment(seconds: Any) -> datetime | None:
    """Read seconds since 1970; None for what is no such number."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return None
    return datetime.fromtimestamp(seconds, UTC) if 0 < seconds < _YEAR_3000 else None


def _value(row: Row, name: str) -> Any:
    found = row.find(name)
    return None if found is None else found.value
