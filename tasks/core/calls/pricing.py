"""What calls cost, in US dollars, at the prices of the registry (US dollars per million tokens)."""

from tasks.core.registry.entries import Prices
from tasks.core.types import Usage

MILLION = 1_000_000
TEMPLATE_TOKENS = 100


def cost_usd(usage: Usage, prices: Prices | None) -> float | None:
    """Price of one request. None where the price or the token counts are not known.

    Cached input tokens are part of the input tokens and billed at their own price, where there is
    one. Reasoning tokens are part of the output tokens.
    """
    if prices is None or usage.input_tokens is None or usage.output_tokens is None:
        return None
    cached = usage.cached_input_tokens or 0
    cached_price = prices.input if prices.cached_input is None else prices.cached_input
    return (
        (usage.input_tokens - cached) * prices.input
        + cached * cached_price
        + usage.output_tokens * prices.output
    ) / MILLION


def highest_cost_usd(
    n_bytes: int, max_tokens: int, n_samples: int, prices: Prices | None
) -> float | None:
    """An upper bound of what a request can cost before it is sent: a token has at least one byte
    of the prompt's UTF-8, a chat template adds at most `TEMPLATE_TOKENS`, and an answer has at most
    `max_tokens` tokens."""
    if prices is None:
        return None
    n_input = n_bytes + TEMPLATE_TOKENS
    return (n_input * prices.input + n_samples * max_tokens * prices.output) / MILLION


def likely_cost_usd(
    n_characters: int, max_tokens: int, n_samples: int, prices: Prices | None
) -> float | None:
    """A plain guess for a dry run: four characters a token, answers half as long as they may be."""
    if prices is None:
        return None
    return (n_characters / 4 * prices.input + n_samples * max_tokens / 2 * prices.output) / MILLION
