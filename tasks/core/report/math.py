r"""LaTeX formulas as MathML, which browsers set without any script or font of ours.

`latex2mathml` converts; what it gives is rebuilt node by node, so that only presentation MathML
gets through. A formula that cannot be converted, or only in part (an unknown command stays in it as
text), is shown as its source instead.
"""

import re
from functools import lru_cache
from xml.etree import ElementTree

from latex2mathml.converter import convert

from tasks.core.report.markup import ALLOWED, Element, Node, element, texts

MOST_CHARACTERS = 20_000

_BLANK_LINES = re.compile(r"\n\s*\n")
_OPERATOR_NAMES = re.compile(r"\\(arg|Arg|adj|tr|cosec|cosech|sech|sgn|rank|cis)(?![A-Za-z])")
_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{([a-z]+)\*?\}(?:\[[tbc]\])?")
_KNOWN_AS = {
    **dict.fromkeys(("aligned", "alignedat", "align", "eqnarray"), "split"),
    **dict.fromkeys(("gathered", "gather", "multline"), "matrix"),
}
_EQUATION = re.compile(r"\s*\\begin\{(equation\*?)\}(.*)\\end\{\1\}\s*", re.DOTALL)
_UNKNOWN_COMMAND = re.compile(r"\\[A-Za-z]+")
_MATHML = "{http://www.w3.org/1998/Math/MathML}"


@lru_cache(maxsize=20_000)
def formula(source: str, *, is_display: bool = False) -> Element:
    """A formula without its delimiters, as `<math>`, or as `<code>` with the source."""
    display = "block" if is_display else "inline"
    if len(source) > MOST_CHARACTERS:
        return element("code", source, class_="latex")
    try:
        root = ElementTree.fromstring(convert(_plainer(source), display=display))
        rebuilt = _rebuilt(root)
    except Exception:  # noqa: BLE001 - whatever a converter trips over, the source can be shown
        rebuilt = None
    if rebuilt is None or any(_UNKNOWN_COMMAND.search(text) for text in texts(rebuilt)):
        return element("code", source, class_="latex")
    return rebuilt


def _rebuilt(xml: ElementTree.Element) -> Element:
    tag = xml.tag.removeprefix(_MATHML)
    attributes = {name: value for name, value in xml.attrib.items() if name in ALLOWED.get(tag, ())}
    children: list[Node] = [xml.text] if xml.text else []
    for child in xml:
        children.append(_rebuilt(child))
        if child.tail and child.tail.strip():
            children.append(child.tail)
    return element(tag, *children, **attributes)


def _plainer(source: str) -> str:
    """The same formula in words that the converter knows."""
    named = _OPERATOR_NAMES.sub(r"\\operatorname{\1}", _BLANK_LINES.sub("\n", source))
    if (wrapper := _EQUATION.fullmatch(named)) is not None:
        named = wrapper[2]
    return _ENVIRONMENT.sub(_known_environment, named)


def _known_environment(match: re.Match[str]) -> str:
    name = _KNOWN_AS.get(match[2])
    return match[0] if name is None else f"\\{match[1]}{{{name}}}"
