import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.core.errors import BadInput
from tasks.core.files.questions import parse_questions
from tasks.core.files.responses import parse_responses
from tasks.core.prompts.packs import Asked, derive_pack
from tasks.core.prompts.rendering import WHITESPACE_RULES, Frame, PromptPack, render
from tasks.core.types import Question, QuestionType
from tasks.io.files import read_file


@pytest.mark.parametrize("model", ["GPT4", "GPT3.5"])
def test_the_published_wording_gives_every_prompt_back(shared_data: Path, model: str) -> None:
    folder = shared_data / "jeebench"
    dataset = parse_questions(read_file(folder / "dataset.json"), "dataset.json").questions
    questions = {each.question.question_id: each.question for each in dataset}
    content = read_file(folder / f"responses_{model}_normal.json.gz")
    replies = parse_responses(content, "responses.json").replies
    asked = [Asked(questions[each.question_id], each.prompt or "") for each in replies]
    pack = derive_pack("published", "normal", asked)
    expected = json.loads((folder / "jee_prompt_sha256_normal.json").read_text())
    rendered = {
        identity: hashlib.sha256(render(question, pack).encode()).hexdigest()
        for identity, question in questions.items()
    }
    assert rendered == expected
    assert pack.whitespace_rule == "halve_blank_lines"


def question(number: int, text: str, kind: QuestionType = QuestionType.INTEGER) -> Question:
    return Question(f"q{number}", kind, text)


TEXT = st.text(st.sampled_from("ab \n(A)"), min_size=1, max_size=12).filter(str.strip)
KINDS = (QuestionType.MCQ, QuestionType.INTEGER)


@given(
    st.lists(st.tuples(TEXT, st.sampled_from(KINDS)), min_size=1, max_size=6),
    st.tuples(*[st.text(st.sampled_from("ab \n:"), max_size=6)] * 4),
    st.sampled_from(sorted(WHITESPACE_RULES)),
)
def test_the_wording_of_rendered_prompts_is_found_again(
    texts: list[tuple[str, QuestionType]], wording: tuple[str, ...], rule: str
) -> None:
    frames = {KINDS[0]: Frame(*wording[:2]), KINDS[1]: Frame(*wording[2:])}
    truth = PromptPack("truth", "normal", rule, frames)
    questions = [question(n, text, kind) for n, (text, kind) in enumerate(texts)]
    asked = [Asked(each, render(each, truth)) for each in questions]
    pack = derive_pack("found", "normal", asked)
    assert [render(each, pack) for each in questions] == [each.prompt for each in asked]


def test_a_prompt_with_other_wording_is_named() -> None:
    asked = [Asked(question(n, f"What is {n}?"), f"Solve: What is {n}?") for n in range(9)]
    asked[6] = Asked(asked[6].question, "Answer: What is 6?")
    with pytest.raises(BadInput, match=r"'q6' \(Integer\).*the 6 rows before it"):
        derive_pack("file", "normal", asked)


def test_prompts_with_an_example_by_subject_are_no_pack() -> None:
    asked = [
        Asked(question(n, f"What is {n}?"), f"Like {subject}.\nWhat is {n}?\nSolution:")
        for n, subject in enumerate(["physics", "chemistry", "physics"])
    ]
    with pytest.raises(BadInput, match="'q1'"):
        derive_pack("file", "one_shot", asked)


def test_prompts_without_their_question_are_no_pack() -> None:
    with pytest.raises(BadInput, match="'q1'"):
        derive_pack("file", "normal", [Asked(question(1, "What is 1?"), "Is this right?")])


def test_a_question_that_the_wording_itself_contains() -> None:
    asked = [Asked(question(0, "a"), "Say a: a!"), Asked(question(1, "Say"), "Say a: Say!")]
    pack = derive_pack("file", "normal", asked)
    assert pack.by_type == {QuestionType.INTEGER: Frame("Say a: ", "!")}


def test_no_prompts_are_no_pack() -> None:
    with pytest.raises(BadInput, match="no prompts"):
        derive_pack("file", "normal", [])
