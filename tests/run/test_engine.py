"""What every engine promises."""

import json
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from pegboard.catalog.contract import Context, Result
from pegboard.errors import CallFailed
from pegboard.events import NodeEnded, RunEnded
from pegboard.plan.graph import Race
from pegboard.plan.written import plan_json
from pegboard.run.engine import Engine, RunView
from pegboard.run.journal.row import UnknownRun
from tests.run.opening import Opening
from tests.run.running import Arguments, endless, events, failing, limited, node, request, states, tools


async def test_a_plan_runs_and_what_nodes_gave_goes_where_it_is_referred_to(engine: Opening) -> None:
    asked = request(
        node("a", arguments={"n": 3}),
        node("b", arguments={"n": "${a.n}", "words": "n is ${a.n} of ${inputs.of}"}),
        inputs={"of": "five"},
    )
    with anyio.fail_after(10):
        async with engine(None, tools()) as opened:
            ran = await opened.outcome(await opened.start(asked))
    assert ran.status == "succeeded"
    assert ran.nodes[1].result == Result("done", data={"n": 3, "words": "n is 3 of five"})


async def test_the_words_of_a_result_without_data_are_what_it_stands_for(engine: Opening) -> None:
    async def words(context: Context, arguments: Arguments) -> Result:
        return Result("just words")

    asked = request(node("a", tool="words"), node("b", arguments={"whole": "${a}", "text": "${a.text}"}))
    with anyio.fail_after(10):
        async with engine(None, tools(words=words)) as opened:
            ran = await opened.outcome(await opened.start(asked))
    assert ran.nodes[1].result == Result("done", data={"whole": "just words", "text": "just words"})


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ({"x": "${a.no.such}"}, "gave, which has none (${a.no.such})"),
        ({"n": "${a.words}"}, "n"),
    ],
)
async def test_a_reference_that_leads_nowhere_or_to_another_type_is_its_nodes_failure(
    engine: Opening, arguments: dict[str, str], wanted: str
) -> None:
    asked = request(
        node("a", arguments={"words": "many"}), node("b", arguments=arguments), node("c", "b"), node("d", "a")
    )
    with anyio.fail_after(10):
        async with engine(None, tools()) as opened:
            ran = await opened.outcome(await opened.start(asked))
    assert states(ran) == {"a": "succeeded", "b": "failed", "c": "skipped", "d": "succeeded"}
    assert wanted in ran.nodes[1].reason


async def test_a_tool_that_runs_itself_without_end_comes_to_one(engine: Opening) -> None:
    async def itself(context: Context, arguments: Arguments) -> Result:
        ran = await context.run([{"id": "i", "tool": "itself"}])
        if ran.status != "succeeded":
            raise CallFailed(ran.nodes[0].reason)
        return Result("done")

    with anyio.fail_after(20):
        async with engine(None, tools(itself=itself)) as opened:
            ran = await opened.outcome(await opened.start(request(node("a", tool="itself"))))
    assert (ran.status, "8 calls deep" in ran.nodes[0].reason) == ("failed", True)


async def test_an_approval_waits_without_a_slot_and_survives_a_restart(engine: Opening, tmp_path: Path) -> None:
    calls: list[str] = []

    async def writing(context: Context, arguments: Arguments) -> Result:
        calls.append(context.idempotency_key)
        return Result("written")

    made = [*tools(), limited("write", writing, approval="always")]
    asked = request(
        node("w", tool="write", arguments={"to": "disk"}), node("other"), node("after", "w"), max_parallel=1
    )
    with anyio.fail_after(20):
        async with engine(tmp_path, made) as opened:
            run = await opened.start(asked)
            await _ended(opened, run, "other")
            assert {each.id: each.state for each in (await opened.show(run)).nodes}["w"] == "held"
        async with engine(tmp_path, made) as opened:
            await opened.approve(run, "w")
        async with engine(tmp_path, made) as opened:
            await opened.resume(run)
            ran = await opened.outcome(run)
    assert (ran.status, calls) == ("succeeded", [f"{run}:w"])


async def _ended(opened: Engine, run: str, name: str) -> None:
    """Wait until a node of a run has ended."""
    async for event in opened.follow(run):
        if event.kind == "node_ended" and event.node == name:
            return


async def test_an_approval_that_does_not_come_or_is_denied_is_a_failure(engine: Opening, tmp_path: Path) -> None:
    made = [*tools(), limited("write", failing, approval="always")]
    with anyio.fail_after(20):
        async with engine(tmp_path, made) as opened:
            late = await opened.start(request(node("w", tool="write"), approval_seconds=0.05))
            assert states(await opened.outcome(late)) == {"w": "failed"}
            denied = await opened.start(request(node("w", tool="write"), node("x", "w")))
            async for event in opened.follow(denied):
                if event.kind == "node_held":
                    await opened.approve(denied, "w", granted=False)
            ran = await opened.outcome(denied)
    assert states(ran) == {"w": "failed", "x": "skipped"}
    assert "not approved" in ran.nodes[0].reason


async def test_what_must_not_be_done_twice_fails_after_a_crash_where_that_is_declared(
    engine: Opening, tmp_path: Path
) -> None:
    held = anyio.Event()

    async def stuck(context: Context, arguments: Arguments) -> Result:
        held.set()
        await anyio.sleep_forever()
        raise AssertionError

    made = [*tools(), limited("once", stuck, on_unknown="fail"), limited("again", stuck)]
    mended = [*tools(), limited("once", failing, on_unknown="fail"), limited("again", tools()[0].run)]
    with anyio.fail_after(20):
        async with engine(tmp_path, made) as opened:
            run = await opened.start(request(node("a", tool="once"), node("b", tool="again")))
            await held.wait()
        async with engine(tmp_path, mended) as opened:
            await opened.resume(run)
            ran = await opened.outcome(run)
            again = [event for event in await events(opened, run) if isinstance(event, NodeEnded)]
    assert states(ran) == {"a": "failed", "b": "succeeded"}
    assert "may have done its work" in ran.nodes[0].reason
    assert {event.node: event.attempt for event in again} == {"a": 1, "b": 2}


async def test_a_nested_run_goes_on_with_its_node_and_does_nothing_twice(engine: Opening, tmp_path: Path) -> None:
    calls: list[str] = []
    held, mended = anyio.Event(), False

    async def noted(context: Context, arguments: Arguments) -> Result:
        calls.append(context.idempotency_key.rpartition(":")[2])
        return Result("done")

    async def stuck(context: Context, arguments: Arguments) -> Result:
        if not mended:
            held.set()
            await anyio.sleep_forever()
        return await noted(context, arguments)

    plan = plan_json(request(node("i", tool="noted"), node("j", "i", tool="stuck")).plan)

    async def outer(context: Context, arguments: Arguments) -> Result:
        ran = await context.run(plan)
        return Result(ran.status)

    made = tools(noted=noted, stuck=stuck, outer=outer)
    with anyio.fail_after(20):
        async with engine(tmp_path, made) as opened:
            run = await opened.start(request(node("a", tool="outer")))
            await held.wait()
        mended = True
        async with engine(tmp_path, made, is_recovering=True) as opened:
            ran = await opened.outcome(run)
    assert ran.nodes[0].result == Result("succeeded")
    assert calls == ["i", "j"]


async def test_a_race_has_one_winner_and_its_losers_are_asked_to_stop(engine: Opening) -> None:
    stopped = anyio.Event()

    async def slow(context: Context, arguments: Arguments) -> Result:
        try:
            await anyio.sleep_forever()
        finally:
            stopped.set()
        raise AssertionError

    asked = request(
        node("a", tool="failing", race="r"), node("b", race="r"), node("c", tool="slow", race="r"), node("d", "r")
    )
    with anyio.fail_after(10):
        async with engine(None, tools(failing=failing, slow=slow)) as opened:
            ran = await opened.outcome(await opened.start(asked))
    assert stopped.is_set()
    ended = states(ran)
    assert ended.pop("a") in {"failed", "lost"}  # it fails at once, and the winner may be sooner all the same
    assert ended == {"b": "succeeded", "c": "lost", "d": "succeeded"}


async def test_a_race_that_nobody_wins_in_time_has_failed(engine: Opening) -> None:
    asked = request(node("a", tool="endless", race="r"), node("b", "r"), races=[Race("r", timeout_seconds=0.05)])
    with anyio.fail_after(10):
        async with engine(None, tools(endless=endless)) as opened:
            ran = await opened.outcome(await opened.start(asked))
    assert states(ran) == {"a": "failed", "b": "skipped"}
    assert "in time" in ran.nodes[0].reason


async def test_a_favourite_has_its_head_start_and_then_the_others_start(engine: Opening) -> None:
    asked = request(
        node("a", tool="endless", race="r"),
        node("b", race="r"),
        races=[Race("r", favourite="a", head_start_seconds=0.02)],
    )
    with anyio.fail_after(10):
        async with engine(None, tools(endless=endless)) as opened:
            ran = await opened.outcome(await opened.start(asked))
    assert states(ran) == {"a": "lost", "b": "succeeded"}


async def test_conditions_see_inputs_and_what_nodes_gave(engine: Opening) -> None:
    asked = request(
        node("a", arguments={"n": 3}),
        node("b", when="nodes.a.n > `2`"),
        node("c", when="nodes.a.n > `5`"),
        node("d", "c", when="inputs.go"),
        inputs={"go": True},
    )
    with anyio.fail_after(10):
        async with engine(None, tools()) as opened:
            ran = await opened.outcome(await opened.start(asked))
    assert states(ran) == {"a": "succeeded", "b": "succeeded", "c": "skipped", "d": "skipped"}


async def test_an_unknown_run_is_said(engine: Opening) -> None:
    async with engine(None, tools()) as opened:
        with pytest.raises(UnknownRun):
            await opened.show("nobody")


async def test_who_cancels_a_run_is_told_how_it_stood(engine: Opening) -> None:
    with anyio.fail_after(30):
        async with engine(None, tools(endless=endless)) as opened:
            run = await opened.start(request(node("a", tool="endless")))
            assert await opened.cancel(run) == "running"
            await opened.outcome(run)
            assert await opened.cancel(run) == "cancelled"
            assert (await opened.show(run)).status == "cancelled"
            done = await opened.start(request(node("a")))
            await opened.outcome(done)
            assert await opened.cancel(done) == "succeeded"


async def test_what_is_no_json_is_its_nodes_failure(engine: Opening) -> None:
    async def odd(context: Context, arguments: Arguments) -> Result:
        return Result("odd", data=json)  # type: ignore[arg-type]

    with anyio.fail_after(10):
        async with engine(None, tools(odd=odd)) as opened:
            ran = await opened.outcome(await opened.start(request(node("a", tool="odd"))))
    assert (states(ran), "as JSON" in ran.nodes[0].reason) == ({"a": "failed"}, True)


async def test_how_many_steps_ended_how_is_told_wherever_the_run_is_looked_at(engine: Opening, tmp_path: Path) -> None:
    asked = request(node("a", tool="failing", on_failure="continue"), node("b", "a"), node("c"))
    wanted = {"failed": 1, "succeeded": 2}
    with anyio.fail_after(30):
        async with engine(tmp_path, tools(failing=failing)) as opened:
            run = await opened.start(asked)
            assert (await opened.outcome(run)).status == "succeeded"
            view = await opened.show(run)
            (last,) = await events(opened, run, after=view.seq - 1)
        async with engine(tmp_path, tools(failing=failing)) as opened:
            listed = await _listed_as_ended(opened, run)
    assert isinstance(last, RunEnded)
    assert (view.steps, last.steps, listed.steps, listed.nodes) == (wanted, wanted, wanted, ())
    assert view.to_json()["steps"] == wanted


async def _listed_as_ended(opened: Engine, run: str) -> RunView:
    while True:
        for view in await opened.runs():
            if view.run == run and view.ended:
                return view
        await anyio.sleep(0.02)  # a service lists it a moment later
