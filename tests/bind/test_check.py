"""Arguments that a caller gives, and what is said of a tool that cannot take them."""

from dataclasses import replace
from typing import Any

import pytest

from pegboard.bind.check import checked, signature
from pegboard.catalog.contract import Result
from pegboard.catalog.tool import Tool
from pegboard.errors import InvalidArguments

PARAMETERS: dict[str, Any] = {
    "type": "object",
    "$defs": {"place": {"type": "object", "properties": {"city": {"type": "string"}}}},
    "properties": {
        "city": {"type": "string", "description": "full name of the city."},
        "days": {"type": "integer", "default": 3, "description": "how many"},
        "unit": {"enum": ["C", "F"]},
        "near": {"$ref": "#/$defs/place"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "either": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "any": {},
    },
    "required": ["city"],
    "additionalProperties": False,
}


async def run(context: object, arguments: object) -> Result:
    return Result("")


WEATHER = Tool(
    name="weather", type="Item", description="", examples={}, prompt="", reply={}, parameters=PARAMETERS, output=None,
    handler="x:y", run=run,
)  # fmt: skip


def test_a_signature_says_type_default_and_description_of_each_argument() -> None:
    assert signature(WEATHER) == (
        "It takes city (string): full name of the city; days (integer, optional, default 3): how many; "
        "unit (C or F, optional); near (object, optional); tags (array of string, optional); "
        "either (integer or null, optional); any (anything, optional)."
    )
    assert signature(replace(WEATHER, parameters={"type": "object"})) == "It takes no arguments."


def test_a_missing_argument_is_told_with_the_signature() -> None:
    with pytest.raises(InvalidArguments) as caught:
        checked(WEATHER, {"days": "x"})
    assert caught.value.missing == ("city",)
    assert caught.value.hint == signature(WEATHER)
    assert "Missing argument 'city': full name of the city." in caught.value.message
    assert "Argument 'days' is 'x'; wanted an integer." in caught.value.message
