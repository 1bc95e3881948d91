"""What can be asked of what: models, prompt modes and benchmarks, as the registry's files say.

Only values and look-ups: `core.registry.parsing` makes them from TOML, `io.registry` reads files.
Sets are closed: a capability, an API or a type that is not named here is refused on reading.
"""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import urlsplit

from tasks.core.calls.request_body import Api
from tasks.core.errors import BadInput, UnknownName
from tasks.core.prompts.rendering import PromptPack
from tasks.core.types import Aggregation, MarkingScheme, QuestionType

CAPABILITIES = frozenset({"n", "seed", "logprobs", "tools", "structured_output", "effort"})
DEFAULT_BENCHMARK = "default"
DEFAULT_KEY_VARIABLE = "OPENAI_API_KEY"

_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars per million tokens, as published on `as_of` (None: nobody's price, a model of our
    own that costs nothing). `cached_input` None: as `input`."""

    input: float
    output: float
    as_of: date | None
    cached_input: float | None = None


@dataclass(frozen=True, slots=True)
class ServedWeights:
    """A model that Proctor serves itself from a GGUF file inside an installed package.

    `requirement` is what pip is to install (without dependencies), `package` the import name,
    `file` the path inside it. `context_tokens` is the context of each of `parallel` slots.
    """

    requirement: str
    package: str
    file: str
    sha256: str
    context_tokens: int
    parallel: int


@dataclass(frozen=True, slots=True)
class ScriptedContestant:
    """No model: a program that answers `share` (0–1) of the questions rightly, for trials."""

    share: float


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """One model at one endpoint. Exactly one of `base_url`, `served`, `scripted` is set.

    `endpoint_id` is the identity of the endpoint in the response cache: what `endpoint` in the
    registry says, else the base URL in normal form; `sha256:…` of the weights of a served model.
    `api_key_env` names the environment variable of the key; None: the endpoint needs none.
    `parameters` are the model's own sampling defaults, over those of the mode: temperature, top_p,
    max_tokens, seed, stop, effort. `extra_body` goes into each request as it is.
    `context_tokens`: prompt and answer together. Limits per minute: None = not limited.
    """

    name: str
    api_name: str
    endpoint_id: str
    base_url: str | None = None
    api_key_env: str | None = None
    api: Api = "chat"
    served: ServedWeights | None = None
    scripted: ScriptedContestant | None = None
    context_tokens: int | None = None
    training_cutoff: date | None = None
    max_concurrency: int = 16
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    timeout_s: float = 600.0
    prices: Prices | None = None
    capabilities: frozenset[str] = frozenset()
    system_prompt: str | None = None
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PromptMode:
    """A way to ask. `template`, `instructions`: files of the prompts folder. `whitespace`: a rule's
    name (`core.prompts.rendering`). `n_samples` per question become one score by `aggregation`."""

    name: str
    template: str
    instructions: str = "instructions.toml"
    n_samples: int = 1
    aggregation: Aggregation = Aggregation.MEAN
    temperature: float = 0.0
    max_tokens: int = 2048
    whitespace: str = "strip"


@dataclass(frozen=True, slots=True)
class ExamMarks:
    """The marks by type in the exams whose names match a glob (`*`, `?`, `[…]`; case counts)."""

    exam: str
    by_type: Mapping[QuestionType, MarkingScheme]


@dataclass(frozen=True, slots=True)
class BenchmarkEntry:
    """A benchmark's title and marks. The first of `marks` that matches exam and type holds.

    `extraction_model`: the model of the registry that reads the replies that the rules cannot.
    """

    name: str
    title: str
    marks: tuple[ExamMarks, ...]
    extraction_model: str | None = None


@dataclass(frozen=True, slots=True)
class Registry:
    """All blocks by name. `packs` has the wording of each mode of `modes`.

    `reading_template` is what an extraction model is asked. `notices` are lines that a person
    should see: which of their blocks replace bundled ones.
    """

    models: Mapping[str, ModelEntry]
    modes: Mapping[str, PromptMode]
    benchmarks: Mapping[str, BenchmarkEntry]
    packs: Mapping[str, PromptPack]
    reading_template: str = ""
    notices: tuple[str, ...] = ()

    def mode(self, name: str) -> PromptMode:
        """Return a mode. Raises UnknownName."""
        if name not in self.modes:
            raise UnknownName(unknown("mode", name, self.modes))
        return self.modes[name]

    def benchmark(self, name: str) -> BenchmarkEntry:
        """Return a benchmark's block; a name that has none gets the marks of block `default`."""
        if name in self.benchmarks:
            return self.benchmarks[name]
        return replace(self.benchmarks[DEFAULT_BENCHMARK], name=name, title=name)


def scheme_for(
    benchmark: BenchmarkEntry, exam: str | None, question_type: QuestionType
) -> MarkingScheme:
    """Return the marks of a type in an exam (None: a question that belongs to none).

    Raises BadInput where no block of the benchmark covers them.
    """
    for marks in benchmark.marks:
        if fnmatchcase(exam or "", marks.exam) and question_type in marks.by_type:
            return marks.by_type[question_type]
    raise BadInput(
        f"benchmark {benchmark.name!r} has no marks for type {question_type.value!r} in exam "
        f"{exam!r}; add them to its block in benchmarks.toml"
    )


def resolve_model(
    registry: Registry, name: str, base_url: str | None = None, api_key_env: str | None = None
) -> ModelEntry:
    """Find what `--model NAME [--base-url URL] [--api-key-env VARIABLE]` means.

    Without a URL: the registry's block, with another key variable if one is given. With a URL: the
    model of that name there, and nothing of any block. Raises UnknownName, or BadInput on a URL
    or variable name that cannot be meant.
    """
    if not name.strip():
        raise BadInput("the name of a model is empty")
    if api_key_env is not None and not is_variable_name(api_key_env):
        raise BadInput(f"--api-key-env {NOT_A_VARIABLE}")
    if base_url is not None:
        try:
            url = normal_url(base_url)
        except ValueError as error:
            raise BadInput(f"--base-url {error}") from None
        key = api_key_env or DEFAULT_KEY_VARIABLE
        return ModelEntry(name, api_name=name, endpoint_id=url, base_url=url, api_key_env=key)
    if name not in registry.models:
        known = unknown("model", name, registry.models)
        raise UnknownName(f"{known}; a model that is in no registry needs --base-url")
    entry = registry.models[name]
    return entry if api_key_env is None else replace(entry, api_key_env=api_key_env)


def normal_url(url: str) -> str:
    """Return the one spelling of a base URL: scheme and host in lower case, no default port, no `/`
    at the end. Raises ValueError, its message to be put behind the name of the option or key."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError as error:
        raise ValueError(f"is no URL: {error}") from None
    if "@" in parts.netloc:
        raise ValueError("holds a name or password; keys belong in an environment variable")
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        raise ValueError(f"is {url!r}; a base URL is like https://api.example.com/v1")
    if parts.query or parts.fragment:
        raise ValueError(f"is {url!r}; a base URL has no ? or #")
    if any(character.isspace() or ord(character) < 32 for character in url.strip()):
        raise ValueError(f"is {url!r}; a URL has no blanks in it")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    shown_port = "" if port in (None, _DEFAULT_PORTS[parts.scheme]) else f":{port}"
    return f"{parts.scheme}://{host}{shown_port}{parts.path.rstrip('/')}"


NOT_A_VARIABLE = (
    "must be the name of an environment variable (letters, digits and _), not a key itself"
)


def is_variable_name(name: str) -> bool:
    """Whether an environment variable can have this name. Most keys cannot: they have a `-`."""
    return name.isascii() and name.isidentifier()


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """Return the message on a name that nothing defines: the nearest name, or all names."""
    names = sorted(known)
    nearest = difflib.get_close_matches(name, names, n=1)
    if nearest:
        return f"unknown {kind} {name!r}; did you mean {nearest[0]!r}?"
    return f"unknown {kind} {name!r}; known: {', '.join(names) or 'none'}"
