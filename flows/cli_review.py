"""Commands that let people look at what was read, and take back what they say."""

from dataclasses import asdict
from pathlib import Path
from typing import Literal

from flows.cli_options import Common, open_named
from flows.terminal import print_json, print_rows, say


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
    say(f"Review sheet: {done.path.resolve()} ({why})")


def import_review(file: Path, *, benchmark: str | None = None, common: Common = Common()) -> None:
    """Store the corrections that a review sheet saved, and show what they change."""
    from tasks.review import import_review as store_review

    show_changes(store_review(open_named(common), file, benchmark), common)


def show_changes(changes: object, common: Common) -> None:
    """What a new reading or marking changed: scores, and the rules responsible."""
    from tasks.rescoring import Changes

    assert isinstance(changes, Changes)
    if common.json:
        print_json({name: frame.to_dicts() for name, frame in changes._asdict().items()})
        return
    print_rows(changes.scores.to_dicts(), "Scores before and after")
    if changes.rules.is_empty():
        say("no answer changed")
    else:
        print_rows(changes.rules.to_dicts(), "Answers that changed, by the rules that read them")
