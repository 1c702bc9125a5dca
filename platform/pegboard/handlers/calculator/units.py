"""Units of kitchen and daily life: what they are called in English and Chinese, and what they are worth.

Cups, spoons and gallons are those of the United States; the Chinese 杯, 汤匙 and 茶匙 are 240, 15 and 5
millilitres.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of measure."""

    symbol: str
    chinese: str
    kind: str
    """`mass`, `volume`, `length`, `time`, `energy` or `temperature`; only units of one kind can be
    converted.
    """
    worth: Fraction
    """In grams, millilitres, metres, seconds or kilocalories; for a temperature, kelvins a degree."""
    zero: Fraction = Fraction(0)
    """Of a temperature: how many kelvins its zero is."""


def _unit(symbol: str, chinese: str, kind: str, worth: str, zero: str = "0") -> Unit:
    return Unit(symbol, chinese, kind, Fraction(worth), Fraction(zero))


_KELVIN_AT_ZERO_F = "45967/180"
_NAMES: dict[str, Unit] = {
    "mg milligram milligrams 毫克": _unit("mg", "毫克", "mass", "0.001"),
    "g gr gram grams gramme grammes 克": _unit("g", "克", "mass", "1"),
    "kg kilo kilos kilogram kilograms 千克 公斤": _unit("kg", "公斤", "mass", "1000"),
    "oz ounce ounces 盎司 安士": _unit("oz", "盎司", "mass", "28.349523125"),
    "lb lbs pound pounds 磅": _unit("lb", "磅", "mass", "453.59237"),
    "stone stones 英石": _unit("stone", "英石", "mass", "6350.29318"),
    "斤 市斤": _unit("jin", "斤", "mass", "500"),
    "两 市两": _unit("liang", "两", "mass", "50"),
    "tonne tonnes 吨": _unit("t", "吨", "mass", "1000000"),
    "ml millilitre millilitres milliliter milliliters 毫升": _unit("ml", "毫升", "volume", "1"),
    "cl centilitre centilitres centiliter centiliters 厘升": _unit("cl", "厘升", "volume", "10"),
    "dl decilitre decilitres deciliter deciliters 分升": _unit("dl", "分升", "volume", "100"),
    "l litre litres liter liters 升 公升": _unit("l", "升", "volume", "1000"),
    "tsp teaspoon teaspoons": _unit("tsp", "茶匙", "volume", "4.92892159375"),
    "tbsp tablespoon tablespoons": _unit("tbsp", "汤匙", "volume", "14.78676478125"),
    "cup cups": _unit("cups", "杯", "volume", "236.5882365"),
    "茶匙 小勺": _unit("tsp", "茶匙", "volume", "5"),
    "汤匙 大勺": _unit("tbsp", "汤匙", "volume", "15"),
    "杯": _unit("cups", "杯", "volume", "240"),
    "floz fl_oz fluid_ounce fluid_ounces 液量盎司": _unit("fl oz", "液量盎司", "volume", "29.5735295625"),
    "pint pints 品脱": _unit("pints", "品脱", "volume", "473.176473"),
    "quart quarts 夸脱": _unit("quarts", "夸脱", "volume", "946.352946"),
    "gallon gallons 加仑": _unit("gallons", "加仑", "volume", "3785.411784"),
    "mm millimetre millimetres millimeter millimeters 毫米": _unit("mm", "毫米", "length", "0.001"),
    "cm centimetre centimetres centimeter centimeters 厘米 公分": _unit("cm", "厘米", "length", "0.01"),
    "m metre metres meter meters 米": _unit("m", "米", "length", "1"),
    "km kilometre kilometres kilometer kilometers 公里 千米": _unit("km", "公里", "length", "1000"),
    "in inch inches 英寸 吋": _unit("in", "英寸", "length", "0.0254"),
    "ft foot feet 英尺": _unit("ft", "英尺", "length", "0.3048"),
    "yd yard yards 码": _unit("yd", "码", "length", "0.9144"),
    "mi mile miles 英里": _unit("miles", "英里", "length", "1609.344"),
    "s sec second seconds 秒 秒钟": _unit("s", "秒", "time", "1"),
    "min minute minutes 分钟": _unit("min", "分钟", "time", "60"),
    "h hr hour hours 小时 钟头": _unit("h", "小时", "time", "3600"),
    "day days 天": _unit("days", "天", "time", "86400"),
    "week weeks 周 星期": _unit("weeks", "周", "time", "604800"),
    "kcal calorie calories kilocalorie kilocalories 千卡 大卡 卡路里": _unit("kcal", "千卡", "energy", "1"),
    "kj kilojoule kilojoules 千焦": _unit("kJ", "千焦", "energy", "1000/4184"),
    "c celsius centigrade °c degc ℃ 摄氏度 摄氏": _unit("°C", "摄氏度", "temperature", "1", "273.15"),
    "f fahrenheit °f degf ℉ 华氏度 华氏": _unit("°F", "华氏度", "temperature", "5/9", _KELVIN_AT_ZERO_F),
    "kelvin kelvins 开尔文": _unit("K", "开尔文", "temperature", "1"),
}
UNITS = {name.replace("_", " "): unit for names, unit in _NAMES.items() for name in names.split()}
"""Every unit by each of its names, in lower case."""

_WORDS = sorted((re.escape(name) for name in UNITS), key=len, reverse=True)
_SCALES = r"(?:celsius|centigrade|fahrenheit|kelvins?|[°℃℉摄华])"
UNIT = "|".join(
    rf"in(?![a-z]|\s+{_SCALES})" if word == "in" else rf"{word}(?![a-z])" if word.isascii() or "°" in word else word
    for word in _WORDS
)
"""A regular expression for the name of a unit; `in` before a scale of temperature is a preposition."""
_LONE = re.compile(rf"(?<![a-z°])(?:{UNIT})", re.IGNORECASE)
_TOO_SHORT = frozenset({"in", "m", "s", "h", "两", "米", "天", "周", "码", "day", "days", "min", "second", "stone"})
"""Units that are other words too: as a target only behind `to`, `into`, `in` or `how many`."""
_BEFORE_TARGET = re.compile(r"(?:\bto|\binto|\bin|\bhow many|=|多少|几|成|为|作)\s*(?:个|degrees?)?\s*$", re.IGNORECASE)


def lone_units(text: str) -> Iterator[Unit]:
    """Yield the units that `text` names; short words only where they are asked for."""
    for match in _LONE.finditer(text):
        before = text[: match.start()]
        is_word = match[0].lower() in _TOO_SHORT or len(match[0]) == 1
        if is_word and not _BEFORE_TARGET.search(before):
            continue
        if match[0].isascii() and before[-1:].isalnum() and before[-1:].isascii():
            continue
        yield UNITS[match[0].lower()]


def asks_for_unit(text: str) -> bool:
    """Tell whether `text` wants something in a unit: `in ml`, `是多少克`."""
    return any(_BEFORE_TARGET.search(text[: match.start()]) for match in _LONE.finditer(text))


_CUPS: dict[tuple[str, ...], int] = {
    ("flour", "面粉"): 125,
    ("sugar", "糖", "白糖", "砂糖"): 200,
    ("brown sugar", "红糖"): 213,
    ("icing sugar", "powdered sugar", "糖粉"): 120,
    ("butter", "黄油"): 227,
    ("water", "水"): 237,
    ("milk", "牛奶"): 245,
    ("rice", "米", "大米"): 185,
    ("honey", "蜂蜜"): 340,
    ("oats", "燕麦"): 90,
    ("cocoa", "可可粉"): 85,
    ("oil", "油"): 218,
}
"""Grams that one cup of an ingredient weighs, as bakers count."""


def grams_in_a_cup(text: str) -> tuple[str, int] | None:
    """Return the ingredient that `text` names and what a cup of it weighs in grams; None if it names none."""
    found = [
        (name, grams)
        for names, grams in _CUPS.items()
        for name in names
        if re.search(rf"\b{name}\b" if name.isascii() else f"{name}(?!升|度)", text, re.IGNORECASE)
    ]
    return max(found, key=lambda pair: len(pair[0])) if found else None


def converted(amount: Fraction, source: Unit, target: Unit) -> Fraction:
    """Return `amount` of `source` in `target`; both are of one kind."""
    return (amount * source.worth + source.zero - target.zero) / target.worth
