"""Appends what a full-size check measured to RESULTS.md beside this file."""

import os
import platform
from datetime import UTC, datetime
from pathlib import Path

RESULTS = Path(__file__).with_name("RESULTS.md")


def record(what: str, **figures: object) -> None:
    """One line: date, cores, check, figures."""
    shown = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in figures.items())
    where = f"{os.cpu_count()} cores, Python {platform.python_version()}"
    with RESULTS.open("a") as file:
        file.write(f"- {datetime.now(UTC):%Y-%m-%d %H:%M} · {where} · **{what}**: {shown}\n")
