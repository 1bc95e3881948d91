"""People correct what was read: the sheet in a browser, the file it saves, and what follows."""

import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tasks.core.extraction import EXTRACTOR
from tests.browser import driven, opened
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
    ("Expression", "x+1", "Nothing comes to my mind.", "None"),
)
OPEN = ("Open", "", "An essay on everything.")
Import = Callable[..., Path]


def import_rows(folder: Path, *, with_recorded: bool) -> Path:
    """A database of `ROWS` answered by model `m`; with what people recorded, or with none of it and
    an open question."""
    database = folder / "review.duckdb"
    about = ("--benchmark", "own", "--db", database)
    questions, responses = [], []
    rows = ROWS if with_recorded else (*ROWS, (*OPEN, ""))
    for number, (kind, gold, response, recorded) in enumerate(rows, start=1):
        text = f"Question {number}." + (OPTIONS if kind == "MCQ" else "")
        questions.append({"id": f"q{number}", "type": kind, "question": text, "gold": gold})
        extract = {"extract": recorded} if with_recorded else {}
        responses.append({"id": f"q{number}", "response": response} | extract)
    for name, content in (("questions", questions), ("responses", responses)):
        (folder / f"{name}.json").write_text(json.dumps(content))
    succeed("import", "questions", folder / "questions.json", *about)
    succeed("import", "responses", folder / "responses.json", *about, "--model", "m")
    return database


@pytest.fixture
def imported(tmp_path: Path) -> Import:
    """A database of the test's own."""
    return partial(import_rows, tmp_path)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database that no test may change, without what people recorded."""
    return import_rows(tmp_path_factory.mktemp("kept"), with_recorded=False)


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
    assert said["n_left_out"] == 0
    assert (tmp_path / "sheet.html").stat().st_size > 10_000
    assert succeed(*sheet, "--out", tmp_path / "no.html", "--model", "x").json["n_items"] == 0
    one = succeed(*sheet, "--out", tmp_path / "one.html", "--limit", "1").json
    assert (one["n_items"], one["n_left_out"]) == (1, 1)
    assert "1 more did not fit under" in (tmp_path / "one.html").read_text()


def test_without_other_readers_it_has_what_nobody_could_read(kept: Path, tmp_path: Path) -> None:
    """Open questions have no answer that could be read, and are not on it."""
    sheet = ("review", "extracts", "--benchmark", "own", "--db", kept, "--json")
    said = succeed(*sheet, "--out", tmp_path / "sheet.html").json
    assert said["n_by_reason"] == {"undecided": 3}


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


def test_a_person_decides_by_keys_and_the_saved_file_is_taken_in(
    imported: Import, tmp_path: Path, chromium: str, chromedriver: str, profile: Path
) -> None:
    database = imported(with_recorded=True)
    sheet, saved = tmp_path / "sheet.html", tmp_path / "review.json"
    succeed("review", "extracts", "--benchmark", "own", "--db", database, "--out", sheet)
    status = "return document.querySelector('[role=status]')?.textContent"
    with driven(chromedriver, chromium, profile, tmp_path) as page:
        page.open(sheet.as_uri())
        _wait_until(lambda: page.run(status) == "0 of 2 decided")
        page.click(".review-bar input")
        page.press(*"Ada", "Escape")
        page.click("#item-0 h2")
        page.press("1", "x", "2", "n", *"odd", "Enter")  # what was recorded; the next undecided one
        page.press("0", "t", *"a", "Escape", "k", "j")
        _wait_until(lambda: page.run(status) == "2 of 2 decided")
        page.open(sheet.as_uri())
        _wait_until(lambda: page.run(status) == "2 of 2 decided")
        page.click(".review-bar button")
        _wait_until(saved.is_file)
    content = json.loads(saved.read_text())
    said = [(row["question_id"], row["answer"], row["note"]) for row in content["corrections"]]
    assert said == [("q2", "C", "odd"), ("q3", "a", "")]
    assert content["reviewer"] == "Ada"
    succeed("import", "review", saved, "--benchmark", "own", "--db", database)
    read = "SELECT question_id, answer FROM extracts_current WHERE rule = 'review' ORDER BY ALL"
    assert [tuple(row.values()) for row in rows_of(database, read)] == [("q2", "C"), ("q3", "A")]


def _wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_correction_is_used_first_and_kept_apart(imported: Import, tmp_path: Path) -> None:
    database = imported(with_recorded=False)
    file = review(tmp_path / "r.json", corrections(database, q2="c", q3="A", q5=None, q6="x + 1"))
    changes = succeed("import", "review", file, "--db", database, "--json").json
    assert {row["rule_after"] for row in changes["rules"]} == {"review"}
    assert sum(row["score_change"] for row in changes["rules"]) == 3.0
    read = rows_of(
        database, "SELECT question_id, answer, status, rule, extractor FROM extracts_current"
    )
    by_question = {row.pop("question_id"): row for row in read}
    by_person = {"rule": "review", "extractor": "review"}
    assert by_question["q2"] == {"answer": "C", "status": "answered"} | by_person
    assert by_question["q5"] == {"answer": None, "status": "abstained"} | by_person
    assert by_question["q1"]["extractor"] == EXTRACTOR
    kept = f"SELECT count(*) AS n FROM extracts WHERE extractor = '{EXTRACTOR}'"
    assert rows_of(database, kept) == [{"n": 7}]
    outcomes = rows_of(database, "SELECT outcome FROM scores_current ORDER BY question_id")
    assert [row["outcome"] for row in outcomes] == [
        *["correct"] * 4,
        "blank",
        "correct",
        "unscored",
    ]
    later = review(tmp_path / "later.json", corrections(database, q2="D"))
    succeed("import", "review", later, "--db", database)
    newest = rows_of(database, "SELECT answer FROM extracts_current WHERE question_id = 'q2'")
    assert newest == [{"answer": "D"}]
    succeed("rescore", "--benchmark", "own", "--db", database)
    assert rows_of(database, "SELECT answer FROM extracts_current WHERE question_id = 'q2'") == (
        newest
    )
    succeed("db", "verify", "--db", database)


def test_the_same_review_again_stores_nothing(imported: Import, tmp_path: Path) -> None:
    database = imported(with_recorded=False)
    file = review(tmp_path / "r.json", corrections(database, q2="c", q3="A"))
    first = succeed("import", "review", file, "--db", database, "--json").json
    again = succeed("import", "review", file, "--db", database, "--json").json
    assert (first["n_new"], first["n_unchanged"]) == (2, 0)
    assert (again["n_new"], again["n_unchanged"], again["rules"]) == (0, 2, [])
    assert rows_of(database, "SELECT count(*) AS n FROM extract_corrections") == [{"n": 2}]


def test_trace_says_who_corrected_what(imported: Import, tmp_path: Path) -> None:
    database = imported(with_recorded=False)
    entries = [entry | {"note": "reads D"} for entry in corrections(database, q2="D")]
    succeed("import", "review", review(tmp_path / "r.json", entries), "--db", database)
    steps = succeed("trace", "q2", "--benchmark", "own", "--db", database, "--json").json
    told = [(row["step"], row["what"], row["content"]) for row in steps]
    assert ("correction", "answered, by Ada, reads D", "D") in told
    assert ("extract", "answered, review, rule review", "D") in told


def test_rules_are_held_against_people(imported: Import, tmp_path: Path) -> None:
    """q2: read B, recorded C, gold C; q3: nothing read, recorded A, gold A; q4: corrected twice."""
    database = imported(with_recorded=True)
    for name, answer in (("first", "3"), ("second", "0.500")):
        file = review(tmp_path / f"{name}.json", corrections(database, q4=answer))
        succeed("import", "review", file, "--db", database)
    rows = rows_of(
        database,
        "SELECT against, sum(n_compared) AS n_compared, sum(n_agree) AS n_agree, "
        "sum(n_score_equal) AS n_score_equal FROM extract_rules GROUP BY ALL ORDER BY ALL",
    )
    assert rows == [
        {"against": "recorded", "n_compared": 6, "n_agree": 4, "n_score_equal": 4},
        {"against": "review", "n_compared": 1, "n_agree": 1, "n_score_equal": 1},
    ]


def test_what_is_current_is_found_without_comparing_all_with_all(kept: Path) -> None:
    """A nested loop over 100,000 replies takes ten seconds; joins by hash a quarter of one."""
    (plan,) = rows_of(kept, "EXPLAIN SELECT * FROM extracts_current")
    assert "HASH_JOIN" in plan["explain_value"]
    assert "NL_JOIN" not in plan["explain_value"]


def test_a_rule_that_nobody_checked_has_no_precision(imported: Import, tmp_path: Path) -> None:
    database = imported(with_recorded=False)
    rows = rows_of(
        database,
        "SELECT against, n_compared, precision, sum(n) AS n FROM extract_rules GROUP BY ALL",
    )
    assert rows == [{"against": None, "n_compared": 0, "precision": None, "n": 7}]
    succeed(
        "import",
        "review",
        review(tmp_path / "r.json", corrections(database, q1="A", q2="B")),
        "--db",
        database,
    )
    checked = rows_of(
        database,
        "SELECT sum(n) AS n, sum(n_compared) AS n_compared, sum(n_agree) AS n_agree, "
        "sum(n_score_equal) AS n_score_equal FROM extract_rules WHERE against = 'review'",
    )
    assert checked == [{"n": 3, "n_compared": 2, "n_agree": 1, "n_score_equal": 1}]


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
    "unknown field of the file": (lambda entries: {"date": "today"}, ("r.json", "'date'")),
    "another question": (
        lambda entries: entries[0].update(question_id="q1"),
        ("correction 1 (q1)", "no such reply"),
    ),
    "reviewer": (lambda entries: {"reviewer": "Ada\n"}, ("reviewer",)),
    "index": (lambda entries: entries[0].update(sample_index=True), ("sample_index",)),
    "benchmark": (lambda entries: {"benchmark": "other"}, ("other",)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named_and_nothing_is_stored(fault: str, kept: Path, tmp_path: Path) -> None:
    entries = corrections(kept, q2="C")
    change, words = FAULTS[fault]
    fields = change(entries) or {}
    file = review(tmp_path / "r.json", entries, **fields)
    before = kept.read_bytes()
    proctor("import", "review", file, "--db", kept).assert_refused(*words)
    assert kept.read_bytes() == before


@pytest.mark.parametrize("answer", ["3 or 4", "about", "1e999", "A"])
def test_an_answer_must_be_one_number(answer: str, kept: Path, tmp_path: Path) -> None:
    file = review(tmp_path / "r.json", corrections(kept, q4=answer))
    refused = proctor("import", "review", file, "--db", kept)
    refused.assert_refused("correction 1 (q4)", repr(answer), "Numeric")


def test_text_that_changed_since_is_refused(imported: Import, tmp_path: Path) -> None:
    database = imported(with_recorded=False)
    file = review(tmp_path / "r.json", corrections(database, q2="C"))
    questions = json.loads((tmp_path / "questions.json").read_text())
    questions[1]["question"] = "Another question 2." + OPTIONS
    (tmp_path / "questions.json").write_text(json.dumps(questions))
    about = ("--benchmark", "own", "--db", database)
    succeed("import", "questions", tmp_path / "questions.json", *about)
    proctor("import", "review", file, "--db", database).assert_refused("q2", "another one now")


def test_a_file_of_another_kind_is_refused(kept: Path) -> None:
    file = kept.parent / "responses.json"
    proctor("import", "review", file, "--db", kept).assert_refused("no review file")
