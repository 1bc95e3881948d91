"""A real browser without a network: a page as it stands, or used as a person would."""

import contextlib
import json
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

OFFLINE = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)  # fmt: skip
KEYS = {"Escape": "\ue00c", "Enter": "\ue007"}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def opened(chromium: str, profile: Path, address: str) -> tuple[str, list[str]]:
    """The page as it stands after its scripts ran without any network, and its console lines."""
    command = [
        chromium, *OFFLINE, f"--user-data-dir={profile}",
        "--enable-logging=stderr", "--virtual-time-budget=20000", "--dump-dom", address,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


class Page:
    """An open page of a browser that is driven over the W3C WebDriver protocol."""

    def __init__(self, session: str) -> None:
        self._session = session

    def open(self, address: str) -> None:
        """Load a page, and wait until it is loaded."""
        self._call("url", {"url": address})

    def run(self, script: str) -> Any:
        """What a function body returns in the page."""
        return self._call("execute/sync", {"script": script, "args": []})

    def press(self, *keys: str) -> None:
        """Press keys one after another, wherever the focus is: characters, or names of `KEYS`."""
        actions = [
            {"type": kind, "value": KEYS.get(key, key)}
            for key in keys
            for kind in ("keyDown", "keyUp")
        ]
        self._call("actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def click(self, selector: str) -> None:
        """Click the first element of a CSS selector."""
        found = self._call("element", {"using": "css selector", "value": selector})
        self._call(f"element/{found[ELEMENT]}/click", {})

    def _call(self, command: str, body: dict[str, Any]) -> Any:
        return _post(f"{self._session}/{command}", body)


@contextlib.contextmanager
def driven(chromedriver: str, chromium: str, profile: Path, downloads: Path) -> Iterator[Page]:
    """A browser that a test can use; what the page saves arrives in `downloads`."""
    command = [chromedriver, "--port=0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as driver:
        try:
            assert driver.stdout is not None
            started = next(line for line in driver.stdout if "successfully on port" in line)
            port = started.rstrip(".\n").rpartition(" ")[2]
            server = f"http://127.0.0.1:{port}/session"
            options = {
                "binary": chromium,
                "args": [*OFFLINE, f"--user-data-dir={profile}", "--window-size=1100,1300"],
                "prefs": {"download.default_directory": str(downloads)},
            }
            wanted = {"browserName": "chrome", "goog:chromeOptions": options}
            opened = _post(server, {"capabilities": {"alwaysMatch": wanted}})
            session = f"{server}/{opened['sessionId']}"
            try:
                yield Page(session)
            finally:  # ends the browser too, which outlives its driver
                end = urllib.request.Request(session, method="DELETE")
                urllib.request.urlopen(end, timeout=60).close()
        finally:
            driver.terminate()


def _post(address: str, body: dict[str, Any]) -> Any:
    request = urllib.request.Request(address, json.dumps(body).encode(), method="POST")
    with urllib.request.urlopen(request, timeout=60) as reply:
        return json.load(reply)["value"]
