"""Read and mark stored replies again: another extractor, another tolerance, a revised key.

Asks no model. The choice is stored for each cell of the benchmark (`scoring_choices`) and used by
every view from then on; what changed is returned, by model and type, and by the rules responsible.
"""

from typing import NamedTuple

import polars as pl

from tasks.core.errors import BadInput, UnknownName
from tasks.core.types import Tolerance
from tasks.evaluations import score_stored
from tasks.extract_requests import extractor_of
from tasks.extracts import choose_scoring
from tasks.io.database import Database
from tasks.questions import require_database
from tasks.registry import open_registry
from tasks.runs import importing, new_run


class Scoring(NamedTuple):
    """How a benchmark stands: `scores` by question, `extracts` by sample."""

    scores: pl.DataFrame
    extracts: pl.DataFrame


class Changes(NamedTuple):
    """What changed. `scores`: by model, mode, epoch and type; `rules`: by the rules before and
    after of the replies whose answer is another one now."""

    scores: pl.DataFrame
    rules: pl.DataFrame


def rescore(
    database: Database, benchmark: str, extractor: str | None, tolerance: Tolerance | None
) -> Changes:
    """Score every cell of a benchmark again; returns what changed. `extractor` None: the current
    rules, with the registry's extraction model; `tolerance` None: as each cell has it. Raises
    BadInput where a cell has no extracts by that extractor."""
    require_database(database, benchmark)
    current = extractor_of(open_registry(), benchmark)
    wanted = extractor or current
    with database.open() as store:
        cells = store.query("cells_of_benchmark", benchmark=benchmark)
        extractors = store.query("extractors_of_benchmark", benchmark=benchmark)
    if cells.is_empty():
        raise UnknownName(f"benchmark {benchmark!r} has no responses to score again")
    known = {current, current.partition("+")[0], *extractors["extractor"]}
    if wanted not in known:
        raise BadInput(f"no extracts by {wanted!r}; there are {', '.join(sorted(known))}")
    before = scores_now(database, benchmark)
    settings = {"extractor": wanted, "tolerance": tolerance}
    run = new_run("rescore", settings, benchmark=benchmark)
    with importing(database, run) as store:
        for cell in cells.iter_rows(named=True):
            choose_scoring(store, cell, run.run_id, extractor=wanted, tolerance=tolerance)
    score_stored(database, benchmark)
    return changes_since(database, benchmark, before)


def scores_now(database: Database, benchmark: str) -> Scoring:
    """How a benchmark stands, to be compared with later."""
    with database.open() as store:
        return Scoring(
            store.query("scores_of_benchmark", benchmark=benchmark),
            store.query("extracts_of_benchmark", benchmark=benchmark),
        )


def changes_since(database: Database, benchmark: str, before: Scoring) -> Changes:
    """What changed since then."""
    with database.open() as store:
        return Changes(
            store.query_with("score_changes", before.scores, benchmark=benchmark),
            store.query_with("rule_changes", before.extracts, benchmark=benchmark),
        )
