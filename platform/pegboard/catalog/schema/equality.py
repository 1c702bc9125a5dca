"""Equality as JSON Schema has it, in linear time: 1 is 1.0 and not true, the order of keys says nothing. Pure."""

import json
import math
from fractions import Fraction
from typing import Any


def canonical(value: Any) -> str:
    """Return a text that is the same for equal values, and for no others."""
    match value:
        case dict():
            return "{" + ",".join(f"{json.dumps(key)}:{canonical(value[key])}" for key in sorted(value)) + "}"
        case list():
            return "[" + ",".join(map(canonical, value)) + "]"
        case str():
            return json.dumps(value)
        case None | bool():
            return str(value)
        case float() if value.is_integer():
            return hex(int(value))
        case int():
            return hex(value)  # in linear time, and of any length
        case _:
            return repr(value)


def are_unique(values: list[Any]) -> bool:
    """Tell whether no two of `values` are equal."""
    return len(set(map(canonical, values))) == len(values)


def is_multiple(value: Any, of: Any) -> bool:
    """Tell whether `value` is `of` times a whole number, both as they are written: 0.3 is a multiple of 0.1."""
    if isinstance(value, float) and not math.isfinite(value):
        return False
    return (_exact(value) / _exact(of)).denominator == 1


def _exact(number: Any) -> Fraction:
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)
