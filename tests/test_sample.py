"""The bundled sample exam: its files agree with its source, and every gold is computed afresh."""

import hashlib
import json
import re
import shutil
from collections import Counter
from functools import cache

import pytest

from tasks.core.files.keys import key_for, parse_keys
from tasks.core.files.questions import parse_questions
from tasks.core.questions.answer_keys import Accepted, Letters, Number, parse_key
from tasks.core.questions.options import parse_options
from tasks.core.registry.entries import scheme_for
from tasks.core.types import Question, QuestionType
from tasks.io.registry import load_registry
from tasks.io.settings import DATA
from tests.sample_exam import EXAM, FOLDER, SOURCES, TRUTH, Source, sources, typeset

FIELDS = ["description", "index", "subject", "type", "question", "gold"]
N_QUESTIONS = 34
FIGURES = {3: "statement", 7: "statement", 15: "statement", 27: "options"}
COUNTS = {"TWO": 2, "THREE": 3, "FOUR": 4}


@cache
def _questions() -> dict[int, Source]:
    return {each.number: each for each in sources()}


def _stored(name: str) -> list[Question]:
    content = (FOLDER / name).read_bytes()
    return [each.question for each in parse_questions(content, name).questions]


@pytest.mark.parametrize("name", TRUTH)
def test_files_agree_with_the_source(name: str) -> None:
    assert (FOLDER / name).read_text("utf-8") == TRUTH[name]()


def test_pdf_was_made_from_the_source() -> None:
    """The PDF names the MD5 of the files that it was typeset from."""
    content = (FOLDER / "exam.pdf").read_bytes()
    named = re.search(rb"/Keywords \(([0-9A-F ]+)\)", content)
    assert named is not None
    expected = [
        hashlib.md5((FOLDER / name).read_bytes(), usedforsecurity=False).hexdigest().upper()
        for name in SOURCES
    ]
    assert named[1].decode().split() == expected


def test_pdf_tells_nothing_of_the_machine() -> None:
    content = (FOLDER / "exam.pdf").read_bytes()
    assert content.startswith(b"%PDF-")
    for trace in (b"/CreationDate", b"/ModDate", b"/PTEX", b"/ID ", b"/home/", b"texmf", b"/Type3"):
        assert trace not in content


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_typesetting_again_gives_the_same_bytes() -> None:
    assert typeset() == typeset()


def test_form_is_that_of_jeebench() -> None:
    rows = json.loads((FOLDER / "questions.json").read_text("utf-8"))
    assert all(list(row) == FIELDS and row["description"] == EXAM for row in rows)
    assert [row["index"] for row in rows] == [
        number for number in range(1, N_QUESTIONS + 1) if number not in FIGURES
    ]
    assert Counter(row["subject"] for row in rows) == dict.fromkeys(("math", "phy", "chem"), 10)
    assert Counter(row["type"] for row in rows) == {
        "MCQ": 8,
        "MCQ(multiple)": 8,
        "Integer": 7,
        "Numeric": 7,
    }


def test_questions_with_figures() -> None:
    dropped = _stored("figures.json")
    assert all(each.has_figure and each.status == "dropped" for each in dropped)
    assert {each.number: each.reason for each in dropped} == {
        number: f"figure in the {place}" for number, place in FIGURES.items()
    }
    drawn = next(each for each in dropped if each.number == 27)
    assert list(drawn.options.values()) == ["", "", "", ""]


def test_answer_key_is_that_of_every_question() -> None:
    keys = parse_keys((FOLDER / "answer_key.csv").read_bytes(), "answer_key.csv").keys
    golds = {key.question_id: key for key in keys}
    questions = [*_stored("questions.json"), *_stored("figures.json")]
    assert len(keys) == len(questions) == N_QUESTIONS
    for question in questions:
        assert key_for(golds[question.question_id], question) == question.gold


def test_sections_print_their_counts_and_marks() -> None:
    benchmark = load_registry(DATA / "registry").benchmark("sample")
    sections = Counter(each.section for each in sources())
    assert len(sections) == 12
    for section, n_questions in sections.items():
        scheme = scheme_for(benchmark, EXAM, QuestionType(section.type))
        assert COUNTS[section.count] == n_questions
        assert section.marks == scheme.correct * n_questions
    cover = (FOLDER / "exam.tex").read_text("utf-8").split("\\subject", 1)[0]
    assert f"Maximum Marks: {sum(section.marks for section in sections)}" in cover
    for title, subject in (("Physics", "phy"), ("Chemistry", "chem"), ("Mathematics", "math")):
        of_subject = {each: n for each, n in sections.items() if each.subject == subject}
        marks = sum(section.marks for section in of_subject)
        assert f"{title} & {sum(of_subject.values())} & {marks} " in cover


@pytest.mark.parametrize("number", range(1, N_QUESTIONS + 1))
def test_options_and_golds_fit_the_type(number: int) -> None:
    source = _questions()[number]
    question_type = QuestionType(source.section.type)
    options = parse_options(source.question)
    key = parse_key(source.gold, question_type)
    assert isinstance(key, Accepted)
    if question_type in (QuestionType.MCQ, QuestionType.MCQ_MULTIPLE):
        assert list(options) == ["A", "B", "C", "D"]
        assert len(set(options.values())) == 4 or source.figure_in == "options"
        assert isinstance(key.answers[0], Letters)
        assert key.answers[0].letters == source.gold
    else:
        assert options == {}
        assert isinstance(key.answers[0], Number)
    if question_type is QuestionType.INTEGER:
        assert source.gold.isdecimal()
    if question_type is QuestionType.NUMERIC:
        assert re.fullmatch(r"-?\d+\.\d\d", source.gold)
    assert source.question.count("$") % 2 == 0
    assert source.question.count("{") == source.question.count("}")


def test_no_layout_is_left_in_the_texts() -> None:
    layout = re.compile(r"\\(?:task|overpage|nextlist|draw|node|subject|section)|(?<!\\)%|  |\n{3}")
    assert [each.number for each in sources() if layout.search(each.question)] == []


def test_special_contents() -> None:
    questions = {number: each.question for number, each in _questions().items()}
    paragraph = questions[10].split("\n\n")[0]
    assert questions[11].startswith(paragraph + "\n\n")
    assert "\\begin{tabular}" in questions[2]
    assert "\\rightleftharpoons" in questions[13]
    assert "\\underset{\\Delta}{\\stackrel{" in questions[14]
    assert "\\textbf{List-II}" in questions[25]
    assert len(set(questions.values())) == len(questions)
