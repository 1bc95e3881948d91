"""The registry's files: ours are sound, a user's stand beside them, faults are named."""

from pathlib import Path

import pytest

from tasks.core.errors import BadInput
from tasks.core.prompts.rendering import render
from tasks.core.registry.entries import Registry, scheme_for
from tasks.core.types import MarkingScheme, Question, QuestionType
from tasks.io.registry import BUNDLED_PACK, USER_PACK, load_registry
from tasks.io.settings import DATA

BUNDLED = DATA / "registry"
OTHER_MODEL = '[other]\nbase_url = "http://localhost:1/v1"\n'


def _load(folder: Path, files: dict[str, str | bytes]) -> Registry:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return load_registry(BUNDLED, folder)


def test_bundled_blocks_are_sound() -> None:
    registry = load_registry(BUNDLED)
    assert {"smollm2", "scripted-70", "gpt-4o"} <= set(registry.models)
    assert set(registry.modes) == set(registry.packs) == {"normal", "cot"}
    assert registry.notices == ()
    for entry in registry.models.values():
        if entry.base_url is None:
            assert entry.prices is not None
            assert entry.prices.output == entry.prices.input == 0
        else:
            assert entry.prices is None or entry.prices.output >= entry.prices.input > 0
        assert entry.served or entry.scripted or entry.base_url


@pytest.mark.parametrize("mode", ["normal", "cot"])
@pytest.mark.parametrize("question_type", list(QuestionType))
def test_bundled_prompts_have_every_type(mode: str, question_type: QuestionType) -> None:
    pack = load_registry(BUNDLED).packs[mode]
    prompt = render(Question("q", question_type, "  WHAT?\n"), pack)
    assert pack.name == BUNDLED_PACK
    assert "\nWHAT?" in prompt
    assert prompt == prompt.strip()
    assert "{{" not in prompt
    assert ("\\boxed{" in prompt) == (question_type is not QuestionType.OPEN)


def test_modes_ask_in_different_words() -> None:
    packs = load_registry(BUNDLED).packs
    assert packs["normal"].by_type != packs["cot"].by_type


@pytest.mark.parametrize("year", range(2016, 2024))
def test_marks_of_the_jee_exams(year: int) -> None:
    benchmark = load_registry(BUNDLED).benchmark("jeebench")
    exam = f"JEE Adv {year} Paper 1"
    schemes = {each: scheme_for(benchmark, exam, each) for each in QuestionType}
    assert schemes[QuestionType.MCQ] == MarkingScheme(3, -1)
    assert schemes[QuestionType.MCQ_MULTIPLE] == MarkingScheme(4, -2, 0, 1)
    assert schemes[QuestionType.INTEGER] == MarkingScheme(4)
    assert schemes[QuestionType.NUMERIC] == MarkingScheme(3)


def test_a_benchmark_without_block_has_no_negative_marks() -> None:
    benchmark = load_registry(BUNDLED).benchmark("somebody's own")
    assert {scheme_for(benchmark, None, each) for each in QuestionType} == {MarkingScheme(1)}


def test_a_user_adds_and_replaces_blocks(tmp_path: Path) -> None:
    registry = _load(
        tmp_path,
        {
            "models.toml": OTHER_MODEL + OTHER_MODEL.replace("other", "gpt-4o"),
            "prompt_modes.toml": '[terse]\ntemplate = "terse.md"\n[again]\ntemplate = "cot.md"\n',
            "benchmarks.toml": '[sample]\n[[sample.marks]]\n"MCQ" = { correct = 9 }\n',
            "prompts/terse.md": "{{question}}\r\n{{instruction}}",
        },
    )
    assert registry.models["other"].base_url == "http://localhost:1/v1"
    assert registry.models["gpt-4o"].prices is None
    assert "smollm2" in registry.models
    assert registry.packs["terse"].name == registry.packs["again"].name == USER_PACK
    assert registry.packs["terse"].by_type[QuestionType.MCQ].suffix.startswith("\nExactly one")
    sample = registry.benchmark("sample")
    assert scheme_for(sample, "any", QuestionType.MCQ) == MarkingScheme(9)
    assert scheme_for(sample, "any", QuestionType.NUMERIC) == MarkingScheme(1)
    assert registry.notices == (
        f"models.toml of {tmp_path}: [gpt-4o] replaces the bundled block of that name",
        f"benchmarks.toml of {tmp_path}: [sample] replaces the bundled block of that name",
    )


def test_a_user_template_does_not_change_a_bundled_mode(tmp_path: Path) -> None:
    registry = _load(
        tmp_path,
        {
            "prompt_modes.toml": '[mine]\ntemplate = "cot.md"\n',
            "prompts/cot.md": "{{question}} MINE {{instruction}}",
        },
    )
    assert "MINE" in registry.packs["mine"].by_type[QuestionType.MCQ].suffix
    assert registry.packs["cot"] == load_registry(BUNDLED).packs["cot"]


def test_a_user_has_instructions_of_their_own(tmp_path: Path) -> None:
    registry = _load(
        tmp_path,
        {
            "prompt_modes.toml": '[mine]\ntemplate = "normal.md"\ninstructions = "short.toml"\n',
            "prompts/short.toml": '[instructions]\nMCQ = "Pick one."\n',
        },
    )
    pack = registry.packs["mine"]
    assert set(pack.by_type) == {QuestionType.MCQ}
    assert pack.by_type[QuestionType.MCQ].prefix.startswith("Pick one.\n")


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("models.toml", "[a\n", "no TOML: .*line 1"),
        ("models.toml", "[a]\n[a]\n", "no TOML: .*line 2"),
        ("models.toml", "a = " + "[" * 5000, "no TOML: nested too deeply"),
        ("models.toml", "a = " + "9" * 5000, "no TOML: "),
        ("models.toml", b"a = '\xff'", "byte 5 is no UTF-8"),
        ("models.toml", "", "the file is empty"),
        ("models.toml", "[a]\nbase_ulr = 'http://h'", "did you mean 'base_url'"),
        ("model.toml", OTHER_MODEL, "no file of a registry; did you mean 'models.toml'"),
        ("pyproject.toml", "", "no file of a registry; known: models.toml"),
        ("prompt_modes.toml", "[m]\ntemplate = 'normall.md'", "did you mean 'normal.md'"),
        ("prompt_modes.toml", "[m]\ntemplate = 'zzz.md'", "put it into "),
        ("prompt_modes.toml", "[m]\ntemplate='cot.md'\ninstructions='z.toml'", "no file 'z.toml'"),
    ],
)
def test_faults_name_the_file(
    tmp_path: Path, file: str, content: str | bytes, message: str
) -> None:
    with pytest.raises(BadInput, match=message) as refusal:
        _load(tmp_path, {file: content})
    assert str(refusal.value).startswith(f"{tmp_path / file}: ")
    assert "\n" not in str(refusal.value)


def test_a_template_without_marker_names_the_template(tmp_path: Path) -> None:
    files = {"prompt_modes.toml": "[m]\ntemplate = 'm.md'", "prompts/m.md": "{{question}}"}
    with pytest.raises(BadInput, match=r"prompts/m\.md: \{\{instruction\}\} stands there 0 times"):
        _load(tmp_path, dict(files))


def test_a_file_that_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "models.toml").mkdir()
    with pytest.raises(BadInput, match=r"models\.toml: is a folder"):
        load_registry(BUNDLED, tmp_path)


def test_a_registry_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="PROCTOR_REGISTRY"):
        load_registry(BUNDLED, tmp_path / "absent")


def test_an_empty_registry_folder_changes_nothing(tmp_path: Path) -> None:
    assert load_registry(BUNDLED, tmp_path) == load_registry(BUNDLED)
