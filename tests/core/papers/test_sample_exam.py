"""Our own exam, from its PDF: its source is the exact truth."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tasks.core.papers.layout import read_layout
from tasks.core.papers.paper import ExamQuestion, PaperReading, read_paper
from tasks.io.font_maps import read_font_maps
from tasks.io.pdf import read_pages

DATA = Path(__file__).resolve().parents[3] / "data"


@pytest.fixture(scope="module")
def paper() -> PaperReading:
    layouts = tomllib.loads((DATA / "registry" / "layouts.toml").read_text("utf-8"))
    pages = read_pages(DATA / "sample" / "exam.pdf")
    return read_paper(pages, read_font_maps(), read_layout(layouts, "jee-advanced"))


@pytest.fixture(scope="module")
def truth() -> dict[int, dict[str, Any]]:
    files = [DATA / "sample" / f"{name}.json" for name in ("questions", "figures")]
    return {row["index"]: row for file in files for row in json.loads(file.read_text("utf-8"))}


@pytest.fixture(scope="module")
def found(paper: PaperReading) -> dict[int, ExamQuestion]:
    return {question.index: question for question in paper.questions}


def test_every_question_with_its_type_and_subject(
    found: dict[int, ExamQuestion], truth: dict[int, dict[str, Any]]
) -> None:
    assert {(index, q.type.value, q.subject) for index, q in found.items()} == {
        (index, row["type"], row["subject"]) for index, row in truth.items()
    }


def test_figures_are_found_and_nothing_else(
    found: dict[int, ExamQuestion], truth: dict[int, dict[str, Any]]
) -> None:
    drawn = {index for index, question in found.items() if question.has_figure}
    assert drawn == {index for index, row in truth.items() if row.get("has_figure")}


def test_every_choice_has_its_four_options(found: dict[int, ExamQuestion]) -> None:
    counts = {q.index: list(q.options) for q in found.values() if q.type.value.startswith("MCQ")}
    assert counts == {index: list("ABCD") for index in counts}


def test_a_paragraph_belongs_to_both_its_questions(found: dict[int, ExamQuestion]) -> None:
    first, second, third = (found[index].statement.split("\n\n")[0] for index in (10, 11, 12))
    assert first == second != third


def test_headers_footers_and_the_watermark_are_no_text(found: dict[int, ExamQuestion]) -> None:
    text = " ".join(question.latex for question in found.values())
    assert not [word for word in ("Booklet code", "Page ", "Sample Paper") if word in text]


def test_no_glyph_is_lost(paper: PaperReading) -> None:
    assert [page for page in paper.account if page.lost] == []
