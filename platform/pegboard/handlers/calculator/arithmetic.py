"""Exact arithmetic over literals: `evaluate` an expression, with bounds on everything that could grow.

A parser by recursive descent; nothing is ever handed to Python to run. Numbers are fractions, so that 0.1 +
0.2 is 0.3. `%` is a percentage (`15% of 80`, `80 + 15%`) unless an operand follows it: then it is the
remainder.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

LONGEST = 400
"""Characters of an expression."""
_DEEPEST = 40
"""Nested parentheses, signs and powers."""
_MOST_BITS = 4096
"""Of a numerator or denominator: about 1,200 digits."""

_LARGEST_EXPONENT = 1300
"""Of a number such as 1e300; a larger one is beyond `_MOST_BITS` anyway."""

NUMBER = r"(?:\d+\s+\d+[/⁄]\d+(?![\d./⁄])|\d+⁄\d+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)"
"""A number without sign: `12.5`, `1e300`, `1⁄2`, `2 3/4`."""
_TOKEN = re.compile(
    rf"\s*(?:(?P<number>{NUMBER})(?![\w.])|(?P<operator>\*\*|//|[-+*/%()^])|(?P<word>of|sqrt)\b)",
    re.IGNORECASE,
)


class NotArithmetic(ValueError):
    """The text is no expression."""


class CannotCalculate(ValueError):
    """The expression is understood and has no result, or one that is too large; the message says which."""


@dataclass(frozen=True, slots=True)
class Number:
    """A value on its way."""

    amount: Fraction
    is_percent: bool = False
    """It was written as a percentage: `80 + 15%` adds 15 hundredths of 80."""
    is_rounded: bool = False
    """It comes from a root that is no fraction."""


def evaluate(expression: str) -> Number:
    """Return the value of `expression`.

    Raises:
        NotArithmetic: It is not an expression of numbers, `+ - * / // % ** ( )`, `of` and `sqrt`.
        CannotCalculate: It divides by zero, or grows too large.
    """
    if len(expression) > LONGEST:
        raise CannotCalculate("too_long")
    return _Parser(_tokens(expression)).whole()


def _tokens(expression: str) -> list[str]:
    found, place, text = [], 0, expression.rstrip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise NotArithmetic(f"{text[place:].strip()[:20]!r} is no number and no operator")
        found.append(match[0].strip().lower().replace("^", "**"))
        place = match.end()
    return found


def number(text: str) -> Fraction:
    """Read a number without sign.

    Raises:
        NotArithmetic: It begins with a zero that says nothing: `007`, `03`.
        CannotCalculate: It is too large, or a fraction by zero.
    """
    if re.match(r"0\d", text):
        raise NotArithmetic(f"{text!r} begins with a zero")
    if "/" in text or "⁄" in text:
        whole, _, part = text.rpartition(" ")
        above, below = (int(each) for each in re.split("[/⁄]", part))
        return _divided(Fraction(above), Fraction(below)) + int(whole or 0)
    digits, _, exponent = text.lower().partition("e")
    if exponent and (len(exponent) > 6 or abs(int(exponent)) > _LARGEST_EXPONENT):
        raise CannotCalculate("too_large")
    return _bounded(Fraction(digits.removesuffix(".")) * Fraction(10) ** int(exponent or 0))


class _Parser:
    """Reads sums of products of signed powers, each level by its own method."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._place = 0
        self._depth = 0

    def whole(self) -> Number:
        value = self._sum()
        if self._next is not None:
            raise NotArithmetic(f"{self._next!r} is not expected there")
        return value

    @property
    def _next(self) -> str | None:
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    def _take(self) -> str:
        token = self._next
        if token is None:
            raise NotArithmetic("a number is missing at the end")
        self._place += 1
        return token

    def _sum(self) -> Number:
        value = self._product()
        while self._next in {"+", "-"}:
            operator, right = self._take(), self._product()
            amount = value.amount * right.amount if right.is_percent and not value.is_percent else right.amount
            total = value.amount + amount if operator == "+" else value.amount - amount
            is_percent = value.is_percent and right.is_percent
            value = Number(_bounded(total), is_percent, value.is_rounded or right.is_rounded)
        return value

    def _product(self) -> Number:
        value = self._signed()
        while (operator := self._next) in _PRODUCTS or operator == "(":
            if operator != "(":
                self._take()
            right = self._signed()
            amount = _PRODUCTS[operator or "*"](value.amount, right.amount)
            value = Number(_bounded(amount), False, value.is_rounded or right.is_rounded)
        return value

    def _signed(self) -> Number:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise CannotCalculate("too_deep")
        if self._next in {"+", "-"}:
            sign = -1 if self._take() == "-" else 1
            value = self._signed()
            value = Number(sign * value.amount, value.is_percent, value.is_rounded)
        else:
            value = self._power()
        self._depth -= 1
        return value

    def _power(self) -> Number:
        value = self._percent()
        if self._next != "**":
            return value
        self._take()
        return _power(value, self._signed())

    def _percent(self) -> Number:
        value = self._value()
        following = self._tokens[self._place + 1] if self._place + 1 < len(self._tokens) else ""
        if self._next == "%" and not (following[:1].isdigit() or following[:1] in {"(", "."}):
            self._take()
            return Number(value.amount / 100, True, value.is_rounded)
        return value

    def _value(self) -> Number:
        token = self._take()
        if token == "(":
            value = self._sum()
            if self._next != ")":
                raise NotArithmetic("a closing parenthesis is missing")
            self._take()
            return Number(value.amount, value.is_percent, value.is_rounded)
        if token == "sqrt":
            return _power(self._value(), Number(Fraction(1, 2)))
        if not (token[0].isdigit() or token[0] == "."):
            raise NotArithmetic(f"{token!r} is not expected there")
        return Number(number(token))


def _divided(left: Fraction, right: Fraction) -> Fraction:
    if right == 0:
        raise CannotCalculate("by_zero")
    return left / right


def _whole_divided(left: Fraction, right: Fraction) -> Fraction:
    return Fraction(math.floor(_divided(left, right)))


def _remainder(left: Fraction, right: Fraction) -> Fraction:
    return left - right * _whole_divided(left, right)


_PRODUCTS: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "*": lambda left, right: left * right,
    "(": lambda left, right: left * right,
    "of": lambda left, right: left * right,
    "/": _divided,
    "//": _whole_divided,
    "%": _remainder,
}


def _power(base: Number, exponent: Number) -> Number:
    """Raise to a power; the size of the result is estimated before it is worked out."""
    low, high = base.amount, exponent.amount
    if low == 0 and high < 0:
        raise CannotCalculate("by_zero")
    bits = max(low.numerator.bit_length(), low.denominator.bit_length())
    if abs(high) * bits > _MOST_BITS and abs(low) not in {0, 1}:
        raise CannotCalculate("too_large")
    if high.denominator == 1:
        power = int(high) if abs(low) not in {0, 1} else int(high) % 2 + (2 if high else 0)
        return Number(_bounded(low**power), False, base.is_rounded)
    if low < 0:
        raise CannotCalculate("not_real")
    return _root(low, high, base)


def _root(low: Fraction, high: Fraction, base: Number) -> Number:
    """Return the power exactly where it is a square root of squares, else as near as a float is."""
    if high == Fraction(1, 2):
        above, below = math.isqrt(low.numerator), math.isqrt(low.denominator)
        if above * above == low.numerator and below * below == low.denominator:
            return Number(Fraction(above, below), False, base.is_rounded)
    try:
        return Number(Fraction(float(low) ** float(high)), False, True)
    except (OverflowError, ValueError) as error:
        raise CannotCalculate("too_large") from error


def _bounded(amount: Fraction) -> Fraction:
    if max(amount.numerator.bit_length(), amount.denominator.bit_length()) > _MOST_BITS:
        raise CannotCalculate("too_large")
    return amount
