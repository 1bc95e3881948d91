"""What makes a request another one: each change is a miss, each other way to say the same a hit."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tasks.evaluations import dry_run, evaluation_of
from tests.exam import Exam, write_registry
from tests.model_server import ModelServer

MakeExam = Callable[..., Exam]
StartServer = Callable[..., ModelServer]
BLOCK = """
[m]
base_url = "{url}"
endpoint = "lab"
{more}
"""
MISSES: dict[str, dict[str, Any]] = {
    "temperature": {"temperature": 0.7},
    "max tokens": {"max_tokens": 100},
    "effort": {"effort": "high"},
    "seed": {"extra_body": {"seed": 1}},
    "stop": {"extra_body": {"stop": ["END"]}},
    "tools": {"extra_body": {"tools": [{"type": "function", "function": {"name": "f"}}]}},
    "response format": {"extra_body": {"response_format": {"type": "json_object"}}},
    "top_p": {"extra_body": {"top_p": 0.9}},
    "mode": {"modes": ["cot"]},
    "epoch": {"epoch": "2026-W48"},
    "base URL": {"base_url": "http://127.0.0.1:9/v1"},
}
HITS: dict[str, dict[str, Any]] = {
    "the same": {},
    "default temperature": {"temperature": 0.0},
    "default temperature as an integer": {"temperature": 0},
    "default max tokens": {"max_tokens": 2048},
    "default top_p": {"extra_body": {"top_p": 1}},
    "concurrency": {"concurrency": 3},
    "budget": {"fail_on_error": 9},
}
MISSES_IN_THE_REGISTRY = {
    "system prompt": 'system_prompt = "Be brief."',
    "empty system prompt": 'system_prompt = ""',
    "API name": 'api_name = "m-2"',
    "extra body": "extra_body = { min_p = 0.1 }",
    "parameter": "parameters = { temperature = 1.0 }",
    "legacy API": 'api = "completions"',
}
HITS_IN_THE_REGISTRY = {
    "nothing": "",
    "limits": "max_concurrency = 2\nrequests_per_minute = 60\ntimeout_s = 9",
    "prices": "prices = { input = 1.0, output = 2.0, as_of = 2026-01-01 }",
    "key": 'api_key_env = "SOME_KEY"',
}


@pytest.fixture(scope="module")
def sat(
    prefect_server: str, born_database: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Exam, Path]:
    """An exam that model `m` sat, and the registry that names the model."""
    import shutil

    from tasks.io.database import Database
    from tests.exam import mcq

    folder = tmp_path_factory.mktemp("sat")
    own = Exam(Database(Path(shutil.copy(born_database, folder / "test.duckdb"))))
    own.add([mcq(1), mcq(2)])
    with ModelServer() as server, pytest.MonkeyPatch.context() as patch:
        block = BLOCK.format(url=server.base_url, more="")
        registry = write_registry(folder / "registry", block)
        patch.setenv("PROCTOR_REGISTRY", str(registry))
        assert own.evaluate().failure is None
        body = {"min_p": 0.1, "nested": {"a": 1, "b": 2}}
        assert own.evaluate(epoch="order", extra_body=body).failure is None
        assert server.n_requests == 4
    return own, registry


def n_calls(own: Exam, **asked: Any) -> int:
    """How many calls an evaluation would make."""
    defaults = {"benchmark": "own", "models": ["m"], "modes": ["normal"]}
    (line,) = dry_run(own.database, evaluation_of(defaults | asked))
    return line.n_calls


@pytest.mark.parametrize("name", MISSES)
def test_miss(sat: tuple[Exam, Path], monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    own, registry = sat
    monkeypatch.setenv("PROCTOR_REGISTRY", str(registry))
    assert n_calls(own, **MISSES[name]) == 2


@pytest.mark.parametrize("name", HITS)
def test_hit(sat: tuple[Exam, Path], monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    own, registry = sat
    monkeypatch.setenv("PROCTOR_REGISTRY", str(registry))
    assert n_calls(own, **HITS[name]) == 0


@pytest.mark.parametrize("name", MISSES_IN_THE_REGISTRY | HITS_IN_THE_REGISTRY)
def test_registry(
    sat: tuple[Exam, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    """The address is another one each time: what counts is the endpoint's name."""
    own, _ = sat
    more = (MISSES_IN_THE_REGISTRY | HITS_IN_THE_REGISTRY)[name]
    block = BLOCK.format(url="http://127.0.0.1:9/v1", more=more)
    monkeypatch.setenv("PROCTOR_REGISTRY", str(write_registry(tmp_path / "registry", block)))
    assert n_calls(own) == (2 if name in MISSES_IN_THE_REGISTRY else 0)


def test_the_order_of_keys_does_not_matter(
    sat: tuple[Exam, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    own, registry = sat
    monkeypatch.setenv("PROCTOR_REGISTRY", str(registry))
    body = json.loads('{"nested": {"b": 2, "a": 1}, "min_p": 0.1}')
    assert n_calls(own, epoch="order", extra_body=body) == 0


def test_a_dry_run_changes_nothing(sat: tuple[Exam, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    own, registry = sat
    monkeypatch.setenv("PROCTOR_REGISTRY", str(registry))
    before = own.database.path.read_bytes()
    n_calls(own, samples=5)
    assert own.database.path.read_bytes() == before
