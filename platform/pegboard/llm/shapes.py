"""The shapes in which models hand over what was asked for: bare, in a list, in a wrapper, as JSON in a string.

Pure functions on values that were read. Whether a value fits a schema is looked at here only as far as it tells
one shape from another: its type, and the names that are required and known. The judge is `bind`.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from pegboard.text import Json

WRAPPERS = (
    *("result", "results", "response", "output", "data", "answer", "json", "value", "结果", "回答"),
    *("arguments", "args", "parameters", "params", "input", "tool_input", "action_input", "参数"),
    *("function", "function_call", "tool_call", "tool_calls", "calls"),
)
"""Keys under which models put what was asked for."""
STEPS = ("steps", "plan", "nodes", "tasks", "task_nodes", "tool_calls", "calls", "actions", "步骤", "计划")
"""Keys under which models put a list of steps."""
TOOLS = ("tool", "tool_name", "name", "task", "action", "agent", "工具")
"""Keys under which a step names its tool, the surest first."""
ARGUMENTS = ("arguments", "params", "parameters", "args", "input", "tool_input", "action_input", "参数")
"""Keys under which a step gives its arguments."""

_LEVELS = 5
_MOST_LOOKED_AT = 64
_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "number": (int, float),
    "integer": (int, float),
    "boolean": bool,
    "null": type(None),
}


@dataclass(frozen=True, slots=True)
class Shaped:
    """A value, and where in what was read it stood."""

    value: Json
    path: tuple[str | int, ...] = ()
    """Keys and positions from the outside in; empty for the whole."""
    fits: bool = True
    """Whether its type is the one asked for and nothing that is required is missing."""


def shaped(value: Json, schema: Mapping[str, Json]) -> Shaped:
    """Return what in `value` fits `schema` best, of equals the outermost; `value` itself when nothing fits."""
    found = [(inner, path, _likeness(inner, schema)) for path, inner in _unwrapped(value)]
    inner, path, likeness = max(found, key=lambda one: one[2] or _UNLIKE)
    return Shaped(inner, path) if likeness else Shaped(value, fits=False)


def steps(value: Json) -> list[dict[str, Json]]:
    """Return the steps of a plan in any of the accepted shapes, each with `tool` and `arguments`, the rest as it was.

    A list of steps; an object that holds one, as under `steps` or `tool_calls`; a single step. Arguments that
    are JSON in a string are read, and those in rows of `name` and `value` are put together. A step that names no
    tool stays as it was. Empty: it is no plan.
    """
    rows = _rows(value)
    found = [_step(row) for row in rows if isinstance(row, dict)]
    return found if len(found) == len(rows) and any("tool" in step for step in found) else []


_Likeness = tuple[int, int]
_UNLIKE: _Likeness = (-(1 << 30), 0)


def _likeness(value: Json, schema: Mapping[str, Json]) -> _Likeness | None:
    """Tell how well `value` fits: fewer unknown names before more known ones; None when it does not."""
    choices = next((schema[key] for key in ("anyOf", "oneOf") if isinstance(schema.get(key), list)), None)
    if isinstance(choices, list):
        likely = [_likeness(value, choice) for choice in choices if isinstance(choice, dict)]
        return max((one for one in likely if one), default=None)
    if not _has_type(value, schema):
        return None
    if not isinstance(value, dict):
        return (0, 0)
    properties, required = schema.get("properties"), schema.get("required")
    if isinstance(required, list) and any(name not in value for name in required):
        return None
    known = sum(name in value for name in properties) if isinstance(properties, dict) else 0
    return (known - len(value), known) if properties else (0, 0)


def _has_type(value: Json, schema: Mapping[str, Json]) -> bool:
    named = schema.get("type", "object" if "properties" in schema else None)
    names = [named] if isinstance(named, str) else named if isinstance(named, list) else []
    known = [_TYPES[name] for name in names if isinstance(name, str) and name in _TYPES]
    return not known or any(_is(value, kind) for kind in known)


def _is(value: Json, kind: type | tuple[type, ...]) -> bool:
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _unwrapped(value: Json) -> Iterator[tuple[tuple[str | int, ...], Json]]:
    """Yield `value` and what may be wrapped in it, outermost first."""
    level: list[tuple[tuple[str | int, ...], Json]] = [((), value)]
    for _ in range(_LEVELS):
        level = level[:_MOST_LOOKED_AT]
        yield from level
        level = [((*path, *step), inner) for path, outer in level for step, inner in _inside(outer)]


def _inside(value: Json) -> list[tuple[tuple[str | int, ...], Json]]:
    if isinstance(value, str):
        return [((), inner)] if (inner := _in_string(value)) is not None else []
    if isinstance(value, list):
        return [((position,), item) for position, item in enumerate(value[:_MOST_LOOKED_AT])]
    if isinstance(value, dict):
        return [((key,), item) for key, item in value.items() if key.lower() in WRAPPERS or len(value) == 1]
    return []


def _in_string(text: str) -> Json:
    """Read JSON that stands as text in a string; None when it is no object or array."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return cast(Json, json.loads(text))
    except (ValueError, RecursionError):
        return None


def _rows(value: Json) -> list[Json]:
    if isinstance(value, str):
        return _rows(inner) if (inner := _in_string(value)) is not None else []
    if isinstance(value, list):
        return _rows(value[0]) if len(value) == 1 and isinstance(value[0], list) else value
    if not isinstance(value, dict):
        return []
    listed = [inner for key, inner in value.items() if key.lower() in STEPS and isinstance(inner, list)]
    if listed:
        rows: list[Json] = max(listed, key=_objects)
        return rows
    return next((rows for inner in _wrapped(value) if (rows := _rows(inner))), [value])


def _wrapped(value: dict[str, Json]) -> list[Json]:
    """Return what may hold the steps of a plan in an object that is no step itself."""
    if "tool" in _step(value):
        return []
    return [inner for key, inner in value.items() if key.lower() in WRAPPERS or len(value) == 1]


def _objects(rows: list[Json]) -> int:
    return sum(isinstance(row, dict) for row in rows)


def _step(row: dict[str, Json]) -> dict[str, Json]:
    """Return a step under the names of our own."""
    call = row.get("function")
    fields = {**row, **call} if isinstance(call, dict) else row
    tool = next((key for key in TOOLS if isinstance(fields.get(key), str) and fields[key]), None)
    if tool is None:
        return row
    given = next((key for key in ARGUMENTS if key in fields), None)
    rest = {key: inner for key, inner in fields.items() if key not in {tool, given} and inner is not call}
    return {**rest, "tool": fields[tool], "arguments": _arguments(fields[given]) if given else {}}


def _arguments(value: Json) -> Json:
    if isinstance(value, str):
        return _in_string(value) or value
    if value is None or value == []:
        return {}
    if not isinstance(value, list):
        return value
    rows = [row for row in value if isinstance(row, dict) and {"name", "value"} <= row.keys()]
    return {str(row["name"]): row["value"] for row in rows} if len(rows) == len(value) else value
