"""A cell: what one run asks of one model, while this process works on it. No table."""

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from tasks.core.registry.entries import ModelEntry
from tasks.core.types import Purpose
from tasks.io.store import Store
from tasks.model_parameters import known_refusals, unproven_parameters
from tasks.progress import CellProgress
from tasks.requests import PlannedRequest, RequestPlan
from tasks.runs import Run


class PlannedCall(NamedTuple):
    """One HTTP request for some samples of one planned request."""

    request: PlannedRequest
    sample_indices: tuple[int, ...]


class Cell:
    """The requests of one run to one model: what is to be asked, and how far it is.

    `make_plan` decides the requests, again whenever the model was found to refuse a parameter;
    `store_plan` stores them for a run. `unproven`: parameters that the endpoint was not yet seen to
    accept with these values. `takes_n`: several samples are fetched with one call. `failed`: slots
    (request_hash, sample_index) whose last call failed; another run may fill them. `n_tried`: how
    often slots were asked for in vain.
    Not a dataclass, because Prefect walks through every field of those that it is given.
    """

    def __init__(
        self,
        run: Run,
        model: ModelEntry,
        purpose: Purpose,
        make_plan: Callable[[Store], RequestPlan],
        store_plan: Callable[[Store, str, Any], None],
        progress: CellProgress,
    ) -> None:
        self.run = run
        self.model = model
        self.purpose = purpose
        self.make_plan = make_plan
        self.store_plan = store_plan
        self.progress = progress
        self.plan: RequestPlan | None = None
        self.unproven: dict[str, Any] = {}
        self.takes_n = False
        self.shards: list[list[PlannedCall]] = []
        self.must_plan_again = False
        self.failed: set[tuple[str, int]] = set()
        self.n_tried: Counter[tuple[str, int]] = Counter()
        self.last_error: str | None = None
        self.failure: BaseException | None = None

    @property
    def place(self) -> tuple[str, str]:
        """The endpoint and what it calls the model."""
        return self.model.endpoint_id, self.model.api_name

    @property
    def planned(self) -> RequestPlan:
        """The plan; only once there is one."""
        assert self.plan is not None
        return self.plan


def plan_cell(store: Store, cell: Cell) -> None:
    """Plan a cell's requests, and note which of its parameters its endpoint has yet to accept."""
    cell.plan = cell.make_plan(store)
    wanted = dict(cell.plan.parameters)
    refused = {refusal.parameter for refusal in known_refusals(store, cell.model)}
    cell.takes_n = "n" in cell.model.capabilities and cell.plan.n_samples > 1 and "n" not in refused
    if cell.takes_n:
        wanted["n"] = True  # accepted or not, whatever the number
    cell.unproven = unproven_parameters(store, cell.model, wanted)
