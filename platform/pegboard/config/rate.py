"""Rates with their period: `10/s`, `100/m`, `1000/h`."""

import re
from typing import Annotated

from pydantic import BeforeValidator, WithJsonSchema

_PERIODS = {"s": 1.0, "m": 60.0, "h": 3600.0}
PATTERN = r"[1-9][0-9]{0,8}/[smh]"
"""How a rate is written."""
_RATE = re.compile(PATTERN)


def read_rate(value: object) -> object:
    """Return a rate as it is written.

    Raises:
        ValueError: it is none.
    """
    if isinstance(value, str):
        text = re.sub(r"\s", "", value)
        if _RATE.fullmatch(text):
            return text
        raise ValueError(f"{value!r} is no rate; write a number and its period, such as 10/s, 100/m or 1000/h")
    return value


def amount_of(rate: str) -> tuple[float, float]:
    """Return what a rate allows, and in how many seconds: `100/m` is 100 in 60."""
    amount, _, period = rate.partition("/")
    return float(amount), _PERIODS[period]


Rate = Annotated[
    str,
    BeforeValidator(read_rate),
    WithJsonSchema(
        {"type": "string", "pattern": r"^\s*[1-9]\s*([0-9]\s*){0,8}/\s*[smh]\s*$", "examples": ["10/s", "100/m"]}
    ),
]
"""So many in a second, a minute or an hour; kept as it is written."""
