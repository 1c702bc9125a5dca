"""Arguments that a caller gives, and what is said of a tool that cannot take them."""

from dataclasses import replace
from typing import Any

import pytest

from pegboard.bind.check import checked
from pegboard.catalog.contract import Result
from pegboard.catalog.limits import Limits
from pegboard.catalog.redaction import scrubbed
from pegboard.catalog.signature import signature
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


SECRET = "4929-1234-5678"
CARD: dict[str, Any] = {
    "type": "object",
    "properties": {
        "pin": {"type": "string", "pattern": "^[0-9]+$", "maxLength": 40, "contentEncoding": "x"},
        "n": {"type": "integer"},
        "keys": {"type": "object", "additionalProperties": False, "required": ["a"]},
        "list": {"type": "array", "contains": {"const": 1}},
    },
    "dependentRequired": {"n": ["pin"]},
    "minProperties": 1,
    "maxProperties": 3,
}


@pytest.mark.parametrize(
    ("arguments", "messages"),
    [
        ({"pin": SECRET}, ["Argument 'pin' does not fit; wanted text that matches '^[0-9]+$'."]),
        ({"pin": f"{SECRET}'\"\n"}, ["Argument 'pin' does not fit; wanted text that matches '^[0-9]+$'."]),
        ({"pin": [SECRET]}, ["Argument 'pin' does not fit; wanted a string."]),
        (
            {"keys": {SECRET: 1}},
            [
                "Argument 'keys' does not fit; wanted the key 'a'.",
                "Argument 'keys' does not fit; wanted no other keys than its schema names.",
            ],
        ),
        ({"list": [SECRET]}, ["Argument 'list' does not fit; wanted what 'contains' says in its schema."]),
        ({"pin": "1", "n": SECRET}, ["Argument 'n' is '4929-1234-5678'; wanted an integer."]),
    ],
)
def test_what_is_shown_nowhere_is_in_no_fault(arguments: dict[str, Any], messages: list[str]) -> None:
    limits = Limits(redact=("pin", "keys", "list"))
    with pytest.raises(InvalidArguments) as caught:
        checked(replace(WEATHER, parameters=CARD, limits=limits), arguments)
    assert sorted(fault.message for fault in caught.value.faults) == sorted(messages)
    assert all(message in caught.value.message for message in messages)
    assert "n" in arguments or all(SECRET not in fault.pointer for fault in caught.value.faults)


def test_arguments_as_a_whole_are_not_shown_where_one_of_them_is_not() -> None:
    tool = replace(WEATHER, parameters={**CARD, "maxProperties": 0}, limits=Limits(redact=("pin",)))
    with pytest.raises(InvalidArguments) as caught:
        checked(tool, {"pin": "1"})
    assert [fault.message for fault in caught.value.faults] == ["The arguments do not fit; wanted at most 0 keys."]


@pytest.mark.parametrize(
    ("value", "text", "scrubbed_text"),
    [
        (4929123456.0, "card 4929123456 no", "card *** no"),
        (4929123456, "card 4929123456.0 no", "card *** no"),
        (10**5000, "no", "no"),
        ("four thousand words", "It says: four thous…", "It says: ***…"),
        ("four\n thousand", "It says: four thousand.", "It says: ***."),
        ("\ud800abcd", "x", "x"),
        (float("inf"), "x", "x"),
    ],
    ids=range(7),
)
def test_a_value_is_scrubbed_however_it_is_written(value: Any, text: str, scrubbed_text: str) -> None:
    assert scrubbed(text, replace(WEATHER, limits=Limits(redact=("pin",))), {"pin": value}) == scrubbed_text
