"""`unevaluatedProperties`, whose patterns run in linear time too."""

from typing import Any

import pytest

from pegboard.catalog.schema.faults import faults, valid_schema

CLOSED: dict[str, Any] = {
    "$defs": {"named": {"properties": {"name": {"type": "string"}}}},
    "$ref": "#/$defs/named",
    "patternProperties": {"^x-": True},
    "anyOf": [{"properties": {"size": {"type": "integer"}}}, {"properties": {"colour": True}}],
    "if": {"required": ["kind"]},
    "then": {"properties": {"kind": True}},
    "else": {"properties": {"sort": True}},
    "dependentSchemas": {"name": {"properties": {"nick": True}}},
    "unevaluatedProperties": False,
}


@pytest.mark.parametrize(
    ("value", "refused"),
    [
        ({"name": "a", "x-1": 1, "size": 1, "colour": 1, "sort": 1, "nick": 1}, []),
        ({"kind": 1, "sort": 1}, ["sort"]),
        ({"nick": 1}, ["nick"]),
        ({"size": "large", "colour": 1}, ["size"]),
        ({"other": 1, "more": 1}, ["more", "other"]),
    ],
)
def test_keys_that_nothing_at_their_place_looks_at_are_refused_by_name(value: Any, refused: list[str]) -> None:
    assert valid_schema(CLOSED) == []
    assert [fault.path[0] for fault in faults(value, CLOSED)] == refused


def test_a_pattern_inside_is_answered_in_linear_time() -> None:
    schema: dict[str, Any] = {"allOf": [{"patternProperties": {"^(a+)+$": True}}], "unevaluatedProperties": False}
    assert len(faults({"a" * 50_000 + "!": 1}, schema)) == 1


def test_what_is_left_over_may_have_a_schema() -> None:
    schema: dict[str, Any] = {"properties": {"a": True}, "unevaluatedProperties": {"type": "integer"}}
    assert [fault.message for fault in faults({"a": "x", "b": 1, "c": "y"}, schema)] == [
        "Argument 'c' is 'y'; wanted an integer."
    ]
