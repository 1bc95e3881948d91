import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.core.calls.replies import MalformedReply, decode_body, read_reply
from tasks.core.types import CompletionStatus, Usage

OK, TRUNCATED, FILTERED, EMPTY, ERROR = (
    CompletionStatus.OK,
    CompletionStatus.TRUNCATED,
    CompletionStatus.FILTERED,
    CompletionStatus.EMPTY,
    CompletionStatus.ERROR,
)


def chat(content: Any, finish_reason: Any = "stop", **message: Any) -> dict[str, Any]:
    return {
        "id": "r1",
        "model": "m-2026",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": content} | message,
                "finish_reason": finish_reason,
            }
        ],
    }


TOOL_CALL = {"id": "t", "type": "function", "function": {"name": "f", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("body", "status", "text"),
    [
        (chat("ANSWER: B"), OK, "ANSWER: B"),
        (chat("ANSWER: B", None), OK, "ANSWER: B"),
        (chat("ANSWER: B", "eos"), OK, "ANSWER: B"),
        (chat("", "length"), TRUNCATED, ""),
        (chat(None, "length"), TRUNCATED, ""),
        (chat("...x = 12. Checking option (B)", "length"), TRUNCATED, None),
        (chat("x", "max_tokens"), TRUNCATED, "x"),
        (chat("x", "model_length"), TRUNCATED, "x"),
        (chat("x", "MAX_TOKENS"), TRUNCATED, "x"),
        (chat(None, "content_filter"), FILTERED, ""),
        (chat("half a", "content_filter"), FILTERED, "half a"),
        (chat("", "SAFETY"), FILTERED, ""),
        (chat(None, refusal="I can't help with that."), FILTERED, ""),
        (chat("ANSWER: B", refusal=None), OK, "ANSWER: B"),
        (chat(None), EMPTY, ""),
        (chat(""), EMPTY, ""),
        (chat(" \n\t "), EMPTY, " \n\t "),
        (chat(None, None), EMPTY, ""),
        (chat(None, "tool_calls", tool_calls=[TOOL_CALL]), OK, ""),
        (chat(None, "stop", tool_calls=[]), EMPTY, ""),
        (chat("half a", "error"), ERROR, "half a"),
        (chat("half a", "abort"), ERROR, "half a"),
        (chat("<think>I lean to (B)</think>C"), OK, "<think>I lean to (B)</think>C"),
        (chat([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]), OK, "ab"),
        (chat([]), EMPTY, ""),
        ({"choices": [{"index": 0, "finish_reason": "stop"}]}, ERROR, ""),
    ],
)
def test_status_and_text(body: dict[str, Any], status: CompletionStatus, text: str | None) -> None:
    (choice,) = read_reply(body, api="chat").choices
    assert choice.status is status
    assert text is None or choice.text == text


def test_a_text_completion() -> None:
    body = {"choices": [{"text": " B", "index": 0, "finish_reason": "length", "logprobs": None}]}
    (choice,) = read_reply(body, api="completions").choices
    assert (choice.status, choice.text, choice.finish_reason) == (TRUNCATED, " B", "length")


def test_samples_keep_to_their_index() -> None:
    body = {
        "choices": [
            {"index": index, "message": {"content": text}, "finish_reason": "stop"}
            for index, text in [(2, "C"), (0, "A"), (3, None), (1, "B")]
        ]
    }
    choices = read_reply(body, api="chat").choices
    assert [choice.text for choice in choices] == ["A", "B", "C", ""]
    assert [choice.status for choice in choices] == [OK, OK, OK, EMPTY]


@pytest.mark.parametrize(
    ("message", "reasoning"),
    [
        ({"reasoning_content": "(A) fails"}, "(A) fails"),
        ({"reasoning": "(A) fails"}, "(A) fails"),
        ({"reasoning": "(A) fails", "reasoning_content": "(A) fails"}, "(A) fails"),
        ({"reasoning": None}, None),
        ({}, None),
    ],
)
def test_reasoning_that_was_sent_apart(message: dict[str, Any], reasoning: str | None) -> None:
    reply = read_reply(chat("B", **message), api="chat")
    assert reply.choices[0].reasoning == reasoning
    assert "(A) fails" not in json.dumps(reply.extra)


def test_reasoning_in_parts_and_details_is_kept_once() -> None:
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "hmm"}]}]
    (choice,) = read_reply(chat([*parts, {"type": "text", "text": "B"}]), api="chat").choices
    assert (choice.text, choice.reasoning) == ("B", "hmm")
    details = [{"type": "reasoning.text", "text": "h", "signature": "s"}, {"text": "mm"}]
    reply = read_reply(chat("B", reasoning="hmm", reasoning_details=details), api="chat")
    assert reply.extra["choices"][0]["message"]["reasoning_details"] == [
        {"type": "reasoning.text", "signature": "s"},
        {},
    ]


@pytest.mark.parametrize(
    ("body", "usage"),
    [
        (
            {
                "usage": {
                    "prompt_tokens": 10,
                    "completion_tokens": 30,
                    "total_tokens": 40,
                    "prompt_tokens_details": {"cached_tokens": 8},
                    "completion_tokens_details": {"reasoning_tokens": 25},
                }
            },
            Usage(10, 8, 30, 25),
        ),
        (
            {
                "usage": {
                    "input_tokens": 10,
                    "output_tokens": 30,
                    "input_tokens_details": {"cached_tokens": 0},
                    "output_tokens_details": {"reasoning_tokens": 0},
                }
            },
            Usage(10, 0, 30, 0),
        ),
        (
            {
                "usage": {"prompt_tokens": 10, "completion_tokens": 3},
                "timings": {"cache_n": 6, "prompt_n": 4},
            },
            Usage(10, 6, 3, None),
        ),
        (
            {"usage": {"prompt_tokens": 9, "completion_tokens": 3, "prompt_cache_hit_tokens": 5}},
            Usage(9, 5, 3, None),
        ),
        (
            {
                "usage": {
                    "prompt_tokens": 10,
                    "completion_tokens": 3,
                    "total_tokens": 113,
                    "completion_tokens_details": {"reasoning_tokens": 100},
                }
            },
            Usage(10, None, 103, 100),
        ),
        ({"usage": {"prompt_tokens": 10.0, "completion_tokens": -1}}, Usage(10, None, None, None)),
        ({"usage": {"prompt_tokens": True, "completion_tokens": "3"}}, Usage()),
        ({"usage": None}, Usage()),
        ({}, Usage()),
    ],
)
def test_usage_in_every_spelling(body: dict[str, Any], usage: Usage) -> None:
    assert read_reply(chat("B") | body, api="chat").usage == usage


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"choices": []}, None),
        ({"choices": None}, None),
        ({}, None),
        ({"choices": ["x"]}, None),
        ({"error": {"message": "overloaded", "code": 502}}, "502"),
        ({"error": {"message": "overloaded", "type": "server_error"}}, "server_error"),
        ({"error": "overloaded"}, None),
        (chat("B") | {"error": {"message": "broke off"}}, None),
        ([], None),
        ("B", None),
        (None, None),
    ],
)
def test_a_body_without_samples_is_evidence(body: Any, code: str | None) -> None:
    with pytest.raises(MalformedReply) as caught:
        read_reply(body, api="chat")
    assert caught.value.code == code
    if isinstance(body, dict):
        assert caught.value.reply is not None
        assert caught.value.reply.choices == ()
        assert caught.value.reply.extra.get("error") == body.get("error")


def test_tokens_of_a_reply_without_samples_are_counted() -> None:
    body = {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2_000}}
    with pytest.raises(MalformedReply) as caught:
        read_reply(body, api="chat")
    assert caught.value.reply is not None
    assert caught.value.reply.usage == Usage(5, None, 2_000, None)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
NAMES = st.sampled_from(
    [
        "role",
        "content",
        "refusal",
        "reasoning",
        "reasoning_content",
        "tool_calls",
        "text",
        "logprobs",
        "x",
    ]
)


def leaves(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in leaves(item)]
    if isinstance(value, list | tuple):
        return [leaf for item in value for leaf in leaves(item)]
    return [] if value is None else [json.dumps(value)]


@given(
    messages=st.lists(st.dictionaries(NAMES, JSON), min_size=1, max_size=3),
    rest=st.dictionaries(st.sampled_from(["id", "model", "usage", "created", "x"]), JSON),
)
def test_nothing_of_a_body_is_lost(messages: list[dict[str, Any]], rest: dict[str, Any]) -> None:
    choices = [{"message": message, "finish_reason": "stop"} for message in messages]
    reply = read_reply(rest | {"choices": choices}, api="chat")
    kept: list[Any] = [reply.extra, reply.served_model, reply.response_id]
    for choice in reply.choices:
        kept += [choice.text, choice.reasoning, choice.finish_reason, choice.tool_calls]
    found = leaves(kept)
    assert all(leaf in found for leaf in leaves([rest, choices]))


ODD_TEXT = st.text(alphabet=st.characters(exclude_categories=()), max_size=50)


@given(ODD_TEXT)
def test_odd_texts_pass_losslessly(text: str) -> None:
    escaped = json.dumps(chat(text)).encode()
    raw = json.dumps(chat(text), ensure_ascii=False).encode("utf-8", "surrogatepass")
    for content in (escaped, raw):
        assert read_reply(decode_body(content), api="chat").choices[0].text == text


def test_bytes_that_are_no_text_stay_apart_from_those_that_are() -> None:
    content = json.dumps(chat("caf?é"), ensure_ascii=False).encode().replace(b"?", b"\xff")
    text = read_reply(decode_body(content), api="chat").choices[0].text
    assert text == "caf\udcffé"
    assert text.encode("utf-8", "surrogateescape") == b"caf\xff\xc3\xa9"


def test_raw_control_characters_and_a_byte_order_mark() -> None:
    assert decode_body(b'\xef\xbb\xbf{"a": "x\x00\ny"}') == {"a": "x\x00\ny"}


def test_numbers_that_json_does_not_have_become_texts() -> None:
    assert decode_body(b'{"logprob": [-Infinity, NaN]}') == {"logprob": ["-Infinity", "NaN"]}


@pytest.mark.parametrize(
    "content", [b"", b"<html>502</html>", b'{"choices": [', b"[" * 100_000, b"9" * 5_000, b"{}{}"]
)
def test_what_is_not_json_says_how_it_starts(content: bytes) -> None:
    with pytest.raises(MalformedReply) as caught:
        decode_body(content)
    assert (content[:9].decode() or "nothing") in str(caught.value)
    assert len(str(caught.value)) < 1_000


def test_token_count_that_no_column_holds_is_unknown_and_kept_in_extra() -> None:
    body = chat("B") | {"usage": {"prompt_tokens": 10**20, "completion_tokens": 3}}
    reply = read_reply(body, api="chat")
    assert reply.usage == Usage(input_tokens=None, output_tokens=3)
    assert reply.extra["usage"]["prompt_tokens"] == 10**20


def test_number_that_overflows_stays_as_it_was_written() -> None:
    assert decode_body(b'{"a": -1e999, "b": 1.5}') == {"a": "-1e999", "b": 1.5}


@pytest.mark.parametrize("opening", ["[", '{"a":'])
@pytest.mark.parametrize("n_levels", [201, 300, 900, 100_000])
def test_more_levels_than_can_be_kept_are_refused(opening: str, n_levels: int) -> None:
    closing = "]" if opening == "[" else "}"
    with pytest.raises(MalformedReply):
        decode_body(f"{opening * n_levels}1{closing * n_levels}".encode())


def test_many_brackets_are_not_many_levels() -> None:
    wide = {"logprobs": [{"top": [[]]}] * 300, "deep": json.loads("[" * 150 + "]" * 150)}
    assert decode_body(json.dumps(wide).encode()) == wide
