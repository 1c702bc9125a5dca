"""Durations with their unit: `150ms`, `5s`, `2m`, `1h`."""

import re
from typing import Annotated

from pydantic import BeforeValidator, Field, WithJsonSchema

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h)")


def read_seconds(value: object) -> object:
    """Read `150ms` as 0.15.

    Raises:
        ValueError: a number without a unit, or no duration at all.
    """
    if isinstance(value, str):
        if match := _DURATION.fullmatch(value.strip()):
            return float(match[1]) * _UNITS[match[2]]
        raise ValueError(f"{value!r} is no duration; write a number with its unit, such as 150ms, 5s, 2m or 1h")
    if isinstance(value, int | float) and not isinstance(value, bool):
        raise ValueError(f"{value} has no unit; write {value}s for seconds or {value}ms for milliseconds")
    return value


Seconds = Annotated[
    float,
    BeforeValidator(read_seconds),
    Field(gt=0, allow_inf_nan=False),
    WithJsonSchema({"type": "string", "pattern": r"^\d+(\.\d+)?\s*(ms|s|m|h)$", "examples": ["150ms", "5s"]}),
]
"""A duration in seconds; in documents it carries its unit."""
