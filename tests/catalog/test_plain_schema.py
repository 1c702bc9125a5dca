"""A look at a schema, in place of the metaschema."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pegboard.catalog.plain_schema import is_plain
from pegboard.catalog.schema import valid_schema

KEYWORDS = [
    "$schema", "$ref", "type", "properties", "required", "items", "additionalProperties", "enum", "const", "default",
    "pattern", "uniqueItems", "multipleOf", "anyOf", "minimum", "exclusiveMaximum", "minLength", "maxItems",
    "description", "examples", "format", "not", "x-own",
]  # fmt: skip
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 3),
    st.floats(-1, 2),
    st.sampled_from(["string", "integer", "objekt", "a", "[", "(?=a)", "https://json-schema.org/draft/2020-12/schema"]),
    st.lists(st.sampled_from(["string", "a", "null"]), max_size=3),
)


def schemas(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.dictionaries(st.sampled_from(KEYWORDS), values, max_size=4), st.lists(values, max_size=2))


@given(st.dictionaries(st.sampled_from(KEYWORDS), st.recursive(VALUES, schemas, max_leaves=8), max_size=4))
def test_what_is_plain_is_a_valid_schema(schema: dict[str, Any]) -> None:
    if is_plain(schema):
        Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "object", "properties": {"a": {"type": ["string", "null"], "maxLength": 3}}, "required": ["a"]},
        {"type": "array", "items": {"anyOf": [{"const": None}, {"enum": [1]}, True]}, "uniqueItems": True},
        {"type": "number", "minimum": 0, "exclusiveMaximum": 1.5, "multipleOf": 0.5, "description": "x", "default": 1},
        {"type": "string", "pattern": "^[a-z]+$", "format": "date", "examples": ["a"]},
    ],
)
def test_the_usual_schemas_are_plain(schema: dict[str, Any]) -> None:
    assert is_plain(schema)
    assert valid_schema(schema) == []


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "objekt"},
        {"type": []},
        {"pattern": "(?=a)"},
        {"required": ["a", "a"]},
        {"minLength": -1},
        {"multipleOf": 0},
        {"properties": {"a": {"$ref": "#/nowhere"}}},
        {"anyOf": []},
    ],
)
def test_what_is_not_plain_is_judged_by_the_metaschema(schema: dict[str, Any]) -> None:
    assert not is_plain(schema)
    assert valid_schema(schema) != []
