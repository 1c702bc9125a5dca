"""Durations with their unit: `150ms`, `5s`, `2m`, `1h`, and several in a row: `1m30s`."""

import re
from typing import Annotated

from pydantic import BeforeValidator, Field, WithJsonSchema

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
PATTERN = (
    r"[0-9]{1,9}(\.[0-9]{1,9})?\s*(ms|s|m|h)"
    r"|[0-9]{1,9}h[0-9]{1,9}m([0-9]{1,9}s)?|[0-9]{1,9}h[0-9]{1,9}s|[0-9]{1,9}m[0-9]{1,9}s"
)
"""How a duration is written; a regular expression that JSON Schema and XML Schema read too."""
_DURATION = re.compile(PATTERN)
_PART = re.compile(r"([0-9.]+)\s*(ms|s|m|h)")


def read_seconds(value: object) -> object:
    """Read `150ms` as 0.15, `1m30s` as 90.

    Raises:
        ValueError: a number without a unit, or no duration at all.
    """
    if isinstance(value, str):
        text = value.strip()
        if _DURATION.fullmatch(text):
            return sum(float(number) * _UNITS[unit] for number, unit in _PART.findall(text))
        raise ValueError(f"{value!r} is no duration; write a number with its unit, such as 150ms, 5s, 2m or 1m30s")
    if isinstance(value, int | float) and not isinstance(value, bool):
        raise ValueError(f"{value} has no unit; write {value}s for seconds or {value}ms for milliseconds")
    return value


def shown_seconds(seconds: float) -> str:
    """Write a duration as documents have it: `150ms`, `5s`."""
    return f"{seconds * 1000:.12g}ms" if seconds < 1 else f"{seconds:.12g}s"


Seconds = Annotated[
    float,
    BeforeValidator(read_seconds),
    Field(gt=0, allow_inf_nan=False),
    WithJsonSchema({"type": "string", "pattern": f"^({PATTERN})$", "examples": ["150ms", "5s", "1m30s"]}),
]
"""A duration in seconds; in documents it carries its unit."""
