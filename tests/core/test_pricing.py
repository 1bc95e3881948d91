"""Prices of calls, in US dollars."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.core.calls.pricing import TEMPLATE_TOKENS, cost_usd, highest_cost_usd, likely_cost_usd
from tasks.core.registry.entries import Prices
from tasks.core.types import Usage

PRICES = Prices(input=2.5, output=10.0, cached_input=1.25, as_of=date(2026, 1, 1))
COUNTS = st.integers(0, 100_000)


def test_a_call_costs_its_tokens() -> None:
    usage = Usage(input_tokens=1_000_000, output_tokens=100_000, reasoning_tokens=90_000)
    assert cost_usd(usage, PRICES) == pytest.approx(3.5)


def test_cached_input_has_its_own_price() -> None:
    usage = Usage(input_tokens=1_000_000, cached_input_tokens=600_000, output_tokens=0)
    assert cost_usd(usage, PRICES) == pytest.approx(0.4 * 2.5 + 0.6 * 1.25)
    alike = Prices(input=2.5, output=10.0, as_of=date(2026, 1, 1))
    assert cost_usd(usage, alike) == pytest.approx(2.5)


@pytest.mark.parametrize("usage", [Usage(), Usage(input_tokens=5), Usage(output_tokens=5)])
def test_unknown_tokens_have_no_price(usage: Usage) -> None:
    assert cost_usd(usage, PRICES) is None


def test_unknown_prices() -> None:
    assert cost_usd(Usage(input_tokens=1, output_tokens=1), None) is None
    assert highest_cost_usd(1, 1, 1, None) is None
    assert likely_cost_usd(1, 1, 1, None) is None


@given(n_bytes=COUNTS, max_tokens=COUNTS, n_samples=st.integers(1, 32), share=st.floats(0, 1))
def test_no_call_costs_more_than_its_bound(
    n_bytes: int, max_tokens: int, n_samples: int, share: float
) -> None:
    usage = Usage(
        input_tokens=int(share * n_bytes) + TEMPLATE_TOKENS,
        output_tokens=int(share * max_tokens) * n_samples,
    )
    cost = cost_usd(usage, PRICES)
    highest = highest_cost_usd(n_bytes, max_tokens, n_samples, PRICES)
    assert cost is not None
    assert highest is not None
    assert cost <= highest + 1e-9
