"""LaTeX of a line → the plain text that layout patterns are searched in."""

import re

_FONT = re.compile(r"\\(?:textbf|textit|mathrm|mathbf|text)\{([^{}]*)\}")


def plain_text(latex: str) -> str:
    """Without font commands, dollar signs and doubled blanks."""
    previous = None
    while previous != latex:
        previous, latex = latex, _FONT.sub(r"\1", latex)
    return re.sub(r"\s+", " ", latex.replace("$", "").replace(r"\ ", " ").replace("{}", "")).strip()
