"""What a model is shown of a schema that is too large for it."""

import json
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.app import check
from pegboard.bind.ask import ask
from pegboard.catalog.schema.faults import faults, valid_schema
from pegboard.handlers.openapi.schemas import Converted
from pegboard.handlers.openapi.shown import MOST_BYTES, shown
from pegboard.llm.scripted import ScriptedModel
from pegboard.text import Json, to_json
from tests.handlers.openapi.made import kind, one


def size(schema: Json) -> int:
    return len(to_json(schema).encode())


def tree(levels: int, words: int) -> dict[str, Json]:
    """Return a schema of so many levels, each of three properties, each described in so many characters."""
    if not levels:
        return {"type": "string", "description": "x" * words, "default": "y" * words}
    inner: dict[str, Json] = {f"p{number}": tree(levels - 1, words) for number in range(3)}
    return {"type": "object", "description": "x" * words, "properties": inner, "required": ["p0"]}


def arguments(properties: dict[str, Json], **more: Json) -> Converted:
    return {
        "type": "object",
        "properties": properties,
        "required": [next(iter(properties))],
        "additionalProperties": False,
        **more,
    }


def test_what_is_small_is_shown_whole() -> None:
    schema = arguments({"a": tree(2, 100)})
    assert shown(schema) is schema


def test_words_go_first_and_the_shape_stays() -> None:
    schema = arguments({"a": tree(4, 1_000), "b": {"type": "string", "description": "told"}})
    small = shown(schema, most_bytes=10_000)
    assert size(small) <= 10_000
    assert small["properties"]["b"] == {"type": "string", "description": "told"}  # type: ignore[index,call-overload]
    at: Json = small["properties"]["a"]  # type: ignore[index,call-overload]
    for _ in range(4):
        assert isinstance(at, dict)
        at = at["properties"]["p2"]  # type: ignore[index,call-overload]
    assert at == {"type": "string"}


def test_what_lies_deep_keeps_its_type_alone() -> None:
    schema = arguments({"a": tree(7, 10)})
    small = shown(schema, most_bytes=2_000)
    assert size(small) <= 2_000
    assert "p2" in to_json(small)
    assert valid_schema(small) == []


def test_a_recursive_schema_is_cut_without_end() -> None:
    node: Json = {
        "type": "object",
        "properties": {"next": {"$ref": "#/$defs/Node"}, **{f"p{n}": tree(2, 5) for n in range(30)}},
    }
    small = shown(arguments({"a": {"$ref": "#/$defs/Node"}}, **{"$defs": {"Node": node}}), most_bytes=4_000)
    assert size(small) <= 4_000
    assert valid_schema(small) == []


def test_very_many_arguments_lose_the_last_of_the_optional_ones() -> None:
    schema = arguments({f"argument_{number}": {"type": "string"} for number in range(5_000)})
    small = shown(schema, most_bytes=4_000)
    assert 3_900 < size(small) <= 4_000
    assert list(small["properties"])[:2] == ["argument_0", "argument_1"]  # type: ignore[arg-type]


@given(levels=st.integers(0, 6), words=st.integers(0, 200), most=st.integers(200, 20_000))
def test_it_fits_and_is_valid(levels: int, words: int, most: int) -> None:
    small = shown(arguments({"a": tree(levels, words), "b": tree(levels, words)}), most_bytes=most)
    assert size(small) <= most
    assert valid_schema(small) == []


def test_the_full_schema_stays_the_judge(tmp_path: Path) -> None:
    schema: Json = {"type": "object", "properties": {f"p{n}": tree(4, 200) for n in range(20)}}
    tool = kind(tmp_path, one("post", requestBody={"content": {"application/json": {"schema": schema}}}))
    assert size(dict(tool.parameters)) > MOST_BYTES >= size(dict(tool.shown))
    deep: Json = 3
    for _ in range(4):
        deep = {"p0": deep}
    assert faults({"p0": deep}, tool.parameters) != []


@pytest.mark.anyio
async def test_a_model_that_finds_arguments_is_shown_the_smaller_schema(tmp_path: Path) -> None:
    schema: Json = {"type": "object", "properties": {f"p{n}": tree(4, 200) for n in range(20)}}
    held = one("post", requestBody={"content": {"application/json": {"schema": schema}}})
    (tmp_path / "api.json").write_text(json.dumps(held))
    (tmp_path / "tools.yaml").write_text("sources: [{name: s, openapi: {document: api.json}}]\n")
    report = check(config=tmp_path, environ={})
    (tool,) = report.catalog.sites["default"].tools
    assert size(dict(tool.parameters)) > MOST_BYTES >= size(dict(tool.shown))
    assert size(dict(tool.reply)) < 200
    model = ScriptedModel('{"p3": null}')
    with anyio.fail_after(5):
        await ask(model, tool, "what?", tried={}, wrong=[], timeout_seconds=5)
    assert model.schemas == [tool.shown]
