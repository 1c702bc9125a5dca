"""Places that are only an offset from UTC: `UTC+8`, `GMT-5`, `UTC+05:30`, `东八区`."""

import re
from datetime import timedelta

from pegboard.handlers.clock.places import Place

_OFFSET = re.compile(
    r"(?<![A-Za-z/])(?:UTC|GMT)\s*(?P<sign>[-+−－＋])\s*(?P<hours>\d+)(?:[:：.]?(?P<minutes>\d+))?(?!\w)"
    r"|(?P<side>[东西])\s*(?P<zone>[一二三四五六七八九十]+|\d+)区",
    re.IGNORECASE,
)
_BARE = re.compile(r"\s*[-+−－＋]\s*\d[\d:：.]*\s*")
_HAN = {character: value for value, character in enumerate("零一二三四五六七八九十")}
_WEST, _EAST = timedelta(hours=-12), timedelta(hours=14)
"""Offsets that are in use lie between these."""
_NOWHERE = timedelta(days=1)


class NoOffset(ValueError):
    """What is written like an offset from UTC, and is none; the message is the text itself."""


def offset_in(text: str) -> Place | None:
    """Return the offset that `text` names, None if it names none; a bare `+8` is one where it stands alone.

    Raises:
        NoOffset: No place on Earth has that offset.
    """
    match = _OFFSET.search(f"UTC{text}" if _BARE.fullmatch(text) else text)
    if match is None:
        return None
    size = _of_zone(match["zone"]) if match["zone"] else _of_digits(match["hours"], match["minutes"] or "")
    offset = -size if match["sign"] in {"-", "−", "－"} or match["side"] == "西" else size
    if not _WEST <= offset <= _EAST:
        raise NoOffset(match[0])
    minutes = abs(round(offset.total_seconds())) // 60
    name = f"UTC{'-' if offset < timedelta() else '+'}{minutes // 60:02}:{minutes % 60:02}"
    return Place(name, name, name, offset)


def _of_digits(hours: str, minutes: str) -> timedelta:
    """Read `8`, `05` and `30`, or `0530`."""
    if not minutes and len(hours) in {3, 4}:
        hours, minutes = hours[:-2], hours[-2:]
    if len(hours) > 2 or len(minutes) not in {0, 2} or int(minutes or 0) > 59:
        return _NOWHERE
    return timedelta(hours=int(hours), minutes=int(minutes or 0))


def _of_zone(number: str) -> timedelta:
    if number.isdecimal():
        return timedelta(hours=int(number)) if len(number) < 3 else _NOWHERE
    tens, ten, ones = number.rpartition("十")
    if len(tens) > 1 or len(ones) > 1:
        return _NOWHERE
    return timedelta(hours=(_HAN[tens] if tens else 1) * 10 + _HAN.get(ones, 0) if ten else _HAN[ones])
