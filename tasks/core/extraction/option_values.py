"""Which option a value or a text without a label is: numerically first, then by its wording."""

import re
from collections.abc import Mapping
from decimal import Context, Decimal
from functools import lru_cache

from tasks.core.extraction.characters import fold
from tasks.core.extraction.quantities import Quantity, last_stated, read_quantity

_CONTEXT = Context(prec=40)
_EQUAL = Decimal("1e-9")
_MIN_TEXT = 2
_MIN_CONTAINED = 6
_NOISE = re.compile(
    r"\\(?:text|math)(?:rm|bf|it)?(?![A-Za-z])|\\(?:left|right|boxed|displaystyle|operatorname|q?quad)(?![A-Za-z])"
    r"|\\[,;:!()\[\] ]|[\s${}~*]"
)
_ANOTHER_NUMBER = re.compile(r"[;→]|rightarrow|\bto\b")
_DEFINITION = re.compile(r"^[^=]{1,40}=(?=[^=]+$)")


def option_of_quantity(quantity: Quantity, options: Mapping[str, str]) -> str | None:
    """The one label whose option has this value, exactly or after rounding to the digits given."""
    values = _values(tuple(options.items()))
    for close in (_equal, _equal_when_rounded):
        labels = [label for label, value in values.items() if close(quantity.number, value)]
        if len(labels) == 1:
            return labels[0]
        if labels:
            return None
    return None


def option_of_text(text: str, options: Mapping[str, str]) -> str | None:
    """The one label whose option has this wording, or whose wording the text contains."""
    said = _squeeze(text)
    if len(said) < _MIN_TEXT:
        return None
    wordings = {label: _squeeze(option) for label, option in options.items()}
    same = [
        label
        for label, wording in wordings.items()
        if wording and said in (wording, _DEFINITION.sub("", wording))
    ]
    if same:
        return same[0] if len(same) == 1 else None
    contained = {
        label: wording
        for label, wording in wordings.items()
        if len(wording) >= _MIN_CONTAINED and wording in said
    }
    longest = [
        label
        for label, wording in contained.items()
        if not any(wording != other and wording in other for other in contained.values())
    ]
    return longest[0] if len(longest) == 1 else None


@lru_cache(maxsize=1024)
def _values(options: tuple[tuple[str, str], ...]) -> dict[str, Decimal]:
    """The numbers of the options that are one quantity, with a unit or a name before `=`."""
    values = {}
    for label, option in options:
        text = fold(option)
        quantity = read_quantity(text, 0, len(text)) or last_stated(text, 0, len(text))
        if quantity is None or quantity.symbolic or quantity.several:
            continue
        if not _ANOTHER_NUMBER.search(text, quantity.end):
            values[label] = quantity.number
    return values


def _equal(a: Decimal, b: Decimal) -> bool:
    return abs(_CONTEXT.subtract(a, b)) <= _EQUAL * max(abs(a), abs(b))


def _equal_when_rounded(a: Decimal, b: Decimal) -> bool:
    """Whether the one with more digits rounds to the other, which has at least two digits."""
    coarse, fine = sorted((a, b), key=lambda number: len(number.as_tuple().digits))
    if len(coarse.as_tuple().digits) < 2 or coarse == coarse.to_integral_value():
        return False
    exponent = int(coarse.as_tuple().exponent)
    return abs(_CONTEXT.subtract(coarse, fine)) <= _CONTEXT.scaleb(Decimal("0.5"), exponent)


def _squeeze(text: str) -> str:
    text = text.replace("\\dfrac", "\\frac").replace("\\tfrac", "\\frac")
    return _NOISE.sub("", text).lower().rstrip(".,;:")
