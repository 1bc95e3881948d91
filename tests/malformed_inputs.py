"""Inputs that must be refused: each with one clear line, and with nothing changed.

`MALFORMED` is data for two tests: the readers themselves, and the command line. A case writes its
input into a folder and gives the path that a user would name.
"""

import gzip
import json
import os
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Reader = Literal["questions", "keys", "responses"]
MCQ = {"id": "q1", "type": "MCQ", "question": "Which?\n\n(A) one\n\n(B) two", "gold": "A"}
INTEGER = {"id": "q2", "type": "Integer", "question": "How many?", "gold": "7"}
JEE = {
    "description": "Mock 2031 Paper 1",
    "index": 1,
    "subject": "phy",
    "type": "Integer",
    "question": "How many?",
    "gold": "7",
}


@dataclass(frozen=True)
class MalformedInput:
    """`words` must all be in the message, which is one line. `write` makes the input."""

    name: str
    reader: Reader
    write: Callable[[Path], Path]
    words: tuple[str, ...]


def _file(content: bytes | str | Callable[[], bytes], name: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        made = content() if callable(content) else content
        path = folder / name
        path.write_bytes(made.encode() if isinstance(made, str) else made)
        return path

    return write


def _case(
    name: str,
    content: bytes | str | Callable[[], bytes],
    *words: str,
    reader: Reader = "questions",
    file: str = "input.json",
) -> MalformedInput:
    return MalformedInput(name, reader, _file(content, file), words)


def _rows(*rows: object) -> str:
    return json.dumps(list(rows), indent=1)


def _mcq(**changes: object) -> str:
    return _rows(MCQ | changes)


def _without(row: Mapping[str, object], field: str) -> dict[str, object]:
    return {name: value for name, value in row.items() if name != field}


def _jee_response(**changes: object) -> str:
    body = {"choices": [{"message": {"role": "assistant", "content": "7"}}]}
    return _rows(JEE | {"prompt": "How many?", "M_normal_response": body, "extract": "7"} | changes)


def _folder(folder: Path) -> Path:
    path = folder / "questions.json"
    path.mkdir()
    return path


def _pipe(folder: Path) -> Path:
    path = folder / "pipe.json"
    os.mkfifo(path)
    return path


def _socket(folder: Path) -> Path:
    inside = folder / "s.json"
    here = Path.cwd()
    os.chdir(folder)
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(inside.name)
    finally:
        os.chdir(here)
    return inside


def _circle(folder: Path) -> Path:
    path = folder / "circle.json"
    path.symlink_to(path)
    return path


def _below_a_file(folder: Path) -> Path:
    (folder / "plain.json").write_text(_mcq())
    return folder / "plain.json" / "questions.json"


def _packed(text: str) -> bytes:
    return gzip.compress(text.encode(), mtime=0)


PATHS = (
    MalformedInput("missing path", "questions", lambda f: f / "none.json", ("no such file",)),
    MalformedInput("dangling link", "questions", lambda f: _link(f), ("no such file",)),
    MalformedInput("folder", "questions", _folder, ("is a folder",)),
    MalformedInput("pipe without a writer", "questions", _pipe, ("is a pipe",)),
    MalformedInput("socket", "questions", _socket, ("is a socket",)),
    MalformedInput("endless device", "questions", lambda f: Path("/dev/zero"), ("is a device",)),
    MalformedInput("link to itself", "questions", _circle, ("cannot be opened",)),
    MalformedInput("file as a folder", "questions", _below_a_file, ("cannot be opened",)),
    MalformedInput("name too long", "questions", lambda f: f / ("n" * 300), ("cannot be opened",)),
)


def _link(folder: Path) -> Path:
    path = folder / "link.json"
    path.symlink_to(folder / "gone.json")
    return path


BYTES = (
    _case("empty", b"", "is empty"),
    _case("blanks only", b" \n\t\r\n ", "empty but for blanks"),
    _case("byte-order mark only", b"\xef\xbb\xbf", "is empty"),
    _case("bad UTF-8", b'[{"id": "caf\xe9"}]', "byte 0xe9", "offset 12", "UTF-8"),
    _case("UTF-16", _mcq().encode("utf-16"), "UTF-16", "save it as UTF-8"),
    _case("UTF-16 without a mark", _mcq().encode("utf-16-le"), "NUL byte"),
    _case("NUL bytes", b"id,type,question\nq1,Open,a\x00b\n", "line 2", "NUL byte"),
    _case("Excel workbook", b"PK\x03\x04rest", "Excel", file="questions.csv"),
    _case("PDF", b"%PDF-1.7\n", "PDF"),
    _case("gz that is none", b"hello", "not gzip", file="questions.json.gz"),
    _case("gz cut off", _packed(_mcq() * 50)[:-20], "breaks off", file="questions.json.gz"),
    _case("gz damaged", b"\x1f\x8b\x08\x00" + b"\xff" * 40, "damaged gzip"),
    _case("gz of nothing", _packed(""), "empty once unpacked"),
    _case(
        "gz bomb",
        lambda: gzip.compress(bytes(80 * 1024**2), compresslevel=1),
        "unpacked",
        "MiB",
        file="bomb.json.gz",
    ),
)

JSON = (
    _case("prose", "These are my questions.", "neither JSON nor CSV", "These are my"),
    _case("only null", "null", "neither JSON nor CSV"),
    _case("only a number", "42", "neither JSON nor CSV"),
    _case("cut array", _rows(MCQ, INTEGER)[:-30], "row 2", "breaks off"),
    _case("array of one bracket", "[", "row 1", "breaks off"),
    _case("empty array", "[]", "holds no rows"),
    _case("trailing comma", "[" + json.dumps(MCQ) + ",]", "row 2", "column"),
    _case("text behind the array", _mcq() + " and more", "Extra data", "line 8"),
    _case("single quotes", "[{'id': 'q1'}]", "row 1", "line 1, column 3"),
    _case("object of lists", '{"weeks": [1, 2], "days": []}', "one object", "'weeks'"),
    _case("array of numbers", "[1, 2, 3]", "row 1", "found a number"),
    _case("array of arrays", '[["q1", "MCQ"]]', "row 1", "found a list"),
    _case("NaN", '[{"id": "q1", "type": "Numeric", "question": "?", "gold": NaN}]', "NaN"),
    _case("Infinity", '[{"id": "q1", "type": "Open", "weight": -Infinity}]', "-Infinity"),
    _case("overflowing number", '[{"id": 1e999}]', "row 1", "'1e999' is too large"),
    _case("a million digits", lambda: b'[{"id": ' + b"7" * 10**6 + b"}]", "1000000 digits"),
    _case("nested 100,000 deep", lambda: b"[" * 10**5, "row 1", "nested more than"),
    _case(
        "nested 100 deep in a field",
        '[{"id": "q1", "x": ' + "[" * 100 + "]" * 100 + "}]",
        "nested more than",
    ),
    _case("field twice", '[{"id": "q1", "gold": "A", "gold": "B"}]', "'gold'", "twice"),
    _case("field in two cases", '[{"id": "q1", "ID": "q1"}]', "'ID'", "same field as 'id'"),
    _case("raw tab in a text", '[{"id": "a\tb"}]', "row 1", "control character"),
    _case("half a character", '[{"id": "q1", "type": "Open", "question": "\\ud83d"}]', "\\ud83d"),
    _case(
        "bad line in the middle",
        f"{json.dumps(MCQ)}\n{{broken\n{json.dumps(INTEGER)}\n",
        "line 2",
        "column 2",
        file="input.jsonl",
    ),
    _case(
        "bad last line with its end",
        f"{json.dumps(MCQ)}\n{{broken}}\n",
        "line 2",
        file="input.jsonl",
    ),
    _case("only a torn line", json.dumps(MCQ)[:40], "line 1", "column", file="input.jsonl"),
    _case("line that is a list", f"{json.dumps(MCQ)}\n[1]\n", "line 2", "found a list"),
)

CSV = (
    _case("header only", "id,type,question,gold\n", "no rows", file="q.csv"),
    _case("no header", "q1,MCQ,Which?,A\nq2,MCQ,Who?,B\n", "header", file="q.csv"),
    _case(
        "row too short", "id,type,question\nq1,Open\n", "row 1 (line 2)", "2 cells", file="q.csv"
    ),
    _case(
        "row too long",
        "id,type,question,gold\nq1,Open,Say one, two,\n",
        "5 cells under 4",
        "quotes",
        file="q.csv",
    ),
    _case("column twice", "id,type,type\nq1,MCQ,MCQ\n", "'type' twice", file="q.csv"),
    _case("cell without a column", "id,type,\nq1,Open,what?\n", "no column name", file="q.csv"),
    _case("quote never closed", 'id,type,question\nq1,Open,"what\n', "not CSV", file="q.csv"),
    _case("text behind a quote", 'id,type,question\nq1,Open,"a" b\n', "line 2", file="q.csv"),
    _case(
        "cut inside a character", b"id,type,question\nq1,Open,caf\xc3", "breaks off", file="q.csv"
    ),
)

QUESTIONS = (
    _case("no id", _rows(_without(MCQ, "id")), "row 1", "'question_id'", "missing"),
    _case("exam without number", _rows(_without(JEE, "index")), "'number'", "missing"),
    _case("number without exam", _rows(_without(JEE, "description")), "'exam'", "missing"),
    _case("blank id", _mcq(id=" "), "'question_id'", "empty"),
    _case("id is a list", _mcq(id=["q1"]), "'id'", "found a list"),
    _case("id is true", _mcq(id=True), "'id'", "found true"),
    _case("two ids that differ", _mcq(question_id="q9"), "'id'", "differs"),
    _case("id twice", _rows(MCQ, INTEGER, MCQ), "row 3", "'q1'", "already that of row 1"),
    _case("exam question twice", _rows(JEE, JEE), "row 2", "'Mock 2031 Paper 1|1'"),
    _case("number is a fraction", _rows(JEE | {"index": 1.5}), "'index'", "'1.5'"),
    _case("number is negative", _rows(JEE | {"index": -3}), "'index'", "'-3'"),
    _case("no type", _rows(_without(MCQ, "type")), "'type'", "missing"),
    _case("unknown type", _mcq(type="Essay"), "'Essay'", "MCQ(multiple)", "Numeric"),
    _case("type in another case", _mcq(type="mcq"), "'mcq'", "nearest is 'MCQ'"),
    _case("type with a blank", _mcq(type="MCQ (multiple)"), "nearest is 'MCQ(multiple)'"),
    _case("no question", _rows(_without(MCQ, "question")), "'question'", "missing"),
    _case(
        "misspelled question",
        _rows(_without(MCQ, "question") | {"qestion": "Which?"}),
        "is 'qestion' meant",
    ),
    _case("blank question", _mcq(question=" \n"), "'question'", "empty"),
    _case("question is an object", _mcq(question={"text": "Which?"}), "found an object"),
    _case("several letters for MCQ", _mcq(gold="AB"), "'AB'", "MCQ", "A or C"),
    _case("number for MCQ", _mcq(gold=2), "'gold'", "'2'"),
    _case("letter that is no option", _mcq(gold="C"), "names C", "options are A, B"),
    _case("letters for Integer", _rows(INTEGER | {"gold": "B"}), "'B'", "Integer"),
    _case("fraction for Integer", _rows(INTEGER | {"gold": "7.5"}), "whole number", "Numeric"),
    _case("gold that is a missing value", _rows(INTEGER | {"gold": "nan"}), "missing value"),
    _case("gold is true", _rows(INTEGER | {"gold": True}), "'gold'", "found true"),
    _case("gold is an object", _rows(INTEGER | {"gold": {"is": 7}}), "found an object"),
    _case("gold and answer differ", _mcq(answer="B"), "'answer'", "differs"),
    _case("option missing", _mcq(options={"A": "one", "C": "three"}), "option B is missing"),
    _case("one option", _mcq(options=["one"]), "only one option"),
    _case("eleven options", _mcq(options=[str(n) for n in range(11)]), "11 options"),
    _case("labels that are none", _mcq(options={"A": "one", "Z": "two"}), "A, Z"),
    _case("options are text", _mcq(options="one or two"), "'options'", "found text"),
    _case("option is null", _mcq(options=["one", None]), "option B is null"),
    _case("options for Integer", _rows(INTEGER | {"options": ["1", "2"]}), "takes no options"),
    _case("unknown status", _mcq(status="maybe"), "'maybe'", "kept, dropped, flagged"),
    _case("figure is neither", _mcq(has_figure="perhaps"), "neither true nor false"),
    _case(
        "two turns",
        '{"question_id": 1, "category": "x", "turns": [{"content": "a"}, {"content": "b"}]}',
        "one turn",
        file="question.jsonl",
    ),
    _case("turn without content", '{"uid": "u", "turns": [{"text": "a"}]}', "'turns'"),
    _case("responses as questions", _jee_response(), "proctor import responses"),
    _case(
        "answers as questions",
        '{"uid": "u", "ans_id": "a", "messages": []}',
        "proctor import responses",
    ),
    _case("several faulty rows", _rows({}, MCQ, {}, {}), "row 1", "2 more rows have faults"),
)

KEYS = (
    _case("key without a question", '[{"gold": "A"}]', "'question_id'", reader="keys"),
    _case("key without a gold", '[{"id": "q1"}]', "'gold'", reader="keys"),
    _case("key twice", "id,gold\nq1,A\nq1,B\n", "row 2", "already", reader="keys"),
    _case("keys that are none", '[{"weather": 1}]', "row 1", reader="keys"),
)

RESPONSES = (
    _case("response missing", '[{"id": "q1"}]', "'response'", "missing", reader="responses"),
    _case(
        "responses all null",
        '{"id": "q1", "response": null}',
        "none of the 1 rows",
        reader="responses",
    ),
    _case(
        "response is true",
        '{"id": "q1", "response": true}',
        "'response'",
        "found true",
        reader="responses",
    ),
    _case(
        "responses of two models",
        _jee_response(N_normal_response={}),
        "'N_normal_response'",
        "'M_normal_response'",
        reader="responses",
    ),
    _case(
        "question answered twice",
        _rows(*json.loads(_jee_response()), *json.loads(_jee_response())),
        "row 2",
        "answered in row 1",
        reader="responses",
    ),
    _case(
        "sample twice",
        '{"id": 1, "text": "a", "sample_index": 0}\n{"id": 1, "text": "b", "sample_index": 0}\n',
        "line 2",
        "sample 0",
        reader="responses",
    ),
    _case(
        "sample far out",
        '{"id": 1, "text": "a", "sample_index": 900000000}',
        "more than 1000 samples",
        reader="responses",
    ),
    _case(
        "sample is text",
        '{"id": 1, "text": "a", "sample_index": "first"}',
        "'sample_index'",
        reader="responses",
    ),
    _case(
        "too many extracts",
        _jee_response(extract=["7", "8"]),
        "2 extracts for 1 samples",
        reader="responses",
    ),
    _case("extract is an object", _jee_response(extract={}), "'extract'", reader="responses"),
    _case(
        "two turns in an answer",
        '{"question_id": "u", "answer_id": "a", "choices": [{"turns": [{}, {}]}]}',
        "exactly one turn",
        reader="responses",
    ),
    _case(
        "messages without an answer",
        '{"uid": "u", "messages": [{"role": "user", "content": "Hi"}]}',
        "'messages'",
        reader="responses",
    ),
)

MALFORMED = (*PATHS, *BYTES, *JSON, *CSV, *QUESTIONS, *KEYS, *RESPONSES)
