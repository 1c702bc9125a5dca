"""From `returns` to schemas."""

from typing import Any

import pytest

from pegboard.catalog.schema import returns
from pegboard.text import Json


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("integer between 0 and 100", "integer"),
        ("an integer", "integer"),
        ("Number of guests", "number"),
        ("boolean, whether it is in stock", "boolean"),
        ("true or false", "boolean"),
        ("full name of the city", "string"),
        ("the number of the order", "string"),
        ("", "string"),
    ],
)
def test_the_type_of_an_argument_is_read_from_its_text(text: str, kind: str) -> None:
    assert returns.described(text) == {"type": kind, "description": text}


def test_a_list_of_texts_is_an_array() -> None:
    described = {"type": "array", "items": {"type": "string", "description": "a query"}}
    assert returns.described(["a query"]) == described
    assert returns.described("array of search queries") == {
        "type": "array",
        "items": {"type": "string"},
        "description": "array of search queries",
    }


def test_score_and_remarks_are_no_arguments() -> None:
    informal = {"score": "integer", "reason": "why", "explanation": "more", "city": "name of the city"}
    assert returns.arguments_of(informal) == {"city": {"type": "string", "description": "name of the city"}}


def test_a_json_schema_is_taken_as_it_is() -> None:
    schema = {
        "type": "object",
        "properties": {"score": {"type": "integer"}, "days": {"type": "integer", "maximum": 7}},
    }
    assert returns.arguments_of(schema) == {"days": {"type": "integer", "maximum": 7}}


def test_a_reply_always_has_a_score_of_0_to_100() -> None:
    reply = returns.reply_schema({"score": "integer between 0 and 100", "city": "the city"}, {})
    properties: Any = reply["properties"]
    assert properties["score"]["minimum"] == 0
    assert properties["score"]["maximum"] == 100
    assert list(properties) == ["score", "city"]
    assert reply["required"] == ["score"]


def test_without_returns_a_reply_asks_for_the_declared_parameters() -> None:
    reply = returns.reply_schema({}, {"type": "object", "properties": {"days": {"type": "integer"}}})
    assert reply["properties"] == {"score": returns.SCORE_SCHEMA, "days": {"type": "integer"}}


def test_a_reply_with_references_has_what_they_lead_to() -> None:
    parameters: dict[str, Json] = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/A"}},
        "$defs": {"A": {"type": "string"}},
    }
    assert returns.reply_schema({}, parameters)["$defs"] == {"A": {"type": "string"}}
    assert "$defs" not in returns.reply_schema({"score": "integer", "b": "a text"}, parameters)


def test_a_reply_holds_no_arguments_whose_schema_is_large() -> None:
    words = "x" * returns.MOST_OFFERED
    parameters: dict[str, Json] = {"type": "object", "properties": {"a": {"type": "string", "description": words}}}
    assert returns.reply_schema({}, parameters)["properties"] == {"score": returns.SCORE_SCHEMA}


def test_a_short_form_is_a_schema_whose_keys_are_required_unless_said_optional() -> None:
    short = {
        "city": "full name of the city",
        "days": "integer, optional",
        "near": {"lat": "number", "lon": "number"},
        "unit": {"enum": ["C", "F"]},
        "tags": ["a word"],
    }
    assert returns.formal(short, optional={"tags"}) == {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "full name of the city"},
            "days": {"type": "integer", "description": "integer, optional"},
            "near": {
                "type": "object",
                "properties": {
                    "lat": {"type": "number", "description": "number"},
                    "lon": {"type": "number", "description": "number"},
                },
            },
            "unit": {"enum": ["C", "F"]},
            "tags": {"type": "array", "items": {"type": "string", "description": "a word"}},
        },
        "required": ["city", "near", "unit"],
    }


@pytest.mark.parametrize(
    "schema",
    [{}, {"title": "of the book"}, {"type": "object"}, {"$ref": "a.json"}, {"x-own": "a", "city": "b"}, {"a": 1}],
)
def test_what_may_be_a_json_schema_is_taken_as_one(schema: dict[str, Any]) -> None:
    assert returns.formal(schema) is schema
