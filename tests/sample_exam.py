r"""The sample exam's source: what exam.tex says of each question, and how its files are made.

`python -m tests.sample_exam` writes anew what stands beside exam.tex: questions.json (the kept
questions in JEEBench's form), figures.json (those that need a drawing), answer_key.csv (the golds
of all), and, where pdflatex is installed, exam.pdf.

The text of a question is the LaTeX between `\begin{question}` and `\end{question}`, byte for byte,
without the commands of the layout: drawings, `\overpage` and the columns of a matching vanish,
`\task` becomes `(A)`, `(B)` …, options are paragraphs, and a passage goes before both its
questions.
"""

import csv
import io
import json
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tasks.io.settings import DATA

FOLDER = DATA / "sample"
SOURCES = ("exam.tex", "booklet.sty")
EXAM = "Proctor Sample Paper 1"
SUBJECTS = {"PHYSICS": "phy", "CHEMISTRY": "chem", "MATHEMATICS": "math"}
TYPES = {
    "single": "MCQ",
    "multiple": "MCQ(multiple)",
    "integers": "Integer",
    "numbers": "Numeric",
}
_PASSES = 2  # the second knows the number of pages
_QUESTIONS_OF_A_PASSAGE = 2

_PARTS = re.compile(
    r"\\subject\{(?P<subject>\w+)\}"
    r"|\\sectionof(?P<section>\w+)\{(?P<number>\d)\}\{(?P<count>\w+)\}\{(?P<marks>\d+)\}"
    r"|\\begin\{passage\}\n(?P<passage>.*?)\\end\{passage\}"
    r"|\\begin\{question\}\{(?P<gold>[^}]*)\}\n(?P<question>.*?)\\end\{question\}",
    re.DOTALL,
)
_DRAWING = re.compile(r"\\begin\{drawing\}.*?\\end\{drawing\}", re.DOTALL)
_OPTIONS = re.compile(r"\\begin\{tasks\}\(\d\)\n(.*?)\\end\{tasks\}", re.DOTALL)
_LAYOUT = re.compile(r"^\\(?:overpage|nextlist|begin\{matching\}|end\{matching\})\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Section:
    """What the box at the head of a section prints, and the type that it stands for."""

    subject: str
    type: str
    count: str
    marks: int


@dataclass(frozen=True, slots=True)
class Source:
    """A question as exam.tex has it, `number` as printed; `figure_in` None: no drawing."""

    number: int
    section: Section
    question: str
    gold: str
    figure_in: str | None

    def row(self) -> dict[str, object]:
        """The row of JEEBench's form, with the reason where the question is to be dropped."""
        kept: dict[str, object] = {
            "description": EXAM,
            "index": self.number,
            "subject": self.section.subject,
            "type": self.section.type,
            "question": self.question,
            "gold": self.gold,
        }
        if self.figure_in is None:
            return kept
        reason = f"figure in the {self.figure_in}"
        return kept | {"has_figure": True, "status": "dropped", "reason": reason}


def sources() -> list[Source]:
    """All questions in the order of the booklet."""
    subject, section, passage, n_with_passage = "", None, "", 0
    found: list[Source] = []
    for part in _PARTS.finditer((FOLDER / "exam.tex").read_text("utf-8")):
        if part["subject"]:
            subject = SUBJECTS[part["subject"]]
        elif part["section"]:
            marks = int(part["marks"])
            section = Section(subject, TYPES[part["section"]], part["count"], marks)
        elif part["passage"]:
            passage, n_with_passage = f"{part['passage'].strip()}\n\n", _QUESTIONS_OF_A_PASSAGE
        else:
            assert section is not None
            opening = passage if n_with_passage else ""
            n_with_passage -= bool(n_with_passage)
            text, figure_in = opening + _text(part["question"]), _figure_in(part["question"])
            found.append(Source(len(found) + 1, section, text, part["gold"], figure_in))
    return found


def _text(body: str) -> str:
    body = _LAYOUT.sub("", _DRAWING.sub("", body))
    body = _OPTIONS.sub(lambda tasks: _options(tasks[1]), body)
    return re.sub(r"\n{3,}", "\n\n", body).strip()


def _options(tasks: str) -> str:
    texts = [text.strip() for text in re.split(r"^\\task\b", tasks, flags=re.MULTILINE)[1:]]
    labelled = zip("ABCDEFGHIJ", texts, strict=False)
    return "\n\n".join(f"({label}) {text}".rstrip() for label, text in labelled)


def _figure_in(body: str) -> str | None:
    if not _DRAWING.search(body):
        return None
    return "statement" if _DRAWING.search(_OPTIONS.sub("", body)) else "options"


def questions_json() -> str:
    """questions.json: the kept questions."""
    return _json([each.row() for each in sources() if each.figure_in is None])


def figures_json() -> str:
    """figures.json: the questions that need a drawing; the text lacks what is drawn."""
    return _json([each.row() for each in sources() if each.figure_in is not None])


def answer_key_csv() -> str:
    """answer_key.csv: exam, number and gold of every question."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["exam", "number", "gold"])
    writer.writerows([EXAM, each.number, each.gold] for each in sources())
    return text.getvalue()


def _json(rows: list[dict[str, object]]) -> str:
    return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"


TRUTH = {
    "questions.json": questions_json,
    "figures.json": figures_json,
    "answer_key.csv": answer_key_csv,
}


def typeset() -> bytes:
    """exam.pdf, made by pdflatex in a folder of its own. Raises CalledProcessError on a fault."""
    with tempfile.TemporaryDirectory() as folder:
        for name in SOURCES:
            shutil.copy(FOLDER / name, folder)
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", SOURCES[0]]
        for _ in range(_PASSES):
            subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300)
        return (Path(folder) / "exam.pdf").read_bytes()


def main() -> None:
    """Write every file that follows from the source."""
    for name, content in TRUTH.items():
        (FOLDER / name).write_text(content(), "utf-8")
    if shutil.which("pdflatex"):
        (FOLDER / "exam.pdf").write_bytes(typeset())


if __name__ == "__main__":
    main()
