"""The smaller schema that a model is shown where an operation's own is too large; the full one stays the judge.

The rule, each step only where those before were not enough: long descriptions below the arguments are cut, then left
out with defaults; then what lies deep keeps its type alone, from the deepest on; then optional arguments keep their
name alone; then they are left out, the last first.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping

from pegboard.handlers.openapi.schemas import DEFS, Converted
from pegboard.text import Json, clipped, to_json

MOST_BYTES = (64 << 10) - 1
"""Of the schema that a model is shown, as JSON."""
_SHORT = 80
_DATA = frozenset({"enum", "const", "default"})
_DEPTHS = (6, 5, 4, 3, 2, 1)


def shown(schema: Converted, *, most_bytes: int = MOST_BYTES) -> Converted:
    """Return `schema` where it is small enough, else what the rule leaves of it."""
    if _size(schema) <= most_bytes:
        return schema
    for smaller in _smaller(schema):
        if _size(smaller) <= most_bytes:
            return smaller
    return _fitting(_named_only(schema), most_bytes)


def _size(schema: Json) -> int:
    return len(to_json(schema).encode())


def _smaller(schema: Converted) -> Iterator[Converted]:
    yield _described(schema, lambda words: clipped(words, _SHORT))
    bare = _described(schema, lambda words: "")
    yield bare
    for depth in _DEPTHS:
        yield _cut(bare, depth)


# Descriptions


def _described(schema: Converted, words: Callable[[str], str]) -> Converted:
    """Return `schema` with `words` of the descriptions below its arguments, and no defaults there."""
    made = dict(schema)
    properties = _mapping(schema.get("properties"))
    made["properties"] = {name: {**_told(_reworded(each, words)), **_own(each)} for name, each in properties.items()}
    if "$defs" in schema:
        made["$defs"] = _each(_mapping(schema["$defs"]), lambda each: _reworded(each, words))
    return made


def _told(value: Json) -> Converted:
    return dict(_mapping(value))


def _own(schema: Json) -> Converted:
    told = _mapping(schema)
    return {"description": told["description"]} if "description" in told else {}


def _reworded(value: Json, words: Callable[[str], str]) -> Json:
    if isinstance(value, list):
        return [_reworded(each, words) for each in value]
    if not isinstance(value, dict):
        return value
    made: Converted = {}
    for key, inner in value.items():
        if key == "description" and isinstance(inner, str):
            made |= {key: text} if (text := words(inner)) else {}
        elif key == "properties":
            made[key] = _each(_mapping(inner), lambda each: _reworded(each, words))
        elif key != "default":
            made[key] = inner if key in _DATA else _reworded(inner, words)
    return made


# Depth


def _cut(schema: Converted, deepest: int) -> Converted:
    """Return `schema` with nothing but types below `deepest` levels of properties."""
    definitions = _mapping(schema.get("$defs"))
    waiting: deque[tuple[str, int]] = deque()
    made: Converted = {}
    reached: dict[str, Json] = {}

    def walk(value: Json, depth: int) -> Json:
        if isinstance(value, list):
            return [walk(each, depth) for each in value]
        if not isinstance(value, dict):
            return value
        reference = value.get("$ref")
        if depth > deepest:
            return _stub(value, definitions)
        if isinstance(reference, str):
            waiting.append((reference.removeprefix(DEFS), depth))
        return {key: inner if key in _DATA else below(key, inner, depth) for key, inner in value.items()}

    def below(key: str, inner: Json, depth: int) -> Json:
        if key == "properties":
            return _each(_mapping(inner), lambda each: walk(each, depth + 1))
        return walk(inner, depth)

    made = {key: inner if key in _DATA else below(key, inner, 0) for key, inner in schema.items() if key != "$defs"}
    while waiting:
        name, depth = waiting.popleft()
        if name not in reached:
            reached[name] = {}
            reached[name] = walk(definitions.get(name), depth)
    return {**made, "$defs": reached} if reached else made


def _stub(schema: Mapping[str, Json], definitions: Mapping[str, Json]) -> Converted:
    """Return what is left of a schema: its type."""
    reference = schema.get("$ref")
    if isinstance(reference, str):
        schema = _mapping(definitions.get(reference.removeprefix(DEFS)))
    return {"type": schema["type"]} if "type" in schema else {}


# What always fits


def _named_only(schema: Converted) -> Converted:
    """Return the arguments, those that are optional by their name and type alone."""
    definitions = _mapping(schema.get("$defs"))
    properties: Converted = {
        name: _stub(_mapping(each), definitions) for name, each in _mapping(schema.get("properties")).items()
    }
    return {"type": "object", "properties": properties, "required": schema.get("required", [])}


def _fitting(schema: Converted, most_bytes: int) -> Converted:
    """Return `schema` with as many of its optional arguments, in order, as fit."""
    required = schema.get("required")
    needed = required if isinstance(required, list) else []
    properties = dict(_mapping(schema.get("properties")))
    size = _size(schema)
    for name in reversed(list(properties)):
        if size <= most_bytes:
            break
        if name not in needed:
            size -= _size({name: properties.pop(name)}) - 1  # without its braces, with its comma
    return {**schema, "properties": properties}


def _mapping(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _each(values: Mapping[str, Json], make: Callable[[Json], Json]) -> Json:
    return {name: make(each) for name, each in values.items()}
