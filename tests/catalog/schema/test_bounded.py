"""What is made to be slow, or to fail, is judged in time all the same."""

import pytest

from pegboard.catalog.schema.faults import faults
from pegboard.text import Json

UNIQUE: dict[str, Json] = {"type": "array", "uniqueItems": True}


@pytest.mark.parametrize("items", [[1, True], [0, False], [[1], [True]], [{"a": 1}, {"a": True}], [None, 0, ""]])
def test_what_json_schema_takes_for_different_is_unique(items: list[Json]) -> None:
    assert faults(items, UNIQUE) == []


@pytest.mark.parametrize("items", [[1, 1.0], [[1], [1.0]], [{"a": 1, "b": 2}, {"b": 2, "a": 1.0}], ["a", "b", "a"]])
def test_what_it_takes_for_equal_is_not(items: list[Json]) -> None:
    assert [fault.keyword for fault in faults(items, UNIQUE)] == ["uniqueItems"]


def test_many_objects_are_looked_at_once_each() -> None:
    assert faults([{"a": number} for number in range(30_000)], UNIQUE) == []


@pytest.mark.parametrize(
    ("value", "of", "fits"),
    [
        (10**400, 0.1, True),
        (10**400 + 1, 7, False),
        (0.3, 0.1, True),
        (0.35, 0.1, False),
        (1e308, 0.123456789, False),
        (float("inf"), 2, False),
        (float("nan"), 2, False),
        (True, 2, True),
    ],
)
def test_multiples_are_exact_and_of_any_size(value: Json, of: float, fits: bool) -> None:
    assert (faults(value, {"multipleOf": of}) == []) is fits


def test_a_schema_that_makes_many_of_few_is_given_up() -> None:
    branch: dict[str, Json] = {"type": "array", "items": {"$ref": "#/$defs/n"}}
    schema: dict[str, Json] = {
        "$defs": {"n": {"anyOf": [branch, dict(branch, minItems=0), {"type": "string"}]}},
        "$ref": "#/$defs/n",
    }
    value: Json = 1
    for _ in range(40):
        value = [value]
    (fault,) = faults(value, schema)
    assert (fault.keyword, fault.message) == ("limits", "Judging it takes more than 100,000 steps.")
