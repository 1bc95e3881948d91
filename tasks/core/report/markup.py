"""A page's rich text as plain data: what a page may show is built from these nodes, never parsed.

A node is a text or an `Element`. As JSON an element is `[tag, attributes, children]`. Only the tags
and attributes of `ALLOWED` exist, and none of them can run, load or link to anything, so whoever
wrote the text, a page that makes elements from nodes cannot be made to do more than show them.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

_MATH_STYLE = frozenset({"mathvariant", "displaystyle", "scriptlevel"})
_MATH_SPACE = frozenset({"width", "height", "depth", "voffset", "lspace"})
_OPERATOR = frozenset({"accent", "fence", "form", "separator", "stretchy", "symmetric", "largeop"})
_LIMITS = frozenset({"movablelimits", "lspace", "rspace", "minsize", "maxsize"})
_TABLE = frozenset({"columnalign", "rowalign", "columnspacing", "rowspacing", "columnlines"})
_CELL = frozenset({"colspan", "rowspan"})
_NONE: frozenset[str] = frozenset()

ALLOWED: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("p", "br", "strong", "em", "u", "ul", "ol", "li", "tr", "tbody"), _NONE),
    **dict.fromkeys(("code", "pre", "table", "div"), frozenset({"class"})),
    "td": _CELL,
    "math": frozenset({"display"}),
    **dict.fromkeys(("mi", "mn", "ms", "mtext", "mrow", "mstyle", "mphantom"), _MATH_STYLE),
    **dict.fromkeys(("msub", "msup", "msubsup", "msqrt", "mroot", "mmultiscripts"), _NONE),
    **dict.fromkeys(("mprescripts", "none"), _NONE),
    **dict.fromkeys(("munder", "mover", "munderover"), frozenset({"accent", "accentunder"})),
    "mo": _OPERATOR | _LIMITS | _MATH_STYLE,
    "mfrac": frozenset({"linethickness"}) | _MATH_STYLE,
    "mspace": _MATH_SPACE,
    "mpadded": _MATH_SPACE,
    "menclose": frozenset({"notation"}),
    "mtable": _TABLE | _MATH_STYLE,
    "mtr": _TABLE,
    "mtd": _TABLE | frozenset({"columnspan", "rowspan"}),
}


class Element(NamedTuple):
    """A tag of `ALLOWED` with its attributes and what stands in it."""

    tag: str
    attributes: Mapping[str, str]
    children: tuple["Node", ...]


Node: TypeAlias = "str | Element"


def element(tag: str, *children: Node, **attributes: str) -> Element:
    """Make an element; `class_` stands for the attribute `class`. Raises ValueError on what is not
    allowed."""
    named = {name.rstrip("_"): value for name, value in attributes.items()}
    if tag not in ALLOWED or not named.keys() <= ALLOWED[tag]:
        raise ValueError(f"<{tag}> with {sorted(named)} is not allowed")
    return Element(tag, named, children)


def texts(node: Node) -> Iterator[str]:
    """All texts of a node in order."""
    if isinstance(node, str):
        yield node
    else:
        for child in node.children:
            yield from texts(child)
