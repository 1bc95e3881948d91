"""Whole papers against hand-checked truth, scored by the public scorer beside the data."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tasks.core.papers.layout import Layout, read_layout
from tasks.core.papers.paper import PaperReading, read_paper
from tasks.io.font_maps import read_font_maps
from tasks.io.pdf import read_pages

LAYOUTS = Path(__file__).resolve().parents[3] / "data" / "registry" / "layouts.toml"


@pytest.fixture(scope="module")
def layout() -> Layout:
    return read_layout(tomllib.loads(LAYOUTS.read_text("utf-8")), "jee-advanced")


@pytest.fixture(scope="module", params=["2023", "2024"])
def paper(request: pytest.FixtureRequest, shared_data: Path, layout: Layout) -> PaperReading:
    file = shared_data / "papers" / f"jee_adv_{request.param}_paper1.pdf"
    return read_paper(read_pages(file), read_font_maps(), layout)


def score(paper: PaperReading, year: str, shared_data: Path, folder: Path) -> dict[str, float]:
    pytest.importorskip("rapidfuzz", reason="the public scorer needs rapidfuzz")
    export = folder / "export.json"
    rows = [
        {
            "description": f"JEE Adv {year} Paper 1",
            "index": question.index,
            "subject": question.subject,
            "type": question.type.value,
            "question": question.latex,
            "has_figure": question.has_figure,
        }
        for question in paper.questions
    ]
    export.write_text(json.dumps(rows), "utf-8")
    papers = shared_data / "papers"
    command = [
        sys.executable,
        str(shared_data.parent / "tools" / "score_ingest.py"),
        str(export),
        str(papers / f"truth_{year}-1.json"),
    ]
    formulas = papers / f"formulas_{year}-1.json"
    if formulas.exists():
        command += ["--formulas", str(formulas)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    scores: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return scores


def test_scores(
    paper: PaperReading, request: pytest.FixtureRequest, shared_data: Path, tmp_path: Path
) -> None:
    year = request.node.callspec.params["paper"]
    scores = score(paper, year, shared_data, tmp_path)
    exact = ("seg_recall", "seg_precision", "type_acc", "subject_acc", "fig_p", "fig_r")
    assert {name: scores[name] for name in exact} == dict.fromkeys(exact, 1.0)
    least = {
        "2023": {
            "latex_mean": 0.975,
            "latex_mean_rt": 0.985,
            "formula_recall": 0.96,
            "option_exact": 0.99,
            "char_recall": 0.979,
        },
        "2024": {"listed_formula_recall": 0.95},
    }[year]
    assert {name: scores[name] for name in least if scores[name] < least[name]} == {}


def test_every_glyph_is_accounted_for(paper: PaperReading) -> None:
    for page in paper.account:
        parts = page.in_questions + page.in_figures + page.dropped + page.hidden + page.blank
        assert (page.lost, page.total) == (0, parts)
