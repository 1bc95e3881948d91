"""LaTeX and Markdown that decorates text without changing what it says.

`blank_markup` keeps offsets: every mark becomes blanks of its own length.
"""

import re

_MARKUP = re.compile(
    r"""
    \\(?: boxed | fbox | framebox | text(?:bf|it|rm|tt|sf|normal|color)? | math(?:rm|bf|sf|it|tt)
      | mbox | hbox | bf | rm | bm | boldsymbol | underline | operatorname | displaystyle
      | q?quad | hspace | left\.|right\. | ensuremath ) (?![A-Za-z]) \*?
  | \\[()\[\],;:!\ >]
  | __
  | ["'“”](?=[A-J]["'“”]) | (?<=["'“” ][A-J])["'“”]
  | </?(?:b|i|u|em|strong|answer|final_answer|p|br|span)\s*/?>
    """,
    re.VERBOSE,
)


_SINGLE_MARKS = str.maketrans(dict.fromkeys("${}~*`#", " "))


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def blank_markup(text: str) -> str:
    r"""Text of the same length without fonts, boxes, braces, maths delimiters and emphasis.

    >>> blank_markup("$[\\mathrm{A}]$")
    ' [        A ] '
    """
    return _MARKUP.sub(_blank, text.translate(_SINGLE_MARKS))


def closing_brace(text: str, opening: int, limit: int) -> int:
    """Offset of the brace that closes the one at `opening`, or -1 if there is none before
    `limit`. Escaped braces do not count."""
    depth = 0
    for brace in _BRACE.finditer(text, opening, limit):
        mark = brace.group()
        if mark == "{":
            depth += 1
        elif mark == "}":
            depth -= 1
            if depth == 0:
                return brace.start()
    return -1


_BRACE = re.compile(r"\\[{}\\]|[{}]")
