"""What plans, and agents, are candidates only of questions of several parts; others cost what they would without."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, get_args

import pytest

from pegboard.catalog.contract import Question, Strategy
from pegboard.catalog.tool import Routing, Rule, Tool, Toolset
from pegboard.events import silent
from pegboard.llm.embedder import SentenceEncoder
from pegboard.llm.model import Prompt
from pegboard.llm.scripted import ScriptedModel
from pegboard.route.decision import Decision
from pegboard.route.embedded import train
from pegboard.route.evaluation import examples_of
from pegboard.route.gating import LEFT_OUT, plain, steps
from pegboard.route.replay import decision_from, redecide
from pegboard.route.router import Router
from tests.route.conftest import CLOCK, COMPARE, KITCHEN, SEARCH, ask, make_tool, make_toolset

pytestmark = pytest.mark.anyio

PLAN = replace(
    make_tool("plan", description="Does what takes several steps.", en=["find a soup and compare it with another"]),
    handler="pegboard.handlers.plan:plan",
)
WRITER = replace(
    make_tool("writer", description="An agent that writes reports.", en=["write a report on soups"]),
    handler="pegboard.handlers.agent:agent",
)
GATED = make_toolset(*KITCHEN.tools, PLAN, WRITER)
ONE = "chocolate cake without nuts"
SEVERAL = "find me a chocolate cake without nuts and tell me what time it is"


@pytest.fixture(scope="module")
def router(encoder: SentenceEncoder) -> Router:
    return Router(train(encoder, GATED.tools))


async def routed(
    router: Router, text: str, toolset: Toolset = GATED, model: ScriptedModel | None = None, **said: Any
) -> Decision:
    return await router.route(replace(ask(text), **said), toolset, emit=silent, model=model)


def state(decision: Decision) -> dict[str, str]:
    return {candidate.tool: candidate.state for candidate in decision.candidates}


def low(prompt: Prompt) -> str:
    return '{"score": 75}'


async def test_a_question_of_one_part_leaves_them_out_and_says_so(router: Router) -> None:
    decision = await routed(router, "chocolate cake without any nuts")
    out = [candidate for candidate in decision.candidates if candidate.state == "left_out"]
    assert decision.tool is SEARCH
    assert [(candidate.tool, candidate.score, candidate.reason) for candidate in out] == [
        ("plan", None, LEFT_OUT),
        ("writer", None, LEFT_OUT),
    ]
    assert "parts" not in decision.to_json()


@pytest.mark.parametrize("strategy", get_args(Strategy))
async def test_a_question_of_one_part_costs_as_many_calls_as_without_them(router: Router, strategy: Strategy) -> None:
    calls = {}
    for toolset in (KITCHEN, GATED):
        model = ScriptedModel(low)
        decision = await routed(router, ONE, toolset, model, strategy=strategy)
        calls[toolset] = (decision.model_calls, decision.tool)
    assert calls[KITCHEN] == calls[GATED]


async def test_the_local_scores_of_a_question_of_one_part_are_the_same_without_them(encoder: SentenceEncoder) -> None:
    without = Router(train(encoder, KITCHEN.tools))
    planning = Router(train(encoder, (*KITCHEN.tools, PLAN)))
    gated = make_toolset(*KITCHEN.tools, PLAN)
    one = await routed(without, ONE, KITCHEN)
    other = await routed(planning, ONE, gated)
    assert one.candidates == other.candidates[:-1]


async def test_a_question_of_several_parts_goes_to_what_plans_with_its_parts(router: Router) -> None:
    decision = await routed(router, SEVERAL)
    assert (decision.tool, decision.score) == (PLAN, 100.0)
    assert [(part.text, part.tool) for part in decision.parts] == [
        ("find me a chocolate cake without nuts", "search"),
        ("tell me what time it is", "clock"),
    ]
    assert set(state(decision).values()) == {"scored"}


@pytest.mark.parametrize(("given", "text"), [("clock", SEVERAL), ("writer", f" {SEVERAL.upper()} ")])
async def test_an_example_of_a_tool_is_that_tools_however_many_parts_it_has(given: str, text: str) -> None:
    tools = [replace(each, examples={"en": (*each.examples["en"], SEVERAL)}) if each.name == given else each
             for each in GATED.tools]  # fmt: skip
    toolset = make_toolset(*tools)
    encoder = SentenceEncoder()
    decision = await routed(Router(train(encoder, toolset.tools)), text, toolset)
    assert (decision.tool, decision.parts) == (toolset.tool(given), ())
    told = {candidate.tool: candidate.reason for candidate in decision.candidates if candidate.state == "left_out"}
    assert told["plan"] == f"the question is an example of {given}"
    assert ("writer" in told) == (given != "writer")
    asked = await routed(Router(train(encoder, toolset.tools)), text, toolset, tools=("plan", "search"))
    assert asked.tool is PLAN, "the client has not named the tool of which it is an example"


async def test_a_model_scores_what_plans_as_any_other(router: Router) -> None:
    asked: list[str] = []

    def score(prompt: Prompt) -> str:
        asked.append(next(line for line in prompt.system.splitlines() if line.startswith("Tool: ")))
        return '{"score": 95}' if "Tool: plan\n" in prompt.system else '{"score": 20}'

    decision = await routed(router, SEVERAL, model=ScriptedModel(score))
    assert decision.tool is PLAN
    assert "Tool: plan" in asked


async def test_the_only_other_tool_is_taken_without_a_score(router: Router) -> None:
    toolset = make_toolset(SEARCH, PLAN, WRITER)
    decision = await routed(router, ONE, toolset)
    assert (decision.tool, decision.decided_by, decision.score) == (SEARCH, "single", 100.0)
    assert state(decision) == {"search": "scored", "plan": "left_out", "writer": "left_out"}


async def test_a_site_of_agents_alone_has_nothing_for_one_part_but_its_fallback(router: Router) -> None:
    agents = make_toolset(PLAN, WRITER, routing=Routing(fallback=""))
    falling = make_toolset(PLAN, WRITER, routing=Routing(fallback="writer"))
    assert ((await routed(router, ONE, agents)).tool, (await routed(router, ONE, falling)).tool) == (None, WRITER)


async def test_a_rule_that_names_one_is_enough(router: Router) -> None:
    toolset = make_toolset(*GATED.tools, routing=Routing(rules=(Rule("writer", ("cake",)),)))
    decision = await routed(router, ONE, toolset)
    assert (decision.tool, decision.decided_by) == (WRITER, "rule")


async def test_a_client_that_names_one_gets_it(router: Router) -> None:
    decision = await routed(router, ONE, tools=("plan",))
    assert (decision.tool, decision.decided_by) == (PLAN, "explicit")


@pytest.mark.parametrize(("toolset", "tool"), [(GATED, PLAN), (KITCHEN, None)])
async def test_the_mode_plan_takes_what_plans(router: Router, toolset: Toolset, tool: Tool | None) -> None:
    decision = await routed(router, ONE, toolset, mode="plan")
    assert (decision.tool, decision.decided_by) == (tool, "mode")


async def test_a_part_of_another_question_may_go_to_an_agent(router: Router) -> None:
    decision = await router.route(
        Question("write a report on soups", "kitchen"), steps(GATED), emit=silent, model=None, is_part=True
    )
    assert decision.tool is WRITER


@pytest.mark.parametrize("text", [ONE, SEVERAL])
async def test_a_decision_with_parts_can_be_replayed(router: Router, text: str) -> None:
    decision = await routed(router, text)
    told = decision.to_json()
    choice = redecide(told, GATED.routing)
    assert (choice.candidate and choice.candidate.tool, choice.decided_by) == (told["tool"], told["decided_by"])
    assert decision_from(told, GATED).to_json() == told


async def test_the_choice_of_one_of_one_can_be_replayed(router: Router) -> None:
    toolset = make_toolset(SEARCH, PLAN)
    told = (await routed(router, ONE, toolset)).to_json()
    assert redecide(told, toolset.routing).decided_by == "single"


def test_a_toolset_without_them_is_left_as_it_is() -> None:
    assert plain(KITCHEN) is steps(KITCHEN) is KITCHEN
    assert plain(GATED) is plain(GATED)
    assert [tool.name for tool in steps(GATED).tools] == [*(tool.name for tool in KITCHEN.tools), "writer"]


def test_their_examples_are_no_cases_for_an_evaluation() -> None:
    asked = {case.expect for case in examples_of(GATED)}
    assert asked == {"search", "compare", "clock", "recipe_substitutions"}


@pytest.mark.parametrize("pick", [lambda: COMPARE, lambda: CLOCK])
def test_ordinary_tools_are_not_for_parts(pick: Callable[[], Tool]) -> None:
    assert not (pick().is_for_parts)
    assert not (pick().is_planning)
