"""Commands that bring data in, look at it and keep it. None of them asks a model."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from flows.cli_options import Common, open_named, show, show_leaderboard
from flows.terminal import print_json, print_rows, say
from tasks.core.errors import BadInput, ProctorError


def import_questions(file: Path, *, benchmark: str, common: Common = Common()) -> None:
    """Store questions: JEEBench dataset.json, Arena-Hard question.jsonl, own CSV, JSON or JSONL."""
    from tasks.questions import import_questions as store_questions

    database = open_named(common)
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


def import_keys(file: Path, *, benchmark: str, common: Common = Common()) -> None:
    """Store answer keys: several accepted ("A or C"), ranges ("2.30 to 2.40"), "dropped"."""
    from tasks.evaluations import score_stored
    from tasks.questions import import_keys as store_keys

    database = open_named(common)
    done = store_keys(database, file, benchmark)
    score_stored(database, benchmark)
    for notice in done.notices:
        say(notice)
    if common.json:
        print_json(asdict(done))
    else:
        say(f"{benchmark}: {done.n_new} new keys, {done.n_revised} revised")


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

    database = open_named(common)
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
    show_leaderboard(common.path, benchmark, epoch, as_json=False)


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

    if common.json and format_ == "jsonl":
        raise BadInput("--json means one document; leave it out, or take --format json")
    sys.stdout.write(read_questions(open_named(common), benchmark, include_all=all_, form=format_))


def sql(statement: str, *, common: Common = Common()) -> None:
    """Ask the database a read-only question; works while a run writes."""
    from tasks.database import answer_sql

    answer = answer_sql(open_named(common), statement)
    say(f"snapshot is {answer.age_s:.0f} s old")
    show(answer.rows.to_dicts(), common)


def trace(question_id: str, *, benchmark: str, common: Common = Common()) -> None:
    """Show one question from its text to its marks, step by step."""
    from tasks.database import trace as trace_question

    steps = trace_question(open_named(common), benchmark, question_id).to_dicts()
    if common.json:
        print_json(steps)
        return
    from flows.terminal import print_steps

    print_steps(steps)


def cost(*, common: Common = Common()) -> None:
    """Show what every run asked and paid."""
    from tasks.database import cost as cost_of_runs

    show(cost_of_runs(open_named(common)).to_dicts(), common)


def doctor(*, common: Common = Common()) -> None:
    """Check that everything Proctor needs is there."""
    from tasks.doctor import examine

    findings = examine(open_named(common))
    show([asdict(finding) for finding in findings], common)
    if any(finding.state == "broken" for finding in findings):
        raise ProctorError("something is broken; see above")


def list_models(*, common: Common = Common()) -> None:
    """Show every model of the registry."""
    from tasks.models import list_models as rows_of
    from tasks.registry import open_registry

    show(rows_of(open_registry()), common)


def serve_model(name: str, *, port: int = 0, common: Common = Common()) -> None:
    """Serve a local model over HTTP until interrupted."""
    from tasks.models import serve_model as serve
    from tasks.registry import open_registry

    serve(open_registry(), name, port=port, say=say)


def publish_database(*, common: Common = Common()) -> None:
    """Publish a snapshot for readers now."""
    from tasks.database import publish

    path = publish(open_named(common))
    _show_path("published", path, common)


def verify_database(*, common: Common = Common()) -> None:
    """Prove that the stored data keeps its rules and hashes."""
    from tasks.database import verify

    done = verify(open_named(common))
    if common.json:
        print_json(asdict(done))
    else:
        say(
            f"sound: {done.n_checks} rules hold, {done.n_prompts} prompts and "
            f"{done.n_questions} questions are what their hashes say"
        )


def backup_database(target: Path, *, common: Common = Common()) -> None:
    """Write a whole copy of the database to a new file."""
    from tasks.database import backup

    path = backup(open_named(common), target)
    _show_path("backup", path, common)


def _show_path(what: str, path: Path, common: Common) -> None:
    if common.json:
        print_json({what: str(path)})
    else:
        say(f"{what}: {path}")


def _rectangular(counts: Any) -> dict[str, dict[str, int]]:
    types = list(dict.fromkeys(kind for by_type in counts.values() for kind in by_type))
    return {
        subject: {kind: by_type.get(kind, 0) for kind in types}
        for subject, by_type in counts.items()
    }
