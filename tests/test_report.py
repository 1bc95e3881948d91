"""The report: what it says, that its files read back, and that no text in it can become code."""

import base64
import json
import re
import zlib
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tasks.core.calls.text_storage import readable, to_stored
from tasks.core.errors import BadInput, UnknownName
from tasks.io.database import Database
from tasks.io.store import Store
from tasks.report import TABLES, ReportSummary, write_report
from tests.browser import opened

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
SCRIPT = "document.title='injected'"
HOSTILE = (
    f'</script><script>{SCRIPT}</script><img src=x onerror="{SCRIPT}"> <!-- --!> \u2028\u2029 '
    f"{{{{ 7*7 }}}} {{% raw %}} ' \" ` & \0 \u202eright to left\u202c"
)
MODEL = f"<b onclick={SCRIPT}>m&\"'</b>"
TABLE = r"\begin{tabular}{|c|c|} \hline a & $b$ \\ 1 & 2 \\ \end{tabular} (A) x (B) y"
QUESTIONS = (
    ("q1", "phy", "MCQ", r"It moves with $v=\frac{1}{2}at^2$. (A) $1$ (B) $2$ (C) $3$", "B"),
    ("q2", "chem", "Integer", f"How many? {HOSTILE} $</script><img onerror=x>\\foo$", "7"),
    ("q3", None, "MCQ(multiple)", TABLE, "AB"),
)


# fmt: off
@dataclass
class Exam:
    """Appends rows the way the stages do: a sitting, its calls, replies, extracts and scores."""

    store: Store
    n: int = 0
    hashes: dict[str, str] = field(default_factory=dict)

    def add_questions(self, benchmark: str, questions: Any) -> None:
        for position, (name, subject, kind, text, gold) in enumerate(questions):
            self.hashes[name] = f"p1:{benchmark}-{name}"
            about = {"benchmark": benchmark, "question_id": name, "run_id": "r0"}
            about |= {"recorded_at": NOON}
            self.store.append("questions", [about | {
                "question_hash": self.hashes[name], "position": position, "exam": "Exam 2024",
                "number": position + 1, "subject": subject, "type": kind, "question": text,
                "options": {"A": "x", "B": "y"} if kind.startswith("MCQ") else {},
                "has_figure": False, "status": "kept", "reason": None, "extra": {},
            }])
            key = {"key_hash": f"k-{name}", "gold": gold, "source": "file"}
            self.store.append("answer_keys", [about | key])
            self.store.append("marking_schemes", [{
                "benchmark": benchmark, "exam": "Exam 2024", "type": kind, "scheme_hash": "s1",
                "correct": 3.0, "wrong": -1.0, "blank": 0.0, "partial_per_option": None,
                "recorded_at": NOON,
            }])

    def open_run(self, run_id: str, model: str, mode: str, benchmark_hash: str) -> None:
        about = {"benchmark": "exam", "model": model, "mode": mode, "epoch": "", "run_id": run_id}
        self.store.append("run_starts", [about | {
            "command": "evaluate", "benchmark_hash": benchmark_hash,
            "settings": {"concurrency": 4, "note": HOSTILE}, "versions": {"proctor": "0.1.0"},
            "git_commit": "0123456789abcdef", "seed": 7, "host": "h", "process_id": 1,
            "flow_run_id": None, "started_at": NOON,
        }])
        finished_at = NOON + timedelta(minutes=5)
        self.store.append("run_ends", [{
            "run_id": run_id, "state": "completed", "message": None, "finished_at": finished_at,
        }])
        self.store.append("scoring_choices", [about | {
            "extractor": "x1", "tolerance": "decimal", "recorded_at": NOON,
        }])

    def sit(self, run_id: str, model: str, mode: str, question: str, replies: list[Any],
            endpoint: str = "https://api.example.org/v1") -> None:
        """`replies`: (text, answer, status, outcome, score, mark, span) of each sample."""
        self.n += 1
        request, prompt = f"r-{self.n}", f"p-{question}-{mode}"
        messages = [{"role": "user", "content": HOSTILE}]
        self.store.append("prompts", [{"prompt_hash": prompt, "messages": messages}])
        self.store.append("requests", [{
            "request_hash": request, "endpoint": endpoint, "api_name": "api-name",
            "prompt_hash": prompt, "parameters": {"temperature": 0.5, "max_tokens": 64},
        }])
        self.store.append("sittings", [{
            "run_id": run_id, "benchmark": "exam", "model": model, "mode": mode, "epoch": "",
            "question_id": question, "question_hash": self.hashes[question],
            "request_hash": request, "n_samples": len(replies), "aggregation": "mean",
            "recorded_at": NOON,
        }])
        for index, reply in enumerate(replies):
            if reply is not None:
                self._answer(run_id, model, question, request, index, *reply)

    def _answer(self, run_id: str, model: str, question: str, request: str, index: int, text: str,
                answer: str | None, status: str, outcome: str, score: float, mark: float,
                span: tuple[int, int] | None) -> None:
        call, call_status = f"c-{self.n}-{index}", "truncated" if status == "truncated" else "ok"
        sample = {"call_id": call, "sample_index": index}
        stored, exact = to_stored(text)
        self.store.append("calls", [{
            "call_id": call, "run_id": run_id, "purpose": "sample", "endpoint": "e",
            "model": model, "request_hash": request, "n_requested": 1, "n_returned": 1,
            "status": call_status, "http_status": 200, "error_code": None, "error": None,
            "n_attempts": 1, "input_tokens": 1200, "cached_input_tokens": 0, "output_tokens": 30,
            "reasoning_tokens": None, "cost_usd": 0.0125, "served_model": "served-1",
            "response_id": None, "extra": {}, "started_at": NOON, "duration_s": 1.5,
        }])
        self.store.append("completions", [sample | {
            "request_hash": request, "epoch": "", "status": call_status, "finish_reason": "stop",
            "text": stored, "text_bytes": exact, "reasoning": HOSTILE, "tool_calls": [],
            "received_at": NOON + timedelta(minutes=1),
        }])
        start, end = span or (None, None)
        runner_up = {"answer": HOSTILE, "rule": "box", "span_start": 0, "span_end": 1}
        self.store.append("extracts", [sample | {
            "question_hash": self.hashes[question], "extractor": "x1", "answer": answer,
            "status": status, "rule": "box", "span_start": start, "span_end": end,
            "candidates": [runner_up], "recorded_at": NOON,
        }])
        self.store.append("scores", [{
            "question_hash": self.hashes[question], "key_hash": f"k-{question}",
            "scheme_hash": "s1", "tolerance": "decimal", "scorer": "m1",
            "extract_status": status, "answer": answer or "", "outcome": outcome, "score": score,
            "mark": mark, "max_mark": 3.0,
        }])
# fmt: on


ANSWER_AT = len(HOSTILE) + 2
RIGHT = ("so \\boxed{B}.", "B", "answered", "correct", 1.0, 3.0, (10, 11))
WRONG = ("I say A.", "A", "answered", "wrong", 0.0, -1.0, (6, 7))
ODD_TEXT = f"{HOSTILE}\ud800|7|{HOSTILE}"
ODD = (ODD_TEXT, "7", "answered", "correct", 1.0, 3.0, (ANSWER_AT, ANSWER_AT + 1))
LONG = ("x" * 1_000_000 + " 7", "7", "answered", "correct", 1.0, 3.0, (1_000_001, 1_000_002))
CUT = ("and then", None, "truncated", "truncated", 0.0, 0.0, None)
NOTHING = ("Hm.", None, "unparsed", "unparsed", 0.0, 0.0, None)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Database:
    """Two benchmarks: `exam` with three contestants, one with a hostile name; `open` with none."""
    database = Database(tmp_path_factory.mktemp("database") / "proctor.duckdb")
    with database.open() as store:
        exam = Exam(store)
        exam.add_questions("exam", QUESTIONS)
        exam.add_questions("open", [("o1", "topic", "Open", f"Write $5 and $6 {HOSTILE}", "")])
        exam.open_run("run-1", MODEL, "cot", "b1:older")
        exam.sit("run-1", MODEL, "cot", "q1", [RIGHT, RIGHT, WRONG])
        exam.sit("run-1", MODEL, "cot", "q2", [ODD, LONG, CUT])
        exam.sit("run-1", MODEL, "cot", "q3", [None, None, None])
        exam.open_run("run-2", "rehearsed", "normal", "b1:older")
        for question, reply in (("q1", RIGHT), ("q2", CUT), ("q3", NOTHING)):
            replies = [reply, reply]
            exam.sit("run-2", "rehearsed", "normal", question, replies, "scripted:rehearsed")
        exam.open_run("run-3", "once", "normal", "b1:older")
        exam.sit("run-3", "once", "normal", "q2", [ODD])
        refused: dict[str, Any] = {"learned_at": NOON}
        refused |= {"parameter": "seed", "value": None, "is_accepted": False, "replaced_by": None}
        refused |= {"endpoint": "https://api.example.org/v1", "api_name": "api-name"}
        refused |= {"message": HOSTILE, "run_id": "run-1"}
        store.append("model_parameters", [refused])
    database.publish()
    return database


@pytest.fixture(scope="module")
def report(database: Database, tmp_path_factory: pytest.TempPathFactory) -> ReportSummary:
    return write_report(database, tmp_path_factory.mktemp("report"))


def packed_records(page: str) -> list[dict[str, Any]]:
    match = re.search(r'id="data">([A-Za-z0-9+/=]*)</script>', page)
    assert match is not None
    records: list[dict[str, Any]] = json.loads(zlib.decompress(base64.b64decode(match[1])))
    return records


class Tags(HTMLParser):
    """Collects what a page is made of, as a browser that runs no script would see it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_page_holds_no_code_and_no_address_but_its_own(report: ReportSummary) -> None:
    page = Tags(report.path.read_text())
    tags = [tag for tag, _ in page.found]
    assert tags.count("script") == 2
    assert not {"img", "iframe", "link", "object", "embed", "b", "base", "form"} & set(tags)
    for tag, attributes in page.found:
        assert not [
            name for name in attributes if name.startswith("on") or name in {"style", "src"}
        ]
        if tag == "a":
            assert re.fullmatch(r"#[a-z0-9-]+|[a-z_]+\.(csv|parquet)", attributes["href"] or "")
    assert report.n_bytes == report.path.stat().st_size


def test_page_says_what_a_reader_must_know(database: Database, tmp_path: Path) -> None:
    summary = write_report(database, tmp_path / "out", benchmark="exam")
    text = re.sub(r"\s+", " ", " ".join(Tags(summary.path.read_text()).text))
    for expected in (
        "2026-03-01 12:05",
        "random guessing",
        "scripted",
        "Some questions have no score",
        "Sat when the benchmark had another content hash",
        "Byte-equal samples at a temperature above 0",
        "Many replies were cut off at the token limit",
        "Many replies hold no answer that could be read",
        "No interval has been computed",
        "asked without it",
        "temperature",
        "proctor 0.1.0",
        "run-1",
    ):
        assert expected in text
    assert summary.benchmarks == ("exam",)
    assert summary.n_contestants == 3


def test_aggregates_are_those_of_the_views(report: ReportSummary) -> None:
    board = pl.read_parquet(report.path.parent / "leaderboard.parquet")
    score = dict(zip(board["model"], board["score"], strict=True))
    assert score[MODEL] == pytest.approx((2 / 3 + 2 / 3) / 2)
    assert score["rehearsed"] == pytest.approx(1 / 3)
    marks = pl.read_parquet(report.path.parent / "exam_marks.parquet").filter(
        pl.col("year").is_null(), model="rehearsed", subject="phy", type="MCQ"
    )
    assert marks.select("positive", "negative", "total", "max_total").row(0) == (3.0, 0.0, 3.0, 3.0)


def test_records_keep_every_character_and_cut_at_the_span(report: ReportSummary) -> None:
    record, _ = packed_records(report.path.read_text())
    pieces = {
        (sample["model"], sample["question_id"], sample["sample_index"]): sample["pieces"]
        for sample in record["samples"]
    }
    assert pieces[MODEL, "q1", 0] == ["so \\boxed{", "B", "}."]
    before, span, after = pieces[MODEL, "q2", 0]
    assert (span, before + span + after) == ("7", readable(ODD_TEXT))
    assert pieces[MODEL, "q2", 1] == ["x" * 1_000_000 + " ", "7", ""]
    assert pieces[MODEL, "q3", 0] is None
    assert [prompt["messages"][0]["content"] for prompt in record["prompts"]] == [HOSTILE] * 6
    bodies = {question["question_id"]: question["body"] for question in record["questions"]}
    assert bodies["q1"][0][2][1][:2] == ["math", {"display": "inline"}]
    assert bodies["q3"][0][0] == "table"
    assert [cell[2] for cell in bodies["q3"][0][2][0][2][1][2]] == [["1"], ["2"]]


def test_what_does_not_fit_is_counted_and_named(database: Database, tmp_path: Path) -> None:
    summary = write_report(database, tmp_path / "out", max_response_bytes=50_000)
    assert (summary.n_responses, summary.n_left_out) == (12, 1)
    page = summary.path.read_text()
    assert "1 response (1.0 MB) did not fit" in re.sub(r"\s+", " ", "".join(Tags(page).text))
    (left_out,) = (
        sample
        for record in packed_records(page)
        for sample in record["samples"]
        if sample["pieces"] is None and sample["n_bytes"]
    )
    assert left_out["n_bytes"] == len(LONG[0].encode()) + len(HOSTILE.encode())


@pytest.mark.parametrize("name", TABLES)
def test_tables_read_back_with_text_as_text(
    name: str, database: Database, report: ReportSummary
) -> None:
    with database.read() as store:
        stored = store.query(f"report_table_{name}", benchmark=None)
    is_time = pl.col(pl.Datetime)
    expected = stored.with_columns(is_time.dt.convert_time_zone("UTC"))
    assert_frame_equal(pl.read_parquet(report.path.parent / f"{name}.parquet"), expected)
    as_text = expected.with_columns(is_time.dt.strftime("%Y-%m-%dT%H:%M:%S%.6fZ"))
    csv = pl.read_csv(report.path.parent / f"{name}.csv", schema=as_text.schema)
    assert_frame_equal(csv, as_text)


def test_equal_data_give_equal_files(
    database: Database, report: ReportSummary, tmp_path: Path
) -> None:
    write_report(database, tmp_path / "again")
    names = sorted(path.name for path in report.path.parent.iterdir())
    assert names == sorted(
        ["index.html", *(f"{t}.{e}" for t in TABLES for e in ("csv", "parquet"))]
    )
    for name in names:
        again = (tmp_path / "again" / name).read_bytes()
        assert again == (report.path.parent / name).read_bytes()


def test_unknown_benchmark_is_named_with_the_known_ones(database: Database, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="'nope' has no questions; known: exam, open"):
        write_report(database, tmp_path / "out", benchmark="nope")
    assert not (tmp_path / "out").exists()


def test_folder_that_cannot_be_written_stays_as_it_was(tmp_path: Path) -> None:
    database = Database(tmp_path / "proctor.duckdb")
    database.publish()
    (tmp_path / "file").write_text("mine")
    with pytest.raises(BadInput, match="cannot be written"):
        write_report(database, tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"
    (tmp_path / "out" / "index.html").mkdir(parents=True)
    (tmp_path / "out" / "notes.txt").write_text("mine")
    with pytest.raises(BadInput, match="cannot be written"):
        write_report(database, tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["index.html", "notes.txt"]


def test_empty_database_gives_a_page_that_says_so(tmp_path: Path) -> None:
    database = Database(tmp_path / "proctor.duckdb")
    database.publish()
    summary = write_report(database, tmp_path / "out")
    assert "Nothing to report yet" in summary.path.read_text()
    assert pl.read_parquet(tmp_path / "out" / "leaderboard.parquet").height == 0


def test_sittings_without_any_reply_are_shown_as_unscored(tmp_path: Path) -> None:
    database = Database(tmp_path / "proctor.duckdb")
    with database.open() as store:
        exam = Exam(store)
        exam.add_questions("exam", QUESTIONS)
        exam.open_run("run-1", "unlucky", "normal", "b1:older")
        exam.sit("run-1", "unlucky", "normal", "q1", [None])
    summary = write_report(database, tmp_path / "out")
    assert summary.n_contestants == 1
    text = re.sub(r"\s+", " ", " ".join(Tags(summary.path.read_text()).text))
    assert "0 / 3" in text
    (record,) = packed_records(summary.path.read_text())
    assert [score["outcome"] for score in record["scores"]] == ["unscored"]


def test_page_works_from_a_file_and_runs_nothing_of_a_text(
    report: ReportSummary, chromium: str, profile: Path
) -> None:
    page, console = opened(chromium, profile, f"{report.path.as_uri()}#question/exam/q2")
    assert console == []
    shown = Tags(page)
    assert "<title>Proctor report: exam, open</title>" in page
    assert not {"img", "b", "iframe"} & {tag for tag, _ in shown.found}
    assert page.count("<script") == 2
    assert 'aria-busy="false"' in page
    assert "4 of 4 questions" in page
    assert '<mark title="Read as the answer">7</mark>' in page
    assert page.count("&lt;/script&gt;&lt;script&gt;") >= 3
