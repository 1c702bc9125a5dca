"""A process that ends after any record of the journal: what another makes of what is left."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pegboard.catalog.contract import Context, Ran, Result
from pegboard.catalog.tool import Tool
from pegboard.errors import CallFailed
from pegboard.plan.graph import Node, Plan
from pegboard.run.journal.entry import Written
from pegboard.run.journal.journal import Journal
from pegboard.run.past.fold import folded
from pegboard.run.request import RunRequest, read_request
from pegboard.text import Json
from tests.run.planning import Planning
from tests.run.plans import TOOLS, behind, plans
from tests.run.running import Arguments, engine, events, states, tools, world


class Site:
    """Tools that fail or not by what they are given; each call is counted by its idempotency key."""

    def __init__(self, failing: frozenset[str]) -> None:
        self.calls: list[str] = []
        self._failing = failing

    async def work(self, context: Context, arguments: Arguments) -> Result:
        name = context.idempotency_key.rpartition(":")[2]
        self.calls.append(name)
        await anyio.lowlevel.checkpoint()
        if name in self._failing:
            raise CallFailed(name)
        return Result(name, data={"by": name})

    def tools(self) -> list[Tool]:
        return tools(**dict.fromkeys(TOOLS, self.work))


def quickly(plan: Plan) -> RunRequest:
    """Return a run of `plan` whose races are timed by no clock: what is tried is who is recorded."""
    return RunRequest(Plan(plan.nodes), "here", inputs={"go": True}, max_parallel=3)


async def cut(folder: Path, after: int, run: str) -> list[Written]:
    """Let the journal in `folder` end after the record `after`, as if its process had; return what is left."""
    journal = Journal(folder / "runs.db")
    db = journal._store._db
    db.execute("DELETE FROM entries WHERE seq > ?", (after,))
    db.execute(
        "UPDATE runs SET seq = ?, status = 'running', ended = NULL, owner = 'of before', lease_until = 0", (after,)
    )
    left = await journal.entries(run)
    journal.close()
    return left


def recorded(left: list[Written]) -> set[str]:
    return {each.entry.node for each in left if each.entry.kind == "node_ended"}


@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(plans(most=7), st.data())
def test_a_crash_at_every_record_of_the_journal_ends_the_same_way_report_1(
    tmp_path_factory: pytest.TempPathFactory, plan: Plan, data: st.DataObject
) -> None:
    failing = frozenset(data.draw(st.sets(st.sampled_from([node.id for node in plan.nodes]), max_size=2)))
    folder = tmp_path_factory.mktemp("runs")
    anyio.run(_crash_everywhere, folder, quickly(plan), failing)
    shutil.rmtree(folder)


@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(plans(most=5), plans(most=4), st.data())
def test_a_crash_at_every_record_of_a_plan_that_grows_ends_the_same_way(
    tmp_path_factory: pytest.TempPathFactory, plan: Plan, more: Plan, data: st.DataObject
) -> None:
    names = st.sampled_from([node.id for node in plan.nodes])
    failing = frozenset(data.draw(st.sets(names, min_size=1, max_size=2)))
    folder = tmp_path_factory.mktemp("runs")
    anyio.run(_crash_everywhere, folder, replace(quickly(plan), further=True), failing, more)
    shutil.rmtree(folder)


def _planning(more: Plan | None) -> Planning:
    """Return what plans `more` behind what has succeeded."""

    def steps(ran: Ran) -> Sequence[Node]:
        done = [end.node for end in ran.nodes if end.state == "succeeded"]
        return () if more is None else behind(done, Plan(more.nodes)).nodes

    return Planning(of=steps)


async def _crash_everywhere(folder: Path, asked: RunRequest, failing: frozenset[str], more: Plan | None = None) -> None:
    whole, planning = Site(failing), _planning(more)
    with anyio.fail_after(60):
        async with engine(folder / "whole", whole.tools(), solving=planning) as opened:
            run = await opened.start(asked)
            ran = await opened.outcome(run)
            count = (await opened.journal.row(run)).seq
        assert len(whole.calls) == len(set(whole.calls))
        assert len(planning.asked) <= 1
        for after in range(1, count):
            shutil.copytree(folder / "whole", folder / str(after))
            left = await cut(folder / str(after), after, run)
            await _resumed(folder / str(after), run, left, Site(failing), _planning(more), states(ran))


async def _resumed(
    folder: Path, run: str, left: list[Written], site: Site, planning: Planning, wanted: dict[str, str]
) -> None:
    async with engine(folder, site.tools(), solving=planning) as opened:
        before = folded(read_request((await opened.journal.row(run)).request), left)
        await opened.resume(run)
        again = await opened.outcome(run)
        told = await events(opened, run)
        plan = (await opened.request(run)).plan
    grown = [each for each in left if each.entry.kind == "plan_extended"]
    assert not (grown and planning.asked), "what is written down is not asked for again"
    assert sum(event.kind == "plan_extended" for event in told) <= 1
    done = recorded(left) & {name for name, state in before.schedule.states.items() if state in {"succeeded", "failed"}}
    assert not done & set(site.calls), "what is recorded is not done again"
    assert len(site.calls) == len(set(site.calls))
    assert [event.seq for event in told] == list(range(1, len(told) + 1))
    won = [(event.kind, event.node) for event in told if event.kind == "race_won"]
    assert len(won) == len(set(won))
    ended = {each.node: each.state for each in again.nodes}
    races = {node.race for node in plan.nodes if node.race}
    assert ended.keys() == plan.by_id.keys()
    if not races and not any(node.on_failure == "fail" for node in plan.nodes):
        assert ended == wanted, "without races and without an end for all, it can only end in one way"
    for race, winner in before.schedule.winners.items():
        assert ended[winner] == "succeeded", race
    for race in races:
        members = [node.id for node in plan.nodes if node.race == race]
        assert sum(ended[name] == "succeeded" for name in members) <= 1
    _accounted(plan, ended)


def _accounted(plan: Plan, ended: Mapping[str, str]) -> None:
    """Claim that nothing succeeded that had nothing to go on."""
    for each in plan.nodes:
        if ended[each.id] != "succeeded" or each.needs == "any":
            continue
        for unit in plan.needs[each.id]:
            members = plan.members.get(unit, (unit,))
            goes_on = any(plan.by_id[name].on_failure == "continue" for name in members)
            assert goes_on or any(ended[name] == "succeeded" for name in members)


async def test_a_race_that_is_won_stays_won_and_its_losers_are_not_started_again(tmp_path: Path) -> None:
    site = Site(frozenset())

    async def slow(context: Context, arguments: Arguments) -> Result:
        await anyio.sleep_forever()
        raise AssertionError

    async def stuck(context: Context, arguments: Arguments) -> Result:
        await hold.wait()
        return Result("at last")

    hold = anyio.Event()
    made = tools(search=site.work, details=slow, clock=stuck)
    nodes = (
        Node("b", "details", race="r"),
        Node("a", "search", race="r"),
        Node("c", "clock", depends_on=("r",)),
    )
    with anyio.fail_after(20):
        async with engine(tmp_path, made) as opened:
            run = await opened.start(RunRequest(Plan(nodes), "here"))
            async for event in opened.follow(run):
                if event.kind == "node_started" and event.node == "c":
                    break
        site.calls.clear()
        hold.set()
        async with engine(tmp_path, made) as opened:
            await opened.resume(run)
            ran = await opened.outcome(run)
    assert states(ran) == {"b": "lost", "a": "succeeded", "c": "succeeded"}
    assert site.calls == []


async def test_the_plan_of_a_request_is_not_driven_on_when_its_process_is_gone(tmp_path: Path) -> None:
    site = Site(frozenset())
    plan: list[Json] = [{"id": "a", "tool": "clock"}, {"id": "b", "tool": "clock", "depends_on": ["a"]}]
    with anyio.fail_after(20):
        async with engine(tmp_path, site.tools()) as opened:
            asked = replace(world(site.tools()), within=opened.attached())
            run = (await asked.run(plan)).run
        await cut(tmp_path, 2, run)
        site.calls.clear()
        async with engine(tmp_path, site.tools()) as opened:
            assert await opened.recover() == []
            view = await opened.show(run)
    assert (view.status, site.calls) == ("cancelled", [])
    assert {node.reason for node in view.nodes} == {"the request that it belongs to has ended"}


async def test_two_engines_never_drive_one_run(tmp_path: Path) -> None:
    started, hold = anyio.Event(), anyio.Event()
    calls: list[str] = []

    async def work(context: Context, arguments: Arguments) -> Result:
        calls.append(context.idempotency_key)
        started.set()
        await hold.wait()
        return Result("done")

    made = tools(work=work)
    with anyio.fail_after(20):
        async with engine(tmp_path, made) as first, engine(tmp_path, made) as second:
            run = await first.start(RunRequest(Plan((Node("a", "work"),)), "here"))
            await started.wait()
            with pytest.raises(Exception, match="another process"):
                await second.resume(run)
            assert await second.recover() == []
            hold.set()
            ran = await second.outcome(run)
    assert (states(ran), len(calls)) == ({"a": "succeeded"}, 1)


async def test_a_driver_whose_run_was_taken_over_adds_nothing_and_stops(tmp_path: Path) -> None:
    started, hold = anyio.Event(), anyio.Event()

    async def work(context: Context, arguments: Arguments) -> Result:
        started.set()
        await hold.wait()
        return Result("done")

    made = tools(work=work)
    with anyio.fail_after(20):
        async with engine(tmp_path, made, lease_seconds=1000) as first:
            run = await first.start(RunRequest(Plan((Node("a", "work"), Node("b", "echo", depends_on=("a",)))), "here"))
            await started.wait()
            first.journal._store._db.execute("UPDATE runs SET lease_until = 0")
            async with engine(tmp_path, made) as second:
                await second.resume(run)
                hold.set()
                ran = await second.outcome(run)
                told = await events(second, run)
            assert states(await first.outcome(run)) == states(ran)
    assert states(ran) == {"a": "succeeded", "b": "succeeded"}
    assert [event.node for event in told if event.kind == "node_ended"] == ["a", "b"]
