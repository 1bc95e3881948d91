r"""Numbers as they stand in prose: with words before them and units after them.

A quantity is a closed form (`arithmetic`) or a number in words. It is *symbolic* if what follows
makes it part of a larger expression that has no value (`2\alpha`, `5/0`), and *several* if the
text gives more than one value (`24 or 25`, `\pm 2`, `0,1`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Context, Decimal

from tasks.core.extraction.arithmetic import read_value
from tasks.core.extraction.languages import AND, FILLER, IS, OR
from tasks.core.extraction.numerals import normal_form, read_words

_FILLER = re.compile(
    rf"""
    (?: [\s$=≈≃≅~:>|{IS}{FILLER}]
      | \*\*|\*(?=[\d.$-]) | __ | \\[(\[,;:!\ ] | \{{(?=[^{{}}]*\}}) | &
      | \\(?:approx|simeq|sim|cong|equiv|q?quad|text(?:bf|it)?|mathbf|mathrm|bf|displaystyle|left
          |colon)(?![A-Za-z])
      | \\text\{{\s*(?:approximately|about|or)\s*\}}
      | (?:approximately|approx\.?|about|roughly|around|nearly|almost|exactly|precisely|only|just
          |simply
          |indeed|also|actually|therefore|thus|hence|then|given\ by|equal\ to|equals
          |found\ to\ be|to\ be
          |estimated\ to\ be|calculated\ (?:to\ be|as)|taken\ as|rounded\ to|an?\ total\ of
          |at\ (?:least|most)
          |the\ (?:value|number|integer)|is|are|be|an?\ integer|close(?:st)?\ to|it|clearly
          |therefore)
        (?![A-Za-z])
    )*
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SEVERAL_BEFORE = re.compile(
    r"(?:\\pm(?![A-Za-z])|±|\+/-|between(?![A-Za-z])|either(?![A-Za-z]))\s*", re.IGNORECASE
)
_TUPLE = re.compile(r"(?:\\left)?\s*[(\[]\s*[^()\[\]{}]{1,40}?,[^()\[\]{}]{1,40}[)\]]")
_RATIO = re.compile(r"\s*:\s*(?=\d)")
_CLOSING = r"[\s$*}]*+(?:\\[)\]])?\s*+"
_OPENING = r"\s*+(?:\\[(\[])?[\s$*{]*+(?=[-+]?\s*+(?:\.?\d|\\frac|\\sqrt|\\boxed))"
_NEXT_VALUE = re.compile(
    rf"{_CLOSING}(?:,\s*+(?:and|or)?|;|\bor\b|\band\b|\bto\b|[{AND}{OR}]"
    rf"|,?\\text\{{\s*+(?:or|and)\s*+\}})(?:\s*+[A-Za-z]\s*+=)?{_OPENING}",
    re.IGNORECASE,
)
_OR_NEXT_VALUE = re.compile(
    rf"{_CLOSING}(?P<unit>[A-Za-zΩμ°/·]{{1,12}})[\s$]*+(?:,\s*+)?(?:or|{OR}){_OPENING}"
)
_RANGE = re.compile(r"(\d+(?:\.\d+)?)\s?-\s?(\d+(?:\.\d+)?)")
_PERCENT = re.compile(r"[\s$}]*+(?:\\,|~)*\s*+(?:\\?%|per\s?cent\b|percent\b)", re.IGNORECASE)
_LATEX_SPACE = re.compile(r"(?:[ \t~}]|\\[,;:!> ]|\\q?quad(?![A-Za-z]))*")
_SAFE_COMMAND = re.compile(
    r"\\(?:text|mathrm|mathbf|mathit|mathsf|textbf|textrm|mbox|hbox|rm|operatorname|approx|simeq|sim|cong"
    r"|equiv|Rightarrow|implies|iff|rightarrow|to|circ|degree|Omega|mu|AA|angstrom|end|right|le|leq|ge|geq"
    r"|ne|neq|lt|gt|pm|ldots|dots|cdots|because|therefore|tag|label|mod|pmod|colon|unit|si|SI|quad|hline"
    r"|textdegree|textcelsius|micro|ohm|checkmark|blacksquare|square)(?![A-Za-z])|\\[\\)\]%$}]"
)
_SYMBOL = re.compile(r"\\(?:math(?:bf|it)|boldsymbol|bm)\s*\{\s*([A-Za-z])\s*\}")
_UNIT_PRODUCT = re.compile(
    r"(?:\\cdot|\\times|·|×|\*)\s*(?:\\(?:mathrm|text|rm|mathbf)(?![A-Za-z])|[A-Za-zΩμ]{1,4}(?![A-Za-z(]))"
)
_DEGREES = re.compile(r"\^\s*\{?\s*(?:\\circ|°|\\prime|o\b)")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b|\s*-?(?:decimal|significant|d\.p|dp\b|s\.f)|-[A-Za-z]")
_UNIT_WORDS = (
    "m s g J N K V A W C F H T L M h l Pa kg cm mm km nm pm um mg mL ml dm Hz kHz MHz GHz "
    "eV keV MeV GeV kJ kN kPa MPa MJ kV mV mA mol mmol atm bar torr Torr Hg rad sr deg "
    "min sec hr hrs ms ns kW MW Wb cal kcal amu u ppm BM D S Oe Gy Bq Ci lm lx cd yr ly "
    "AU pH units unit cc kmol kmph kmh mT uF pF nF mF uC nC pC cms mole moles times"
)
_UNITS = frozenset(_UNIT_WORDS.split())
_GREEK = re.compile(r"[Α-ΠΡ-Ψα-λν-ω]")
_WORD = re.compile(r"[A-Za-z]+")

_RELATION = re.compile(
    rf"""
    [=≈≃≅⟹⇒] | (?<!\d):(?!\d|=) | \\(?:approx|simeq|cong|sim|equiv|Rightarrow|implies)(?![A-Za-z])
  | (?<![A-Za-z])(?:is|are|was|were|be|equals?|becomes?|gives?|yields?|get|gets|obtain|have|has
      |takes?
      |needs?|requires?|contains?|by|only)(?![A-Za-z'])
  | {IS}
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SUBORDINATE = re.compile(
    r"(?<![A-Za-z])(?:for|when|where|if|with|which|since|because|at|as|given|using|while|from|per|after"
    r"|before|such|than|assuming|whose|that|in|on|of)(?![A-Za-z])",
    re.IGNORECASE,
)
_PURPOSE = re.compile(
    r"(?<![A-Za-z])(?:to\s+[a-z]{3,}|so\s+that|such\s+that|in\s+order|because|since|which|where|for)(?![A-Za-z])",
    re.IGNORECASE,
)
_BOUND = re.compile(r"\\(?:leq?|geq?|lt|gt)(?:slant)?(?![A-Za-z])|[≤≥<>]")
_ASIDE = re.compile(
    r"\((?:given|use|take)\s[^\n]{0,300}"
    r"|\((?:rounded|round|correct|corrected|approx|to|up to|upto|see|since|because|where|from"
    r"|as|using|eq|in|which|for"
    r"|i\.e|note|after|when|considering|assuming|by|with|case|nearest|taking|accurate|two|three)\b[^()\n]{0,120}\)"
    r"|(?:,\s*+)?(?:\bcorrect(?:ed)?|\brounded?(?:\s++off)?|\baccurate)\s++(?:up\s*+)?to\s++(?:the\s++)?[\w-]+\s++(?:\d*\s*+decimal|significant)"
    r"\s*+(?:places?|digits?|figures?|points?)?",
    re.IGNORECASE,
)
_SOLID = re.compile(r"\S*")
_STANDALONE = re.compile(
    r"(?<![\w.^_\\])(?<![\^_]\{)(?<![eE][+-])(?<!\d,)(?:-\s?)?(?:\.?\d|\\[dt]?frac(?![A-Za-z])|\\sqrt(?![A-Za-z])|√)"
)
_CONTEXT = Context(prec=40)
_MAX_ALTERNATIVE = 16


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in text. `percent`: a percent sign follows. Offsets include sign, not the unit."""

    number: Decimal
    exact: bool
    start: int
    end: int
    percent: bool = False
    several: bool = False
    symbolic: bool = False

    @property
    def answer(self) -> str:
        """The normal form of the number as written (25 for 25 %)."""
        return normal_form(self.number, self.exact)

    @property
    def fraction(self) -> str | None:
        """The normal form with the percent sign worked out (0.25 for 25 %)."""
        if not self.percent:
            return None
        return normal_form(self.number.scaleb(-2, _CONTEXT), self.exact)


def skip_filler(text: str, start: int, end: int) -> int:
    """Offset of the first character that is neither markup nor a word that introduces a number."""
    filler = _FILLER.match(text, start, min(end, start + 200))
    return filler.end() if filler else start


def read_quantity(text: str, start: int, end: int) -> Quantity | None:
    """The quantity that begins at `start`, introductory words skipped; None if there is none."""
    position = skip_filler(text, start, end)
    several = False
    if before := _SEVERAL_BEFORE.match(text, position, end):
        several = True
        position = skip_filler(text, before.end(), end)
    if _TUPLE.match(text, position, end):
        value = None
        inner = read_value(
            text,
            text.index("(", position) + 1 if "(" in text[position : position + 8] else position + 1,
            end,
        )
        if inner is None:
            return None
        return Quantity(inner.number, inner.exact, position, inner.end, several=True)
    value = read_value(text, position, end)
    if value is None:
        words = read_words(text, position, end)
        if words is None:
            return None
        return Quantity(words.number, True, position, words.end, several=several)
    if _ORDINAL.match(text, value.end, end):
        return None
    quantity = Quantity(value.number, value.exact, position, value.end, several=several)
    quantity = _with_ratio(text, end, quantity)
    if _PERCENT.match(text, quantity.end, end):
        return replace(quantity, percent=True)
    if _has_symbols(text, quantity.end, end):
        return replace(quantity, symbolic=True)
    return (
        quantity
        if quantity.several
        else replace(quantity, several=_gives_several(text, end, quantity))
    )


def _with_ratio(text: str, end: int, quantity: Quantity) -> Quantity:
    ratio = _RATIO.match(text, quantity.end, end)
    second = read_value(text, ratio.end(), end) if ratio else None
    if second is None or not second.number:
        return quantity
    quotient = _CONTEXT.divide(quantity.number, second.number)
    exact = (
        _CONTEXT.multiply(quotient, second.number) == quantity.number
        and len(quotient.as_tuple().digits) < 30
    )
    return replace(quantity, number=quotient, exact=exact, end=second.end)


def _gives_several(text: str, end: int, quantity: Quantity) -> bool:
    span = _RANGE.fullmatch(text, quantity.start, quantity.end)
    if span and Decimal(span[1]) < Decimal(span[2]):
        return not text[quantity.end : end].lstrip(" $").startswith("=")
    following = _NEXT_VALUE.match(text, quantity.end, end)
    unit = ""
    if following is None:
        following = _OR_NEXT_VALUE.match(text, quantity.end, end)
        if following is None:
            return False
        unit = following["unit"]
    other = read_value(text, following.end(), end)
    return (
        other is not None
        and other.number != quantity.number
        and text[other.end : end].lstrip(" $").startswith(unit)
    )


def _has_symbols(text: str, position: int, end: int) -> bool:
    """Whether a variable or an operator without a readable operand follows the number."""
    after = _LATEX_SPACE.match(text, position, end)
    next_position = after.end() if after else position
    spaced = next_position > position
    if next_position >= end:
        return False
    character = text[next_position]
    if character == "\\":
        if (symbol := _SYMBOL.match(text, next_position, end)) and symbol[1] not in _UNITS:
            return True
        return not (
            _SAFE_COMMAND.match(text, next_position, end)
            or _UNIT_PRODUCT.match(text, next_position, end)
        )
    if character in "^_":
        return not _DEGREES.match(text, next_position, end)
    if character in "*×·+/":
        if character == "*" and (
            spaced or not text[next_position + 1 : next_position + 2].isalnum()
        ):
            return False
        if character == "/":
            return not re.match(
                r"/\s*(?:[A-Za-zΩμ]|\\(?:mathrm|text|rm)|\()", text[next_position:end][:20]
            )
        return not _UNIT_PRODUCT.match(text, next_position, end)
    if character == "-":
        return bool(re.match(r"-\s*(?:\\[a-z]|[A-Za-z](?![A-Za-z]))", text[next_position:end][:20]))
    if character == "(":
        return not spaced and not re.match(r"\([A-Za-z]{2}", text[next_position:end][:4])
    if _GREEK.match(character):
        return True
    if word := _WORD.match(text, next_position, end):
        if word.group() in _UNITS:
            return False
        return not spaced or (len(word.group()) == 1 and word.group() not in "aAIx")
    return False


def blank_asides(text: str) -> str:
    """Text of the same length without remarks on rounding and other parenthesised remarks."""
    return _ASIDE.sub(lambda match: " " * len(match.group()), text)


def last_stated(text: str, start: int, end: int) -> Quantity | None:
    """The quantity that a sentence states: the last one after `=`, `≈`, `is`, `are`, `:` …,
    where a subordinate clause (`for n = 3`, `which occurs at x = 2`) states nothing any more.

    A symbolic quantity is returned only if no other is stated.
    """
    found: Quantity | None = None
    for relation in _RELATION.finditer(text, start, end):
        if found is not None:
            if relation.start() < found.end:
                continue
            if found.several and relation.start() < found.end + _MAX_ALTERNATIVE:
                continue
            if not found.symbolic and _SUBORDINATE.search(text, found.end, relation.start()):
                break
        quantity = read_quantity(text, relation.end(), end)
        if quantity is None:
            continue
        if found is None or found.symbolic or not quantity.symbolic:
            found = quantity
    return found


def bound_stated(text: str, start: int, end: int) -> Quantity | None:
    r"""The bound of the one inequality of a stretch (`6` of `x \leq 6`), or None."""
    bounds = list(_BOUND.finditer(text, start, end))
    if len(bounds) != 1:
        return None
    quantity = read_quantity(text, bounds[0].end(), end)
    return None if quantity is None or quantity.symbolic else quantity


def standalone(text: str, start: int, end: int) -> Iterator[Quantity]:
    """Numbers that stand on their own (not `C8`, `x_2`, `2nd`), from left to right, as far as a
    clause of purpose or condition ("11 missiles to ensure that …")."""
    position = start
    last: int | None = None
    while begin := _STANDALONE.search(text, position, end):
        if last is not None and _PURPOSE.search(text, last, begin.start()):
            return
        quantity = read_quantity(text, begin.start(), end)
        if quantity is None or quantity.end <= begin.start():
            solid = _SOLID.match(text, begin.end(), end)
            position = solid.end() if solid else begin.end()
        else:
            yield quantity
            position = last = quantity.end
