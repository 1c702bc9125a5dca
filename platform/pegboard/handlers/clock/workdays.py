"""Business days: Monday to Friday. Public holidays differ from place to place and are not known here."""

import re
from datetime import date, timedelta

from pegboard.handlers.clock.dates import COUNT, HAN_COUNT, Named, count_of

_WORD = r"(?:business|working|work|trading)[ -]days?|weekdays?"
_ASKS = re.compile(r"\b(?:business|working|work|trading)[ -]days?\b|\bweekdays\b|工作日", re.IGNORECASE)
_COUNTED = re.compile(rf"\b(in\s+)?{COUNT}\s+(?:{_WORD})\b(?:\s+(ago|before|earlier|prior))?", re.IGNORECASE)
_HAN_COUNTED = re.compile(rf"{HAN_COUNT}\s*个?工作日(?:之|以)?(后|前)")
_BESIDE = re.compile(
    r"\b(next|last|previous)\s+(?:business|working|work|trading)[ -]day\b|(下|上)一?个工作日", re.IGNORECASE
)


def asks_workdays(question: str) -> bool:
    """Tell whether `question` counts business days."""
    return _ASKS.search(question) is not None or _COUNTED.search(question) is not None


def move_in(question: str) -> int | None:
    """Return by how many business days `question` goes from a date, back if negative; None: it does not."""
    if match := _BESIDE.search(question):
        return 1 if (match[1] or match[2]).lower() in ("next", "下") else -1
    if match := _HAN_COUNTED.search(question):
        return count_of(match[1]) * (1 if match[2] == "后" else -1)
    match = _COUNTED.search(question)
    return None if match is None else count_of(match[2].lower()) * (-1 if match[3] else 1)


def moved(day: date, count: int) -> date:
    """Return the business day that lies so many of them after `day`, or before it.

    Raises:
        OverflowError: the calendar does not go so far.
    """
    if count == 0:
        return day
    ahead = 1 if count > 0 else -1
    while day.weekday() > 4:  # begin at the one before, so that the next is the first that counts
        day -= timedelta(days=ahead)
    weeks, rest = divmod(abs(count), 5)
    reached = day.weekday() + ahead * rest
    over_weekend = 0 if 0 <= reached <= 4 else 2
    return day + ahead * timedelta(days=weeks * 7 + rest + over_weekend)


def between(first: date, last: date) -> int:
    """Return how many business days lie after `first`, up to and with `last`."""
    weeks, rest = divmod((last - first).days, 7)
    return weeks * 5 + sum((first.weekday() + day) % 7 < 5 for day in range(1, rest + 1))


def start_of(days: list[Named], today: date) -> date:
    """Return the date that is counted from: the one that is named, else today."""
    return next((named.day for named in days if not named.is_counted), today)
