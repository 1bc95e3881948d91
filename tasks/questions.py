"""Tables `questions` and `answer_keys`: what is asked, and what is right.

In: a file of questions or of answer keys. Out: a row for each question, and one for each key, that
is new or differs from the stored one; importing the same file again stores nothing. Rows are only
ever added: a question that the file lacks stays, and the newest row of a question is the current
one. The whole file is read and checked before anything is stored, in one transaction.

What the file does not say stays as it is: a question keeps its status, reason and figure mark
where the file has no such field, and its key where the file has no gold for it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from tasks.core.errors import UnknownName
from tasks.core.files.keys import RecordedKey, key_for, parse_keys
from tasks.core.files.questions import ParsedQuestion, parse_questions
from tasks.core.files.rows import read_each, shown
from tasks.core.names import check_name
from tasks.core.questions.stored_rows import key_hash, question_hash, question_of
from tasks.core.types import Question
from tasks.io.database import Database
from tasks.io.files import read_file
from tasks.io.store import Store
from tasks.runs import end, new_run, start

ExportFormat = Literal["json", "jsonl"]


@dataclass(frozen=True, slots=True)
class QuestionsImported:
    """What an import of questions came to. `counts`: subject ('' = none) → type → questions of
    the file. All zero but `n_unchanged`: nothing was stored."""

    benchmark: str
    n_new: int
    n_changed: int
    n_unchanged: int
    n_keys_new: int
    n_keys_revised: int
    counts: Mapping[str, Mapping[str, int]]
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeysImported:
    """What an import of answer keys came to."""

    benchmark: str
    n_new: int
    n_revised: int
    n_unchanged: int
    notices: tuple[str, ...]


def import_questions(database: Database, file: Path, benchmark: str) -> QuestionsImported:
    """Store the questions of a file that are new or changed, and their keys. Raises BadInput."""
    check_name("--benchmark", benchmark)
    parsed = parse_questions(read_file(file), str(file))
    command = f"import questions {file.name}"
    run = new_run(command, {"file": str(file)}, benchmark=benchmark)
    with database.open() as store, store.transaction():
        stored = _stored(store, benchmark)
        last_position = max((row["position"] for row in stored.values()), default=-1)
        now = datetime.now(UTC)
        new, changed, keys = [], [], []
        for each in parsed.questions:
            before = stored.get(each.question.question_id)
            question = _completed(each, before)
            position = before["position"] if before else last_position + 1 + each.position
            row = _question_row(question, each, position)
            if before is None:
                new.append(row)
            elif _content(row) != _content(before):
                changed.append(row)
            if question.gold is not None:
                keys.append((question, before))
        key_rows = [
            _key_row(question.question_id, question.gold or "", file.name)
            for question, before in keys
            if before is None or before["key_hash"] != key_hash(question.gold or "")
        ]
        n_revised = sum(
            stored.get(row["question_id"], {}).get("gold") is not None for row in key_rows
        )
        about = {"benchmark": benchmark, "run_id": run.run_id, "recorded_at": now}
        if new or changed or key_rows:
            store.append("questions", [row | about for row in new + changed])
            store.append("answer_keys", [row | about for row in key_rows])
            start(store, run)
            end(store, run, "completed")
    if new or changed or key_rows:
        database.publish()
    given = {each.question.question_id for each in parsed.questions}
    n_others = len(stored.keys() - given)
    notices = list(parsed.notices)
    if n_others:
        notices.append(f"{benchmark}: {n_others} stored questions are not in the file and stay")
    return QuestionsImported(
        benchmark=benchmark,
        n_new=len(new),
        n_changed=len(changed),
        n_unchanged=len(parsed.questions) - len(new) - len(changed),
        n_keys_new=len(key_rows) - n_revised,
        n_keys_revised=n_revised,
        counts=_counts(parsed.questions),
        notices=tuple(notices),
    )


def import_keys(database: Database, file: Path, benchmark: str) -> KeysImported:
    """Store the keys of a file that are new or revised; answers are marked again by them without a
    call. Raises BadInput for a question that the benchmark lacks, or a key that does not fit it."""
    parsed = parse_keys(read_file(file), str(file))
    run = new_run(f"import keys {file.name}", {"file": str(file)}, benchmark=benchmark)
    require_database(database, benchmark)
    with database.open() as store, store.transaction():
        stored = known_questions(store, benchmark)
        golds = _golds(parsed.keys, stored, benchmark)
        rows = [
            _key_row(identity, gold, file.name)
            for identity, gold in golds.items()
            if stored[identity]["key_hash"] != key_hash(gold)
        ]
        about = {"benchmark": benchmark, "run_id": run.run_id, "recorded_at": datetime.now(UTC)}
        if rows:
            store.append("answer_keys", [row | about for row in rows])
            start(store, run)
            end(store, run, "completed")
    if rows:
        database.publish()
    n_revised = sum(stored[row["question_id"]]["gold"] is not None for row in rows)
    keyless = sum(
        row["gold"] is None and identity not in golds and row["type"] != "Open"
        for identity, row in stored.items()
    )
    notice = f"{benchmark}: {keyless} questions still have no key"
    return KeysImported(
        benchmark=benchmark,
        n_new=len(rows) - n_revised,
        n_revised=n_revised,
        n_unchanged=len(golds) - len(rows),
        notices=(*parsed.notices, *([notice] if keyless else [])),
    )


def export_questions(
    database: Database, benchmark: str, *, include_all: bool, form: ExportFormat
) -> str:
    """Write a benchmark's questions in JEEBench's form, in the benchmark's order.

    `include_all`: dropped and flagged ones too. The text is read back by `import_questions`.
    """
    with database.read() as store:
        stored = known_questions(store, benchmark)
    rows = [
        _exported(question_of(row))
        for row in stored.values()
        if include_all or row["status"] == "kept"
    ]
    if form == "jsonl":
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return json.dumps(rows, ensure_ascii=False, indent=4) + "\n"


def _stored(store: Store, benchmark: str) -> dict[str, dict[str, Any]]:
    rows = store.query("questions_of_benchmark", benchmark=benchmark)
    ordered = rows.sort("position", "question_id").iter_rows(named=True)
    return {row["question_id"]: row for row in ordered}


def require_database(database: Database, benchmark: str) -> None:
    """Refuse a benchmark where there is no database yet, rather than make an empty one."""
    if not database.is_there:
        raise UnknownName(
            f"--benchmark {benchmark!r} has no questions: there is no database {database.path} yet "
            "(proctor import questions FILE --benchmark NAME makes one)"
        )


def known_questions(store: Store, benchmark: str) -> dict[str, dict[str, Any]]:
    """Return `questions_current` of a benchmark by id, in order. Raises UnknownName for none."""
    stored = _stored(store, benchmark)
    if not stored:
        known = ", ".join(store.query("known_benchmarks")["benchmark"]) or "none yet"
        raise UnknownName(
            f"--benchmark {benchmark!r} has no questions; known: {known} "
            "(proctor import questions FILE --benchmark NAME makes one)"
        )
    return stored


def _completed(parsed: ParsedQuestion, before: Mapping[str, Any] | None) -> Question:
    """Take over from the stored question what the file is silent about."""
    question = parsed.question
    if before is None:
        return question
    if "status" not in parsed.given:
        question = replace(question, status=before["status"], reason=before["reason"])
    if "has_figure" not in parsed.given:
        question = replace(question, has_figure=before["has_figure"])
    return question


def _question_row(question: Question, parsed: ParsedQuestion, position: int) -> dict[str, Any]:
    return {
        "question_id": question.question_id,
        "question_hash": question_hash(question),
        "position": position,
        "exam": question.exam,
        "number": question.number,
        "subject": question.subject,
        "type": question.type.value,
        "question": question.question,
        "options": json.dumps(dict(question.options)),
        "has_figure": question.has_figure,
        "status": question.status,
        "reason": question.reason,
        "extra": json.dumps(dict(parsed.extra)),
    }


def _content(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """What makes two rows of a question the same."""
    plain = ("question_hash", "exam", "number", "subject", "has_figure", "status", "reason")
    return (*(row[name] for name in plain), json.loads(row["extra"]))


def _key_row(question_id: str, gold: str, source: str) -> dict[str, Any]:
    return {"question_id": question_id, "key_hash": key_hash(gold), "gold": gold, "source": source}


def _golds(
    keys: Sequence[RecordedKey], stored: Mapping[str, Mapping[str, Any]], benchmark: str
) -> dict[str, str]:
    unknown = [key for key in keys if key.question_id not in stored]
    if unknown:
        more = f" ({len(unknown) - 1} more keys of unknown questions)" if unknown[1:] else ""
        raise unknown[0].row.fault(
            "question_id", f"{shown(unknown[0].question_id)} is no question of {benchmark!r}{more}"
        )
    golds = read_each(keys, lambda key: key_for(key, question_of(stored[key.question_id])))
    return {key.question_id: gold for key, gold in zip(keys, golds, strict=True)}


def _counts(questions: Sequence[ParsedQuestion]) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for each in questions:
        by_type = counts.setdefault(each.question.subject or "", {})
        by_type[each.question.type] = by_type.get(each.question.type, 0) + 1
    return counts


def _exported(question: Question) -> dict[str, Any]:
    return {
        "description": question.exam,
        "index": question.number,
        "subject": question.subject,
        "type": question.type.value,
        "question": question.question,
        "gold": question.gold,
        "question_id": question.question_id,
        "has_figure": question.has_figure,
        "status": question.status,
        "reason": question.reason,
    }
