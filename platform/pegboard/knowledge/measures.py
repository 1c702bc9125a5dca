"""Measures in the values of properties: `38 h with noise cancelling` is 2,280 minutes.

Pure. Measures can be compared when they are of one dimension.
"""

import re
from dataclasses import dataclass

_UNITS = {
    "minutes": {
        "s": 1 / 60, "sec": 1 / 60, "seconds": 1 / 60, "秒": 1 / 60, "min": 1.0, "minutes": 1.0, "minute": 1.0,
        "分钟": 1.0, "h": 60.0, "hr": 60.0, "hrs": 60.0, "hour": 60.0, "hours": 60.0, "小时": 60.0, "day": 1440.0,
        "days": 1440.0, "天": 1440.0, "week": 10_080.0, "weeks": 10_080.0, "周": 10_080.0, "month": 43_200.0,
        "months": 43_200.0, "个月": 43_200.0, "year": 525_600.0, "years": 525_600.0, "年": 525_600.0,
    },
    "cm": {
        "mm": 0.1, "毫米": 0.1, "cm": 1.0, "厘米": 1.0, "m": 100.0, "米": 100.0, "in": 2.54, "inch": 2.54,
        "inches": 2.54, "英寸": 2.54, "寸": 3.333, "ft": 30.48, "km": 100_000.0, "公里": 100_000.0,
    },
    "g": {
        "mg": 0.001, "g": 1.0, "克": 1.0, "kg": 1000.0, "公斤": 1000.0, "千克": 1000.0, "oz": 28.35, "lb": 453.6,
        "斤": 500.0, "两": 50.0,
    },
    "ml": {"ml": 1.0, "毫升": 1.0, "cl": 10.0, "l": 1000.0, "升": 1000.0, "qt": 946.4, "cup": 240.0, "cups": 240.0},
    "w": {"mw": 0.001, "w": 1.0, "瓦": 1.0, "kw": 1000.0},
    "gb": {"mb": 0.001, "gb": 1.0, "tb": 1000.0},
    "m²": {"m²": 1.0, "平方米": 1.0, "平米": 1.0},
}  # fmt: skip
_SPELLED = {
    "centimetre": "cm", "centimeter": "cm", "公分": "cm", "millimetre": "mm", "millimeter": "mm", "metre": "m",
    "meter": "m", "kilometre": "km", "kilometer": "km", "千米": "km", "feet": "ft", "foot": "ft", "gram": "g",
    "kilogram": "kg", "kilo": "kg", "pound": "lb", "lbs": "lb", "ounce": "oz", "litre": "l", "liter": "l",
    "millilitre": "ml", "milliliter": "ml", "second": "s", "mins": "min", "星期": "week", "毫克": "mg",
}  # fmt: skip
_DIMENSION = {unit: (dimension, factor) for dimension, units in _UNITS.items() for unit, factor in units.items()}
_MEASURE = re.compile(
    r"(?P<number>\d[\d,]*(?:\.\d+)?)(?:\s*(?:[-–~～至×x]|to)\s*\d[\d,]*(?:\.\d+)?)*\s*"
    r"(?P<unit>[a-zµ%°²³]+(?:/[a-z²³]+)?|个月|平方米|平米|毫米|厘米|毫升|公斤|千克|公里|英寸|小时|分钟|[米克升斤两秒天周年瓦寸])?",
    re.IGNORECASE,
)


def unit_called(word: str) -> tuple[str, float] | None:
    """Return the dimension of a unit and what one of it comes to (minutes, cm, g, ml, W, GB); None if it is none."""
    flat = word.lower()
    singular = flat.removesuffix("s")
    spelled = next((_SPELLED[each] for each in (flat, singular) if each in _SPELLED), flat)
    return _DIMENSION.get(spelled) or _DIMENSION.get(spelled.removesuffix("s"))


@dataclass(frozen=True, slots=True)
class Measure:
    """A number that can be compared with others of its dimension."""

    value: float
    dimension: str


def measure(text: str) -> Measure | None:
    """Read the first measure in a value; None if there is no number in it."""
    match = _MEASURE.search(text)
    if match is None:
        return None
    value, unit = float(match["number"].replace(",", "")), (match["unit"] or "").lower()
    dimension, factor = _DIMENSION.get(unit, (unit, 1.0))
    return Measure(value * factor, dimension)
