"""Public reports about other engines, by their number in the project's notes: each is a claim about ours."""

import logging
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import anyio.to_thread
import pytest

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.tool import Tool
from pegboard.errors import CallFailed, UpstreamFailed
from pegboard.events import NodeTold, Noticed, RunEnded
from pegboard.pacing.holding import HOLDING
from pegboard.plan.graph import Race
from pegboard.run.engine import RunChanged
from pegboard.run.journal.row import Wish
from pegboard.run.limits.admission import Request
from pegboard.run.limits.kept import Guards
from pegboard.run.local.opening import opened_engine
from pegboard.run.node.work import MOST_TOLD
from pegboard.text import Json
from tests.pacing.virtual import VirtualClock
from tests.run.running import Arguments, endless, engine, events, failing, limited, node, request, states, tools, world


async def test_what_a_node_gave_cannot_be_changed_by_another_report_15() -> None:
    async def meddling(context: Context, arguments: Arguments) -> Result:
        arguments["list"].append("mine")  # type: ignore[union-attr]
        return Result("done", data=list(arguments["list"]))  # type: ignore[arg-type]

    asked = request(
        node("a", arguments={"list": [1]}),
        node("b", arguments={"list": "${a.list}"}, tool="meddling"),
        node("c", "b", arguments={"list": "${a.list}"}),
    )
    with anyio.fail_after(10):
        async with engine(None, tools(meddling=meddling)) as opened:
            ran = await opened.outcome(await opened.start(asked))
    assert [each.result.data for each in ran.nodes if each.result] == [{"list": [1]}, [1, "mine"], {"list": [1]}]


async def test_a_plan_of_a_request_ends_with_the_request_and_says_so(tmp_path: Path) -> None:
    started, cancelled = anyio.Event(), anyio.Event()

    async def waiting(context: Context, arguments: Arguments) -> Result:
        started.set()
        try:
            await anyio.sleep_forever()
        finally:
            cancelled.set()
        raise AssertionError

    plan: list[Json] = [{"id": "a", "tool": "waiting"}, {"id": "b", "tool": "waiting", "depends_on": ["a"]}]
    with anyio.fail_after(10):
        async with engine(tmp_path, tools(waiting=waiting)) as opened, anyio.create_task_group() as request_of_client:
            context = replace(world(tools(waiting=waiting)), within=opened.attached())
            request_of_client.start_soon(context.run, plan)
            await started.wait()
            request_of_client.cancel_scope.cancel()
            with anyio.CancelScope(shield=True):
                await cancelled.wait()
        async with engine(tmp_path, tools(waiting=waiting)) as opened:
            (listed,) = await opened.runs()
            view = await opened.show(listed.run)
    reason = "the request that it belongs to has ended"
    assert (view.status, [(node.state, node.reason) for node in view.nodes]) == (
        "cancelled",
        [("cancelled", reason)] * 2,
    )


async def test_a_follower_that_leaves_ends_nothing_report_3(tmp_path: Path) -> None:
    going = anyio.Event()

    async def waiting(context: Context, arguments: Arguments) -> Result:
        await going.wait()
        return Result("done")

    with anyio.fail_after(10):
        async with engine(tmp_path, tools(waiting=waiting)) as opened:
            run = await opened.start(request(node("a", tool="waiting"), node("b", "a")))
            with anyio.move_on_after(0.05):
                await events(opened, run)
            going.set()
            ran = await opened.outcome(run)
    assert ran.status == "succeeded"


async def test_a_fast_branch_goes_on_beside_a_slow_one_report_4() -> None:
    met = anyio.Event()

    async def until_met(context: Context, arguments: Arguments) -> Result:
        await met.wait()
        return Result("done")

    async def meet(context: Context, arguments: Arguments) -> Result:
        met.set()
        return Result("done")

    asked = request(node("slow", tool="until_met"), node("fast"), node("next", "fast", tool="meet"))
    with anyio.fail_after(10):
        async with engine(None, tools(until_met=until_met, meet=meet)) as opened:
            ran = await opened.outcome(await opened.start(asked))
    assert ran.status == "succeeded"


async def test_a_cancelled_run_leaves_no_inner_run_alive_and_tells_nothing_more_report_5(tmp_path: Path) -> None:
    working, stopped = anyio.Event(), anyio.Event()

    async def inner(context: Context, arguments: Arguments) -> Result:
        working.set()
        try:
            await anyio.sleep_forever()
        finally:
            stopped.set()
        raise AssertionError

    async def outer(context: Context, arguments: Arguments) -> Result:
        await context.run([{"id": "i", "tool": "inner"}])
        return Result("done")

    with anyio.fail_after(10):
        async with engine(tmp_path, tools(inner=inner, outer=outer)) as opened:
            run = await opened.start(request(node("a", tool="outer", type="sub_agent"), node("b", "a")))
            await working.wait()
            await opened.cancel(run, "enough")
            ran = await opened.outcome(run)
            assert stopped.is_set()
            told = await events(opened, run)
            (inside,) = (await opened.show(run)).inside
            assert (await opened.show(inside)).status == "cancelled"
            await opened.cancel(run)
            assert await events(opened, run) == told
    assert (ran.status, states(ran)) == ("cancelled", {"a": "cancelled", "b": "cancelled"})
    assert isinstance(told[-1], RunEnded)


async def test_a_node_that_ends_in_the_moment_of_the_cancelling_is_recorded_report_6(tmp_path: Path) -> None:
    asked = anyio.Event()

    async def ending(context: Context, arguments: Arguments) -> Result:
        await asked.wait()
        opened._drivers[run].happen(wish)  # heard of first, in the same moment as that this has ended
        return Result("done")

    with anyio.fail_after(10):
        async with engine(tmp_path, tools(ending=ending, endless=endless)) as opened:
            run = await opened.start(request(node("a", tool="ending"), node("b", tool="endless")))
            wish = Wish(1, run, "cancel")  # not by the journal, where the engine may find it sooner
            asked.set()
            ran = await opened.outcome(run)
    assert (ran.status, states(ran)) == ("cancelled", {"a": "succeeded", "b": "cancelled"})
    assert ran.nodes[0].result == Result("done")


async def test_a_run_succeeds_only_if_every_node_is_accounted_for_report_7() -> None:
    asked = request(node("a", tool="failing"), node("b", "a"), node("c"))
    with anyio.fail_after(10):
        async with engine(None, tools(failing=failing)) as opened:
            ran = await opened.outcome(await opened.start(asked))
    assert (ran.status, states(ran)) == ("partly", {"a": "failed", "b": "skipped", "c": "succeeded"})


async def test_a_fallback_runs_once_beside_siblings_report_8() -> None:
    calls: list[str] = []

    async def fallback(context: Context, arguments: Arguments) -> Result:
        calls.append(context.idempotency_key)
        return Result("done")

    asked = request(
        node("a", tool="failing", race="r"),
        node("b", tool="fallback", race="r"),
        node("c"),
        node("d", "r", "c"),
        races=[Race("r", in_turn=True)],
    )
    with anyio.fail_after(10):
        async with engine(None, tools(failing=failing, fallback=fallback)) as opened:
            ran = await opened.outcome(await opened.start(asked))
    assert (len(calls), ran.status) == (1, "succeeded")


async def test_the_journal_grows_with_what_nodes_give_and_large_outputs_lie_beside_it_report_9(tmp_path: Path) -> None:
    async def large(context: Context, arguments: Arguments) -> Result:
        return Result("x" * 1_000_000)

    with anyio.fail_after(20):
        async with engine(tmp_path, tools(large=large)) as opened:
            asked = request(node("a", tool="large"), *(node(f"n{i}", "a") for i in range(20)))
            runs = [await opened.start(asked) for _ in range(3)]
            ran = [await opened.outcome(run) for run in runs][-1]
            sizes = [sum(len(each.entry.output) for each in await opened.journal.entries(run)) for run in runs]
            assert ran.nodes[0].result == Result("x" * 1_000_000)
            assert len(set(sizes)) == 1
            assert sizes[0] < 2000
            blobs = list((tmp_path / "runs" / "blobs").glob("*/*"))
            assert len(blobs) == 1, "the same content is kept once"
            assert await opened.tidy(age_seconds=1000, most=1) == 2
            assert len(await opened.runs()) == 1


async def test_what_a_thread_gives_after_the_timeout_is_dropped_and_nothing_goes_on_with_it_report_10() -> None:
    release = threading.Event()

    async def stubborn(context: Context, arguments: Arguments) -> Result:
        await anyio.to_thread.run_sync(release.wait, abandon_on_cancel=True)
        return Result("late")

    hasty = limited("stubborn", stubborn, timeout_seconds=0.05)
    with anyio.fail_after(10):
        async with engine(None, [*tools(), hasty]) as opened:
            ran = await opened.outcome(await opened.start(request(node("a", tool="stubborn"), node("b", "a"))))
            release.set()
    assert states(ran) == {"a": "failed", "b": "skipped"}
    assert "timeout" in ran.nodes[0].reason


async def test_a_join_sees_all_that_it_waits_for_report_14() -> None:
    nodes = [node(f"n{i}", arguments={"n": i}) for i in range(40)]
    join = node("join", arguments={"all": [f"${{n{i}.n}}" for i in range(40)]})
    with anyio.fail_after(10):
        async with engine(None, tools()) as opened:
            ran = await opened.outcome(await opened.start(request(*nodes, join)))
    assert ran.nodes[-1].result == Result("done", data={"all": list(range(40))})


async def test_the_deadline_of_a_run_cancels_all_report_16() -> None:
    with anyio.fail_after(10):
        async with engine(None, tools(endless=endless)) as opened:
            asked = request(node("a", tool="endless"), node("b", "a"), deadline_seconds=0.05)
            ran = await opened.outcome(await opened.start(asked))
    assert states(ran) == {"a": "cancelled", "b": "cancelled"}
    assert "longer than 0.05 s" in ran.nodes[0].reason


async def test_every_kind_of_node_counts_in_a_run_and_in_the_process_report_16() -> None:
    running = most = 0
    limit, is_full = 2, anyio.Event()

    async def counted(context: Context, arguments: Arguments) -> Result:
        nonlocal running, most
        running += 1
        most = max(most, running)
        if running == limit:
            is_full.set()
        await is_full.wait()
        for _ in range(50):  # whoever else is let in comes now
            await anyio.lowlevel.checkpoint()
        running -= 1
        return Result("done")

    async def nested(context: Context, arguments: Arguments) -> Result:
        await context.run([{"id": f"i{i}", "tool": "counted"} for i in range(4)])
        return Result("done")

    asked = request(*(node(f"n{i}", tool="nested") for i in range(3)), node("c", tool="counted"), max_parallel=2)
    with anyio.fail_after(20):
        async with engine(None, tools(counted=counted, nested=nested)) as opened:
            assert (await opened.outcome(await opened.start(asked))).status == "succeeded"
            assert most == 2
        most, limit, is_full = 0, 3, anyio.Event()
        async with engine(None, tools(counted=counted, nested=nested), max_parallel=3) as opened:
            runs = [await opened.start(asked) for _ in range(3)]
            assert [(await opened.outcome(run)).status for run in runs] == ["succeeded"] * 3
    assert most == 3


async def test_a_terminal_state_stays_report_19(tmp_path: Path) -> None:
    with anyio.fail_after(10):
        async with engine(tmp_path, tools(failing=failing)) as opened:
            run = await opened.start(request(node("a", tool="failing")))
            first = await opened.outcome(run)
            await opened.resume(run)
            await opened.cancel(run)
            assert await opened.recover() == []
            assert await opened.outcome(run) == first
            assert len([event for event in await events(opened, run) if isinstance(event, RunEnded)]) == 1


async def test_a_changed_tool_under_a_stored_run_is_refused_or_what_is_the_same_is_kept_report_21(
    tmp_path: Path,
) -> None:
    calls: list[str] = []
    held = anyio.Event()

    async def noted(context: Context, arguments: Arguments) -> Result:
        calls.append(context.idempotency_key.rpartition(":")[2])
        return Result("done")

    async def stuck(context: Context, arguments: Arguments) -> Result:
        held.set()
        await anyio.sleep_forever()
        raise AssertionError

    asked = request(
        node("a", tool="noted"), node("b", "a", tool="other"), node("c", "b", tool="stuck"), node("d", tool="noted")
    )
    with anyio.fail_after(10):
        async with engine(tmp_path, tools(noted=noted, other=noted, stuck=stuck)) as opened:
            run = await opened.start(asked)
            await held.wait()
        calls.clear()
        edited = [each for each in tools(noted=noted, stuck=noted) if each.name != "other"]
        edited.append(replace(edited[0], name="other", handler="another:one", run=noted))
        async with engine(tmp_path, edited) as opened:
            with pytest.raises(RunChanged, match="b, c"):
                await opened.resume(run)
            await opened.resume(run, on_change="reuse")
            ran = await opened.outcome(run)
    assert ran.status == "succeeded"
    assert calls == ["b", "c"], "what is the same is not done again, and zero nodes is not what runs"


async def test_every_event_has_its_node_its_attempt_and_a_number_without_a_gap_report_22(tmp_path: Path) -> None:
    async def telling(context: Context, arguments: Arguments) -> Result:
        context.emit(Noticed(f"from {context.idempotency_key}"))
        await anyio.lowlevel.checkpoint()
        return Result("done")

    with anyio.fail_after(10):
        async with engine(tmp_path, tools(telling=telling)) as opened:
            run = await opened.start(request(*(node(f"n{i}", tool="telling") for i in range(20))))
            await opened.outcome(run)
            told = await events(opened, run)
            assert await events(opened, run, after=7) == told[7:]
    assert [event.seq for event in told] == list(range(1, len(told) + 1))
    notices = [event for event in told if isinstance(event, NodeTold)]
    assert {(each.node, each.told["message"]) for each in notices} == {(f"n{i}", f"from {run}:n{i}") for i in range(20)}
    assert all(event.run == run for event in told)
    assert all(event.attempt == 1 for event in told if event.node)


async def test_nested_runs_end_where_one_node_may_run_at_a_time_report_23() -> None:
    async def deeper(context: Context, arguments: Arguments) -> Result:
        left = arguments["left"]
        assert isinstance(left, int)
        if left:
            ran = await context.run([{"id": "i", "tool": "deeper", "arguments": {"left": left - 1}}])
            assert ran.status == "succeeded", ran
        return Result("done")

    asked = request(*(node(f"n{i}", tool="deeper", arguments={"left": 3}) for i in range(3)), max_parallel=1)
    with anyio.fail_after(20):
        async with engine(None, tools(deeper=deeper), max_parallel=1) as opened:
            assert (await opened.outcome(await opened.start(asked))).status == "succeeded"


async def test_who_waits_for_a_slot_does_not_time_out_report_24() -> None:
    async def brief(context: Context, arguments: Arguments) -> Result:
        await anyio.sleep(0.03)
        return Result("done")

    hasty = limited("brief", brief, timeout_seconds=0.5)
    asked = request(*(node(f"n{i}", tool="brief") for i in range(30)), max_parallel=1)
    with anyio.fail_after(20):
        async with engine(None, [*tools(), hasty]) as opened:
            assert (await opened.outcome(await opened.start(asked))).status == "succeeded"


async def test_who_blocks_in_an_async_handler_is_named_report_11(caplog: pytest.LogCaptureFixture) -> None:
    async def blocking(context: Context, arguments: Arguments) -> Result:
        time.sleep(0.3)  # noqa: ASYNC251 (that is what is told of)
        return Result("done")

    with anyio.fail_after(20), caplog.at_level(logging.WARNING):
        async with engine(None, tools(blocking=blocking)) as opened, anyio.create_task_group() as group:
            group.start_soon(HOLDING.watch)
            await anyio.wait_all_tasks_blocked()
            before = HOLDING.times
            ran = await opened.outcome(await opened.start(request(node("a", tool="blocking"))))
            while HOLDING.times == before:
                await anyio.lowlevel.checkpoint()
            group.cancel_scope.cancel()
    assert ran.status == "succeeded"
    assert any("'blocking' was being called" in record.getMessage() for record in caplog.records)


class Failing:
    """A service that fails so often, and may pass."""

    def __init__(self, times: int, after: float | None = None) -> None:
        self.calls = 0
        self._times = times
        self._after = after

    async def __call__(self, context: Context, arguments: Arguments) -> Result:
        self.calls += 1
        if self.calls <= self._times:
            raise UpstreamFailed("busy", is_retryable=True, retry_after_seconds=self._after)
        return Result("done")


def guarded(clock: VirtualClock, draw: float, *made: Tool) -> Any:
    """Return the contexts of runs whose calls are repeated by `clock`."""
    guards = Guards(clock=clock, draw=lambda: draw)
    return lambda asked: replace(world(made), request=Request(guards))


@pytest.mark.parametrize(
    ("draw", "after", "waits"),
    [
        (1.0, None, [0.5, 1.0, 2.0]),
        (0.5, None, [0.25, 0.5, 1.0]),
        (0.0, 3.0, [3.0, 3.0, 3.0]),
        (0.5, 3.0, [3.25, 3.5, 4.0]),
    ],
)
async def test_repetitions_come_when_they_are_meant_to_report_12(
    draw: float, after: float | None, waits: list[float]
) -> None:
    clock, service = VirtualClock(), Failing(3, after)
    made = limited("shaky", service, retries=3, idempotent=True)
    with anyio.fail_after(20):
        async with opened_engine(None, guarded(clock, draw, made), durability="none") as opened:
            run = await opened.start(request(node("a", tool="shaky")))
            async with anyio.create_task_group() as group:
                group.start_soon(opened.outcome, run)
                await clock.run()
            ran = await opened.outcome(run)
    assert (ran.status, service.calls, clock.slept) == ("succeeded", 4, waits)


async def test_a_cancelled_node_is_not_tried_again_report_13() -> None:
    clock, service = VirtualClock(), Failing(99)
    made = limited("shaky", service, retries=9, idempotent=True)
    with anyio.fail_after(20):
        async with opened_engine(None, guarded(clock, 1.0, made), durability="none") as opened:
            run = await opened.start(request(node("a", tool="shaky")))
            await anyio.wait_all_tasks_blocked()
            await opened.cancel(run)
            ran = await opened.outcome(run)
            await clock.run()
    assert (states(ran), service.calls) == ({"a": "cancelled"}, 1)


async def test_a_resumed_run_touches_only_what_has_not_ended_report_13(tmp_path: Path) -> None:
    calls: list[str] = []
    held, is_stuck = anyio.Event(), True

    async def noted(context: Context, arguments: Arguments) -> Result:
        calls.append(context.idempotency_key.rpartition(":")[2])
        return Result("done")

    async def breaking(context: Context, arguments: Arguments) -> Result:
        await noted(context, arguments)
        raise CallFailed("as it is meant to")

    async def stuck(context: Context, arguments: Arguments) -> Result:
        await noted(context, arguments)
        if is_stuck:
            held.set()
            await anyio.sleep_forever()
        return Result("done")

    nodes = (
        node("a", tool="noted"),
        node("b", tool="breaking"),
        node("c", "a", tool="stuck"),
        node("d", "c", tool="noted"),
    )
    made = tools(noted=noted, breaking=breaking, stuck=stuck)
    with anyio.fail_after(20):
        async with engine(tmp_path, made) as opened:
            run = await opened.start(request(*nodes, node("e", "b")))
            await held.wait()
        calls.clear()
        is_stuck = False
        async with engine(tmp_path, made) as opened:
            await opened.resume(run)
            ran = await opened.outcome(run)
    assert calls == ["c", "d"]
    assert states(ran) == {"a": "succeeded", "b": "failed", "c": "succeeded", "d": "succeeded", "e": "skipped"}


async def test_what_goes_on_in_a_run_within_is_told_with_its_own_places_report_22(tmp_path: Path) -> None:
    async def telling(context: Context, arguments: Arguments) -> Result:
        context.emit(Noticed("from the innermost"))
        return Result("done")

    async def deeper(context: Context, arguments: Arguments) -> Result:
        left = arguments["left"]
        assert isinstance(left, int)
        inner: dict[str, Json] = {"id": f"i{left}", "tool": "deeper", "arguments": {"left": left - 1}}
        await context.run([inner if left else {"id": "t", "tool": "telling"}])
        return Result("done")

    with anyio.fail_after(10):
        async with engine(tmp_path, tools(telling=telling, deeper=deeper)) as opened:
            run = await opened.start(request(node("a", tool="deeper", arguments={"left": 1})))
            await opened.outcome(run)
            told = await events(opened, run)
            (inside,) = (await opened.show(run)).inside
            (innermost,) = (await opened.show(inside)).inside
            wanted = await events(opened, innermost)
    assert [event.seq for event in told] == list(range(1, len(told) + 1))
    within = [event for event in told if isinstance(event, NodeTold)]
    assert {(event.run, event.node, event.attempt) for event in within} == {(run, "a", 1)}
    assert {str(event.told["run"]) for event in within} == {inside, innermost}
    numbers = [event.told["seq"] for event in within if event.told["run"] == innermost]
    assert numbers == [event.seq for event in wanted], "all of them, in their order"
    (notice,) = [event.told for event in within if event.told["kind"] == "node_told"]
    assert (notice["run"], notice["node"], notice["attempt"]) == (innermost, "t", 1)
    assert notice["told"] == {"kind": "noticed", "message": "from the innermost"}


async def test_of_what_is_told_within_a_node_not_more_is_written_down_than_can_be_read(tmp_path: Path) -> None:
    async def chatty(context: Context, arguments: Arguments) -> Result:
        for number in range(MOST_TOLD + 500):
            context.emit(Noticed(str(number)))
        await anyio.lowlevel.checkpoint()
        return Result("done")

    with anyio.fail_after(20):
        async with engine(tmp_path, tools(chatty=chatty)) as opened:
            run = await opened.start(request(node("a", tool="chatty")))
            await opened.outcome(run)
            told = [event for event in await events(opened, run) if isinstance(event, NodeTold)]
    assert (len(told), str(MOST_TOLD) in str(told[-1].told["message"])) == (MOST_TOLD, True)


@pytest.mark.parametrize("breaks_off", [False, True])
async def test_a_fallback_runs_once_and_stands_in_beside_failing_siblings_report_8(
    tmp_path: Path, breaks_off: bool
) -> None:
    calls: list[str] = []
    going = anyio.Event()

    async def spare(context: Context, arguments: Arguments) -> Result:
        calls.append("spare")
        return Result("done", data={"n": 1})

    async def waiting(context: Context, arguments: Arguments) -> Result:
        await going.wait()
        return Result("done", data=dict(arguments))

    asked = request(
        node("a", tool="failing", fallback="b"),
        node("b", tool="spare"),
        node("x", tool="failing"),
        node("y", "x"),
        node("c", tool="waiting", arguments={"n": "${a.n}"}),
    )
    made = tools(spare=spare, waiting=waiting, failing=failing)
    with anyio.fail_after(20):
        async with engine(tmp_path, made) as opened:
            run = await opened.start(asked)
            if not breaks_off:
                going.set()
            async for event in opened.follow(run):
                if event.kind == "node_started" and event.node == "c" and breaks_off:
                    break
        going.set()
        async with engine(tmp_path, made) as opened:
            await opened.resume(run)
            ran = await opened.outcome(run)
            told = await events(opened, run)
    assert states(ran) == {"a": "failed", "b": "succeeded", "x": "failed", "y": "skipped", "c": "succeeded"}
    assert calls == ["spare"]
    assert [each.result.data for each in ran.nodes if each.node == "c" and each.result] == [{"n": 1}]
    assert "race_won" not in {event.kind for event in told}
