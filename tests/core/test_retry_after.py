from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.core.calls.retry_after import seconds_to_wait

SERVER_TIME = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
LOCAL_90_S_FAST = SERVER_TIME + timedelta(seconds=90)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": " 7 "}, 7.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "5400"}, 5400.0),
        ({}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Thu, 01 Jan 2026 00:00:00 +99999999999999"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after-ms": "x", "retry-after": "2"}, 2.0),
        ({"retry-after": "Sun, 01 Mar 2026 12:00:20 GMT", "date": "not a date"}, 0.0),
    ],
)
def test_seconds(headers: dict[str, str], seconds: float | None) -> None:
    assert seconds_to_wait(headers, received_at=LOCAL_90_S_FAST) == seconds


@pytest.mark.parametrize(
    "until",
    ["Sun, 01 Mar 2026 12:00:20 GMT", "Sunday, 01-Mar-26 12:00:20 GMT", "Sun Mar  1 12:00:20 2026"],
)
def test_a_date_is_measured_against_the_date_of_the_response(until: str) -> None:
    headers = {"retry-after": until, "date": "Sun, 01 Mar 2026 12:00:00 GMT"}
    assert seconds_to_wait(headers, received_at=LOCAL_90_S_FAST) == 20


def test_without_a_date_of_the_response_the_local_clock_must_serve() -> None:
    headers = {"retry-after": "Sun, 01 Mar 2026 12:01:50 GMT"}
    assert seconds_to_wait(headers, received_at=LOCAL_90_S_FAST) == 20


@given(
    wait=st.integers(-100_000, 100_000),
    clock_error=st.integers(-(10**6), 10**6),
)
def test_the_local_clock_never_matters_beside_a_date(wait: int, clock_error: int) -> None:
    headers = {
        "date": format_datetime(SERVER_TIME, usegmt=True),
        "retry-after": format_datetime(SERVER_TIME + timedelta(seconds=wait), usegmt=True),
    }
    local = SERVER_TIME + timedelta(seconds=clock_error)
    assert seconds_to_wait(headers, received_at=local) == max(0, wait)


@given(st.text())
def test_no_header_breaks_it(value: str) -> None:
    headers = {"retry-after": value, "retry-after-ms": value, "date": value}
    waited = seconds_to_wait(headers, received_at=SERVER_TIME)
    assert waited is None or 0 <= waited < float("inf")
