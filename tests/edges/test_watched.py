"""Whoever hears the events of a run knows how it stands."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from hypothesis import given, settings

from pegboard.edges.cli.watched import Held, Watched
from pegboard.edges.envelope import event_json
from pegboard.plan.graph import Plan
from pegboard.run.engine import Engine
from pegboard.run.request import RunRequest
from pegboard.text import Json
from tests.run.plans import plans
from tests.run.running import echo, endless, engine, events, failing, limited, node, request, tools


@given(plans(most=8))
@settings(max_examples=40)
def test_the_events_come_to_what_the_run_says_of_itself(plan: Plan) -> None:
    async def work() -> None:
        made = tools(search=echo, details=failing, clock=echo)
        with anyio.fail_after(20):
            async with engine(None, made) as opened:
                run = await opened.start(RunRequest(plan, "here", inputs={"go": True}))
                watched = Watched(run)
                for event in await events(opened, run):
                    watched.take(event_json(event))
                view = await opened.show(run)
        standings = watched.standings(0.0)
        assert {node.id: (node.state, node.reason) for node in view.nodes} == {
            name: (each.state, each.reason) for name, each in standings.items()
        }
        assert (watched.status, watched.seq, watched.done) == (view.status, view.seq, watched.nodes)
        assert watched.held == {}

    anyio.run(work)


def test_what_is_held_is_known_within_a_node_too_until_it_goes_on_or_its_node_ends() -> None:
    watched = Watched("r")
    nodes: list[Json] = [{"id": "a", "tool": "t"}, {"id": "b", "agent": "writer"}]
    assert watched.take({"kind": "run_started", "seq": 1, "at": 5.0, "plan": {"nodes": nodes}}) == "begun"
    assert watched.take({"kind": "node_started", "seq": 2, "at": 6.0, "node": "b"}) == "b writer: started"
    assert watched.standings(8.5)["b"].seconds == 2.5
    assert watched.take({"kind": "node_held", "seq": 3, "node": "a", "reason": "it deletes"}) == "a t: held, it deletes"
    inner: dict[str, Json] = {"kind": "node_held", "run": "r.b.1", "node": "x", "reason": ""}
    assert watched.take({"kind": "node_told", "seq": 4, "node": "b", "told": inner}) == "x of run r.b.1: held"
    assert [*watched.held.values()] == [Held("r", "a", "it deletes"), Held("r.b.1", "x", "")]
    assert watched.take({"kind": "node_approved", "seq": 5, "node": "a", "granted": True}) == "a t: approved"
    assert [*watched.held.values()] == [Held("r.b.1", "x", "")]
    ended: dict[str, Json] = {"kind": "node_ended", "node": "b", "state": "cancelled", "reason": "out of time"}
    assert watched.take(ended) == "b writer: cancelled, out of time"
    assert (watched.held, watched.done) == ({}, 1)


@pytest.mark.parametrize("is_changed", [False, True])
async def test_what_is_held_is_known_after_the_run_has_been_resumed(tmp_path: Path, is_changed: bool) -> None:
    made = [*tools(endless=endless), limited("careful", echo, approval="always")]
    asked = request(node("a", tool="careful"), node("b", tool="endless"), node("c", "a"))
    watched = Watched("")
    with anyio.fail_after(20):
        async with engine(tmp_path, made) as opened:
            watched.run = await opened.start(asked)
            await _heard(opened, watched, ["held", "running", "waiting"])
        if is_changed:
            made = [*made[:-1], replace(limited("careful", failing, approval="always"), handler="another:one")]
        async with engine(tmp_path, made) as opened:
            await opened.resume(watched.run, on_change="reuse")
            await _heard(opened, watched, ["held", "running", "waiting"])
            assert [*watched.held.values()] == [Held(watched.run, "a", watched.standings(0.0)["a"].reason)]
            await opened.approve(watched.run, "a")
            state = "failed" if is_changed else "succeeded"
            await _heard(opened, watched, [state, "running", "skipped" if is_changed else "succeeded"])
    assert watched.held == {}


async def _heard(opened: Engine, watched: Watched, states: Sequence[str]) -> None:
    """Take events until the nodes stand like this by them, and by the run itself."""
    heard = watched.seq
    async for event in opened.follow(watched.run, after=heard):
        watched.take(event_json(event))
        if [each.state for each in watched.standings(0.0).values()] == [*states] and watched.seq > heard + 1:
            break
    assert [each.state for each in (await opened.show(watched.run)).nodes] == [*states]
