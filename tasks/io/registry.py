"""The only reader of the registry's files and of the prompt templates.

| file | one block is |
| --- | --- |
| `models.toml` | a model |
| `prompt_modes.toml` | a way to ask, in the words of a template and its instructions by type |
| `benchmarks.toml` | a benchmark's title and marks |

The bundled files are in `data/registry/`, their templates in `data/prompts/`. A user's folder has
the same files, all optional, and its templates in `prompts/` inside it. A user's block replaces
the bundled block of that name as a whole, and `Registry.notices` says so. Templates of the user's
modes are looked for in the user's folder, then among the bundled ones; bundled modes never change.
"""

import difflib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tasks.core.errors import BadInput
from tasks.core.prompts.rendering import PromptPack, parse_pack
from tasks.core.registry.entries import BenchmarkEntry, ModelEntry, PromptMode, Registry
from tasks.core.registry.parsing import (
    parse_benchmarks,
    parse_instructions,
    parse_models,
    parse_modes,
    with_default_marks,
)
from tasks.io.files import read_file

MODELS_FILE = "models.toml"
MODES_FILE = "prompt_modes.toml"
BENCHMARKS_FILE = "benchmarks.toml"
BUNDLED_PACK = "proctor"
USER_PACK = "user"

_FILES = (MODELS_FILE, MODES_FILE, BENCHMARKS_FILE)
READING_FILE = "reading.md"
_PROMPTS = "prompts"
_MAX_BYTES = 4 * 1024**2


class _Part(NamedTuple):
    """What one folder defines, by name."""

    models: dict[str, ModelEntry]
    modes: dict[str, PromptMode]
    benchmarks: dict[str, BenchmarkEntry]
    packs: dict[str, PromptPack]


def load_registry(folder: Path, user_folder: Path | None = None) -> Registry:
    """Read the bundled registry (templates in `folder/../prompts`) and a user's beside it.

    Raises BadInput on any fault in any file, the user's or ours, before anything is used.
    """
    prompts = folder.parent / _PROMPTS
    bundled = _read_part(folder, (prompts,), BUNDLED_PACK)
    folders: tuple[Path, ...] = (prompts,)
    if user_folder is None:
        user = _Part({}, {}, {}, {})
    else:
        _refuse_strange_files(user_folder)
        folders = (user_folder / _PROMPTS, prompts)
        user = _read_part(user_folder, folders, USER_PACK)
    notices = [
        f"{file} of {user_folder}: [{name}] replaces the bundled block of that name"
        for file, ours, theirs in (
            (MODELS_FILE, bundled.models.keys(), user.models),
            (MODES_FILE, bundled.modes.keys(), user.modes),
            (BENCHMARKS_FILE, bundled.benchmarks.keys(), user.benchmarks),
        )
        for name in theirs
        if name in ours
    ]
    return Registry(
        models=bundled.models | user.models,
        modes=bundled.modes | user.modes,
        benchmarks=with_default_marks(bundled.benchmarks | user.benchmarks),
        packs=bundled.packs | user.packs,
        reading_template=_read_text(_find_prompt_file(READING_FILE, "registry", folders)),
        notices=tuple(notices),
    )


def _read_part(folder: Path, prompts: tuple[Path, ...], pack_name: str) -> _Part:
    modes_file = folder / MODES_FILE
    modes = parse_modes(_read_tables(modes_file), str(modes_file))
    return _Part(
        models=parse_models(_read_tables(folder / MODELS_FILE), str(folder / MODELS_FILE)),
        modes=modes,
        benchmarks=parse_benchmarks(
            _read_tables(folder / BENCHMARKS_FILE), str(folder / BENCHMARKS_FILE)
        ),
        packs={
            name: _read_pack(mode, modes_file, prompts, pack_name) for name, mode in modes.items()
        },
    )


def _read_pack(
    mode: PromptMode, modes_file: Path, folders: tuple[Path, ...], pack_name: str
) -> PromptPack:
    place = f"{modes_file}: [{mode.name}]"
    template = _find_prompt_file(mode.template, f"{place} template", folders)
    instructions = _find_prompt_file(mode.instructions, f"{place} instructions", folders)
    return parse_pack(
        pack_name,
        mode.name,
        mode.whitespace,
        _read_text(template),
        parse_instructions(_read_tables(instructions), str(instructions)),
        str(template),
    )


def _find_prompt_file(name: str, place: str, folders: tuple[Path, ...]) -> Path:
    for folder in folders:
        if (folder / name).exists():
            return folder / name
    there = sorted(
        {path.name for folder in folders for path in folder.glob(f"*{Path(name).suffix}")}
    )
    nearest = difflib.get_close_matches(name, there, n=1)
    mend = f"did you mean {nearest[0]!r}?" if nearest else f"put it into {folders[0]}"
    raise BadInput(f"{place}: there is no file {name!r}; {mend}")


def _refuse_strange_files(folder: Path) -> None:
    """A misspelled file name must not be a registry without effect."""
    if not folder.is_dir():
        raise BadInput(f"{folder}: the registry folder (PROCTOR_REGISTRY) is no folder")
    for path in sorted(folder.glob("*.toml")):
        if path.name not in _FILES:
            nearest = difflib.get_close_matches(path.name, _FILES, n=1)
            mend = f"did you mean {nearest[0]!r}?" if nearest else f"known: {', '.join(_FILES)}"
            raise BadInput(f"{path}: no file of a registry; {mend}")


def _read_tables(path: Path) -> Mapping[str, Any]:
    """Read the tables of a TOML file; none where there is no such file."""
    if not path.exists() and not path.is_symlink():
        return {}
    try:
        return tomllib.loads(_read_text(path))
    except RecursionError:
        raise BadInput(f"{path}: no TOML: nested too deeply") from None
    except ValueError as error:
        raise BadInput(f"{path}: no TOML: {' '.join(str(error).split())}") from None


def _read_text(path: Path) -> str:
    content = read_file(path, max_bytes=_MAX_BYTES)
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: byte {error.start} is no UTF-8; save the file as UTF-8") from None
