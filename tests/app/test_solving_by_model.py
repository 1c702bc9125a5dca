"""A question is planned by a model, what may begin begins while it still writes, and what failed is planned anew."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from pegboard.app.solving import Solver
from pegboard.catalog.contract import Context, Result
from pegboard.catalog.tool import Tool
from pegboard.errors import CallFailed
from pegboard.events import CallStarted, Event, PlanMade
from pegboard.llm.hashed import HashedEmbedder
from pegboard.llm.model import Prompt
from pegboard.llm.scripted import ScriptedModel
from pegboard.plan.graph import Node
from pegboard.route.embedded import train
from pegboard.route.router import Router
from pegboard.run.context import CallContext
from tests.run.running import engine, limited, request
from tests.twins import a_tool, context

Handler = Callable[[Context, dict[str, Any]], Any]


class Streaming(ScriptedModel):
    """A model that writes `pieces`; before each but the first it waits for `meanwhile`."""

    def __init__(self, *pieces: str, meanwhile: Callable[[], Any]) -> None:
        super().__init__(self._said)
        self.corrected: str = ""
        """What it writes when it is told that its plan is wrong."""
        self._pieces = pieces
        self._meanwhile = meanwhile

    def _said(self, prompt: Prompt) -> str:
        return self.corrected

    async def stream(self, prompt: Prompt, **how: object) -> AsyncIterator[str]:
        self.prompts.append(prompt)
        for place, piece in enumerate(self._pieces):
            if place:
                await self._meanwhile()
            yield piece


class Counting:
    """A tool that counts its calls, and says when it was started and when it was cancelled."""

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []
        self.started = anyio.Event()
        self.cancelled = 0
        self.may_end = anyio.Event()

    async def __call__(self, context: Context, arguments: Any) -> Result:
        self.calls.append(dict(arguments))
        self.started.set()
        try:
            await self.may_end.wait()
        except BaseException:
            self.cancelled += 1
            raise
        return Result(f"found {arguments.get('n')}", data=dict(arguments))


def row(name: str, tool: str, n: Any, **more: Any) -> str:
    return json.dumps({"id": name, "tool": tool, "arguments": {"n": n}, **more})


@asynccontextmanager
async def solving(
    model: ScriptedModel, *tools: Tool, emit: Callable[[Event], None] = lambda event: None
) -> AsyncIterator[tuple[Solver, CallContext]]:
    solver = Solver(Router(train(HashedEmbedder(), tools)), model, None, 10.0, 30.0)
    with anyio.fail_after(30):
        async with engine(None, tools) as opened:
            yield solver, replace(context(*tools, emit=emit), within=opened.attached())


async def test_what_only_reads_has_started_before_the_model_has_written_its_plan() -> None:
    look = Counting()
    look.may_end.set()
    model = Streaming('{"steps": [' + row("a", "look", 1), "]}", meanwhile=look.started.wait)  # the barrier
    events: list[Event] = []
    async with solving(model, a_tool("look", look, read_only=True), emit=events.append) as (solver, given):
        result = await solver.solve("look", given)
    assert look.calls == [{"n": 1}]
    assert result.text == "found 1"
    assert [event for event in events if isinstance(event, CallStarted)] == [CallStarted("look")]
    assert [event.plan["by"] for event in events if isinstance(event, PlanMade)] == ["scripted"]


async def test_what_changes_something_refers_races_or_waits_does_not_start_early() -> None:
    tools = {name: Counting() for name in ("look", "save")}
    for each in tools.values():
        each.may_end.set()
    early: list[list[dict[str, Any]]] = []

    async def meanwhile() -> None:
        for _ in range(5):
            await anyio.lowlevel.checkpoint()
        early.append([*tools["look"].calls, *tools["save"].calls])

    rows = [
        row("s", "save", 1),
        row("r1", "look", 2, race_group="r"),
        row("r2", "look", 3, race_group="r"),
        row("w", "look", 4, depends_on=["s"]),
        row("c", "look", 5, when="nodes.s"),
        row("d", "look", "${s.n}"),
    ]
    model = Streaming('{"steps": [' + ",".join(rows), "]}", meanwhile=meanwhile)
    made = [a_tool("look", tools["look"], read_only=True), a_tool("save", tools["save"])]
    async with solving(model, *made) as (solver, given):
        await solver.solve("look and save", given)
    assert early == [[]]
    assert {"n": 5} in tools["look"].calls


async def test_what_the_whole_plan_does_not_ask_for_is_cancelled_and_counts_for_nothing() -> None:
    look, other = Counting(), Counting()
    other.may_end.set()

    async def meanwhile() -> None:
        await look.started.wait()

    wrong = '{"steps": [' + row("a", "look", 1) + ',{"id": "b", "tool": "nosuch"}'
    model = Streaming(wrong, "]}", meanwhile=meanwhile)
    model.corrected = '{"steps": [' + row("a", "other", 1) + "]}"
    made = [a_tool("look", look, read_only=True, per_request=1), a_tool("other", other, read_only=True)]
    async with solving(model, *made) as (solver, given):
        result = await solver.solve("look", given)
        assert given.request.calls["look"] == 0
    assert (look.calls, look.cancelled, result.text) == ([{"n": 1}], 1, "found 1")


async def test_a_call_that_is_taken_over_counts_once() -> None:
    look = Counting()
    look.may_end.set()
    model = Streaming('{"steps": [' + row("a", "look", 1), "]}", meanwhile=look.started.wait)
    async with solving(model, a_tool("look", look, read_only=True, per_request=1)) as (solver, given):
        result = await solver.solve("look", given)
        assert given.request.calls["look"] == 1
    assert (look.calls, result.text) == ([{"n": 1}], "found 1")


async def test_a_step_that_fails_early_fails_as_a_step() -> None:
    calls: list[int] = []

    async def broken(context: Context, arguments: Any) -> Result:
        calls.append(1)
        raise CallFailed("there is none")

    model = Streaming(
        '{"steps": [' + row("a", "look", 1) + "," + row("b", "fine", 2), "]}", meanwhile=anyio.lowlevel.checkpoint
    )
    model.corrected = '{"steps": []}'
    fine = Counting()
    fine.may_end.set()
    made = [a_tool("look", broken, read_only=True), a_tool("fine", fine, read_only=True)]
    async with solving(model, *made) as (solver, given):
        result = await solver.solve("look", given)
    assert calls == [1]
    assert "found 2" in result.text
    assert "there is none" in result.text


async def test_after_a_failure_the_model_may_give_further_steps_once() -> None:
    async def broken(context: Context, arguments: Any) -> Result:
        raise CallFailed("the shop is closed")

    fine = Counting()
    fine.may_end.set()
    first = '{"steps": [' + row("n1", "fine", 7) + "," + row("n2", "shop", 1) + "]}"
    more = '{"steps": [' + row("n3", "fine", "${n1.n}") + "]}"
    replies = iter([first, more])
    model = ScriptedModel(lambda prompt: next(replies))
    events: list[Event] = []
    made = [a_tool("fine", fine, read_only=True), a_tool("shop", broken)]
    async with solving(model, *made, emit=events.append) as (solver, given):
        result = await solver.solve("buy it", given)
    assert fine.calls == [{"n": 7}, {"n": 7}]
    assert "the shop is closed" in result.text
    plans = [event.plan for event in events if isinstance(event, PlanMade)]
    assert [plan.get("after") for plan in plans] == [None, ["n2"]]
    assert "the shop is closed" in model.prompts[1].user
    assert next(replies, None) is None


async def test_a_node_that_plans_and_is_done_again_runs_the_same_plan_and_asks_no_model(tmp_path: Path) -> None:
    fine, slow = Counting(), Counting()
    fine.may_end.set()
    model = ScriptedModel('{"steps": [' + row("a", "fine", 1) + "," + row("b", "slow", 2, depends_on=["a"]) + "]}")

    async def planning(given: Context, arguments: Any) -> Result:
        assert isinstance(given, CallContext)
        return await solver.solve("do it", given)

    made = [a_tool("fine", fine, read_only=True), a_tool("slow", slow), limited("planning", planning)]
    solver = Solver(Router(train(HashedEmbedder(), made)), model, None, 10.0, 30.0)
    with anyio.fail_after(30):
        async with engine(tmp_path, made) as opened:
            run = await opened.start(request(Node("p", "planning")))
            await slow.started.wait()
        slow.may_end.set()
        async with engine(tmp_path, made) as opened:
            await opened.resume(run)
            ran = await opened.outcome(run)
    assert (len(model.prompts), fine.calls, slow.calls) == (1, [{"n": 1}], [{"n": 2}, {"n": 2}])
    assert ran.nodes[0].result is not None
    assert ran.nodes[0].result.text == "found 1\n\nfound 2"


async def test_what_waits_for_an_approval_is_not_begun() -> None:
    look = Counting()
    look.may_end.set()
    model = Streaming('{"steps": [' + row("a", "look", 1), "]}", meanwhile=anyio.lowlevel.checkpoint)
    made = a_tool("look", look, read_only=True, approval="always")
    async with solving(model, made) as (solver, given):
        with pytest.raises(CallFailed, match="approved"):
            await solver.solve("look", given)
    assert look.calls == []


async def test_text_of_others_that_was_read_early_taints_whoever_takes_it_over() -> None:
    read = Counting()
    read.may_end.set()
    model = Streaming('{"steps": [' + row("a", "read", 1), "]}", meanwhile=read.started.wait)
    made = replace(a_tool("read", read, read_only=True), effects=frozenset({"untrusted"}))
    async with solving(model, made) as (solver, given):
        await solver.solve("read", given)
        assert given.taint.first is not None
        assert given.taint.first.tool == "read"


async def test_an_error_of_planning_comes_out_as_it_is() -> None:
    async def only(context: Context, arguments: Any) -> Result:
        raise CallFailed("not this one")

    model = Streaming('{"steps": [' + row("a", "only", 1), "]}", meanwhile=anyio.lowlevel.checkpoint)
    async with solving(model, a_tool("only", only, read_only=True)) as (solver, given):
        with pytest.raises(CallFailed, match="not this one"):
            await solver.solve("go", given)
