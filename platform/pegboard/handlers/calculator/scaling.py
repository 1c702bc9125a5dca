"""A question -> the amount in it that is wanted for another number of people, English and Chinese.

`3/4 cup for 4 people, how much for 10?`, `how much flour for 10 people if 4 people need 300 g`,
`4个人要300克，10个人要多少`.
"""

import re
from dataclasses import dataclass
from fractions import Fraction

from pegboard.handlers.calculator.arithmetic import NUMBER, number
from pegboard.handlers.calculator.numerals import with_digits
from pegboard.handlers.calculator.units import UNIT, UNITS, Unit

_NUMBER = re.compile(rf"\d+/\d+(?![\d./⁄])|{NUMBER}")
_PEOPLE = (
    r"people|persons?|guests?|servings?|portions?|eaters?|diners?|of us|pax|个?人份?|位|份|个?客人",
    r"kids?|children|child|个?孩子|个?小孩",
    r"adults?|grown-ups?|个?大人",
    r"friends?|个?朋友",
)
"""Who can be counted; a number of one kind says nothing of another."""
_EATERS = re.compile(r"\s*(?:" + "|".join(f"({kind})" for kind in _PEOPLE) + ")", re.IGNORECASE)
_FOR = re.compile(r"(?:\bfor|\bserves?|\bserving|\bfeeds?|给|够|供)\s*$", re.IGNORECASE)
_ASKS = re.compile(
    r"how (?:much|many)|\bwhat\b|\bnow\b|\bneed|\bscale|\binstead\b|\brather\b|\?|多少|几|现在|改|换", re.IGNORECASE
)
_ASKS_FIRST = re.compile(r"how (?:much|many)|\bwhat\b|多少|几", re.IGNORECASE)
_GIVEN = re.compile(r"\b(?:if|when|given|as|since|where|because)\b|如果|若|已知|instead of|rather than", re.IGNORECASE)
_SUMS = re.compile(
    r"[*+^%=<>÷×√]|\d\s*-\s*\d|\b(?:plus|minus|percent|extra|more|twice|thrice|hal(?:f|ve[ds]?))\b"
    r"|\b(?:doubled?|tripled?)\b(?!\s+(?:the|this|my)\s+(?:recipe|batch))|[加减乘除倍半]",
    re.IGNORECASE,
)
_UNIT = re.compile(rf"\s*(?:个)?\s*({UNIT})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Scaling:
    """An amount for so many people that is wanted for as many others."""

    amount: Fraction
    unit: Unit | None
    given: Fraction
    """People that the amount is for."""
    wanted: Fraction
    """People that it is wanted for."""

    @property
    def value(self) -> Fraction:
        """The amount that is wanted."""
        return self.amount * self.wanted / self.given


def scaling(question: str) -> Scaling | None:
    """Find an amount and two numbers of people; None unless these are the only numbers and their parts are clear.

    Raises:
        NotArithmetic, CannotCalculate: One of them is no number that can be read.
    """
    text = with_digits(question)
    found = list(_NUMBER.finditer(text))
    if len(found) != 3 or _SUMS.search(text) or not _ASKS.search(text):
        return None
    kinds = {index: kind for index, match in enumerate(found) if (kind := _people(text, match)) is not None}
    people = list(kinds)
    if len(people) != 2 or len(set(kinds.values()) - {0}) > 1 or any(_adjoins(text, match) for match in found):
        return None
    (amount,) = {0, 1, 2} - set(people)
    wanted = _wanted(text, found, amount, people)
    given = next(index for index in people if index != wanted)
    numbers = [number(match[0].replace("/", "⁄")) for match in found]
    unit = _UNIT.match(text, found[amount].end())
    if wanted is None or not numbers[given]:
        return None
    return Scaling(numbers[amount], UNITS[unit[1].lower()] if unit else None, numbers[given], numbers[wanted])


def _wanted(text: str, found: list[re.Match[str]], amount: int, people: list[int]) -> int | None:
    """Return which of `people` it is wanted for: the last ones, unless the question asks first."""
    first, last = people
    asks_first = _ASKS_FIRST.search(text, 0, found[first].start()) is not None
    between = text[found[first].end() : found[max(amount, first)].start()]
    match amount:
        case 0:
            return last
        case 1:
            return first if asks_first and _GIVEN.search(between) else last
        case _:
            return first if asks_first or _GIVEN.search(text, found[first].end(), found[last].start()) else None


def _people(text: str, match: re.Match[str]) -> int | None:
    """Return which kind of people a number counts: 0 where nobody says it (`for 10`), None where it counts none."""
    if eaters := _EATERS.match(text, match.end()):
        return eaters.lastindex
    return 0 if _FOR.search(text[: match.start()]) and not _UNIT.match(text, match.end()) else None


def _adjoins(text: str, match: re.Match[str]) -> bool:
    """Tell whether a number is only part of a longer word: `1_000`, `x2`, `5a`, `²`."""
    is_tail = re.search(r"[A-Za-z_./⁄\-#]$|\d,$", text[: match.start()])
    return is_tail is not None or text[match.end() :][:1] in {"_", "/", "⁄", "!", "²", "³"}
