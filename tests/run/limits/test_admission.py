"""Calls that may not be made at all."""

import pytest

from pegboard.catalog.tool import Tool
from pegboard.config.span import Span
from pegboard.errors import CallRefused, InvalidArguments, LimitReached
from pegboard.run.limits.admission import Request, admit
from pegboard.text import Json
from tests.run.limits.calling import nothing
from tests.twins import a_tool


def test_a_request_calls_a_tool_only_so_often() -> None:
    tool, request = a_tool("t", nothing, per_request=2), Request()
    admit(tool, {}, request)
    admit(tool, {}, request)
    with pytest.raises(LimitReached, match="a request may call it 2 times") as caught:
        admit(tool, {}, request)
    assert caught.value.failure is not None
    assert (caught.value.failure.limit, caught.value.failure.is_retryable) == ("call.per_request", False)
    admit(tool, {}, Request())
    admit(a_tool("other", nothing, per_request=1), {}, request)


def test_what_needs_approval_is_refused_with_the_way_to_it() -> None:
    tool = a_tool("pay", nothing, approval="always")
    with pytest.raises(CallRefused, match="somebody has approved it") as caught:
        admit(tool, {}, Request(approved=frozenset({"other"})))
    assert "platform call pay --yes" in caught.value.hint
    admit(tool, {}, Request(approved=frozenset({"pay"})))


@pytest.mark.parametrize(
    ("arguments", "fits"),
    [
        ({}, True),
        ({"a": "x" * 91}, True),
        ({"a": "x" * 93}, False),
        ({"a": "中" * 31}, False),
        ({"a": '"' * 47}, False),
        ({"a": [1] * 50}, False),
        ({"a": {"b": "x" * 100}}, False),
    ],
)
def test_arguments_that_are_too_large_are_refused(arguments: dict[str, Json], fits: bool) -> None:
    tool = a_tool("t", nothing, max_arguments_bytes=100)
    if fits:
        admit(tool, arguments, Request())
        return
    with pytest.raises(InvalidArguments, match="100B are allowed"):
        admit(tool, arguments, Request())


def test_the_place_of_a_limit_is_told() -> None:
    bare = a_tool("t", nothing, per_request=1)
    tool = Tool(**{**{name: getattr(bare, name) for name in Tool.__dataclass_fields__}, "origin": ORIGIN})
    request = Request()
    admit(tool, {}, request)
    with pytest.raises(LimitReached, match=r"\(call.per_request, tools.yaml:3:9\)") as caught:
        admit(tool, {}, request)
    assert caught.value.failure is not None
    assert caught.value.failure.declared_at == "tools.yaml:3:9"


ORIGIN = {"call.per_request": Span("tools.yaml", 3, 9)}
