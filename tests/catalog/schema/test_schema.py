"""JSON Schema as a judge: what does not fit is named, nothing is fetched, nothing is slow."""

import pytest

from pegboard.catalog.schema.faults import DEEPEST, MOST_NODES, Fault, checker, faults, valid_schema
from pegboard.catalog.schema.judge import judge_of
from pegboard.catalog.schema.linear import unusable
from pegboard.text import Json

SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {
        "item_name": {"type": "string", "description": "the item"},
        "count": {"type": "integer", "minimum": 1},
        "kind": {"enum": ["wine", "tea"]},
        "filters": {"type": "array", "items": {"type": "object", "properties": {"price": {"type": "number"}}}},
    },
    "required": ["item_name"],
    "additionalProperties": False,
}


def test_what_fits_has_no_fault() -> None:
    assert faults({"item_name": "Lasagna", "count": 2, "kind": "tea"}, SCHEMA) == []


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, "Missing argument 'item_name': the item."),
        ({"item_name": 3}, "Argument 'item_name' is 3; wanted a string."),
        ({"item_name": "x", "count": 0}, "Argument 'count' is 0; wanted 1 or more."),
        ({"item_name": "x", "kind": "beer"}, "Argument 'kind' is 'beer'; wanted one of 'wine', 'tea'."),
        ({"item_name": "x", "filters": [{"price": "a"}]}, "Argument 'filters[0].price' is 'a'; wanted a number."),
        ({"item_name": "x", "knd": "tea"}, "Unknown argument 'knd'. Did you mean 'kind'?"),
        ([], "The arguments are []; wanted an object."),
    ],
)
def test_a_fault_names_the_argument_what_was_found_and_what_was_wanted(value: Json, message: str) -> None:
    assert [fault.message for fault in faults(value, SCHEMA)] == [message]


def test_each_missing_argument_is_named_once() -> None:
    schema: dict[str, Json] = {"required": ["first", "first_name"]}
    assert [fault.missing for fault in faults({}, schema)] == ["first", "first_name"]


def test_a_value_that_is_too_deep_is_refused_before_validation() -> None:
    value: Json = {}
    for _ in range(DEEPEST * 100):
        value = {"a": value}
    assert faults(value, {}) == [
        Fault((), "limits", f"The arguments are nested too deeply: more than {DEEPEST} levels.")
    ]


def test_a_value_that_is_too_large_is_refused_before_validation() -> None:
    value: Json = [[0] * 1000] * (MOST_NODES // 1000 + 1)
    assert [fault.keyword for fault in faults(value, {})] == ["limits"]


def test_a_pattern_that_would_explode_elsewhere_is_answered_in_linear_time() -> None:
    schema: dict[str, Json] = {"properties": {"x": {"pattern": "^(a+)+$"}}}
    assert [fault.keyword for fault in faults({"x": "a" * 100_000 + "!"}, schema)] == ["pattern"]


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(", "missing ) at '('"),
        ("[z-a]", "invalid character class range at 'z-a'"),
        (
            "(?=a)",
            "invalid perl operator at '(?='; patterns run in linear time, without look-around and back-references",
        ),
        ("(?:a{1000}){9}", "invalid repetition size at '{9}'; patterns run in linear time"),
        ("[a-z]+", None),
    ],
)
def test_a_pattern_that_cannot_be_used_is_told_why(pattern: str, why: str | None) -> None:
    said = unusable(pattern)
    assert (said or "").startswith(why or "")
    assert (said is None) == (why is None)


def test_patterns_of_names_decide_what_is_additional() -> None:
    schema: dict[str, Json] = {"patternProperties": {"^x-": {"type": "string"}}, "additionalProperties": False}
    assert [fault.path for fault in faults({"x-a": "1", "x-b": 2, "y": 3}, schema)] == [("x-b",), ("y",)]


def test_a_lone_surrogate_in_a_value_is_no_error() -> None:
    assert faults({"x": "\ud800"}, {"properties": {"x": {"pattern": "^.$"}}}) == []


@pytest.mark.parametrize(
    "schema",
    [SCHEMA, {}, {"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}, {"enum": [{"type": "no type"}]}],
)
def test_a_legal_schema_has_no_problem(schema: dict[str, Json]) -> None:
    assert valid_schema(schema) == []


def test_an_older_dialect_is_judged_by_its_own_rules() -> None:
    schema: dict[str, Json] = {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}]}
    assert valid_schema(schema) == []
    assert [fault.path for fault in faults([1], schema)] == [(0,)]


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "strng"}, "type: 'strng' is not a type. Did you mean 'string'?"),
        ({"properties": {"x": {"type": ["string", "nul"]}}}, "properties.x.type"),
        ({"required": "x"}, "required: 'x' is not allowed; wanted an array."),
        ({"properties": {"x": {"pattern": "(?=a)"}}}, "properties.x: pattern '(?=a)' cannot be used"),
        ({"$ref": "https://example.com/schema"}, "leads nowhere; only parts of the same schema can be named."),
        ({"properties": {"x": {"$ref": "#/$defs/y"}}}, "properties.x: $ref '#/$defs/y' leads nowhere"),
        ({"$schema": "https://example.com/own"}, "is not a dialect that can be judged"),
    ],
)
def test_a_schema_that_cannot_be_used_says_why(schema: dict[str, Json], said: str) -> None:
    assert said in " ".join(valid_schema(schema))
    assert [fault.keyword for fault in faults({}, schema)] == ["schema"]


def test_a_schema_that_refers_to_itself_without_end_is_a_fault() -> None:
    assert [fault.keyword for fault in faults({}, {"$ref": "#"})] == ["schema"]
    a: Json = {"anyOf": [{"$ref": "#/$defs/b"}, {"type": "null"}]}
    loop: dict[str, Json] = {"$ref": "#/$defs/a", "$defs": {"a": a, "b": {"$ref": "#/$defs/a"}}}
    assert valid_schema(loop) == [
        "$defs.a.anyOf[0]: $ref '#/$defs/b' leads back to itself without end.",
        "$defs.b: $ref '#/$defs/a' leads back to itself without end.",
    ]
    tree: dict[str, Json] = {"properties": {"left": {"$ref": "#"}}}
    assert valid_schema(tree) == []


@pytest.mark.parametrize(
    ("schema", "value", "messages"),
    [
        (
            {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "x",
            ["Argument 'a' is 'x'; wanted an integer or null."],
        ),
        (
            {"anyOf": [{"type": "object", "properties": {"b": {"type": "integer"}}}, {"type": "null"}]},
            {"b": "x"},
            ["Argument 'a.b' is 'x'; wanted an integer."],
        ),
        (
            {"oneOf": [{"type": "integer"}, {"minimum": 2}]},
            3,
            ["Argument 'a' is 3; wanted a value that fits one form of its schema, and it fits several."],
        ),
        (
            {"oneOf": [False, False]},
            1,
            ["Argument 'a' is 1; wanted another value: none of the forms that its schema allows fits."],
        ),
    ],
)
def test_what_fits_no_form_is_told_by_the_form_that_was_meant(schema: Json, value: Json, messages: list[str]) -> None:
    assert [fault.message for fault in faults({"a": value}, {"properties": {"a": schema}})] == messages


def test_a_checker_is_compiled_once_for_equal_schemas() -> None:
    first: dict[str, Json] = {"properties": {"x": {"type": "string"}}}
    second = {**first}
    assert judge_of(first).validator is judge_of(second).validator
    assert [fault.pointer for fault in checker(first)({"x": 1})] == ["/x"]
    assert checker(first)({"x": "1"}) == []


def test_documents_that_are_given_may_be_referred_to_and_no_others() -> None:
    schema: dict[str, Json] = {"$ref": "http://schemas.example/place"}
    place: dict[str, Json] = {"required": ["city"]}
    assert [fault.keyword for fault in checker(schema)({})] == ["schema"]
    assert [fault.missing for fault in checker(schema, documents={"http://schemas.example/place": place})({})] == [
        "city"
    ]


def test_a_reference_is_read_from_the_identifier_that_it_stands_below() -> None:
    inner: dict[str, Json] = {"$id": "inner.json", "$ref": "#/$defs/x", "$defs": {"x": {"type": "string"}}}
    schema: dict[str, Json] = {"$id": "http://schemas.example/outer.json", "properties": {"a": inner}}
    assert valid_schema(schema) == []
    assert [fault.pointer for fault in faults({"a": 1}, schema)] == ["/a"]
    lost: dict[str, Json] = {**schema, "properties": {"a": {"$id": "inner.json", "$ref": "other.json"}}}
    assert "properties.a: $ref 'other.json' leads nowhere" in valid_schema(lost)[0]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"items": [{"type": "string"}]}, [1]),
        ({"minimum": 1, "exclusiveMinimum": True}, 1),
        ({"dependencies": {"a": ["b"]}}, {"a": 1}),
    ],
)
def test_a_schema_written_as_older_drafts_have_it_is_read_by_them(schema: dict[str, Json], value: Json) -> None:
    assert valid_schema(schema) == []
    assert len(faults(value, schema)) == 1


@pytest.mark.parametrize(
    ("items", "fits"),
    [
        ([1, True, "1", None, False, 0], True),
        ([1, 1.0], False),
        ([[1, {"a": 2, "b": 3}], [1.0, {"b": 3, "a": 2}]], False),
        ([{"a": 1}, {"a": True}], True),
        (["é", "\ud800", "None", None, "1"], True),
        ([10**400, 10**400 + 1], True),
    ],
)
def test_items_are_unique_as_json_has_it(items: list[Json], fits: bool) -> None:
    found = faults({"list": items}, {"properties": {"list": {"uniqueItems": True}}})
    assert [fault.keyword for fault in found] == ([] if fits else ["uniqueItems"])


def test_unique_objects_take_steps_that_grow_with_their_number_only() -> None:
    items: list[Json] = [{"a": [number]} for number in range(30_000)]  # by pairs: twenty minutes
    inner: dict[str, Json] = {"allOf": [{"$schema": "http://json-schema.org/draft-07/schema#", "uniqueItems": True}]}
    assert faults(items, {"uniqueItems": True}) == []
    assert faults(items, inner) == []


TREE: dict[str, Json] = {"type": "array", "items": {"$ref": "#/$defs/tree"}}


def test_a_schema_that_asks_for_steps_without_end_is_refused() -> None:
    value: Json = 1
    for _ in range(30):
        value = [value]
    found = faults(value, {"$ref": "#/$defs/tree", "$defs": {"tree": {"anyOf": [TREE, TREE]}}})
    message = "The arguments are too much to judge: their schema would look at them too often."
    assert found == [Fault((), "limits", message)]


def test_as_many_values_as_there_may_be_are_judged() -> None:
    schema: dict[str, Json] = {"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"type": "integer"}}}
    assert faults([1] * (MOST_NODES - 1), schema) == []


@pytest.mark.parametrize(
    ("number", "schema", "keywords"),
    [
        (10**400, {"multipleOf": 0.1}, []),
        (10**400, {"maximum": 1.5}, ["maximum"]),
        pytest.param(10**5000, {"maximum": 3}, ["limits"], id="digits"),
        (float("inf"), {"multipleOf": 3}, ["multipleOf"]),
        (float("nan"), {"multipleOf": 0.1, "type": "integer"}, ["multipleOf", "type"]),
        (1e308, {"multipleOf": 1e-320}, []),
        (0.3, {"multipleOf": 0.1}, []),
        (0.35, {"multipleOf": 0.1}, ["multipleOf"]),
        (True, {"multipleOf": 2}, []),
    ],
)
def test_numbers_of_any_size_are_judged(number: Json, schema: dict[str, Json], keywords: list[str]) -> None:
    assert sorted(fault.keyword for fault in faults({"n": number}, {"properties": {"n": schema}})) == keywords
