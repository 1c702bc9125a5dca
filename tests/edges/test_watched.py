"""Whoever hears the events of a run knows how it stands."""

import anyio
from hypothesis import given, settings

from pegboard.edges.cli.watched import Held, Watched
from pegboard.edges.envelope import event_json
from pegboard.plan.graph import Plan
from pegboard.run.request import RunRequest
from pegboard.text import Json
from tests.run.plans import plans
from tests.run.running import echo, engine, events, failing, tools


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
