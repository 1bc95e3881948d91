"""Marks and votes as the views show them, from files that a user would import."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.core.types import QuestionType
from tasks.io.database import Database
from tests.commands import rows_of, succeed
from tests.reference.voting import TieRule, vote

OPTIONS = "\n\n(A) one\n\n(B) two\n\n(C) three\n\n(D) four"
EXAM = "JEE Adv 2031 Paper 1"


@dataclass(frozen=True)
class Sat:
    """A database in which questions were imported and answered by model `m`."""

    path: Path

    def scores(self) -> dict[str, dict[str, Any]]:
        """Question id to its row of `scores_current`."""
        rows = rows_of(self.path, "SELECT * FROM scores_current")
        return {row["question_id"]: row for row in rows}


def outcomes(sat: Sat) -> dict[str, str]:
    """Question id to outcome."""
    return {name: row["outcome"] for name, row in sat.scores().items()}


Sit = Callable[..., Sat]


@pytest.fixture
def sit(tmp_path: Path) -> Sit:
    """Import (type, gold, response) rows; ids are `q1`, `q2` … or `<exam>|1` … with an exam."""

    def make(
        rows: Sequence[tuple[str, str | None, str]],
        *,
        exam: str | None = None,
        options: Sequence[str] = (),
        keys: str = "",
    ) -> Sat:
        path = tmp_path / "scores.duckdb"
        questions, responses = [], []
        for number, (kind, gold, response) in enumerate(rows, start=1):
            text = f"Question {number}." + (OPTIONS if kind.startswith("MCQ") else "")
            identity = {"id": f"q{number}"} if exam is None else {"exam": exam, "number": number}
            name = f"q{number}" if exam is None else f"{exam}|{number}"
            questions.append(
                {**identity, "type": kind, "question": text}
                | ({} if gold is None else {"gold": gold})
            )
            responses.append({"id": name, "response": response})
        benchmark = "own" if exam is None else "jeebench"
        about = ("--benchmark", benchmark, "--db", path)
        for name, content in (("questions", questions), ("responses", responses)):
            (tmp_path / f"{name}.json").write_text(json.dumps(content))
        succeed("import", "questions", tmp_path / "questions.json", *about)
        if keys:
            (tmp_path / "keys.csv").write_text(keys)
            succeed("import", "keys", tmp_path / "keys.csv", *about)
        succeed(
            "import", "responses", tmp_path / "responses.json", *about, "--model", "m", *options
        )
        return Sat(path)

    return make


NUMBERS = (
    ("0.50", "0.51", "correct"),
    ("2.34", "2.35", "correct"),
    ("25.00", "25.01", "correct"),
    ("0.50", "0.511", "wrong"),
    ("0.62", "0.63", "correct"),
    ("13.32", "13.33", "correct"),
    ("1", "nan", "unparsed"),
    ("1", "inf", "unparsed"),
    ("1", "1e400", "unparsed"),
)


def test_tolerance_is_decimal(sit: Sit) -> None:
    sat = sit([("Numeric", gold, f"ANSWER: {answer}") for gold, answer, _ in NUMBERS])
    assert outcomes(sat) == {f"q{n}": outcome for n, (_, _, outcome) in enumerate(NUMBERS, 1)}


def test_tolerance_of_the_published_scorer_on_demand(sit: Sit) -> None:
    rows = [("Numeric", "0.62", "ANSWER: 0.63"), ("Numeric", "13.32", "ANSWER: 13.33")]
    sat = sit(rows, options=("--tolerance", "official"))
    assert outcomes(sat) == {"q1": "wrong", "q2": "correct"}
    rescore = ("rescore", "--benchmark", "own", "--db", sat.path)
    changed = succeed(*rescore, "--tolerance", "decimal", "--json").json["scores"]
    assert len(changed) == 1
    assert outcomes(sat) == {"q1": "correct", "q2": "correct"}


MARKS = (
    ("MCQ(multiple)", "ABD", "ANSWER: ABD", "correct", 4, 4),
    ("MCQ(multiple)", "ABD", "ANSWER: AB", "partial", 2, 4),
    ("MCQ(multiple)", "ABD", "ANSWER: A", "partial", 1, 4),
    ("MCQ(multiple)", "ABD", "ANSWER: ABC", "wrong", -2, 4),
    ("MCQ(multiple)", "ABD", "None of the above", "blank", 0, 4),
    ("MCQ(multiple)", "ABD", "Let us think about it.", "unparsed", 0, 4),
    ("MCQ(multiple)", "D", "ANSWER: D", "correct", 4, 4),
    ("MCQ(multiple)", "D", "ANSWER: AD", "wrong", -2, 4),
    ("MCQ", "A", "ANSWER: A", "correct", 3, 3),
    ("MCQ", "A", "ANSWER: B", "wrong", -1, 3),
    ("MCQ", "A", "ANSWER: AB", "wrong", -1, 3),
    ("MCQ", "A", "None of the above", "blank", 0, 3),
    ("MCQ", "A or C", "ANSWER: C", "correct", 3, 3),
)


def test_exam_marks(sit: Sit) -> None:
    rows = [(kind, gold, response) for kind, gold, response, *_ in MARKS]
    sat = sit(rows, exam=EXAM)
    scores = sat.scores()
    found = [
        (row["outcome"], row["mark"], row["max_mark"])
        for n in range(1, len(MARKS) + 1)
        for row in [scores[f"{EXAM}|{n}"]]
    ]
    assert found == [(outcome, mark, most) for *_, outcome, mark, most in MARKS]
    (total,) = rows_of(
        sat.path,
        "SELECT positive, negative, total, max_total FROM exam_marks WHERE year = 2031 "
        "AND exam IS NULL AND subject IS NULL AND type IS NULL",
    )
    gained = sum(mark for *_, mark, _ in MARKS if mark > 0)
    lost = -sum(mark for *_, mark, _ in MARKS if mark < 0)
    assert total == {
        "positive": gained,
        "negative": lost,
        "total": gained - lost,
        "max_total": sum(most for *_, most in MARKS),
    }


def test_a_dropped_question_is_void_and_out_of_the_maximum(sit: Sit) -> None:
    rows = [("MCQ", "A", "ANSWER: A"), ("MCQ", "B", "ANSWER: A"), ("MCQ", "C", "ANSWER: C")]
    sat = sit(rows, exam=EXAM, keys=f"question_id,gold\n{EXAM}|2,dropped\n")
    scores = sat.scores()
    void = scores[f"{EXAM}|2"]
    assert (void["outcome"], void["score"], void["mark"], void["max_mark"]) == (
        "void",
        None,
        None,
        None,
    )
    (line,) = rows_of(sat.path, "SELECT n_expected, n_scored, score FROM leaderboard")
    assert line == {"n_expected": 2, "n_scored": 2, "score": 1.0}
    (total,) = rows_of(
        sat.path,
        "SELECT total, max_total, n FROM exam_marks WHERE year IS NULL AND exam IS NULL "
        "AND subject IS NULL AND type IS NULL",
    )
    assert total == {"total": 6, "max_total": 6, "n": 2}


def test_a_missing_key_never_equals_an_unparsed_answer(sit: Sit) -> None:
    rows = [("MCQ", None, ""), ("Integer", None, "I do not know"), ("Integer", "0", "")]
    scores = sit(rows).scores()
    assert scores["q1"]["outcome"] == scores["q2"]["outcome"] == "unscored"
    assert scores["q1"]["score"] is scores["q2"]["score"] is None
    assert (scores["q3"]["outcome"], scores["q3"]["score"]) == ("unparsed", 0.0)


@pytest.mark.parametrize("form", ["csv", "json", "jsonl"])
def test_text_stays_text(tmp_path: Path, form: str) -> None:
    """Words for missing values, dates, times, leading zeros and long digits are ids and texts."""
    odd = [
        "None",
        "NA",
        "nan",
        "null",
        "12:30:00",
        "2024-01-05",
        "007",
        "0.50",
        "12345678901234567890123",
        "true",
        "1e5",
    ]
    rows = [{"id": name, "type": "Open", "question": name, "subject": name} for name in odd]
    source = tmp_path / f"odd.{form}"
    if form == "csv":
        lines = [",".join(row.values()) for row in rows]
        source.write_text("\n".join(["id,type,question,subject", *lines]) + "\n")
    elif form == "json":
        source.write_text(json.dumps(rows))
    else:
        source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    about = ("--benchmark", "own", "--db", tmp_path / "a.duckdb")
    succeed("import", "questions", source, *about)
    exported = succeed("export", "questions", *about, "--format", "jsonl").out
    stored = [json.loads(line) for line in exported.splitlines()]
    assert [row["question_id"] for row in stored] == odd
    assert [row["question"] for row in stored] == odd
    assert [row["subject"] for row in stored] == odd


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_an_export_imports_as_the_same_benchmark(tmp_path: Path, form: str) -> None:
    questions = [
        {"id": "007", "type": "MCQ", "question": f"Which?{OPTIONS}", "gold": "A or C"},
        {"id": "0.50", "type": "Numeric", "question": "12:30:00?", "gold": "2.30 to 2.40"},
        {"id": "d", "type": "Integer", "question": "$\\frac{1}{2}$?", "gold": "dropped"},
        {"exam": EXAM, "number": 7, "type": "Integer", "question": "How many?", "gold": "007"},
    ]
    (tmp_path / "questions.json").write_text(json.dumps(questions))
    first, second = tmp_path / "first.duckdb", tmp_path / "second.duckdb"
    own = ("--benchmark", "own", "--db")
    succeed("import", "questions", tmp_path / "questions.json", *own, first)
    exported = succeed("export", "questions", *own, first, "--all", "--format", form).out
    (tmp_path / f"exported.{form}").write_text(exported)
    succeed("import", "questions", tmp_path / f"exported.{form}", *own, second)
    assert succeed("export", "questions", *own, second, "--all", "--format", form).out == exported
    hashes = "SELECT benchmark_hash FROM benchmark_hashes"
    assert rows_of(first, hashes) == rows_of(second, hashes)


class Ballot:
    """Puts samples of one model in mode `vote` straight into the tables that the views read."""

    def __init__(self, folder: Path) -> None:
        self.database = Database(folder / "votes.duckdb")
        self.n_added = 0

    def add(self, votes: Sequence[tuple[QuestionType, Sequence[str | None]]]) -> None:
        self.n_added += 1
        now = datetime.now(UTC)
        about = {"benchmark": f"b{self.n_added}", "recorded_at": now, "run_id": "r"}
        cell = {"model": "m", "mode": "vote", "epoch": ""}
        tables: dict[str, list[dict[str, Any]]] = {
            "questions": [],
            "sittings": [],
            "calls": [],
            "completions": [],
            "extracts": [],
            "scoring_choices": [
                about | cell | {"extractor": "hand", "tolerance": "decimal"},
            ],
        }
        for position, (kind, answers) in enumerate(votes):
            name = f"{self.n_added}-{position}"
            identity = {"question_id": name, "question_hash": f"h-{name}"}
            tables["questions"].append(
                about
                | identity
                | {
                    "position": position,
                    "exam": None,
                    "number": None,
                    "subject": None,
                    "type": kind.value,
                    "question": name,
                    "options": {},
                    "has_figure": False,
                    "status": "kept",
                    "reason": None,
                    "extra": {},
                }
            )
            tables["sittings"].append(
                about
                | cell
                | identity
                | {
                    "request_hash": f"r-{name}",
                    "n_samples": len(answers),
                    "aggregation": "majority",
                }
            )
            for index, answer in enumerate(answers):
                call_id = f"{name}-{index}"
                tables["calls"].append(_call(call_id, f"r-{name}", now))
                tables["completions"].append(
                    {
                        "request_hash": f"r-{name}",
                        "epoch": "",
                        "sample_index": index,
                        "call_id": call_id,
                        "status": "ok",
                        "finish_reason": "stop",
                        "text": answer or "",
                        "text_bytes": None,
                        "reasoning": None,
                        "tool_calls": [],
                        "received_at": now,
                    }
                )
                tables["extracts"].append(
                    {
                        "call_id": call_id,
                        "sample_index": index,
                        "question_hash": f"h-{name}",
                        "extractor": "hand",
                        "answer": answer,
                        "status": "unparsed" if answer is None else "answered",
                        "rule": "hand",
                        "span_start": None,
                        "span_end": None,
                        "candidates": [],
                        "recorded_at": now,
                    }
                )
        with self.database.open() as store, store.transaction():
            for table, rows in tables.items():
                store.append(table, rows)

    def elected(self) -> list[dict[str, Any]]:
        """Rows of `voted_answers` for what was added last, in order of the questions."""
        with self.database.open() as store:
            return store.select(
                "SELECT voted_answers.* FROM voted_answers JOIN questions_current USING "
                f"(benchmark, question_id) WHERE benchmark = 'b{self.n_added}' ORDER BY position"
            ).to_dicts()


def _call(call_id: str, request_hash: str, now: datetime) -> dict[str, Any]:
    return {
        "call_id": call_id,
        "run_id": "r",
        "purpose": "sample",
        "endpoint": "e",
        "model": "m",
        "request_hash": request_hash,
        "n_requested": 1,
        "n_returned": 1,
        "status": "ok",
        "http_status": 200,
        "error_code": None,
        "error": None,
        "n_attempts": 1,
        "input_tokens": 1,
        "cached_input_tokens": None,
        "output_tokens": 1,
        "reasoning_tokens": None,
        "cost_usd": None,
        "served_model": None,
        "response_id": None,
        "extra": {},
        "started_at": now,
        "duration_s": 0.0,
    }


MCQ, MULTIPLE = QuestionType.MCQ, QuestionType.MCQ_MULTIPLE
NORMAL_FORMS = {
    MCQ: st.sampled_from(["A", "B", "C", "D", "AC", "J"]),
    MULTIPLE: st.sets(st.sampled_from("ABCDE"), min_size=1).map(lambda s: "".join(sorted(s))),
    QuestionType.INTEGER: st.sampled_from(["0", "-3", "7", "10", "9", "123456789012345678901"]),
    QuestionType.NUMERIC: st.sampled_from(["0.5", "-14.6", "7.16e-10", "1", "10", "9", "0.25"]),
    QuestionType.EXPRESSION: st.sampled_from(["x+1", "y", "2", "10", "a*b", "-1"]),
}
VOTES = st.sampled_from(list(NORMAL_FORMS)).flatmap(
    lambda kind: st.tuples(
        st.just(kind), st.lists(st.none() | NORMAL_FORMS[kind], min_size=1, max_size=9)
    )
)


@pytest.fixture(scope="module")
def ballot(tmp_path_factory: pytest.TempPathFactory) -> Ballot:
    return Ballot(tmp_path_factory.mktemp("votes"))


@settings(max_examples=6, deadline=None)
@given(votes=st.lists(VOTES, min_size=30, max_size=60))
def test_votes_are_those_of_the_reference(
    ballot: Ballot, votes: list[tuple[QuestionType, list[str | None]]]
) -> None:
    ballot.add(votes)
    for row, (kind, answers) in zip(ballot.elected(), votes, strict=True):
        expected = vote(answers, kind)
        assert (row["answer"], row["n_replies"]) == (expected.answer, len(answers)), answers
        assert row["share"] == pytest.approx(expected.share)
        blank_on_tie = vote(answers, kind, ties=TieRule.NO_ANSWER)
        assert row["is_tie"] == (blank_on_tie.answer is None and expected.answer is not None)


def test_votes_of_the_papers(ballot: Ballot) -> None:
    numeric = QuestionType.NUMERIC
    ballot.add(
        [
            (MCQ, [None] * 8),
            (MCQ, list("AAAACCCC")),
            (MCQ, list("CCCCAAAA")),
            (MCQ, [None] * 3 + ["C"] * 3 + ["D"] * 2),
            (MULTIPLE, ["AB", "AB", "B", "B", None, None, None, None]),
            (numeric, ["0.5", "0.5", "0.5", "1", "1"]),
        ]
    )
    found = [(row["answer"], row["share"], row["is_tie"]) for row in ballot.elected()]
    assert found == [
        (None, None, False),
        ("A", 0.5, True),
        ("A", 0.5, True),
        ("C", 0.375, False),
        ("B", 0.5, False),
        ("0.5", 0.6, False),
    ]
