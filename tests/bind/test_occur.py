"""What is declared to stand in the question is dropped and asked for where it does not."""

import pytest

from pegboard.bind.bind import Bound, bind
from pegboard.bind.occur import occurring, occurs
from pegboard.catalog.schema.faults import valid_schema
from pegboard.catalog.schema.returns import FROM_QUERY, properties_of
from pegboard.errors import InvalidArguments
from pegboard.llm.scripted import ScriptedModel
from pegboard.text import Json
from tests.bind.test_bind import a_tool

pytestmark = pytest.mark.anyio

ORDER: dict[str, Json] = {
    "type": "object",
    "properties": {
        "order_id": {"type": "string", "description": "the order number", FROM_QUERY: True},
        "reason": {"type": "string"},
    },
    "required": ["order_id"],
}


@pytest.mark.parametrize(
    ("value", "question"),
    [
        ("AB-1207", "where is order ab-1207?"),
        ("ab 1207", "where is order AB-1207?"),
        ("ＡＢ１２０７", "where is AB1207"),
        ("Rainy Sunday Lasagna", "how long does the RAINY  sunday lasagna take"),
        ("1200", "more than 1,200 grams"),
        (1200, "more than 1,200 grams"),
        (3, "for three people"),
        (3, "三个人吃"),
        (0.15, "15% off"),
        (-5, "is -5 degrees too cold"),
        ("通勤 22", "通勤22双肩包有货吗"),
        ("2026-03-05", "can it be here by March 5, 2026?"),
        (["soup", "stew"], "soup or stew"),
        (True, "anything"),
        (None, "anything"),
    ],
)
def test_a_value_occurs_whatever_its_case_width_or_format(value: Json, question: str) -> None:
    assert occurs(value, question)


@pytest.mark.parametrize(
    ("value", "question"),
    [
        ("AB-1208", "where is order AB-1207?"),
        ("art", "a cart for the market"),
        ("120", "more than 1200 grams"),
        (120, "more than 1200 grams"),
        ("上海", "北京天气"),
        (["soup", "pie"], "soup or stew"),
    ],
)
def test_a_piece_of_a_longer_word_or_another_value_does_not(value: Json, question: str) -> None:
    assert not occurs(value, question)


def test_a_number_may_be_said_in_another_unit_than_the_parameters() -> None:
    schema: dict[str, Json] = {"type": "integer"}
    assert occurs(120, "ready in two hours", schema, "max_minutes")
    assert not occurs(90, "ready in two hours", schema, "max_minutes")


def test_what_is_invented_is_dropped_in_lists_and_objects_too() -> None:
    schema: dict[str, Json] = {
        "type": "object",
        "properties": {
            "names": {"type": "array", "items": {"type": "string"}, FROM_QUERY: True},
            "each": {"type": "array", "items": {"type": "string", FROM_QUERY: True}},
            "who": {"$ref": "#/$defs/Person"},
            "maybe": {"anyOf": [{"type": "string", FROM_QUERY: True}, {"type": "null"}]},
            "free": {"type": "string"},
        },
        "$defs": {"Person": {"type": "object", "properties": {"name": {"type": "string", FROM_QUERY: True}}}},
    }
    given: dict[str, Json] = {
        "names": ["Ann", "Bob"],
        "each": ["Bob", "Eve"],
        "who": {"name": "Eve", "age": 3},
        "maybe": "Eve",
        "free": "Eve",
    }
    assert valid_schema(schema) == []
    assert occurring(given, schema, "a table for Ann") == {
        "names": ["Ann"],
        "each": [],
        "who": {"age": 3},
        "free": "Eve",
    }


async def test_an_invented_order_number_is_asked_for() -> None:
    tool, model = a_tool(ORDER), ScriptedModel('{"order_id": "12345", "reason": "late"}')
    with pytest.raises(InvalidArguments, match=r"^Please say: the order number\.") as caught:
        await bind(tool, "where is my order?", language="en", proposed={"order_id": "12345"}, model=model)
    assert caught.value.missing == ("order_id",)
    assert len(model.prompts) == 1
    proposed: dict[str, Json] = {"order_id": "12345"}
    assert await bind(tool, "where is 12345?", language="en", proposed=proposed) == Bound(proposed, "proposed")


async def test_an_answer_counts_as_said() -> None:
    bound = await bind(a_tool(ORDER), "where is my order?", language="en", answers=["It's AB-1207."])
    assert bound.arguments == {"order_id": "AB-1207"}


def test_the_short_form_of_returns_says_so_at_its_end() -> None:
    assert properties_of({"city": "name of the city (from query)", "days": "integer, how many (From query)"}) == {
        "city": {"type": "string", "description": "name of the city (from query)", FROM_QUERY: True},
        "days": {"type": "integer", "description": "integer, how many (From query)", FROM_QUERY: True},
    }
    assert FROM_QUERY not in str(properties_of({"query": "terms from the query to search for"}))
