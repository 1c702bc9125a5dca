"""Schemas of every version of OpenAPI as JSON Schema 2020-12, as requests need them."""

from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.catalog.schema.faults import faults, valid_schema
from pegboard.handlers.openapi.schemas import Schemas
from pegboard.text import Json
from tests.handlers.openapi.made import document, kind, one, parameter

LEAF: dict[str, Json] = {"a Leaf/x": {"type": "string"}, "Other": {}}


@pytest.mark.parametrize(
    ("written", "made"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "nullable": True, "enum": ["a"]}, {"type": ["string", "null"], "enum": ["a", None]}),
        ({"nullable": True, "allOf": [{"type": "object"}]}, {"anyOf": [{"allOf": [{"type": "object"}]}, {"type": "null"}]}),
        ({"nullable": True}, {}),
        ({"type": "integer", "minimum": 1, "exclusiveMinimum": True}, {"type": "integer", "minimum": 1, "exclusiveMinimum": 1}),
        ({"exclusiveMaximum": 5}, {"exclusiveMaximum": 5}),
        ({"exclusiveMaximum": False, "maximum": 5}, {"maximum": 5}),
        ({"type": "file"}, {"type": "string", "format": "binary"}),
        ({"type": ["string", "null", "nonsense"]}, {"type": ["string", "null"]}),
        ({"type": "any"}, {}),
        ({"required": True, "type": "string"}, {"type": "string"}),
        ({"type": "string", "example": "a", "xml": {}, "x-own": 1, "discriminator": {}}, {"type": "string"}),
        ({"pattern": "^(?=a)b$"}, {}),
        ({"pattern": "^a+$"}, {"pattern": "^a+$"}),
        ({"minimum": "1", "maxLength": -1, "enum": [], "uniqueItems": "no", "multipleOf": 0}, {}),
        ({"description": "<p>All\n <b>of</b> it\u200b</p>"}, {"description": "All of it"}),
        ({"items": True}, {"items": {}}),
        ({"items": False}, {"items": {"not": {}}}),
        ({"additionalProperties": False}, {"additionalProperties": False}),
        ({"anyOf": []}, {}),
        ({"const": None}, {"const": None}),
        (
            {"properties": {"id": {"readOnly": True}, "a": {}}, "required": ["id", "a", 3]},
            {"properties": {"a": {}}, "required": ["a"]},
        ),
        ({"$ref": "https://other.example/schema.json", "type": "string"}, {"type": "string"}),
        ({"$ref": "#/nowhere"}, {}),
    ],
)  # fmt: skip
def test_what_becomes_of_a_schema(written: Json, made: Json) -> None:
    assert Schemas({}).converted(written) == made


_KEYS = st.sampled_from(
    ["type", "nullable", "enum", "const", "default", "items", "properties", "required", "allOf", "anyOf", "oneOf", "not", "$ref", "pattern", "minimum", "exclusiveMinimum", "maxLength", "uniqueItems", "additionalProperties", "patternProperties", "format", "description", "if", "then", "dependentSchemas", "readOnly", "prefixItems", "multipleOf", "$defs", "$id", "$anchor", "$schema", "$dynamicRef"]
)  # fmt: skip
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["string", "object", "array", "(", "#/a", "#/b", "#"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(a=_VALUES, b=_VALUES)
def test_whatever_a_document_says_gives_a_valid_schema(a: Json, b: Json) -> None:
    schemas = Schemas({"#/a": a, "#/b": b})
    schema = schemas.converted({"properties": {"a": a, "b": b}, "anyOf": [{"$ref": "#/a"}, {"$ref": "#/b"}]})
    whole = {**schema, "$defs": schemas.definitions(schema)}
    assert valid_schema(whole) == []
    jsonschema.Draft202012Validator.check_schema(whole)


def body(schema: Json, **components: Json) -> dict[str, Any]:
    told = {"required": True, "content": {"application/json": {"schema": schema}}}
    return document({"/x": {"post": {"operationId": "x", "requestBody": told}}}, components={"schemas": components})


def test_recursion_stays_a_reference_with_what_it_needs_alone(tmp_path: Path) -> None:
    node: Json = {
        "type": "object",
        "properties": {
            "next": {"$ref": "#/components/schemas/Node"},
            "leaf": {"$ref": "#/components/schemas/a%20Leaf~1x"},
        },
    }
    held = body({"$ref": "#/components/schemas/Node"}, Node=node, **LEAF)
    schema = kind(tmp_path, held).parameters
    assert schema == {
        "type": "object",
        "properties": {"next": {"$ref": "#/$defs/Node"}, "leaf": {"$ref": "#/$defs/a_20Leaf_1x"}},
        "required": [],
        "additionalProperties": False,
        "$defs": {
            "Node": {
                "type": "object",
                "properties": {"next": {"$ref": "#/$defs/Node"}, "leaf": {"$ref": "#/$defs/a_20Leaf_1x"}},
            },
            "a_20Leaf_1x": {"type": "string"},
        },
    }
    assert faults({"next": {"next": {"leaf": "x"}}}, schema) == []
    assert faults({"next": {"next": {"leaf": 3}}}, schema) != []


def test_all_of_is_merged_into_the_arguments(tmp_path: Path) -> None:
    base: Json = {
        "type": "object",
        "properties": {"id": {"readOnly": True}, "name": {"type": "string"}},
        "required": ["id", "name"],
    }
    held = body({"allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {"age": {"type": "integer"}, "name": {"minLength": 1}}}]}, Base=base)  # fmt: skip
    schema = kind(tmp_path, held).parameters
    assert schema["properties"] == {
        "age": {"type": "integer"},
        "name": {"allOf": [{"minLength": 1}, {"type": "string"}]},
    }
    assert schema["required"] == ["name"]


@pytest.mark.parametrize(
    "schema",
    [
        {"oneOf": [{"type": "object"}]},
        {"type": "object", "properties": {"a": {}}, "additionalProperties": True},
        {"type": "object", "properties": {"a": {}}, "minProperties": 1},
        {"type": "object"},
        {"type": "string"},
        True,
    ],
)
def test_a_body_that_is_more_than_its_properties_is_one_argument(tmp_path: Path, schema: Json) -> None:
    made = kind(tmp_path, body(schema)).parameters
    assert list(made["properties"]) == ["body"]  # type: ignore[arg-type]
    assert made["required"] == ["body"]


def test_an_optional_body_needs_what_it_needs_once_anything_of_it_is_given(tmp_path: Path) -> None:
    schema: Json = {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a"]}
    held = one(
        "post", parameters=[parameter(name="q")], requestBody={"content": {"application/json": {"schema": schema}}}
    )
    made = kind(tmp_path, held).parameters
    tried: list[dict[str, Json]] = [{}, {"q": 1}, {"a": 1}, {"a": 1, "b": 1}, {"b": 1}]
    assert [faults(dict(each), made) == [] for each in tried] == [True, True, True, True, False]


def test_an_unknown_argument_is_refused(tmp_path: Path) -> None:
    made = kind(tmp_path, one(parameters=[parameter(name="limit", schema={"type": "integer"})])).parameters
    assert [fault.message for fault in faults({"limt": 1}, made)] == ["Unknown argument 'limt'. Did you mean 'limit'?"]


def test_bodies_that_include_each_other_end(tmp_path: Path) -> None:
    both: Json = {
        "allOf": [{"$ref": "#/components/schemas/A"}, {"$ref": "#/components/schemas/A"}],
        "properties": {"a": {}},
    }
    assert list(kind(tmp_path, body({"$ref": "#/components/schemas/A"}, A=both)).parameters["properties"]) == ["a"]  # type: ignore[arg-type]


def test_reference_chains_of_parameters_and_bodies(tmp_path: Path) -> None:
    held = document(
        {
            "/x": {
                "parameters": [{"$ref": "#/components/parameters/P"}],
                "post": {"operationId": "x", "requestBody": {"$ref": "#/components/requestBodies/B"}},
            }
        },
        components={
            "parameters": {"P": {"$ref": "#/components/parameters/Q"}, "Q": parameter(name="q"), "L": {"$ref": "#/components/parameters/L"}},
            "requestBodies": {"B": {"content": {"application/json": {"schema": {"properties": {"b": {}}}}}}},
        },
    )  # fmt: skip
    assert list(kind(tmp_path, held).parameters["properties"]) == ["q", "b"]  # type: ignore[arg-type]


@pytest.mark.parametrize("levels", [10, 40, 120])
def test_what_is_nested_deeply_still_gives_a_schema_that_can_be_judged(tmp_path: Path, levels: int) -> None:
    schema: Json = {"type": "string"}
    value: Json = 1
    for _ in range(levels // 2):
        schema, value = {"type": "object", "properties": {"a": schema}}, [value]
    made = kind(tmp_path, one(parameters=[parameter(schema=schema), parameter(name="b", schema={"default": value})]))
    assert valid_schema(made.parameters) == []


def test_a_property_of_very_many_parts(tmp_path: Path) -> None:
    parts: list[Json] = [{"properties": {"a": {"minimum": number}}} for number in range(2_000)]
    made = kind(tmp_path, body({"allOf": parts}))
    assert valid_schema(made.parameters) == []
    assert valid_schema(made.shown) == []
