"""Tools that a block of their declaration makes."""

import json
from pathlib import Path

import pytest

from pegboard.catalog.tool import Tool
from tests.catalog.conftest import Check

TRANSLATE = """\
tools:
  - name: translate
    description: Translates a text.
    ask: {template: "Translate into {language}: {text}"}
"""


def told_and_made(check: Check, text: str) -> tuple[list[str], Tool | None]:
    report = check(tools=text)
    told = [
        f"{problem.span.line}:{problem.span.column} {problem.code} {problem.message}" for problem in report.problems
    ]
    return told, report.catalog.sites["default"].get("translate")


def test_a_block_makes_a_tool_whose_arguments_it_knows(checked: Check) -> None:
    told, tool = told_and_made(checked, TRANSLATE)
    assert told == []
    assert tool is not None
    assert (tool.handler, tool.read_only) == ("pegboard.handlers.prompt:prompt", True)
    assert tool.parameters["required"] == ["language", "text"]


def test_what_the_declaration_says_goes_first(checked: Check) -> None:
    declared = "    parameters: {type: object, properties: {text: {type: string}, language: {enum: [fr, de]}}}\n"
    told, tool = told_and_made(checked, f"{TRANSLATE}{declared}    read_only: false\n")
    assert told == []
    assert tool is not None
    assert tool.read_only is False
    assert tool.parameters["properties"] == {"text": {"type": "string"}, "language": {"enum": ["fr", "de"]}}


def test_a_site_changes_a_field_of_an_inherited_tool_that_a_block_makes(checked: Check) -> None:
    site = "sites:\n  - {name: default, tools: [{name: translate, description: Translates it well.}]}\n"
    told, tool = told_and_made(checked, TRANSLATE + site)
    assert told == []
    assert tool is not None
    assert tool.description == "Translates it well."
    assert tool.kind is not None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('ask: {template: ""}', "4:21 PB410 tool 'translate' asks its model nothing"),
        (
            "handler: pegboard.handlers.prompt:prompt",
            "4:14 PB411 tool 'translate' names pegboard.handlers.prompt:prompt, and has no block `ask`",
        ),
        (
            'ask: {template: "x"}\n    handler: pegboard.handlers.clock:clock',
            "4:5 PB411 tool 'translate' has the block `ask`, and its handler is pegboard.handlers.clock:clock",
        ),
    ],
)
def test_a_block_that_cannot_work_is_told_at_its_place(text: str, told: str, checked: Check) -> None:
    head = "tools:\n  - name: translate\n    description: Translates a text.\n    "
    assert told_and_made(checked, f"{head}{text}\n") == ([told], None)


def test_a_source_that_is_missing_or_of_another_kind_is_told(checked: Check) -> None:
    text = """\
sources:
  - {name: orders, http: {base_url: "https://api.shop.example"}}
  - {name: nothing}
tools:
  - {name: translate, description: Translates., sql: {source: orders, statement: SELECT 1}}
  - {name: other, description: Else., sql: {source: order, statement: SELECT 1}}
"""
    told, _ = told_and_made(checked, text)
    assert [each.split(" ", 2)[:2] for each in told] == [["3:5", "PB231"], ["5:63", "PB230"], ["6:53", "PB230"]]


def test_a_tool_that_a_source_offers_is_changed_by_declaring_one_of_its_name(checked: Check, tmp_path: Path) -> None:
    operation = {"get": {"operationId": "getPet", "summary": "A pet.", "responses": {"200": {"description": "it"}}}}
    document = {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/pet": operation}}
    (tmp_path / "pets.json").write_text(json.dumps(document), "utf-8")
    report = checked(
        tools="""\
sources:
  - {name: pets, prefix: pets_, openapi: {document: pets.json, base_url: "https://pets.example"}}
tools:
  - {name: pets_getPet, description: Shows the pet., examples: [who is it?]}
"""
    )
    assert [problem.code for problem in report.problems] == []
    (tool,) = report.catalog.sites["default"].tools
    assert (tool.name, tool.description, tool.questions) == ("pets_getPet", "Shows the pet.", ("who is it?",))
    assert tool.handler == "pegboard.handlers.openapi:operation"
