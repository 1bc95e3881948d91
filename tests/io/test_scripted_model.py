"""A scripted contestant over HTTP, asked as any model is: its known score comes out again."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import openai
import pytest

from tasks.core.errors import BadInput
from tasks.core.extraction import extract
from tasks.core.files.questions import parse_questions
from tasks.core.marking import mark
from tasks.core.prompts.rendering import render
from tasks.core.questions.answer_keys import parse_key
from tasks.core.registry.entries import Registry, scheme_for
from tasks.core.scripted.contestant import expected_score
from tasks.core.scripted.solutions import NO_SUCH_QUESTION
from tasks.core.types import Question, Tolerance
from tasks.io.local_models import LocalServer, serve
from tasks.io.registry import load_registry
from tasks.io.scripted_model import answers_file
from tasks.io.settings import DATA, ROOT

NAME = "scripted-70"


@pytest.fixture(scope="module")
def questions() -> list[Question]:
    content = (DATA / "sample" / "questions.json").read_bytes()
    return [each.question for each in parse_questions(content, "questions.json").questions]


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load_registry(DATA / "registry")


@pytest.fixture(scope="module")
def server(registry: Registry, questions: list[Question]) -> Iterator[LocalServer]:
    with serve(registry.models[NAME], questions=questions) as running:
        yield running


@pytest.fixture(scope="module")
def client(server: LocalServer) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=server.base_url, api_key="none", max_retries=0) as made:
        yield made


def _ask(client: openai.OpenAI, prompt: str, n: int = 1) -> list[str]:
    reply = client.chat.completions.create(
        model=NAME, messages=[{"role": "user", "content": prompt}], temperature=0, n=n
    )
    assert reply.model == NAME
    assert reply.usage is not None
    assert reply.usage.total_tokens == reply.usage.prompt_tokens + reply.usage.completion_tokens
    assert reply.usage.completion_tokens >= n
    return [choice.message.content or "" for choice in reply.choices]


@pytest.mark.parametrize("mode", ["normal", "cot"])
def test_the_expected_score_comes_out(
    client: openai.OpenAI, registry: Registry, questions: list[Question], mode: str
) -> None:
    benchmark = registry.benchmark("sample")
    scores = []
    for question in questions:
        (text,) = _ask(client, render(question, registry.packs[mode]))
        found = extract(text, question)
        marked = mark(
            found.status,
            found.answer,
            parse_key(question.gold, question.type),
            question.type,
            scheme_for(benchmark, question.exam, question.type),
            Tolerance.DECIMAL,
        )
        assert marked.score is not None
        scores.append(marked.score)
    assert sum(scores) / len(scores) == pytest.approx(float(expected_score(questions, 0.7)))
    assert scores.count(1.0) == 21


def test_samples_differ_in_notation_only(
    client: openai.OpenAI, registry: Registry, questions: list[Question]
) -> None:
    texts = _ask(client, render(questions[0], registry.packs["cot"]), n=5)
    assert len(set(texts)) == 5
    assert len({extract(text, questions[0]).answer for text in texts}) == 1


def test_a_strange_prompt_gets_no_answer(client: openai.OpenAI) -> None:
    assert _ask(client, "What is the capital of France?") == [NO_SUCH_QUESTION]


def test_models_are_listed(client: openai.OpenAI) -> None:
    assert [model.id for model in client.models.list()] == [NAME]


@pytest.mark.parametrize("n", [0, -1, 1000, "x"])
def test_a_bad_request_is_refused(client: openai.OpenAI, n: object) -> None:
    body = {"model": NAME, "messages": [{"role": "user", "content": "?"}], "n": n}
    if n == 0:
        body = {"model": NAME, "messages": []}
    with pytest.raises(openai.BadRequestError, match="not a chat request"):
        client.post("/chat/completions", body=body, cast_to=object)


def test_without_questions_there_is_nothing_to_serve(registry: Registry) -> None:
    with pytest.raises(BadInput, match="needs questions"), serve(registry.models[NAME]):
        pass


def test_it_runs_from_the_shell(tmp_path: Path, questions: list[Question]) -> None:
    answers = tmp_path / "answers.json"
    answers.write_text(answers_file(NAME, 1.0, questions), "utf-8")
    with subprocess.Popen(
        [sys.executable, "-m", "tasks.io.scripted_model", "--answers", str(answers)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        cwd=ROOT,
    ) as process:
        assert process.stdout is not None
        base_url = json.loads(process.stdout.readline())["base_url"]
        with openai.OpenAI(base_url=base_url, api_key="none", max_retries=0) as client:
            assert extract(_ask(client, questions[0].question)[0], questions[0]).answer == "B"
        process.terminate()
