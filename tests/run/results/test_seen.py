"""What becomes of a result: the output schema and its policies, the trace, and the copy that a model sees."""

import json
from dataclasses import replace
from typing import Any, Literal

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.limits import Limits
from pegboard.catalog.schema.faults import faults
from pegboard.catalog.tool import Tool
from pegboard.errors import CallFailed
from pegboard.events import Event, Noticed, ResultGiven
from pegboard.llm.tokens import estimated
from pegboard.run.context import CallContext
from pegboard.run.outcome import Failed, Succeeded
from pegboard.run.results.compact import compact, head
from pegboard.run.results.keep import read_part
from pegboard.run.results.seen import TOKENS
from pegboard.run.results.store import MemoryResults
from pegboard.run.step import step
from pegboard.text import Json
from tests.twins import a_tool, context

COUNT: dict[str, object] = {
    "type": "object",
    "properties": {"n": {"type": "integer"}},
    "required": ["n"],
    "additionalProperties": False,
}
Policy = Literal["reject", "warn", "repair"]


def giving(value: Result | Json, *, output: dict[str, object] | None = None, policy: Policy = "reject") -> Tool:
    """Return a tool that gives `value`."""
    result = value if isinstance(value, Result) else Result(text="words", data=value)

    async def give(context: Context, arguments: object) -> Result:
        return result

    return replace(a_tool("t", give, output=output), limits=Limits(output_policy=policy))


async def stepped(tool: Tool, within: CallContext | None = None) -> Any:
    with anyio.fail_after(20):
        return await step(tool, {}, within or context())


# The output schema


async def test_a_result_that_its_schema_refuses_is_rejected_by_default() -> None:
    outcome = await stepped(giving({"n": "3"}, output=COUNT))
    assert isinstance(outcome, Failed)
    assert (outcome.kind, "'n'" in outcome.message) == ("output", True)


async def test_a_warned_result_is_given_as_it_is_and_told() -> None:
    events: list[Event] = []
    outcome = await stepped(giving({"n": "3"}, output=COUNT, policy="warn"), context(emit=events.append))
    assert outcome.result.data == {"n": "3"}
    assert [event for event in events if isinstance(event, Noticed)]


async def test_a_repaired_result_fits_and_the_trace_has_what_came() -> None:
    events: list[Event] = []
    outcome = await stepped(giving({"n": "3"}, output=COUNT, policy="repair"), context(emit=events.append))
    assert outcome.result.data == {"n": 3}
    given_ = next(event for event in events if isinstance(event, ResultGiven))
    assert (given_.data, given_.repaired, len(given_.faults)) == ({"n": "3"}, True, 1)


async def test_what_cannot_be_repaired_is_rejected() -> None:
    outcome = await stepped(giving({"m": "three"}, output=COUNT, policy="repair"))
    assert isinstance(outcome, Failed)


async def test_an_error_is_never_held_to_the_output_schema() -> None:
    async def fail(context: Context, arguments: object) -> Result:
        raise CallFailed("The till is closed.")

    outcome = await stepped(a_tool("t", fail, output=COUNT))
    assert (outcome.kind, outcome.message) == ("raised", "Tool 't' failed: The till is closed.")
    assert isinstance(await stepped(giving(Result("nothing", status="not_found"), output=COUNT)), Succeeded)


async def test_a_result_that_is_no_json_is_a_typed_failure() -> None:
    outcome = await stepped(giving(Result("x", data=object())))  # type: ignore[arg-type]  # this is what is tried
    assert (outcome.kind, "object" in outcome.message) == ("output", False)


# What a model sees


async def test_a_small_result_is_seen_whole_and_without_escapes() -> None:
    outcome = await stepped(giving({"城市": "北京", "half": "\ud83d"}))
    assert outcome.seen.text == '{"城市":"北京","half":"?"}'
    assert outcome.seen.is_whole


async def test_a_long_text_is_cut_and_the_rest_is_read_from_where_it_was_cut() -> None:
    store, text = MemoryResults(), "天气很好，sunny. " * 3_000
    within = replace(context(), store=store)
    outcome = await stepped(giving(Result(text)), within)
    seen = outcome.seen
    assert estimated(seen.text) <= TOKENS
    shown, _, note = seen.text.partition("\n[cut: ")
    assert text.startswith(shown)
    assert seen.ref in note
    offset = int(note.partition("offset=")[2].rstrip(")]"))
    assert (await within.result_part(seen.ref, offset)).text.startswith(text[len(shown) : len(shown) + 20])
    assert outcome.result.text == text


async def test_large_data_is_cut_to_valid_json_and_says_what_is_missing() -> None:
    data: Json = {"rows": [{"id": number, "note": "x" * 50} for number in range(5_000)]}
    output: dict[str, object] = {"type": "object", "properties": {"rows": {"type": "array"}}, "required": ["rows"]}
    store = MemoryResults()
    within = replace(context(), store=store)
    outcome = await stepped(giving(data, output=output), within)
    shown, _, note = outcome.seen.text.partition("\n[cut: ")
    assert json.loads(shown) == outcome.seen.data
    assert not faults(outcome.seen.data, output)  # type: ignore[arg-type]  # a schema
    assert note.startswith("rows has 5,000 entries, ")
    assert estimated(outcome.seen.text) <= TOKENS
    whole = b""
    part = read_part(store, outcome.seen.ref)
    while part.next_offset is not None:
        whole, part = whole + part.content, read_part(store, outcome.seen.ref, part.next_offset)
    assert json.loads(whole + part.content) == data


async def test_a_cut_that_its_schema_refuses_becomes_a_reference() -> None:
    data: Json = {"rows": ["x" * 50] * 5_000}
    output: dict[str, object] = {"properties": {"rows": {"minItems": 5_000}}}
    seen = (await stepped(giving(data, output=output))).seen
    assert seen.data == {"result_ref": seen.ref, "bytes": seen.bytes}
    assert seen.ref.endswith(".json")


async def test_a_result_that_is_too_large_to_be_kept_says_so() -> None:
    within = replace(context(), store=MemoryResults(10))
    seen = (await stepped(giving(Result("x" * 100_000)), within)).seen
    assert seen.ref == ""
    assert "is not kept" in seen.text
    assert "10 may be kept" in seen.text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=60,
)


@given(JSON, st.integers(min_value=1, max_value=200))
def test_what_is_made_compact_is_json_within_its_tokens(value: Json, tokens: int) -> None:
    made = compact(value, tokens)
    if made is not None:
        assert estimated(made.text) <= tokens
        assert json.loads(made.text) == made.value
        assert (made.value == value) or made.left_out


@given(st.text(), st.integers(min_value=0, max_value=50))
def test_a_head_is_the_longest_beginning_within_its_tokens(text: str, tokens: int) -> None:
    begun = head(text, tokens)
    assert text.startswith(begun)
    assert estimated(begun) <= tokens
    assert begun == text or estimated(text[: len(begun) + 1]) > tokens


@pytest.mark.parametrize("value", [[[]] * 100_000, "x" * 10_000_000, {str(n): n for n in range(200_000)}])
def test_the_largest_values_are_cut_without_being_walked_through(value: Json) -> None:
    made = compact(value, 500)
    assert made is None or estimated(made.text) <= 500
