"""Fixtures that every test may use."""

import atexit
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.model_server import ModelServer, Script, always_b

# Prefect reads these when it is imported, which is before any fixture runs.
_PREFECT_HOME = tempfile.mkdtemp(prefix="proctor-prefect-")
atexit.register(shutil.rmtree, _PREFECT_HOME, ignore_errors=True)
os.environ |= {
    "PREFECT_HOME": _PREFECT_HOME,
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_CLI_PROMPT": "false",
    "DO_NOT_TRACK": "1",
}
# A shell starts background jobs with Ctrl-C ignored, and so would every process that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)
for name in ("PREFECT_API_URL", "PREFECT_PROFILE", "PROCTOR_DB", "PROCTOR_REGISTRY"):
    os.environ.pop(name, None)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of public data with known right values; tests that need it skip without it."""
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("PROCTOR_SHARED_DATA", default))
    if not folder.is_dir():
        pytest.skip(f"shared data not found at {folder}; set PROCTOR_SHARED_DATA to read it")
    return folder


@pytest.fixture(scope="session")
def prefect_server() -> Iterator[str]:
    """A Prefect server of the tests' own, started once; its API address, for child processes."""
    from prefect.settings import PREFECT_API_URL
    from prefect.testing.utilities import prefect_test_harness

    with prefect_test_harness(server_startup_timeout=120):
        address = PREFECT_API_URL.value()
        assert address is not None
        yield address


@pytest.fixture
def model_server() -> Iterator[Callable[..., ModelServer]]:
    """Start a scripted model endpoint: `model_server(script)`; it ends with the test."""
    with ExitStack() as running:

        def start(script: Script = always_b) -> ModelServer:
            return running.enter_context(ModelServer(script))

        yield start


@pytest.fixture(scope="session")
def chromium() -> str:
    for name in ("chromium", "chromium-browser", "google-chrome", "chrome"):
        if (path := shutil.which(name)) is not None:
            return path
    pytest.skip("no chromium on PATH: the page was not opened in a browser")


@pytest.fixture(scope="session")
def chromedriver() -> str:
    if (path := shutil.which("chromedriver")) is not None:
        return path
    pytest.skip("no chromedriver on PATH: nobody used the page")


@pytest.fixture
def profile(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "profile"
    shutil.rmtree(tmp_path / "profile", ignore_errors=True)
