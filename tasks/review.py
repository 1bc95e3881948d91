"""Table `extract_corrections`: what people say that replies answer.

`write_sheet` makes a page of the replies that a person should look at; the file that it saves comes
back through `import_review`. Corrections are kept apart from what programs read and are used first;
they ask no model.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from markupsafe import Markup

from tasks.core.errors import BadInput, UnknownName
from tasks.core.extraction import EXTRACTOR
from tasks.core.files.review import Correction, answer_to, parse_review
from tasks.core.hashing import content_hash
from tasks.core.names import check_name
from tasks.core.questions.stored_rows import question_of
from tasks.core.report.page import content_security_policy
from tasks.core.report.responses import packed, question_record
from tasks.core.report.review import review_record
from tasks.core.types import Question
from tasks.evaluations import score_stored
from tasks.io.database import Database
from tasks.io.files import read_file
from tasks.io.pages import asset, render, text_file, write_files
from tasks.questions import require_database
from tasks.rescoring import Changes, changes_since, scores_now
from tasks.runs import importing, new_run

Reason = Literal["recorded", "model", "undecided"]
SCRIPTS = ("elements.js", "review.js")
MOST_ITEMS = 500


@dataclass(frozen=True, slots=True)
class SheetSummary:
    """What a sheet holds: replies by reason. `n_left_out`: those beyond its limit."""

    path: Path
    n_items: int
    n_left_out: int
    n_by_reason: Mapping[str, int]


def write_sheet(
    database: Database,
    path: Path,
    benchmark: str,
    *,
    model: str | None = None,
    mode: str | None = None,
    epoch: str | None = None,
    reason: Reason | None = None,
    limit: int = MOST_ITEMS,
) -> SheetSummary:
    """Write one HTML page, which loads nothing, of replies that a person should look at.

    Raises UnknownName for a benchmark without replies, BadInput where the page cannot be written.
    """
    if limit < 1:
        raise BadInput(f"--limit {limit} must be above 0")
    with database.read() as store:
        found = store.query(
            "extract_disagreements",
            benchmark=benchmark,
            model=model,
            mode=mode,
            epoch=epoch,
            rules=EXTRACTOR,
            reason=reason,
            limit=limit,
        )
        if found.is_empty() and store.query("replies_of_benchmark", benchmark=benchmark).is_empty():
            raise UnknownName(f"benchmark {benchmark!r} has no replies to look at")
        questions = store.query("report_questions", benchmark=benchmark)
    n_found = found["n_found"][0] if found.height else 0
    items = [review_record(row) for row in found.drop("n_found").iter_rows(named=True)]
    shown = {item["question_id"] for item in items}
    records = [
        question_record(row)
        for row in questions.iter_rows(named=True)
        if row["question_id"] in shown
    ]
    sheet = content_hash([benchmark, items])
    style = asset("report.css") + asset("review.css")
    script = "\n".join(asset(name) for name in SCRIPTS)
    page = render(
        "review.html.jinja",
        policy=content_security_policy([style], [script]),
        style=Markup(style),
        script=Markup(script),
        data=packed({"benchmark": benchmark, "sheet": sheet, "items": items, "questions": records}),
        benchmark=benchmark,
        n_items=len(items),
        n_left_out=n_found - len(items),
    )
    write_files(path.absolute().parent, {path.name: text_file(page)})
    reasons = [item["reason"] for item in items]
    return SheetSummary(
        path=path,
        n_items=len(items),
        n_left_out=n_found - len(items),
        n_by_reason={name: reasons.count(name) for name in sorted({*reasons})},
    )


@dataclass(frozen=True, slots=True)
class ReviewImported:
    """What an import of a review came to. `n_unchanged`: corrections that were stored already."""

    benchmark: str
    n_new: int
    n_unchanged: int
    changes: Changes


def import_review(database: Database, file: Path, benchmark: str | None = None) -> ReviewImported:
    """Store the corrections of a file, all or none, and mark again. The same file again stores
    nothing.

    Raises BadInput for a fault in the file, a reply that is not there, a question whose text has
    changed since, and an answer that does not fit its question.
    """
    review = parse_review(read_file(file), str(file))
    if benchmark is not None and benchmark != review.benchmark:
        raise BadInput(
            f"{file}: a review of {review.benchmark!r}; --benchmark {benchmark!r} is another one"
        )
    check_name(f"{file}: reviewer", review.reviewer, may_be_empty=True)
    require_database(database, review.benchmark)
    with database.open() as store:
        rows = store.query("questions_of_benchmark", benchmark=review.benchmark)
        replies = store.query("replies_of_benchmark", benchmark=review.benchmark)
        stored = store.query("corrections_of_benchmark", benchmark=review.benchmark)
    questions = {row["question_hash"]: question_of(row) for row in rows.iter_rows(named=True)}
    known = {(row["question_id"], *_key(row)) for row in replies.iter_rows(named=True)}
    current = {_key(row): row for row in stored.iter_rows(named=True)}
    corrections = [
        _row(each, questions, known) | {"reviewer": review.reviewer} for each in review.corrections
    ]
    new = [row for row in corrections if current.get(_key(row)) != row]
    before = scores_now(database, review.benchmark)
    if new:
        run = new_run(f"import review {file.name}", {"file": str(file)}, benchmark=review.benchmark)
        about = {"run_id": run.run_id, "recorded_at": datetime.now(UTC)}
        with importing(database, run) as store:
            store.append("extract_corrections", [row | about for row in new])
        score_stored(database, review.benchmark)
    return ReviewImported(
        benchmark=review.benchmark,
        n_new=len(new),
        n_unchanged=len(corrections) - len(new),
        changes=changes_since(database, review.benchmark, before),
    )


def _key(row: Mapping[str, Any]) -> tuple[str, int, str]:
    return row["call_id"], row["sample_index"], row["question_hash"]


def _row(
    correction: Correction, questions: Mapping[str, Question], known: set[tuple[str, str, int, str]]
) -> dict[str, Any]:
    place = f"{correction.place} ({correction.question_id})"
    question = questions.get(correction.question_hash)
    if question is None:
        raise BadInput(f"{place}: the question's text is another one now; make the sheet anew")
    row = {
        "call_id": correction.call_id,
        "sample_index": correction.sample_index,
        "question_hash": correction.question_hash,
        "answer": answer_to(question, correction),
        "status": correction.status.value,
        "note": correction.note,
    }
    if (correction.question_id, *_key(row)) not in known:
        raise BadInput(
            f"{place}: this question has no such reply in this database (call "
            f"{correction.call_id!r}, sample {correction.sample_index}); make the sheet anew"
        )
    return row
