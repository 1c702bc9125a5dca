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
    },
}


@pytest.mark.parametrize(
    ("name", "given_value", "meant"),
    [
        ("count", "3", 3),
        ("count", "1,200", 1200),
        ("count", 3.0, 3),
        ("count", "three", "three"),
        ("count", "3.5", "3.5"),
        ("price", "12.50", 12.5),
        ("price", "abc", "abc"),
        ("vegan", "true", True),
        ("vegan", "否", False),
        ("vegan", "maybe", "maybe"),
        ("queries", "soup", ["soup"]),
        ("queries", "a starter, a main", ["a starter", "a main"]),
        ("queries", "前菜、主菜", ["前菜", "主菜"]),
        ("queries", '["soup", 3]', ["soup", "3"]),
        ("item_name", 7, "7"),
        ("item_name", ["Lasagna"], "Lasagna"),
        ("kind", "side_dish", "Side dish"),
        ("kind", "beer", "beer"),
        ("place", None, None),
        ("range", '{"low": "3"}', {"low": 3}),
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
    for schema in SCHEMA["properties"].values():  # type: ignore[union-attr]
        assert isinstance(schema, dict)
        made = coerced(value, schema)
        if not faults(value, schema) and not ("items" in schema or "properties" in schema):
            assert made == value
        if not faults(value, schema):
            assert not faults(made, schema)
