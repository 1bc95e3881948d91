"""A cell: one model in one mode at one benchmark, while this process works on it. No table."""

from collections import Counter
from typing import Any, NamedTuple

from tasks.core.prompts.rendering import PromptPack
from tasks.core.registry.entries import ModelEntry, PromptMode
from tasks.io.store import Store
from tasks.model_parameters import unproven_parameters
from tasks.progress import CellProgress
from tasks.prompts import PlannedRequest, SittingOptions, SittingPlan, plan_sitting
from tasks.runs import Run


class PlannedCall(NamedTuple):
    """One request for some samples of one question."""

    request: PlannedRequest
    sample_indices: tuple[int, ...]


class Cell:
    """One model in one mode at one benchmark: what is to be asked, and how far it is.

    `unproven`: parameters that the endpoint was not yet seen to accept with these values.
    `failed`: slots (request_hash, sample_index) whose last call failed; another run may fill them.
    `n_tried`: how often slots were asked for in vain.
    Not a dataclass, because Prefect walks through every field of those that it is given.
    """

    def __init__(
        self,
        run: Run,
        model: ModelEntry,
        mode: PromptMode,
        pack: PromptPack,
        options: SittingOptions,
        progress: CellProgress,
    ) -> None:
        self.run = run
        self.model = model
        self.mode = mode
        self.pack = pack
        self.options = options
        self.progress = progress
        self.plan: SittingPlan | None = None
        self.unproven: dict[str, Any] = {}
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
    def planned(self) -> SittingPlan:
        """The plan; only once there is one."""
        assert self.plan is not None
        return self.plan


def plan_cell(store: Store, cell: Cell) -> None:
    """Plan a cell's requests, and note which of its parameters its endpoint has yet to accept."""
    cell.plan = plan_sitting(
        store, cell.run.benchmark or "", cell.model, cell.mode, cell.pack, cell.options
    )
    cell.unproven = unproven_parameters(store, cell.model, cell.plan.parameters)
