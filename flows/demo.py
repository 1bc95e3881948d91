"""The whole pipeline on the bundled sample: a small local model and two scripted contestants.

Questions are imported, two modes sat, answers read and marked, a report written. The scripted
contestants answer a known share rightly, so that right numbers can be seen to come out right.
Needs: the local model's weights (`make demo` installs them). Running it again asks nothing.
"""

from pathlib import Path
from typing import Any

from prefect import flow
from prefect.client.schemas.objects import State

from flows.evaluate import evaluate
from tasks.database import open_database
from tasks.questions import import_questions
from tasks.report import write_report
from tasks.sample import SAMPLE_BENCHMARK, SAMPLE_QUESTIONS

MODELS = ["smollm2", "scripted-70", "scripted-40"]
MODES = ["normal", "cot"]
MAX_TOKENS = 96


@flow(name="demo", flow_run_name="demo")
async def demo(database: str, out: str) -> State[Any]:
    """Run the demo into the file `database` and the folder `out`."""
    store = open_database(database)
    import_questions(store, SAMPLE_QUESTIONS, SAMPLE_BENCHMARK)
    state: State[Any] = await evaluate(
        SAMPLE_BENCHMARK,
        models=MODELS,
        modes=MODES,
        max_tokens=MAX_TOKENS,
        database=database,
        return_state=True,
    )
    write_report(store, Path(out) / "report", benchmark=SAMPLE_BENCHMARK)
    return state
