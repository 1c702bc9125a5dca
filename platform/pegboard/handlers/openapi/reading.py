"""Read an OpenAPI document: JSON or YAML, bounded, as plain values."""

import json
from collections.abc import Iterable, Mapping

from pegboard.config.problems import Problems
from pegboard.config.syntax.node import List, Map, Node
from pegboard.config.syntax.source import Source
from pegboard.config.syntax.yaml_reader import read_yaml
from pegboard.text import Json

MOST_BYTES = 12 << 20
"""Of a document."""
_DEEPEST = 128
"""Levels of a document in JSON; YAML has its own limit."""
_FATAL = ("PB003", "PB004")
"""What ends the reading of YAML; keys such as `200` are read as they are written."""
_NO_MAPPING = "is no OpenAPI document: it holds no keys and values"


class Unreadable(Exception):
    """A document that cannot be read; the message is a clause, `is no JSON: …`."""


def read_document(data: bytes) -> dict[str, Json]:
    """Return what a document holds.

    Raises:
        Unreadable: it is neither JSON nor YAML, too large, too deep, or no OpenAPI document.
    """
    if len(data) > MOST_BYTES:
        raise Unreadable(f"has {len(data):,} bytes, and {MOST_BYTES:,} are read at most")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"is not UTF-8 (byte {error.start})") from error
    found = _from_json(text) if text.lstrip().startswith("{") else _from_yaml(text)
    if not (isinstance(found.get("openapi"), str) or "swagger" in found):
        raise Unreadable("is no OpenAPI document: it has neither `openapi` nor `swagger`")
    if not isinstance(found.get("paths"), dict):
        raise Unreadable("is an OpenAPI document without `paths`: it offers no operation")
    return found


def _from_json(text: str) -> dict[str, Json]:
    try:
        found: Json = json.loads(text, parse_constant=_refuse)
    except RecursionError as error:
        raise Unreadable("is nested too deeply") from error
    except ValueError as error:
        raise Unreadable(f"is no JSON: {error}") from error
    if not is_shallow(found, _DEEPEST):
        raise Unreadable("is nested too deeply")
    assert isinstance(found, dict)  # it begins so
    return found


def is_shallow(value: Json, levels: int) -> bool:
    """Tell whether nothing in `value` lies deeper than so many levels; without recursion."""
    level: list[Json] = [value]
    for _ in range(levels):
        level = [inner for each in level for inner in _inside(each)]
        if not level:
            return True
    return False


def _inside(value: Json) -> Iterable[Json]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _refuse(word: str) -> Json:
    raise ValueError(f"{word} is no number of JSON")


def _from_yaml(text: str) -> dict[str, Json]:
    problems = Problems()
    nodes = read_yaml(Source("document", text), problems)
    errors = [problem for problem in problems if problem.code in _FATAL]
    if errors:
        first = errors[0]
        raise Unreadable(f"cannot be read at line {first.span.line}: {first.message}")
    found = _value(nodes[0]) if len(nodes) == 1 else None
    if not isinstance(found, dict):
        raise Unreadable(_NO_MAPPING)
    return found


def _value(node: Node) -> Json:
    if isinstance(node, Map):
        return {key: _value(entry.value) for key, entry in node.entries.items()}
    if isinstance(node, List):
        return [_value(item) for item in node.items]
    return node.written if node.is_ambiguous and node.written else node.value


# What is looked for in it


def mapping(value: object) -> Mapping[str, Json]:
    """Return `value` where it is a mapping, else an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Json]:
    """Return `value` where it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def words(value: object) -> str:
    """Return `value` where it is a text, else an empty one."""
    return value if isinstance(value, str) else ""
