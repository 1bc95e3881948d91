"""What every checkout must keep: its top level, its pins, and that it runs anywhere."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TOP_LEVEL = {
    *("flows", "tasks", "sql", "data", "tests", "pyproject.toml", "prefect.yaml"),
    *("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "Makefile", "constraints.txt"),
}
MAX_MODULE_LINES = 400


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listed.stdout.decode().split("\0") if name]


def requirements() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project.get("optional-dependencies", {}).values()
    return [*project["dependencies"], *(name for extra in extras for name in extra)]


def names_of(requirements: Iterable[str]) -> set[str]:
    return {re.split(r"[^A-Za-z0-9._-]", requirement)[0] for requirement in requirements}


def imported_libraries(path: Path) -> set[str]:
    """Top-level names of third parties that a module imports."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    names = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    names |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    return {name.split(".")[0] for name in names} - sys.stdlib_module_names - {"flows", "tasks"}


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    return dict(line.split("==") for line in lines if not line.startswith("#"))


def test_top_level_is_fixed() -> None:
    top = {path.relative_to(ROOT).parts[0] for path in tracked()}
    assert {name for name in top if not name.startswith(".")} <= TOP_LEVEL


def test_constraints_are_plain_pins_in_order() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    listed = [line for line in lines if not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.!+]+", line) for line in listed)
    assert [name.lower() for name in pins()] == sorted(name.lower() for name in pins())
    assert len(pins()) == len(listed)


def test_every_dependency_is_pinned() -> None:
    names = names_of(requirements())
    assert {normalised(name) for name in names} <= {normalised(name) for name in pins()}


def test_what_is_imported_is_declared() -> None:
    """`make demo` installs without the extra `dev`, so nothing may lean on it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = {normalised(name) for name in names_of(project["dependencies"])}
    distributions = packages_distributions()
    undeclared = {
        f"{path.relative_to(ROOT)}: {library}"
        for folder in ("flows", "tasks")
        for path in (ROOT / folder).rglob("*.py")
        for library in imported_libraries(path)
        if not declared & {normalised(name) for name in distributions.get(library, [])}
    }
    assert undeclared == set()


def test_files_name_no_place_of_one_machine() -> None:
    """No download address of packages, no home folder, no path outside the repository."""
    forbidden = re.compile(
        r"(?:index-url|find-links)\s*=?\s*\S+|https?://[^/\s]*(?:python[h]osted|pyp[i])[^/\s]*"
        r"|/(?:home|Users|root|work)/\w+|file://"
    )
    here = Path(__file__)
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in tracked()
        if path != here and path.is_file()
        for match in forbidden.finditer(path.read_bytes().decode(errors="replace"))
    ]
    assert not found


def test_modules_stay_small() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text().splitlines())
        for folder in ("flows", "tasks")
        for path in (ROOT / folder).rglob("*.py")
    }
    assert {name: n for name, n in lengths.items() if n > MAX_MODULE_LINES} == {}


needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


@needs_make
@pytest.mark.parametrize("target", ["demo", "test", "acceptance", "lint", "constraints", "clean"])
def test_make_knows_its_targets(target: str) -> None:
    done = subprocess.run(
        ["make", "--dry-run", "--always-make", target], cwd=ROOT, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()


@needs_make
def test_python_that_is_too_old_is_named(tmp_path: Path) -> None:
    old = tmp_path / "python-old"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.9.2"\nexit 1\n')
    old.chmod(0o755)
    (tmp_path / "Makefile").write_bytes((ROOT / "Makefile").read_bytes())
    for name in ("pyproject.toml", "constraints.txt"):
        (tmp_path / name).touch()
    done = subprocess.run(
        ["make", "demo", f"PYTHON={old}"], cwd=tmp_path, capture_output=True, check=False, text=True
    )
    assert done.returncode != 0
    assert "needs Python 3.11 or newer" in done.stderr
    assert "Python 3.9.2" in done.stderr
    assert not (tmp_path / ".venv").exists()


def test_ci_script_is_executable() -> None:
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111
