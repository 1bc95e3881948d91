"""A small exam in a real database, and what tests ask about a run of `evaluate` over it.

exam.evaluate(server, samples=8)          # the real flow, in this process
exam.rows("SELECT * FROM leaderboard")    # what an analyst would see
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tasks.io.database import Database
from tasks.questions import import_questions
from tests.model_server import ModelServer, Response

BENCHMARK = "own"
MODEL = "m"


def mcq(number: int, *, gold: str | None = "B", marker: str = "") -> dict[str, Any]:
    """Question `q<number>`; its text holds `[q<number>]`, so that a script can tell it apart."""
    text = f"[q{number}] {marker}Which?\n\n(A) one\n\n(B) two\n\n(C) three\n\n(D) four"
    return {"id": f"q{number}", "type": "MCQ", "question": text, "gold": gold}


def asked_number(request: dict[str, Any]) -> int:
    """The number of the question that a request is about."""
    content = request["messages"][-1]["content"]
    start = content.index("[q") + 2
    return int(content[start : content.index("]", start)])


def after(seconds: float, response: Response) -> Response:
    """The same response, so many seconds later."""
    return replace(response, delay=seconds)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a flow run ended. `failure` None: completed."""

    failure: Any


@dataclass
class Exam:
    """A benchmark named `own` in its own database. `defaults` are options of every evaluation."""

    database: Database
    defaults: dict[str, Any] = field(default_factory=dict)

    def add(self, questions: Sequence[dict[str, Any]]) -> None:
        """Import questions as a user would."""
        path = self.database.path.with_name("questions.json")
        path.write_text(json.dumps(list(questions)))
        import_questions(self.database, path, BENCHMARK)

    def evaluate(self, server: ModelServer | str | None = None, **asked: Any) -> Ended:
        """Run the flow; `server` is where models that the registry does not know are."""
        from flows.evaluate import evaluate

        if server is not None:
            base_url = server if isinstance(server, str) else server.base_url
            asked = {"base_url": base_url} | asked
        options = {
            "benchmark": BENCHMARK,
            "models": [MODEL],
            "modes": ["normal"],
            "database": str(self.database.path),
        }
        options |= self.defaults | asked

        async def run() -> Ended:
            state = await evaluate(**options, return_state=True)
            failed = not state.is_completed()
            return Ended(await state.aresult(raise_on_failure=False) if failed else None)

        return asyncio.run(run())

    def rows(self, statement: str) -> list[dict[str, Any]]:
        """Rows of a statement over the database as it is now."""
        with self.database.open() as store:
            return store.select(statement).to_dicts()

    def column(self, statement: str) -> list[Any]:
        """The first column of those rows."""
        return [next(iter(row.values())) for row in self.rows(statement)]

    def run(self) -> dict[str, Any]:
        """The newest run of `evaluate`."""
        return self.rows(
            "SELECT * FROM runs WHERE command = 'evaluate' ORDER BY started_at DESC, run_id LIMIT 1"
        )[0]


def write_registry(folder: Path, models: str = "", modes: str = "", benchmarks: str = "") -> Path:
    """A user's own registry folder from TOML texts."""
    folder.mkdir(exist_ok=True)
    if models:
        (folder / "models.toml").write_text(models)
    if modes:
        (folder / "prompt_modes.toml").write_text(modes)
    if benchmarks:
        (folder / "benchmarks.toml").write_text(benchmarks)
    return folder
