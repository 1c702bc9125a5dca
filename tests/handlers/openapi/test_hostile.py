"""Documents that are made to be slow: what they cost is counted in steps, and grows no faster than they do."""

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from pegboard.catalog.invisible import hidden_in
from pegboard.handlers.openapi.arguments import arguments_of
from pegboard.handlers.openapi.naming import Names
from pegboard.handlers.openapi.parse import parse
from pegboard.handlers.openapi.plain import brief, plain
from pegboard.handlers.openapi.schemas import Schemas
from pegboard.text import Json
from tests.handlers.openapi.made import document, kind, one, parameter

SELECTORS = "".join(map(chr, range(0xE0100, 0xE01F0)))


def steps(work: Any) -> int:
    """Return how many lines run while `work` does."""
    lines = 0

    def trace(_frame: FrameType, event: str, _value: object) -> Any:
        nonlocal lines
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return lines


def test_names_that_are_all_alike_are_numbered_in_one_pass() -> None:
    def numbered() -> None:
        names = Names()
        for _ in range(1_000):
            names.argument("\u4e00", "query")

    assert steps(numbered) < 20_000


def test_a_name_is_given_once_whatever_its_number() -> None:
    names = Names()
    assert [names.unique(each) for each in ("a", "a_2", "a", "a", "a_2")] == ["a", "a_2", "a_3", "a_4", "a_2_2"]


def test_references_that_are_all_called_alike_are_numbered_in_one_pass() -> None:
    references: dict[str, Json] = {f"#/components/schemas/{chr(0x4E00 + number)}": {} for number in range(1_000)}
    schemas = Schemas(references)
    assert steps(lambda: [schemas.converted({"$ref": each}) for each in references]) < 300_000
    assert schemas.converted({"$ref": "#/components/schemas/\u4e01"}) == {"$ref": "#/$defs/part_2"}


def test_each_distinct_character_that_nobody_sees_costs_no_pass_of_its_own() -> None:
    assert plain(f"a{SELECTORS}b") == "ab"
    assert steps(lambda: plain(f"a{SELECTORS}b")) < 2 * len(SELECTORS)


def test_what_only_hides_beside_another_goes_with_it() -> None:
    assert hidden_in(plain("a\ufe0f\u200d\u0915\ufe0f\u200d\ufe0fb")) is None


def test_of_a_very_long_text_only_the_beginning_is_looked_at() -> None:
    assert brief("<b>" * 1_000_000 + "x", 10) == "…" or len(brief("<b>" * 1_000_000 + "x", 10)) <= 10
    assert brief("<p>word</p> " * 9, 10) == "word word…"


@pytest.mark.parametrize("step", ["\u00b2", "\u0661", "1" * 5_000, "-1", "7"])
def test_a_reference_to_a_place_that_no_list_has_leads_nowhere(step: str) -> None:
    told = one(parameters=[parameter(), {"$ref": f"#/paths/~1x/get/parameters/{step}"}])
    assert [each.name for each in parse(told).operations["x"].parameters] == ["color"]


def test_parameters_beyond_a_thousand_are_left_out_and_told(tmp_path: Path) -> None:
    api = parse(one(parameters=[parameter(name=f"p{number}") for number in range(1_007)]))
    assert len(api.operations["x"].parameters) == 1_000
    assert api.unknown == ("7 of 1,007 parameters of one operation.",)


def test_a_body_of_very_many_properties_is_one_argument(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {f"p{number}": {} for number in range(1_001)}}
    held = one("post", requestBody={"content": {"application/json": {"schema": schema}}})
    assert kind(tmp_path, held).parameters["properties"] == {"body": schema}


def test_arguments_that_need_very_many_components_may_be_anything() -> None:
    schemas = {f"s{number}": {"allOf": [{"$ref": f"#/components/schemas/s{number + 1}"}]} for number in range(2_100)}
    deep = parameter(name="deep", schema={"$ref": "#/components/schemas/s0"}, description="All of it.")
    held = document(
        {"/x": {"get": {"operationId": "x", "parameters": [deep, parameter(schema={"type": "string"})]}}},
        components={"schemas": schemas},
    )
    api = parse(held)
    made = arguments_of(api.operations["x"], Schemas(api.references))
    assert made.is_cut
    assert made.schema["properties"] == {"deep": {"description": "All of it."}, "color": {"type": "string"}}
    assert "$defs" not in made.schema
