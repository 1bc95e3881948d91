import json
from collections import Counter
from pathlib import Path

import pytest

from tasks.core.errors import BadInput
from tasks.core.files.keys import key_for, parse_keys
from tasks.core.files.questions import QuestionFile, parse_questions
from tasks.core.types import Question, QuestionType
from tasks.io.files import read_file


def questions(content: str | bytes) -> list[Question]:
    return [each.question for each in parse_questions(content, "input").questions]


def test_jeebench_gives_the_papers_table_1(shared_data: Path) -> None:
    content = read_file(shared_data / "jeebench" / "dataset.json")
    expected = json.loads((shared_data / "jeebench" / "jee_table2.json").read_text())["counts"]
    parsed = parse_questions(content, "dataset.json")
    found = [each.question for each in parsed.questions]
    assert len(found) == expected["total"]
    assert Counter(each.subject for each in found) == expected["by_subject"]
    assert Counter(each.type for each in found) == expected["by_type"]
    assert parsed.notices == ()


def test_jeebench_keeps_every_text_and_gold(shared_data: Path) -> None:
    content = read_file(shared_data / "jeebench" / "dataset.json")
    for row, parsed in zip(
        json.loads(content), parse_questions(content, "dataset.json").questions, strict=True
    ):
        question = parsed.question
        assert question.question_id == f"{row['description']}|{row['index']}"
        assert (question.question, question.gold) == (row["question"], row["gold"])
        assert (question.exam, question.number) == (row["description"], row["index"])
        assert parsed.extra == {}


def test_arena_hard_prompts_are_open_questions_by_topic(shared_data: Path) -> None:
    content = read_file(shared_data / "arena" / "question_v0.1.jsonl.gz")
    parsed = parse_questions(content, "question.jsonl").questions
    assert len(parsed) == 500
    assert {each.question.type for each in parsed} == {QuestionType.OPEN}
    assert set(Counter(each.question.subject for each in parsed).values()) == {2}
    assert {each.extra["category"] for each in parsed} == {"arena-hard-v0.1"}


def test_both_forms_of_an_arena_hard_prompt() -> None:
    with_turns = {
        "question_id": "u1",
        "category": "arena-hard-v0.1",
        "cluster": "Cakes",
        "turns": [{"content": "Bake \n one."}],
    }
    with_prompt = {
        "uid": "u2",
        "category": "hard_prompt",
        "subcategory": "coding",
        "prompt": "Sort it.",
    }
    first, second = parse_questions(
        json.dumps(with_turns) + "\n" + json.dumps(with_prompt) + "\n", "input"
    ).questions
    assert first.question == Question("u1", QuestionType.OPEN, "Bake \n one.", subject="Cakes")
    assert second.question == Question("u2", QuestionType.OPEN, "Sort it.", subject="coding")
    assert second.extra == {"category": "hard_prompt"}


OWN = {
    "id": "007",
    "type": "MCQ",
    "question": "When?",
    "gold": "B",
    "subject": "time",
    "options": ["12:30:00", "0.50", "None"],
}
OPTIONS = {"A": "12:30:00", "B": "0.50", "C": "None"}


@pytest.mark.parametrize(
    "content",
    [
        json.dumps([OWN]),
        json.dumps(OWN) + "\n",
        json.dumps(OWN | {"options": OPTIONS}),
        json.dumps(OWN | {"options": {"(c)": "None", "(a)": "12:30:00", "(b)": "0.50"}}),
        "id,type,question,gold,subject,A,B,C,D\n007,MCQ,When?,B,time,12:30:00,0.50,None,\n",
        "ID;Type;Question;Answer;Subject;Option A;Option B;option_c\n"
        "007;MCQ;When?;B;time;12:30:00;0.50;None\n",
    ],
    ids=["json", "jsonl", "object", "labels", "csv", "semicolons"],
)
def test_own_questions_are_the_same_in_every_form(content: str) -> None:
    (question,) = questions(content)
    assert question == Question(
        question_id="007",
        type=QuestionType.MCQ,
        question="When?\n\n(A) 12:30:00\n(B) 0.50\n(C) None",
        gold="B",
        subject="time",
        options=OPTIONS,
    )


def test_options_that_the_text_has_already_are_not_appended() -> None:
    text = "When?\n\n(A) now\n\n(B) later"
    row = {"id": 1, "type": "MCQ", "question": text, "options": ["now", "later"]}
    (question,) = questions(json.dumps(row))
    assert question.question == text


def test_ten_options_are_read_from_ten_columns() -> None:
    header = "id,type,question,gold," + ",".join("abcdefghij")
    (question,) = questions(f"{header}\nq,MCQ(multiple),Which?,AJ,1,2,3,4,5,6,7,8,9,10\n")
    assert "".join(question.options) == "ABCDEFGHIJ"


@pytest.mark.parametrize(
    ("question_type", "gold", "expected"),
    [
        ("Numeric", "0.50", "0.50"),
        ("Numeric", '"2.30 to 2.40"', "2.30 to 2.40"),
        ("Numeric", "[5, 6]", "5 or 6"),
        ("Integer", "0", "0"),
        ("Integer", '"dropped"', "dropped"),
        ("MCQ", '"A or C"', "A or C"),
        ("MCQ", '["A", "C"]', "A or C"),
        ("MCQ(multiple)", '["D", "B"]', "BD"),
        ("MCQ(multiple)", '["AB", "ABD"]', "AB or ABD"),
        ("Expression", '"x^2"', "x^2"),
    ],
)
def test_golds_are_kept_as_published(question_type: str, gold: str, expected: str) -> None:
    row = f'{{"id": "q", "type": "{question_type}", "question": "?", "gold": {gold}}}'
    (question,) = questions(row)
    assert question.gold == expected


@pytest.mark.parametrize("gold", ["null", '""', '" "'])
def test_a_missing_gold_is_no_key_and_is_said(gold: str) -> None:
    row = f'{{"id": "q", "type": "Integer", "question": "?", "gold": {gold}}}'
    parsed = parse_questions(row, "input")
    assert parsed.questions[0].question.gold is None
    assert parsed.notices == ("input: 1 of 1 questions have no gold yet",)


def test_multiple_choice_without_options_is_said() -> None:
    parsed = parse_questions('{"id": 1, "type": "MCQ", "question": "?", "gold": "D"}', "input")
    (notice,) = parsed.notices
    assert notice.startswith("input: no options were found in 1 multiple-choice questions")


def test_columns_that_are_not_used_are_named_where_options_are_missing() -> None:
    parsed = parse_questions("id,type,question,option_1,gold\n1,MCQ,which?,x,\n", "input")
    assert any("option_1" in notice for notice in parsed.notices)


def test_eleventh_option_is_refused() -> None:
    labels = "ABCDEFGHIJK"
    content = f"id,type,question,gold,{','.join(labels)}\n1,MCQ,which?,A,{','.join(labels)}\n"
    with pytest.raises(BadInput, match="at most ten options"):
        parse_questions(content, "input")


def test_fields_without_a_place_go_to_extra_as_they_are() -> None:
    row = {"id": 1, "type": "Open", "question": "?", "Source Page": 7, "tags": ["a", {"b": None}]}
    (parsed,) = parse_questions(json.dumps(row), "input").questions
    assert parsed.extra == {"Source Page": 7, "tags": ["a", {"b": None}]}


EXPORTED = {
    "description": "Mock 2031",
    "index": 4,
    "subject": "chem",
    "type": "Integer",
    "question": "How many?",
    "gold": None,
    "question_id": "Mock 2031|4",
    "has_figure": True,
    "status": "dropped",
    "reason": "needs a figure",
}


def test_a_field_that_is_one_letter_is_no_option_on_its_own() -> None:
    row = {"id": 1, "type": "Integer", "question": "?", "e": 2.718, "c": 3e8}
    (parsed,) = parse_questions(json.dumps(row), "input").questions
    assert (parsed.question.options, parsed.extra) == ({}, {"e": 2.718, "c": 3e8})


def test_our_own_export_is_read_back() -> None:
    expected = Question(
        question_id="Mock 2031|4",
        type=QuestionType.INTEGER,
        question="How many?",
        subject="chem",
        exam="Mock 2031",
        number=4,
        has_figure=True,
        status="dropped",
        reason="needs a figure",
    )
    assert questions(json.dumps([EXPORTED])) == [expected]
    assert questions(json.dumps(EXPORTED) + "\n") == [expected]


def test_a_torn_last_line_is_set_aside() -> None:
    whole = json.dumps(OWN) + "\n"
    parsed = parse_questions(whole + json.dumps(OWN | {"id": "8"})[:-9], "input")
    assert [each.question.question_id for each in parsed.questions] == ["007"]
    assert "line 2" in parsed.notices[0]


def test_every_faulty_row_is_counted() -> None:
    rows = [OWN, OWN | {"id": 2, "gold": "E"}, OWN | {"id": 3, "gold": "AB"}]
    with pytest.raises(BadInput, match=r"row 2 .*'E'.* \(1 more row has faults\)$"):
        parse_questions(json.dumps(rows), "input")


def test_positions_follow_the_file() -> None:
    parsed: QuestionFile = parse_questions(json.dumps([OWN, OWN | {"id": 2}]), "input")
    assert [each.position for each in parsed.questions] == [0, 1]


@pytest.mark.parametrize(
    "content",
    [
        "exam,number,gold\nMock,1,A or C\nMock,2,2.30 to 2.40\n",
        '{"question_id": "Mock|1", "gold": "A or C"}\n{"id": "Mock|2", "key": "2.30 to 2.40"}\n',
        '[{"description": "Mock", "index": 1, "gold": "A or C"},'
        ' {"exam": "Mock", "number": "2", "gold": "2.30 to 2.40"}]',
    ],
    ids=["csv", "jsonl", "json"],
)
def test_keys_are_read_in_every_form(content: str) -> None:
    choice, number = parse_keys(content, "keys").keys
    assert (choice.question_id, number.question_id) == ("Mock|1", "Mock|2")
    asked = Question("Mock|1", QuestionType.MCQ, "?", options={"A": "1", "B": "2", "C": "3"})
    assert key_for(choice, asked) == "A or C"
    assert key_for(number, Question("Mock|2", QuestionType.NUMERIC, "?")) == "2.30 to 2.40"
    with pytest.raises(BadInput, match=r"2\.30 to 2\.40.*Mock\|2"):
        key_for(number, asked)


def test_a_key_that_names_no_option_is_refused() -> None:
    (key,) = parse_keys('{"id": "q", "gold": "D"}', "keys").keys
    asked = Question("q", QuestionType.MCQ, "?", options={"A": "1", "B": "2"})
    with pytest.raises(BadInput, match="options are A, B"):
        key_for(key, asked)
