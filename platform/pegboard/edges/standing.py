"""How the nodes of a run stand, as a picture of its plan takes it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pegboard.text import Json

if TYPE_CHECKING:
    from pegboard.app import Standing


def standings_in(view: Mapping[str, Json]) -> "dict[str, Standing]":
    """Return how each node stands by the JSON of `GET /runs/{id}`."""
    from pegboard.app import Standing  # noqa: PLC0415 (whoever asks has it)

    nodes = view.get("nodes")
    return {
        str(node["id"]): Standing(str(node["state"]), reason=str(node.get("reason", "")))
        for node in (nodes if isinstance(nodes, list) else [])
        if isinstance(node, dict)
    }
