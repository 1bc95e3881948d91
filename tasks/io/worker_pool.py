"""A fixed number of coroutines that work off jobs, shared by all shards of one model.

One coroutine per worker, not per job: thousands of waiting coroutines cost more than the calls.
Batches are worked off in the order they came, so a later one fills the gaps that the last jobs of
an earlier one leave.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Self

Job = Callable[[], Awaitable[object]]
_LEFT = "the pool was left before all jobs were done"


class WorkerPool:
    """`size` workers inside one event loop. Use as an async context manager."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._batches: deque[_Batch] = deque()
        self._wake_up = asyncio.Event()
        self._workers: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._workers = [asyncio.create_task(self._work()) for _ in range(self._size)]
        return self

    async def __aexit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)
        for batch in self._batches:
            batch.stop(RuntimeError(_LEFT))

    async def run(self, jobs: Iterable[Job]) -> None:
        """Do all jobs; returns when the last one is done. The first exception of a job stops the
        rest of this batch (jobs that run go on to their end) and is raised."""
        batch = _Batch(iter(jobs))
        self._batches.append(batch)
        self._wake_up.set()
        try:
            await batch.done.wait()
        except asyncio.CancelledError:
            batch.stop(None)
            raise
        if batch.error is not None:
            raise batch.error

    async def _work(self) -> None:
        while True:
            if not self._batches:
                self._wake_up.clear()
                await self._wake_up.wait()
                continue
            batch = self._batches[0]
            job = batch.next_job()
            if job is None:
                if self._batches and self._batches[0] is batch:
                    self._batches.popleft()
                continue
            try:
                await job()
            except asyncio.CancelledError:
                if _is_being_cancelled():
                    batch.stop(RuntimeError(_LEFT))
                    raise
                batch.stop(RuntimeError("a job was cancelled from within"))
            except Exception as error:  # noqa: BLE001 - handed to whoever waits for the batch
                batch.stop(error)
            except BaseException as error:
                batch.stop(error)
                raise
            finally:
                batch.job_ended()


def _is_being_cancelled() -> bool:
    """Whether this worker is to end, and not just something that its job waited for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


class _Batch:
    def __init__(self, jobs: Iterator[Job]) -> None:
        self._jobs: Iterator[Job] | None = jobs
        self._n_running = 0
        self.error: BaseException | None = None
        self.done = asyncio.Event()

    def next_job(self) -> Job | None:
        try:
            job = next(self._jobs, None) if self._jobs is not None else None
        except Exception as error:  # noqa: BLE001 - an iterable that fails ends its own batch only
            self.stop(error)
            job = None
        if job is None:
            self._jobs = None
            self._check_done()
        else:
            self._n_running += 1
        return job

    def job_ended(self) -> None:
        self._n_running -= 1
        self._check_done()

    def stop(self, error: BaseException | None) -> None:
        self._jobs = None
        self.error = self.error or error
        self._check_done()

    def _check_done(self) -> None:
        if self._jobs is None and self._n_running == 0:
            self.done.set()
