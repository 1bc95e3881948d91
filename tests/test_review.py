"""People correct what was read: the sheet in a browser, the file it saves, and what follows."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tasks.core.extraction import EXTRACTOR
from tests.browser import opened
from tests.commands import proctor, rows_of, succeed

HOSTILE = "</script><script>document.title='owned'</script><img src=x onerror=alert(1)>"
OPTIONS = "\n\n(A) one\n\n(B) two\n\n(C) three\n\n(D) four"
# type, gold, response, what a person recorded
ROWS = (
    ("MCQ", "B", "ANSWER: B", "B"),
    ("MCQ", "C", f"ANSWER: B {HOSTILE}", "C"),
    ("MCQ", "A", "It could be A, or D, and I have not settled which.", "A"),
    ("Numeric", "0.5", "ANSWER: 0.50", "0.5"),
    ("Numeric", "7", "I am lost. <b onclick=alert()>no</b>", "None"),
)
Import = Callable[..., Path]


@pytest.fixture
def imported(tmp_path: Path) -> Import:
    """A database of `ROWS` answered by model `m`; with what people recorded, or without."""

    def make(*, with_recorded: bool) -> Path:
        database = tmp_path / "review.duckdb"
        about = ("--benchmark", "own", "--db", database)
        questions, responses = [], []
        for number, (kind, gold, response, recorded) in enumerate(ROWS, start=1):
            text = f"Question {number}." + (OPTIONS if kind == "MCQ" else "")
            questions.append({"id": f"q{number}", "type": kind, "question": text, "gold": gold})
            extract = {"extract": recorded} if with_recorded else {}
            responses.append({"id": f"q{number}", "response": response} | extract)
        for name, content in (("questions", questions), ("responses", responses)):
            (tmp_path / f"{name}.json").write_text(json.dumps(content))
        succeed("import", "questions", tmp_path / "questions.json", *about)
        succeed("import", "responses", tmp_path / "responses.json", *about, "--model", "m")
        return database

    return make


def corrections(database: Path, **by_question: str | None) -> list[dict[str, Any]]:
    """Entries of a review file: question to answer, None for no answer."""
    replies = {
        row["question_id"]: row
        for row in rows_of(
            database,
            "SELECT call_id, sample_index, question_hash, question_id FROM extracts_current",
        )
    }
    return [
        replies[name]
        | {"status": "answered" if answer else "abstained", "answer": answer, "note": ""}
        for name, answer in by_question.items()
    ]


def review(path: Path, entries: list[dict[str, Any]], **fields: Any) -> Path:
    content = {"proctor_review": 1, "benchmark": "own", "reviewer": "Ada", "corrections": entries}
    path.write_text(json.dumps(content | fields))
    return path


def test_the_sheet_has_what_disagrees_and_nothing_else(imported: Import, tmp_path: Path) -> None:
    database = imported(with_recorded=True)
    sheet = ("review", "extracts", "--benchmark", "own", "--db", database, "--json")
    said = succeed(*sheet, "--out", tmp_path / "sheet.html").json
    assert said["n_by_reason"] == {"recorded": 2}
    assert (tmp_path / "sheet.html").stat().st_size > 10_000
    assert succeed(*sheet, "--out", tmp_path / "no.html", "--model", "x").json["n_items"] == 0


def test_without_other_readers_it_has_what_nobody_could_read(
    imported: Import, tmp_path: Path
) -> None:
    database = imported(with_recorded=False)
    sheet = ("review", "extracts", "--benchmark", "own", "--db", database, "--json")
    said = succeed(*sheet, "--out", tmp_path / "sheet.html").json
    assert said["n_by_reason"] == {"undecided": 2}


def test_the_sheet_works_in_a_browser_and_runs_nothing_of_a_response(
    imported: Import, tmp_path: Path, chromium: str, profile: Path
) -> None:
    database = imported(with_recorded=True)
    path = tmp_path / "sheet.html"
    succeed("review", "extracts", "--benchmark", "own", "--db", database, "--out", path)
    page, console = opened(chromium, profile, path.as_uri())
    assert console == []
    assert "<title>Proctor review: own</title>" in page
    assert "0 of 2 decided" in page
    assert page.count('class="review-item"') == 2
    assert "<img" not in page
    assert '<mark title="Read as the answer">B</mark>' in page


def test_a_correction_is_used_first_and_kept_apart(imported: Import, tmp_path: Path) -> None:
    database = imported(with_recorded=False)
    file = review(tmp_path / "r.json", corrections(database, q2="c", q3="A", q5=None))
    changes = succeed("import", "review", file, "--db", database, "--json").json
    assert {row["rule_after"] for row in changes["rules"]} == {"review"}
    assert sum(row["score_change"] for row in changes["rules"]) == 2.0
    read = rows_of(
        database, "SELECT question_id, answer, status, rule, extractor FROM extracts_current"
    )
    by_question = {row.pop("question_id"): row for row in read}
    by_person = {"rule": "review", "extractor": "review"}
    assert by_question["q2"] == {"answer": "C", "status": "answered"} | by_person
    assert by_question["q5"] == {"answer": None, "status": "abstained"} | by_person
    assert by_question["q1"]["extractor"] == EXTRACTOR
    kept = f"SELECT count(*) AS n FROM extracts WHERE extractor = '{EXTRACTOR}'"
    assert rows_of(database, kept) == [{"n": 5}]
    outcomes = rows_of(database, "SELECT outcome FROM scores_current ORDER BY question_id")
    assert [row["outcome"] for row in outcomes] == ["correct"] * 4 + ["blank"]
    later = review(tmp_path / "later.json", corrections(database, q2="D"))
    succeed("import", "review", later, "--db", database)
    newest = rows_of(database, "SELECT answer FROM extracts_current WHERE question_id = 'q2'")
    assert newest == [{"answer": "D"}]
    succeed("rescore", "--benchmark", "own", "--db", database)
    assert rows_of(database, "SELECT answer FROM extracts_current WHERE question_id = 'q2'") == (
        newest
    )
    succeed("db", "verify", "--db", database)


def test_rules_are_held_against_people(imported: Import, tmp_path: Path) -> None:
    database = imported(with_recorded=True)
    succeed(
        "import",
        "review",
        review(tmp_path / "r.json", corrections(database, q4="0.500")),
        "--db",
        database,
    )
    rows = rows_of(
        database,
        "SELECT against, sum(n) AS n, sum(n_agree) AS n_agree FROM extract_rules "
        "GROUP BY ALL ORDER BY ALL",
    )
    assert rows == [
        {"against": "recorded", "n": 5, "n_agree": 3},
        {"against": "review", "n": 1, "n_agree": 1},
    ]


FAULTS: dict[str, tuple[Callable[[list[dict[str, Any]]], Any], tuple[str, ...]]] = {
    "not a list": (lambda entries: {"corrections": {}}, ("corrections",)),
    "format": (lambda entries: {"proctor_review": 2}, ("format 2",)),
    "unknown field": (lambda entries: entries[0].update(mark=1), ("correction 1", "mark")),
    "status": (lambda entries: entries[0].update(status="fine"), ("correction 1", "fine")),
    "no answer": (lambda entries: entries[0].update(answer=None), ("answer", "text")),
    "answer without need": (
        lambda entries: entries[0].update(status="abstained"),
        ("abstained has no answer",),
    ),
    "twice": (lambda entries: entries.append(entries[0]), ("correction 2", "correction 1")),
    "letter": (lambda entries: entries[0].update(answer="J"), ("q2", "'J'")),
    "prose": (lambda entries: entries[0].update(answer="the second one"), ("q2",)),
    "no such reply": (lambda entries: entries[0].update(call_id="x"), ("no such reply",)),
    "another text": (lambda entries: entries[0].update(question_hash="x"), ("another one now",)),
    "index": (lambda entries: entries[0].update(sample_index=True), ("sample_index",)),
    "benchmark": (lambda entries: {"benchmark": "other"}, ("other",)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named_and_nothing_is_stored(
    fault: str, imported: Import, tmp_path: Path
) -> None:
    database = imported(with_recorded=False)
    entries = corrections(database, q2="C")
    change, words = FAULTS[fault]
    fields = change(entries) or {}
    file = review(tmp_path / "r.json", entries, **fields)
    before = database.read_bytes()
    proctor("import", "review", file, "--db", database).assert_refused(*words)
    assert database.read_bytes() == before


def test_a_file_of_another_kind_is_refused(imported: Import, tmp_path: Path) -> None:
    database = imported(with_recorded=False)
    file = tmp_path / "responses.json"
    proctor("import", "review", file, "--db", database).assert_refused("no review file")
