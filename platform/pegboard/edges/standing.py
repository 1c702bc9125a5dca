"""How a run stands, and its nodes, as it is said and as a picture of its plan takes it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pegboard.text import Json

if TYPE_CHECKING:
    from pegboard.app import Standing


def status_in(view: Mapping[str, Any]) -> str:
    """Return how a run stands by the JSON of `GET /runs/{id}`, in a word or a few."""
    return "held" if view.get("is_held") else status_with(str(view["status"]), view.get("steps") or {})


def status_with(status: str, steps: Mapping[str, int]) -> str:
    """Return how a run stands, and how many of its steps failed where it came to something all the same.

    `steps` says how many are in each state.
    """
    failed = steps.get("failed", 0) if status in {"succeeded", "partly"} else 0
    return f"{status}, {failed} of {sum(steps.values())} steps failed" if failed else status


def standings_in(view: Mapping[str, Json]) -> "dict[str, Standing]":
    """Return how each node stands by the JSON of `GET /runs/{id}`."""
    from pegboard.app import Standing  # noqa: PLC0415 (whoever asks has it)

    nodes = view.get("nodes")
    return {
        str(node["id"]): Standing(str(node["state"]), reason=str(node.get("reason", "")))
        for node in (nodes if isinstance(nodes, list) else [])
        if isinstance(node, dict)
    }
