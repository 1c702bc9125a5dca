import pytest

from pegboard.llm.shapes import Shaped, shaped, steps
from pegboard.text import Json

CITY: dict[str, Json] = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


def test_the_outermost_of_those_that_fit_alike_is_taken() -> None:
    value: Json = {"city": "Paris", "result": {"city": "Rome", "days": 1, "hours": 2}}
    assert shaped(value, CITY) == Shaped(value)


def test_fewer_unknown_names_speak_for_what_is_wrapped() -> None:
    schema: dict[str, Json] = {"type": "object", "properties": {"city": {"type": "string"}, "name": {}}}
    value: Json = {"name": "get_weather", "arguments": {"city": "Paris"}}
    assert shaped(value, schema) == Shaped({"city": "Paris"}, ("arguments",))


def test_a_name_that_the_schema_knows_is_no_wrapper() -> None:
    schema: dict[str, Json] = {"type": "object", "properties": {"input": {"type": "object"}}}
    assert shaped({"input": {"a": 1}}, schema) == Shaped({"input": {"a": 1}})


def test_any_of_several_schemas_will_do() -> None:
    schema: dict[str, Json] = {"anyOf": [{"type": "null"}, CITY]}
    assert shaped([{"city": "Paris"}], schema) == Shaped({"city": "Paris"}, (0,))


@pytest.mark.parametrize(
    ("value", "kind", "fits"),
    [
        (1, "integer", True),
        (1.5, "number", True),
        (True, "integer", False),
        (True, "boolean", True),
        (None, "null", True),
        ("a", "string", True),
        ([], "array", True),
        ([], "object", False),
        (1, "of another world", True),
    ],
)
def test_the_type_is_looked_at(value: Json, kind: str, fits: bool) -> None:
    assert shaped(value, {"type": kind}).fits is fits


def test_what_is_buried_too_deep_is_not_looked_for() -> None:
    value: Json = {"city": "Paris"}
    for _ in range(5):
        value = {"result": value}
    assert shaped(value, CITY) == Shaped(value, fits=False)


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (
            [{"id": "n1", "type": "tool", "tool": "search", "params": {"a": 1}, "depends_on": ["n0"]}],
            [{"id": "n1", "type": "tool", "tool": "search", "arguments": {"a": 1}, "depends_on": ["n0"]}],
        ),
        ([{"tool": "clock"}], [{"tool": "clock", "arguments": {}}]),
        ([{"tool": "clock", "arguments": None}], [{"tool": "clock", "arguments": {}}]),
        ([{"task": "talk", "arguments": ["a.jpg"]}], [{"tool": "talk", "arguments": ["a.jpg"]}]),
        ([{"tool": "clock"}, {"id": "n2"}], [{"tool": "clock", "arguments": {}}, {"id": "n2"}]),
        ([[{"tool": "clock"}]], [{"tool": "clock", "arguments": {}}]),
        ('[{"tool": "clock"}]', [{"tool": "clock", "arguments": {}}]),
        ({"task_steps": ["first"], "task_nodes": [{"task": "clock"}]}, [{"tool": "clock", "arguments": {}}]),
        ({"nodes": ["a"], "tasks": [{"tool": "clock"}]}, [{"tool": "clock", "arguments": {}}]),
        ([{"tool": "clock"}, "and then"], []),
        ([{"id": "n2"}], []),
        ({"score": 88}, []),
        (88, []),
        ("{", []),
    ],
)
def test_steps_come_under_the_names_of_our_own(value: Json, wanted: list[Json]) -> None:
    assert steps(value) == wanted
