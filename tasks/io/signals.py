"""How a running command is told to stop from outside."""

import asyncio
import contextlib
import signal
from collections.abc import Iterator


@contextlib.contextmanager
def cancelled_by_sigterm() -> Iterator[None]:
    """Let SIGTERM cancel the current asyncio task, as Ctrl-C does, while the block runs.

    Prefect raises an exception wherever the main thread happens to be, which in the middle of a
    model call would be lost with that call. Outside the main thread nothing is changed.
    """
    task = asyncio.current_task()
    assert task is not None
    loop = asyncio.get_running_loop()
    earlier = signal.getsignal(signal.SIGTERM)
    try:
        loop.add_signal_handler(signal.SIGTERM, task.cancel)
    except (RuntimeError, ValueError):
        yield
        return
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGTERM)
        signal.signal(signal.SIGTERM, earlier)
