"""Dates as people name them, English and Chinese: absolute, without a year, by a holiday, or from today."""

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

_MONTH_NAMES = "january february march april may june july august september october november december"
_MONTHS = {name: place for place, name in enumerate(_MONTH_NAMES.split(), 1)}
_MONTHS |= {name[:3]: place for name, place in _MONTHS.items()} | {"sept": 9}
_DAY_NAMES = "monday tuesday wednesday thursday friday saturday sunday"
_DAYS = {name: place for place, name in enumerate(_DAY_NAMES.split())}
_HAN_DAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
_HAN_NUMBERS = {
    "一": 1,
    "两": 2,
    "二": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
    "十": 10,
}
_SMALL_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve"
_NUMBERS = {word: value for value, word in enumerate(_SMALL_NUMBERS.split())} | {"a": 1, "an": 1}

_FIXED = {
    ("christmas eve", "平安夜"): (12, 24),
    ("christmas", "圣诞节", "圣诞"): (12, 25),
    ("new year's eve", "new years eve", "跨年夜"): (12, 31),
    ("new year", "new year's day", "元旦"): (1, 1),
    ("valentine's day", "valentines day", "情人节"): (2, 14),
    ("五一", "劳动节"): (5, 1),
    ("halloween", "万圣节"): (10, 31),
    ("national day of china", "国庆节", "国庆"): (10, 1),
}
_LUNAR = ("chinese new year", "lunar new year", "spring festival", "春节", "农历新年", "大年初一")
_LUNAR_DATES = (
    "2025-01-29 2026-02-17 2027-02-06 2028-01-26 2029-02-13 2030-02-03 2031-01-23 2032-02-11 2033-01-31 "
    "2034-02-19 2035-02-08"
)
_LUNAR_NEW_YEARS = tuple(date.fromisoformat(text) for text in _LUNAR_DATES.split())
"""As the Hong Kong Observatory tabulates them; after the last one the festival is not known here."""

_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY = "|".join(_DAYS)
COUNT = r"(\d{1,18}|" + "|".join(_NUMBERS) + r")"
HAN_COUNT = "(\\d{1,18}|[一两二三四五六七八九十]+)"
_ISO = re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_DAY_MONTH = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+({_MONTH})\b\.?(?:,?\s+(\d{{4}}))?")
_MONTH_DAY = re.compile(rf"\b({_MONTH})\b\.?\s+(?:the\s+)?(\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(\d{{4}}))?")
_HAN_DATE = re.compile(r"(?:(\d{4})\s*年\s*)?(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]?")
_AHEAD = re.compile(
    rf"\bin\s+{COUNT}\s+(day|week|month|year)s?\b|\b{COUNT}\s+(day|week|month|year)s?\s+(?:from (?:now|"
    rf"today)|later)"
)
_AGO = re.compile(rf"\b{COUNT}\s+(day|week|month|year)s?\s+ago\b")
_HAN_AHEAD = re.compile(rf"{HAN_COUNT}\s*个?(天|日|周|星期|礼拜|月|年)(?:之|以)?(后|前)")
_DAY_FIRST_OR_MONTH = re.compile(r"(?<!\d)\d{1,2}[/.]\d{1,2}[/.]\d{4}(?!\d)")
"""Americans mean the month by the first number, others the day."""
_FORMS = (_ISO, _DAY_MONTH, _MONTH_DAY, _HAN_DATE, _AHEAD, _AGO, _HAN_AHEAD, _DAY_FIRST_OR_MONTH)
_NEXT_DAY = re.compile(rf"\b(?:(next|this|last|on)\s+)?({_DAY})\b")
_HAN_NEXT_DAY = re.compile("(下|这|本|上)?个?(?:周|星期|礼拜)([一二三四五六日天])")
_RELATIVE = {
    "day after tomorrow": 2, "tomorrow": 1, "today": 0, "day before yesterday": -2, "yesterday": -1,
    "大后天": 3, "后天": 2, "明天": 1, "今天": 0, "前天": -2, "昨天": -1,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Named:
    """A date that a text names."""

    start: int
    """Where it stands in the text."""
    day: date
    is_counted: bool = False
    """It was named by counting from today: `in 3 days`."""


def named(text: str, today: date) -> list[Named]:
    """Return the dates that `text` names, in their order; one without a year is the next of its kind."""
    lowered = text.lower().replace("’", "'")
    found = sorted(_all(lowered, today), key=lambda entry: entry.start)
    kept: list[Named] = []
    for entry in found:
        if not any(entry.start == other.start or entry.day == other.day for other in kept):
            kept.append(entry)
    return kept


def looks_dated(text: str) -> bool:
    """Tell whether `text` writes something as a date is written, though it may be none: `30 February`."""
    return any(form.search(text.lower()) for form in _FORMS)


def _all(text: str, today: date) -> Iterator[Named]:
    yield from _absolute(text, today)
    yield from _counted(text, today)
    yield from _holidays(text, today)
    for words, days in _RELATIVE.items():
        match = re.search(rf"\b{words}\b" if words.isascii() else f"(?<!大){words}", text)
        if match and not (words == "tomorrow" and "after tomorrow" in text) and not _is_before(words, text):
            yield Named(match.start(), today + timedelta(days=days), words not in {"today", "今天"})


def _is_before(words: str, text: str) -> bool:
    return words == "yesterday" and "before yesterday" in text


def _absolute(text: str, today: date) -> Iterator[Named]:
    for match in _ISO.finditer(text):
        yield from _made(match.start(), today, match[1], match[2], match[3])
    for match in _HAN_DATE.finditer(text):
        yield from _made(match.start(), today, match[1], match[2], match[3])
    for match in _DAY_MONTH.finditer(text):
        yield from _made(match.start(), today, match[3], str(_MONTHS[match[2]]), match[1])
    for match in _MONTH_DAY.finditer(text):
        yield from _made(match.start(), today, match[3], str(_MONTHS[match[1]]), match[2])


def _made(start: int, today: date, year: str | None, month: str, day: str) -> Iterator[Named]:
    """Yield the date, or nothing where the calendar has none such; without a year, the next one."""
    years = [int(year)] if year else range(today.year, today.year + 9)
    for candidate in years:
        try:
            made = date(candidate, int(month), int(day))
        except ValueError:
            continue
        if year or made >= today:
            yield Named(start, made)
            return


def _counted(text: str, today: date) -> Iterator[Named]:
    for match in _AHEAD.finditer(text):
        yield from _moved(match.start(), today, match[1] or match[3], match[2] or match[4], 1)
    for match in _AGO.finditer(text):
        yield from _moved(match.start(), today, match[1], match[2], -1)
    for match in _HAN_AHEAD.finditer(text):
        yield from _moved(match.start(), today, match[1], match[2], 1 if match[3] == "后" else -1)
    for match in _NEXT_DAY.finditer(text):
        yield _weekday(match.start(), today, _DAYS[match[2]], match[1] or "")
    for match in _HAN_NEXT_DAY.finditer(text):
        yield _weekday_of_week(match.start(), today, _HAN_DAYS[match[2]], match[1] or "")


def _moved(start: int, today: date, count: str, unit: str, direction: int) -> Iterator[Named]:
    amount = direction * count_of(count)
    try:
        if unit in {"month", "月", "year", "年"}:
            months = amount * (12 if unit in {"year", "年"} else 1)
            yield Named(start, _months_later(today, months), True)
        else:
            days = amount * (7 if unit in {"week", "周", "星期", "礼拜"} else 1)
            yield Named(start, today + timedelta(days=days), True)
    except (ValueError, OverflowError):
        return


def count_of(text: str) -> int:
    """Return the number that a match of `COUNT` or `HAN_COUNT` is."""
    if text.isdigit():
        return int(text)
    if text in _NUMBERS:
        return _NUMBERS[text]
    tens, ten, ones = text.partition("十")
    if not ten:
        return _HAN_NUMBERS[text[0]]
    return _HAN_NUMBERS.get(tens, 1) * 10 + _HAN_NUMBERS.get(ones, 0)


def _months_later(day: date, months: int) -> date:
    """Return the same day of another month, or the last one of that month."""
    years, month = divmod(day.month - 1 + months, 12)
    year = day.year + years
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _weekday(start: int, today: date, weekday: int, which: str) -> Named:
    """Return the coming day of that name; `last`: the one before today."""
    ahead = (weekday - today.weekday()) % 7 or 7
    return Named(
        start,
        today + timedelta(days=ahead - 7 if which == "last" and ahead < 7 else ahead if which != "last" else -7),
        True,
    )


def _weekday_of_week(start: int, today: date, weekday: int, which: str) -> Named:
    """Return a day of this week, the next or the last, weeks beginning on Monday as in China."""
    weeks = {"下": 1, "上": -1}.get(which, 0)
    return Named(start, today + timedelta(days=weekday - today.weekday() + 7 * weeks), True)


def _holidays(text: str, today: date) -> Iterator[Named]:
    rest = text
    for name in _LUNAR:
        if (start := rest.find(name)) >= 0:
            rest = rest.replace(name, " " * len(name))
            if (coming := next((day for day in _LUNAR_NEW_YEARS if day >= today), None)) is not None:
                yield Named(start, coming)
    for names, (month, day) in _FIXED.items():
        for name in sorted(names, key=len, reverse=True):
            if (start := rest.find(name)) >= 0:
                rest = rest.replace(name, " " * len(name))
                yield from _made(start, today, None, str(month), str(day))
