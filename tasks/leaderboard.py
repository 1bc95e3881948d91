"""Views `leaderboard*`: what a finished (or running) evaluation shows in the Prefect UI and in the
terminal. Reads the database, writes only Prefect artifacts."""

import asyncio
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from prefect import get_run_logger, task
from prefect.artifacts import (
    acreate_markdown_artifact,
    acreate_progress_artifact,
    acreate_table_artifact,
    aupdate_progress_artifact,
)
from prefect.cache_policies import NO_CACHE

from tasks.io.store import Store
from tasks.progress import Progress

UPDATE_EVERY_S = 2.0
HIGH_TRUNCATED_RATE = 0.05
WITHOUT_REPLY = {
    "context_overflow": "too long for the model",
    "filtered": "refused by a content filter",
    "error": "failed",
    "not asked": "not asked yet",
}
MOST_LOGGED_ROWS = 20


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """One line of view `leaderboard`. Fractions 0–1; `cost_usd` in US dollars."""

    benchmark: str
    model: str
    mode: str
    epoch: str
    benchmark_hash: str
    n_expected: int
    n_scored: int
    score: float | None
    score_lower: float | None
    score_upper: float | None
    level: float | None
    truncated_rate: float | None
    unparsed_rate: float | None
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class Board:
    """The lines of a benchmark, best first, and what a reader must know before reading them."""

    benchmark: str
    rows: tuple[LeaderboardRow, ...]
    warnings: tuple[str, ...]

    @property
    def lacks_intervals(self) -> bool:
        """Whether a score has no interval of its own yet."""
        return any(row.score is not None and row.level is None for row in self.rows)


def read_board(store: Store, benchmark: str, epoch: str) -> Board:
    """The leaderboard of a benchmark in an epoch, with its warnings."""
    lines = store.query("leaderboard_of_benchmark", benchmark=benchmark, epoch=epoch)
    rows = tuple(LeaderboardRow(**row) for row in lines.iter_rows(named=True))
    reasons: dict[tuple[str, str], list[str]] = {}
    if any(row.n_scored < row.n_expected for row in rows):
        silent = store.query("questions_without_reply", benchmark=benchmark, epoch=epoch)
        for model, mode, status, n in silent.iter_rows():
            reasons.setdefault((model, mode), []).append(f"{n} {WITHOUT_REPLY[status]}")
    warnings = [
        line for row in rows for line in _warnings(row, reasons.get((row.model, row.mode), []))
    ]
    same = store.query("identical_samples", benchmark=benchmark, epoch=epoch)
    warnings += [
        f"{row['model']} · {row['mode']}: {row['n_questions']} questions got {row['n_samples']} "
        f"byte-equal samples at {_temperature(row['temperature'])}; "
        "their agreement is no confidence"
        for row in same.iter_rows(named=True)
    ]
    return Board(benchmark, rows, tuple(warnings))


@task(cache_policy=NO_CACHE, task_run_name="show leaderboard")
async def show_leaderboard(board: Board) -> None:
    """Leave the leaderboard and its warnings as artifacts of the flow run, the scores in its log.

    A benchmark's leaderboards share a key, so that Prefect shows them one after the other.
    """
    await asyncio.gather(_leave_table(board), _leave_warnings(board))
    logger = get_run_logger()
    for row in board.rows[:MOST_LOGGED_ROWS]:
        score, interval = _rounded(row.score), _interval(row)
        label = " · ".join(name for name in (row.model, row.mode, row.epoch) if name)
        logger.info(
            "%s: %s (%s), %d of %d questions", label, score, interval, row.n_scored, row.n_expected
        )
    if board.warnings:
        logger.info("Read the artifact %s before these scores", _key("warnings", board.benchmark))


async def _leave_table(board: Board) -> None:
    await acreate_table_artifact(
        key=_key("leaderboard", board.benchmark),
        table=[_shown(row) for row in board.rows],
        description=(
            f"Leaderboard of {_escaped(board.benchmark)}, best first. Scores are means, 0 to 1; "
            "intervals come from resampling questions."
        ),
    )


async def _leave_warnings(board: Board) -> None:
    if board.warnings:
        await acreate_markdown_artifact(
            key=_key("warnings", board.benchmark),
            markdown="\n".join(f"- {_escaped(line)}" for line in board.warnings),
            description=f"Read this before the leaderboard of {_escaped(board.benchmark)}.",
        )


def _key(kind: str, benchmark: str) -> str:
    return "-".join([kind, *re.findall("[a-z0-9]+", benchmark.lower())])


def _temperature(value: float | None) -> str:
    return "the server's own temperature" if value is None else f"temperature {value:g}"


def _warnings(row: LeaderboardRow, reasons: Sequence[str]) -> Iterator[str]:
    label = f"{row.model} · {row.mode}"
    if row.n_scored < row.n_expected:
        why = f" ({', '.join(reasons)})" if reasons else ""
        yield (
            f"{label}: {row.n_scored} of {row.n_expected} questions have a score{why}; "
            "the mean is over those"
        )
    if (row.truncated_rate or 0) > HIGH_TRUNCATED_RATE:
        yield f"{label}: {row.truncated_rate:.1%} of the replies were cut off; raise --max-tokens"


async def follow_progress(progress: Progress) -> None:
    """Keep a progress artifact of the flow run up to date until cancelled."""
    artifact = await acreate_progress_artifact(
        progress=0.0, key="sampling", description="Samples that are there, of those needed."
    )
    try:
        while True:
            await asyncio.sleep(UPDATE_EVERY_S)
            await aupdate_progress_artifact(artifact, _percent(progress))
    finally:
        await aupdate_progress_artifact(artifact, _percent(progress))


def _percent(progress: Progress) -> float:
    return round(100 * progress.fraction, 1)


def _shown(row: LeaderboardRow) -> dict[str, str | float | int]:
    return {
        "model": row.model,
        "mode": row.mode,
        "epoch": row.epoch or "–",
        "score": _rounded(row.score),
        f"{row.level or 0.95:.0%} interval": _interval(row),
        "scored / expected": f"{row.n_scored} / {row.n_expected}",
        "truncated": _rounded(row.truncated_rate),
        "unparsed": _rounded(row.unparsed_rate),
        "cost, US$": "–" if row.cost_usd is None else f"{row.cost_usd:.4f}",
    }


def _interval(row: LeaderboardRow) -> str:
    if row.score_lower is None or row.score_upper is None:
        return "–"
    return f"{row.score_lower:.3f} – {row.score_upper:.3f}"


def _rounded(value: float | None) -> str:
    return "–" if value is None or math.isnan(value) else f"{value:.3f}"


def _escaped(text: str) -> str:
    for character in "\\`*_{}[]<>()#|!":
        text = text.replace(character, "\\" + character)
    return text
