"""Drawn paths → the strokes that mathematics and tables are made of; the rest may be a figure.

A fraction bar, an overline, a table rule and an underline are all horizontal rules at first; what
each of them is shows only beside the glyphs (`bars.py`). A root drawn as one path is a root.
"""

from typing import NamedTuple

from tasks.core.pages.page import Box, Page, Path, enclosing

MAX_THICKNESS = 1.7  # points; a thicker rule is a bar of a figure
MIN_RULE = 1.8
MIN_VERTICAL = 5.0


class Rule(NamedTuple):
    """A straight horizontal or vertical rule: its box, thickness included."""

    box: Box


class RootStroke(NamedTuple):
    """A root sign with its overline: `box` of the whole, `bar_x0` where the overline begins."""

    box: Box
    bar_x0: float


class Strokes(NamedTuple):
    """`shapes` are paths that are none of the others."""

    horizontals: list[Rule]
    verticals: list[Rule]
    roots: list[RootStroke]
    shapes: list[Path]


def read_strokes(page: Page) -> Strokes:
    """Sort a page's paths. Twins (a stroke and its filled outline) count once."""
    strokes = Strokes([], [], [], [])
    for path in page.paths:
        if (root := _root(path)) is not None:
            if not any(_is_twin(root.box, other.box) for other in strokes.roots):
                strokes.roots.append(root)
        elif rules := _rules(path):
            for rule in rules:
                box = rule.box
                if box.width >= box.height:
                    if box.width >= MIN_RULE:
                        strokes.horizontals.append(rule)
                elif box.height >= MIN_VERTICAL:
                    strokes.verticals.append(rule)
        elif path.box.width > 0.2 or path.box.height > 0.2:
            strokes.shapes.append(path)
    roots = strokes.roots
    return Strokes(
        _joined([rule for rule in strokes.horizontals if not _is_overline(rule, roots)]),
        _distinct(strokes.verticals),
        roots,
        [path for path in strokes.shapes if not _is_slant(path, roots)],
    )


def _is_overline(rule: Rule, roots: list[RootStroke]) -> bool:
    """The overline of a root drawn a second time, as a line of its own."""
    return any(
        abs(rule.box.y_centre - root.box.y0) < 1.3
        and root.box.x0 - 1 < rule.box.x0
        and rule.box.x1 < root.box.x1 + 1
        for root in roots
    )


def _is_slant(path: Path, roots: list[RootStroke]) -> bool:
    """A slant of a root's hook drawn a second time, as a line of its own."""
    box = path.box
    return len(path.segments) <= 3 and any(
        root.box.x0 - 1 < box.x0
        and box.x1 < root.bar_x0 + 1
        and root.box.y0 - 1 < box.y0
        and box.y1 < root.box.y1 + 1
        for root in roots
    )


def _rules(path: Path) -> list[Rule]:
    """The rules that a path consists of; empty where it has curves, slants or thick parts."""
    if path.n_curves or not path.segments:
        return []
    if path.is_filled and not path.is_stroked:
        return _filled_rules(path)
    half = path.line_width / 2
    if path.line_width > MAX_THICKNESS:
        return []
    rules = []
    for x0, y0, x1, y1 in path.segments:
        if min(abs(x0 - x1), abs(y0 - y1)) > 0.3:
            return []
        box = Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
        is_level = box.width >= box.height
        rules.append(
            Rule(
                Box(box.x0, box.y0 - half, box.x1, box.y1 + half)
                if is_level
                else Box(box.x0 - half, box.y0, box.x1 + half, box.y1)
            )
        )
    return rules


def _filled_rules(path: Path) -> list[Rule]:
    slanted = any(min(abs(a - c), abs(b - d)) > 0.3 for a, b, c, d in path.segments)
    if slanted or min(path.box.width, path.box.height) > MAX_THICKNESS:
        return []
    return [Rule(path.box)]


def _root(path: Path) -> RootStroke | None:
    """A hook, a falling and a rising slant, and a long level line at the top right."""
    if path.n_curves or not 4 <= len(path.segments) <= 12:
        return None
    box = path.box
    slants = [s for s in path.segments if abs(s[0] - s[2]) > 0.4 and abs(s[1] - s[3]) > 0.4]
    levels = [
        s
        for s in path.segments
        if abs(s[1] - s[3]) < 0.3 and abs(s[0] - s[2]) > 2 and min(s[1], s[3]) < box.y0 + 1.2
    ]
    if len(slants) < 3 or not levels or box.height < 4:
        return None
    bar_x0 = min(min(s[0], s[2]) for s in levels)
    bar_x1 = max(max(s[0], s[2]) for s in levels)
    lowest = max(slants, key=lambda s: max(s[1], s[3]))
    if bar_x1 < box.x1 - 1 or max(lowest[1], lowest[3]) < box.y1 - 1 or bar_x0 < box.x0 + 1:
        return None
    return RootStroke(box, bar_x0)


def _is_twin(first: Box, second: Box) -> bool:
    return all(abs(a - b) < 1.0 for a, b in zip(first, second, strict=True))


def _distinct(rules: list[Rule]) -> list[Rule]:
    kept: list[Rule] = []
    for rule in rules:
        if not any(_is_twin(rule.box, other.box) for other in kept[-40:]):
            kept.append(rule)
    return kept


def _joined(rules: list[Rule]) -> list[Rule]:
    """Pieces of one level line (as Word draws underlines and borders) become one rule."""
    joined: list[Rule] = []
    for rule in sorted(rules, key=lambda r: (round(r.box.y_centre, 0), r.box.x0)):
        box = rule.box
        if joined:
            last = joined[-1].box
            if abs(last.y_centre - box.y_centre) < 0.4 and box.x0 <= last.x1 + 0.3:
                joined[-1] = Rule(enclosing([last, box]))
                continue
        joined.append(rule)
    return joined
