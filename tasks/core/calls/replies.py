"""Reads the body of a successful response: texts, statuses, token counts, and all the rest.

The servers differ in spelling, not in meaning. Known here: OpenAI and Azure, OpenRouter, vLLM,
llama.cpp, DeepSeek, Mistral, xAI, Moonshot. A body is never lost: what has no field of its own
in `Reply` goes to `Reply.extra` as it came, and a body that holds no sample raises
`MalformedReply` with all that could be read of it.
"""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from tasks.core.errors import ProctorError
from tasks.core.types import Choice, CompletionStatus, Reply, Usage

Api = Literal["chat", "completions"]

_DEEPEST = 200
_CUT = frozenset({"length", "max_tokens", "model_length", "max_output_tokens"})
_FILTERED = frozenset({"content_filter", "safety", "recitation", "prohibited_content", "blocklist"})
_BROKEN_OFF = frozenset({"error", "abort", "insufficient_system_resource"})


def _number(literal: str) -> float | str:
    value = float(literal)
    return value if math.isfinite(value) else literal


_NON_STANDARD_NUMBERS_AS_TEXT = json.JSONDecoder(
    strict=False, parse_constant=str, parse_float=_number
)


class MalformedReply(ProctorError):
    """A response with HTTP status 200 that holds no sample.

    `code` is the server's own error code where the body names one. `reply` has no choices, but
    the token counts and every field of the body; None where the body is not a JSON object.
    """

    def __init__(self, message: str, code: str | None = None, reply: Reply | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.reply = reply


def decode_body(content: bytes) -> Any:
    """Read the JSON value in the bytes of a response. Raises MalformedReply where there is none.

    Nothing is lost of odd texts: escaped lone surrogates and raw control characters pass,
    surrogates encoded as UTF-8 are read as such, and any other byte that is not UTF-8 becomes
    the lone surrogate U+DC80–U+DCFF that stands for it (PEP 383). `NaN` and `Infinity`, which
    JSON does not have, become texts. More than 200 levels, which no journal and no database may
    take, are refused like what is not JSON.
    """
    try:
        text = content.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        text = content.decode("utf-8", "surrogateescape")
    try:
        body = _NON_STANDARD_NUMBERS_AS_TEXT.decode(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        start = text[:500] or "nothing"
        raise MalformedReply(f"the response is not JSON ({error}): {start}") from None
    if text.count("{") + text.count("[") > _DEEPEST and _is_too_deep(body):
        raise MalformedReply(f"the response has more than {_DEEPEST} levels: {text[:500]}")
    return body


def _is_too_deep(body: Any) -> bool:
    level = [body]
    for _ in range(_DEEPEST):
        inside = (item.values() if isinstance(item, dict) else item for item in level)
        level = [item for items in inside for item in items if isinstance(item, dict | list)]
        if not level:
            return False
    return True


def read_reply(body: Any, *, api: Api) -> Reply:
    """Read the samples of a response body, in the order of their `index`, and its token counts.

    Status of a sample, by the first that fits: refused or filtered → `FILTERED`; cut at the token
    limit → `TRUNCATED`, also with an empty text (all tokens went to reasoning); broken off by the
    server → `ERROR`; tool calls → `OK`; blank text → `EMPTY`; else `OK`. `<think>…</think>` in a
    text stays there. Raises MalformedReply for a body that is not an object, has an `error`, or
    has no choices.
    """
    if not isinstance(body, Mapping):
        raise MalformedReply(f"the response is not a JSON object: {json.dumps(body)[:500]}")
    extra = dict(body)
    response_id = _take_text(extra, "id")
    served_model = _take_text(extra, "model")
    usage = _read_usage(body)
    sent = body.get("choices")
    choices: tuple[Choice, ...] = ()
    if isinstance(sent, list) and sent and all(isinstance(item, Mapping) for item in sent):
        read = [_read_choice(item, api) for item in _in_order(sent)]
        choices = tuple(choice for choice, _ in read)
        extra["choices"] = [rest for _, rest in read]
    reply = Reply(choices, usage, served_model, response_id, extra)
    if body.get("error"):
        without_choices = Reply((), usage, served_model, response_id, dict(body))
        raise MalformedReply(*_described(body["error"]), without_choices)
    if not choices:
        raise MalformedReply("the response has no choices", None, reply)
    return reply


def _described(error: Any) -> tuple[str, str | None]:
    if not isinstance(error, Mapping):
        return f"HTTP 200 with an error: {str(error)[:500]}", None
    code = error.get("code") or error.get("type")
    message = error.get("message") or json.dumps(error)
    return f"HTTP 200 with an error: {str(message)[:500]}", None if code is None else str(code)


def _in_order(sent: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    indices = [item.get("index") for item in sent]
    if all(type(index) is int for index in indices) and len(set(indices)) == len(indices):
        return sorted(sent, key=lambda item: int(item["index"]))
    return sent


def _read_choice(sent: Mapping[str, Any], api: Api) -> tuple[Choice, dict[str, Any]]:
    """Read one sample; with it go the fields of `sent` that it does not hold."""
    rest = dict(sent)
    finish_reason = _take_text(rest, "finish_reason")
    holder = rest
    if api == "chat":
        message = sent.get("message")
        if not isinstance(message, Mapping):
            return Choice(CompletionStatus.ERROR, "", finish_reason), rest
        holder = rest["message"] = dict(message)
    text, thoughts = _take_content(holder, "content" if api == "chat" else "text")
    reasoning = _take_reasoning(holder, thoughts)
    tool_calls = _take_tool_calls(holder)
    status = _status(finish_reason, holder.get("refusal"), text, bool(tool_calls), rest)
    return Choice(status, text, finish_reason, reasoning, tool_calls), rest


def _status(
    finish_reason: str | None,
    refusal: Any,
    text: str,
    calls_tools: bool,
    rest: Mapping[str, Any],
) -> CompletionStatus:
    reason = (finish_reason or "").lower()
    if refusal or reason in _FILTERED:
        return CompletionStatus.FILTERED
    if reason in _CUT:
        return CompletionStatus.TRUNCATED
    if reason in _BROKEN_OFF or rest.get("error"):
        return CompletionStatus.ERROR
    if calls_tools or text.strip():
        return CompletionStatus.OK
    return CompletionStatus.EMPTY


def _take_text(fields: dict[str, Any], name: str) -> str | None:
    value = fields.get(name)
    if not isinstance(value, str):
        return None
    del fields[name]
    return value


def _take_content(fields: dict[str, Any], name: str) -> tuple[str, str]:
    """Take out the text, and the thinking that came as parts of it.

    Content may be a list of parts. Parts that are neither text nor thinking stay in `fields`.
    """
    content = fields.get(name)
    if isinstance(content, str):
        del fields[name]
        return content, ""
    if not isinstance(content, list):
        return "", ""
    texts, thoughts, others = [], [], []
    for part in content:
        kind = part.get("type") if isinstance(part, Mapping) else None
        if kind in ("text", "output_text") and isinstance(part.get("text"), str):
            texts.append(part["text"])
        elif kind == "thinking":
            thoughts.append(_thinking_text(part.get("thinking")))
        else:
            others.append(part)
    if others:
        fields[name] = others
    else:
        del fields[name]
    return "".join(texts), "".join(thoughts)


def _thinking_text(thinking: Any) -> str:
    return thinking if isinstance(thinking, str) else _joined(thinking) or ""


def _joined(parts: Any) -> str | None:
    """Join the texts of a list of parts; None: it is not one."""
    if not isinstance(parts, list) or not all(isinstance(part, Mapping) for part in parts):
        return None
    return "".join(str(part.get("text", "")) for part in parts)


def _take_reasoning(fields: dict[str, Any], thoughts: str) -> str | None:
    """Take out thinking that was sent apart. A second spelling of the same text is dropped."""
    reasoning = thoughts or None
    for name in ("reasoning_content", "reasoning"):
        if isinstance(fields.get(name), str) and reasoning in (None, fields[name]):
            reasoning = fields.pop(name)
    details = fields.get("reasoning_details")
    if reasoning and isinstance(details, list) and _joined(details) == reasoning:
        fields["reasoning_details"] = [
            {key: value for key, value in detail.items() if key != "text"} for detail in details
        ]
    return reasoning


def _take_tool_calls(fields: dict[str, Any]) -> tuple[Mapping[str, Any], ...]:
    calls = fields.get("tool_calls")
    if not isinstance(calls, list) or not all(isinstance(call, Mapping) for call in calls):
        return ()
    del fields["tool_calls"]
    return tuple(calls)


def _read_usage(body: Mapping[str, Any]) -> Usage:
    usage = _object(body.get("usage"))
    input_details = _object(usage.get("prompt_tokens_details") or usage.get("input_tokens_details"))
    output_details = _object(
        usage.get("completion_tokens_details") or usage.get("output_tokens_details")
    )
    input_tokens = _first_count(usage.get("prompt_tokens"), usage.get("input_tokens"))
    output_tokens = _first_count(usage.get("completion_tokens"), usage.get("output_tokens"))
    reasoning_tokens = _first_count(
        output_details.get("reasoning_tokens"), usage.get("reasoning_tokens")
    )
    cached = _first_count(
        input_details.get("cached_tokens"),
        usage.get("cached_tokens"),
        usage.get("prompt_cache_hit_tokens"),
        usage.get("cache_read_input_tokens"),
        _object(body.get("timings")).get("cache_n"),
    )
    if input_tokens is not None and output_tokens is not None and reasoning_tokens:
        # xAI counts reasoning beside the completion; only the total shows it.
        total = _first_count(usage.get("total_tokens"))
        if total == input_tokens + output_tokens + reasoning_tokens:
            output_tokens += reasoning_tokens
    return Usage(input_tokens, cached, output_tokens, reasoning_tokens)


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _first_count(*values: Any) -> int | None:
    """Return the first that is a count of tokens: a whole number, not negative, of 63 bits at most
    (what a database column holds; the number itself stays in `extra`)."""
    for value in values:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if type(value) is int and 0 <= value < 2**63:
            return value
    return None
