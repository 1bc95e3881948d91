"""What `proctor models list` and `proctor models serve` do."""

import json
import signal
import subprocess
import sys
import urllib.request

import pytest

from tasks.core.errors import UnknownName
from tasks.io.registry import load_registry
from tasks.io.settings import DATA, ROOT
from tasks.models import list_models, serve_model

SERVE = """
from tasks.io.registry import load_registry
from tasks.io.settings import DATA
from tasks.models import serve_model
serve_model(load_registry(DATA / "registry"), "scripted-40", say=lambda url: print(url, flush=True))
"""


def test_every_model_is_a_row_of_json() -> None:
    registry = load_registry(DATA / "registry")
    rows = json.loads(json.dumps(list_models(registry)))
    assert [row["model"] for row in rows] == list(registry.models)
    by_name = {row["model"]: row for row in rows}
    assert by_name["smollm2"]["place"] == "served by Proctor"
    assert by_name["smollm2"]["endpoint"].startswith("sha256:")
    assert by_name["scripted-70"]["place"] == "scripted contestant"
    assert by_name["gpt-4o"]["prices_as_of"] == "2025-04-16"
    assert by_name["vllm"]["input_price"] is None


def test_an_unknown_model_is_not_served() -> None:
    with pytest.raises(UnknownName, match="did you mean 'smollm2'"):
        serve_model(load_registry(DATA / "registry"), "smolm2")


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_serving_lasts_until_it_is_told_to_stop(stop: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SERVE], stdout=subprocess.PIPE, cwd=ROOT, text=True
    ) as process:
        assert process.stdout is not None
        base_url = process.stdout.readline().strip()
        with urllib.request.urlopen(f"{base_url}/models") as response:
            assert json.load(response)["data"][0]["id"] == "scripted-40"
        process.send_signal(stop)
        try:
            assert process.wait(timeout=60) == 0
        finally:
            process.kill()
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(f"{base_url}/models")
