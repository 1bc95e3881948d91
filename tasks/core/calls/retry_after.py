"""How long a server asks to be left alone, read from the headers of its response.

`retry-after-ms` (milliseconds) goes before `retry-after` (seconds, fractions allowed, or an HTTP
date, RFC 9110 §10.2.3). A date is measured against the response's own `Date` header, because the
local clock may be wrong; only a response without one is measured against the local clock.
"""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def seconds_to_wait(headers: Mapping[str, str], *, received_at: datetime) -> float | None:
    """Seconds from now, 0 for a moment that has passed; None: no such header, or not readable.

    `headers` must find names whatever their case or hold them in lower case. `received_at` is
    the local, zone-aware time of arrival.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    seconds = _number(value)
    if seconds is not None:
        return seconds
    until = _http_date(value)
    if until is None:
        return None
    now = _http_date(headers.get("date")) or received_at
    return max(0.0, (until - now).total_seconds())


def _number(value: str | None) -> float | None:
    try:
        number = float(value) if value is not None else math.nan
    except ValueError:
        return None
    return max(0.0, number) if math.isfinite(number) else None


def _http_date(value: str | None) -> datetime | None:
    if value is None:
        return None
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
