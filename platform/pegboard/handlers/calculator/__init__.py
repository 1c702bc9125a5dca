"""Calculator: sums, percentages and conversions, worked out exactly; understands a whole question."""

import re
from fractions import Fraction

from pegboard.catalog.contract import Context, Result, tool
from pegboard.handlers.calculator.arithmetic import CannotCalculate, NotArithmetic, Number, evaluate
from pegboard.handlers.calculator.conversions import Conversion, conversion
from pegboard.handlers.calculator.numerals import with_digits
from pegboard.handlers.calculator.phrases import expressions
from pegboard.handlers.calculator.remains import Unread
from pegboard.handlers.calculator.scaling import Scaling, scaling
from pegboard.handlers.calculator.units import UNITS, Unit, converted, grams_in_a_cup
from pegboard.text import Json

_DIGITS = 10
"""Significant digits that are shown of a number that does not end."""
_SMALLEST_SHOWN = Fraction(1, 10**5)
"""A smaller number that does not end is shown by its power of ten."""
_LONGEST_READ = 1000
"""Characters of a question."""
_LONGEST_SHOWN = 60
"""Digits of a whole number that are shown; a longer one is shown by its first digits."""


@tool
async def calculator(context: Context, expression: str) -> Result:
    """Work out `expression`: an expression, a conversion, or a question that holds one."""
    return calculate(expression, context.language)


def calculate(expression: str, language: str) -> Result:
    """Return the answer in words, with `{"expression", "value"}` as data; pure."""
    words = _ZH if language == "zh" else _EN
    text = expression.strip()
    if len(text) > _LONGEST_READ:
        return Result(words["too_long"], status="not_found")
    try:
        if (asked := scaling(text)) is not None:
            return _scaled(asked, language)
        if (wanted := conversion(text)) is not None:
            return _converted(wanted, text, words, language)
        return _calculated(text, words, language)
    except CannotCalculate as reason:
        return Result(words[str(reason)], data=_data(text, None), status="not_found")
    except (Unread, NotArithmetic):
        return Result(words["unread"], status="needs_clarification")


def _calculated(text: str, words: dict[str, str], language: str) -> Result:
    for candidate in expressions(text):
        try:
            return _worked_out(candidate, evaluate(candidate), language)
        except CannotCalculate as reason:
            return Result(words[str(reason)], data=_data(candidate, None), status="not_found")
        except NotArithmetic:
            continue
    has_number = any(character.isdigit() for character in with_digits(text))
    return Result(words["unread" if has_number else "none"], status="needs_clarification")


def _scaled(asked: Scaling, language: str) -> Result:
    unit = f" {_name(asked.unit, language)}" if asked.unit else ""
    shown, is_exact = spelled(asked.value)
    sign = "=" if is_exact else "≈"
    sum_ = f"{_amount(asked.amount)} × {_amount(asked.wanted)} / {_amount(asked.given)}"
    return Result(f"{sum_} {sign} {shown}{unit}", data=_data(sum_.replace("×", "*"), asked.value))


def _worked_out(expression: str, value: Number, language: str) -> Result:
    shown, is_exact = spelled(value.amount)
    sign = "=" if is_exact and not value.is_rounded else "≈"
    data = _data(expression, value.amount)
    if (share := _SHARE.fullmatch(expression)) is not None:
        return Result(f"{share[1]} {sign} {shown}%", data=data)
    return Result(f"{_readable(expression, language)} {sign} {shown}", data=data)


_SHARE = re.compile(r"([\d.]+ / [\d.]+) \* 100")
"""How the question for a percentage is written by `phrases`."""


def _readable(expression: str, language: str) -> str:
    of = " × " if language == "zh" else " of "
    return expression.replace("**", "^").replace("*", "×").replace("⁄", "/").replace(" of ", of)


def _converted(asked: Conversion, text: str, words: dict[str, str], language: str) -> Result:
    source, target, note = asked.source, asked.target, ""
    if {source.kind, target.kind} == {"mass", "volume"}:
        known = grams_in_a_cup(text)
        if known is None:
            return Result(words["of_what"], status="needs_clarification")
        name, grams = known
        value = _by_density(asked, grams)
        note = words["density"].format(name=name, grams=grams)
    elif source.kind != target.kind:
        names = (_name(source, language), _name(target, language))
        return Result(words["unlike"].format(source=names[0], target=names[1]), status="not_found")
    else:
        value = converted(asked.amount, source, target)
    left = " ".join(f"{_amount(amount)} {_name(unit, language)}" for amount, unit in asked.parts)
    right = f"{spelled(_sensible(value))[0]} {_name(target, language)}"
    sign = "=" if _sensible(value) == value else "≈"
    data = _data(f"{asked.amount} {source.symbol} -> {target.symbol}", value)
    return Result(f"{left} {sign} {right}{note}", data=data)


def _amount(amount: Fraction) -> str:
    return spelled(amount)[0] if _ending(amount) else str(amount)


def _by_density(asked: Conversion, grams: int) -> Fraction:
    """Convert between mass and volume by what a cup of the ingredient weighs."""
    cup = UNITS["cup"]
    if asked.source.kind == "volume":
        return converted(asked.amount, asked.source, cup) * grams / asked.target.worth
    return asked.amount * asked.source.worth / grams * cup.worth / asked.target.worth


def _sensible(value: Fraction) -> Fraction:
    """Round as a reader of a scale or thermometer wants it: two decimals, more only for small amounts."""
    places = 2
    while value and abs(value) < Fraction(1, 10 ** (places - 2)) and places < 12:
        places += 1
    return Fraction(round(value * 10**places), 10**places)


def _name(unit: Unit, language: str) -> str:
    return unit.chinese if language == "zh" else unit.symbol


def spelled(amount: Fraction) -> tuple[str, bool]:
    """Write a number for people; the second value tells whether that is all of it."""
    if amount.denominator == 1:
        digits = f"{amount.numerator:,}"
        if len(digits) <= _LONGEST_SHOWN:
            return digits, True
        return f"{_scientific(amount)}", False
    exact = _ending(amount)
    if exact is not None and len(exact.replace(".", "").lstrip("-0")) <= _DIGITS + 5:
        whole, _, decimals = exact.partition(".")
        return f"{int(whole):,}.{decimals}" if int(whole) else exact, True
    whole_digits = len(str(abs(amount.numerator) // amount.denominator))
    if whole_digits > _DIGITS + 5:
        return _scientific(amount), False
    if abs(amount) < _SMALLEST_SHOWN:
        return _small(amount), False
    return f"{float(amount):,.{max(_DIGITS - whole_digits, 1)}f}".rstrip("0").rstrip("."), False


def _ending(amount: Fraction) -> str | None:
    """Return all decimals of a number, None where they do not end within thirty."""
    scaled = amount * 10**30
    if scaled.denominator != 1:
        return None
    sign, digits = ("-" if scaled < 0 else ""), str(abs(scaled.numerator)).rjust(31, "0")
    return f"{sign}{digits[:-30]}.{digits[-30:].rstrip('0')}"


def _scientific(amount: Fraction) -> str:
    whole = abs(amount.numerator) // amount.denominator
    digits = str(whole)
    sign = "-" if amount < 0 else ""
    return f"{sign}{digits[0]}.{digits[1:_DIGITS]} × 10^{len(digits) - 1}"


def _small(amount: Fraction) -> str:
    """Write a number near zero with its power of ten: rounded to places, it would be shown as zero."""
    places = len(str(amount.denominator)) - len(str(abs(amount.numerator)))
    if abs(amount) * 10**places < 1:
        places += 1
    digits = f"{float(abs(amount) * 10**places):.{_DIGITS - 1}f}".rstrip("0").rstrip(".")
    return f"{'-' if amount < 0 else ''}{digits} × 10^-{places}"


def _data(expression: str, value: Fraction | None) -> Json:
    if value is None:
        return {"expression": expression, "value": None}
    if value.denominator == 1:
        return {
            "expression": expression,
            "value": value.numerator if abs(value) < 2**53 else str(value.numerator),
        }
    is_float = max(value.numerator.bit_length(), value.denominator.bit_length()) < 1000
    return {"expression": expression, "value": float(value) if is_float else str(value)}


_EN = {
    "by_zero": "That divides by zero, so it has no result.",
    "too_large": "That number would be too large to work out here.",
    "too_long": "That expression is too long to work out here.",
    "too_deep": "That expression is nested too deeply to work out here.",
    "not_real": "That has no result among the real numbers.",
    "none": "There is no calculation in that. Try “15% of 80”, “(3 + 4) * 2” or “2 cups in ml”.",
    "unread": "I cannot read all of that, and part of it worked out would be wrong. "
    "Write it as “15% of 80”, “(3 + 4) * 2” or “2 cups in ml”.",
    "unlike": "{source} and {target} measure different things, so one cannot be converted into the other.",
    "of_what": "That depends on what is measured: a cup of flour weighs less than a cup of honey. Of what?",
    "density": " (a cup of {name} weighs about {grams} g)",
}
_ZH = {
    "by_zero": "除数是零，没有结果。",
    "too_large": "这个数太大了，这里算不了。",
    "too_long": "这个算式太长了，这里算不了。",
    "too_deep": "这个算式嵌套太深，这里算不了。",
    "not_real": "在实数范围内没有结果。",
    "none": "没有看到算式。可以这样问：“80的15%是多少”“(3 + 4) * 2”“2杯等于多少毫升”。",
    "unread": "这句话没有全部读懂，只算一部分会算错。请这样写：“80的15%”“(3 + 4) * 2”“2杯等于多少毫升”。",
    "unlike": "{source}和{target}量的不是同一种东西，不能换算。",
    "of_what": "要看量的是什么：一杯面粉比一杯蜂蜜轻。请问是什么食材？",
    "density": "（1 杯{name}约重 {grams} 克）",
}
