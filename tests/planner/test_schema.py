"""The schema that a model is held to when it plans: each tool's own arguments, or a reference; it is bounded."""

from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from pegboard.llm.projection import projected
from pegboard.planner.reading.read import read
from pegboard.planner.schema import reply_schema
from pegboard.text import Json, to_json
from tests.planner.tools import TOOLS, tool
from tests.twins import a_toolset

TAKEN: dict[str, Json] = {
    "of": {"type": "string"},
    "most": {"type": "integer"},
    "how": {"type": "string", "enum": ["fast", "well"]},
    "within": {"type": "array", "items": {"type": "string"}},
}
COUNTING = replace(tool("count"), parameters={"type": "object", "properties": TAKEN, "required": ["of"]})
SITE = a_toolset(*TOOLS.tools, COUNTING)


def plan(**arguments: Json) -> dict[str, Any]:
    return {"steps": [{"id": "n2", "type": "tool", "tool": "count", "arguments": arguments, "depends_on": []}]}


@pytest.mark.parametrize(
    ("arguments", "fits"),
    [
        ({"of": "soup"}, True),
        ({"of": "${n1.items[0].name}", "most": "${n1.value}", "within": "${n1.items[*].name}"}, True),
        ({"of": "soup", "most": 3, "how": "well", "within": ["a"]}, True),
        ({"most": 3}, False),
        ({"of": "soup", "how": "slowly"}, False),
        ({"of": "soup", "other": 1}, False),
        ({"properties": {"of": {"type": "string"}}}, False),
    ],
)
def test_a_step_has_the_arguments_of_its_tool_or_references(arguments: dict[str, Json], fits: bool) -> None:
    validator = jsonschema.Draft202012Validator(reply_schema(SITE.tools))
    assert validator.is_valid(plan(**arguments)) is fits


def test_arguments_as_text_and_tools_that_are_not_there_do_not_fit() -> None:
    validator = jsonschema.Draft202012Validator(reply_schema(SITE.tools))
    (step,) = plan(of="soup")["steps"]
    assert not validator.is_valid({"steps": [step | {"arguments": '{"of": "soup"}'}]})
    assert not validator.is_valid({"steps": [step | {"tool": "cuont"}]})
    assert not validator.is_valid({"steps": [step | {"type": "sub_agent"}]})
    agent = {"id": "n1", "type": "sub_agent", "tool": "writer", "arguments": {"goal": "a report"}}
    assert validator.is_valid({"steps": [agent]})


def test_endpoints_that_want_every_property_give_null_for_what_is_left_out_and_that_is_nothing() -> None:
    strict = jsonschema.Draft202012Validator(projected(reply_schema(SITE.tools), "strict"))
    (step,) = plan(of="soup", most=None, how=None, within=None)["steps"]
    given = {"steps": [step | {"race_group": None, "when": None}]}
    assert strict.is_valid(given)
    found = read(to_json(given), SITE)
    assert (found.faults, found.plan.nodes[0].arguments) == ((), {"of": "soup"})


@pytest.mark.parametrize("provider", ["strict", "subset"])
def test_whatever_is_declared_the_schema_is_bounded(provider: Any) -> None:
    many = [tool(f"tool_{place}", *[f"argument_{each}" for each in range(60)]) for place in range(32)]
    assert len(to_json(projected(reply_schema(many), provider))) < 20_000
    assert reply_schema([])["required"] == ["steps"]
