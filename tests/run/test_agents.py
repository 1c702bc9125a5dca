"""How many agents may be within each other, by the narrowest of them, wherever they work."""

from pathlib import Path

import anyio
import pytest

from pegboard.catalog.contract import Context, Result
from pegboard.errors import CallFailed, CallRefused
from pegboard.run.agents import Around, entered
from tests.run.opening import Opening
from tests.run.running import Arguments, node, request, tools


def test_the_narrowest_of_those_around_counts_and_the_inner_one_of_two_alike() -> None:
    two = entered(entered(None, "one", 3), "two", 2)
    assert two == Around("two", 1)
    assert entered(entered(None, "one", 2), "two", 4) == Around("one", 0)
    with pytest.raises(CallRefused, match="Agent 'four' was not asked: 'three' lets no more"):
        entered(entered(two, "three", 1), "four", 4)


async def inner(context: Context, arguments: Arguments) -> Result:
    """Work as an agent."""
    context.in_agent("inner", 4)
    return Result("asked")


async def outer(context: Context, arguments: Arguments) -> Result:
    """Work as an agent that lets a step of its own plan ask another."""
    ran = await context.in_agent("outer", int(str(arguments["most"]))).run([{"id": "flow", "tool": "flow"}])
    if ran.nodes[0].result is None:
        raise CallFailed(ran.nodes[0].reason)
    return ran.nodes[0].result


async def flow(context: Context, arguments: Arguments) -> Result:
    """Run a plan of one step."""
    ran = await context.run([{"id": "i", "tool": "inner"}])
    if ran.nodes[0].result is None:
        raise CallFailed(ran.nodes[0].reason)
    return ran.nodes[0].result


async def test_an_agent_that_is_reached_by_runs_within_runs_is_counted(engine: Opening, tmp_path: Path) -> None:
    made = tools(outer=outer, flow=flow, inner=inner)
    nodes = [node(f"a{most}", tool="outer", arguments={"most": most}) for most in (1, 2)]
    with anyio.fail_after(30):
        async with engine(tmp_path, made) as opened:
            ran = await opened.outcome(await opened.start(request(*nodes)))
    assert [each.state for each in ran.nodes] == ["failed", "succeeded"]
    assert "Agent 'inner' was not asked: 'outer' lets no more agents be within each other" in ran.nodes[0].reason
