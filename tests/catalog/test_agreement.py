"""Whether what is declared of an argument can be what the handler takes."""

from typing import Any

import pytest

from pegboard.catalog.schema.agreement import disagreement
from tests.catalog.conftest import OWN, Check


@pytest.mark.parametrize(
    ("declared", "taken", "said"),
    [
        ({"type": "string"}, {"type": "integer"}, ("a string", "an integer")),
        ({"type": "integer"}, {"type": "number"}, None),
        ({"type": "number"}, {"type": "integer"}, None),
        ({"type": ["string", "null"]}, {"type": "integer"}, ("a string", "an integer")),
        ({"anyOf": [{"type": "string"}, {"type": "array"}]}, {"type": "array"}, None),
        ({"enum": ["a"]}, {"type": "integer"}, ("a string", "an integer")),
        ({"const": 2.0}, {"type": "integer"}, None),
        ({}, {"type": "integer"}, None),
        (True, {"type": "integer"}, None),
        ({"$ref": "#/$defs/a"}, {"type": "integer"}, None),
    ],
)
def test_types_that_no_value_can_have_both_of_disagree(declared: Any, taken: Any, said: object) -> None:
    assert disagreement(declared, taken) == said


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ("parameters: {properties: {left: {type: string}, right: {}}}", (5, 37)),
        ("returns: {score: integer, left: boolean, right: number}", (5, 37)),
    ],
)
def test_a_declared_type_that_the_annotation_rules_out_is_found_at_its_place(
    checked: Check, fields: str, place: tuple[int, int]
) -> None:
    text = f"tools:\n  - name: sum\n    description: Adds.\n    handler: {OWN}:add\n    {fields}\n"
    report = checked(tools=text)
    assert [(each.code, each.span.line, each.span.column) for each in report.problems] == [("PB405", *place)]
    assert f"and {OWN}:add takes" in report.problems[0].message


def test_a_text_that_says_no_type_leaves_it_to_the_handler(checked: Check) -> None:
    returns = "{score: integer between 0 and 100, left: how much, right: number}"
    report = checked(tools=f"tools: [{{name: sum, description: A., handler: '{OWN}:add', returns: {returns}}}]\n")
    tool = report.catalog.sites["default"].tool("sum")
    properties: Any = tool.parameters["properties"]
    assert report.ok
    assert properties["left"] == {"type": "number", "description": "how much"}
    assert tool.reply["properties"]["left"] == properties["left"]  # type: ignore[index, call-overload]


def test_a_tool_without_description_has_the_first_sentence_of_its_handler(checked: Check) -> None:
    report = checked(tools=f"tools: [{{name: book, handler: '{OWN}_types:everything'}}]\n")
    tool = report.catalog.sites["default"].tool("book")
    assert [problem.code for problem in report.problems] == []
    assert tool.description == "Book a table, e.g. for two."
    assert "Place" in tool.parameters["$defs"]  # type: ignore[operator]


def test_parameters_and_output_may_be_texts_and_take_their_types_from_the_handler(checked: Check) -> None:
    text = f"""\
tools:
  - name: greet
    description: Greets.
    handler: {OWN}:greet
    parameters: {{name: whom to greet, times: how often}}
    output: {{words: what is said}}
"""
    report = checked(tools=text)
    tool = report.catalog.sites["default"].tool("greet")
    assert report.problems == ()
    assert tool.parameters == {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "whom to greet"},
            "times": {"type": "integer", "default": 1, "description": "how often"},
        },
        "required": ["name"],
        "additionalProperties": False,
    }
    assert tool.output is not None
    assert tool.output["required"] == ["words"]


def test_a_mistake_in_a_short_form_is_found_at_its_place(checked: Check) -> None:
    text = f"tools:\n  - name: greet\n    description: G.\n    handler: {OWN}:greet\n    parameters: %s\n"
    for short, found in {
        "{name: whom, tims: how often}": ("PB405", 5, 30),
        "{name: whom, times: boolean}": ("PB405", 5, 37),
        "{name: {type: string, pattern: '('}}": ("PB301", 5, 48),
    }.items():
        problems = checked(tools=text % short).problems
        assert [(each.code, each.span.line, each.span.column) for each in problems] == [found]
