"""How far the runs of this process are: counters that the terminal and the artifact read."""

import time
from dataclasses import dataclass, field


@dataclass(slots=True)
class CellProgress:
    """One model in one mode. Counts are samples; `spent_usd` is US dollars of this process."""

    label: str
    n_total: int = 0
    n_cached: int = 0
    n_done: int = 0
    n_failed: int = 0
    spent_usd: float = 0.0
    is_priced: bool = False
    stage: str = "waiting"
    started: float = field(default_factory=time.monotonic)

    @property
    def fraction(self) -> float:
        """Share of samples that are there, 0–1."""
        return (self.n_cached + self.n_done) / self.n_total if self.n_total else 0.0


@dataclass(slots=True)
class Progress:
    """All cells of the evaluation that this process runs now, in the order they were planned."""

    cells: list[CellProgress] = field(default_factory=list)

    def add(self, label: str) -> CellProgress:
        """Begin to count for one cell."""
        cell = CellProgress(label)
        self.cells.append(cell)
        return cell

    @property
    def spent_usd(self) -> float:
        """US dollars spent by this process."""
        return sum(cell.spent_usd for cell in self.cells)

    @property
    def fraction(self) -> float:
        """Share of all samples that are there, 0–1."""
        total = sum(cell.n_total for cell in self.cells)
        there = sum(cell.n_cached + cell.n_done for cell in self.cells)
        return there / total if total else 0.0


CURRENT = Progress()
