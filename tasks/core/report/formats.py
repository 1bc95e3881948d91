"""How values are written in a report. A value that is not known is an en dash, never 0 or blank."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

UNKNOWN = "–"


def score(value: float | None) -> str:
    """A fraction 0–1 with three decimals, as in published tables."""
    return UNKNOWN if value is None else f"{value:.3f}"


def percent(value: float | None) -> str:
    """A fraction as a percentage; a rate that is not 0 is never written as 0."""
    if value is None:
        return UNKNOWN
    return "< 0.1 %" if 0 < value < 0.001 else f"{100 * value:.1f} %"


def marks(value: float | None) -> str:
    """Exam marks: whole where they are."""
    return UNKNOWN if value is None else f"{value:.2f}".rstrip("0").rstrip(".").replace("-", "−")


def count(value: int | None) -> str:
    """A count with thin spaces between thousands."""
    return UNKNOWN if value is None else f"{value:,}".replace(",", "\u2009")


def usd(value: float | None) -> str:
    """US dollars; small amounts with enough decimals to be told apart."""
    if value is None:
        return UNKNOWN
    return f"${value:,.2f}" if value >= 1 or value == 0 else f"${value:.4f}"


def when(value: datetime | None) -> str:
    """A time in UTC to the minute."""
    return UNKNOWN if value is None else f"{value:%Y-%m-%d %H:%M}"


def contestant(row: Mapping[str, Any]) -> str:
    """Name of a line: model, mode, and the epoch where there is one."""
    parts = [row["model"], row["mode"], row["epoch"]]
    return " · ".join(part for part in parts if part)
