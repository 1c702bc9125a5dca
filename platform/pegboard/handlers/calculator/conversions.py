"""A question -> the conversion in it: an amount of one unit that is wanted in another, English and Chinese."""

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from pegboard.handlers.calculator.arithmetic import NUMBER, number
from pegboard.handlers.calculator.numerals import with_digits
from pegboard.handlers.calculator.remains import Unread, may_be_left
from pegboard.handlers.calculator.units import UNIT, UNITS, Unit, lone_units

_AMOUNT = rf"(?<![\d.])-?(?:\d+[/⁄]\d+(?![\d./⁄])|{NUMBER})"
_QUANTITY = re.compile(rf"({_AMOUNT})\s*(?:个|degrees?\s+(?!in\b)|deg\s+|度)?\s*({UNIT})", re.IGNORECASE)
_DEGREES = re.compile(rf"({_AMOUNT})\s*(?:°|degrees?\b|deg\b|度)", re.IGNORECASE)
_SCALE_FIRST = re.compile(rf"(摄氏|华氏)\s*({_AMOUNT})\s*度")
_BETWEEN = re.compile(r"\s*(?:and|plus|\+|,|加|又|零)?\s*")
_OTHER_SCALE = {"°C": UNITS["f"], "°F": UNITS["c"]}


@dataclass(frozen=True, slots=True)
class Conversion:
    """An amount of one unit that is wanted in another."""

    parts: tuple[tuple[Fraction, Unit], ...]
    """Amounts that add up, such as 5 ft 11 in; at least one."""
    target: Unit

    @property
    def source(self) -> Unit:
        """The unit of the first part."""
        return self.parts[0][1]

    @property
    def amount(self) -> Fraction:
        """All parts together, in units of the first."""
        first, *rest = self.parts
        return first[0] + sum((amount * unit.worth / first[1].worth for amount, unit in rest), Fraction(0))


def conversion(question: str) -> Conversion | None:
    """Find a conversion: an amount with its unit, and another unit without an amount.

    Raises:
        Unread: There is one, and the question holds more that has a part in it.
        NotArithmetic, CannotCalculate: The amount is no number that can be read.
    """
    text = _SCALE_FIRST.sub(r"\2\1", with_digits(question).lower())
    matches = list(_QUANTITY.finditer(text)) or list(_DEGREES.finditer(text))
    if not matches:
        return None
    before, behind = text[: matches[0].start()], text[matches[-1].end() :]
    targets = list(dict.fromkeys([*lone_units(before), *lone_units(behind)]))
    parts = tuple((_amount(match[1]), unit) for match in matches if (unit := _unit(match, targets)) is not None)
    kinds = {unit.kind for _, unit in parts}
    targets = [unit for unit in targets if any(unit.symbol != source.symbol for _, source in parts)]
    fitting = [unit for unit in targets if unit.kind in kinds] or targets
    if not parts or not fitting:
        return None
    if len(kinds) > 1 or len(fitting) > 1 or not may_be_left(before, behind) or not _add_up(text, matches, parts):
        raise Unread("more than one conversion")
    return Conversion(parts, fitting[0])


def _add_up(text: str, matches: list[re.Match[str]], parts: tuple[tuple[Fraction, Unit], ...]) -> bool:
    between = [text[one.end() : other.start()] for one, other in pairwise(matches)]
    is_sum = all(_BETWEEN.fullmatch(words) for words in between) and all(amount >= 0 for amount, _ in parts)
    return len(parts) == 1 or (is_sum and parts[0][1].kind != "temperature")


def _unit(match: re.Match[str], targets: list[Unit]) -> Unit | None:
    """Return the unit of a quantity; bare degrees are those of the scale that is not asked for."""
    if len(match.groups()) == 2:
        return UNITS[match[2]]
    return next((_OTHER_SCALE[unit.symbol] for unit in targets if unit.symbol in _OTHER_SCALE), None)


def _amount(text: str) -> Fraction:
    sign = -1 if text.startswith("-") else 1
    plain = text.removeprefix("-")
    return sign * number(plain.replace("/", "⁄"))
