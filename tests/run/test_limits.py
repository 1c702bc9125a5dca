"""The limits of a run: what it may use of models, how long it waits for approvals, how many nodes work at once."""

import re
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.catalog.contract import Context, Result
from pegboard.errors import BudgetSpent
from pegboard.events import NodeHeld
from pegboard.llm.model import Prompt
from pegboard.llm.scripted import ScriptedModel
from pegboard.llm.usage import Budget
from pegboard.run.local.opening import opened_engine
from pegboard.run.request import read_request
from pegboard.text import Json
from tests.run.running import (
    Arguments,
    echo,
    endless,
    engine,
    events,
    failing,
    limited,
    node,
    request,
    states,
    tools,
    world,
)


async def asking(context: Context, arguments: Arguments) -> Result:
    """Ask a model."""
    assert context.model is not None
    return Result((await context.model.complete(Prompt("say", "something"))).text)


async def asking_within(context: Context, arguments: Arguments) -> Result:
    """Ask a model in a run of its own."""
    ran = await context.run([{"id": "i", "tool": "asking"}])
    if ran.status != "succeeded":
        raise BudgetSpent(ran.nodes[0].reason)
    return Result("done")


async def test_a_budget_of_calls_holds_for_all_nodes_of_a_run_and_those_within(tmp_path: Path) -> None:
    model = ScriptedModel("words")
    made = tools(asking=asking, nested=asking_within)
    asked = request(
        node("a", tool="asking"),
        node("b", "a", tool="nested"),
        node("c", "b", tool="nested"),
        node("d", "b", tool="asking"),
        budget=Budget(calls=2),
    )
    with anyio.fail_after(20):
        async with opened_engine(tmp_path, lambda _: replace(world(made), model=model)) as opened:
            ran = await opened.outcome(await opened.start(asked))
    assert states(ran) == {"a": "succeeded", "b": "succeeded", "c": "failed", "d": "failed"}
    assert all("budget of 2 model calls" in each.reason for each in ran.nodes[2:])


@given(*[st.builds(Budget, *[st.none() | st.integers(0, 9)] * 3)] * 3)
def test_the_least_of_several_budgets_holds_in_whatever_order(one: Budget, two: Budget, three: Budget) -> None:
    assert one.and_at_most(two) == two.and_at_most(one)
    assert one.and_at_most(two).and_at_most(three) == one.and_at_most(two.and_at_most(three))
    held = one.and_at_most(two)
    assert (held.calls is None) == (one.calls is None and two.calls is None)
    assert held.calls is None or held.calls == min(each for each in (one.calls, two.calls) if each is not None)


def test_the_limits_of_a_run_are_kept_with_it() -> None:
    asked = request(node("a"), budget=Budget(3, 50, None), approval_seconds=7.0, deadline_seconds=9.0, max_parallel=3)
    kept = read_request(asked.to_json())
    assert (kept.budget, kept.approval_seconds, kept.deadline_seconds, kept.max_parallel) == (
        (asked.budget, asked.approval_seconds, asked.deadline_seconds, asked.max_parallel)
    )


async def test_calls_per_request_are_those_of_the_whole_run() -> None:
    async def once(context: Context, arguments: Arguments) -> Result:
        return Result("done")

    asked = request(node("a", tool="once"), node("b", "a", tool="once"))
    with anyio.fail_after(20):
        async with engine(None, [*tools(), limited("once", once, per_request=1)]) as opened:
            ran = await opened.outcome(await opened.start(asked))
    assert states(ran) == {"a": "succeeded", "b": "failed"}
    assert "may call it once" in ran.nodes[1].reason


async def test_the_time_for_an_approval_goes_on_over_a_restart(tmp_path: Path) -> None:
    made = [*tools(), limited("careful", endless, approval="always")]
    asked = request(node("a", tool="careful"), node("b", "a"), approval_seconds=0.3)
    with anyio.fail_after(20):
        async with engine(tmp_path, made) as opened:
            run = await opened.start(asked)
            async for event in opened.follow(run):
                if isinstance(event, NodeHeld):
                    break
        async with engine(tmp_path, made) as opened:
            await opened.resume(run)
            ran = await opened.outcome(run)
            held = [event for event in await events(opened, run) if isinstance(event, NodeHeld)]
    assert states(ran) == {"a": "failed", "b": "skipped"}
    assert ran.nodes[0].reason == "it was not approved"
    assert len(held) == 1, "it is held once, and its time counts from then on"


@pytest.mark.parametrize("shape", ["wide", "deep"])
async def test_a_plan_of_a_thousand_nodes_ends(shape: str) -> None:
    names = [f"n{number}" for number in range(1000)]
    waits = [()] + [(name,) if shape == "deep" else () for name in names[:-1]]
    asked = request(*(node(name, *each) for name, each in zip(names, waits, strict=True)), max_parallel=64)
    with anyio.fail_after(60):
        async with engine(None, tools()) as opened:
            ran = await opened.outcome(await opened.start(asked))
    assert (ran.status, len(ran.nodes)) == ("succeeded", 1000)


async def test_a_run_may_have_more_places_than_the_process(tmp_path: Path) -> None:
    running = most = 0

    async def counted(context: Context, arguments: Arguments) -> Result:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await anyio.lowlevel.checkpoint()
        running -= 1
        return Result("done")

    asked = request(*(node(f"n{i}", tool="counted") for i in range(20)), max_parallel=10**9)
    with anyio.fail_after(20):
        async with engine(None, tools(counted=counted), max_parallel=2) as opened:
            assert (await opened.outcome(await opened.start(asked))).status == "succeeded"
    assert most == 2


@pytest.mark.parametrize("parallel", [0, -1])
async def test_a_run_without_a_place_is_refused_and_leaves_nothing(parallel: int) -> None:
    async with engine(None, tools()) as opened:
        with pytest.raises(ValueError, match="at least one"):
            await opened.start(request(node("a"), max_parallel=parallel))
        assert await opened.runs() == []


async def test_a_result_that_is_too_large_is_said_and_one_that_is_large_lies_beside_the_journal_report_20(
    tmp_path: Path,
) -> None:
    async def large(context: Context, arguments: Arguments) -> Result:
        return Result("x" * 3_000_000)

    made = [*tools(), limited("fits", large), limited("exceeds", large, max_result_bytes=1_000_000)]
    asked = request(node("a", tool="fits"), node("b", tool="exceeds"), node("c", "b"), node("d", "a"))
    with anyio.fail_after(30):
        async with engine(tmp_path, made) as opened:
            run = await opened.start(asked)
            ran = await opened.outcome(run)
            sizes = [len(each.entry.output) for each in await opened.journal.entries(run)]
        async with engine(tmp_path, made) as opened:
            assert await opened.outcome(run) == ran, "and it is read from there"
    assert states(ran) == {"a": "succeeded", "b": "failed", "c": "skipped", "d": "succeeded"}
    assert "call.max_result" in ran.nodes[1].reason
    assert max(sizes) < 1000
    assert len(list((tmp_path / "runs" / "blobs").glob("*/*"))) == 1


async def test_a_race_within_a_fallback_is_a_run_within_it() -> None:
    async def racing(context: Context, arguments: Arguments) -> Result:
        plan: dict[str, Json] = {
            "nodes": [
                {"id": "a", "tool": "failing", "race_group": "r"},
                {"id": "b", "tool": "echo", "race_group": "r"},
                {"id": "c", "tool": "endless", "race_group": "r"},
            ]
        }
        ran = await context.run(plan)
        return Result(ran.status, data=dict(states(ran)))

    made = tools(failing=failing, endless=endless, racing=racing)
    asked = request(
        node("first", tool="failing", fallback="second"),
        node("second", tool="racing"),
        node("last", arguments={"won": "${first.b}"}),
        max_parallel=3,
    )
    with anyio.fail_after(20):
        async with engine(None, made) as opened:
            ran = await opened.outcome(await opened.start(asked))
    assert states(ran) == {"first": "failed", "second": "succeeded", "last": "succeeded"}
    assert ran.status == "succeeded"
    assert ran.nodes[1].result is not None
    assert ran.nodes[1].result.data == {"a": "failed", "b": "succeeded", "c": "lost"}
    assert ran.nodes[2].result == Result("done", data={"won": "succeeded"})


def test_each_of_the_reports_has_its_test() -> None:
    named = {
        int(number)
        for path in Path(__file__).parents[1].rglob("test_*.py")
        for name in re.findall(r"def test_\w*?_reports?_([\d_and]+)\(", path.read_text("utf-8"))
        for number in re.findall(r"\d+", name)
    }
    assert named >= set(range(1, 25))


async def test_waiting_for_an_approval_within_a_node_is_no_part_of_the_time_of_the_run() -> None:
    async def agent(context: Context, arguments: Arguments) -> Result:
        ran = await context.run([{"id": "n", "tool": "nested"}])
        return Result(ran.nodes[0].reason)

    async def nested(context: Context, arguments: Arguments) -> Result:
        ran = await context.run([{"id": "i", "tool": "careful"}])
        return Result(ran.nodes[0].reason or "done")

    made = [*tools(agent=agent, nested=nested), limited("careful", echo, approval="always")]
    with anyio.fail_after(20):
        async with engine(None, made) as opened:
            asked = request(node("a", tool="agent"), node("b", "a"), deadline_seconds=1.0, approval_seconds=1.3)
            ran = await opened.outcome(await opened.start(asked))
    assert states(ran) == {"a": "succeeded", "b": "succeeded"}


async def test_what_works_within_a_node_is_part_of_the_time_of_the_run() -> None:
    async def nested(context: Context, arguments: Arguments) -> Result:
        ran = await context.run([{"id": "i", "tool": "careful"}, {"id": "e", "tool": "endless"}])
        return Result(ran.nodes[0].reason)

    made = [*tools(nested=nested, endless=endless), limited("careful", echo, approval="always")]
    with anyio.fail_after(20):
        async with engine(None, made) as opened:
            asked = request(node("a", tool="nested"), deadline_seconds=0.05)
            ran = await opened.outcome(await opened.start(asked))
    assert states(ran) == {"a": "cancelled"}
