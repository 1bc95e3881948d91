"""Responses that were produced elsewhere, as if they had been sampled here.

In: a file of responses to questions that the benchmark has. Out: rows of `prompts`, `requests`,
`sittings`, `calls` and `completions` at the endpoint `import:<model>`; what people read in them as
`extracts` of an extractor of their own; and the wording of the mode in `prompt_packs`, where the
file's prompts prove it. The whole file is checked first and stored in one transaction.

The identity of an imported request has the hash of the file in it: the same file again stores
nothing, and a corrected file takes the place of the first one, whose rows stay as evidence.

The benchmark decides what a question is: a file's own gold and type never replace the stored ones
(differences are counted in a notice), and answers to another text are refused.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tasks.core.calls.ledger import CallRecord, ledger_rows
from tasks.core.errors import BadInput
from tasks.core.extraction import EXTRACTOR
from tasks.core.files.recorded_extracts import RECORDED, read_recorded
from tasks.core.files.recorded_sittings import (
    RecordedSitting,
    coverage,
    differences,
    endpoint_of,
    sittings_of,
)
from tasks.core.files.responses import RecordedReply, ResponseFile, parse_responses
from tasks.core.hashing import bytes_hash, content_hash
from tasks.core.names import check_name
from tasks.core.prompts.packs import Asked, derive_pack
from tasks.core.prompts.rendering import PromptPack
from tasks.core.questions.stored_rows import question_of
from tasks.core.types import Aggregation, CompletionStatus, Purpose, Question, Tolerance
from tasks.extracts import choose_scoring, extract_row
from tasks.io.database import Database
from tasks.io.files import read_file
from tasks.io.store import Store
from tasks.questions import known_questions, require_database
from tasks.runs import Run, end, new_run, start
from tasks.sittings import imported_pack


@dataclass(frozen=True, slots=True)
class ResponsesImported:
    """What an import of responses came to.

    `n_recorded`: samples that a person's reading came with. `pack`: the name of the wording that
    the prompts proved, None where they proved none. `is_new`: whether anything was stored.
    """

    benchmark: str
    model: str
    mode: str
    epoch: str
    n_questions: int
    n_samples: int
    n_replies: int
    n_failed: int
    n_recorded: int
    pack: str | None
    is_new: bool
    notices: tuple[str, ...]


def import_responses(
    database: Database,
    file: Path,
    benchmark: str,
    model: str,
    mode: str,
    *,
    epoch: str = "",
    recorded_extracts: bool = False,
    aggregation: Aggregation = Aggregation.MEAN,
    tolerance: Tolerance | None = None,
) -> ResponsesImported:
    """Store the replies of a file as a sitting of `model` in `mode`.

    `recorded_extracts`: the scores of this cell use what people read, else our own extractor.
    `tolerance` None keeps the cell's. Raises BadInput naming the row of the first fault.
    """
    check_name("--model", model)
    check_name("--mode", mode)
    check_name("--epoch", epoch, may_be_empty=True)
    content = read_file(file)
    parsed = parse_responses(content, str(file), f"{model}_{mode}")
    source = bytes_hash(content)
    n_recorded = _count_recorded(parsed, file, required=recorded_extracts)
    settings = {
        "file": str(file),
        "sha256": source,
        "recorded_extracts": recorded_extracts,
        "n_samples": parsed.n_samples,
        "aggregation": aggregation.value,
    }
    about = {"benchmark": benchmark, "model": model, "mode": mode, "epoch": epoch}
    run = new_run(f"import responses {file.name}", settings, **about)
    require_database(database, benchmark)
    with database.open() as store:
        stored = known_questions(store, benchmark)
    questions = {identity: question_of(row) for identity, row in stored.items()}
    sittings = sittings_of(parsed.replies, questions, benchmark, model, source)
    pack, pack_notices = _proven_pack(sittings, questions, file, mode)
    rows = _rows(run, sittings, parsed.n_samples, aggregation)
    with database.open() as store, store.transaction():
        is_new = _store_rows(store, run, rows)
        if pack is not None:
            replaced, pack_is_new = _store_pack(store, run, pack, sittings)
            is_new |= pack_is_new
            pack_notices += replaced
        chosen = store.query("scoring_choice", **about)
        choose_scoring(
            store,
            about,
            run.run_id,
            extractor=RECORDED if recorded_extracts else EXTRACTOR,
            tolerance=tolerance,
        )
        is_new |= not store.query("scoring_choice", **about).equals(chosen)
        if is_new:
            start(store, run)
            end(store, run, "completed")
    if is_new:
        database.publish()
    notices = [*parsed.notices, *differences(sittings, str(file)), *pack_notices]
    return ResponsesImported(
        **about,
        n_questions=len(sittings),
        n_samples=parsed.n_samples,
        n_replies=len(parsed.replies),
        n_failed=sum(reply.error is not None for reply in parsed.replies),
        n_recorded=n_recorded,
        pack=None if pack is None else pack.name,
        is_new=is_new,
        notices=(*notices, *coverage(sittings, questions, parsed.n_samples, benchmark)),
    )


def _count_recorded(parsed: ResponseFile, file: Path, *, required: bool) -> int:
    extracts = [each for reply in parsed.replies for each in reply.extracts]
    n_recorded = sum(each is not None for each in extracts)
    if required and n_recorded < len(extracts):
        raise BadInput(
            f"{file}: --recorded-extracts: {len(extracts) - n_recorded} of {len(extracts)} samples "
            "have no field 'extract'; leave the option out to use Proctor's own extractor"
        )
    return n_recorded


def _rows(
    run: Run, sittings: Sequence[RecordedSitting], n_samples: int, aggregation: Aggregation
) -> dict[str, list[dict[str, Any]]]:
    """Table → all rows of the import but those that depend on what is stored."""
    now = datetime.now(UTC)
    model = run.model or ""
    rows: dict[str, list[dict[str, Any]]] = {
        table: []
        for table in ("sittings", "prompts", "requests", "calls", "completions", "extracts")
    }
    for sitting in sittings:
        prompt_hash = content_hash(sitting.messages)
        rows["sittings"].append(
            {
                "run_id": run.run_id,
                **_cell(run),
                "question_id": sitting.question.question_id,
                "question_hash": sitting.question_hash,
                "request_hash": sitting.request_hash,
                "n_samples": n_samples,
                "aggregation": aggregation.value,
                "recorded_at": now,
            }
        )
        rows["prompts"].append({"prompt_hash": prompt_hash, "messages": sitting.messages})
        rows["requests"].append(
            {
                "request_hash": sitting.request_hash,
                "endpoint": endpoint_of(model),
                "api_name": model,
                "prompt_hash": prompt_hash,
                "parameters": {},
            }
        )
        for reply in sitting.replies:
            ledger = _ledger(run, sitting, reply, now)
            rows["calls"] += ledger["calls"]
            rows["completions"] += ledger["completions"]
            rows["extracts"] += [
                extract_row(
                    {**completion, "question_hash": sitting.question_hash},
                    read_recorded(recorded, sitting.question.type),
                    RECORDED,
                    now,
                )
                for completion, recorded in zip(ledger["completions"], reply.extracts, strict=False)
                if recorded is not None
            ]
    return rows


def _cell(run: Run) -> dict[str, str]:
    return {
        "benchmark": run.benchmark or "",
        "model": run.model or "",
        "mode": run.mode or "",
        "epoch": run.epoch,
    }


def _store_rows(store: Store, run: Run, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> bool:
    """Append the rows, unless their sittings are the cell's current ones already."""
    current = store.query("current_sittings", **_cell(run))
    stored = {row["question_id"]: row for row in current.to_dicts()}
    if all(
        (before := stored.get(row["question_id"])) and before.items() <= row.items()
        for row in rows["sittings"]
    ):
        return False
    for table, added in rows.items():
        store.append(table, added)
    return True


def _ledger(
    run: Run, sitting: RecordedSitting, reply: RecordedReply, now: datetime
) -> dict[str, list[dict[str, Any]]]:
    """Rows of `calls` and `completions` whose identity is the reply's place in the file."""
    slots = range(reply.sample_index, reply.sample_index + reply.n_slots)
    choices = reply.reply.choices
    received_at = reply.created_at or now
    record = CallRecord(
        run_id=run.run_id,
        purpose=Purpose.SAMPLE,
        endpoint=endpoint_of(run.model or ""),
        model=run.model or "",
        request_hash=sitting.request_hash,
        epoch=run.epoch,
        sample_indices=slots,
        status=choices[0].status if choices else CompletionStatus.ERROR,
        reply=reply.reply,
        http_status=None,
        error_code=None,
        error=reply.error,
        n_attempts=1,
        cost_usd=None,
        started_at=received_at,
        duration_s=0.0,
    )
    identity = [sitting.request_hash, run.epoch, reply.sample_index]
    call_id = content_hash(identity).partition(":")[2]
    ledger = ledger_rows(record)
    return {
        "calls": [row | {"call_id": call_id} for row in ledger["calls"]],
        "completions": [
            row | {"call_id": call_id, "received_at": received_at} for row in ledger["completions"]
        ],
    }


def _proven_pack(
    sittings: Sequence[RecordedSitting], questions: Mapping[str, Question], file: Path, mode: str
) -> tuple[PromptPack | None, list[str]]:
    """The wording that the prompts prove for every type of the benchmark, or why there is none."""
    asked = [
        Asked(sitting.question, sitting.messages[0]["content"])
        for sitting in sittings
        if len(sitting.messages) == 1
    ]
    if not asked:
        return None, []
    try:
        pack = derive_pack(file.name, mode, asked)
    except BadInput as reason:
        return None, [f"no prompt wording was imported: {reason}"]
    needed = {each.type for each in questions.values() if each.status == "kept"}
    if lacking := sorted(needed - set(pack.by_type)):
        return None, [f"no prompt wording was imported: {file.name} has no {', '.join(lacking)}"]
    frames = {kind.value: [frame.prefix, frame.suffix] for kind, frame in pack.by_type.items()}
    wording = content_hash([pack.whitespace_rule, frames]).partition(":")[2]
    name = f"imported:{wording[:12]}"
    return PromptPack(name, mode, pack.whitespace_rule, pack.by_type), []


def _store_pack(
    store: Store, run: Run, pack: PromptPack, sittings: Sequence[RecordedSitting]
) -> tuple[list[str], bool]:
    """Append a pack that is not the current one. Returns notices, and whether it is new."""
    benchmark = run.benchmark or ""
    before = imported_pack(store, benchmark, pack.mode)
    if before == pack:
        return [], False
    n_verified = Counter(each.question.type for each in sittings if len(each.messages) == 1)
    now = datetime.now(UTC)
    store.append(
        "prompt_packs",
        [
            {
                "benchmark": benchmark,
                "mode": pack.mode,
                "type": kind.value,
                "pack": pack.name,
                "prefix": frame.prefix,
                "suffix": frame.suffix,
                "whitespace_rule": pack.whitespace_rule,
                "n_verified": n_verified[kind],
                "run_id": run.run_id,
                "recorded_at": now,
            }
            for kind, frame in pack.by_type.items()
        ],
    )
    if before is None:
        return [], True
    notice = f"mode {pack.mode}: this file's prompt wording takes the place of {before.name}"
    return [notice], True
