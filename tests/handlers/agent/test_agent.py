"""Agents with a scripted model on a real engine: turns and calls, bounds, what is kept, what goes on after a break."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from pegboard.catalog.contract import Context, Result
from pegboard.errors import CallFailed, ModelMalformed, ModelRefused, ModelUnreachable
from pegboard.events import AgentEnded, AgentTurned, Degraded, NodeNoted, NodeTold
from pegboard.llm.model import Called, Prompt, Prompted, Said
from pegboard.llm.scripted import ScriptedModel
from tests.handlers.agent.agents import World, a_say, an_agent, answers, as_tool, asked, helping, scripted
from tests.run.running import Arguments, events, node, request


async def test_it_calls_a_tool_and_answers_with_what_it_cites() -> None:
    world, model = helping('say {"say": "rain"}', "It rains [1].", temperature=0.4)
    result = await world.result("how is the weather?")
    assert (result.text, [each.name for each in result.evidence], result.data) == ("It rains [1].", ["rain"], None)
    first, second = model.prompts
    assert first.system.startswith("You help.\n")
    assert first.user == "<goal>\nhow is the weather?\n</goal>"
    assert (first.temperature, second.temperature) == (0.4, 0.4)
    assert [function.name for function in model.offered[0]] == ["say"]
    assert answers(second) == [("call_1_1", "rain [1].\n[1] rain: rain (https://rain.example)")]
    told = [event for event in world.told if isinstance(event, AgentTurned | AgentEnded)]
    assert [type(event).__name__ for event in told] == ["AgentTurned", "AgentTurned", "AgentEnded"]
    assert isinstance(told[0], AgentTurned)
    assert told[0].calls == [{"id": "call_1_1", "tool": "say", "arguments": {"say": "rain"}}]
    assert isinstance(told[2], AgentEnded)
    assert (told[2].ended, told[2].turns, told[2].tokens > 0) == ("answered", 2, True)


async def test_what_a_model_writes_is_never_a_reference_and_what_it_calls_is_out_of_its_list_alone() -> None:
    model = scripted('say {"say": "${inputs.given} ${a.text}"}\necho {"x": 1}\nsya {"say": "x"}\nsay {"n": 1}', "done")
    world = World([as_tool(an_agent()), a_say()], model)
    await world.result()
    words = [text.partition("\n")[0] for _, text in answers(model.prompts[1])]
    assert words == [
        "${inputs.given} ${a.text} [1].",
        "It failed: There is no tool 'echo'. Known tools: say.",
        "It failed: There is no tool 'sya'. Did you mean 'say'?",
        "It failed: Missing argument 'say'. Unknown argument 'n'. Known arguments: say.",
    ]


async def test_calls_of_a_turn_run_at_once_and_one_that_fails_touches_no_other() -> None:
    together = 0
    all_there = anyio.Event()

    async def meeting(context: Context, arguments: Arguments) -> Result:
        nonlocal together
        together += 1
        if together == 3:
            all_there.set()
        await all_there.wait()
        if arguments["say"] == "b":
            raise CallFailed("b is away")
        return Result(str(arguments["say"]))

    model = scripted('say {"say": "a"}\nsay {"say": "b"}\nsay {"say": "c"}', "done")
    world = World([as_tool(an_agent()), a_say(meeting)], model)
    await world.result()
    assert [text for _, text in answers(model.prompts[1])] == ["a", "It failed: Tool 'say' failed: b is away", "c"]


@pytest.mark.parametrize(
    ("said", "block", "ended", "turns"),
    [
        ([f'say {{"say": "{n}"}}' for n in range(9)], {"max_iterations": 3}, "iterations", 3),
        (['say {"say": "x"}'] * 9, {}, "repeated", 3),
        (['say {"say": "a"}', " ", "\n"], {}, "silent", 3),
        (['say {"say": "a"}'] + [f'say {{"say": "{"x" * 16000}{n}"}}' for n in range(9)], {"max_tokens": 4000}, "tokens", 2),
        (['say {"say": "a"}', ModelUnreachable("away")], {}, "model", 1),
    ],
)  # fmt: skip
async def test_whatever_ends_it_what_was_gathered_is_kept_with_the_reason(
    said: list[Any], block: dict[str, Any], ended: str, turns: int
) -> None:
    world, _ = helping(*said, **block)
    result = await world.result()
    assert isinstance(result.data, Mapping)
    assert (result.data["ended"], result.data["iterations"]) == (ended, turns)
    assert result.text.startswith(f"This is not finished: {result.data['reason']}\n\nWhat was found until then:\n\n")
    assert result.evidence
    assert {"tool": "say"} in result.data["calls"]  # type: ignore[operator]
    assert [event.reason for event in world.told if isinstance(event, Degraded)] == [
        f"Agent 'helper' did not finish. {result.data['reason']}"
    ]


async def test_without_anything_gathered_it_fails_with_the_reason() -> None:
    world, _ = helping(" ", " ")
    end = await world.ended({"goal": "help"})
    assert end.result is None
    assert "Agent 'helper' came to nothing. Its model has given neither an answer nor a call in 2 turns." in end.reason


async def test_a_silent_turn_is_asked_again_once_and_a_reply_that_cannot_be_read_says_why() -> None:
    world, model = helping(ModelMalformed("The arguments are no object."), "fine")
    assert (await world.result()).text == "fine"
    assert model.prompts[1].turns == (
        Prompted("The arguments are no object. That was neither an answer nor a call. Call a tool, or answer."),
    )


async def test_the_last_turn_is_told_that_it_is() -> None:
    world, model = helping('say {"say": "a"}', "fine", max_iterations=2)
    await world.result()
    assert isinstance(model.prompts[1].turns[-1], Prompted)
    assert model.prompts[1].turns[-1].text == "This is your last turn: answer now, with what you have."


class Slow(ScriptedModel):
    """A model that has no time left."""

    async def call(self, prompt: Prompt, functions: Any, *, max_tokens: int = 0, timeout_seconds: float = 0) -> Called:
        if not prompt.turns:
            return await super().call(prompt, functions)
        with anyio.move_on_after(timeout_seconds):
            await anyio.sleep_forever()
        raise ModelUnreachable("no reply in time")


async def test_a_model_that_thinks_too_long_is_cut_off_and_what_there_is_is_kept() -> None:
    model = Slow('say {"say": "a"}')
    world = World([as_tool(an_agent(timeout="50ms")), a_say()], model)
    result = await world.result()
    assert isinstance(result.data, Mapping)
    assert (result.data["ended"], result.data["reason"]) == (
        "time", "Its model has thought for the 0.05 s that it may (timeout).",
    )  # fmt: skip


async def test_a_deadline_over_its_tools_leaves_what_was_found_before() -> None:
    async def hanging(context: Context, arguments: Arguments) -> Result:
        if arguments["say"] == "a":
            return Result("a")
        await anyio.sleep_forever()
        raise AssertionError

    model = scripted('say {"say": "a"}', 'say {"say": "b"}')
    world = World([as_tool(an_agent()), a_say(hanging)], model)
    with anyio.fail_after(20):
        async with world.engine() as opened:
            here = world.context()
            started = anyio.current_time()
            given = here.for_call(here.emit, deadline=started + 1.2, network_seconds=1, max_bytes=1 << 20)
            result = await an_agent().call(replace(given, within=opened.attached()), {"goal": "x"})
    assert isinstance(result.data, Mapping)
    assert result.data["ended"] == "time"
    assert result.data["calls"] == [{"tool": "say"}, {"tool": "say", "failed": "its time was over"}]


async def hanging_after_a(context: Context, arguments: Arguments) -> Result:
    """Say `a`, and hang at all else."""
    if arguments["say"] == "a":
        return Result("a")
    await anyio.sleep_forever()
    raise AssertionError


async def test_the_deadline_of_its_run_leaves_what_was_found_before_with_the_reason() -> None:
    model = scripted('say {"say": "a"}', 'say {"say": "b"}')
    world = World([as_tool(an_agent()), a_say(hanging_after_a)], model)
    with anyio.fail_after(20):
        async with world.engine() as opened:
            end = await asked(opened, {"goal": "x"}, deadline_seconds=1.0)
    assert end.result is not None, end.reason
    assert isinstance(end.result.data, Mapping)
    assert (end.result.data["ended"], end.result.data["reason"]) == (
        "time", "The time of its run was over while its tools worked.",
    )  # fmt: skip
    assert end.result.data["calls"] == [{"tool": "say"}, {"tool": "say", "failed": "its time was over"}]


async def test_calls_that_ended_in_time_are_kept_where_others_of_the_same_turn_did_not() -> None:
    model = scripted('say {"say": "a"}\nsay {"say": "b"}')
    world = World([as_tool(an_agent()), a_say(hanging_after_a)], model)
    with anyio.fail_after(20):
        async with world.engine() as opened:
            end = await asked(opened, {"goal": "x"}, deadline_seconds=1.0)
    assert end.result is not None, end.reason
    assert isinstance(end.result.data, Mapping)
    assert end.result.data["calls"] == [{"tool": "say"}, {"tool": "say", "failed": "its time was over"}]


async def test_a_model_that_thinks_until_the_deadline_of_its_run_is_cut_off() -> None:
    world = World([as_tool(an_agent()), a_say()], Slow('say {"say": "a"}'))
    with anyio.fail_after(20):
        async with world.engine() as opened:
            end = await asked(opened, {"goal": "x"}, deadline_seconds=1.0)
    assert end.result is not None, end.reason
    assert isinstance(end.result.data, Mapping)
    assert (end.result.data["ended"], end.result.data["reason"]) == ("time", "The time of its run is over.")


async def test_an_approval_that_is_waited_for_is_no_part_of_the_time_that_its_run_leaves_it() -> None:
    said = replace(a_say(), limits=replace(a_say().limits, approval="always"))
    world = World([as_tool(an_agent()), said], scripted('say {"say": "a"}', "It is a."))
    with anyio.fail_after(20):
        async with world.engine() as opened:  # nobody approves, for longer than the run has
            end = await asked(opened, {"goal": "x"}, deadline_seconds=1.0, approval_seconds=1.3)
    assert end.result is not None, end.reason
    assert end.result.text.startswith("It is a.")


# Protocols


class NoFunctions(ScriptedModel):
    """A model whose endpoint takes no functions."""

    refused = 0

    async def call(self, prompt: Prompt, functions: Any, *, max_tokens: int = 0, timeout_seconds: float = 0) -> Called:
        self.refused += 1
        raise ModelRefused("tools is not supported")


def replies(*said: str) -> Callable[[Prompt], str]:
    left = list(said)
    return lambda prompt: left.pop(0)


async def test_an_endpoint_without_functions_is_asked_in_words_and_remembered() -> None:
    model = NoFunctions(
        replies(
            'Let me see.\n```json\n{"calls": [{"tool": "say", "arguments": {"say": "a"}}, {"tool": "say", "arguments": {"say": "b"}}]}\n```',
            '{"answer": "a and b [1][2]"}',
        )
    )
    world = World([as_tool(an_agent()), a_say()], model)
    result = await world.result()
    assert (result.text, [each.name for each in result.evidence]) == ("a and b [1][2]", ["a", "b"])
    assert model.refused == 1
    assert '{"tool":"say"' in model.prompts[0].system
    said, told = model.prompts[1].turns
    assert isinstance(said, Said)
    assert said.text.startswith('{"calls":[{"tool":"say"')
    assert isinstance(told, Prompted)
    assert told.text.count('<result tool="say">') == 2


async def test_what_is_no_json_where_json_was_asked_for_is_the_answer() -> None:
    model = NoFunctions(replies("Just words."))
    assert (await World([as_tool(an_agent()), a_say()], model).result()).text == "Just words."


# Agents in agents


def nested(model: ScriptedModel, **block: Any) -> World:
    outer = as_tool(an_agent("outer", tools=["inner"], **block), "outer")
    inner = as_tool(an_agent("inner", tools=["say"]), "inner")
    return World([outer, inner, a_say()], model)


def by_goal(prompt: Prompt) -> str:
    """Answer as each of two agents would."""
    if "outer goal" in prompt.user:
        return "outer done" if prompt.turns else 'inner {"goal": "inner goal"}'
    return "inner done [1]" if prompt.turns else 'say {"say": "x"}'


async def test_an_agent_asks_an_agent_where_only_one_node_may_run_at_once() -> None:
    model = ScriptedModel(by_goal)
    world = nested(model)
    with anyio.fail_after(20):
        async with world.engine(max_parallel=1) as opened:
            end = await asked(opened, {"goal": "outer goal"}, "outer", max_parallel=1)
    assert end.result is not None
    assert end.result.text == "outer done"
    assert answers(model.prompts[-1]) == [("call_1_1", "inner done [1]\n[1] x: x (https://x.example)")]


async def test_an_agent_deeper_than_declared_is_refused_and_the_reason_goes_to_the_model() -> None:
    model = ScriptedModel(by_goal)
    end = await nested(model, max_depth=1).ended({"goal": "outer goal"}, "outer")
    assert end.result is not None
    ((_, told),) = answers(model.prompts[-1])
    assert "Agent 'inner' was not asked: 'outer' lets no more agents be within each other (max_depth)" in told


async def test_the_narrowest_depth_of_those_around_counts() -> None:
    def rule(prompt: Prompt) -> str:
        for name, next_ in (("one", "two"), ("two", "three"), ("three", "")):
            if f"<goal>\n{name}\n" in prompt.user:
                if not next_:
                    return "three done"
                return f'{next_} {{"goal": "{next_}"}}' if not prompt.turns else answers(prompt)[0][1]
        raise AssertionError(prompt.user)

    made = [
        as_tool(an_agent("one", tools=["two"]), "one"),
        as_tool(an_agent("two", tools=["three"], max_depth=4), "two"),
        as_tool(an_agent("three", tools=["say"], max_depth=4), "three"),
    ]
    end = await World([*made, a_say()], ScriptedModel(rule)).ended({"goal": "one"}, "one")
    assert end.result is not None
    assert "'one' lets no more agents be within each other" in end.result.text


# Going on


async def test_a_run_that_broke_off_takes_no_turn_and_makes_no_call_twice(tmp_path: Path) -> None:
    made: list[str] = []
    reached = anyio.Event()
    is_stuck = True

    async def noting(context: Context, arguments: Arguments) -> Result:
        made.append(str(arguments["say"]))
        if arguments["say"] == "b" and is_stuck:
            reached.set()
            await anyio.sleep_forever()
        return Result(str(arguments["say"]))

    def rule(prompt: Prompt) -> str:
        count = sum(isinstance(turn, Said) for turn in prompt.turns)
        return ['say {"say": "a"}', 'say {"say": "b"}', "done"][count]

    model = ScriptedModel(rule)
    world = World([as_tool(an_agent()), a_say(noting)], model)
    with anyio.fail_after(20):
        async with world.engine(tmp_path) as opened:
            run = await opened.start(request(node("a", tool="helper", arguments={"goal": "x"}, type="sub_agent")))
            await reached.wait()
        is_stuck = False
        async with world.engine(tmp_path) as opened:
            await opened.resume(run)
            (end,) = (await opened.outcome(run)).nodes
            told = await events(opened, run)
    assert end.result == Result("done")
    assert (made, len(model.prompts)) == (["a", "b", "b"], 3), "of three turns none is taken twice, nor the first call"
    assert [event.name for event in told if isinstance(event, NodeNoted)] == ["turn 1", "turn 2", "turn 3"]
    inner = [event.told["kind"] for event in told if isinstance(event, NodeTold)]
    assert inner.count("agent_turned") == 5, "what is gone through again is told again"


# Long results


async def test_a_long_result_is_cut_for_the_model_which_can_read_on_and_in_nothing_else() -> None:
    async def long(context: Context, arguments: Arguments) -> Result:
        return Result("".join(f"line {number}\n" for number in range(5_000)))

    refs: list[str] = []

    def rule(prompt: Prompt) -> str:
        told = answers(prompt)
        if not told:
            return 'say {"say": "x"}'
        if len(told) == 1:
            refs.append(told[0][1].rpartition("the whole is ")[2].rstrip("]"))
            return f'result_part {{"ref": "{refs[0]}", "offset": 44000}}\nresult_part {{"ref": "other"}}'
        return "done"

    model = ScriptedModel(rule)
    await World([as_tool(an_agent()), a_say(long)], model).result()
    last = [text for _, text in answers(model.prompts[-1])]
    assert "line 4999" in last[1]
    assert "[cut: " in last[0]
    assert last[2] == "It failed: Nothing is kept as 'other'."
    assert [function.name for function in model.offered[-1]] == ["say", "result_part"]


async def test_a_prompt_that_cannot_be_short_enough_ends_it() -> None:
    world, _ = helping("never", max_context_tokens=600)
    end = await world.ended({"goal": "x" * 4000})
    assert end.result is None
    assert "does not fit into 600 tokens (max_context_tokens)" in end.reason


def test_what_a_call_would_do_is_shown() -> None:
    shown = an_agent(model="big").preview({"goal": "x"})
    assert shown == {"model": "big", "tools": ["say"], "max_iterations": 5, "goal": "x"}


def test_a_model_is_shown_a_plain_material() -> None:
    made = an_agent()
    properties = made.shown["properties"]
    assert isinstance(properties, Mapping)
    material = properties["material"]
    assert isinstance(material, Mapping)
    assert material["type"] == "string"
