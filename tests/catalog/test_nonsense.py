"""Schemas that are valid and cannot be meant."""

from typing import Any

import pytest

from pegboard.catalog.checks.nonsense import nonsense_in


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        ({"minLength": 3, "maxLength": 2}, [("minLength",)]),
        ({"minItems": 3, "maxItems": 2}, [("minItems",)]),
        ({"exclusiveMinimum": 3, "maximum": 3}, [("exclusiveMinimum",)]),
        ({"minimum": 3, "exclusiveMaximum": 3}, [("minimum",)]),
        ({"enum": []}, [("enum",)]),
        ({"type": "string", "enum": ["a", 1]}, [("enum", 1)]),
        ({"type": "boolean", "default": "yes"}, [("default",)]),
        ({"enum": ["a"], "default": "b"}, [("default",)]),
        ({"properties": {"a": {}}, "required": ["a", "b"]}, [("required", 1)]),
        ({"items": {"anyOf": [{}, {"minimum": 1, "maximum": 0}]}}, [("items", "anyOf", 1, "minimum")]),
        ({"$defs": {"a": {"enum": []}}}, [("$defs", "a", "enum")]),
        ({"minimum": 3, "maximum": 3}, []),
        ({"type": "number", "enum": [1, 1.5], "default": 1}, []),
        ({"type": "integer", "default": 2.0}, []),
        ({"type": ["object", "null"], "default": {}}, []),
        ({"type": "array", "enum": [[], [1]]}, []),
        ({"required": ["a"]}, []),
        ({"properties": {"a": {}}, "required": ["b"], "patternProperties": {"b": {}}}, []),
        ({"properties": {"a": {}}, "required": ["b"], "additionalProperties": {"type": "string"}}, []),
        ({"enum": ["a"], "const": "a", "default": None}, []),
        (True, []),
    ],
)
def test_what_cannot_be_meant_is_found_at_its_keyword(schema: Any, found: list[tuple[str | int, ...]]) -> None:
    assert [path for path, _, _ in nonsense_in(schema)] == found
