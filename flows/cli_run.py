"""Commands that run a flow, or score what is stored."""

import asyncio
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from flows.cli_options import Common, Names, open_named, show, show_leaderboard
from flows.cli_review import show_changes
from flows.terminal import print_json, say, showing_progress
from tasks.core.errors import BadInput, ProctorError
from tasks.core.files.strict_json import whole_value

TRY_NEXT = (
    'proctor sql "SELECT * FROM leaderboard_by_subject_type"',
    "proctor trace 'Proctor Sample Paper 1|1' --benchmark sample",
    "proctor evaluate --benchmark sample --model NAME --base-url URL --dry-run",
)


def demo(*, out: Path = Path("demo"), common: Common = Common()) -> None:
    """Run the whole pipeline on the bundled sample with a local model; no key, no server."""
    from flows.demo import demo as demo_flow
    from tasks.registry import open_registry
    from tasks.sample import SAMPLE_BENCHMARK, scripted_scores

    folder = out.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    database = common.path or str(folder / "demo.duckdb")
    with showing_progress():
        state = asyncio.run(_run(demo_flow, database=database, out=str(folder)))
    _conclude(state)
    show_leaderboard(database, SAMPLE_BENCHMARK, "", as_json=common.json)
    for name, score in scripted_scores(open_registry()).items():
        say(f"{name} is scripted to score {score:.4f}")
    report = folder / "report" / "index.html"
    say(f"\nReport: {report}")
    say("Try next:")
    for command in TRY_NEXT:
        say(f"  {command} --db {database}")


def evaluate(
    *,
    benchmark: str,
    model: Names,
    mode: Names = ("normal",),
    samples: int | None = None,
    epoch: str = "",
    subject: str | None = None,
    type_: Annotated[str | None, Parameter(name="--type")] = None,
    exam: str | None = None,
    limit: int | None = None,
    temperature: float | None = None,
    max_tokens: int | None = None,
    effort: str | None = None,
    extra_body: str | None = None,
    retry_truncated: bool = False,
    concurrency: int | None = None,
    budget: float | None = None,
    fail_on_error: int | None = None,
    base_url: str | None = None,
    api_key_env: str | None = None,
    dry_run: bool = False,
    common: Common = Common(),
) -> None:
    """Sit models at a benchmark: sample, extract, mark, show the leaderboard.

    Parameters
    ----------
    benchmark
        A benchmark whose questions are in the database.
    model
        Names of the registry, or any names with --base-url; several may follow one --model.
    mode
        Ways to ask, of the registry; several may follow one --mode.
    samples
        Samples of each question; what is in the cache is not asked again.
    epoch
        The re-evaluation window, such as 2026-W48; a new one asks the model afresh.
    subject
        Only the questions of this subject.
    type_
        Only the questions of this type.
    exam
        Only the questions of this exam.
    limit
        At most so many questions.
    temperature
        0 to 2.
    max_tokens
        Bound of one answer, tokens.
    effort
        Reasoning effort, where the model takes one.
    extra_body
        A JSON object whose fields go into each request as they are.
    retry_truncated
        Ask again for answers that were cut off.
    concurrency
        Requests in flight for each model.
    budget
        US dollars that this run may spend at most.
    fail_on_error
        Stop after so many failed calls.
    base_url
        An OpenAI-compatible endpoint, such as http://127.0.0.1:8000/v1.
    api_key_env
        Name of the environment variable with that endpoint's key.
    dry_run
        Say what would be asked and what it may cost; call nothing.

    """
    asked = {
        "benchmark": benchmark,
        "models": list(model),
        "modes": list(mode),
        "epoch": epoch,
        "samples": samples,
        "subject": subject,
        "type": type_,
        "exam": exam,
        "limit": limit,
        "temperature": temperature,
        "max_tokens": max_tokens,
        "effort": effort,
        "extra_body": _json_object(extra_body, "--extra-body"),
        "retry_truncated": retry_truncated,
        "concurrency": concurrency,
        "budget": budget,
        "fail_on_error": fail_on_error,
        "base_url": base_url,
        "api_key_env": api_key_env,
    }
    if dry_run:
        _show_dry_run(asked, common)
        return
    from tasks.evaluations import check, evaluation_of

    check(open_named(common), evaluation_of(asked))
    from flows.evaluate import evaluate as evaluate_flow

    with showing_progress():
        state = asyncio.run(_run(evaluate_flow, **asked, database=common.path))
    show_leaderboard(common.path, benchmark, epoch, as_json=common.json)
    _conclude(state)


def rescore(
    *,
    benchmark: str,
    extractor: str | None = None,
    tolerance: Literal["decimal", "official"] | None = None,
    common: Common = Common(),
) -> None:
    """Read and mark stored responses again, without a call, and show what changed."""
    from tasks.core.types import Tolerance
    from tasks.rescoring import rescore as score_again

    changes = score_again(
        open_named(common), benchmark, extractor, Tolerance(tolerance) if tolerance else None
    )
    show_changes(changes, common)


def report(
    *,
    out: Path = Path("report"),
    benchmark: str | None = None,
    common: Common = Common(),
) -> None:
    """Write a self-contained HTML report, with its tables as CSV and Parquet beside it."""
    from tasks.report import write_report

    done = write_report(open_named(common), out, benchmark=benchmark)
    if common.json:
        print_json(asdict(done))
    else:
        say(f"Report: {done.path.resolve()}")


async def _run(flow: Any, **parameters: Any) -> Any:
    try:
        return await flow(**parameters, return_state=True)
    except RuntimeError as error:
        if "reach API" not in str(error):
            raise
        raise ProctorError(
            f"the Prefect server does not answer: {error}; start it (prefect server start), or "
            "unset PREFECT_API_URL to use a temporary one"
        ) from None


def _show_dry_run(asked: dict[str, Any], common: Common) -> None:
    from tasks.evaluations import dry_run, evaluation_of

    show([asdict(line) for line in dry_run(open_named(common), evaluation_of(asked))], common)
    if not common.json:
        say("nothing was asked; costs assume answers half as long as they may be")


def _conclude(state: Any) -> None:
    """Raise the error that a flow ended with, if it did."""
    if state.is_completed():
        return
    result = asyncio.run(state.aresult(raise_on_failure=False))
    if isinstance(result, ProctorError | KeyboardInterrupt):
        raise result
    raise ProctorError(state.message or f"the run ended as {state.name}")


def _json_object(text: str | None, option: str) -> dict[str, Any] | None:
    if text is None:
        return None
    value = whole_value(text, option)
    if not isinstance(value, dict):
        raise BadInput(f'{option} must be a JSON object, like {{"min_p": 0.1}}')
    return value
