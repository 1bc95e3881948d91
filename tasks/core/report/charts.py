"""Charts of a report: rows as the data of Vega-Lite specifications, and SVG that a page can hold.

The specifications are files of `data/report`; they name colours of the page's style sheet, so that
one chart serves light, dark and print.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from xml.etree import ElementTree

from tasks.core.report.formats import contestant, score

Row = Mapping[str, Any]

MOST_LINES = 60
MOST_SUBJECTS = 6

_CHARACTER_WIDTH = 7.6  # px, of the widest usual system font at 12 px
_MOST_LABEL_WIDTH = 300

_SVG = "{http://www.w3.org/2000/svg}"
_TAGS = frozenset({"svg", "g", "path", "line", "rect", "text", "tspan"})
_PLACES = frozenset({"d", "dy", "height", "transform", "viewBox", "width"})
_PLACES |= frozenset({"x", "x1", "x2", "y", "y1", "y2"})
_LOOKS = frozenset({"fill", "fill-opacity", "opacity", "stroke", "stroke-dasharray"})
_LOOKS |= frozenset({"stroke-linecap", "stroke-miterlimit", "stroke-width"})
_LOOKS |= frozenset({"font-family", "font-size", "font-weight", "text-anchor"})
_ATTRIBUTES = _PLACES | _LOOKS


class ChartData(NamedTuple):
    """Named data sets of a specification, and the room that its line labels need, in px."""

    datasets: Mapping[str, Sequence[Row]]
    label_width: float


def score_chart(contestants: Sequence[Row], guessing: float | None) -> ChartData | None:
    """Data sets `scores` (the best `MOST_LINES`) and `baseline` (none or one); None without
    scores."""
    scores = [_score_row(row) for row in contestants if row["score"] is not None][:MOST_LINES]
    if not scores:
        return None
    about = f"random guessing {score(guessing)}"
    baseline = [] if guessing is None else [{"score": guessing, "about": about}]
    datasets: dict[str, Sequence[Row]] = {"scores": scores, "baseline": baseline}
    return ChartData(datasets, _label_width(row["label"] for row in scores))


def mean_chart(means: Sequence[Row]) -> ChartData | None:
    """Data set `means`: each contestant's score for each subject and type; the last line is random
    guessing. None where one subject and type, or too many subjects, make no readable picture."""
    cells = [row for row in means if row["subject"] and row["type"] and row["score"] is not None]
    subjects = {row["subject"] for row in cells}
    types = {row["type"] for row in cells}
    if len(subjects) > MOST_SUBJECTS or len(subjects) * len(types) < 2:
        return None
    labels = list(dict.fromkeys(_label(row) for row in cells))
    shown = labels if len(labels) <= MOST_LINES + 1 else [*labels[:MOST_LINES], labels[-1]]
    rows = [_mean_row(row) for row in cells if _label(row) in shown]
    rows.sort(key=lambda row: (row["subject"], shown.index(row["label"]), row["type"]))
    return ChartData({"means": rows}, _label_width(shown))


def inline_svg(svg: str, title: str) -> str:
    """An SVG as it may stand in a page: drawing elements only, no style, script or link; what a
    mark says about itself becomes its tooltip. `title` is read out for the whole."""
    root = _rebuilt(ElementTree.fromstring(svg))
    root.set("role", "img")
    root.set("aria-label", _printable(title))
    return ElementTree.tostring(root, encoding="unicode")


def _rebuilt(xml: ElementTree.Element) -> ElementTree.Element:
    kept = {name: value for name, value in xml.attrib.items() if name in _ATTRIBUTES}
    copy = ElementTree.Element(xml.tag.removeprefix(_SVG), kept)
    copy.text, copy.tail = xml.text, xml.tail
    if (about := xml.get("aria-label")) is not None and copy.tag in {"path", "line"}:
        ElementTree.SubElement(copy, "title").text = about
    for child in xml:
        is_empty = not child.get("d", "-") or child.get("display") == "none"
        if child.tag.removeprefix(_SVG) in _TAGS and not is_empty:
            copy.append(_rebuilt(child))
    return copy


def _score_row(row: Row) -> Row:
    lower, upper = row["score_lower"], row["score_upper"]
    interval = "" if lower is None or upper is None else f", {score(lower)} to {score(upper)}"
    return {
        "label": _label(row),
        "score": row["score"],
        "lower": row["score"] if lower is None else lower,
        "upper": row["score"] if upper is None else upper,
        "is_scripted": row["is_scripted"],
        "about": f"{_label(row)}: {score(row['score'])}{interval}",
    }


def _mean_row(row: Row) -> Row:
    about = f"{_label(row)}, {row['subject']}, {row['type']}: {score(row['score'])}"
    return {
        "label": _label(row),
        "subject": _printable(row["subject"]),
        "type": row["type"],
        "score": row["score"],
        "about": _printable(f"{about} of {row['n']} questions"),
    }


def _label_width(labels: Iterable[str]) -> float:
    longest = max(len(label) for label in labels)
    return min(_MOST_LABEL_WIDTH, longest * _CHARACTER_WIDTH + 16)


def _label(row: Row) -> str:
    if row["model"] is None:
        return "random guessing"
    scripted = " (scripted)" if row.get("is_scripted") else ""
    return _printable(contestant(row) + scripted)


def _printable(text: str) -> str:
    """Without characters that XML cannot hold or that would reorder a line."""
    return "".join(character if character.isprintable() else "\ufffd" for character in text)
