"""A projection is what a provider accepts; what it cannot say the full schema still judges."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.catalog.schema.faults import faults, valid_schema
from pegboard.llm.projection import DEEPEST, MOST_NODES, Provider, projected
from pegboard.llm.restore import restored
from pegboard.text import Json

PROVIDERS: tuple[Provider, ...] = ("strict", "subset")
STRICT_KEYS = {"type", "properties", "required", "additionalProperties", "items", "enum", "anyOf", "$ref", "$defs",
               "description"}  # fmt: skip
SUBSET_KEYS = {"type", "properties", "required", "items", "enum", "anyOf", "nullable", "description", "minimum",
               "maximum", "minItems", "maxItems"}  # fmt: skip


def an_object(required: Any = None, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, **({"required": [*required]} if required else {})}


def parts_of(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield every schema in a projection."""
    yield schema
    held = [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values(), *schema.get("anyOf", [])]
    for below in [*held, *([schema["items"]] if "items" in schema else [])]:
        yield from parts_of(below)


def levels(schema: Any) -> int:
    below = [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]
    inner = max((levels(one) for one in schema.get("anyOf", [])), default=0)
    return max(inner, 1 + max(map(levels, below)) if below else 0)


def check_accepted(schema: Mapping[str, Any], provider: Provider) -> None:
    """Say no where the provider would."""
    for part in parts_of(schema):
        if provider == "subset":
            assert part.keys() <= SUBSET_KEYS
            assert isinstance(part.get("type", ""), str)
            assert all(isinstance(value, str) for value in part.get("enum", []))
            assert set(part.get("required", [])) <= part.get("properties", {}).keys()
            continue
        assert part.keys() <= STRICT_KEYS
        assert "type" in part or "anyOf" in part or "$ref" in part
        if part.get("type") in ("object", ["object", "null"]):
            assert part["additionalProperties"] is False
            assert part["required"] == list(part["properties"])
        if part.get("$ref", "#") != "#":
            assert part["$ref"].removeprefix("#/$defs/") in schema["$defs"]


TREE: dict[str, Json] = {
    **an_object(["root"], root={"$ref": "#/$defs/Node"}),
    "$defs": {"Node": an_object(["value"], value={"type": "number"}, inner={"$ref": "#/$defs/List"}),
              "List": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
              "Unused": {"type": "string"}},
}  # fmt: skip


def test_strict_closes_every_object_and_makes_the_optional_nullable() -> None:
    inner = an_object(
        ["a"], a={"type": "string", "format": "date", "pattern": "x"}, b={"type": "integer", "default": 5}
    )
    schema: dict[str, Json] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Arguments",
        **an_object(["inner"], inner=inner, kind={"enum": ["x", "y"]}, ref={"$ref": "#/$defs/Of"}),
        "$defs": {"Of": {"type": "string"}},
    }
    assert projected(schema, "strict") == {
        "type": "object",
        "properties": {
            "inner": {
                "type": "object",
                "properties": {
                    "a": {"type": "string", "description": '(format "date"; pattern "x")'},
                    "b": {"type": ["integer", "null"], "description": "(default 5)"},
                },
                "required": ["a", "b"],
                "additionalProperties": False,
            },
            "kind": {"type": ["string", "null"], "enum": ["x", "y", None]},
            "ref": {"anyOf": [{"$ref": "#/$defs/Of"}, {"type": "null"}]},
        },
        "required": ["inner", "kind", "ref"],
        "additionalProperties": False,
        "$defs": {"Of": {"type": "string"}},
    }


def test_strict_keeps_recursion_and_the_definitions_that_are_reached_and_no_other() -> None:
    made = projected(TREE, "strict")
    definitions: Any = made["$defs"]
    assert list(definitions) == ["Node", "List"]
    check_accepted(made, "strict")


def test_a_subset_writes_recursion_out_to_a_bounded_depth() -> None:
    made = projected(TREE, "subset")
    check_accepted(made, "subset")
    assert levels(made) <= DEEPEST + 1
    value: Json = {"root": {"value": 1, "inner": [{"value": 2, "inner": [{"value": 3, "inner": '[{"value": 4}]'}]}]}}
    assert faults(restored(value, TREE), TREE) == []


def test_a_subset_has_one_type_and_only_texts_are_enumerated() -> None:
    schema = an_object(["level"], level={"enum": [1, 2]}, word={"type": ["string", "null"]}, both={"const": "x"})
    assert projected(schema, "subset") == {
        "type": "object",
        "properties": {
            "level": {"type": "integer", "description": "(one of [1,2])"},
            "word": {"type": "string", "nullable": True},
            "both": {"type": "string", "enum": ["x"]},
        },
        "required": ["level"],
    }


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    "below",
    [
        {"type": "object", "additionalProperties": {"type": "string"}},
        {"type": "object"},
        {"type": "object", "patternProperties": {"^x": {"type": "string"}}},
    ],
)
def test_a_map_with_free_keys_is_asked_for_as_json_text(provider: Provider, below: dict[str, Json]) -> None:
    schema = an_object(["labels"], labels=below)
    made = projected(schema, provider)
    assert made["properties"] == {"labels": {"type": "string", "description": "JSON text of an object."}}
    assert restored({"labels": '{"xa": "b"}'}, schema) == {"labels": {"xa": "b"}}


def test_what_stands_beside_a_reference_holds_as_well() -> None:
    base = an_object(["a"], a={"type": "string"})
    schema = {
        **an_object(["x"], x={"$ref": "#/$defs/Base", **an_object(["b"], b={"type": "integer"})}),
        "$defs": {"Base": base},
    }
    made: Any = projected(schema, "strict")
    assert list(made["properties"]["x"]["properties"]) == ["b", "a"]


def test_allof_is_one_schema_and_oneof_one_of_several() -> None:
    both = {
        "allOf": [an_object(["a"], a={"type": "number"}), an_object(["b"], a={"type": "integer"}, b={"type": "string"})]
    }
    either = {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
    made: Any = projected(an_object(["both", "either"], both=both, either=either), "strict")
    assert made["properties"]["both"]["properties"] == {"a": {"type": "integer"}, "b": {"type": "string"}}
    assert made["properties"]["either"] == {
        "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]
    }


def test_alternatives_at_the_root_become_one_object() -> None:
    schema: dict[str, Json] = {"anyOf": [an_object(["a", "c"], a={"type": "string"}, c={"type": "string"}),
                                         an_object(["b", "c"], b={"type": "integer"}, c={"type": "string"})]}  # fmt: skip
    made: Any = projected(schema, "strict")
    assert {name: below["type"] for name, below in made["properties"].items()} == {
        "a": ["string", "null"], "c": "string", "b": ["integer", "null"],
    }  # fmt: skip
    assert restored({"a": "x", "b": None, "c": "y"}, schema) == {"a": "x", "c": "y"}


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        an_object(x={"$ref": "#/nowhere"}, y={"$ref": "https://elsewhere.example/a"}, z={"$ref": 3}),
        {"$ref": "#/$defs/A", "$defs": {"A": {"allOf": [{"$ref": "#/$defs/B"}]}, "B": {"anyOf": [{"$ref": "#/$defs/A"}]}}},
        {"$defs": {f"D{n}": {"anyOf": [{"$ref": f"#/$defs/D{n + 1}"}] * 3} for n in range(40)}, **an_object(x={"$ref": "#/$defs/D0"})},
        {"$defs": {f"D{n}": an_object(**{f"p{k}": {"$ref": f"#/$defs/D{n + 1}"} for k in range(9)}) for n in range(40)},
         **an_object(x={"$ref": "#/$defs/D0"})},
        an_object(**{f"p{n}": an_object(a={"enum": list(range(50))}) for n in range(3 * MOST_NODES)}),
        {"type": "nonsense", "properties": [], "required": "x", "enum": {}, "anyOf": 3, "items": 7},
        an_object(a=True, b=False, c={}, d=None, e=[1]),
    ],
)  # fmt: skip
def test_whatever_the_schema_its_projection_is_small_and_its_own(provider: Provider, schema: dict[str, Json]) -> None:
    made = projected(schema, provider)
    check_accepted(made, provider)
    assert sum(1 for _ in parts_of(made)) <= 3 * MOST_NODES
    assert projected(made, provider) == made


@pytest.mark.parametrize("provider", PROVIDERS)
def test_ten_thousand_levels_are_no_trouble(provider: Provider) -> None:
    deep: dict[str, Json] = {"type": "string"}
    value: Json = "x"
    for _ in range(10_000):
        deep, value = an_object(a=deep), {"a": value}
    check_accepted(projected(deep, provider), provider)
    assert restored(value, deep) is not None


def test_a_null_stays_where_the_schema_itself_names_it() -> None:
    nullable: dict[str, Json] = {"anyOf": [{"type": "string"}, {"type": "null"}]}
    schema = an_object(["must"], must={"type": "string"}, may=nullable, of={"$ref": "#/$defs/Of"}, plain={"type": "string"},
                       filled={**nullable, "default": "x"})  # fmt: skip
    schema["$defs"] = {"Of": {"type": ["integer", "null"]}}
    nulls: dict[str, Json] = dict.fromkeys(("must", "may", "of", "plain", "filled"))
    assert restored(nulls, schema) == {"must": None, "may": None, "of": None}


def test_the_alternative_that_was_meant_is_restored() -> None:
    one = an_object(["kind"], kind={"const": "a"}, x={"type": "integer"}, n={"type": "string"})
    other = an_object(["kind"], kind={"const": "b"}, n={"type": ["string", "null"]})
    schema = an_object(["value"], value={"anyOf": [one, other]})
    assert restored({"value": {"kind": "b", "n": None}}, schema) == {"value": {"kind": "b", "n": None}}
    assert restored({"value": {"kind": "a", "x": None, "n": None}}, schema) == {"value": {"kind": "a"}}


names = st.sampled_from(["a", "b", "c", "d e"])
leaves = st.sampled_from(
    [
        {"type": "string"}, {"type": "string", "minLength": 2}, {"type": "string", "format": "date"},
        {"type": "string", "pattern": "^[a-z]+$"}, {"type": "integer", "minimum": 1}, {"type": "number", "maximum": 9},
        {"type": "boolean"}, {"type": "null"}, {"enum": ["x", "y", 3, None]}, {"const": "k"}, {},
        {"type": ["string", "null"]}, {"type": ["integer", "boolean"], "default": 1}, {"$ref": "#"},
        {"$ref": "#/$defs/D"}, {"$ref": "#/$defs/E", "description": "see there"}, True, {"type": "object"},
        {"type": "object", "additionalProperties": {"type": "integer"}},
    ]
)  # fmt: skip


def objects_of(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Json]]:
    return st.builds(
        lambda properties, required, extra: {
            "type": "object",
            "properties": properties,
            "required": sorted(required & properties.keys()),
            **extra,
        },
        st.dictionaries(names, inner, max_size=4),
        st.sets(names),
        st.sampled_from([{}, {"additionalProperties": False}, {"additionalProperties": {"type": "string"}}]),
    )


schemas = st.recursive(
    leaves,
    lambda inner: (
        objects_of(inner)
        | st.builds(lambda items: {"type": "array", "items": items, "minItems": 1}, inner)
        | st.builds(lambda key, some: {key: some}, st.sampled_from(["anyOf", "oneOf", "allOf"]), st.lists(inner, min_size=1, max_size=3))
    ),
    max_leaves=10,
)  # fmt: skip
roots = st.builds(lambda root, d, e: {**root, "$defs": {"D": d, "E": e}}, objects_of(schemas), schemas, schemas)


@st.composite
def values(draw: st.DrawFn, schema: Any, root: Any, depth: int = 0) -> Any:
    """Draw a value that a projection allows; where it goes on without end, whatever comes."""
    if "$ref" in schema:
        schema = root if schema["$ref"] == "#" else root["$defs"][schema["$ref"].removeprefix("#/$defs/")]
        depth += 1
    if schema.get("nullable") and draw(st.booleans()):
        return None
    if "anyOf" in schema:
        return draw(values(draw(st.sampled_from(schema["anyOf"])), root, depth))
    if "enum" in schema:
        return draw(st.sampled_from(schema["enum"]))
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    kind = "null" if depth > 5 and "null" in kinds else draw(st.sampled_from(kinds))
    if kind == "object":
        left_out = [
            name for name in schema["properties"] if name not in schema.get("required", []) and draw(st.booleans())
        ]
        held = {name: below for name, below in schema["properties"].items() if name not in left_out}
        return {name: None if depth > 8 else draw(values(below, root, depth + 1)) for name, below in held.items()}
    if kind == "array":
        least = 0 if depth > 5 else schema.get("minItems", 0)
        return [draw(values(schema["items"], root, depth + 1)) for _ in range(draw(st.integers(least, max(least, 1))))]
    return draw(_SIMPLE[kind])


_SIMPLE: dict[str, st.SearchStrategy[Any]] = {
    "null": st.none(),
    "boolean": st.booleans(),
    "integer": st.integers(-5, 20),
    "number": st.integers(-5, 20) | st.floats(-5, 20),
    "string": st.sampled_from(["", "x", "word", '{"a": 1}', "[]", "2026-01-01"]),
}


@given(roots, st.sampled_from(PROVIDERS))
def test_the_projection_of_any_schema_is_accepted_valid_and_its_own(
    schema: dict[str, Json], provider: Provider
) -> None:
    made = projected(schema, provider)
    check_accepted(made, provider)
    assert valid_schema(made) == []
    assert projected(made, provider) == made


@given(st.data(), roots, st.sampled_from(PROVIDERS))
def test_what_a_projection_allows_fits_the_full_schema_or_is_reported_by_it(
    data: st.DataObject, schema: dict[str, Json], provider: Provider
) -> None:
    made = projected(schema, provider)
    value = data.draw(values(made, made))
    undone = restored(value, schema)
    assert restored(undone, schema) == undone
    for fault in faults(undone, schema):
        assert fault.message


@given(st.data(), objects_of(st.sampled_from([{"type": "string"}, {"type": "integer"}, {"enum": ["x", "y"]}])))
def test_a_schema_that_projections_can_say_whole_is_fulfilled_by_whatever_they_allow(
    data: st.DataObject, schema: dict[str, Json]
) -> None:
    for provider in PROVIDERS:
        made = projected(schema, provider)
        assert faults(restored(data.draw(values(made, made)), schema), schema) == []


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5),
                    lambda inner: st.lists(inner, max_size=3)
                    | st.dictionaries(st.sampled_from(["type", "properties", "anyOf", "allOf", "$ref", "enum", "items",
                                                       "required", "const", "default", "#", "x"]), inner, max_size=4)))  # fmt: skip
def test_nothing_is_raised_by_what_is_no_schema(schema: Any) -> None:
    if isinstance(schema, dict):
        for provider in PROVIDERS:
            restored(schema, projected(schema, provider))
            restored({"x": None, "type": [None]}, schema)
