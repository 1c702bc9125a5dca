"""Sizes with their unit: `512KiB`, `2MiB`."""

import re
from typing import Annotated

from pydantic import BeforeValidator, Field, WithJsonSchema

_UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}
PATTERN = r"[0-9]{1,9}(\.[0-9]{1,9})?\s*(B|KiB|MiB|GiB|TiB)"
"""How a size is written; a regular expression that JSON Schema and XML Schema read too."""
_SIZE = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*(B|KiB|MiB|GiB|TiB)")
_OTHER_UNIT = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*([KMGT])(?:i?b)?", re.IGNORECASE)


def read_bytes(value: object) -> object:
    """Read `2MiB` as 2097152.

    Raises:
        ValueError: a number without a unit, a unit of another kind (`2MB`), or no size at all.
    """
    if isinstance(value, str):
        if match := _SIZE.fullmatch(value.strip()):
            return int(float(match[1]) * _UNITS[match[2]])
        if match := _OTHER_UNIT.fullmatch(value.strip()):
            raise ValueError(f"{value!r} is no size; write {match[1]}{match[2].upper()}iB")
        raise ValueError(f"{value!r} is no size; write a number with its unit, such as 512KiB or 2MiB")
    if isinstance(value, int | float) and not isinstance(value, bool):
        raise ValueError(f"{value} has no unit; write a size such as 512KiB or 2MiB")
    return value


def shown_size(size: int) -> str:
    """Write a number of bytes in the largest unit that gives a whole number: `2MiB`."""
    unit = max((name for name, factor in _UNITS.items() if size % factor == 0), key=lambda name: _UNITS[name])
    return f"{size // _UNITS[unit] if size else 0}{unit if size else 'B'}"


Bytes = Annotated[
    int,
    BeforeValidator(read_bytes),
    Field(gt=0),
    WithJsonSchema({"type": "string", "pattern": f"^{PATTERN}$", "examples": ["512KiB", "2MiB"]}),
]
"""A number of bytes; in documents it carries its unit."""
