"""Keywords of JSON Schema whose judging would take long, or fail, on values that are made for it.

Above it: `linear`, which puts them into validators.
"""

import math
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from fractions import Fraction
from typing import Any, TypeAlias

from jsonschema import ValidationError

from pegboard.text import Json

Check: TypeAlias = Callable[[Any, Any, Any, Any], Iterator[ValidationError] | None]

COUNTED = ("$ref", "$dynamicRef", "anyOf", "oneOf", "allOf")
"""Keywords that a schema can make many of few with, by referring to itself."""
MOST_STEPS = 100_000
"""Times that these are followed for one value."""


class TooMuch(Exception):
    """A value and a schema together take more steps than anybody waits for."""


_left: ContextVar[list[int] | None] = ContextVar("pegboard_schema_steps", default=None)


def bounded(steps: int = MOST_STEPS) -> object:
    """Begin to count the steps of one value; give what comes back to `ended`."""
    return _left.set([steps])


def ended(token: Any) -> None:
    """End the count that `bounded` began."""
    _left.reset(token)


def counted(check: Check) -> Check:
    """Return `check` as it counts its steps.

    Raises:
        TooMuch: when it is called, and they are used up.
    """

    def checked(validator: Any, said: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        left = _left.get()
        if left is not None:
            left[0] -= 1
            if left[0] < 0:
                raise TooMuch
        yield from check(validator, said, instance, schema) or ()

    return checked


def check_unique(validator: Any, said: bool, instance: Any, schema: Any) -> Iterator[ValidationError]:
    """Refuse a list with two equal items: each is looked at once, not beside each other."""
    if said and isinstance(instance, list) and len({_key(item) for item in instance}) < len(instance):
        yield ValidationError(f"{instance!r} has non-unique elements" if len(instance) < 20 else "items are not unique")


def _key(value: Json) -> object:
    """Return what is equal for values that JSON Schema takes for equal: 1 and 1.0 are, 1 and true are not."""
    if isinstance(value, bool) or value is None:
        return ("constant", value)
    if isinstance(value, dict):
        return ("object", frozenset((name, _key(inner)) for name, inner in value.items()))
    if isinstance(value, list):
        return ("array", tuple(_key(inner) for inner in value))
    return value


def check_multiple(validator: Any, said: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    """Refuse a number that is no multiple of `said`; exactly, and for numbers of any size."""
    if isinstance(instance, bool) or not isinstance(instance, int | float):
        return
    is_odd = isinstance(instance, float) and not math.isfinite(instance)
    if is_odd or _exact(instance) % _exact(said):
        yield ValidationError(f"{instance!r} is not a multiple of {said!r}")


def _exact(number: float) -> Fraction:
    """Return a number as it is written: 0.1 is a tenth."""
    return Fraction(number) if isinstance(number, int) else Fraction(repr(number))
