"""What a node records of its work, so that it is not done again when the node is."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import anyio
import pytest

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.tool import Tool
from pegboard.events import NodeNoted
from pegboard.text import Json
from tests.run.opening import Opening
from tests.run.running import Arguments, events, limited, node, request, states, tools, world

LARGE = "x" * 200_000


class Agent:
    """A tool that does its work in recorded turns; it hangs before the turn `stuck_before`."""

    def __init__(self, stuck_before: int = 99) -> None:
        self.done: list[str] = []
        self.stuck = anyio.Event()
        self.stuck_before = stuck_before

    async def __call__(self, context: Context, arguments: Arguments) -> Result:
        said: list[Json] = []
        for turn in range(3):
            if turn == self.stuck_before:
                self.stuck.set()
                await anyio.sleep_forever()
            said.append(await context.recorded(f"turn {turn}", partial(self._turn, context, turn)))
        return Result("done", data=said)

    async def _turn(self, context: Context, turn: int) -> Json:
        self.done.append(f"{context.idempotency_key.rpartition(':')[2]} {turn}")
        return {"turn": turn, "large": LARGE if turn == 1 else ""}


WHOLE: list[Json] = [{"turn": 0, "large": ""}, {"turn": 1, "large": LARGE}, {"turn": 2, "large": ""}]


async def test_a_node_that_is_done_again_gets_what_it_has_recorded(engine: Opening, tmp_path: Path) -> None:
    agent = Agent(stuck_before=2)
    with anyio.fail_after(20):
        async with engine(tmp_path, tools(agent=agent)) as opened:
            run = await opened.start(request(node("a", tool="agent")))
            await agent.stuck.wait()
        assert len(list((tmp_path / "runs").glob("*/??/*"))) == 1, "what is large lies beside"
        agent.stuck_before = 99
        async with engine(tmp_path, tools(agent=agent)) as opened:
            await opened.resume(run)
            ran = await opened.outcome(run)
            told = await events(opened, run)
    assert agent.done == ["a 0", "a 1", "a 2"]
    assert ran.nodes[0].result == Result("done", data=WHOLE)
    noted = [event for event in told if isinstance(event, NodeNoted)]
    assert [(each.node, each.attempt, each.name) for each in noted] == [
        ("a", 1, "turn 0"), ("a", 1, "turn 1"), ("a", 2, "turn 2"),
    ]  # fmt: skip
    assert [event.seq for event in told] == list(range(1, len(told) + 1))


async def test_what_is_recorded_is_written_down_before_anybody_gets_it(engine: Opening, tmp_path: Path) -> None:
    found: list[tuple[str, int, str]] = []

    async def looking(context: Context, arguments: Arguments) -> Result:
        await context.recorded("one", lambda: _value(1))
        run = context.idempotency_key.partition(":")[0]
        async for event in opened.follow(run):
            if isinstance(event, NodeNoted):
                found.append((event.node, event.attempt, event.name))
                break
        return Result("done")

    with anyio.fail_after(20):
        async with engine(tmp_path, tools(looking=looking)) as opened:
            await opened.outcome(await opened.start(request(node("a", tool="looking"))))
    assert found == [("a", 1, "one")]


async def _value(value: Json) -> Json:
    return value


async def test_calls_within_a_node_record_each_for_itself_and_find_their_own_again(
    engine: Opening, tmp_path: Path
) -> None:
    agent = Agent(stuck_before=2)

    async def outer(context: Context, arguments: Arguments) -> Result:
        first = await context.recorded("turn 0", lambda: _value("mine"))
        given = [await context.call("agent", {"n": number}) for number in (1, 1, 2)]
        return Result(str(first), data=[each.data for each in given])

    made = tools(agent=agent, outer=outer)
    with anyio.fail_after(20):
        async with engine(tmp_path, made) as opened:
            run = await opened.start(request(node("a", tool="outer")))
            await agent.stuck.wait()
        agent.stuck_before = 99
        async with engine(tmp_path, made) as opened:
            await opened.resume(run)
            ran = await opened.outcome(run)
    assert ran.nodes[0].result == Result("mine", data=[WHOLE] * 3)
    assert agent.done == [*(["a 0", "a 1", "a 2"] * 3)], "three calls of three turns, each once"


async def test_the_node_of_a_run_within_a_node_records_in_that_run(engine: Opening, tmp_path: Path) -> None:
    agent = Agent(stuck_before=1)

    async def outer(context: Context, arguments: Arguments) -> Result:
        ran = await context.run([{"id": "i", "tool": "agent"}])
        return Result(ran.status)

    made = tools(agent=agent, outer=outer)
    with anyio.fail_after(20):
        async with engine(tmp_path, made) as opened:
            run = await opened.start(request(node("a", tool="outer")))
            await agent.stuck.wait()
        agent.stuck_before = 99
        async with engine(tmp_path, made, is_recovering=True) as opened:
            ran = await opened.outcome(run)
            (inside,) = (await opened.show(run)).inside
            where = [event.run for event in await events(opened, inside) if event.kind == "node_noted"]
    assert (ran.nodes[0].result, agent.done) == (Result("succeeded"), ["i 0", "i 1", "i 2"])
    assert where == [inside] * 3


async def test_outside_of_a_run_work_is_simply_done() -> None:
    agent = Agent()
    (made,) = [each for each in tools(agent=agent) if each.name == "agent"]
    context = world([made])
    for _ in range(2):
        assert (await context.call("agent", {})).data == WHOLE
    assert await context.recorded("one", lambda: _value([1])) == [1]
    assert agent.done == [" 0", " 1", " 2"] * 2


async def test_the_first_record_of_a_name_wins_and_all_get_it(engine: Opening) -> None:
    got: list[Json] = []

    async def twice(context: Context, arguments: Arguments) -> Result:
        async def one(value: str, wait: anyio.Event, then: anyio.Event) -> None:
            async def work() -> Json:
                await wait.wait()
                return value

            got.append(await context.recorded("it", work))
            then.set()

        go, first = anyio.Event(), anyio.Event()
        async with anyio.create_task_group() as group:
            group.start_soon(one, "second", first, anyio.Event())
            group.start_soon(one, "first", go, first)
            go.set()
        got.append(await context.recorded("it", lambda: _value("third")))
        return Result("done")

    with anyio.fail_after(10):
        async with engine(None, tools(twice=twice)) as opened:
            await opened.outcome(await opened.start(request(node("a", tool="twice"))))
    assert got == ["first"] * 3


async def test_what_is_given_is_a_copy_as_it_will_be_given_again(engine: Opening) -> None:
    got: list[Json] = []

    async def meddling(context: Context, arguments: Arguments) -> Result:
        for _ in range(2):
            value = await context.recorded("it", lambda: _value({"list": (1, 2)}))  # type: ignore[dict-item]
            assert isinstance(value, dict)
            got.append(dict(value))
            value["list"] = "mine"
        return Result("done")

    with anyio.fail_after(10):
        async with engine(None, tools(meddling=meddling)) as opened:
            ran = await opened.outcome(await opened.start(request(node("a", tool="meddling"))))
    assert (states(ran), got) == ({"a": "succeeded"}, [{"list": [1, 2]}] * 2)


async def test_work_that_fails_or_gives_no_json_records_nothing_and_can_be_done_again(engine: Opening) -> None:
    tries = 0

    async def trying(context: Context, arguments: Arguments) -> Result:
        async def work() -> Json:
            nonlocal tries
            tries += 1
            if tries == 1:
                raise ValueError("not yet")
            return object() if tries == 2 else tries  # type: ignore[return-value]

        with pytest.raises(ValueError, match="not yet"):
            await context.recorded("it", work)
        with pytest.raises(Exception, match="'it' is no JSON"):
            await context.recorded("it", work)
        return Result(str(await context.recorded("it", work)))

    with anyio.fail_after(10):
        async with engine(None, tools(trying=trying)) as opened:
            ran = await opened.outcome(await opened.start(request(node("a", tool="trying"))))
    assert ran.nodes[0].result == Result("3")


async def test_a_node_whose_tool_was_changed_starts_anew_without_its_notes(engine: Opening, tmp_path: Path) -> None:
    agent, other = Agent(stuck_before=2), Agent(stuck_before=1)

    def made(handler: str) -> list[Tool]:
        each, kept = limited("agent", agent), limited("other", other)
        return [replace(each, handler=handler), kept]

    with anyio.fail_after(20):
        async with engine(tmp_path, made("tests:before")) as opened:
            run = await opened.start(request(node("a", tool="agent"), node("b", tool="other")))
            await agent.stuck.wait()
            await other.stuck.wait()
        agent.stuck_before = other.stuck_before = 99
        async with engine(tmp_path, made("tests:after")) as opened:
            await opened.resume(run, on_change="reuse")
            ran = await opened.outcome(run)
    assert ran.status == "succeeded"
    assert agent.done == ["a 0", "a 1", "a 0", "a 1", "a 2"], "what was noted by another tool does not count"
    assert other.done == ["b 0", "b 1", "b 2"], "what was noted by the same does"


async def test_a_node_that_is_cancelled_and_shields_its_record_does_not_keep_the_run_from_ending(
    engine: Opening,
) -> None:
    working = anyio.Event()
    got: list[Json] = []

    async def shielding(context: Context, arguments: Arguments) -> Result:
        working.set()
        try:
            await anyio.sleep_forever()
        finally:
            with anyio.CancelScope(shield=True):
                got.append(await context.recorded("late", lambda: _value("late")))
        raise AssertionError

    with anyio.fail_after(10):
        async with engine(None, tools(shielding=shielding)) as opened:
            run = await opened.start(request(node("a", tool="shielding")))
            await working.wait()
            await opened.cancel(run)
            ran = await opened.outcome(run)
            told = await events(opened, run)
    assert (states(ran), got) == ({"a": "cancelled"}, ["late"])
    assert [event for event in told if isinstance(event, NodeNoted)] == []
