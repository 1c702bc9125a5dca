"""What the time of a run ends keeps what was done until then; on every engine."""

import anyio

from pegboard.catalog.contract import Context, Result
from pegboard.text import Json
from tests.run.opening import Opening
from tests.run.running import Arguments, endless, node, request, states, tools

PLAN: list[Json] = [{"id": "e", "tool": "echo", "arguments": {"x": 7}}, {"id": "z", "tool": "endless"}]


async def gathering(context: Context, arguments: Arguments) -> Result:
    """Let tools work nearly as long as there is time, and give what they gave."""
    seconds = context.seconds_left() / 2
    ran = await context.run(PLAN, seconds=seconds)
    given: list[Json] = [end.result.data for end in ran.nodes if end.result is not None]
    return Result(ran.nodes[1].reason, data={**states(ran), "status": ran.status, "given": given})


async def test_a_node_knows_the_time_of_its_run_and_gives_what_it_has_before_that_is_over(engine: Opening) -> None:
    asked = request(node("a", tool="gathering"), node("b", "a", tool="endless"), deadline_seconds=3.0)
    with anyio.fail_after(40):
        async with engine(None, tools(gathering=gathering, endless=endless)) as opened:
            ran = await opened.outcome(await opened.start(asked))
    assert (ran.status, states(ran)) == ("cancelled", {"a": "succeeded", "b": "cancelled"})
    first = ran.nodes[0].result
    assert first is not None
    assert first.data == {"e": "succeeded", "z": "cancelled", "status": "cancelled", "given": [{"x": 7}]}
    assert "the run took longer than" in first.text


async def test_a_run_without_a_deadline_leaves_its_nodes_all_time(engine: Opening) -> None:
    async def asking(context: Context, arguments: Arguments) -> Result:
        return Result(str(context.seconds_left()))

    with anyio.fail_after(40):
        async with engine(None, tools(asking=asking)) as opened:
            ran = await opened.outcome(await opened.start(request(node("a", tool="asking"))))
    assert ran.nodes[0].result == Result("inf")
