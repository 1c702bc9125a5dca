"""Single values as a schema wants them: `"3 people"` -> 3, `"2 hours"` -> 120 minutes, `"side_dish"` -> `Side dish`.

What cannot be read so stays as it is. Pure; what holds other values is `repair`'s business.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import date
from difflib import SequenceMatcher

import re2

from pegboard.bind.measures import measured, unit_of
from pegboard.catalog.tool import Schema
from pegboard.knowledge.measures import unit_called
from pegboard.knowledge.quantities import NUMBER, number
from pegboard.text import TRUTHS, Json, tokens

_TRUTHS = {
    **TRUTHS,
    **dict.fromkeys(("y", "是", "是的", "对", "要", "有"), True),
    **dict.fromkeys(("n", "否", "不", "不是", "不要", "没有"), False),
}
_INTEGER = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.0+)?|[+-]?\d{1,18}(?:\.0+)?")
_NUMBER = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d{1,18})?(?:\.\d{1,18})?(?:[eE][+-]?\d{1,2})?")
_COUNTED = re2.compile(
    rf"(?i)(?:(?:about|around|approximately|up to|under|over|at least|at most)\s+|[~≈约]|大约|大概)?"
    rf"(?:US\$|[$€£¥￥])?\s*({NUMBER})\s*(?:%|[$€£¥]|[^\d\s.,;，。；]{{1,16}}(?:\s[a-z]{{1,12}})?)?"
)
"""A number with what it counts, and nothing else."""
_UNIT = re.compile(r"[^\W\d_]+\s*$")
_LONGEST_COUNTED = 60
_SAME = 0.8
"""Likeness of a slip to the choice that was meant."""
_SHORTEST_SLIP = 5
"""Characters of a word below which a likeness says nothing: `low` is no slip of `slow`."""
_LONGEST_CHOICE = 80

_MONTH_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTHS = {name: place for place, name in enumerate(_MONTH_NAMES, 1)}
_YEAR_FIRST = re.compile(r"(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*[日号]?")
_DAY_FIRST = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4})")
_DAY_MONTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?([a-z]{3})[a-z]*\.?,?\s+(\d{4})", re.IGNORECASE)
_MONTH_DAY = re.compile(r"([a-z]{3})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})", re.IGNORECASE)


def plain(value: object) -> str:
    """Return what spellings of one word share: no case, width, blanks or marks."""
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKC", str(value))).casefold()


def as_integer(value: Json, wanted: Schema, name: str = "") -> Json:
    """Read a whole number; one that has a fraction is none."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    text = _text(value)
    if _INTEGER.fullmatch(text):
        return int(text.partition(".")[0].replace(",", ""))
    counted = _counted(text, wanted, name)
    return int(counted) if counted is not None and counted.is_integer() else value


def as_number(value: Json, wanted: Schema, name: str = "") -> Json:
    """Read a number."""
    text = _text(value)
    if text and _NUMBER.fullmatch(text) and any(map(str.isdigit, text)):
        return int(text) if re.fullmatch(r"[+-]?\d+", text) else float(text.replace(",", ""))
    counted = _counted(text, wanted, name)
    return value if counted is None else int(counted) if counted.is_integer() else counted


def _text(value: Json) -> str:
    return unicodedata.normalize("NFKC", value).strip() if isinstance(value, str) else ""


def _counted(text: str, wanted: Schema, name: str) -> float | None:
    """Return the number of a text that is one with its unit, in the unit that is wanted."""
    if not text or len(text) > _LONGEST_COUNTED or (match := _COUNTED.fullmatch(text)) is None:
        return None
    if match[1].lower() in ("a", "an"):
        return None
    if unit_of(name, str(wanted.get("description", ""))) is not None:
        measure = measured(text, name, wanted)
        said = _UNIT.search(text[match.end(1) :])
        has_unit = said is not None and unit_called(said[0].strip()) is not None
        if measure is not None or has_unit:
            return measure
    return number(match[1])


def as_boolean(value: Json) -> Json:
    """Read yes or no."""
    text = str(value).strip().lower() if isinstance(value, str | int) else ""
    return _TRUTHS.get(text, value)


def as_string(value: Json, wanted: Schema) -> Json:
    """Return a text: of one word or several, of a number; a date as ISO 8601 writes it where the schema says date."""
    if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
        return as_string(", ".join(map(str, value)), wanted)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, str) and wanted.get("format") == "date":
        return as_date(value) or value
    return value


def as_date(text: str) -> str | None:
    """Return a date with its year as `2026-03-05`; None where it has none, or day and month may be exchanged."""
    text = unicodedata.normalize("NFKC", text).strip()
    if match := _YEAR_FIRST.fullmatch(text):
        return _iso(match[1], match[2], match[3])
    if match := _DAY_MONTH.fullmatch(text):
        return _iso(match[3], _MONTHS.get(match[2].lower(), 0), match[1])
    if match := _MONTH_DAY.fullmatch(text):
        return _iso(match[3], _MONTHS.get(match[1].lower(), 0), match[2])
    if match := _DAY_FIRST.fullmatch(text):
        first, second = int(match[1]), int(match[2])
        if first > 12 >= second or first == second:
            return _iso(match[3], second, first)
        return _iso(match[3], first, second) if second > 12 >= first else None
    return None


def _iso(year: str | int, month: str | int, day: str | int) -> str | None:
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None


def as_choice(value: Json, choices: Sequence[Json]) -> Json:
    """Return the choice that is meant: the same but for spelling, the only one that is named, or a near slip."""
    if value in choices or not isinstance(value, str | int | float) or len(str(value)) > _LONGEST_CHOICE:
        return value
    word = plain(value)
    by_plain: Mapping[str, Json] = {plain(choice): choice for choice in choices if choice is not None}
    if word in by_plain:
        return by_plain[word]
    named = _named(str(value), choices)
    if len(named) == 1:
        return named[0]
    near = [
        one for one in by_plain if len(word) >= _SHORTEST_SLIP and SequenceMatcher(None, word, one).ratio() >= _SAME
    ]
    return by_plain[near[0]] if len(near) == 1 else value


def _named(text: str, choices: Sequence[Json]) -> list[Json]:
    """Return the choices that stand in `text` as words; one that is a part of another does not count."""
    said = f" {' '.join(tokens(text))} "
    found = []
    for choice in choices:
        words = " ".join(tokens(str(choice)))
        if isinstance(choice, str) and words and f" {words} " in said:
            found.append((words, choice))
    return [choice for words, choice in found if not any(words in other and words != other for other, _ in found)]
