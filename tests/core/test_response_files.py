import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tasks.core.errors import BadInput
from tasks.core.files.recorded_extracts import read_recorded
from tasks.core.files.responses import RecordedExtract, RecordedReply, parse_responses
from tasks.core.types import CompletionStatus, ExtractStatus, QuestionType, Usage
from tasks.io.files import read_file

JEE = {
    "description": "Mock 2031 Paper 1",
    "index": 3,
    "subject": "phy",
    "type": "Integer",
    "question": "How many?",
    "gold": "7",
    "prompt": "Problem: How many?",
}


def replies(*rows: dict[str, Any]) -> tuple[RecordedReply, ...]:
    return parse_responses(json.dumps(list(rows)), "responses.json").replies


def body(*texts: str, **changes: Any) -> dict[str, Any]:
    choices = [
        {"index": n, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        for n, text in enumerate(texts)
    ]
    usage = {"prompt_tokens": 5, "completion_tokens": 9, "total_tokens": 14}
    sent = {"id": "r1", "model": "m-0314", "created": 1684389837, "usage": usage}
    return sent | {"choices": choices} | changes


def texts(reply: RecordedReply) -> list[str]:
    return [choice.text for choice in reply.reply.choices]


@pytest.mark.parametrize("model", ["GPT4", "GPT3.5"])
def test_published_jeebench_responses(shared_data: Path, model: str) -> None:
    path = shared_data / "jeebench" / f"responses_{model}_normal.json.gz"
    parsed = parse_responses(read_file(path), path.name)
    rows = json.loads(read_file(path))
    assert (len(parsed.replies), parsed.n_samples, parsed.notices) == (515, 1, ())
    for row, reply in zip(rows, parsed.replies, strict=True):
        raw = row[f"{model}_normal_response"]
        (choice,) = reply.reply.choices
        assert reply.question_id == f"{row['description']}|{row['index']}"
        assert choice.text == raw["choices"][0]["message"]["content"]
        assert (choice.status is CompletionStatus.TRUNCATED) == (
            raw["choices"][0]["finish_reason"] == "length"
        )
        assert reply.prompt == row["prompt"]
        assert reply.reply.usage.output_tokens == raw["usage"]["completion_tokens"]
        text = None if row["extract"] == "None" else row["extract"]
        assert reply.extracts == (RecordedExtract(text),)


def test_published_arena_hard_answers(shared_data: Path) -> None:
    path = shared_data / "arena" / "model_answer_gpt-4-0613.jsonl.gz"
    parsed = parse_responses(read_file(path), path.name)
    lines = [json.loads(line) for line in read_file(path).decode().splitlines()]
    assert len(parsed.replies) == 500
    for line, reply in zip(lines, parsed.replies, strict=True):
        assert reply.question_id == line["uid"]
        assert texts(reply) == [line["messages"][1]["content"]["answer"]]
        assert reply.prompt == line["messages"][0]["content"]
        assert (reply.reply.served_model, reply.extracts) == ("gpt-4-0613", (None,))


def test_one_raw_response() -> None:
    (reply,) = replies(JEE | {"M_normal_response": body("It is 7."), "extract": "7"})
    assert reply.question_id == "Mock 2031 Paper 1|3"
    assert texts(reply) == ["It is 7."]
    assert reply.reply.usage == Usage(input_tokens=5, output_tokens=9)
    assert (reply.reply.served_model, reply.reply.response_id) == ("m-0314", "r1")
    assert reply.created_at == datetime(2023, 5, 18, 6, 3, 57, tzinfo=UTC)
    assert (reply.gold, reply.question_type, reply.question) == ("7", "Integer", "How many?")


def test_several_choices_of_one_response_share_one_request() -> None:
    (reply,) = replies(
        JEE | {"M_CoT+SC_response": body("7", "8", "9"), "extract": ["7", "8", None]}
    )
    assert texts(reply) == ["7", "8", "9"]
    assert reply.extracts == (RecordedExtract("7"), RecordedExtract("8"), RecordedExtract(None))


def test_extracts_may_stand_in_the_choices() -> None:
    sent = body("7", "8")
    sent["choices"][0]["extract"] = "7"
    sent["choices"][1]["extract"] = "None"
    (reply,) = replies(JEE | {"M_CoT+SC_response": sent})
    assert reply.extracts == (RecordedExtract("7"), RecordedExtract(None))


def test_a_list_of_responses_is_the_samples_in_order() -> None:
    parsed = replies(
        JEE
        | {"M_SC_response": [body("7"), body("8", "9"), "ten"], "extract": ["7", "8", "9", "10"]}
    )
    assert [(each.sample_index, texts(each)) for each in parsed] == [
        (0, ["7"]),
        (1, ["8", "9"]),
        (3, ["ten"]),
    ]
    assert [each.text for reply in parsed for each in reply.extracts if each] == [
        "7",
        "8",
        "9",
        "10",
    ]


def test_of_several_models_the_one_asked_for_is_read() -> None:
    row = JEE | {"M_CoT_response": body("6"), "M_refined_response": body("7")}
    content = json.dumps([row])
    (reply,) = parse_responses(content, "responses.json", "M_refined").replies
    assert texts(reply) == ["7"]
    with pytest.raises(BadInput, match="'M_refined_response': and 'M_CoT_response' are both"):
        parse_responses(content, "responses.json", "M_normal")


def test_text_completions() -> None:
    sent = body() | {"choices": [{"text": "\n\nSeven", "finish_reason": "length"}]}
    (reply,) = replies(JEE | {"GPT3_normal_response": sent})
    (choice,) = reply.reply.choices
    assert (choice.text, choice.status, reply.api) == (
        "\n\nSeven",
        CompletionStatus.TRUNCATED,
        "completions",
    )


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({}, None),
        ({"extract": None}, RecordedExtract(None)),
        ({"extract": "None"}, RecordedExtract(None)),
        ({"extract": ""}, RecordedExtract(None)),
        ({"extract": " AC "}, RecordedExtract("AC")),
        ({"extract": 0}, RecordedExtract("0")),
        ({"Extract": ["B"]}, RecordedExtract("B")),
    ],
)
def test_no_extract_is_not_an_extract_of_no_answer(
    row: dict[str, Any], expected: RecordedExtract | None
) -> None:
    (reply,) = replies({"id": "q", "response": "text"} | row)
    assert reply.extracts == (expected,)


def test_a_csv_cell_without_an_extract_says_no_answer() -> None:
    parsed = parse_responses("id,response,extract\nq1,It is 0.50,0.50\nq2,?,\n", "r.csv").replies
    assert [each.extracts for each in parsed] == [
        (RecordedExtract("0.50"),),
        (RecordedExtract(None),),
    ]


def test_failed_calls_are_no_answers() -> None:
    parsed = parse_responses(
        json.dumps(
            [
                JEE | {"M_normal_response": {"error": {"message": "overloaded", "code": 529}}},
                JEE | {"index": 4, "M_normal_response": {"choices": []}},
                JEE | {"index": 5, "M_normal_response": None},
                JEE | {"index": 6, "M_normal_response": body("7")},
            ]
        ),
        "responses.json",
    )
    first, second, answered = parsed.replies
    assert (first.reply.choices, second.reply.choices) == ((), ())
    assert "overloaded" in str(first.error)
    assert answered.error is None
    assert parsed.notices == (
        "responses.json: 1 of 4 rows hold no response and are left out",
        "responses.json: 2 of 3 replies are failed calls",
    )


@pytest.mark.parametrize("answer", ["$ERROR$", None])
def test_arena_hards_own_error_text_is_a_failed_call(answer: str | None) -> None:
    messages = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": answer}]
    choices = [{"index": 0, "turns": [{"content": answer, "token_len": 3}]}]
    new = {"uid": "u", "ans_id": "a", "model": "m", "messages": messages}
    old = {"question_id": "u", "answer_id": "a", "model_id": "m", "choices": choices}
    for row in (new, old):
        (reply,) = replies(row)
        assert reply.reply.choices == ()
        assert reply.error is not None


def test_arena_hards_first_form() -> None:
    (reply,) = replies(
        {
            "question_id": "u",
            "answer_id": "a1",
            "model_id": "m",
            "choices": [
                {"index": 0, "turns": [{"content": "Hello", "token_len": 3}]},
                {"index": 1, "turns": [{"content": "Hi", "token_len": 2}]},
            ],
            "tstamp": 1711076966.5,
        }
    )
    assert texts(reply) == ["Hello", "Hi"]
    assert reply.reply.usage == Usage(output_tokens=5)
    assert (reply.reply.served_model, reply.reply.response_id) == ("m", "a1")
    assert reply.created_at == datetime(2024, 3, 22, 3, 9, 26, 500000, tzinfo=UTC)


def test_arena_hards_second_form_keeps_its_metadata() -> None:
    (reply,) = replies(
        {
            "uid": "u",
            "ans_id": "a1",
            "model": "m",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "Hi"},
                {"role": "assistant", "content": {"answer": "Hello"}},
            ],
            "metadata": {"token_len": 4, "bold_count": 0},
        }
    )
    assert reply.prompt is None
    assert reply.messages == (
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hi"},
    )
    assert reply.reply.usage == Usage(output_tokens=4)
    assert reply.reply.extra == {"metadata": {"token_len": 4, "bold_count": 0}}


def test_rows_of_one_question_are_its_samples_in_order() -> None:
    lines = [
        {"question_id": "q1", "text": "a"},
        {"question_id": "q2", "text": "x", "sample_index": 1},
        {"question_id": "q1", "text": "b", "finish_reason": "length"},
        {"question_id": "q2", "text": "y", "sample_index": 0},
    ]
    parsed = parse_responses("".join(json.dumps(line) + "\n" for line in lines), "own.jsonl")
    assert [(each.question_id, each.sample_index, texts(each)) for each in parsed.replies] == [
        ("q1", 0, ["a"]),
        ("q2", 1, ["x"]),
        ("q1", 1, ["b"]),
        ("q2", 0, ["y"]),
    ]
    assert parsed.n_samples == 2
    assert parsed.replies[2].reply.choices[0].status is CompletionStatus.TRUNCATED


def test_odd_texts_are_kept_as_they_are() -> None:
    odd = "\ud83d half, \x00 nul, \u202e right to left, \u2028 line"
    (reply,) = replies({"id": "q", "response": odd, "note": "kept"})
    assert texts(reply) == [odd]
    assert reply.reply.extra == {"note": "kept"}


def test_an_empty_answer_is_a_reply() -> None:
    (reply,) = parse_responses("id,response\nq,\n", "r.csv").replies
    assert reply.reply.choices[0].status is CompletionStatus.EMPTY


def test_a_torn_last_line_is_set_aside() -> None:
    whole = json.dumps({"question_id": "q1", "text": "a"}) + "\n"
    parsed = parse_responses(whole + whole[:-8], "own.jsonl")
    assert len(parsed.replies) == 1
    assert "line 2" in parsed.notices[0]


@pytest.mark.parametrize(
    ("text", "question_type", "answer", "status"),
    [
        ("db", QuestionType.MCQ_MULTIPLE, "BD", ExtractStatus.ANSWERED),
        ("AC", QuestionType.MCQ, "AC", ExtractStatus.ANSWERED),
        ("01", QuestionType.INTEGER, "1", ExtractStatus.ANSWERED),
        ("−14.60", QuestionType.NUMERIC, "-14.6", ExtractStatus.ANSWERED),
        ("0.00001", QuestionType.NUMERIC, "0.00001", ExtractStatus.ANSWERED),
        (None, QuestionType.INTEGER, None, ExtractStatus.ABSTAINED),
        ("about five", QuestionType.INTEGER, None, ExtractStatus.UNPARSED),
        ("nan", QuestionType.NUMERIC, None, ExtractStatus.UNPARSED),
        ("$x^2$", QuestionType.EXPRESSION, "x^2", ExtractStatus.ANSWERED),
    ],
)
def test_a_recorded_extract_in_normal_form(
    text: str | None, question_type: QuestionType, answer: str | None, status: ExtractStatus
) -> None:
    extract = read_recorded(RecordedExtract(text), question_type)
    assert (extract.answer, extract.status) == (answer, status)


def test_samples_may_not_be_more_than_can_be_meant() -> None:
    with pytest.raises(BadInput, match="more than 1000 samples"):
        replies(JEE | {"M_SC_response": ["7"] * 1001})


def test_every_question_of_a_large_file_keeps_its_own_answer() -> None:
    rows = [{"question_id": f"q{n % 97}", "text": f"answer {n}"} for n in range(1000)]
    parsed = replies(*rows)
    counts = Counter(each.question_id for each in parsed)
    assert {each.sample_index for each in parsed} == set(range(max(counts.values())))
    for row, reply in zip(rows, parsed, strict=True):
        assert (reply.question_id, texts(reply)) == (row["question_id"], [row["text"]])
