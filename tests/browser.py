"""A real browser without a network."""

import subprocess
from pathlib import Path


def opened(chromium: str, profile: Path, address: str) -> tuple[str, list[str]]:
    """The page as it stands after its scripts ran without any network, and its console lines."""
    command = [
        chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={profile}",
        "--enable-logging=stderr", "--virtual-time-budget=20000", "--dump-dom", address,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]
