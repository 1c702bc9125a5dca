"""Measures in a question, in the unit that a parameter wants: `一米七五` is 175 for `height_cm`.

A parameter's unit is read from its name (`height_cm`) or its description (`in centimetres`). Not here: numbers
without a unit (`rules`).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import re2

from pegboard.knowledge.measures import unit_called
from pegboard.knowledge.quantities import NUMBER, TIME, minutes, number
from pegboard.text import Json, words_of_name

_HAN_DIGITS = "零一二三四五六七八九"
_UNITS = (
    "millimetres?|millimeters?|centimetres?|centimeters?|kilometres?|kilometers?|metres?|meters?|kilograms?|kilos?|"
    "grams?|pounds?|lbs?|ounces?|oz|inch(?:es)?|feet|foot|ft|litres?|liters?|millilitres?|milliliters?|days?|weeks?|"
    "months?|years?|cm|mm|km|kg|ml|g|m|l|in|厘米|公分|毫米|公里|千米|米|公斤|千克|毫克|克|斤|两|毫升|升|英寸|个月|天|周|星期|年"
)
_MEASURE = re2.compile(rf"(?i)({NUMBER})\s*(?:个)?({_UNITS})(?:\b|半|[^a-z]|$)")
_TIME = re2.compile(f"(?i){TIME}")
_METRES = re.compile(rf"([\d{_HAN_DIGITS}两]+)米([\d{_HAN_DIGITS}]{{1,2}})(?![\d米])")
_METRES_AFTER_ALL = re.compile(r"[\d\s]m$", re.IGNORECASE)
"""What `quantities` takes for minutes: `2 m` of a question with no time in it."""
_FEET = re.compile(r"(\d+)\s*(?:'|feet|foot|ft)\s*(\d{1,2})\s*(?:\"|''|inch(?:es)?|in\b)?", re.IGNORECASE)
_HALF = re.compile(r"^\s*(?:半|and a half\b)")
_UNIT_IN_WORDS = re2.compile(
    rf"(?i)(?:\b|[^a-z])({_UNITS}|minutes?|mins?|hours?|hrs?|seconds?|分钟|小时|秒)(?:\b|[^a-z]|$)"
)
_NEAR = 12
"""Characters around a measure in which a word of the parameter's name tells that it is meant."""


@dataclass(frozen=True, slots=True)
class _Said:
    start: int
    end: int
    value: float
    dimension: str
    """In the unit that stands for it in `knowledge.measures`."""


def measured(question: str, name: str, wanted: Mapping[str, Json]) -> float | None:
    """Return the measure that `question` gives for a parameter, in its unit; None where it has none or several."""
    unit = unit_of(name, str(wanted.get("description", "")))
    if unit is None:
        return None
    dimension, factor = unit
    said = [one for one in _all(question) if one.dimension == dimension]
    words = [word for word in words_of_name(name).split() if len(word) > 2]
    near = [one for one in said if any(word in _around(question, one) for word in words)]
    chosen = near[0] if near else said[0] if len(said) == 1 else None
    return None if chosen is None else round(chosen.value / factor, 6)


def unit_of(name: str, description: str) -> tuple[str, float] | None:
    """Return dimension and factor of the unit that a parameter wants, by its name before its description."""
    for words in (words_of_name(name).split(), _UNIT_IN_WORDS.findall(description)):
        found = [unit for word in reversed(list(words)) if (unit := unit_called(word)) is not None]
        if found:
            return found[0]
    return None


def _around(question: str, said: _Said) -> str:
    return question[max(0, said.start - _NEAR) : said.end + _NEAR].lower()


def _all(question: str) -> list[_Said]:
    """Return all measures that stand in `question`; one that is a part of another is not one."""
    found = [*_compound(question), *_times(question), *_plain(question)]
    kept: list[_Said] = []
    for one in found:
        if all(one.end <= other.start or one.start >= other.end for other in kept):
            kept.append(one)
    return kept


def _compound(question: str) -> list[_Said]:
    """Read `一米七五` and `5 ft 9`."""
    found = []
    for match in _METRES.finditer(question):
        digits = "".join(str(_HAN_DIGITS.index(c)) if c in _HAN_DIGITS else c for c in match[2])
        if (whole := number(match[1])) is not None:
            found.append(_Said(match.start(), match.end(), (whole + float(f"0.{digits}")) * 100, "cm"))
    for match in _FEET.finditer(question):
        found.append(_Said(match.start(), match.end(), int(match[1]) * 30.48 + int(match[2]) * 2.54, "cm"))
    return found


def _times(question: str) -> list[_Said]:
    matches = (match for match in _TIME.finditer(question) if not _METRES_AFTER_ALL.search(match[0]))
    spans = ((match.start(), match.end(), minutes(match[0])) for match in matches)
    return [_Said(start, end, time.value, "minutes") for start, end, time in spans if time is not None]


def _plain(question: str) -> list[_Said]:
    found = []
    for match in _MEASURE.finditer(question):
        value, unit = number(match[1]), unit_called(match[2])
        if value is None or unit is None:
            continue
        half = _HALF.match(question, match.end(2)) or _HALF.match(question[match.end(2) :])
        found.append(_Said(match.start(), match.end(2), (value + (0.5 if half else 0.0)) * unit[1], unit[0]))
    return found
