"""Whether a JSON Schema is plainly right: made of the usual keywords, each with a value of the right kind.

Most schemas are, and a look is enough for them; every other one is left to the metaschema, which takes a hundred
times as long. A schema that is not plain need not be wrong.
"""

from collections.abc import Callable, Mapping
from typing import Any

from pegboard.catalog.linear import LATEST, unusable

_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})


def is_plain(schema: object) -> bool:
    """Tell whether `schema`, without references and of no great depth, is certainly a valid one of 2020-12."""
    if isinstance(schema, bool):
        return True
    if not isinstance(schema, dict):
        return False
    return all((judge := _JUDGES.get(key)) is not None and judge(value) for key, value in schema.items())


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
