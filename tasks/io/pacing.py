"""How fast one model is asked: its limits per minute, and the pauses that its server asks for.

All of it lives inside one event loop and holds for one model: a paused model delays no other.
"""

import asyncio
import random

_LONGEST_SPREAD_S = 5.0


class Allowance:
    """A token bucket: `per_minute` units flow in evenly, at most `burst_s` seconds' worth wait.

    Takers are served in order of arrival. With a burst of zero seconds single units are evenly
    spaced, so that no minute holds more than `per_minute` + 1 of them.
    """

    def __init__(self, per_minute: float, burst_s: float) -> None:
        self._per_second = per_minute / 60
        self._capacity = max(1.0, self._per_second * burst_s)
        self._level = self._capacity
        self._filled_at: float | None = None
        self._turn = asyncio.Lock()

    async def take(self, amount: float) -> None:
        """Wait until `amount` may be used, and use it.

        What is more than a full bucket goes when the bucket is full, and is paid off after.
        """
        async with self._turn:
            self._fill()
            while (missing := min(amount, self._capacity) - self._level) > 1e-9:
                await asyncio.sleep(missing / self._per_second)
                self._fill()
            self._level -= amount

    def give_back(self, amount: float) -> None:
        """Return what was taken and not used; negative: what was used beyond that."""
        self._level = min(self._capacity, self._level + amount)

    def _fill(self) -> None:
        now = asyncio.get_running_loop().time()
        if self._filled_at is not None:
            flowed_in = (now - self._filled_at) * self._per_second
            self._level = min(self._capacity, self._level + flowed_in)
        self._filled_at = now


class Gate:
    """Shut while the server wants to be left alone; all calls of the model wait at it."""

    def __init__(self) -> None:
        self._opens_at = 0.0
        self._spread_s = 0.0

    def shut(self, seconds: float) -> bool:
        """Shut for so long from now. False: it is shut for longer already."""
        opens_at = asyncio.get_running_loop().time() + seconds
        if opens_at <= self._opens_at:
            return False
        self._opens_at = opens_at
        self._spread_s = min(_LONGEST_SPREAD_S, seconds / 10)
        return True

    async def passed(self) -> None:
        """Return when the gate is open, and not all calls at the same moment."""
        loop = asyncio.get_running_loop()
        while (seconds := self._opens_at - loop.time()) > 0:
            await asyncio.sleep(seconds + random.uniform(0, self._spread_s))
