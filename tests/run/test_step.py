"""One call of one tool."""

import math
from collections.abc import Mapping

import anyio
import pytest

from pegboard.catalog.contract import Context, Result
from pegboard.errors import CallFailed, InvalidArguments, UnknownTool
from pegboard.events import CallEnded, CallStarted, Event, ResultGiven
from pegboard.run.outcome import Failed, Succeeded
from pegboard.run.step import step
from pegboard.text import Json
from tests.twins import a_tool, context

Arguments = Mapping[str, Json]


async def done(context: Context, arguments: Arguments) -> Result:
    return Result(text="done", data={"n": arguments.get("n")})


async def broken(context: Context, arguments: Arguments) -> Result:
    raise ValueError("secret of the handler")


async def honest(context: Context, arguments: Arguments) -> Result:
    raise CallFailed("The till is closed.")


async def endless(context: Context, arguments: Arguments) -> Result:
    await anyio.sleep_forever()
    raise AssertionError


async def test_a_call_is_told_from_beginning_to_end() -> None:
    events: list[Event] = []
    outcome = await step(a_tool("t", done), {"n": 1}, context(emit=events.append))
    assert isinstance(outcome, Succeeded)
    assert outcome.result == Result(text="done", data={"n": 1})
    given = ResultGiven("t", "done", {"n": 1})
    assert events == [CallStarted("t"), given, CallEnded("t", None, outcome.seconds)]


async def test_a_handler_that_raises_is_a_value_and_its_internals_stay_inside() -> None:
    outcome = await step(a_tool("t", broken), {}, context())
    assert isinstance(outcome, Failed)
    assert outcome.kind == "raised"
    assert "secret" not in outcome.message
    assert "'t'" in outcome.message


async def test_an_error_of_our_own_kind_is_shown() -> None:
    outcome = await step(a_tool("t", honest), {}, context())
    assert isinstance(outcome, Failed)
    assert outcome.message == "Tool 't' failed: The till is closed."


async def test_a_call_ends_at_its_timeout() -> None:
    outcome = await step(a_tool("t", endless, timeout_seconds=0.01), {}, context())
    assert isinstance(outcome, Failed)
    assert (outcome.kind, outcome.message) == (
        "timeout",
        "Tool 't' did not answer within its timeout of 0.01 s.",
    )


async def test_an_answer_that_comes_after_the_timeout_does_not_count() -> None:
    async def stubborn(context: Context, arguments: Arguments) -> Result:
        try:
            await anyio.sleep_forever()
        except BaseException:  # noqa: BLE001 (this is what is tried)
            return Result(text="late")
        raise AssertionError

    outcome = await step(a_tool("t", stubborn, timeout_seconds=0.01), {}, context())
    assert isinstance(outcome, Failed)
    assert outcome.kind == "timeout"


async def test_a_call_ends_at_the_deadline_of_the_request() -> None:
    outcome = await step(a_tool("t", endless), {}, context(deadline=anyio.current_time() + 0.01))
    assert isinstance(outcome, Failed)
    assert "what was left of the request" in outcome.message


async def test_a_deadline_that_has_passed_is_a_timeout_too() -> None:
    outcome = await step(a_tool("t", endless), {}, context(deadline=anyio.current_time() - 1))
    assert isinstance(outcome, Failed)
    assert outcome.kind == "timeout"


async def test_cancelling_goes_through() -> None:
    with anyio.fail_after(5), anyio.move_on_after(0.01) as scope:
        await step(a_tool("t", endless, timeout_seconds=math.inf), {}, context())
    assert scope.cancelled_caught


async def test_a_result_that_its_output_schema_refuses_is_a_failure() -> None:
    tool = a_tool("t", done, output={"type": "object", "properties": {"n": {"type": "string"}}})
    outcome = await step(tool, {"n": 1}, context())
    assert isinstance(outcome, Failed)
    assert outcome.kind == "output"


async def test_a_handler_can_call_another_tool_of_its_site() -> None:
    async def outer(context: Context, arguments: Arguments) -> Result:
        return await context.call("inner", {"n": 2})

    tools = [a_tool("outer", outer), a_tool("inner", done)]
    outcome = await step(tools[0], {}, context(*tools))
    assert isinstance(outcome, Succeeded)
    assert outcome.result.data == {"n": 2}


async def test_a_tool_that_calls_itself_comes_to_an_end() -> None:
    async def itself(context: Context, arguments: Arguments) -> Result:
        return await context.call("itself", {})

    tool = a_tool("itself", itself)
    outcome = await step(tool, {}, context(tool))
    assert isinstance(outcome, Failed)
    assert "8 calls deep" in outcome.message


async def test_calls_of_unknown_tools_or_with_wrong_arguments_are_refused() -> None:
    of_call = context(a_tool("inner", done))
    with pytest.raises(UnknownTool, match="Did you mean 'inner'"):
        await of_call.call("iner", {})
    with pytest.raises(InvalidArguments):
        await of_call.call("inner", {"n": "two"})


async def test_a_handler_that_ends_the_process_has_failed_and_ends_nothing() -> None:
    async def leaving(context: Context, arguments: Arguments) -> Result:
        raise SystemExit(3)

    outcome = await step(a_tool("t", leaving), {}, context())
    assert isinstance(outcome, Failed)
    assert outcome.kind == "raised"
