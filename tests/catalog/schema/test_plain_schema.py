"""A look at a schema, in place of the metaschema."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pegboard.catalog.schema.faults import valid_schema
from pegboard.catalog.schema.plain import emptied, is_plain, is_plain_itself, schemas_in

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


@given(st.dictionaries(st.sampled_from(KEYWORDS), st.recursive(VALUES, schemas, max_leaves=8), max_size=4))
def test_parts_judged_by_themselves_are_wrong_where_the_whole_is(schema: dict[str, Any]) -> None:
    metaschema = Draft202012Validator(Draft202012Validator.META_SCHEMA)
    parts = [(path, part) for path, part in schemas_in(schema) if not is_plain_itself(part)]
    found = {(*path, *error.absolute_path) for path, part in parts for error in metaschema.iter_errors(emptied(part))}
    assert found == {tuple(error.absolute_path) for error in metaschema.iter_errors(schema)}


def test_a_large_schema_is_judged_without_showing_all_of_it_to_the_metaschema() -> None:
    properties: dict[str, Any] = {f"p{number}": {"$ref": "#/$defs/a"} for number in range(5000)}
    assert valid_schema({"properties": properties, "$defs": {"a": {}}}) == []
    properties |= {f"w{number}": {"type": "strin"} for number in range(5000)}
    found = valid_schema({"properties": properties, "$defs": {"a": {}}})
    assert (len(found), found[0]) == (20, "properties.w0.type: 'strin' is not a type. Did you mean 'string'?")


@pytest.mark.parametrize("pattern", ["(?:a{1000}){50}", "(abcdefgh{1000}){1000}", "(?:a{1000})" * 1000])
def test_a_pattern_that_would_take_much_memory_is_refused(pattern: str) -> None:
    assert "cannot be used" in valid_schema({"pattern": pattern})[0]
