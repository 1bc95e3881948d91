"""Commands that let people look at what was read, and take back what they say."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from flows.cli_options import Common, open_named
from flows.terminal import print_json, print_rows, say

if TYPE_CHECKING:
    from tasks.rescoring import Changes


def review_extracts(
    *,
    benchmark: str,
    model: str | None = None,
    mode: str | None = None,
    epoch: str | None = None,
    reason: Literal["recorded", "model", "undecided"] | None = None,
    limit: int = 500,
    out: Path = Path("review.html"),
    common: Common = Common(),
) -> None:
    """Write an HTML sheet of replies whose answer a person should look at.

    Parameters
    ----------
    reason
        Only replies where a person recorded another answer, where the extraction model answers for
        the rules, or which nobody could read.

    """
    from tasks.review import write_sheet

    done = write_sheet(
        open_named(common),
        out,
        benchmark,
        model=model,
        mode=mode,
        epoch=epoch,
        reason=reason,
        limit=limit,
    )
    if common.json:
        print_json(asdict(done))
        return
    why = ", ".join(f"{n} {name}" for name, n in done.n_by_reason.items()) or "nothing to look at"
    more = f"; {done.n_left_out} more beyond --limit {limit}" if done.n_left_out else ""
    say(f"Review sheet: {done.path.resolve()} ({why}{more})")


def import_review(file: Path, *, benchmark: str | None = None, common: Common = Common()) -> None:
    """Store the corrections that a review sheet saved, and show what they change."""
    from tasks.review import import_review as store_review

    done = store_review(open_named(common), file, benchmark)
    counts = {name: getattr(done, name) for name in ("benchmark", "n_new", "n_unchanged")}
    if not common.json:
        say(f"{done.benchmark}: {done.n_new} corrections stored, {done.n_unchanged} there already")
    show_changes(done.changes, common, **counts)


def show_changes(changes: "Changes", common: Common, **about: object) -> None:
    """What a new reading or marking changed: scores, and the rules responsible. `about`: what else
    belongs into the JSON document."""
    if common.json:
        frames = {name: frame.to_dicts() for name, frame in changes._asdict().items()}
        print_json({**about, **frames})
        return
    print_rows(changes.scores.to_dicts(), "Scores before and after")
    if changes.rules.is_empty():
        say("no answer changed")
    else:
        print_rows(changes.rules.to_dicts(), "Answers that changed, by the rules that read them")
