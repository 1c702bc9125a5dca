"""`when`: a JMESPath over `{inputs, nodes}`; what it names, and what it comes to.

It may come from a model or a client, and is applied where all runs are driven: so its length, its depth and what it can
make of a value are bounded before anything runs.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import jmespath
from jmespath.exceptions import JMESPathError

from pegboard.text import Json

LONGEST = 2000
"""Characters of a condition."""
DEEPEST = 100
"""Levels of its parts within each other."""
MOST_COPIES = 256
"""How often it may write a value out beside itself: `[@, @]` does it twice, and in a row the factors multiply."""


_OTHERWISE = (
    (re.compile(r"(?<![<>=!])=(?!=)"), "Equal is `==`."),
    (re.compile(r"\b(and|or|not)\b", re.IGNORECASE), "And, or, not are `&&`, `||`, `!`."),
    (re.compile(r"[<>=]\s*-?\d"), "Numbers stand in backquotes."),
)


class BadCondition(Exception):
    """It is no JMESPath, or more than a condition may be."""


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
    except (JMESPathError, RecursionError, TypeError, ValueError, OverflowError) as error:
        raise BadCondition(_clause(error)) from error
    return (found == 0 and not isinstance(found, bool)) or bool(found)


def check(condition: str) -> None:
    """Raise `BadCondition` for what is no JMESPath, is too long or too deep, or could make a value too large."""
    _compiled(condition)


def condition_hint(condition: str) -> str:
    """Say how what is often written otherwise is written in JMESPath; empty where nothing of that is found."""
    meant = [words for pattern, words in _OTHERWISE if pattern.search(condition)]
    return " ".join([*meant, "Such as: nodes.n1.count == `3` && inputs.city"]) if meant else ""


def _compiled(condition: str) -> Any:
    if len(condition) > LONGEST:
        raise BadCondition(f"it has {len(condition):,} characters; at most {LONGEST:,} are read")
    try:
        compiled = jmespath.compile(condition)
    except (JMESPathError, RecursionError, ValueError, OverflowError) as error:
        raise BadCondition(_clause(error)) from error
    _refuse_large(compiled.parsed)
    return compiled


def _clause(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "its parts are nested too deeply"
    return " ".join(str(error).split())


def _refuse_large(tree: Any) -> None:
    """Refuse a parsed condition that is too deep, or that could make much more of a value than it is."""
    copies = 1
    for part, depth in _parts(tree):
        if depth > DEEPEST:
            raise BadCondition(f"its parts are nested too deeply; at most {DEEPEST} levels are read")
        kind, children = part["type"], part["children"]
        if kind in {"multi_select_list", "multi_select_dict"}:
            copies *= len(children)
        elif kind == "function_expression" and part["value"] == "to_string":
            copies *= 2
        elif kind == "function_expression" and part["value"] == "join" and not _is_short(children[:1]):
            raise BadCondition("what `join` puts between must be written out, such as join(', ', inputs.names)")
        if copies > MOST_COPIES:
            raise BadCondition("its lists, objects and `to_string` could make a value too large; use fewer of them")


def _is_short(parts: list[Any]) -> bool:
    return [part["type"] for part in parts] == ["literal"] and len(str(parts[0]["value"])) <= MOST_COPIES


def _parts(tree: Any) -> Iterator[tuple[Any, int]]:
    """Yield the parts of a parsed condition, each with how deep it stands."""
    left = [(tree, 1)]
    while left:
        part, depth = left.pop()
        yield part, depth
        left += [(child, depth + 1) for child in part.get("children", ()) if isinstance(child, dict)]


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
