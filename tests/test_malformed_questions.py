"""Every malformed input is refused by its reader in one clear line that names the file."""

import os
from pathlib import Path

import pytest

from tasks.core.errors import BadInput
from tasks.core.key_files import parse_keys
from tasks.core.question_files import parse_questions
from tasks.core.response_files import parse_responses
from tasks.io.files import read_file
from tests.malformed_inputs import MALFORMED, MCQ, MalformedInput

READERS = {"questions": parse_questions, "keys": parse_keys, "responses": parse_responses}


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
