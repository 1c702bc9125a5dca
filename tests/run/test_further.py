"""A run goes on with further steps, once, where some came to nothing; on every engine, whoever ends it when."""

from pathlib import Path

import anyio

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.tool import Tool
from pegboard.events import PlanExtended
from pegboard.llm.usage import Budget, Used
from pegboard.run.engine import Engine
from tests.run.opening import Opening
from tests.run.planning import Planning
from tests.run.running import Arguments, echo, events, failing, limited, node, request, states, tools

MORE = (node("c", arguments={"was": "${a.x}"}), node("d", "c"))
FAILS = (node("a", arguments={"x": 7}), node("b", "a", tool="failing"))


def failing_tools() -> list[Tool]:
    return tools(failing=failing)


async def test_what_failed_is_gone_about_in_another_way_once_and_stays_told(engine: Opening) -> None:
    planning = Planning(*MORE)
    with anyio.fail_after(30):
        async with engine(None, failing_tools(), solving=planning) as opened:
            run = await opened.start(request(*FAILS, further=True, tools=("echo",)))
            ran = await opened.outcome(run)
            told = await events(opened, run)
            view = await opened.show(run)
            asked = await opened.request(run)
    assert states(ran) == {"a": "succeeded", "b": "failed", "c": "succeeded", "d": "succeeded"}
    assert ran.status == view.status == "partly"
    assert ran.nodes[2].result == Result("done", data={"was": 7})
    assert [each.status for each in planning.asked] == ["failed"]
    assert states(planning.asked[0]) == {"a": "succeeded", "b": "failed"}
    assert planning.asked[0].nodes[0].result == Result("done", data={"x": 7})
    assert planning.tools == [("echo",)]
    extended = [event for event in told if isinstance(event, PlanExtended)]
    assert [(event.by, event.after) for event in extended] == [("twin", ("b",))]
    assert [event.seq for event in told] == list(range(1, len(told) + 1))
    assert [each.id for each in view.nodes] == [each.id for each in asked.plan.nodes] == ["a", "b", "c", "d"]
    assert [each.needs for each in view.nodes] == [(), ("a",), ("a",), ("c",)]
    assert view.used == Used(1, 100, 10)


async def test_nobody_is_asked_where_all_succeeded_or_the_run_does_not_say_so(engine: Opening) -> None:
    planning = Planning(*MORE)
    with anyio.fail_after(30):
        async with engine(None, failing_tools(), solving=planning) as opened:
            well = await opened.outcome(await opened.start(request(node("a"), further=True)))
            given = await opened.outcome(await opened.start(request(*FAILS)))
            unsaid = await opened.outcome(
                await opened.start(request(node("a", tool="failing", on_failure="fail"), node("z"), further=True))
            )
    assert (well.status, given.status, unsaid.status, planning.asked) == ("succeeded", "failed", "failed", [])


async def test_where_there_is_no_other_way_the_run_ends_as_it_would_have(engine: Opening) -> None:
    planning = Planning()
    with anyio.fail_after(30):
        async with engine(None, failing_tools(), solving=planning) as opened:
            run = await opened.start(request(*FAILS, further=True))
            ran = await opened.outcome(run)
            told = await events(opened, run)
    assert (ran.status, states(ran), len(planning.asked)) == ("failed", {"a": "succeeded", "b": "failed"}, 1)
    assert [event.kind for event in told][-2:] == ["plan_extended", "run_ended"]


async def test_further_steps_that_fail_make_a_run_no_worse_and_call_for_no_others(engine: Opening) -> None:
    planning = Planning(node("c", "a", tool="failing"))
    with anyio.fail_after(30):
        async with engine(None, failing_tools(), solving=planning) as opened:
            asked = request(node("a"), node("b", tool="failing"), further=True)
            ran = await opened.outcome(await opened.start(asked))
    assert (ran.status, states(ran)) == ("partly", {"a": "succeeded", "b": "failed", "c": "failed"})
    assert len(planning.asked) == 1


async def test_who_ends_a_run_while_further_steps_are_planned_ends_the_planning(engine: Opening) -> None:
    begun = anyio.Event()

    async def forever() -> None:
        begun.set()
        await anyio.sleep_forever()

    planning = Planning(*MORE, meanwhile=forever)
    with anyio.fail_after(30):
        async with engine(None, failing_tools(), solving=planning) as opened:
            run = await opened.start(request(*FAILS, further=True))
            await begun.wait()
            await opened.cancel(run, "enough")
            ran = await opened.outcome(run)
            view = await opened.show(run)
    assert (ran.status, view.status) == ("cancelled", "cancelled")
    assert states(ran) == {"a": "succeeded", "b": "failed"}


async def test_the_deadline_of_a_run_ends_the_planning_and_not_what_was_done(engine: Opening) -> None:
    planning = Planning(*MORE, meanwhile=anyio.sleep_forever)
    with anyio.fail_after(30):
        async with engine(None, failing_tools(), solving=planning) as opened:
            asked = request(node("a"), node("b", tool="failing"), further=True, deadline_seconds=1.0)
            ran = await opened.outcome(await opened.start(asked))
    assert (ran.status, states(ran)) == ("partly", {"a": "succeeded", "b": "failed"})


async def test_the_budget_of_a_run_bounds_further_steps_too(engine: Opening) -> None:
    planning = Planning(*MORE)
    with anyio.fail_after(30):
        async with engine(None, failing_tools(), solving=planning) as opened:
            asked = request(*FAILS, further=True, budget=Budget(calls=2), used=Used(2, 10, 10))
            run = await opened.start(asked)
            ran = await opened.outcome(run)
            extended = [event for event in await events(opened, run) if isinstance(event, PlanExtended)]
    assert (ran.status, len(planning.asked)) == ("failed", 1)
    assert ["budget of 2 model calls" in event.degraded for event in extended] == [True]


async def test_a_process_that_ends_while_further_steps_are_planned_leaves_that_to_another(
    engine: Opening, tmp_path: Path
) -> None:
    begun = anyio.Event()

    async def forever() -> None:
        begun.set()
        await anyio.sleep_forever()

    first, second = Planning(*MORE, meanwhile=forever), Planning(*MORE)
    with anyio.fail_after(60):
        async with engine(tmp_path, failing_tools(), solving=first) as opened:
            run = await opened.start(request(*FAILS, further=True))
            await begun.wait()
        async with engine(tmp_path, failing_tools(), solving=second) as opened:
            await opened.resume(run)
            ran = await opened.outcome(run)
    assert states(ran) == {"a": "succeeded", "b": "failed", "c": "succeeded", "d": "succeeded"}
    assert (len(first.asked), len(second.asked)) == (1, 1)


async def test_further_steps_that_were_written_down_are_done_by_whoever_goes_on(
    engine: Opening, tmp_path: Path
) -> None:
    """They are held for an approval when the process ends; nobody is asked again."""

    async def write(context: Context, arguments: Arguments) -> Result:
        return await echo(context, arguments)

    made = [*failing_tools(), limited("write", write, approval="always")]
    first, second = Planning(node("c", tool="write", arguments={"was": "${a.x}"}), node("d", "c")), Planning(*MORE)
    with anyio.fail_after(60):
        async with engine(tmp_path, made, solving=first) as opened:
            run = await opened.start(request(*FAILS, further=True))
            await _held(opened, run)
        async with engine(tmp_path, made, solving=second) as opened:
            assert (await opened.show(run)).approval().node == "c"
            await opened.approve(run)
            await opened.resume(run)
            ran = await opened.outcome(run)
    assert states(ran) == {"a": "succeeded", "b": "failed", "c": "succeeded", "d": "succeeded"}
    assert (len(first.asked), second.asked) == (1, [])


async def _held(opened: Engine, run: str) -> None:
    """Wait until a run waits for an approval."""
    async for event in opened.follow(run):
        if event.kind == "node_held":
            return
