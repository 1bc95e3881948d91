"""What the command line shows: tables on stdout, progress and notices on stderr.

With `--json` stdout holds one JSON document and nothing else. All text of users and models is
printed literally, never as markup.
"""

import contextlib
import json
import math
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from tasks.progress import CURRENT, CellProgress

out = Console(highlight=False, soft_wrap=False)
err = Console(stderr=True, highlight=False)
REFRESH_EVERY_S = 0.25


def say(line: str) -> None:
    """One notice for a person, on stderr; a long line is left to the terminal to wrap."""
    err.print(Text(line), soft_wrap=True)


def print_json(document: Any) -> None:
    """One JSON document on stdout: decimals as numbers, dates in ISO form, NaN as null."""
    sys.stdout.write(json.dumps(_plain(document), ensure_ascii=False, allow_nan=False) + "\n")


def _plain(value: Any) -> Any:
    match value:
        case dict():
            return {str(key): _plain(item) for key, item in value.items()}
        case list() | tuple() | set() | frozenset():
            return [_plain(item) for item in value]
        case float():
            return value if math.isfinite(value) else None
        case Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
        case None | bool() | int():
            return value
        case datetime() | date() | time():
            return value.isoformat()
        case _:
            return str(value)


def print_rows(rows: Sequence[Mapping[str, Any]], title: str | None = None) -> None:
    """A table on stdout; columns are the keys of the first row, numbers to the right."""
    if not rows:
        out.print(Text(f"{title}: no rows" if title else "no rows"))
        return
    table = Table(title=None if title is None else Text(title), title_justify="left", box=None)
    for name, value in rows[0].items():
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        table.add_column(Text(name), justify="right" if is_number else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(_shown(value)) for value in row.values()))
    width = out.width if out.is_terminal else 10_000
    Console(highlight=False, width=width, file=sys.stdout).print(table)


def print_steps(steps: Sequence[Mapping[str, Any]]) -> None:
    """One block a step of `proctor trace`: a heading, what is known of it, its content."""
    for step in steps:
        where = " · ".join(str(step[name]) for name in ("model", "mode", "epoch") if step[name])
        sample = "" if step["sample_index"] is None else f" · sample {step['sample_index']}"
        out.print(Text(f"{step['step']}  {where}{sample}", style="bold"))
        if step["at"] is not None:
            out.print(Text(f"  {step['at']:%Y-%m-%d %H:%M:%S} UTC", style="dim"))
        if step["what"]:
            out.print(Text(f"  {step['what']}", style="dim"))
        for line in str(step["content"] or "–").splitlines():
            out.print(Text(f"  {line}"))


def _shown(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)


@contextlib.contextmanager
def showing_progress() -> Iterator[None]:
    """Bars for the cells of this process while the block runs; only where stderr is a terminal."""
    if not err.is_terminal:
        yield
        return
    bars = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[spent]}", markup=False),
        TimeRemainingColumn(),
        console=err,
        transient=False,
    )
    stop = threading.Event()
    with bars:
        thread = threading.Thread(target=_follow, args=(bars, stop), daemon=True)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()


def _follow(bars: Progress, stop: threading.Event) -> None:
    known: dict[int, Any] = {}
    is_last = False
    while not is_last:
        is_last = stop.wait(REFRESH_EVERY_S)
        for cell in list(CURRENT.cells):
            if cell.n_total == 0:
                continue
            if id(cell) not in known:
                known[id(cell)] = bars.add_task(cell.label, total=cell.n_total, spent="")
            bars.update(
                known[id(cell)],
                total=cell.n_total,
                completed=cell.n_cached + cell.n_done,
                spent=_spent(cell),
            )


def _spent(cell: CellProgress) -> str:
    money = f"${cell.spent_usd:.4f}" if cell.is_priced else "no price"
    failed = f", {cell.n_failed} failed" if cell.n_failed else ""
    return f"{cell.n_cached} cached, {money}{failed}"
