"""Running the command line in this process."""

import contextlib
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flows.cli import main


@dataclass(frozen=True, slots=True)
class Said:
    """What a command left: exit status, stdout, stderr."""

    status: int
    out: str
    err: str

    def assert_refused(self, *words: str) -> None:
        """Exit status 2, one line on stderr that starts with `proctor: ` and has these words."""
        assert self.status == 2, self
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        assert lines[0].startswith("proctor: ")
        assert "Traceback" not in self.err
        assert self.out == ""
        assert [word for word in words if word not in self.err] == []

    @property
    def json(self) -> Any:
        """The one JSON document on stdout."""
        return json.loads(self.out)


def proctor(*arguments: str | Path) -> Said:
    """Run a command, whatever its end."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main([str(argument) for argument in arguments])
    return Said(status, out.getvalue(), err.getvalue())


def succeed(*arguments: str | Path) -> Said:
    """Run a command that must end with exit status 0."""
    said = proctor(*arguments)
    assert said.status == 0, said.err
    return said


def rows_of(database: Path, statement: str) -> list[dict[str, Any]]:
    """Rows of a statement, as `proctor sql --json` prints them."""
    rows: list[dict[str, Any]] = succeed("sql", statement, "--db", database, "--json").json
    return rows
