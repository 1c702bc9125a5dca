"""What a valid JSON Schema says that cannot be meant: bounds the wrong way round, values that its type forbids."""

from collections.abc import Iterator, Mapping
from typing import Any

from pegboard.catalog.schema.returns import FROM_QUERY
from pegboard.catalog.schema.words import Path, articled, shown
from pegboard.text import did_you_mean, spelled

_BOUNDS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)
_STRICT = (("exclusiveMinimum", "maximum"), ("minimum", "exclusiveMaximum"), ("exclusiveMinimum", "exclusiveMaximum"))
_OPENING = frozenset({"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "patternProperties", "dependentSchemas"})
"""Keywords by which properties are named elsewhere."""
_TELLING = frozenset({"enum", "default", "required", FROM_QUERY} | {key for pair in _BOUNDS + _STRICT for key in pair})
"""Keywords that can contradict others; most parts of schemas have none."""
_NAMED = frozenset({"properties", "patternProperties", "$defs", "dependentSchemas"})
_LISTED = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_ONE = frozenset({"items", "additionalProperties", "not", "contains", "if", "then", "else"})
"""Keywords that hold schemas: by name, in a list, one."""


def nonsense_in(schema: object, path: Path = ()) -> Iterator[tuple[Path, str, str]]:
    """Yield what cannot be meant: where, what, and what to do (or nothing); `schema` is a valid one."""
    if not isinstance(schema, Mapping):
        return
    if schema.keys() & _TELLING:
        where = spelled(path) or "schema"
        for place, message, hint in (*_bounds(schema), *_values(schema), *_required(schema)):
            yield (*path, *place), f"{where}: {message}", hint
    for key, value in schema.items():
        if key in _NAMED:
            for name, below in value.items():
                yield from nonsense_in(below, (*path, key, name))
        elif key in _LISTED:
            for index, below in enumerate(value):
                yield from nonsense_in(below, (*path, key, index))
        elif key in _ONE:
            yield from nonsense_in(value, (*path, key))


def _bounds(schema: Mapping[str, Any]) -> Iterator[tuple[Path, str, str]]:
    for low, high in (*_BOUNDS, *_STRICT):
        if low in schema and high in schema:
            least, most = schema[low], schema[high]
            if _is_number(least) and _is_number(most) and (least > most or (least == most and (low, high) in _STRICT)):
                yield (low,), f"{low} {least} and {high} {most} leave no value", "Exchange them?"


def _values(schema: Mapping[str, Any]) -> Iterator[tuple[Path, str, str]]:
    if not isinstance(schema.get(FROM_QUERY, True), bool):
        yield (FROM_QUERY,), f"{FROM_QUERY} is {shown(schema[FROM_QUERY])}, not true or false", ""
    kinds = schema.get("type")
    wanted = [kinds] if isinstance(kinds, str) else kinds
    choices = schema.get("enum")
    if choices == []:
        yield ("enum",), "enum names no value: nothing fits", "Name the values, or remove it."
    for index, value in enumerate(choices or ()):
        if wanted and not any(_is_a(value, kind) for kind in wanted):
            yield ("enum", index), f"the value {shown(value)} of enum is not {_named(wanted)}", ""
    if (value := schema.get("default")) is None:
        return
    if wanted and not any(_is_a(value, kind) for kind in wanted):
        yield ("default",), f"the default {shown(value)} is not {_named(wanted)}", ""
    elif choices and value not in choices:
        yield (
            ("default",),
            f"the default {shown(value)} is not one of enum",
            did_you_mean(str(value), map(str, choices)),
        )


def _required(schema: Mapping[str, Any]) -> Iterator[tuple[Path, str, str]]:
    known = schema.get("properties")
    if not known or _OPENING & schema.keys() or isinstance(schema.get("additionalProperties"), Mapping):
        return
    for index, name in enumerate(schema.get("required") or ()):
        if name not in known:
            yield ("required", index), f"{name!r} is required, and properties do not name it", did_you_mean(name, known)


def _named(kinds: list[str]) -> str:
    return " or ".join(articled(kind) for kind in kinds)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_a(value: object, kind: str) -> bool:
    match kind:
        case "string":
            return isinstance(value, str)
        case "integer":
            return (isinstance(value, float) and value.is_integer()) or (_is_number(value) and isinstance(value, int))
        case "number":
            return _is_number(value)
        case "boolean":
            return isinstance(value, bool)
        case "null":
            return value is None
        case "array":
            return isinstance(value, list)
        case _:
            return isinstance(value, Mapping)
