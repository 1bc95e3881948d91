"""How long a flow takes inside a fresh process, imports apart.

    python tests/benchmarks/timed_flows.py evaluate '{"benchmark": …}'
    python tests/benchmarks/timed_flows.py empty '{}'

Prints a JSON object: seconds of imports and of the flow, its last state, peak memory in MiB.
`empty` is a flow with as many task runs as an evaluation has outside sampling, and nothing in them.
"""

import asyncio
import json
import sys
import time
from pathlib import Path

began = time.perf_counter()
from prefect import flow, task  # noqa: E402
from prefect.cache_policies import NO_CACHE  # noqa: E402

from flows.evaluate import evaluate  # noqa: E402

imported = time.perf_counter()


@task(cache_policy=NO_CACHE)
async def nothing() -> None:
    """No work."""


@flow
async def empty() -> None:
    """Six task runs: open, plan, extract, score, close, show."""
    for _ in range(6):
        await nothing()


async def main() -> None:
    """Run the flow that the arguments name."""
    which, parameters = sys.argv[1], json.loads(sys.argv[2])
    chosen = evaluate if which == "evaluate" else empty
    state = await chosen(**parameters, return_state=True)
    done = time.perf_counter()
    peak_kib = next(
        int(line.split()[1])
        for line in Path("/proc/self/status").read_text().splitlines()
        if line.startswith("VmHWM")  # ru_maxrss would be the parent's, where that was larger
    )
    figures = {
        "imports_s": imported - began,
        "flow_s": done - imported,
        "state": state.name,
        "peak_mib": peak_kib / 1024,
    }
    sys.stdout.write(json.dumps(figures) + "\n")


asyncio.run(main())
