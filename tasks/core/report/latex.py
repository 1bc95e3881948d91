r"""The LaTeX of exam questions as rich text: paragraphs, formulas, tables, lists, bold and italic.

Questions use a small part of LaTeX around their formulas. What is not known here is shown as its
source; nothing is left out. Line breaks of the source are kept, since options often stand on lines
of their own.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tasks.core.report.markup import Element, Node, element
from tasks.core.report.math import formula

MOST_CHARACTERS = 50_000
MOST_GROUP_CHARACTERS = 1_500

_MATH = (  # none runs over another opening: many that are never closed cost no more than one
    r"\$\$(?P<display>(?:[^$\\]|\\.){1,4000})\$\$"
    r"|(?<!\\)\\\[(?P<bracket>(?:[^\\]|\\[^\[\]]){1,4000})\\\]"
    r"|(?<!\\)\\\((?P<paren>(?:[^\\]|\\[^()]){1,4000})\\\)"
    r"|(?<!\\)\$(?P<inline>(?:[^$\\]|\\.){1,4000})\$(?![0-9])"
)
_EDGE = re.compile(
    rf"{_MATH}|\\begin\s*\{{(?P<begin>[^{{}}]{{1,40}})\}}|\\end\s*\{{(?P<end>[^{{}}]{{1,40}})\}}",
    re.DOTALL,
)
_PARAGRAPH = re.compile(rf"{_MATH}|(?P<blank>\n[ \t]*\n\s*)", re.DOTALL)
_INLINE = re.compile(
    rf"{_MATH}"
    r"|\\(?P<style>textbf|textit|emph|underline|textrm|text|mathrm|mathbf)\s*\{"
    r"|\\(?P<escaped>[%&$#_{} \n])"
    r"|(?P<line>\\\\(?:\[[^\]]{0,20}\])?)"
    r"|(?P<dropped>\\(?:hline|noindent|centering|par|medskip|bigskip|smallskip)(?![A-Za-z])"
    r"|\\[cv](?:line|space)\s*\{[^{}]{0,40}\})"
    r"|\\(?P<symbol>l?dots|cdots|quad|qquad|times|degree|rightarrow|to|cap|cup|cdot|pm)(?![A-Za-z])"
    r"|(?P<quotes>``|'')|(?P<tie>~)",
    re.DOTALL,
)
_CELL = re.compile(rf"{_MATH}|\\begin|\\end|\\[&{{}}]|(?P<row>\\\\)|[{{}}]|(?P<cell>&)", re.DOTALL)
_ITEM = re.compile(
    rf"{_MATH}|\\begin|\\end|(?P<item>\\item(?![A-Za-z])\s*(?:\[[^\]]*\])?)", re.DOTALL
)
_RULE = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule)(?![A-Za-z])"
    r"|\\(?:cline|cmidrule)\s*(?:\([a-z]*\))?\s*\{[^{}]*\}"
)
_MULTICOLUMN = re.compile(r"\s*\\multicolumn\s*\{\s*(\d{1,2})\s*\}\s*\{[^{}]*\}\s*(?=\{)")
_MULTIROW = re.compile(r"\s*\\multirow\s*\{\s*(\d{1,2})\s*\}\s*\{[^{}]*\}\s*(?=\{)")
_COLUMNS = re.compile(r"\s*(?:\[[a-z]\])?\s*\{(?:[^{}]|\{[^{}]*\})*\}")

_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)

_STYLES = {"textbf": "strong", "mathbf": "strong", "textit": "em", "emph": "em", "underline": "u"}
_SYMBOLS = {
    "dots": "…", "ldots": "…", "cdots": "⋯", "quad": "\u2003", "qquad": "\u2003\u2003",
    "times": "×", "degree": "°", "rightarrow": "→", "to": "→", "cap": "∩", "cup": "∪",
    "cdot": "·", "pm": "±",
}  # fmt: skip
_LISTS = {"itemize": "ul", "enumerate": "ol"}
_TABLES = frozenset({"tabular", "tabular*", "tabularx", "longtable"})
_WRAPPERS = frozenset({"center", "flushleft", "flushright", "table", "table*", "figure", "quote"})
_FORMULAS = frozenset({"array", "cases", "matrix", "pmatrix", "bmatrix", "vmatrix", "eqnarray"})
_DISPLAYS = frozenset({"equation", "align", "aligned", "gather", "gathered", "multline"})


def question_nodes(source: str) -> tuple[Node, ...]:
    """A question's LaTeX as nodes. Never raises: at worst, and where it is longer than
    `MOST_CHARACTERS`, the whole source in one element."""
    if len(source) <= MOST_CHARACTERS:
        try:
            return tuple(_blocks(source))
        except (RecursionError, ValueError, IndexError):
            pass
    return (element("pre", source, class_="latex"),)


class _Environment(NamedTuple):
    name: str
    start: int
    body: str
    end: int


def _blocks(source: str) -> Iterator[Node]:
    start = 0
    for environment in _environments(source):
        yield from _paragraphs(source[start : environment.start])
        yield from _environment(environment)
        start = environment.end
    yield from _paragraphs(source[start:])


def _environments(source: str) -> list[_Environment]:
    """The outermost environments outside formulas, in order. One that is never closed is none."""
    opened: list[re.Match[str]] = []
    closed: list[_Environment] = []
    for match in _EDGE.finditer(source):
        if match["begin"] is not None:
            opened.append(match)
            continue
        names = [begin["begin"] for begin in opened]
        if match["end"] not in names:
            continue
        position = len(names) - 1 - names[::-1].index(match["end"])
        begin = opened[position]
        del opened[position:]
        while closed and closed[-1].start > begin.start():
            closed.pop()
        body = source[begin.end() : match.start()]
        closed.append(_Environment(match["end"], begin.start(), body, match.end()))
    return closed


def _environment(environment: _Environment) -> Iterator[Node]:
    name, body = environment.name, environment.body
    if name in _TABLES:
        yield _table(body, has_width=name in {"tabular*", "tabularx"})
    elif name in _LISTS:
        yield element(_LISTS[name], *(element("li", *_blocks(item)) for item in _items(body)))
    elif name in _WRAPPERS:
        yield element("div", *_blocks(body), class_="center" if name == "center" else "wrapper")
    elif name in _FORMULAS or name.removesuffix("*") in _DISPLAYS:
        whole = f"\\begin{{{name}}}{body}\\end{{{name}}}"
        yield element("p", formula(whole, is_display=True))
    else:
        yield element("pre", f"\\begin{{{name}}}{body}\\end{{{name}}}", class_="latex")


def _paragraphs(source: str) -> Iterator[Element]:
    for part in _split(_PARAGRAPH, "blank", source):
        if part.strip():
            yield element("p", *_inline(part.strip()))


def _inline(source: str) -> Iterator[Node]:
    start = 0
    while (match := _INLINE.search(source, start)) is not None:
        if match.start() > start:
            yield source[start : match.start()]
        start = match.end()
        kind = match.lastgroup
        if kind in {"display", "bracket"}:
            yield formula(match[kind], is_display=True)
        elif kind in {"paren", "inline"}:
            yield formula(match[kind])
        elif kind == "style":
            group = _group(source, match.end() - 1)
            if group is None:
                yield match[0]
                continue
            content, start = group
            tag = _STYLES.get(match["style"])
            inner = tuple(_inline(content))
            yield from (element(tag, *inner),) if tag else inner
        elif kind == "escaped":
            yield match["escaped"]
        elif kind == "line":
            yield element("br")
        elif kind == "symbol":
            yield _SYMBOLS[match["symbol"]]
        elif kind == "quotes":
            yield "“" if match["quotes"] == "``" else "”"
        elif kind == "tie":
            yield "\u00a0"
    if start < len(source):
        yield source[start:]


def _table(body: str, *, has_width: bool) -> Element:
    start = 0
    for _ in range(2 if has_width else 1):
        if columns := _COLUMNS.match(body, start):
            start = columns.end()
    rows = [
        element("tr", *(_cell(cell) for cell in _split(_CELL, "cell", row)))
        for row in _split(_CELL, "row", _RULE.sub("", body[start:]))
        if row.strip()
    ]
    return element("table", element("tbody", *rows), class_="tabular")


def _cell(source: str) -> Element:
    spans: dict[str, str] = {}
    for pattern, attribute in ((_MULTICOLUMN, "colspan"), (_MULTIROW, "rowspan")):
        match = pattern.match(source)
        if match and (group := _group(source, match.end())) is not None:
            spans[attribute] = match[1]
            source, _ = group
    stripped = source.strip()
    if stripped.startswith("{") and (group := _group(stripped, 0)) is not None:
        source = group[0] if group[1] == len(stripped) else source
    return element("td", *_inline(source.strip()), **spans)


def _items(body: str) -> list[str]:
    before, *items = _split(_ITEM, "item", body)
    return [before, *items] if before.strip() else items


def _split(pattern: re.Pattern[str], separator: str, source: str) -> list[str]:
    """Parts between the separators that stand outside formulas, groups and environments."""
    parts, start, depth = [], 0, 0
    for match in pattern.finditer(source):
        token = match[0]
        if token in {"{", "\\begin"}:
            depth += 1
        elif token in {"}", "\\end"}:
            depth = max(0, depth - 1)
        elif match.lastgroup == separator and depth == 0:
            parts.append(source[start : match.start()])
            start = match.end()
    return [*parts, source[start:]]


def _group(source: str, opening: int) -> tuple[str, int] | None:
    """What stands between the brace at `opening` and its partner, and where that ends. None where
    there is no partner within `MOST_GROUP_CHARACTERS`."""
    depth = 0
    for match in _BRACE.finditer(source, opening, opening + MOST_GROUP_CHARACTERS):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return source[opening + 1 : match.start()], match.end()
    return None
