"""A pool does every job once, never more than its size at once, and survives what jobs raise."""

import asyncio
from collections.abc import Coroutine, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.io.worker_pool import Job, WorkerPool


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    """A pool that hangs fails the test instead of stopping it."""
    asyncio.run(asyncio.wait_for(coroutine, timeout=60))


class Log:
    """Jobs that write down what happened."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.n_running = 0
        self.most_running = 0

    def job(self, name: str, turns: int = 0) -> Job:
        async def work() -> None:
            self.n_running += 1
            self.most_running = max(self.most_running, self.n_running)
            try:
                for _ in range(turns):
                    await asyncio.sleep(0)
                self.done.append(name)
            finally:
                self.n_running -= 1

        return work


def failing(message: str, turns: int = 0) -> Job:
    async def work() -> None:
        for _ in range(turns):
            await asyncio.sleep(0)
        raise ValueError(message)

    return work


@settings(max_examples=60, deadline=None)
@given(
    size=st.integers(1, 6),
    batches=st.lists(st.lists(st.integers(0, 5), max_size=12), max_size=4),
)
def test_every_job_once_and_never_too_many(size: int, batches: list[list[int]]) -> None:
    log = Log()

    async def main() -> None:
        async with WorkerPool(size) as pool, asyncio.TaskGroup() as group:
            for number, batch in enumerate(batches):
                jobs = [log.job(f"{number}.{i}", turns) for i, turns in enumerate(batch)]
                group.create_task(pool.run(jobs))

    run(main())
    names = [f"{number}.{i}" for number, batch in enumerate(batches) for i in range(len(batch))]
    assert sorted(log.done) == sorted(names)
    assert log.most_running <= size


def test_all_workers_are_used() -> None:
    log = Log()

    async def main() -> None:
        async with WorkerPool(5) as pool:
            await pool.run(log.job(str(number), turns=10) for number in range(20))

    run(main())
    assert log.most_running == 5


def test_run_returns_only_when_its_last_job_is_done() -> None:
    log = Log()

    async def main() -> None:
        async with WorkerPool(3) as pool:
            await pool.run([log.job("slow", turns=50), log.job("quick")])
            assert log.done == ["quick", "slow"]

    run(main())


def test_later_batch_fills_the_gap_of_an_earlier_one() -> None:
    async def main() -> None:
        release = asyncio.Event()
        log = Log()

        async def last_of_first() -> None:
            await release.wait()

        async def of_second() -> None:
            release.set()

        async with WorkerPool(2) as pool, asyncio.TaskGroup() as group:
            group.create_task(pool.run([last_of_first]))
            group.create_task(pool.run([of_second, log.job("x")]))

    run(main())


@given(n_before=st.integers(0, 5), n_after=st.integers(0, 5), size=st.integers(1, 4))
def test_first_error_is_raised_and_stops_the_rest(n_before: int, n_after: int, size: int) -> None:
    log = Log()

    async def main() -> None:
        jobs = [
            *(log.job(f"before {number}") for number in range(n_before)),
            failing("first"),
            failing("second", turns=5),
            *(log.job(f"after {number}", turns=9) for number in range(n_after)),
        ]
        async with WorkerPool(size) as pool:
            with pytest.raises(ValueError, match="first"):
                await pool.run(jobs)
            assert log.n_running == 0
            started_after = [name for name in log.done if name.startswith("after")]
            assert len(started_after) < size
            await pool.run([log.job("next batch")])

    run(main())
    assert [name for name in log.done if name.startswith("before")] == [
        f"before {number}" for number in range(n_before)
    ]
    assert log.done[-1] == "next batch"


def test_error_of_one_batch_does_not_touch_another() -> None:
    log = Log()

    async def main() -> None:
        async with WorkerPool(2) as pool:
            results = await asyncio.gather(
                pool.run([failing("broken"), log.job("a")]),
                pool.run([log.job("b", turns=3), log.job("c")]),
                return_exceptions=True,
            )
        assert isinstance(results[0], ValueError)
        assert results[1] is None

    run(main())
    assert {"b", "c"} <= set(log.done)


def test_jobs_that_cannot_be_listed_fail_their_batch_only() -> None:
    log = Log()

    def jobs() -> Iterator[Job]:
        yield log.job("first")
        raise OSError("the list of jobs broke off")

    async def main() -> None:
        async with WorkerPool(1) as pool:
            with pytest.raises(OSError, match="broke off"):
                await pool.run(jobs())
            await pool.run([log.job("next batch")])

    run(main())
    assert log.done == ["first", "next batch"]


def test_job_that_cancels_itself_does_not_take_its_worker_along() -> None:
    log = Log()

    async def cancelled() -> None:
        raise asyncio.CancelledError

    async def main() -> None:
        async with WorkerPool(1) as pool:
            with pytest.raises(RuntimeError, match="cancelled"):
                await pool.run([cancelled])
            await pool.run([log.job("next batch")])

    run(main())
    assert log.done == ["next batch"]


def test_cancelled_run_starts_no_more_jobs() -> None:
    log = Log()

    async def main() -> None:
        began, release = asyncio.Event(), asyncio.Event()

        async def running() -> None:
            began.set()
            await release.wait()
            log.done.append("running")

        async with WorkerPool(1) as pool:
            task = asyncio.create_task(pool.run([running, log.job("never")]))
            await began.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            release.set()
            await pool.run([log.job("next batch")])

    run(main())
    assert log.done == ["running", "next batch"]


def test_leaving_cancels_what_still_runs_and_says_so() -> None:
    async def main() -> None:
        began, ended = asyncio.Event(), asyncio.Event()

        async def endless() -> None:
            began.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()

        async with WorkerPool(2) as pool:
            runs = [
                asyncio.create_task(pool.run([endless])),
                asyncio.create_task(pool.run([endless] * 3)),
            ]
            await began.wait()
        assert ended.is_set()
        for task in runs:
            with pytest.raises(RuntimeError, match="left before"):
                await task

    run(main())
