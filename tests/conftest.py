"""Fixtures that every test may use."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.model_server import ModelServer, Script, always_b


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of public data with known right values; tests that need it skip without it."""
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("PROCTOR_SHARED_DATA", default))
    if not folder.is_dir():
        pytest.skip(f"shared data not found at {folder}; set PROCTOR_SHARED_DATA to read it")
    return folder


@pytest.fixture
def model_server() -> Iterator[Callable[..., ModelServer]]:
    """Start a scripted model endpoint: `model_server(script)`; it ends with the test."""
    with ExitStack() as running:

        def start(script: Script = always_b) -> ModelServer:
            return running.enter_context(ModelServer(script))

        yield start
