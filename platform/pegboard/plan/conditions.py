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
    return _below("nodes", condition)


def inputs_in(condition: str) -> set[str]:
    """Return the inputs that `condition` names as `inputs.NAME`; none where it is no JMESPath."""
    return _below("inputs", condition)


def _below(root: str, condition: str) -> set[str]:
    try:
        return set(_named(root, _compiled(condition).parsed))
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


def _named(root: str, tree: Any) -> list[str]:
    """Return the fields that stand directly below the field `root`."""
    found = [] if not (first := _first_of(root, tree)) else [first]
    children = (child for child in tree.get("children", ()) if isinstance(child, dict))
    return found + [name for child in children for name in _named(root, child)]


def _first_of(root: str, tree: Any) -> str:
    if tree["type"] != "subexpression" or len(tree["children"]) < 2:
        return ""
    first, second = tree["children"][:2]
    is_root = first["type"] == "field" and first.get("value") == root
    return str(second["value"]) if is_root and second["type"] == "field" else ""
