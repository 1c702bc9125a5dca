"""The arguments of a native function call are read with the same defence as any other reply."""

import pytest

from pegboard.errors import ModelMalformed
from pegboard.llm.model import FunctionCall
from pegboard.llm.wire import read_called
from pegboard.text import Json


def called(arguments: Json) -> tuple[FunctionCall, ...]:
    function: Json = {"name": "search", "arguments": arguments}
    message: Json = {"content": None, "tool_calls": [{"id": "c1", "function": function}]}
    return read_called({"choices": [{"message": message}]}, where="the endpoint").calls


@pytest.mark.parametrize(
    "arguments",
    [
        '{"query": "soup"}',
        {"query": "soup"},
        '"{\\"query\\": \\"soup\\"}"',
        '[{"query": "soup"}]',
        "{'query': 'soup'}",
        '{"query": "soup"',
        '```json\n{"query": "soup"}\n```',
    ],
)
def test_arguments_are_read_in_every_shape(arguments: Json) -> None:
    assert called(arguments) == (FunctionCall("search", {"query": "soup"}, "c1"),)


@pytest.mark.parametrize("arguments", ["", " ", None, {}, "{}"])
def test_no_arguments_are_an_empty_object(arguments: Json) -> None:
    assert called(arguments) == (FunctionCall("search", {}, "c1"),)


def test_what_holds_no_object_is_malformed_and_kept() -> None:
    with pytest.raises(ModelMalformed, match="'search' are no JSON object") as caught:
        called('["soup"]')
    assert caught.value.raw == '["soup"]'
