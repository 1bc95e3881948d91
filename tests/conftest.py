"""Fixtures that every test may use."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of public data with known right values; tests that need it skip without it."""
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("PROCTOR_SHARED_DATA", default))
    if not folder.is_dir():
        pytest.skip(f"shared data not found at {folder}; set PROCTOR_SHARED_DATA to read it")
    return folder
