"""How much one judging may take: steps that are counted, whatever schema and value are.

A step is one schema held to one value; a large text, list or object is several, since each reading of it costs more.
A small schema that refers to itself in two forms can ask for a number of steps that grows as a power of two.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

MOST_STEPS = 250_000
"""Steps of one judging."""
_SIZE_OF_A_STEP = 500
"""Characters, items or keys that one step reads."""
_STEPS_OF_AN_ERROR = 2

_left: ContextVar[list[int] | None] = ContextVar("steps_left", default=None)


class TooMuch(Exception):
    """The steps are used up."""


@contextmanager
def bounded(steps: int = MOST_STEPS) -> Iterator[None]:
    """Let what is judged inside take so many steps.

    Raises:
        TooMuch: it takes more.
    """
    token = _left.set([steps])
    try:
        yield
    finally:
        _left.reset(token)


def spend_on_error() -> None:
    """Count what it takes to pass an error on, from within one schema to the next.

    Raises:
        TooMuch
    """
    _take(_STEPS_OF_AN_ERROR)


def spend(value: Any) -> None:
    """Count the step of holding one schema to `value`.

    Raises:
        TooMuch: it is one more than there may be.
    """
    _take(1 + (len(value) // _SIZE_OF_A_STEP if isinstance(value, str | list | dict) else 0))


def _take(steps: int) -> None:
    left = _left.get()
    if left is None:
        return
    left[0] -= steps
    if left[0] < 0:
        raise TooMuch
