"""Options named by the text of a question."""

import json
from pathlib import Path

import pytest

from tasks.core.questions.options import parse_options

TWO = {"A": "12", "B": "$x^2$"}


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("Find x.\n\n(A) 12\n\n(B) $x^2$", TWO),
        ("Find x.\n(A) 12 (B) $x^2$", TWO),
        ("Find x. (A) 12 (B) $x^2$", TWO),
        ("Find x.\n[A] 12\n[B] $x^2$", TWO),
        ("Find x.\n\n$[\\mathrm{A}]$ 12\n\n$[\\mathrm{B}] x^2$", TWO),
        ("Find x.\n\n(A) 12 \\quad (B) $x^2$ \\\\", TWO),
        ("Find x.\nA) 12\nB) $x^2$", TWO),
        ("Find x.\nA. 12\nB. $x^2$", TWO),
        ("Find x.\n**(A)** 12\n**(B)** $x^2$", TWO),
        ("Find x.\n(a) 12\n(b) $x^2$", TWO),
        ("Find x.\na) 12\nb) $x^2$", TWO),
        ("Find x.\n(1) 12\n(2) $x^2$\n(3) none", TWO | {"C": "none"}),
        ("Find x.\n1) 12\n2) $x^2$\n3) none", TWO | {"C": "none"}),
        (
            "Pick.\n" + "\n".join(f"({letter}) {letter}{letter}" for letter in "ABCDEF"),
            {letter: letter * 2 for letter in "ABCDEF"},
        ),
        ("By (A) and (B).\n\n(A) 12\n(B) $x^2$\n(C) none", TWO | {"C": "none"}),
        ("List\n(P) a\n(Q) b\n(1) c\n(2) d\n(3) e\n\n(A) 12\n(B) $x^2$", TWO),
        ("Pick a drawing.\n(A)\n(B)\n(C)", {"A": "", "B": "", "C": ""}),
    ],
)
def test_notations(text: str, options: dict[str, str]) -> None:
    assert parse_options(text) == options
    assert list(parse_options(text)) == sorted(options)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "How many flasks are there?",
        "The rate law is rate $= k[A][B]$; find $k$.",
        "Equation (A) holds. Find x.",
        "Consider\n(1) ice\n(2) water\n(3) steam\n\nHow many of these are liquid?",
        "\\begin{tabular}{c}{$[\\mathrm{A}]$} & {$[\\mathrm{B}]$} \\\\ 1 & 2 \\end{tabular}",
    ],
)
def test_texts_without_options(text: str) -> None:
    assert parse_options(text) == {}


def test_every_question_of_jeebench(shared_data: Path) -> None:
    for row in json.loads((shared_data / "jeebench" / "dataset.json").read_text()):
        options = parse_options(row["question"])
        if row["type"].startswith("MCQ"):
            assert "".join(options) == "ABCD", row["question"]
            assert all(options.values()), row["question"]
        else:
            assert options == {}, row["question"]
