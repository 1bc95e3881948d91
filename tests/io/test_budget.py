"""A budget holds whatever is in flight, and nobody waits for ever."""

import asyncio
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.core.errors import StoppedEarly
from tasks.io.budget import Budget


def test_without_a_limit_costs_are_only_counted() -> None:
    async def run() -> Budget:
        budget = Budget(None)
        await budget.reserve(1e9)
        await budget.settle(1e9, 2.5)
        return budget

    budget = asyncio.run(run())
    assert not budget.is_bounded
    assert budget.spent == 2.5


def test_an_unknown_cost_counts_as_the_highest() -> None:
    async def run() -> float:
        budget = Budget(10)
        await budget.reserve(4)
        await budget.settle(4, None)
        return budget.spent

    assert asyncio.run(run()) == 4


def test_what_can_never_fit_is_refused_at_once() -> None:
    with pytest.raises(StoppedEarly, match="budget"):
        asyncio.run(Budget(1).reserve(1.5))


def test_a_waiting_call_goes_when_there_is_room_again() -> None:
    async def run() -> float:
        budget = Budget(10)
        await budget.reserve(7)
        waiting = asyncio.create_task(budget.reserve(7))
        await asyncio.sleep(0)
        assert not waiting.done()
        await budget.settle(7, 2)
        await waiting
        await budget.settle(7, 1)
        return budget.spent

    assert asyncio.run(run()) == 3


def test_all_that_wait_are_refused_when_nothing_is_in_flight() -> None:
    async def run() -> list[BaseException | None]:
        budget = Budget(10)
        await budget.reserve(8)
        waiting = [asyncio.create_task(budget.reserve(8)) for _ in range(5)]
        await asyncio.sleep(0)
        await budget.settle(8, 8)
        return list(await asyncio.gather(*waiting, return_exceptions=True))

    assert [type(error) for error in asyncio.run(run())] == [StoppedEarly] * 5


@given(
    limit=st.floats(0.1, 50),
    highest=st.lists(st.floats(0.01, 5), min_size=1, max_size=60),
    seed=st.integers(0, 2**16),
)
def test_the_limit_is_never_exceeded(limit: float, highest: list[float], seed: int) -> None:
    dice = random.Random(seed)

    async def call(budget: Budget, most: float) -> bool:
        try:
            await budget.reserve(most)
        except StoppedEarly:
            return False
        for _ in range(dice.randint(0, 3)):
            await asyncio.sleep(0)
        await budget.settle(most, most * dice.random())
        return True

    async def run() -> tuple[float, list[bool]]:
        budget = Budget(limit)
        done = await asyncio.gather(*(call(budget, most) for most in highest))
        return budget.spent, done

    spent, done = asyncio.run(run())
    assert spent <= limit * (1 + 1e-9)
    assert any(done) or min(highest) > limit
