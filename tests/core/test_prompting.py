"""Prompts: the question's text goes in once and untouched; blanks follow the named rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.core.errors import BadInput
from tasks.core.prompts.rendering import (
    INSTRUCTION_MARKER,
    QUESTION_MARKER,
    WHITESPACE_RULES,
    Frame,
    PromptPack,
    parse_pack,
    render,
)
from tasks.core.types import Question, QuestionType

TEMPLATE = "{{instruction}}\n\nQuestion:\n{{question}}\n\nThink.\n"


def _ask(text: str, rule: str, frame: Frame) -> str:
    pack = PromptPack("test", "normal", rule, {QuestionType.MCQ: frame})
    return render(Question("q", QuestionType.MCQ, text), pack)


@pytest.mark.parametrize(
    ("rule", "prompt"),
    [
        ("verbatim", "<\n\n a\n\n\nb\n\n >\n"),
        ("strip", "<a\n\n\nb>"),
        ("halve_blank_lines", "<a\n\nb>"),
    ],
)
def test_whitespace_rules(rule: str, prompt: str) -> None:
    assert _ask("\n\n a\n\n\nb\n\n ", rule, Frame("<", ">\n")) == prompt


def test_blank_lines_are_halved_once_from_the_left() -> None:
    halve = WHITESPACE_RULES["halve_blank_lines"]
    assert halve("a\n\nb\n\n\nc\n\n\n\nd") == "a\nb\n\nc\n\nd"


@given(st.text(), st.sampled_from(sorted(WHITESPACE_RULES)))
def test_the_text_of_a_question_is_never_a_template(text: str, rule: str) -> None:
    hostile = f"[{text}{INSTRUCTION_MARKER}{QUESTION_MARKER}{{}}{{0}}\\1]"
    pack = parse_pack("test", "cot", rule, TEMPLATE, {QuestionType.MCQ: "Choose."}, "cot.md")
    prompt = render(Question("q", QuestionType.MCQ, hostile), pack)
    assert prompt.count(WHITESPACE_RULES[rule](hostile)) == 1
    assert prompt.startswith("Choose.\n\nQuestion:\n[")
    assert prompt.rstrip().endswith("]\n\nThink.")


def test_an_instruction_is_never_a_template() -> None:
    pack = parse_pack(
        "test", "cot", "strip", TEMPLATE, {QuestionType.MCQ: "A {{question}} {}"}, "cot.md"
    )
    assert pack.by_type[QuestionType.MCQ].prefix == "A {{question}} {}\n\nQuestion:\n"


@pytest.mark.parametrize("template", ["{{question}}", "{{instruction}}", TEMPLATE * 2])
def test_a_template_has_each_marker_once(template: str) -> None:
    with pytest.raises(BadInput, match=r"^my/cot\.md: \{\{(question|instruction)\}\} stands there"):
        parse_pack("test", "cot", "strip", template, {}, "my/cot.md")


def test_a_type_without_wording_is_named() -> None:
    pack = PromptPack("test", "normal", "strip", {QuestionType.MCQ: Frame("", "")})
    with pytest.raises(BadInput, match=r"no wording for type 'Numeric' \(question 'q7'\)"):
        render(Question("q7", QuestionType.NUMERIC, "1+1"), pack)
