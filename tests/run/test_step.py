"""One call of one tool."""

import math
from collections.abc import Mapping
from dataclasses import replace

import anyio
import pytest

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.limits import Breaking
from pegboard.catalog.tool import Run
from pegboard.config.span import Span
from pegboard.errors import CallFailed, CallRefused, Failure, InvalidArguments, UnknownTool, UpstreamFailed
from pegboard.events import CallEnded, CallStarted, Event, ResultGiven
from pegboard.run.limits.admission import Request
from pegboard.run.limits.kept import Guards
from pegboard.run.outcome import Failed, Succeeded, result_of
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


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (Result(["words"]), "`text` is no text, but list"),  # type: ignore[arg-type]
        (Result("x", items=("thing",)), "`items` holds str, and not only Hit"),  # type: ignore[arg-type]
        (Result("x", evidence=({"number": 1},)), "`evidence` holds dict, and not only Evidence"),  # type: ignore[arg-type]
    ],
)
async def test_a_result_that_is_built_wrongly_is_its_tools_failure(made: Result, told: str) -> None:
    async def wrong(context: Context, arguments: Mapping[str, Json]) -> Result:
        return made

    tool = a_tool("wrong", wrong)
    outcome = await step(tool, {}, context(tool))
    assert isinstance(outcome, Failed)
    assert told in outcome.message


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


def passing(*, is_retryable: bool = True) -> Run:
    async def run(context: Context, arguments: Arguments) -> Result:
        raise UpstreamFailed("The till cannot be reached.", is_retryable=is_retryable, retry_after_seconds=3)

    return run


async def refused(context: Context, arguments: Arguments) -> Result:
    raise CallRefused("This address is not allowed.")


@pytest.mark.parametrize(
    ("run", "who", "kind", "error"),
    [
        (broken, "tool", "raised", CallFailed),
        (honest, "tool", "raised", CallFailed),
        (passing(), "upstream", "upstream", UpstreamFailed),
        (refused, "caller", "refused", CallRefused),
    ],
)
async def test_a_failure_tells_who_failed_and_the_error_of_it_tells_the_same(
    run: Run, who: str, kind: str, error: type[CallFailed]
) -> None:
    outcome = await step(a_tool("t", run), {}, context())
    assert isinstance(outcome, Failed)
    assert (outcome.failure.who, outcome.kind) == (who, kind)
    with pytest.raises(error) as caught:
        result_of(outcome)
    assert type(caught.value) is error
    assert caught.value.failure == outcome.failure
    if isinstance(caught.value, UpstreamFailed):
        assert (caught.value.is_retryable, caught.value.retry_after_seconds) == (True, 3)


async def test_a_failure_is_named_in_the_log_by_the_id_that_the_caller_gets(caplog: pytest.LogCaptureFixture) -> None:
    outcome = await step(a_tool("t", broken), {}, context())
    assert isinstance(outcome, Failed)
    assert len(outcome.failure.correlation_id) == 16
    assert outcome.failure.correlation_id in caplog.text
    assert "secret of the handler" in caplog.text


async def test_the_failure_of_an_inner_call_keeps_its_id_and_who_failed() -> None:
    seen: list[Failure | None] = []

    async def outer(context: Context, arguments: Arguments) -> Result:
        with pytest.raises(UpstreamFailed) as caught:
            await context.call("inner", {})
        seen.append(caught.value.failure)
        raise caught.value

    inner = a_tool("inner", passing())
    outcome = await step(a_tool("outer", outer), {}, context(inner))
    assert isinstance(outcome, Failed)
    assert [outcome.failure] == seen
    assert outcome.failure.who == "upstream"


async def test_wrong_arguments_of_an_inner_call_are_not_the_callers_fault() -> None:
    async def outer(context: Context, arguments: Arguments) -> Result:
        return await context.call("inner", {"n": "two"})

    outcome = await step(a_tool("outer", outer), {}, context(a_tool("inner", done)))
    assert isinstance(outcome, Failed)
    assert (outcome.failure.who, outcome.kind) == ("tool", "raised")


async def test_a_timeout_says_which_limit_and_where_it_is_declared() -> None:
    tool = replace(a_tool("t", endless, timeout_seconds=0.01), origin={"call.timeout": Span("tools.yaml", 4, 20)})
    outcome = await step(tool, {}, context())
    assert isinstance(outcome, Failed)
    assert "(tools.yaml:4:20)" in outcome.message
    assert (outcome.failure.who, outcome.failure.limit) == ("limit", "call.timeout")
    assert outcome.failure.declared_at == "tools.yaml:4:20"


async def test_a_handler_is_told_its_own_limits() -> None:
    told: list[tuple[float, float, int]] = []

    async def telling(context: Context, arguments: Arguments) -> Result:
        told.append((context.deadline - anyio.current_time(), context.network_seconds, context.max_bytes))
        return Result(text="done")

    tool = a_tool("t", telling, timeout_seconds=7.0, network_timeout_seconds=2.0, max_result_bytes=99)
    await step(tool, {}, context())
    ((left, network, most),) = told
    assert 6 < left <= 7
    assert (network, most) == (2, 99)


# Fallbacks


async def test_a_tool_that_fails_is_stood_in_for_and_that_is_said() -> None:
    events: list[Event] = []
    first, other = a_tool("first", honest, fallback="other"), a_tool("other", done)
    outcome = await step(first, {"n": 1, "more": "x"}, context(first, other, emit=events.append))
    assert isinstance(outcome, Succeeded)
    assert (outcome.result.data, outcome.instead_of) == ({"n": 1}, "first")
    assert [event.kind for event in events] == [
        "call_started", "call_ended", "degraded", "call_started", "result_given", "call_ended",
    ]  # fmt: skip


@pytest.mark.parametrize("run", [broken, honest, passing(), endless])
async def test_whatever_the_tool_or_its_service_does_the_fallback_is_called(run: Run) -> None:
    first = a_tool("first", run, fallback="other", timeout_seconds=0.01)
    outcome = await step(first, {}, context(first, a_tool("other", done)))
    assert isinstance(outcome, Succeeded)


async def test_a_limit_that_is_reached_is_stood_in_for_too() -> None:
    first = a_tool("first", done, fallback="other", per_request=1)
    of_request = context(first, a_tool("other", done))
    outcomes = [await step(first, {}, of_request) for _ in range(2)]
    assert [outcome.instead_of for outcome in outcomes if isinstance(outcome, Succeeded)] == ["", "first"]


async def test_what_the_caller_did_wrong_no_other_tool_mends() -> None:
    first = a_tool("first", done, fallback="other", approval="always")
    outcome = await step(first, {}, context(first, a_tool("other", done)))
    assert isinstance(outcome, Failed)
    assert outcome.kind == "refused"


async def test_a_chain_of_fallbacks_ends_and_the_first_failure_is_told() -> None:
    tools = [a_tool("a", honest, fallback="b"), a_tool("b", broken, fallback="c"), a_tool("c", broken, fallback="a")]
    outcome = await step(tools[0], {}, context(*tools))
    assert isinstance(outcome, Failed)
    assert outcome.message == "Tool 'a' failed: The till is closed."


async def test_a_fallback_that_cannot_take_the_arguments_is_not_called() -> None:
    first = a_tool("first", honest, fallback="other")
    outcome = await step(first, {"n": "text"}, context(first, a_tool("other", done)))
    assert isinstance(outcome, Failed)


# What is shown nowhere


@pytest.mark.parametrize("error", [ValueError, CallFailed, UpstreamFailed])
async def test_an_argument_that_is_shown_nowhere_is_in_no_error_and_in_no_log(
    error: type[Exception], caplog: pytest.LogCaptureFixture
) -> None:
    async def telling(context: Context, arguments: Arguments) -> Result:
        raise error(f"cannot log in with {arguments['password']} and {arguments['pin']}")

    caplog.set_level("DEBUG")
    tool = a_tool("t", telling, redact=("password", "pin"))
    outcome = await step(tool, {"password": "höchst/geheim", "pin": 12, "n": 1}, context())
    assert isinstance(outcome, Failed)
    assert "with *** and ***" in caplog.text
    assert "geheim" not in outcome.message + caplog.text
    assert "and 12" not in outcome.message + caplog.text


async def test_a_fallback_hides_what_the_tool_before_it_hides(caplog: pytest.LogCaptureFixture) -> None:
    async def telling(_: Context, arguments: Arguments) -> Result:
        raise CallFailed(f"no {arguments['pin']}")

    caplog.set_level("DEBUG")
    events: list[Event] = []
    first = a_tool("first", honest, redact=("pin",), fallback="second")
    taken: dict[str, Json] = {"type": "object", "properties": {"pin": {"type": "string"}}}
    second = replace(a_tool("second", telling), parameters=taken)
    await step(first, {"pin": "4929-1234"}, context(first, second, emit=events.append))
    assert CallStarted("second") in events
    assert "4929" not in f"{events}{caplog.text}"


# Limits that last


async def test_calls_of_one_process_share_what_a_limit_remembers() -> None:
    guards = Guards()
    tool = a_tool("t", broken, breaker=Breaking(2, 30), rate="100/s")
    kinds: list[str] = []
    for _ in range(3):
        outcome = await step(tool, {}, replace(context(), request=Request(guards)))
        assert isinstance(outcome, Failed)
        kinds.append(outcome.kind)
    assert kinds == ["raised", "raised", "limit"]


async def test_a_reload_resets_nothing_of_a_tool_that_is_declared_the_same() -> None:
    guards = Guards()
    before = a_tool("t", broken, breaker=Breaking(1, 30))
    await step(before, {}, replace(context(), request=Request(guards)))
    same, other = a_tool("t", done, breaker=Breaking(1, 30)), a_tool("t", done, breaker=Breaking(2, 30))
    guards.serve([same, other])
    outcomes = [await step(tool, {}, replace(context(), request=Request(guards))) for tool in (same, other)]
    assert [type(outcome) for outcome in outcomes] == [Failed, Succeeded]
    guards.serve([])
    assert isinstance(await step(same, {}, replace(context(), request=Request(guards))), Succeeded)


async def test_cancelling_a_call_behind_all_limits_frees_everything() -> None:
    tool = a_tool(
        "t",
        endless,
        timeout_seconds=math.inf,
        read_only=True,
        retries=2,
        rate="1000/s",
        max_parallel=1,
        queue=5,
        cache_seconds=60,
        breaker=Breaking(1, 30),
    )
    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            request = Request(Guards(group))
            for _ in range(3):
                with anyio.move_on_after(0.01) as scope:
                    await step(tool, {}, replace(context(), request=request))
                assert scope.cancelled_caught
            answering = replace(tool, run=done)
            assert isinstance(await step(answering, {}, replace(context(), request=request)), Succeeded)


async def test_a_result_that_is_larger_than_its_tool_may_give_is_a_limit_and_says_so() -> None:
    async def verbose(context: Context, arguments: Arguments) -> Result:
        return Result("", data=["x" * 1000] * 20)

    tool = a_tool("t", verbose, max_result_bytes=10_000)
    outcome = await step(tool, {}, context(tool))
    assert isinstance(outcome, Failed)
    assert outcome.failure.who == "limit"
    assert outcome.message == (
        "Tool 't' gave no answer: its result has 20,061 bytes, and 10000B are allowed (call.max_result)."
    )
