"""Fixtures for tests that run the real flow."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from prefect.logging.configuration import setup_logging

from tasks.io.database import Database
from tests.exam import Exam, mcq


@pytest.fixture(scope="session")
def born_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with its schema and nothing in it; copying it is faster than making one."""
    database = Database(tmp_path_factory.mktemp("born") / "template.duckdb")
    with database.open():
        pass
    return database.path


@pytest.fixture
def exam(prefect_server: str, born_database: Path, tmp_path: Path) -> Callable[..., Exam]:
    """Make an exam of so many multiple-choice questions, or of the questions given."""
    setup_logging()  # the first flow run of a process would do it, and take pytest's handler away

    def make(questions: int | list[dict[str, Any]] = 1) -> Exam:
        made = Exam(Database(Path(shutil.copy(born_database, tmp_path / "test.duckdb"))))
        if isinstance(questions, int):
            questions = [mcq(number) for number in range(1, questions + 1)]
        made.add(questions)
        return made

    return make
