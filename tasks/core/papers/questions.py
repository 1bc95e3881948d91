"""The lines of one question → statement, options and the whole text in JEEBench's form."""

import re
from collections.abc import Set
from typing import NamedTuple

from tasks.core.pages.lines import Line
from tasks.core.papers.layout import Layout
from tasks.core.papers.lists import Fragment, mended, prose, read_lists
from tasks.core.papers.plain_text import plain_text


class QuestionText(NamedTuple):
    """`latex` is the whole question with its options; `options` are empty where it has none."""

    statement: str
    options: dict[str, str]
    latex: str


def read_question(
    lines: list[Line], paragraph: list[Line], layout: Layout, vocabulary: Set[str]
) -> QuestionText:
    """The number is cut off the first line; a shared paragraph stands before the statement."""
    lines = _without_number(lines, layout)
    fragments = [
        Fragment((line.page, line.panel), line.baseline, s) for line in lines for s in line.spans
    ]
    fragments = [f for f in fragments if f.text.strip()]
    start = _options_start(fragments, layout)
    stem, rest = fragments[:start], fragments[start:]
    options = {
        label: mended(text, vocabulary) for label, text in _read_options(rest, layout).items()
    }
    shared = [
        Fragment((line.page, line.panel), line.baseline, s)
        for line in paragraph
        for s in line.spans
    ]
    parts = [read_lists(shared, layout), read_lists(stem, layout)]
    statement = mended("\n\n".join(part for part in parts if part), vocabulary)
    latex = "\n\n".join([statement, *(f"({label}) {text}" for label, text in options.items())])
    return QuestionText(statement, options, latex)


def vocabulary_of(lines: list[Line]) -> frozenset[str]:
    """The words of the lines, in lower case, without those that a line's end breaks."""
    text = " ".join(re.sub(r"[A-Za-z]+-$", "", line.text) for line in lines)
    return frozenset(word.lower() for word in re.findall(r"[A-Za-z]+", text))


def _without_number(lines: list[Line], layout: Layout) -> list[Line]:
    first = lines[0]
    span = first.spans[0]
    match = layout.question.search(plain_text(span.text))
    if match is None:
        return lines
    rest = re.sub(r"^(\\textbf\{)?\s*" + re.escape(match.group(0)) + r"\s*\}?", "", span.text)
    if rest == span.text:
        rest = plain_text(span.text)[match.end() :]
    spans = (span._replace(text=rest.strip()), *first.spans[1:])
    return [first._replace(spans=spans), *lines[1:]]


def _label(text: str, layout: Layout) -> str | None:
    match = layout.options.match(plain_text(text))
    if match is None:
        return None
    return next(group for group in match.groups() if group).upper()


def _options_start(fragments: list[Fragment], layout: Layout) -> int:
    """Where the last run of options A, B, … begins; the end where there is none."""
    labels = [_label(f.text, layout) for f in fragments]
    for index in range(len(labels) - 1, -1, -1):
        if labels[index] == "A":
            later = [label for label in labels[index + 1 :] if label is not None]
            if "B" in later or any(_next_label(f.text, "B", layout) for f in fragments[index:]):
                return index
    return len(fragments)


def _read_options(fragments: list[Fragment], layout: Layout) -> dict[str, str]:
    """Labels open options; a span without one goes on with the option whose column it is in."""
    texts: dict[str, list[Fragment]] = {}
    row: list[tuple[str, float]] = []
    row_baseline = 0.0
    for fragment in _split_at_labels(fragments, layout):
        label = _label(fragment.text, layout)
        expected = chr(ord("A") + len(texts))
        x0 = fragment.span.box.x0
        if label is not None and label == expected:
            if abs(fragment.baseline - row_baseline) > 6:
                row, row_baseline = [], fragment.baseline
            row.append((label, x0))
            text = _without_label(fragment.text, layout)
            texts[label] = [fragment._replace(span=fragment.span._replace(text=text))]
        elif texts:
            columns = [name for name, left in row if left <= x0 + 6] or [row[0][0]]
            owner = columns[-1]
            if abs(fragment.baseline - row_baseline) <= 6:
                owner = row[-1][0]
            texts[owner].append(fragment)
    return {label: prose(parts).replace("\n\n", " ") for label, parts in texts.items()}


def _split_at_labels(fragments: list[Fragment], layout: Layout) -> list[Fragment]:
    """Options that follow each other without a wide blank are cut at their labels."""
    pieces: list[Fragment] = []
    n_seen = 0
    for fragment in fragments:
        text = fragment.text
        while True:
            label = _label(text, layout)
            if label is not None and label == chr(ord("A") + n_seen):
                n_seen += 1
            cut = _next_label(text, chr(ord("A") + n_seen), layout)
            if n_seen == 0 or cut is None:
                pieces.append(fragment._replace(span=fragment.span._replace(text=text)))
                break
            pieces.append(fragment._replace(span=fragment.span._replace(text=text[:cut].strip())))
            text = text[cut:]
    return pieces


def _next_label(text: str, label: str, layout: Layout) -> int | None:
    """Where, after its beginning, the text goes on with that option; None: nowhere."""
    for match in layout.options.finditer(text):
        found = next(group for group in match.groups() if group)
        if match.start() and text[match.start() - 1].isspace() and found.upper() == label:
            return match.start()
    return None


def _without_label(text: str, layout: Layout) -> str:
    stripped = re.sub(r"^(\\textbf\{)?\s*[(\[]?[A-Ja-j][)\].]\s*", r"\1", text)
    return "" if stripped in ("\\textbf{", "\\textbf{}") else stripped.strip()
