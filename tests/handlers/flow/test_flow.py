"""Tools that are several steps with other tools: run by a real engine, and gone on with after a break."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import pytest

from pegboard.catalog.contract import Context, Evidence, Ran, Result
from pegboard.catalog.kind import About, Misdeclared, Schema
from pegboard.catalog.tool import Tool
from pegboard.config.blocks.flow import FlowBlockDeclaration
from pegboard.config.server.settings import Settings
from pegboard.errors import CallFailed
from pegboard.handlers.flow import flow
from pegboard.run.local.engine import LocalEngine
from pegboard.text import Json
from tests.run.running import Arguments, engine, failing, node, request, states, tools

CITY: Schema = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "day": {"type": "string", "default": "today"}},
}


def a_flow(
    nodes: list[dict[str, Any]], *, parameters: Schema | None = CITY, output: Schema | None = None, **block: Any
) -> flow:
    here = Path()
    about = About("trip", "", Settings(here, here, here), here, parameters, output=output)
    return flow(FlowBlockDeclaration.model_validate({"nodes": nodes, **block}), about)


def step(name: str, tool: str = "echo", **more: Any) -> dict[str, Any]:
    return {"id": name, "tool": tool, **more}


async def cites(context: Context, arguments: Arguments) -> Result:
    """Say what it is asked, and cite it."""
    words = str(arguments["say"])
    return Result(f"{words} [1].", evidence=(Evidence(1, words, "", words),), data={"words": words})


async def ran(made: flow, given: Mapping[str, Json], **more: Any) -> Result:
    """Run a flow as the one node of a run, and return what it gave."""
    ended = await ended_of(made, given, **more)
    (end,) = ended.nodes
    if end.result is None:
        raise CallFailed(end.reason)
    return end.result


async def ended_of(made: flow, given: Mapping[str, Json], **more: Any) -> Ran:
    with anyio.fail_after(20):
        async with engine(None, with_flow(made, **more)) as opened:
            return await opened.outcome(await opened.start(request(node("a", tool="trip", arguments=given))))


def with_flow(made: flow, **more: Any) -> list[Tool]:
    return tools(cites=cites, failing=failing, trip=made.call, **more)


async def test_inputs_go_in_and_outputs_come_out_with_one_numbering() -> None:
    made = a_flow(
        [
            step("one", "cites", arguments={"say": "${inputs.city}"}),
            step("two", "cites", arguments={"say": "${inputs.day}"}),
        ],
        outputs={"text": "${two.text}\n${one.text}", "data": {"city": "${one.words}", "all": ["${two.words}!"]}},
    )
    result = await ran(made, {"city": "Oslo"})
    assert result.text == "today [2].\nOslo [1]."
    assert [each.text for each in result.evidence] == ["Oslo", "today"]
    assert (result.data, result.task) == ({"city": "Oslo", "all": ["today!"]}, "")


async def test_a_flow_without_outputs_gives_what_its_last_steps_say() -> None:
    made = a_flow(
        [step("one", "cites", arguments={"say": "${inputs.city}"}), step("two", arguments={"x": "${one.words}"})]
    )
    result = await ran(made, {"city": "Oslo"})
    assert result.text == "Oslo [1].\n\ndone"
    assert isinstance(result.data, dict)
    assert result.data["status"] == "succeeded"


async def test_a_flow_whose_outputs_need_a_failed_step_fails_with_the_reasons() -> None:
    made = a_flow(
        [step("one", "failing"), step("two", depends_on=["one"]), step("three")],
        outputs={"text": "${two.text} ${three.text}"},
    )
    with pytest.raises(CallFailed) as caught:
        await ran(made, {"city": "Oslo"})
    assert str(caught.value) == (
        "Tool 'trip' failed: Flow 'trip' lacks what it is for: failing: Tool 'failing' failed: as it is meant to; "
        "echo: it was left out, for it rests on failing"
    )


@pytest.mark.parametrize(
    ("one", "text"),
    [
        (step("one", "failing", on_failure="continue"), "It is .\n\nNot everything could be done:\n- failing: Tool 'failing' failed: as it is meant to"),
        (step("one", when="inputs.city == 'Rome'"), "It is ."),
        (step("one", "cites", arguments={"say": "warm"}, when="inputs.day == 'today'"), "It is warm."),
    ],
)  # fmt: skip
async def test_a_part_that_may_be_left_out_leaves_a_gap(one: dict[str, Any], text: str) -> None:
    made = a_flow([one, step("two")], outputs={"text": "It is ${one.words}."})
    assert (await ran(made, {"city": "Oslo"})).text == text


async def test_a_race_and_a_fallback_give_what_came_of_them() -> None:
    nodes = [
        step("near", "failing", race_group="weather"),
        step("far", "cites", race_group="weather", arguments={"say": "rain"}),
        step("one", "failing", fallback="two"),
        step("two", "cites", arguments={"say": "soup"}),
    ]
    races = [{"name": "weather", "in_turn": True}]
    made = a_flow(nodes, races=races, outputs={"text": "${weather.words} and ${one.words}"})
    assert (await ran(made, {"city": "Oslo"})).text == "rain and soup"


async def test_outputs_that_lead_nowhere_fail_and_say_where() -> None:
    made = a_flow([step("one")], outputs={"text": "${one.nope}"})
    with pytest.raises(
        CallFailed, match=r"outputs: it needs 'nope' of what step 'one' .+ gave, which has none \(\$\{one.nope\}\)"
    ):
        await ran(made, {"city": "Oslo"})


async def test_a_flow_in_a_flow_ends_where_only_one_may_run_at_once() -> None:
    inner = a_flow([step("one", "cites", arguments={"say": "${inputs.city}"})])
    outer = a_flow([step("two", "inner", arguments={"city": "${inputs.city}"})])
    with anyio.fail_after(20):
        async with engine(None, with_flow(outer, inner=inner.call), max_parallel=1) as opened:
            asked = request(node("a", tool="trip", arguments={"city": "Oslo"}), max_parallel=1)
            ended = await opened.outcome(await opened.start(asked))
    assert states(ended) == {"a": "succeeded"}
    assert [each.result.text for each in ended.nodes if each.result] == ["Oslo [1]."]


async def test_a_flow_that_broke_off_goes_on_and_does_nothing_twice(tmp_path: Path) -> None:
    calls: list[str] = []
    reached, going = anyio.Event(), anyio.Event()

    async def first(context: Context, arguments: Arguments) -> Result:
        calls.append("first")
        return Result("first", data={"n": 1})

    async def second(context: Context, arguments: Arguments) -> Result:
        calls.append("second")
        reached.set()
        await going.wait()
        return Result(f"second after {arguments['n']}")

    made = a_flow(
        [step("one", "first"), step("two", "second", arguments={"n": "${one.n}"})],
        outputs={"text": "${one.text}, ${two.text}"},
    )
    world = with_flow(made, first=first, second=second)
    with anyio.fail_after(20):
        async with engine(tmp_path, world) as opened:
            run = await opened.start(request(node("a", tool="trip", arguments={"city": "Oslo"})))
            await reached.wait()
            await _recorded(opened, run)
        going.set()
        async with engine(tmp_path, world) as opened:
            await opened.resume(run)
            ended = await opened.outcome(run)
    assert [each.result.text for each in ended.nodes if each.result] == ["first, second after 1"]
    assert calls == ["first", "second", "second"]


async def _recorded(opened: LocalEngine, run: str) -> None:
    """Claim that the run of the flow is one inside of the other, with its first step recorded."""
    (inside,) = (await opened.show(run)).inside
    assert [each.state for each in (await opened.show(inside)).nodes] == ["succeeded", "running"]


# What is wrong with a block by itself


def test_inputs_that_nobody_declares_are_those_that_are_referred_to() -> None:
    made = a_flow(
        [step("one", arguments={"x": "${inputs.a}"}, when="inputs.b")], parameters=None, outputs={"text": "${inputs.c}"}
    )
    assert made.parameters["required"] == ["a", "b", "c"]


def test_what_a_call_would_do_is_its_plan() -> None:
    shown = a_flow([step("one")]).preview({"city": "Oslo"})
    assert shown == {
        "plan": {"nodes": [{"id": "one", "type": "tool", "tool": "echo", "arguments": {}, "depends_on": []}]},
        "inputs": {"city": "Oslo"},
    }


@pytest.mark.parametrize(
    ("nodes", "block", "path", "message"),
    [
        ([step("one", depends_on=["x"])], {}, ("nodes", 0, "depends_on", 0), "cannot run: step 'one' waits for 'x', which is no step"),
        ([step("one", arguments={"a": ["", "${x.b}"]})], {}, ("nodes", 0, "arguments", "a", 1), "cannot run: step 'one' waits for 'x', which is no step"),
        ([step("one", when="nodes.x.b")], {}, ("nodes", 0, "when"), "cannot run: step 'one' waits for 'x', which is no step"),
        ([step("one", arguments={"a": "${inputs.town}"})], {}, ("nodes", 0, "arguments", "a"), "cannot run: step 'one' refers to ${inputs.town}"),
        ([step("one", when="inputs.town")], {}, ("nodes", 0, "when"), "cannot run: step 'one': its condition names inputs.town"),
        ([step("one"), step("one")], {}, ("nodes", 1, "id"), "cannot run: 2 steps or races are called 'one'"),
        ([step("One")], {}, ("nodes", 0, "id"), "cannot run: 'One' cannot be the id of a step"),
        ([step("a", depends_on=["b"]), step("b", depends_on=["a"])], {}, ("nodes", 0, "id"), "cannot run: these steps wait for each other: a -> b -> a"),
        ([step("one", fallback="x")], {}, ("nodes", 0, "fallback"), "cannot run: step 'one' falls back to 'x', which is no step"),
        ([step("one")], {"races": [{"name": "r"}]}, ("races", 0, "name"), "cannot run: no step takes part in the race 'r'"),
        ([{"id": "one"}], {}, ("nodes", 0), "has the step 'one', which names neither a tool nor an agent"),
        ([step("one", agent="b")], {}, ("nodes", 0, "agent"), "has the step 'one', which names both a tool and an agent"),
        ([step("one", goal="x")], {}, ("nodes", 0, "goal"), "has the step 'one' with a goal, and no agent"),
        ([step("one")], {"outputs": {"data": {"a": ["${x.b}"]}}}, ("outputs", "data", "a", 0), "gives ${x.b}, and 'x' is no step"),
        ([step("one")], {"outputs": {"text": "${inputs.town}"}}, ("outputs", "text"), "gives ${inputs.town}, which is no input"),
    ],
)  # fmt: skip
def test_what_cannot_work_is_told_at_its_place(
    nodes: list[dict[str, Any]], block: dict[str, Any], path: tuple[str | int, ...], message: str
) -> None:
    with pytest.raises(Misdeclared) as caught:
        a_flow(nodes, **block)
    assert [(misfit.path, misfit.message) for misfit in caught.value.misfits] == [(path, message)]


def test_an_output_that_nothing_fills_is_told() -> None:
    with pytest.raises(Misdeclared, match="declares an `output`, and gives no data"):
        a_flow([step("one")], output={"type": "object"}, outputs={"text": "${one.text}"})
