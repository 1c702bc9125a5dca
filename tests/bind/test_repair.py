"""What is plainly meant is made so; nothing is invented."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.bind.repair import coerce, coerced, repair
from pegboard.catalog.schema.faults import faults
from pegboard.text import Json

SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {
        "item_name": {"type": "string", "description": "the name of the item"},
        "count": {"type": "integer"},
        "price": {"type": "number"},
        "vegan": {"type": "boolean"},
        "queries": {"type": "array", "items": {"type": "string"}},
        "kind": {"enum": ["Side dish", "wine"]},
        "place": {"type": ["string", "null"]},
        "range": {"type": "object", "properties": {"low": {"type": "integer"}}},
        "either": {"anyOf": [{"type": "integer"}, {"type": "boolean"}]},
        "minutes": {"type": "integer"},
        "day": {"type": "string", "format": "date"},
        "counts": {"type": "array", "items": {"type": "integer"}},
        "tree": {"$ref": "#/$defs/Tree"},
        "both": {
            "allOf": [
                {"type": "object", "properties": {"a": {"type": "integer"}}},
                {"type": "object", "properties": {"b": {"type": "string"}}},
            ]
        },
    },
    "$defs": {
        "Tree": {
            "type": "object",
            "properties": {
                "value": {"type": "integer"},
                "inner": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
                "note": {"type": "string"},
            },
            "required": ["value"],
            "additionalProperties": False,
        }
    },
}


@pytest.mark.parametrize(
    ("name", "given_value", "meant"),
    [
        ("count", "3", 3),
        ("count", "1,200", 1200),
        ("count", 3.0, 3),
        ("count", "three", 3),
        ("count", "３", 3),
        ("count", "4 people", 4),
        ("count", "四", 4),
        ("count", "三个人", 3),
        ("count", "about 5", 5),
        ("count", "5 or 6", "5 or 6"),
        ("count", "a lot", "a lot"),
        ("count", "-2", -2),
        ("count", "3.5", "3.5"),
        ("price", "12.50", 12.5),
        ("price", "$12.50", 12.5),
        ("price", "20元", 20),
        ("price", "15%", 15),
        ("price", "abc", "abc"),
        ("minutes", "2 hours", 120),
        ("minutes", "半小时", 30),
        ("minutes", "45 minutes", 45),
        ("minutes", "45", 45),
        ("minutes", "3 kg", "3 kg"),
        ("day", "March 5, 2026", "2026-03-05"),
        ("day", "5th of March 2026", "2026-03-05"),
        ("day", "2026年3月5日", "2026-03-05"),
        ("day", "25/12/2026", "2026-12-25"),
        ("day", "4/5/2026", "4/5/2026"),
        ("day", "2026-02-30", "2026-02-30"),
        ("day", "tomorrow", "tomorrow"),
        ("vegan", "true", True),
        ("vegan", "否", False),
        ("vegan", "maybe", "maybe"),
        ("queries", "soup", ["soup"]),
        ("queries", "a starter, a main", ["a starter", "a main"]),
        ("queries", "前菜、主菜", ["前菜", "主菜"]),
        ("queries", '["soup", 3]', ["soup", "3"]),
        ("item_name", 7, "7"),
        ("item_name", ["Lasagna"], "Lasagna"),
        ("item_name", ["Lasagna", "Soup"], "Lasagna, Soup"),
        ("kind", "side_dish", "Side dish"),
        ("kind", "ＳＩＤＥ　ＤＩＳＨ", "Side dish"),
        ("kind", "a wine, please", "wine"),
        ("kind", "side dihs", "Side dish"),
        ("kind", "side dish or wine", "side dish or wine"),
        ("kind", "beer", "beer"),
        ("counts", "1, 2 and 3", [1, "2 and 3"]),
        ("counts", "1,2,3", [1, 2, 3]),
        ("tree", {"value": "2", "inner": [{"value": "3"}]}, {"value": 2, "inner": [{"value": 3}]}),
        ("both", {"a": "1", "b": 2}, {"a": 1, "b": "2"}),
        ("place", None, None),
        ("range", '{"low": "3"}', {"low": 3}),
        ("range", [1, 2], [1, 2]),
        ("either", "yes", True),
    ],
)
def test_a_value_takes_its_declared_type_where_it_can_be_read_so(name: str, given_value: Json, meant: Json) -> None:
    assert coerce({name: given_value}, SCHEMA) == {name: meant}


@pytest.mark.parametrize(
    ("arguments", "mended"),
    [
        ({"itemName": "Lasagna"}, {"item_name": "Lasagna"}),
        ({"item-name": "Lasagna", "score": 90, "reason": "fits"}, {"item_name": "Lasagna"}),
        ({"item_name": "", "count": None, "kind": "N/A"}, {}),
        ({"item_name": "the name of the item"}, {}),
        ({"item_name": "<the name of the item>"}, {}),
        ({"queries": []}, {}),
        ({"weather": "rain"}, {}),
        ({"arguments": {"count": 3}, "reason": "fits"}, {"count": 3}),
        ({"params": {"item_name": "Soup"}}, {"item_name": "Soup"}),
        ({"item": "Soup"}, {"item_name": "Soup"}),
        ({"dish": "Soup"}, {"item_name": "Soup"}),
        ({"q": "soup"}, {"queries": ["soup"]}),
        ({"item_name": "Soup", "item": "Stew"}, {"item_name": "Soup"}),
        ({"place": None}, {"place": None}),
        ({"tree": {"Value": 1, "note": None, "inner": None, "x": 3}}, {"tree": {"value": 1}}),
        ({"tree": '{"value": "1"}'}, {"tree": {"value": 1}}),
    ],
)
def test_what_models_get_wrong_is_mended(arguments: dict[str, Json], mended: dict[str, Json]) -> None:
    assert repair(arguments, SCHEMA) == mended


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@given(json_values)
def test_whatever_comes_nothing_is_raised_and_what_fits_stays(value: Json) -> None:
    for declared in SCHEMA["properties"].values():  # type: ignore[union-attr]
        assert isinstance(declared, dict)
        schema = {**declared, "$defs": SCHEMA["$defs"]}
        made = coerced(value, schema)
        if not faults(value, schema) and not {"items", "properties", "$ref", "allOf"} & schema.keys():
            assert made == value
        if not faults(value, schema):
            assert not faults(made, schema)
