"""A bound on what a run may spend that holds while many calls are in flight."""

import asyncio

from tasks.core.errors import StoppedEarly


class Budget:
    """Money in US dollars inside one event loop. `limit` None: no bound, but still counted.

    Before a call its highest possible cost is reserved; when the call ends, its real cost takes
    the place of the reservation. So the limit is never exceeded, as long as no call costs more
    than was reserved for it.
    """

    def __init__(self, limit: float | None) -> None:
        self._limit = limit
        self.spent = 0.0
        self._reserved = 0.0
        self._n_reservations = 0
        self._settled = asyncio.Condition()

    @property
    def is_bounded(self) -> bool:
        """Whether there is a limit at all."""
        return self._limit is not None

    async def reserve(self, highest: float) -> None:
        """Wait until `highest` fits beside what is spent and reserved. Raises StoppedEarly where it
        never can."""
        if self._limit is None:
            return
        async with self._settled:
            while self.spent + self._reserved + highest > self._limit:
                if self._n_reservations == 0:
                    raise StoppedEarly(
                        f"the budget of ${self._limit:g} is used up: ${self.spent:.4f} spent and "
                        f"the next call may cost ${highest:.4f}; everything so far is kept, run "
                        "the same command with a higher --budget to go on"
                    )
                await self._settled.wait()
            self._reserved += highest
            self._n_reservations += 1

    async def settle(self, highest: float, cost: float | None) -> None:
        """Give back a reservation of `highest` and count the real cost; None: it is not known and
        counted as the highest."""
        self.spent += highest if cost is None else cost
        if self._limit is None:
            return
        async with self._settled:
            self._reserved -= highest
            self._n_reservations -= 1
            self._settled.notify_all()
