"""A plan of a model: what is wrong goes back once, then its order is dropped where that harms nothing, or it is refused."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import anyio
import pytest

from pegboard.catalog.contract import Question
from pegboard.catalog.tool import Toolset
from pegboard.errors import ModelUnreachable
from pegboard.events import Degraded, Event
from pegboard.llm.hashed import HashedEmbedder
from pegboard.llm.model import Completion, Prompt, Prompted, Said
from pegboard.llm.scripted import Saying, ScriptedModel
from pegboard.plan.graph import Node
from pegboard.planner.by_model import NoPlan, by_model
from pegboard.planner.make import make
from pegboard.planner.planned import Goal, Means, Planned, planned_from
from pegboard.planner.prompt import MOST_CHARACTERS, MOST_TOOLS, system_prompt
from pegboard.planner.schema import reply_schema
from pegboard.route.embedded import train
from pegboard.route.router import Router
from pegboard.text import Json
from tests.planner.tools import PLAN, SEARCH, TOOLS, step, steps, tool
from tests.twins import a_toolset

GOOD = steps(step("n1", query="soup"))
CIRCLE = steps(step("a", query="x", waits=("b",)), step("b", query="y", waits=("a",)))


async def no_names(text: str) -> Sequence[str]:
    return ()


def saying(*replies: Saying) -> ScriptedModel:
    left = iter(replies)
    return ScriptedModel(lambda prompt: next(left))


def means(model: ScriptedModel | None, toolset: Toolset, told: list[Event] | None = None) -> Means:
    emit = (lambda event: None) if told is None else told.append
    return Means(Router(train(HashedEmbedder(), toolset.tools)), no_names, emit, 10.0, 30.0, planner=model)


async def planned(model: ScriptedModel, toolset: Toolset = TOOLS) -> Planned:
    with anyio.fail_after(30):
        return await by_model(Goal(Question("soup?", "here"), toolset, "en"), means(model, toolset), model)


async def test_a_sound_plan_is_taken_as_it_is() -> None:
    model = saying(GOOD)
    found = await planned(model)
    assert (found.plan.nodes, found.by, found.mended, found.degraded) == (
        (Node("n1", "search", {"query": "soup"}),), "scripted", (), "",
    )  # fmt: skip
    assert model.schemas == [reply_schema(TOOLS.tools)]
    assert planned_from(found.to_json()) == found


async def test_what_is_wrong_goes_back_to_the_model_once() -> None:
    model = saying(steps(step("a", "nosuch", query="x"), step("b", query="${zz}")), GOOD)
    assert (await planned(model)).plan.nodes[0].id == "n1"
    said, prompted = model.prompts[1].turns
    assert isinstance(said, Said)
    assert isinstance(prompted, Prompted)
    assert "nosuch" in said.text
    assert "- Step 'a': there is no tool 'nosuch'." in prompted.text
    assert "- Step 'b' waits for 'zz', which is no step." in prompted.text


@pytest.mark.parametrize("first", ["I cannot do that.", "{}", "[" * 500, steps(*[step("a", query="x")] * 300)])
async def test_a_reply_that_is_no_plan_goes_back_as_well(first: str) -> None:
    assert (await planned(saying(first, GOOD))).plan.nodes[0].id == "n1"


async def test_an_order_that_cannot_be_kept_is_dropped_where_steps_only_read_and_it_is_said() -> None:
    found = await planned(saying(CIRCLE, CIRCLE))
    assert [node.depends_on for node in found.plan.nodes] == [(), ()]
    assert found.degraded.startswith("The order of its steps was dropped, for it cannot be kept: These steps wait")


@pytest.mark.parametrize(
    "text",
    [
        steps(step("a", "save_note", text="x", waits=("b",)), step("b", query="y", waits=("a",))),
        steps(step("a", query="${b.text}"), step("b", query="${a.text}")),
        steps({**step("a", query="x", waits=("b",)), "when": "nodes.b"}, step("b", query="y", waits=("a",))),
        steps(step("a", "nosuch", query="x"), step("b", query="y", waits=("b",))),
    ],
)
async def test_it_is_not_dropped_where_that_could_harm(text: str) -> None:
    with pytest.raises(NoPlan, match="cannot be used"):
        await planned(saying(text, text))


@pytest.mark.parametrize("text", ["[]", '{"steps": []}', 'None fits: {"steps": []}'])
async def test_a_plan_without_a_step_is_taken_at_its_word(text: str) -> None:
    with pytest.raises(NoPlan, match="finds no step to plan"):
        await planned(saying(text))


async def test_a_model_that_cannot_be_reached_gives_no_plan() -> None:
    with pytest.raises(NoPlan, match="gave no plan: no connection"):
        await planned(saying(ModelUnreachable("no connection")))


async def test_without_a_plan_of_the_model_the_question_is_planned_without_it_and_it_is_said() -> None:
    told: list[Event] = []
    toolset = a_toolset(SEARCH)
    model = saying("no", "no")
    with anyio.fail_after(30):
        question = Question("soup", "here")
        found = await make(Goal(question, toolset, "en"), means(model, toolset, told))
    assert found.by != "scripted"
    assert "The plan of model 'scripted' cannot be used" in found.degraded
    assert any(isinstance(event, Degraded) and "cannot be used" in event.reason for event in told)


# The prompt


async def test_a_tool_that_plans_is_neither_shown_nor_taken() -> None:
    toolset = a_toolset(SEARCH, PLAN)
    model = saying(steps(step("a", "plan", goal="x")), GOOD)
    await planned(model, toolset)
    assert "- plan" not in model.prompts[0].system
    assert "there is no tool 'plan'" in str(model.prompts[1].turns)


async def test_the_question_comes_last_and_in_its_fence() -> None:
    model = saying(GOOD)
    await planned(model)
    assert model.prompts[0].user == "<question>\nsoup?\n</question>\n\nReply with the JSON object only."


def test_the_prompt_tells_what_tools_take_and_which_change_something() -> None:
    text = system_prompt(TOOLS.tools)
    assert '- search: search does it.\n  arguments: {"query":"string","limit":"integer, optional"}' in text
    assert "- save_note (may change something): " in text
    assert "Agents:\n- writer" in text
    assert "sub_agent" not in system_prompt([SEARCH])


def test_of_objects_within_arguments_the_schema_is_shown() -> None:
    inner: Json = {"type": "object", "properties": {"city": {"type": "string"}}}
    made = replace(SEARCH, parameters={"type": "object", "properties": {"places": {"type": "array", "items": inner}}})
    assert 'arguments: {"properties":{"places":{"type":"array","items":{"type":"object"' in system_prompt([made])


async def test_of_very_many_tools_a_bounded_prompt_shows_the_nearest() -> None:
    many = a_toolset(*[tool(f"tool_{place}", *[f"argument_{each}" for each in range(60)]) for place in range(300)])
    given: dict[str, Json] = {f"argument_{each}": "x" for each in range(60)}
    model = saying(steps({**step("a", "tool_7"), "arguments": given}))
    await planned(model, many)
    assert model.prompts[0].system.count("\n- tool_") == MOST_TOOLS
    assert len(model.prompts[0].system) < MOST_CHARACTERS + 5_000


class _Timed(ScriptedModel):
    """Notes how long it may take each time."""

    def __init__(self, *replies: str) -> None:
        left = iter(replies)
        super().__init__(lambda prompt: next(left))
        self.seconds: list[float] = []

    async def complete(
        self,
        prompt: Prompt,
        *,
        schema: Mapping[str, Json] | None = None,
        max_tokens: int = 512,
        timeout_seconds: float = 30.0,
    ) -> Completion:
        self.seconds.append(timeout_seconds)
        return await super().complete(prompt, schema=schema, max_tokens=max_tokens, timeout_seconds=timeout_seconds)


async def test_a_second_try_has_what_the_first_left_of_the_time_for_a_plan() -> None:
    model = _Timed("no plan", GOOD)
    await planned(model)
    first, second = model.seconds
    assert first == 30.0 > second > 0.0
