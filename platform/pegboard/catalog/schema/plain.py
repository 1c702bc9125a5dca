"""Whether a JSON Schema is plainly right: made of known keywords, each with a value of the right kind.

Most schemas are, and a look is enough for them. Of every other one only the parts that are not plain are left to
the metaschema, which takes a hundred times as long. A schema that is not plain need not be wrong.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from pegboard.catalog.schema.linear import LATEST, unusable

_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})


def is_plain(schema: object) -> bool:
    """Tell whether `schema`, without references and of no great depth, is certainly a valid one of 2020-12."""
    if isinstance(schema, bool):
        return True
    if not isinstance(schema, dict):
        return False
    return all((judge := _JUDGES.get(key)) is not None and judge(value) for key, value in schema.items())


Path: TypeAlias = tuple[str | int, ...]

_NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"})
"""Keywords whose value holds schemas by name."""
_LISTED = frozenset({"anyOf", "oneOf", "allOf", "prefixItems", "items"})
"""Keywords whose value may be a list of schemas."""
_SINGLE = frozenset(
    {
        *("items", "additionalItems", "additionalProperties", "unevaluatedItems", "unevaluatedProperties"),
        *("contains", "propertyNames", "contentSchema", "not", "if", "then", "else"),
    }
)
"""Keywords whose value is a schema."""


def schemas_in(schema: object, path: Path = ()) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Yield every mapping that is a schema, `schema` itself first, with its path."""
    if not isinstance(schema, Mapping):
        return
    yield path, schema
    for key, value in schema.items():
        for step, below in _held(key, value):
            yield from schemas_in(below, (*path, key, *step))


def _held(key: str, value: object) -> Iterator[tuple[Path, object]]:
    """Yield the schemas that the value of a keyword holds, by their path in it."""
    if key in _NAMED and isinstance(value, Mapping):
        yield from (((name,), below) for name, below in value.items())
    elif key in _LISTED and isinstance(value, list):
        yield from (((index,), below) for index, below in enumerate(value))
    elif key in _SINGLE:
        yield (), value


def emptied(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return `schema` with `{}` in the place of each schema in it, so that it can be judged by itself."""
    return {key: _emptied(key, value) for key, value in schema.items()}


def _emptied(key: str, value: object) -> object:
    if key in _NAMED and isinstance(value, Mapping):
        return {name: _empty(below) for name, below in value.items()}
    if key in _LISTED and isinstance(value, list):
        return [_empty(below) for below in value]
    return _empty(value) if key in _SINGLE else value


def _empty(schema: object) -> object:
    return {} if isinstance(schema, Mapping) else schema


def is_plain_itself(schema: Mapping[str, Any]) -> bool:
    """Tell whether `schema` is certainly valid in each dialect, as far as the schemas in it are."""
    for key, value in schema.items():
        if (judge := _ITSELF.get(key)) is None:
            if key.startswith("$"):
                return False
        elif not judge(value):
            return False
    return True


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_type(value: object) -> bool:
    return (isinstance(value, str) and value in _TYPES) or (
        isinstance(value, list)
        and all(isinstance(each, str) and each in _TYPES for each in value)
        and 0 < len(set(value)) == len(value)
    )


def _are_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value) and len(set(value)) == len(value)


def _are_schemas(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(is_plain(each) for each in value)


def _are_named_schemas(value: object) -> bool:
    return isinstance(value, Mapping) and all(is_plain(each) for each in value.values())


def _is_pattern(value: object) -> bool:
    return isinstance(value, str) and unusable(value) is None


_JUDGES: dict[str, Callable[[Any], bool]] = {
    "$schema": lambda value: value == LATEST,
    "type": _is_type,
    "properties": _are_named_schemas,
    "required": _are_names,
    "items": is_plain,
    "additionalProperties": is_plain,
    "enum": lambda value: isinstance(value, list),
    "const": lambda value: True,
    "default": lambda value: True,
    "examples": lambda value: isinstance(value, list),
    "pattern": _is_pattern,
    "uniqueItems": _is_flag,
    "multipleOf": lambda value: _is_number(value) and value > 0,
    **dict.fromkeys(("anyOf", "oneOf", "allOf"), _are_schemas),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _is_number),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _is_count),
    **dict.fromkeys(("title", "description", "format", "$comment"), _is_text),
}


def _is_anchor(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch("[A-Za-z][-A-Za-z0-9._]*", value) is not None


def _is_schema(value: object) -> bool:
    return isinstance(value, Mapping | bool)


def _is_list_of_schemas(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_schema, value))


def _is_map_of_schemas(value: object) -> bool:
    return isinstance(value, Mapping) and all(map(_is_schema, value.values()))


_ITSELF: dict[str, Callable[[Any], bool]] = {
    **_JUDGES,
    "$schema": _is_text,
    "$ref": _is_text,
    "$id": lambda value: isinstance(value, str) and "#" not in value,
    "$anchor": _is_anchor,
    "$dynamicRef": _is_text,
    "$dynamicAnchor": _is_anchor,
    "pattern": _is_text,
    "dependentRequired": lambda value: isinstance(value, Mapping) and all(map(_are_names, value.values())),
    **dict.fromkeys(_NAMED - {"dependencies"}, _is_map_of_schemas),
    **dict.fromkeys(_LISTED, _is_list_of_schemas),
    **dict.fromkeys(_SINGLE, _is_schema),
    "dependencies": lambda value: (
        isinstance(value, Mapping) and all(_is_schema(each) or _are_names(each) for each in value.values())
    ),
    **dict.fromkeys(("deprecated", "readOnly", "writeOnly"), _is_flag),
    **dict.fromkeys(("minContains", "maxContains"), _is_count),
    **dict.fromkeys(("contentEncoding", "contentMediaType"), _is_text),
}

KEYWORDS = frozenset(_ITSELF) | {
    *("definitions", "id", "nullable", "discriminator", "example", "$recursiveRef", "$recursiveAnchor", "$vocabulary"),
    *("minContains", "maxContains", "contentSchema", "dependentSchemas", "unevaluatedItems"),
}
"""What a key of a JSON Schema of any draft may be called."""
