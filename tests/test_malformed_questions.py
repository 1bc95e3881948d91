"""Every malformed input is refused by its reader in one clear line that names the file."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tasks.core.errors import BadInput
from tasks.core.files.keys import parse_keys
from tasks.core.files.questions import parse_questions
from tasks.core.files.responses import parse_responses
from tasks.io.database import Database
from tasks.io.files import read_file
from tasks.questions import import_keys, import_questions
from tasks.responses import import_responses
from tests.malformed_inputs import INTEGER, MALFORMED, MCQ, MalformedInput

READERS = {"questions": parse_questions, "keys": parse_keys, "responses": parse_responses}
IMPORTS: dict[str, Callable[[Database, Path], object]] = {
    "questions": lambda database, path: import_questions(database, path, "own"),
    "keys": lambda database, path: import_keys(database, path, "own"),
    "responses": lambda database, path: import_responses(database, path, "own", "m", "normal"),
}


def test_there_are_at_least_sixty_and_their_names_are_distinct() -> None:
    assert len(MALFORMED) >= 60
    assert len({case.name for case in MALFORMED}) == len(MALFORMED)


@pytest.mark.parametrize("case", MALFORMED, ids=lambda case: case.name)
def test_it_is_refused_in_one_line(case: MalformedInput, tmp_path: Path) -> None:
    path = case.write(tmp_path)
    with pytest.raises(BadInput) as refusal:
        READERS[case.reader](read_file(path), str(path))
    message = str(refusal.value)
    assert [word for word in case.words if word not in message] == []
    assert "\n" not in message
    assert len(message) < 400 + len(str(path))
    assert message.startswith(str(path))


def test_a_file_without_permission_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret.json"
    path.write_text(f"[{MCQ}]")
    path.chmod(0)
    if os.geteuid() == 0:
        os.seteuid(65534)
    try:
        with pytest.raises(BadInput, match="Permission denied"):
            read_file(path)
    finally:
        if os.getuid() == 0:
            os.seteuid(0)


def test_no_malformed_input_touches_the_database(tmp_path: Path) -> None:
    database = Database(tmp_path / "test.duckdb")
    questions = tmp_path / "good.json"
    questions.write_text(json.dumps([MCQ, INTEGER]))
    import_questions(database, questions, "own")
    before = database.path.read_bytes()
    for number, case in enumerate(MALFORMED):
        folder = tmp_path / str(number)
        folder.mkdir()
        with pytest.raises(BadInput):
            IMPORTS[case.reader](database, case.write(folder))
    assert database.path.read_bytes() == before
