"""The report: one HTML page to read and share, and the tables behind it as files.

In: the published snapshot, so a report can be made while a run writes. Out: `index.html`, which
holds everything it shows and loads nothing, and each table as CSV and Parquet beside it. Equal data
give equal files. What is averaged is averaged by `sql/queries/report_*.sql`; here rows only change
their shape.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Any

import polars as pl
from markupsafe import Markup

from tasks.core.errors import UnknownName
from tasks.core.report.charts import MOST_LINES, inline_svg, mean_chart, score_chart
from tasks.core.report.page import content_security_policy
from tasks.core.report.responses import packed, prompt_record, question_record, sample_record
from tasks.core.report.tables import mark_table, mean_table
from tasks.io.database import Database
from tasks.io.pages import asset, csv_file, draw, parquet_file, render, text_file, write_files
from tasks.io.store import Store

MAX_RESPONSE_BYTES = 30 * 1000**2
MAX_PROMPT_BYTES = 5 * 1000**2
TABLES = (
    "leaderboard",
    "leaderboard_by_subject_type",
    "scores_current",
    "exam_marks",
    "extracts_current",
    "questions_current",
    "random_baseline",
    "runs",
    "cost_by_run",
)

SCRIPTS = ("elements.js", "question_view.js", "browser.js")

Rows = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class ReportSummary:
    """What was written. `path`: the page; `n_bytes`: its size; `tables`: the files beside it.

    `n_responses` counts the samples whose text the page holds, `n_left_out` those that did not fit
    (the page says which, and the query that shows them).
    """

    path: Path
    n_bytes: int
    tables: tuple[Path, ...]
    benchmarks: tuple[str, ...]
    n_contestants: int
    n_questions: int
    n_responses: int
    n_left_out: int
    n_warnings: int


@dataclass(slots=True)
class _Room:
    """How many bytes of responses and prompts the page still takes."""

    responses: int
    prompts: int


def write_report(
    database: Database,
    folder: Path,
    *,
    benchmark: str | None = None,
    max_response_bytes: int = MAX_RESPONSE_BYTES,
) -> ReportSummary:
    """Write the report of one benchmark, or of all, into a folder.

    The page holds at most `max_response_bytes` of responses (UTF-8, before packing) and
    `MAX_PROMPT_BYTES` of prompts. Raises UnknownName for a benchmark without questions, BadInput
    where there is no database or the folder cannot be written.
    """
    with database.read() as store:
        benchmarks = _chosen(_rows(store, "report_benchmarks"), benchmark)
        room = _Room(max_response_bytes, MAX_PROMPT_BYTES)
        chapters = [_chapter(store, about) for about in benchmarks]
        records = [_records(store, about["benchmark"], room) for about in benchmarks]
        tables = {
            name: _in_utc(store.query(f"report_table_{name}", benchmark=benchmark))
            for name in TABLES
        }
    samples = [sample for record in records for sample in record["samples"]]
    n_left_out = sum(sample["pieces"] is None and sample["n_bytes"] > 0 for sample in samples)
    page = _page(
        chapters,
        packed(records),
        n_left_out=n_left_out,
        bytes_left_out=sum(sample["n_bytes"] for sample in samples if sample["pieces"] is None),
        max_response_bytes=max_response_bytes,
    )
    files = {
        **{f"{name}.csv": csv_file(frame) for name, frame in tables.items()},
        **{f"{name}.parquet": parquet_file(frame) for name, frame in tables.items()},
    }
    write_files(folder, {**files, "index.html": text_file(page)})
    return ReportSummary(
        path=folder / "index.html",
        n_bytes=(folder / "index.html").stat().st_size,
        tables=tuple(folder / name for name in files),
        benchmarks=tuple(about["benchmark"] for about in benchmarks),
        n_contestants=sum(len(chapter["contestants"]) for chapter in chapters),
        n_questions=sum(len(record["questions"]) for record in records),
        n_responses=sum(sample["pieces"] is not None for sample in samples),
        n_left_out=n_left_out,
        n_warnings=sum(len(chapter["warnings"]) for chapter in chapters),
    )


def _chosen(benchmarks: Rows, benchmark: str | None) -> Rows:
    if benchmark is None:
        return benchmarks
    chosen = [about for about in benchmarks if about["benchmark"] == benchmark]
    if not chosen:
        known = ", ".join(about["benchmark"] for about in benchmarks) or "none yet"
        raise UnknownName(f"benchmark {benchmark!r} has no questions; known: {known}")
    return chosen


def _chapter(store: Store, about: dict[str, Any]) -> dict[str, Any]:
    """Everything that the page says in its static part about one benchmark."""
    name = about["benchmark"]
    contestants = _rows(store, "report_contestants", benchmark=name)
    scripted = {_key(row) for row in contestants if row["is_scripted"]}

    def lines(query: str) -> Rows:
        rows = _rows(store, query, benchmark=name)
        return [row | {"is_scripted": _key(row) in scripted} for row in rows]

    means = lines("report_subject_type")
    runs = _rows(store, "report_runs", benchmark=name)
    guessing = next((row["score"] for row in means if _is_guessing_at_all(row)), None)
    return {
        "about": about,
        "contestants": [
            row | {"parameter_sets": [json.loads(text) for text in row["parameter_sets"] if text]}
            for row in contestants
        ],
        "guessing": guessing,
        "means": mean_table(means, contestants) if contestants else None,
        "outcomes": lines("report_outcomes"),
        "marks": mark_table(_rows(store, "report_exam_marks", benchmark=name), contestants),
        "warnings": lines("report_warnings"),
        "refused": _rows(store, "report_refused_parameters", benchmark=name),
        "runs": [row | {"settings": json.loads(row["settings"])} for row in runs],
        "versions": _versions(runs),
        "charts": _charts(name, contestants, means, guessing),
    }


def _charts(
    benchmark: str, contestants: Rows, means: Rows, guessing: float | None
) -> dict[str, Markup | None]:
    title = f"Mean score and interval of each line of {benchmark}"
    scores = score_chart(contestants, guessing)
    table_title = f"Mean score by subject and type in {benchmark}"
    plans = (
        ("wide", "scores_wide.vl.json", scores, title),
        ("narrow", "scores_narrow.vl.json", scores, title),
        ("means", "subject_type.vl.json", mean_chart(means) if scores else None, table_title),
    )
    return {
        name: Markup(inline_svg(draw(specification, chart), title)) if chart else None
        for name, specification, chart, title in plans
    }


def _records(store: Store, benchmark: str, room: _Room) -> dict[str, Any]:
    """Everything that the question browser shows of one benchmark."""
    samples = _rows(store, "report_samples", benchmark=benchmark, max_bytes=room.responses)
    prompts = _rows(store, "report_prompts", benchmark=benchmark, max_bytes=room.prompts)
    room.responses -= sum(row["n_bytes"] for row in samples if row["reply"] is not None)
    room.prompts -= sum(row["n_bytes"] for row in prompts if row["messages"] is not None)
    return {
        "benchmark": benchmark,
        "questions": [
            question_record(row) for row in _rows(store, "report_questions", benchmark=benchmark)
        ],
        "scores": _rows(store, "report_scores", benchmark=benchmark),
        "samples": [sample_record(row) for row in samples],
        "prompts": [prompt_record(row) for row in prompts],
    }


def _page(chapters: Sequence[dict[str, Any]], data: str, **values: Any) -> str:
    style = asset("report.css")
    script = "\n".join(asset(name) for name in SCRIPTS)
    return render(
        "page.html.jinja",
        policy=content_security_policy([style], [script]),
        style=Markup(style),
        script=Markup(script),
        data=data,
        chapters=chapters,
        as_of=max(chain.from_iterable(_times(chapter) for chapter in chapters), default=None),
        most_lines=MOST_LINES,
        tables=TABLES,
        **values,
    )


def _times(chapter: dict[str, Any]) -> list[datetime]:
    rows = [*chapter["runs"], *chapter["contestants"]]
    times = (
        row.get(name) for row in rows for name in ("finished_at", "last_reply_at", "started_at")
    )
    return [time for time in times if time is not None]


def _versions(runs: Rows) -> dict[str, list[str]]:
    """Package → the versions that current scores were computed with."""
    found: dict[str, set[str]] = {}
    for run in runs:
        if run["is_current"]:
            for package, version in json.loads(run["versions"]).items():
                found.setdefault(package, set()).add(version)
    return {package: sorted(found[package]) for package in sorted(found)}


def _rows(store: Store, name: str, **parameters: Any) -> Rows:
    return _in_utc(store.query(name, **parameters)).to_dicts()


def _in_utc(frame: pl.DataFrame) -> pl.DataFrame:
    times = [name for name, kind in frame.schema.items() if isinstance(kind, pl.Datetime)]
    return frame.with_columns(pl.col(name).dt.convert_time_zone("UTC") for name in times)


def _key(row: dict[str, Any]) -> tuple[str, str, str]:
    return row["model"], row["mode"], row["epoch"]


def _is_guessing_at_all(row: dict[str, Any]) -> bool:
    return row["model"] is None and row["subject"] is None and row["type"] is None
