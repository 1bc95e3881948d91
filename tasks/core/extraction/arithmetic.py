"""Value of a closed form written in LaTeX, Unicode or plain text.

A recursive-descent reader over a bounded stretch of text; nothing is executed. It reads the
longest prefix that has a value: numbers (thousands groups Western `1,000`, `1{,}080` and Indian
`12,34,567`; `1.5e3`), `+ - * / ^`, fractions, mixed numbers, roots, powers (also `10³`), π, e,
logarithms, exponentials, trigonometry, factorials, binomials. Decimal arithmetic with 40 digits;
trigonometric functions have the 15 digits of binary floats.
"""

import math
import re
from collections.abc import Callable
from decimal import Context, Decimal, DivisionByZero, Inexact, InvalidOperation, Overflow
from typing import NamedTuple

MAX_LENGTH = 400
_MAX_DEPTH = 24
_MAX_ATOMS = 200
_MAX_POWER = 1000
_MAX_FACTORIAL = 170
_MAX_DIGITS = 310

_PI = Decimal("3.14159265358979323846264338327950288419716939937511")
_E = Decimal("2.71828182845904523536028747135266249775724709369996")

_GROUP = r"(?:,|\{,\}|\\,|\\!,|,\\!|\u2009)"
_NUMBER = re.compile(
    rf"""
    (?: \d{{1,3}}(?:{_GROUP}\d{{3}})+(?!\d) | \d{{1,2}}(?:(?:,|\{{,\}})\d\d)+(?:,
        |\{{,\}})\d{{3}}(?!\d)
      | \d+ ) (?:(?:\.|\{{\.\}})\d+)?
  | \.\d+
    """,
    re.VERBOSE,
)
_EXPONENT = re.compile(r"[eE]([+-]?\d{1,5})(?![A-Za-z\d])")
_BLANK = re.compile(
    r"(?:[ \t\u2009~]|\\[,;:!> ]|\\q?quad(?![A-Za-z])|\{\}|\\(?:left|right"
    r"|[bB]igg?[lr]?)(?![A-Za-z]))+"
)
_GROUP_COMMAND = re.compile(
    r"\\(?:boxed|fbox|text|mathrm|mathbf|textbf|bm|boldsymbol|mathit|displaystyle|mbox)\s*(?=\{)"
)
_FRACTION = re.compile(r"\\[dtc]?frac(?![A-Za-z])")
_ROOT = re.compile(r"\\sqrt(?![A-Za-z])|√|(?<![A-Za-z\\])sqrt(?=\s*[({])")
_CONSTANT = re.compile(
    r"(?P<pi>\\pi(?![A-Za-z])|π|(?<![A-Za-z\\])pi(?![A-Za-z]))"
    r"|(?P<e>(?<![A-Za-z\\])e(?![A-Za-z])|\\e(?![A-Za-z])|\\mathrm\{e\})"
)
_BINOMIAL = re.compile(r"\\[dt]?binom(?![A-Za-z])")
_FUNCTION = re.compile(
    r"\\?(?:operatorname\{)?(?<![A-Za-z])"
    r"(?P<name>arcsin|arccos|arctan|sin|cos|tan|cot|sec|csc|cosec|ln|log|lg|exp)\}?(?![A-Za-z])"
)
_TIMES = re.compile(
    r"\\times(?![A-Za-z])|\\cdot(?![A-Za-z])|\\ast(?![A-Za-z])|×|·|\*(?!\*)|[xX](?=\s*10(?!\d))"
)
_DIVIDE = re.compile(r"/|÷|\\div(?![A-Za-z])")
_DEGREES = re.compile(r"\s*(?:\^\s*\{?\s*\\circ\s*\}?|°|\\degree)")
_SUPERSCRIPT = re.compile(r"[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_SUPERSCRIPT_DIGITS = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")
_VULGAR = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5),
    "⅗": (3, 5), "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8),
    "⅞": (7, 8),
}  # fmt: skip
_OPENING = {"(": ")", "{": "}", "[": "]"}


class Value(NamedTuple):
    """`end` is the offset after the last character read; `exact`: no rounding took place."""

    number: Decimal
    exact: bool
    end: int


class _NoValueError(Exception):
    """Here the text has no value; the caller falls back to what it has read so far."""


def read_value(text: str, start: int, end: int) -> Value | None:
    """Value of the longest closed form that begins at `start`, or None.

    Values that are not finite in binary floats (`1e400`, `9^{9^{9}}`, `1/0`) are no values.
    """
    reader = _Reader(text, start, min(end, start + MAX_LENGTH))
    try:
        number = reader.sum()
    except (_NoValueError, ArithmeticError):
        return None
    if not number.is_finite() or (number and abs(number.adjusted()) > 307):
        return None
    return Value(number, reader.exact, reader.position)


class _Reader:
    def __init__(self, text: str, position: int, end: int) -> None:
        self.text = text
        self.position = position
        self.end = end
        self.depth = 0
        self.atoms = 0
        self.context = Context(
            prec=40, Emax=420, Emin=-420, traps=[InvalidOperation, DivisionByZero, Overflow]
        )
        self.approximated = False

    @property
    def exact(self) -> bool:
        return not (self.approximated or self.context.flags[Inexact])

    def sum(self) -> Decimal:
        number = self.product()
        while True:
            before = self.position
            self.skip_blanks()
            sign = self.text[self.position : self.position + 1]
            if self.position >= self.end or sign not in "+-":
                self.position = before
                return number
            self.position += 1
            try:
                term = self.product()
            except (_NoValueError, ArithmeticError):
                self.position = before
                return number
            number = self.context.add(number, term if sign == "+" else self.context.minus(term))

    def product(self) -> Decimal:
        number = self.signed()
        while True:
            before = self.position
            self.skip_blanks()
            spaced = self.position > before
            try:
                if self.take(_TIMES):
                    number = self.context.multiply(number, self.signed())
                elif self.take(_DIVIDE):
                    number = self.context.divide(number, self.signed())
                elif self.multiplies_implicitly(spaced):
                    number = self.context.multiply(number, self.power())
                else:
                    self.position = before
                    return number
            except (_NoValueError, ArithmeticError):
                self.position = before
                return number

    def multiplies_implicitly(self, spaced: bool) -> bool:
        r"""Whether what comes next multiplies without a sign, as in `2\sqrt{2}`, `3(4)`."""
        if self.position >= self.end:
            return False
        if self.text[self.position] in "({" or self.text.startswith("\\boxed", self.position):
            return not spaced
        return any(
            pattern.match(self.text, self.position, self.end)
            for pattern in (_FRACTION, _ROOT, _CONSTANT, _FUNCTION)
        )

    def signed(self) -> Decimal:
        self.skip_blanks()
        sign = self.text[self.position : self.position + 1] if self.position < self.end else ""
        if sign and sign in "+-":
            self.position += 1
            self.enter()
            number = self.signed()
            self.depth -= 1
            return self.context.minus(number) if sign == "-" else number
        return self.power()

    def power(self) -> Decimal:
        number = self.atom()
        if self.position < self.end and self.text[self.position] == "!":
            if number != number.to_integral_value() or not 0 <= number <= _MAX_FACTORIAL:
                raise _NoValueError
            self.position += 1
            number = self.context.plus(Decimal(math.factorial(int(number))))
        before = self.position
        self.skip_blanks()
        if raised := self.take(_SUPERSCRIPT):
            return self.raise_to(number, Decimal(raised.group().translate(_SUPERSCRIPT_DIGITS)))
        if (
            self.text.startswith("**", self.position)
            and self.text[self.position + 2 : self.position + 3].isdigit()
        ):
            self.position += 2
        elif self.position < self.end and self.text[self.position] == "^":
            self.position += 1
        else:
            self.position = before
            return number
        try:
            self.enter()
            exponent = self.exponent()
            self.depth -= 1
        except (_NoValueError, ArithmeticError):
            self.position = before
            return number
        return self.raise_to(number, exponent)

    def exponent(self) -> Decimal:
        return self.signed()

    def raise_to(self, base: Decimal, exponent: Decimal) -> Decimal:
        if abs(exponent) > _MAX_POWER:
            raise _NoValueError
        return self.context.power(base, exponent)

    def atom(self) -> Decimal:
        self.skip_blanks()
        self.atoms += 1
        if self.atoms > _MAX_ATOMS or self.position >= self.end:
            raise _NoValueError
        if literal := self.take(_NUMBER):
            return self.after_literal(self.literal(literal.group()))
        character = self.text[self.position]
        if character in _OPENING or self.take(_GROUP_COMMAND):
            return self.group()
        if character in _VULGAR:
            self.position += 1
            numerator, denominator = _VULGAR[character]
            return self.context.divide(Decimal(numerator), Decimal(denominator))
        if self.take(_FRACTION):
            numerator_value, denominator_value = self.argument(), self.argument()
            return self.context.divide(numerator_value, denominator_value)
        if self.take(_BINOMIAL):
            return self.binomial(self.argument(), self.argument())
        if self.take(_ROOT):
            return self.root()
        if constant := self.take(_CONSTANT):
            self.approximated = True
            return _PI if constant["pi"] else _E
        if function := self.take(_FUNCTION):
            return self.function(function["name"])
        raise _NoValueError

    def literal(self, digits: str) -> Decimal:
        plain = re.sub(r"[^\d.]", "", digits)
        if len(plain) > _MAX_DIGITS:
            raise _NoValueError
        exponent = self.take(_EXPONENT)
        number = Decimal(plain)
        return self.context.scaleb(number, int(exponent[1])) if exponent else number

    def after_literal(self, number: Decimal) -> Decimal:
        r"""A mixed number: `2\frac{1}{2}`, `2½`."""
        if number != number.to_integral_value() or self.position >= self.end:
            return number
        before = self.position
        if self.text[before] in _VULGAR:
            return self.context.add(number, self.atom())
        if not self.take(_FRACTION):
            return number
        try:
            parts = self.argument(), self.argument()
        except (_NoValueError, ArithmeticError):
            parts = (Decimal(1), Decimal(0))
        if all(part == part.to_integral_value() for part in parts) and 0 < parts[0] < parts[1]:
            return self.context.add(number, self.context.divide(*parts))
        self.position = before
        return number

    def argument(self) -> Decimal:
        r"""A group, or one token as in `\frac12`."""
        self.skip_blanks()
        if self.position < self.end and self.text[self.position].isdigit():
            self.position += 1
            return Decimal(self.text[self.position - 1])
        return self.atom()

    def group(self) -> Decimal:
        closing = _OPENING[self.text[self.position]]
        self.position += 1
        self.enter()
        number = self.sum()
        self.depth -= 1
        self.skip_blanks()
        if self.position >= self.end or self.text[self.position] != closing:
            raise _NoValueError
        self.position += 1
        return number

    def root(self) -> Decimal:
        self.skip_blanks()
        index = Decimal(2)
        if self.position < self.end and self.text[self.position] == "[":
            index = self.group()
        radicand = self.argument()
        if index == 2:
            return self.context.sqrt(radicand)
        if radicand < 0 and index % 2 == 1:
            return self.context.minus(self.nth_root(-radicand, index))
        return self.nth_root(radicand, index)

    def nth_root(self, radicand: Decimal, index: Decimal) -> Decimal:
        self.approximated = True
        return self.raise_to(radicand, self.context.divide(Decimal(1), index))

    def binomial(self, n: Decimal, k: Decimal) -> Decimal:
        if n != n.to_integral_value() or k != k.to_integral_value() or not 0 <= k <= n <= 1000:
            raise _NoValueError
        return self.context.plus(Decimal(math.comb(int(n), int(k))))

    def function(self, name: str) -> Decimal:
        base: Decimal | None = None
        inverse = False
        if self.text.startswith("_", self.position):
            self.position += 1
            base = self.argument()
        elif inverted := self.take(_INVERSE):
            inverse = bool(inverted)
        self.enter()
        argument = self.power()
        self.depth -= 1
        if name in ("log", "lg", "ln"):
            return self.logarithm(argument, _E if name == "ln" else base)
        if name == "exp":
            return self.context.exp(argument)
        self.approximated = True
        if self.take(_DEGREES):
            argument = self.context.divide(self.context.multiply(argument, _PI), Decimal(180))
        return _trigonometric(f"arc{name}" if inverse else name, argument)

    def logarithm(self, argument: Decimal, base: Decimal | None) -> Decimal:
        if base is None:
            return self.context.log10(argument)
        if base == _E:
            return self.context.ln(argument)
        return self.context.divide(self.context.ln(argument), self.context.ln(base))

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.text, self.position, self.end)
        if match:
            self.position = match.end()
        return match

    def skip_blanks(self) -> None:
        self.take(_BLANK)

    def enter(self) -> None:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise _NoValueError


_INVERSE = re.compile(r"\s*\^\s*(?:\{\s*-\s*1\s*\}|-1)|⁻¹")
_TRIGONOMETRIC: dict[str, Callable[[float], float]] = {
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "cot": lambda x: 1 / math.tan(x),
    "sec": lambda x: 1 / math.cos(x),
    "csc": lambda x: 1 / math.sin(x),
    "cosec": lambda x: 1 / math.sin(x),
    "arcsin": math.asin,
    "arccos": math.acos,
    "arctan": math.atan,
}


def _trigonometric(name: str, argument: Decimal) -> Decimal:
    function = _TRIGONOMETRIC.get(name)
    if function is None:
        raise _NoValueError
    try:
        value = function(float(argument))
    except (ValueError, ZeroDivisionError, OverflowError):
        raise _NoValueError from None
    return Decimal(0) if abs(value) < 1e-14 else Decimal(repr(value))
