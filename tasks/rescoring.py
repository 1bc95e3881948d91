"""Read and mark stored replies again: another extractor, another tolerance, a revised key.

Asks no model. The choice is stored for each cell of the benchmark (`scoring_choices`) and used by
every view from then on; what changed is returned, by model and type.
"""

import polars as pl

from tasks.core.errors import BadInput, UnknownName
from tasks.core.extraction import EXTRACTOR
from tasks.core.types import Tolerance
from tasks.evaluations import score_stored
from tasks.extracts import choose_scoring
from tasks.io.database import Database
from tasks.questions import require_database
from tasks.runs import importing, new_run


def rescore(
    database: Database, benchmark: str, extractor: str | None, tolerance: Tolerance | None
) -> pl.DataFrame:
    """Score every cell of a benchmark again; returns what changed, a row for each model, mode,
    epoch and type. `extractor` None: the current rules; `tolerance` None: as each cell has it.
    Raises BadInput where a cell has no extracts by that extractor."""
    require_database(database, benchmark)
    wanted = extractor or EXTRACTOR
    with database.open() as store:
        before = store.query("scores_of_benchmark", benchmark=benchmark)
        cells = store.query("cells_of_benchmark", benchmark=benchmark)
        extractors = store.query("extractors_of_benchmark", benchmark=benchmark)
    if cells.is_empty():
        raise UnknownName(f"benchmark {benchmark!r} has no responses to score again")
    known = {EXTRACTOR, *extractors["extractor"]}
    if wanted not in known:
        raise BadInput(f"no extracts by {wanted!r}; there are {', '.join(sorted(known))}")
    settings = {"extractor": wanted, "tolerance": tolerance}
    run = new_run("rescore", settings, benchmark=benchmark)
    with importing(database, run) as store:
        for cell in cells.iter_rows(named=True):
            choose_scoring(store, cell, run.run_id, extractor=wanted, tolerance=tolerance)
    score_stored(database, benchmark)
    with database.open() as store:
        return store.query_with("score_changes", before, benchmark=benchmark)
