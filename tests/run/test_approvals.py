"""Approvals are seen and given wherever in a run they are waited for; on every engine."""

from collections.abc import Sequence
from pathlib import Path

import anyio
import pytest

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.tool import Tool
from pegboard.run.engine import Engine, RunView
from pegboard.run.held import NotHeld
from tests.run.opening import Opening
from tests.run.running import Arguments, limited, node, request, tools
from tests.run.running import engine as local_engine


async def agent(context: Context, arguments: Arguments) -> Result:
    """Do what it has been given, with its tools."""
    ran = await context.run([{"id": f"i{n}", "tool": "write", "arguments": {"n": n}} for n in range(2)])
    return Result("done", data={"n": sum(end.state == "succeeded" for end in ran.nodes)})


async def careful(context: Context, arguments: Arguments) -> Result:
    """Do one thing that needs an approval, and one that does not."""
    await context.run([{"id": "w", "tool": "write", "arguments": {"to": "disk"}}, {"id": "e", "tool": "echo"}])
    return Result("done")


@pytest.fixture
def made() -> Sequence[Tool]:
    async def writing(context: Context, arguments: Arguments) -> Result:
        return Result("written")

    return [*tools(agent=agent, careful=careful), limited("write", writing, approval="always")]


async def _waiting(opened: Engine, run: str, count: int) -> RunView:
    """Return how a run stands as soon as it waits for so many approvals."""
    while True:
        view = await opened.show(run)
        if len(view.approvals) == count:
            return view
        await anyio.sleep(0.02)


async def _held(opened: Engine, run: str, count: int) -> RunView:
    """Return how a run stands as soon as it waits for so many approvals, and for nothing else."""
    while True:
        view = await _waiting(opened, run, count)
        if view.is_held:
            return view
        await anyio.sleep(0.02)


async def test_what_waits_within_a_node_is_seen_from_outside_and_approved_there_after_a_restart(
    engine: Opening, made: Sequence[Tool], tmp_path: Path
) -> None:
    asked = request(node("a", tool="careful"), node("b"))
    with anyio.fail_after(30):
        async with engine(tmp_path, made) as opened:
            run = await opened.start(asked)
            view = await _held(opened, run, 1)
            (only,) = view.approvals
            assert (only.node, only.tool, only.arguments) == ("w", "write", {"to": "disk"})
            assert only.run in view.inside
            assert {each.id: each.state for each in view.nodes} == {"a": "running", "b": "succeeded"}
            (listed,) = [each for each in await opened.runs() if each.run == run]
            assert (listed.is_held, listed.approvals, listed.nodes) == (True, (only,), ())
            assert view.to_json()["approvals"] == [only.to_json()]
        async with engine(tmp_path, made) as opened:
            assert (await opened.show(run)).approvals == (only,)
            assert await opened.approve(run, "a") == only
            await opened.resume(run)
            ran = await opened.outcome(run)
            view = await opened.show(run)
    assert (ran.status, view.approvals, view.is_held) == ("succeeded", (), False)


async def test_where_several_wait_one_is_named(engine: Opening, made: Sequence[Tool]) -> None:
    asked = request(node("a", tool="agent"), node("w", tool="write"))
    with anyio.fail_after(30):
        async with engine(None, made) as opened:
            run = await opened.start(asked)
            view = await _held(opened, run, 3)
            own, first, second = view.approvals
            assert (own.run, own.node) == (run, "w")
            for place, count in (("", 3), ("a", 2)):
                with pytest.raises(NotHeld, match=f"{count} approvals are waited for") as refused:
                    await opened.approve(run, place)
                assert all(
                    f"platform runs approve {each.run} {each.node}" in refused.value.hint for each in (first, second)
                )
            with pytest.raises(NotHeld, match=r"'b' of run .* no such node"):
                await opened.approve(run, "b")
            assert await opened.approve(run, "w") == own
            assert await opened.approve(first.run, first.node) == first
            await _held(opened, run, 1)
            assert await opened.approve(run, granted=False) == second
            ran = await opened.outcome(run)
            with pytest.raises(NotHeld, match="waits for no approval"):
                await opened.approve(run)
    given = {end.node: end.result.data for end in ran.nodes if end.result is not None}
    assert given["a"] == {"n": 1}


async def test_a_run_of_which_something_still_works_is_not_held(engine: Opening, made: Sequence[Tool]) -> None:
    is_over = anyio.Event()

    async def working(context: Context, arguments: Arguments) -> Result:
        await is_over.wait()
        return Result("done")

    with anyio.fail_after(30):
        async with engine(None, [*made, *tools(working=working)]) as opened:
            run = await opened.start(request(node("a", tool="careful"), node("b", tool="working")))
            assert not (await _waiting(opened, run, 1)).is_held
            is_over.set()
            await _held(opened, run, 1)
            await opened.cancel(run)
            await opened.outcome(run)
            assert (await opened.show(run)).approvals == ()


@pytest.mark.parametrize("first", [True, False])
async def test_whoever_decides_otherwise_than_somebody_before_is_told_so(
    made: Sequence[Tool], tmp_path: Path, first: bool
) -> None:
    """Here: Temporal takes what is wished without an answer, and the first counts."""
    results: list[bool] = []

    async def decide(opened: Engine, run: str, granted: bool) -> None:
        try:
            await opened.approve(run, "w", granted)
        except NotHeld:
            return
        results.append(granted)

    with anyio.fail_after(30):
        async with local_engine(tmp_path, made) as opened:
            run = await opened.start(request(node("w", tool="write")))
            await _held(opened, run, 1)
            async with anyio.create_task_group() as group:
                for granted in (first, not first, first, not first):
                    group.start_soon(decide, opened, run, granted)
            ran = await opened.outcome(run)
    assert set(results) == {ran.nodes[0].state == "succeeded"}, "nobody is told that it is as he wished who lost"
