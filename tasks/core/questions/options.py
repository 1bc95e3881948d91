r"""The options that the text of a multiple-choice question names.

A list of options is a run of labels A, B, C … in one notation, each once and in order: `(A)`,
`[A]`, `(a)`, `A)`, `A.`, also inside maths (`$[\mathrm{A}]$`), inline or on lines of their own.
Numbered options (`(1)`, `1)`, `1.`) count only where no letters do, at line starts, with at
least three in a run that lasts to the end of the text. Of several runs the longest holds, and of
equally long ones the last: lists to be matched come before the options. Inline labels whose texts
cut through LaTeX groups or are missing (`k[A][B]`, table heads) are formulas, not options.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

_FONT = r"(?:\\(?:mathrm|mathbf|text|textbf|mathit|rm|bf)\s*+)?\{?\s*+"
_SKIP = r"(?:\*\*|__|\$|\\\(|\\quad|\\qquad|[ \t])*+"
_LINE_START = rf"(?:^|(?<=\\\\)){_SKIP}"
_NOTATIONS = (
    re.compile(
        rf"(?P<head>\*\*|\$|\\\()?(?<![\w}}\\])\(\s*+{_FONT}(?P<label>[A-J])\s*+\}}?\s*+\)(?P<tail>\*\*)?"
    ),
    re.compile(
        rf"(?P<head>\*\*|\$|\\\()?(?<![\w}}\\])\[\s*+{_FONT}(?P<label>[A-J])\s*+\}}?\s*+\](?P<tail>\*\*)?"
    ),
    re.compile(rf"(?m){_LINE_START}(?P<label>[A-J])\s*+\}}?[).:](?:\*\*)?(?=\s|\$|\\)"),
    re.compile(rf"(?P<head>\*\*|\$|\\\()?(?<![\w}}\\])\(\s*+{_FONT}(?P<label>[a-j])\s*+\}}?\s*+\)"),
    re.compile(rf"(?m){_LINE_START}(?P<label>[a-j])\s*+\}}?[).](?:\*\*)?(?=\s|\$|\\)"),
    re.compile(r"(?<![\w.])(?P<label>[A-J])\)(?=\s|\$|\\)"),
)
_NUMBERED = (
    re.compile(rf"(?m){_LINE_START}\(\s*+(?P<label>[1-9]|10)\s*+\)"),
    re.compile(rf"(?m){_LINE_START}(?P<label>[1-9]|10)[).](?=\s|\$|\\)"),
)
_MIN_LETTERED = 2
_MIN_NUMBERED = 3
_BRACE = re.compile(r"\\[{}]|[{}]")
_EDGES = re.compile(
    r"^(?:\s|\\quad|\\qquad|\\hspace\{[^}]*\}|~|[:.](?=\s))+|(?:\s|\\quad|\\qquad|\\\\|~)+$"
)


class _Label(NamedTuple):
    order: int
    start: int
    end: int


def parse_options(question: str) -> dict[str, str]:
    """Capital labels A–J in order → texts of the options, trimmed, LaTeX kept.

    Empty where the text names no options. A text may be empty (an option that is a drawing).
    """
    runs = [run for notation in _NOTATIONS if (run := _longest_run(_labels(notation, question)))]
    runs = [run for run in runs if len(run) >= _MIN_LETTERED and _are_options(run, question)]
    if not runs:
        runs = [
            run
            for notation in _NUMBERED
            if len(run := _longest_run(_labels(notation, question))) >= _MIN_NUMBERED
            and "\n\n" not in question[run[-1].end :].strip()
        ]
    if not runs:
        return {}
    run = max(runs, key=len)
    ends = [label.start for label in run[1:]] + [len(question)]
    return {
        chr(ord("A") + label.order): _option_text(question, label, end)
        for label, end in zip(run, ends, strict=True)
    }


def _labels(notation: re.Pattern[str], question: str) -> Iterator[_Label]:
    for match in notation.finditer(question):
        label = match["label"]
        order = int(label) - 1 if label.isdigit() else ord(label.upper()) - ord("A")
        yield _Label(order, match.start(), match.end())


def _longest_run(labels: Iterator[_Label]) -> list[_Label]:
    """The longest run 0, 1, 2 … of labels; the last of equally long ones."""
    best: list[_Label] = []
    run: list[_Label] = []
    for label in labels:
        if label.order == 0:
            run = [label]
        elif run and label.order == len(run):
            run.append(label)
        if len(run) >= len(best):
            best = list(run)
    return best


def _are_options(run: list[_Label], question: str) -> bool:
    """Labels that begin a line are believed; inline ones must stand between whole texts."""
    if not question[: run[0].start].rpartition("\n")[2].strip(" $*"):
        return True
    gaps = [question[a.end : b.start] for a, b in pairwise(run)]
    return all(_depth(gap) == 0 and gap.strip() for gap in gaps)


def _depth(text: str) -> int:
    """Balance of braces, or -1 as soon as one closes that was not opened."""
    depth = 0
    for brace in _BRACE.findall(text):
        depth += {"{": 1, "}": -1}.get(brace, 0)
        if depth < 0:
            return -1
    return depth


def _option_text(question: str, label: _Label, end: int) -> str:
    text = _EDGES.sub("", question[label.end : end])
    if text.count("$") % 2:
        text = text[1:].lstrip() if text.startswith("$") else f"${text}"
    return text
