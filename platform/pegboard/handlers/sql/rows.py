"""Rows as JSON, read no further than the caps of the declaration."""

import base64
import datetime
import decimal
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pegboard.text import Json, to_json

_LARGEST_EXPONENT = 30
"""Of a decimal that becomes a whole number; a larger one is a text."""
_DEEPEST = 32


@dataclass(frozen=True, slots=True)
class Caps:
    """How much is read."""

    rows: int
    bytes: int
    """As JSON."""


@dataclass(frozen=True, slots=True)
class Rows:
    """What a statement gave."""

    rows: tuple[Mapping[str, Json], ...]
    is_truncated: bool = False
    """There is more."""
    changed: int | None = None
    """How many rows it inserted, changed or deleted; None where it only reads."""


def read(
    columns: Sequence[str], fetch: Callable[[], Sequence[object] | None], caps: Caps
) -> tuple[Mapping[str, Json], ...]:
    """Return the rows that `fetch` gives until it gives None, or until what comes next is beyond a cap.

    Raises:
        MoreThanCaps: there is more; it holds what was read.
    """
    names = _distinct(columns)
    found: list[Mapping[str, Json]] = []
    left = caps.bytes
    while (row := fetch()) is not None:
        told = dict(zip(names, map(as_json, row), strict=True))
        left -= len(to_json(told).encode("utf-8", "replace"))
        if len(found) >= caps.rows or left < 0:
            raise MoreThanCaps(tuple(found))
        found.append(told)
    return tuple(found)


class MoreThanCaps(Exception):
    """There are more rows, or more bytes, than are read."""

    def __init__(self, rows: tuple[Mapping[str, Json], ...]) -> None:
        super().__init__("there is more")
        self.rows = rows


def _distinct(columns: Sequence[str]) -> list[str]:
    """Return the columns' names, a number behind one that was there before."""
    names: list[str] = []
    for column in columns:
        name, number = column, 2
        while name in names:
            name, number = f"{column}_{number}", number + 1
        names.append(name)
    return names


def as_json(value: object, depth: int = 0) -> Json:
    """Return a value of a database as JSON has it: exactly, or as text."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case decimal.Decimal():
            return _decimal(value)
        case datetime.datetime() | datetime.date() | datetime.time():
            return value.isoformat()
        case bytes() | bytearray() | memoryview():
            return base64.b64encode(value).decode()
        case list() | tuple() | dict() if depth < _DEEPEST:
            return _inside(value, depth + 1)
        case _:  # an interval, a UUID, an address, a range
            return value.total_seconds() if isinstance(value, datetime.timedelta) else str(value)


def _inside(value: Sequence[object] | Mapping[object, object], depth: int) -> Json:
    if isinstance(value, Mapping):
        return {str(key): as_json(inner, depth) for key, inner in value.items()}
    return [as_json(inner, depth) for inner in value]


def _decimal(value: decimal.Decimal) -> Json:
    """Return a number that is the same, else its digits."""
    if not value.is_finite():
        return None
    if abs(value.adjusted()) > _LARGEST_EXPONENT:
        return str(value)
    if value == value.to_integral_value():
        return int(value)
    near = float(value)
    return near if decimal.Decimal(repr(near)) == value else str(value)
