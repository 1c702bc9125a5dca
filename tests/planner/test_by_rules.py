from dataclasses import replace
from pathlib import Path

import pytest

from pegboard.app import open_app, settings_from
from pegboard.catalog.contract import Question
from pegboard.events import silent
from pegboard.llm.model import Prompt
from pegboard.llm.scripted import ScriptedModel
from pegboard.plan.graph import Node
from pegboard.planner.by_rules import by_rules
from pegboard.planner.chaining import Before, Taken, of_duty
from pegboard.planner.planned import Goal, Means, Planned
from pegboard.route.gating import reading
from pegboard.route.router import Router
from pegboard.text import Json
from tests.planner.conftest import OpenedDesk
from tests.route.conftest import make_tool

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]


async def plan(opened: OpenedDesk, text: str, site: str = "desk") -> Planned:
    async with opened() as app:
        return await app.plan(app.question(text, site=site))


async def test_the_weather_the_soups_and_the_report_are_a_chain(opened: OpenedDesk) -> None:
    question = "查一下北京天气，再推荐三道适合今天的汤，写成报告保存"
    planned = await plan(opened, question)
    assert planned == Planned(planned.plan, "rules")
    assert planned.plan.nodes == (
        Node("n1", "get_weather", {"city": "北京"}, on_failure="continue"),
        Node("n2", "search", {"query": "推荐三道适合今天的汤"}, depends_on=("n1",), on_failure="continue"),
        Node(
            "n3",
            "write_document",
            {"title": "北京天气；适合今天的汤", "text": "${n1.text}\n\n${n2.text}"},
            depends_on=("n1", "n2"),
        ),
    )


async def test_the_two_best_of_a_description_are_found_before_they_are_compared() -> None:
    question = "compare the two best rated pasta recipes under 30 minutes and suggest a wine"
    async with open_app(settings_from(config=ROOT, environ={})) as app:
        planned = await app.plan(app.question(question, site="kitchen"))
    found, compared, wine = planned.plan.nodes
    assert found == Node("n1", "search", {"query": "the two best rated pasta recipes under 30 minutes"})
    assert (compared.tool, compared.arguments["item1_name"], compared.arguments["item2_name"]) == (
        "compare",
        "${n1.items[0].name}",
        "${n1.items[1].name}",
    )
    assert (wine.tool, dict(wine.arguments)) == (
        "accompaniment",
        {"main_item": "${n1.items[0].name}", "accompaniment_type": "wine"},
    )
    assert wine.depends_on == compared.depends_on == ("n1",)


async def test_what_does_not_need_each_other_waits_for_nothing(opened: OpenedDesk) -> None:
    planned = await plan(opened, "What is the weather in Paris? Then recommend three desserts")
    assert planned.plan.nodes == (
        Node("n1", "get_weather", {"city": "Paris"}),
        Node("n2", "search", {"query": "recommend three desserts"}),
    )


async def test_the_first_two_are_those_that_were_found(opened: OpenedDesk) -> None:
    planned = await plan(opened, "find soups and compare the first two")
    assert planned.plan.nodes[1] == Node(
        "n2",
        "compare",
        {"item1_name": "${n1.items[0].name}", "item2_name": "${n1.items[1].name}"},
        depends_on=("n1",),
    )


async def test_a_question_of_one_part_is_a_single_step(opened: OpenedDesk) -> None:
    assert (await plan(opened, "weather in Shanghai")).by == "single"


WRITER = replace(
    make_tool("writer", description="Writes a report."),
    handler="pegboard.handlers.agent:agent",
    parameters={
        "type": "object",
        "properties": {
            "goal": {"type": "string"},
            "material": {
                "anyOf": [
                    {"type": "string"},
                    {
                        "type": "array",
                        "items": {"type": "object", "properties": {"title": {}, "text": {}, "evidence": {}}},
                    },
                ]
            },
        },
        "required": ["goal"],
    },
)
ARCHIVIST = replace(WRITER, name="archivist", description="Keeps reports.")


async def test_agents_write_and_keep_what_the_steps_before_them_gave(opened: OpenedDesk) -> None:
    text = "查一下北京天气，再推荐三道适合今天的汤，写成报告保存"
    async with opened() as app:
        toolset = app.catalog.toolset("desk")
        with_agents = replace(toolset, tools=(*toolset.tools, WRITER, ARCHIVIST))
        means = Means(Router(app.scorer), nobody, silent, timeout_seconds=10.0, plan_timeout_seconds=30.0)
        planned = await by_rules(Goal(Question(text, "desk"), with_agents, "zh"), means)
    assert planned is not None
    assert planned.plan.nodes[2:] == (
        Node(
            "n3",
            "writer",
            {
                "goal": "写成报告",
                "material": [
                    {"title": "查一下北京天气", "text": "${n1.text}\n", "evidence": ["${n1.evidence.*}"]},
                    {"title": "推荐三道适合今天的汤", "text": "${n2.text}\n", "evidence": ["${n2.evidence.*}"]},
                ],
            },
            "sub_agent",
            depends_on=("n1", "n2"),
        ),
        Node(
            "n4",
            "archivist",
            {"goal": "保存", "material": [{"text": "${n3.text}\n", "evidence": ["${n3.evidence.*}"]}]},
            "sub_agent",
            depends_on=("n3",),
        ),
    )


async def test_what_nothing_fits_is_left_out_and_said(opened: OpenedDesk) -> None:
    planned = await plan(opened, "find soups, compare the first two and translate a poem by Rilke into Dutch")
    assert [node.tool for node in planned.plan.nodes] == ["search", "compare"]
    assert planned.degraded == "'translate a poem by Rilke into Dutch' was left out: no tool fits it."


@pytest.mark.parametrize(
    ("question", "tools", "told"),
    [
        (
            "find soups and compare the first two, then save the result",
            ["search", "compare"],
            "'save the result' was left out: it cannot be done here, for no tool of the plan keeps anything.",
        ),
        (
            "推荐三道汤，然后写成报告",
            ["search"],
            "'写成报告' was left out: it cannot be done here, for no tool of the plan writes.",
        ),
    ],
)
async def test_what_nothing_here_writes_or_keeps_is_left_out_and_said(
    opened: OpenedDesk, question: str, tools: list[str], told: str
) -> None:
    async with opened() as app:
        toolset = reading(app.catalog.toolset("desk"))
        means = Means(Router(app.scorer), names=nobody, emit=silent, timeout_seconds=10.0, plan_timeout_seconds=10.0)
        planned = await by_rules(Goal(Question(question, "desk"), toolset, "en"), means)
        answer = await app.ask(app.question(question, site="reading"))
    assert planned is not None
    assert ([node.tool for node in planned.plan.nodes], planned.degraded) == (tools, told)
    assert (answer.tool, "Kept “" in answer.text) == ("plan", False)


async def test_what_lacks_an_argument_is_left_out_and_said(opened: OpenedDesk) -> None:
    planned = await plan(opened, "check the weather, then find soups and compare the first two")
    assert [node.tool for node in planned.plan.nodes] == ["search", "compare"]
    assert "'check the weather' was left out: for get_weather" in planned.degraded


async def test_a_report_goes_on_without_a_step_that_failed(opened: OpenedDesk) -> None:
    question = "What is the weather in Atlantis? Find soups for it, write a report and save it"
    async with opened() as app:
        answer = await app.ask(app.question(question, site="desk", mode="plan"))
    assert "Kept “" in answer.text
    assert "Tomato Soup" in answer.text
    assert "There is no weather in Atlantis." in answer.text


async def test_rules_stand_in_for_a_model_whose_plan_cannot_be_read_and_ask_it_no_more(opened: OpenedDesk) -> None:
    model = ScriptedModel("I would look at the weather first.")
    async with opened(model=model) as app:
        planned = await app.plan(app.question("find soups and compare the first two", site="desk"))
    assert (planned.by, [node.tool for node in planned.plan.nodes]) == ("rules", ["search", "compare"])
    assert planned.degraded
    assert len(model.prompts) == 2  # the plan, and once more with what was wrong


async def test_a_model_that_only_scores_chooses_the_tool_of_each_part(opened: OpenedDesk) -> None:
    def score(prompt: Prompt) -> str:
        tool = "search" if "<question>\nfind" in prompt.user else "get_weather"
        return '{"score": 95}' if f"Tool: {tool}\n" in prompt.system else '{"score": 5}'

    model = ScriptedModel(score)
    async with opened() as app:
        toolset = app.catalog.toolset("desk")
        router = Router(app.scorer)
        text = "find soups, then recommend three desserts for Paris"
        means = Means(router, names=nobody, emit=silent, timeout_seconds=10.0, plan_timeout_seconds=30.0, scorer=model)
        planned = await by_rules(Goal(Question(text, "desk"), toolset, "en"), means)
    assert planned is not None
    assert [node.tool for node in planned.plan.nodes] == ["search", "get_weather"]


async def nobody(text: str) -> list[str]:
    return []


def test_what_keeps_sources_is_given_what_all_steps_rest_on() -> None:
    keeper = replace(
        make_tool("write_document"),
        parameters={"properties": {"title": {}, "text": {"type": "string"}, "sources": {"type": "array"}}},
    )
    material = [
        Before("n1", make_tool("weather"), "check the weather"),
        Before("n2", make_tool("search"), "find soups"),
    ]
    taken = of_duty(keeper, "save it", {}, material, question="check the weather, find soups and save it")
    assert taken == Taken(
        {
            "title": "Weather; soups",
            "text": "${n1.text}\n\n${n2.text}",
            "sources": ["${n1.evidence.*}", "${n2.evidence.*}"],
        },
        ("n1", "n2"),
        is_needed=False,
    )


@pytest.mark.parametrize("declared", [{"type": "string"}, {"type": "array", "items": {"type": "string"}}])
def test_what_keeps_other_sources_is_given_none(declared: Json) -> None:
    keeper = replace(make_tool("keep"), parameters={"properties": {"text": {}, "sources": declared}})
    taken = of_duty(keeper, "save it", {}, [Before("n1", make_tool("search"), "find soups")], question="save it")
    assert taken.arguments == {"text": "${n1.text}"}
