"""The command line. Each command is one call of a flow or of a stage; nothing is computed here.

Exit status: 0 every row is final; 1 failed; 2 bad input; 3 stopped early, can be resumed.
Imports are inside the commands, so that `proctor sql` does not wait for what it does not need.
"""

import asyncio
import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import cyclopts
from cyclopts import App, Parameter

from flows.terminal import print_json, print_rows, say, showing_progress
from tasks.core.errors import BadInput, ProctorError
from tasks.core.strict_json import whole_value

app = App(
    name="proctor",
    help="Builds hard LLM benchmarks, sits models at them, marks them and ranks them.",
    version_flags=["--version"],
    default_parameter=Parameter(negative=()),
    suppress_keyboard_interrupt=False,
)
import_app = App(name="import", help="Bring in questions, answer keys or responses.")
export_app = App(name="export", help="Write out what is stored.")
models_app = App(name="models", help="List models, or serve one locally.")
db_app = App(name="db", help="Publish, prove or back up the database.")
for each in (import_app, export_app, models_app, db_app):
    app.command(each)

TRY_NEXT = (
    'proctor sql "SELECT * FROM leaderboard_by_subject_type"',
    "proctor trace 'Proctor Sample Paper 1|1' --benchmark sample",
    "proctor evaluate --benchmark sample --model NAME --base-url URL --dry-run",
)
PREFECT_DEFAULTS = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "120",
}
Names = Annotated[tuple[str, ...], Parameter(consume_multiple=True)]


@Parameter(name="*")
@dataclass(frozen=True)
class Common:
    """Options that every command has."""

    db: Annotated[Path | None, Parameter(help="Database file (default: PROCTOR_DB).")] = None
    json: Annotated[bool, Parameter(help="One JSON document on stdout.")] = False

    @property
    def path(self) -> str | None:
        """The database as the flow takes it."""
        return None if self.db is None else str(self.db)


@app.command
def demo(*, out: Path = Path("demo"), common: Common = Common()) -> None:
    """Run the whole pipeline on the bundled sample with a local model; no key, no server."""
    from flows.demo import demo as demo_flow

    folder = out.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    database = common.path or str(folder / "demo.duckdb")
    with showing_progress():
        state = asyncio.run(_run(demo_flow, database=database, out=str(folder)))
    _conclude(state)
    _show_leaderboard(database, "sample", "", as_json=common.json)
    report = folder / "report" / "index.html"
    say(f"\nReport: {report}")
    say("Try next:")
    for command in TRY_NEXT:
        say(f"  {command} --db {database}")


@import_app.command(name="questions")
def import_questions(file: Path, *, benchmark: str, common: Common = Common()) -> None:
    """Store questions: JEEBench dataset.json, Arena-Hard question.jsonl, own CSV, JSON or JSONL."""
    from tasks.questions import import_questions as store_questions

    database = _database(common)
    done = store_questions(database, file, benchmark)
    database.publish()
    for notice in done.notices:
        say(notice)
    if common.json:
        print_json(asdict(done))
        return
    say(
        f"{benchmark}: {done.n_new} new, {done.n_changed} changed, {done.n_unchanged} unchanged; "
        f"{done.n_keys_new} new keys, {done.n_keys_revised} revised"
    )
    print_rows(
        [
            {"subject": subject or "–", **by_type, "all": sum(by_type.values())}
            for subject, by_type in _rectangular(done.counts).items()
        ]
    )


@import_app.command(name="keys")
def import_keys(file: Path, *, benchmark: str, common: Common = Common()) -> None:
    """Store answer keys: several accepted ("A or C"), ranges ("2.30 to 2.40"), "dropped"."""
    from tasks.evaluations import score_stored
    from tasks.questions import import_keys as store_keys

    database = _database(common)
    done = store_keys(database, file, benchmark)
    score_stored(database, benchmark)
    for notice in done.notices:
        say(notice)
    if common.json:
        print_json(asdict(done))
    else:
        say(f"{benchmark}: {done.n_new} new keys, {done.n_revised} revised")


@import_app.command(name="responses")
def import_responses(
    file: Path,
    *,
    benchmark: str,
    model: str,
    mode: str = "normal",
    epoch: str = "",
    recorded_extracts: bool = False,
    tolerance: Literal["decimal", "official"] | None = None,
    common: Common = Common(),
) -> None:
    """Store responses made elsewhere, read and mark them.

    Parameters
    ----------
    recorded_extracts
        Score the answers that the file records instead of those that Proctor reads.
    tolerance
        How |answer - gold| <= 0.01 is decided; "official" as JEEBench's own scorer does.

    """
    from tasks.core.types import Tolerance
    from tasks.evaluations import score_stored
    from tasks.responses import import_responses as store_responses

    database = _database(common)
    done = store_responses(
        database,
        file,
        benchmark,
        model,
        mode,
        epoch=epoch,
        recorded_extracts=recorded_extracts,
        tolerance=Tolerance(tolerance) if tolerance else None,
    )
    score_stored(database, benchmark)
    for notice in done.notices:
        say(notice)
    if common.json:
        print_json(asdict(done))
        return
    say(f"{model} · {mode}: {done.n_replies} replies to {done.n_questions} questions stored")
    _show_leaderboard(common.path, benchmark, epoch, as_json=False)


@export_app.command(name="questions")
def export_questions(
    *,
    benchmark: str,
    all_: Annotated[bool, Parameter(name="--all")] = False,
    format_: Annotated[Literal["json", "jsonl"], Parameter(name="--format")] = "json",
    common: Common = Common(),
) -> None:
    """Write a benchmark's questions to stdout in JEEBench's form.

    Parameters
    ----------
    all_
        Dropped and flagged questions too.

    """
    from tasks.questions import export_questions as read_questions

    sys.stdout.write(read_questions(_database(common), benchmark, include_all=all_, form=format_))


@app.command
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
    model
        Names of the registry, or any name with --base-url; several may follow one --model.
    samples
        Samples of each question; what is in the cache is not asked again.
    epoch
        The re-evaluation window; a new one asks the model afresh.
    extra_body
        A JSON object whose fields go into each request as they are.
    retry_truncated
        Ask again for answers that were cut off.
    budget
        US dollars that this run may spend at most.
    fail_on_error
        Stop after so many failed calls.
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

    check(_database(common), evaluation_of(asked))
    from flows.evaluate import evaluate as evaluate_flow

    with showing_progress():
        state = asyncio.run(_run(evaluate_flow, **asked, database=common.path))
    _show_leaderboard(common.path, benchmark, epoch, as_json=common.json)
    _conclude(state)


@app.command
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
        _database(common), benchmark, extractor, Tolerance(tolerance) if tolerance else None
    )
    _show(changes.to_dicts(), common)


@app.command
def report(
    *,
    out: Path = Path("report"),
    benchmark: str | None = None,
    common: Common = Common(),
) -> None:
    """Write a self-contained HTML report, with its tables as CSV and Parquet beside it."""
    from tasks.report import write_report

    done = write_report(_database(common), out, benchmark=benchmark)
    if common.json:
        print_json(asdict(done))
    else:
        say(f"Report: {done.path.resolve()}")


@app.command
def sql(statement: str, *, common: Common = Common()) -> None:
    """Ask the database a read-only question; works while a run writes."""
    from tasks.database import answer_sql

    answer = answer_sql(_database(common), statement)
    say(f"snapshot is {answer.age_s:.0f} s old")
    _show(answer.rows.to_dicts(), common)


@app.command
def trace(question_id: str, *, benchmark: str, common: Common = Common()) -> None:
    """Show one question from its text to its marks, step by step."""
    from tasks.database import trace as trace_question

    steps = trace_question(_database(common), benchmark, question_id).to_dicts()
    if common.json:
        print_json(steps)
        return
    from flows.terminal import print_steps

    print_steps(steps)


@app.command
def cost(*, common: Common = Common()) -> None:
    """Show what every run asked and paid."""
    from tasks.database import cost as cost_of_runs

    _show(cost_of_runs(_database(common)).to_dicts(), common)


@app.command
def doctor(*, common: Common = Common()) -> None:
    """Check that everything Proctor needs is there."""
    from tasks.doctor import examine

    findings = examine(_database(common))
    _show([asdict(finding) for finding in findings], common)
    if any(finding.state == "broken" for finding in findings):
        raise ProctorError("something is broken; see above")


@models_app.command(name="list")
def list_models(*, common: Common = Common()) -> None:
    """Show every model of the registry."""
    from tasks.evaluations import open_registry
    from tasks.models import list_models as rows_of

    _show(rows_of(open_registry()), common)


@models_app.command(name="serve")
def serve_model(name: str, *, port: int = 0, common: Common = Common()) -> None:
    """Serve a local model over HTTP until interrupted."""
    from tasks.evaluations import open_registry
    from tasks.models import serve_model as serve

    serve(open_registry(), name, port=port, say=say)


@db_app.command(name="publish")
def publish_database(*, common: Common = Common()) -> None:
    """Publish a snapshot for readers now."""
    from tasks.database import publish

    say(f"published {publish(_database(common))}")


@db_app.command(name="verify")
def verify_database(*, common: Common = Common()) -> None:
    """Prove that the stored data keeps its rules and hashes."""
    from tasks.database import verify

    done = verify(_database(common))
    if common.json:
        print_json(asdict(done))
    else:
        say(
            f"sound: {done.n_checks} rules hold, {done.n_prompts} prompts and "
            f"{done.n_questions} questions are what their hashes say"
        )


@db_app.command(name="backup")
def backup_database(target: Path, *, common: Common = Common()) -> None:
    """Write a whole copy of the database to a new file."""
    from tasks.database import backup

    say(f"backup: {backup(_database(common), target)}")


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns the exit status. Explained failures are one line on stderr."""
    for name, value in PREFECT_DEFAULTS.items():
        os.environ.setdefault(name, value)
    if sys.stderr.isatty():  # the progress bars say what the log would
        os.environ.setdefault("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", "WARNING")
    try:
        app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
    except cyclopts.CycloptsError as error:
        say(f"proctor: {' '.join(str(error).split())} (proctor --help lists the commands)")
        return BadInput.exit_code
    except ProctorError as error:
        say(f"proctor: {' '.join(str(error).split())}")
        return error.exit_code
    except (KeyboardInterrupt, asyncio.CancelledError):
        say("proctor: interrupted; everything that arrived is kept, the same command goes on")
        return 3
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    return 0


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


def _database(common: Common) -> Any:
    from tasks.database import open_database

    return open_database(common.path)


def _show(rows: list[dict[str, Any]], common: Common) -> None:
    if common.json:
        print_json(rows)
    else:
        print_rows(rows)


def _show_leaderboard(database: str | None, benchmark: str, epoch: str, *, as_json: bool) -> None:
    from tasks.database import open_database
    from tasks.leaderboard import read_board

    with open_database(database).read() as store:
        board = read_board(store, benchmark, epoch)
    for line in board.warnings:
        say(f"note: {line}")
    rows = [asdict(row) for row in board.rows]
    if as_json:
        print_json(rows)
    else:
        shown = ("model", "mode", "epoch", "n_scored", "n_expected", "score", "score_lower")
        more = ("score_upper", "truncated_rate", "unparsed_rate", "cost_usd")
        print_rows([{name: row[name] for name in shown + more} for row in rows], benchmark)


def _show_dry_run(asked: dict[str, Any], common: Common) -> None:
    from tasks.evaluations import dry_run, evaluation_of

    _show([asdict(line) for line in dry_run(_database(common), evaluation_of(asked))], common)
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


def _rectangular(counts: Any) -> dict[str, dict[str, int]]:
    types = list(dict.fromkeys(kind for by_type in counts.values() for kind in by_type))
    return {
        subject: {kind: by_type.get(kind, 0) for kind in types}
        for subject, by_type in counts.items()
    }


if __name__ == "__main__":
    sys.exit(main())
