"""What the pages say holds: commands are known, SQL runs, links and file names lead somewhere."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from flows.cli import app
from tasks.io.database import Database
from tasks.io.settings import ROOT

README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
FILE_CONTENT = re.compile(r"(?<=<<'END'\n).*?\nEND\n", re.DOTALL)


def _commands(block: str) -> Iterator[list[str]]:
    """The words of each command; comments and the contents of files are left out."""
    waiting = ""
    for line in FILE_CONTENT.sub("", block).replace("\\\n", " ").splitlines(keepends=True):
        waiting += line
        try:
            words = shlex.split(waiting, comments=True)
        except ValueError:  # a quotation goes on in the next line
            continue
        waiting = ""
        if words:
            yield words
    assert not waiting


COMMANDS = [words for block in BLOCKS for words in _commands(block)]
OF_PROCTOR = [words[1:] for words in COMMANDS if words[0] == "proctor"]
STATEMENTS = [words[1] for words in OF_PROCTOR if words[0] == "sql"]


@pytest.mark.parametrize("arguments", OF_PROCTOR, ids=" ".join)
def test_commands_of_proctor_are_known(arguments: list[str]) -> None:
    app.parse_args(arguments, exit_on_error=False, print_error=False)


def test_other_commands_are_few() -> None:
    others = {words[0] for words in COMMANDS} - {"proctor"}
    assert others == {"make", ".", "cat", "mkdir", "export", "prefect"}


def test_statements_run(tmp_path: Path) -> None:
    database = Database(tmp_path / "empty.duckdb")
    with database.open():
        pass
    database.publish()
    with database.read() as store:
        assert len(STATEMENTS) >= 5
        for statement in STATEMENTS:
            assert store.select(statement).is_empty()


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_somewhere(page: str) -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", (ROOT / page).read_text())
    inside = [target.partition("#")[0] for target in targets if "://" not in target]
    assert [target for target in inside if target and not (ROOT / target).exists()] == []


def test_contributing_names_files_that_are_there() -> None:
    named = re.findall(
        r"`([\w./*-]+\.(?:py|sql|toml|md|yaml|txt))`", (ROOT / "CONTRIBUTING.md").read_text()
    )
    places = [
        ROOT,
        ROOT / "flows",
        ROOT / "tasks",
        ROOT / "tests",
        ROOT / "sql",
        ROOT / "data/registry",
    ]
    missing = [name for name in named if not any(any(place.glob(name)) for place in places)]
    assert missing == []
