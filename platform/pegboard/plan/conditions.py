"""`when`: a JMESPath over `{inputs, nodes}`; what it names, and what it comes to."""

from collections.abc import Mapping
from typing import Any

import jmespath
from jmespath.exceptions import JMESPathError

from pegboard.text import Json


class BadCondition(Exception):
    """It is no JMESPath."""


def nodes_in(condition: str) -> set[str]:
    """Return the nodes that `condition` names as `nodes.NAME`; none where it is no JMESPath."""
    try:
        return set(_named(_compiled(condition).parsed))
    except BadCondition:
        return set()


def holds(condition: str, inputs: Json, nodes: Mapping[str, Json]) -> bool:
    """Tell whether `condition` counts as true: what it finds is neither nothing, nor false, nor empty.

    Raises:
        BadCondition: it is no JMESPath, or cannot be applied.
    """
    try:
        found = _compiled(condition).search({"inputs": inputs, "nodes": dict(nodes)})
    except JMESPathError as error:
        raise BadCondition(str(error)) from error
    return (found == 0 and not isinstance(found, bool)) or bool(found)


def check(condition: str) -> None:
    """Raise `BadCondition` for what is no JMESPath."""
    _compiled(condition)


def _compiled(condition: str) -> Any:
    try:
        return jmespath.compile(condition)
    except JMESPathError as error:
        raise BadCondition(" ".join(str(error).split())) from error


def _named(tree: Any) -> list[str]:
    """Return the fields that stand directly below the field `nodes`."""
    found = [] if not (first := _first_of(tree)) else [first]
    return found + [name for child in tree.get("children", ()) if isinstance(child, dict) for name in _named(child)]


def _first_of(tree: Any) -> str:
    if tree["type"] != "subexpression" or len(tree["children"]) < 2:
        return ""
    first, second = tree["children"][:2]
    is_nodes = first["type"] == "field" and first.get("value") == "nodes"
    return str(second["value"]) if is_nodes and second["type"] == "field" else ""
