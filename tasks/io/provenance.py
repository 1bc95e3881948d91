"""Where and by what results are computed: host, process, package versions, commit."""

import importlib.metadata
import socket
import subprocess
from datetime import datetime
from functools import cache

import psutil

from tasks.io.settings import ROOT

_PACKAGES = ("proctor", "prefect", "duckdb", "polars", "openai", "numpy")


def host() -> str:
    """Name of this machine; process ids mean something only together with it."""
    return socket.gethostname()


def is_alive(process_id: int, seen_at: datetime) -> bool:
    """Whether the process of this machine that had this id at that time runs still.

    A process that started later has only been given the same id again. One that is dead but not
    yet waited for by its parent is dead.
    """
    try:
        process = psutil.Process(process_id)
        if process.status() == psutil.STATUS_ZOMBIE:
            return False
        return process.create_time() <= seen_at.timestamp() + 1
    except psutil.NoSuchProcess:
        return False


@cache
def versions() -> dict[str, str]:
    """Package → version of what computes."""
    return {package: importlib.metadata.version(package) for package in _PACKAGES}


@cache
def git_commit() -> str | None:
    """Commit of this source tree; None outside a checkout or without git."""
    command = ["git", "-C", str(ROOT), "rev-parse", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return done.stdout.strip() or None if done.returncode == 0 else None
