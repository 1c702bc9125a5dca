"""What the body of `POST /runs` says of the limits of its run."""

from collections.abc import Mapping
from typing import Any, TypedDict

from pegboard.errors import UsageError
from pegboard.text import Json, did_you_mean

_USUAL_PARALLEL = 8
_MOST_SECONDS = 1e9
_MOST_COUNTED = 1_000_000_000
_BUDGET = ("calls", "tokens")

BOUNDS: dict[str, Any] = {
    "max_parallel": {"type": "integer", "minimum": 1, "default": _USUAL_PARALLEL, "description": "Nodes at once."},
    "deadline_seconds": {"type": "number", "exclusiveMinimum": 0, "description": "How long the nodes may work."},
    "approval_seconds": {"type": "number", "exclusiveMinimum": 0, "description": "How long an approval is waited for."},
    "budget": {
        "type": "object",
        "properties": {"calls": {"type": "integer", "minimum": 0}, "tokens": {"type": "integer", "minimum": 1}},
        "additionalProperties": False,
        "description": "What all nodes together may use of models.",
    },
}
"""The keys, as OpenAPI describes them."""


class Bounds(TypedDict):
    """The limits of a run, as `Runs.start` takes them."""

    max_parallel: int
    deadline_seconds: float | None
    approval_seconds: float | None
    budget: dict[str, int]


def bounds_in(body: Mapping[str, Json]) -> Bounds:
    """Return the limits that `body` says.

    Raises:
        UsageError: one of them is none.
    """
    return {
        "max_parallel": _whole(body, "max_parallel", least=1) or _USUAL_PARALLEL,
        "deadline_seconds": _seconds(body, "deadline_seconds"),
        "approval_seconds": _seconds(body, "approval_seconds"),
        "budget": _budget(body),
    }


def _seconds(body: Mapping[str, Json], key: str) -> float | None:
    value = body.get(key)
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= _MOST_SECONDS:
        return float(value)
    hint = "Leave it out for the usual time."
    raise UsageError(f"`{key}` is a number of seconds above 0, not {str(value)[:80]!r}.", hint=hint)


def _whole(body: Mapping[str, Json], key: str, *, least: int) -> int | None:
    value = body.get(key)
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= _MOST_COUNTED:
        return value
    raise UsageError(f"`{key}` cannot be {str(value)[:80]!r}.", hint=f"It is a whole number from {least} on.")


def _budget(body: Mapping[str, Json]) -> dict[str, int]:
    held = body.get("budget")
    if held is None:
        return {}
    if not isinstance(held, dict):
        raise UsageError(f"`budget` is an object of `calls` and `tokens`, not {str(held)[:80]!r}.")
    for key in set(held) - {*_BUDGET}:
        raise UsageError(f"A budget has no key {key[:80]!r}.", hint=did_you_mean(key, _BUDGET, noun="keys"))
    given = {"calls": _whole(held, "calls", least=0), "tokens": _whole(held, "tokens", least=1)}
    return {key: value for key, value in given.items() if value is not None}
