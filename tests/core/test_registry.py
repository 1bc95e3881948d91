"""The registry's values, the strict reading of its blocks, and what a model's name means."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.core.errors import BadInput, UnknownName
from tasks.core.registry.entries import Prices, Registry, normal_url, resolve_model, scheme_for
from tasks.core.registry.parsing import (
    parse_benchmarks,
    parse_instructions,
    parse_models,
    parse_modes,
    with_default_marks,
)
from tasks.core.types import Aggregation, MarkingScheme, QuestionType

MODEL = """
["big-1.5"]
base_url = "HTTPS://API.Example.com:443/v1/"
api_name = "big-1.5-2026"
api_key_env = "EXAMPLE_KEY"
context_tokens = 1000
training_cutoff = 2025-06-01
capabilities = ["n", "effort"]
system_prompt = ""
extra_body = { top_k = 40 }
parameters = { temperature = 1, stop = ["\\n\\n"] }
prices = { input = 1, output = 4.5, as_of = 2026-01-31 }
"""
BASE_URL = 'base_url = "HTTPS://API.Example.com:443/v1/"'
SERVED = """
[small]
served.requirement = "small-weights==1.0"
served.package = "small_weights"
served.file = "small.gguf"
served.sha256 = "{sha256}"
served.context_tokens = 2048
served.parallel = 3
"""
SHA256 = "ab" * 32
DEFAULT_MARKS = "\n".join(f'"{each}" = {{ correct = 1 }}' for each in QuestionType)
BENCHMARKS = f"""
[default]
[[default.marks]]
{DEFAULT_MARKS}

[exam]
title = "An exam"
[[exam.marks]]
exam = "Exam 2023*"
"MCQ" = {{ correct = 5, wrong = -2 }}
[[exam.marks]]
exam = "Exam *"
"MCQ" = {{ correct = 3, wrong = -1, blank = -0.5 }}
"MCQ(multiple)" = {{ correct = 4, wrong = -2, partial_per_option = 1 }}
"""

Parser = Callable[[Mapping[str, Any], str], Mapping[str, Any]]


def _registry() -> Registry:
    models = parse_models(tomllib.loads(MODEL + SERVED.format(sha256=SHA256)), "models.toml")
    benchmarks = parse_benchmarks(tomllib.loads(BENCHMARKS), "benchmarks.toml")
    modes = parse_modes({"cot": {"template": "cot.md"}}, "prompt_modes.toml")
    return Registry(models, modes, with_default_marks(benchmarks), {})


def test_a_model_block() -> None:
    entry = _registry().models["big-1.5"]
    assert entry.base_url == entry.endpoint_id == "https://api.example.com/v1"
    assert (entry.name, entry.api_name, entry.api) == ("big-1.5", "big-1.5-2026", "chat")
    assert entry.prices == Prices(1.0, 4.5, date(2026, 1, 31))
    assert entry.system_prompt == ""
    assert entry.parameters == {"temperature": 1.0, "stop": ("\n\n",)}
    assert entry.capabilities == {"n", "effort"}
    assert (entry.max_concurrency, entry.timeout_s) == (16, 600.0)


def test_a_served_model_is_known_by_its_weights() -> None:
    entry = _registry().models["small"]
    assert entry.endpoint_id == f"sha256:{SHA256}"
    assert (entry.base_url, entry.api_name, entry.context_tokens) == (None, "small", 2048)
    assert entry.max_concurrency == 3


def test_a_mode_block_has_defaults() -> None:
    mode = _registry().mode("cot")
    assert (mode.n_samples, mode.aggregation, mode.temperature) == (1, Aggregation.MEAN, 0.0)
    assert (mode.max_tokens, mode.whitespace) == (2048, "strip")


@pytest.mark.parametrize(
    ("benchmark", "exam", "question_type", "scheme"),
    [
        ("exam", "Exam 2023 Paper 1", QuestionType.MCQ, MarkingScheme(5, -2)),
        ("exam", "Exam 2022", QuestionType.MCQ, MarkingScheme(3, -1, -0.5)),
        ("exam", "Exam 2023", QuestionType.MCQ_MULTIPLE, MarkingScheme(4, -2, 0, 1)),
        ("exam", "Exam 2023", QuestionType.NUMERIC, MarkingScheme(1)),
        ("exam", "exam 2023", QuestionType.MCQ, MarkingScheme(1)),
        ("exam", None, QuestionType.MCQ, MarkingScheme(1)),
        ("my own", None, QuestionType.OPEN, MarkingScheme(1)),
    ],
)
def test_marks_by_exam_and_type(
    benchmark: str, exam: str | None, question_type: QuestionType, scheme: MarkingScheme
) -> None:
    assert scheme_for(_registry().benchmark(benchmark), exam, question_type) == scheme


def test_a_name_without_url_is_a_block() -> None:
    registry = _registry()
    assert resolve_model(registry, "small") is registry.models["small"]
    other_key = resolve_model(registry, "big-1.5", api_key_env="OTHER_KEY")
    assert other_key == replace(registry.models["big-1.5"], api_key_env="OTHER_KEY")


def test_a_name_with_url_takes_nothing_of_a_block() -> None:
    entry = resolve_model(_registry(), "big-1.5", "http://LOCALHOST:8000/v1//")
    assert entry.base_url == entry.endpoint_id == "http://localhost:8000/v1"
    assert (entry.api_name, entry.api_key_env) == ("big-1.5", "OPENAI_API_KEY")
    assert entry.prices is None
    assert entry.parameters == {}


def test_unknown_names_name_the_nearest() -> None:
    with pytest.raises(
        UnknownName, match=r"unknown model 'smal'; did you mean 'small'\?.*base-url"
    ):
        resolve_model(_registry(), "smal")
    with pytest.raises(UnknownName, match="unknown mode 'zzz'; known: cot"):
        _registry().mode("zzz")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:8000",
        "ftp://host/v1",
        "http://",
        "http://host:99999/v1",
        "http://host/v1?key=1",
        "http://host/v 1",
        "http://[::1/v1",
    ],
)
def test_a_url_that_cannot_be_meant(url: str) -> None:
    with pytest.raises(BadInput, match=r"^--base-url "):
        resolve_model(_registry(), "any", url)


def test_secrets_are_refused_and_not_repeated() -> None:
    for arguments in (
        {"base_url": "https://user:hunter2@host/v1"},
        {"base_url": "https://host/v1", "api_key_env": "sk-hunter2"},
    ):
        with pytest.raises(BadInput) as refusal:
            resolve_model(_registry(), "any", **arguments)
        assert "hunter2" not in str(refusal.value)
    with pytest.raises(BadInput) as refusal:
        parse_models(tomllib.loads(MODEL.replace("EXAMPLE_KEY", "sk-hunter2")), "models.toml")
    assert "hunter2" not in str(refusal.value)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://HOST/v1/", "http://host:80/v1"),
        ("https://host:443", "https://host/"),
        ("http://[::1]:80/v1", "http://[::1]/v1"),
    ],
)
def test_spellings_of_one_url(one: str, other: str) -> None:
    assert normal_url(one) == normal_url(other)


def test_paths_and_ports_tell_urls_apart() -> None:
    urls = [
        "http://h/v1",
        "http://h/V1",
        "http://h:1/v1",
        "https://h/v1",
        "http://h",
        "http://i/v1",
    ]
    assert len({normal_url(url) for url in urls}) == len(urls)


FAULTS = [
    ("context_tokens = 1000", 'context_tokens = "1000"', "context_tokens: is text"),
    ("context_tokens = 1000", "context_tokens = true", "context_tokens: is true or"),
    ("context_tokens = 1000", "context_tokens = 1.5", "context_tokens: is the number"),
    ("context_tokens = 1000", "context_tokens = 0", "context_tokens: is 0; .* at least 1"),
    (
        "context_tokens = 1000",
        "contxt_tokens = 1",
        "contxt_tokens: unknown key; did you mean 'context_tokens'",
    ),
    ("input = 1", "input = -1", "prices] input: is -1; it must be 0 or more"),
    ("input = 1", "input = nan", "prices] input: is nan"),
    ("input = 1,", "", "prices] input: is missing"),
    ("input = 1", "inputt = 1", "prices] inputt: unknown key; did you mean 'input'"),
    (", as_of = 2026-01-31", "", "prices] as_of: is missing"),
    ("as_of = 2026-01-31", 'as_of = "2026-01-31"', "as_of: is text; it must be a date"),
    ("as_of = 2026-01-31", "as_of = 2026-01-31T00:00:00", "as_of: is a date with a time"),
    ('"effort"]', '"efort"]', "capabilities: 'efort' is not known; did you mean 'effort'"),
    ('["n", "effort"]', '"n"', "capabilities: is text; it must be a list"),
    ("temperature = 1", "temperature = 2.5", "parameters] temperature: is 2.5; .* from 0 to 2"),
    ("temperature = 1", "top_k = 1", "parameters] top_k: unknown key"),
    ("top_k = 40", "n = 4", "extra_body: 'n' is set by Proctor itself"),
    ("top_k = 40", "d = 2026-01-01", "extra_body: goes to the model as JSON"),
    ("api_name", 'api = "chatt"\napi_name', "api: 'chatt' is not known; did you mean 'chat'"),
    ("HTTPS:", "", "base_url: is '//API.Example.com:443/v1/'"),
    ("base_url", "scripted = { share = 0.5 }\nbase_url", "base_url: a model has one of"),
    (BASE_URL, "", "base_url: is missing; a model has one"),
    (BASE_URL, "scripted = { share = 1.5 }", "scripted] share: is 1.5; it must be from 0 to 1"),
    ('["big-1.5"]', "[big-1.5]", r"\[big-1\] base_url: is missing; .* a name with dots has quotes"),
    ('["big-1.5"]', '[" "]', "a block's name"),
]


@pytest.mark.parametrize(("right", "faulty", "message"), FAULTS)
def test_faults_of_a_model_block(right: str, faulty: str, message: str) -> None:
    assert right in MODEL
    with pytest.raises(BadInput) as refusal:
        parse_models(tomllib.loads(MODEL.replace(right, faulty)), "my/models.toml")
    text = str(refusal.value)
    assert text.startswith("my/models.toml: [")
    assert "\n" not in text
    assert refusal.match(f".*{message}")


@pytest.mark.parametrize(
    ("parser", "text", "message"),
    [
        (parse_models, "small = 1", "'small' is the number 1, not a block"),
        (parse_models, SERVED.format(sha256="AB" * 32), "sha256: must be 64 hexadecimal digits"),
        (parse_models, SERVED.format(sha256=SHA256).replace("small.gguf", "../x"), "file: must be"),
        (parse_models, SERVED.format(sha256=SHA256) + "endpoint = 'e'", "endpoint: the identity"),
        (parse_models, SERVED.format(sha256=SHA256) + "context_tokens = 9", "belongs into"),
        (parse_modes, "[cot]\ntemplate = '../cot.md'", "template: '../cot.md' must be a file"),
        (parse_modes, "[cot]\nn_samples = 2", "template: is missing"),
        (parse_modes, "[cot]\ntemplate = 'c.md'\naggregation = 'max'", "'max' is not known"),
        (parse_modes, "[cot]\ntemplate = 'c.md'\nwhitespace = 'halve'", "'halve' is not known"),
        (parse_benchmarks, "[b]\n[[b.marks]]\nexam = 'E'", "no marks for any type"),
        (parse_benchmarks, "[b]\n[b.marks]\nMCQ.correct = 1", r"written \[\[b.marks\]\]"),
        (
            parse_benchmarks,
            "[b]\n[[b.marks]]\nMCQ = {correct=3, wrong=1}",
            "wrong: is 1; .* 0 or less",
        ),
        (parse_benchmarks, "[b]\n[[b.marks]]\nMcq = {correct=3}", "Mcq: unknown key"),
        (parse_benchmarks, "[b]\n[[b.marks]]\nMCQ = {wrong=-1}", "correct: is missing"),
        (
            parse_benchmarks,
            "[default]\n[[default.marks]]\nMCQ.correct=1",
            "must cover 'MCQ.multiple",
        ),
        (parse_instructions, "MCQ = 'Choose.'", "MCQ: unknown key"),
        (parse_instructions, "[instructions]\nmcq = 'Choose.'", "mcq: unknown key"),
        (parse_instructions, "[instructions]", "no type has an instruction"),
    ],
)
def test_faults_of_other_blocks(parser: Parser, text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message) as refusal:
        parser(tomllib.loads(text), "file.toml")
    assert str(refusal.value).startswith("file.toml: ")
    assert "\n" not in str(refusal.value)


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
_MODEL_KEYS = st.sampled_from(
    ["base_url", "served", "scripted", "prices", "parameters", "capabilities", "extra_body", "api"]
)


@given(st.dictionaries(_MODEL_KEYS | st.text(), _VALUES, max_size=4), st.text())
def test_any_table_is_read_or_refused_in_one_line(table: dict[str, Any], name: str) -> None:
    for parser in (parse_models, parse_modes, parse_benchmarks, parse_instructions):
        try:
            parser({name: table}, "file.toml")
        except BadInput as refusal:
            assert len(str(refusal).splitlines()) == 1  # noqa: PT017 -- both ends are right
