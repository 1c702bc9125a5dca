"""A decision is made again from its JSON, and agrees."""

import json
from dataclasses import replace
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pegboard.catalog.contract import Mode, Question, Strategy
from pegboard.catalog.tool import Routing, Rule, Toolset
from pegboard.errors import UnknownTool, UsageError
from pegboard.events import silent
from pegboard.llm.hashed import HashedEmbedder
from pegboard.llm.model import Prompt
from pegboard.llm.scripted import ScriptedModel
from pegboard.route.choose import Choice
from pegboard.route.decision import Decision
from pegboard.route.embedded import train
from pegboard.route.replay import decision_from, redecide
from pegboard.route.router import Router
from tests.route.conftest import make_tool, make_toolset
from tests.route.strategies.conftest import tools_in

TOOLS = tuple(
    replace(make_tool(name, en=[f"{name} please"]), handler=handler)
    for name, handler in [
        ("search", "pegboard.handlers.search:search"),
        ("compare", "x:y"),
        ("find", "pegboard.handlers.search:search"),
        ("clock", "x:y"),
        ("sum", "x:y"),
    ]
)
RULES = (Rule("sum", ("plus",), r"^\d+$"), Rule("clock", ("time",)))
ROUTER = Router(train(HashedEmbedder(), TOOLS))
NUMBERS = st.floats(0, 100) | st.sampled_from([69.99, 70.0, 89.99, 90.0, 100.0])
REPLIES = st.one_of(NUMBERS.map(str), NUMBERS.map(lambda number: f"{number:.0f}/100"), st.just("no idea"))


@st.composite
def cases(draw: st.DrawFn) -> tuple[Question, Routing, list[str]]:
    names = [tool.name for tool in TOOLS]
    question = Question(
        text=draw(st.sampled_from(["find please", "2 plus 2", "what time is it", "12", "x"])),
        site="kitchen",
        tools=tuple(draw(st.lists(st.sampled_from(names), max_size=3))),
        mode=draw(st.sampled_from(["tool", "tool", "tool", "knowledge", "chat"])),
        strategy=draw(st.none() | st.sampled_from(["score", "batch", "functions", "embedded", "cascade"])),
    )
    routing = Routing(
        fallback=draw(st.sampled_from(["", "search", "clock"])),
        shortlist=draw(st.integers(1, 6)),
        rules=draw(st.sampled_from([(), RULES])),
        cutoff=draw(st.sampled_from([0.0, 70.0, 100.0])),
    )
    return question, routing, draw(st.lists(REPLIES, min_size=5, max_size=5))


def decided(question: Question, routing: Routing, replies: list[str]) -> tuple[Decision, Toolset]:
    toolset = make_toolset(*TOOLS, routing=routing)
    said = dict(zip([tool.name for tool in TOOLS], replies, strict=True))

    def answer(prompt: Prompt) -> str:
        match tools_in(prompt):
            case []:
                return "\n".join(f"{name} {{}}" for name in said if said[name][-1] in "0369")
            case [name]:
                return json.dumps({"score": said[name]})
            case names:
                return json.dumps({name: said[name] for name in names})

    async def run() -> Decision:
        return await ROUTER.route(question, toolset, emit=silent, model=ScriptedModel(answer))

    return anyio.run(run), toolset


@settings(max_examples=300)
@given(cases())
def test_a_decision_made_again_from_its_json_agrees(case: tuple[Question, Routing, list[str]]) -> None:
    question, routing, replies = case
    decision, toolset = decided(question, routing, replies)
    told = json.loads(json.dumps(decision.to_json()))
    again = redecide(told, routing)
    name = decision.tool.name if decision.tool else None
    candidate = next((each for each in decision.candidates if each.tool == name), None)
    read = decision_from(told, toolset)
    shown = tuple(replace(each, local=None) for each in decision.candidates)
    assert tuple(replace(each, local=None) for each in read.candidates) == shown
    assert again.decided_by == decision.decided_by
    assert again.rule == decision.rule
    assert (again.candidate and (again.candidate.tool, again.candidate.score)) == (
        candidate and (candidate.tool, candidate.score)
    )
    assert read.to_json() == told


TOLD: dict[str, Any] = {
    "query": "x",
    "site": "kitchen",
    "tool": "b",
    "decided_by": "best",
    "mode": "tool",
    "strategy": "score",
    "model": "m",
    "candidates": [
        {"tool": "a", "score": 69.9, "exact": 69.99, "scored": True, "state": "scored", "reason": ""},
        {"tool": "b", "score": 71, "scored": True, "state": "scored", "reason": ""},
    ],
}


def test_other_thresholds_decide_otherwise_from_the_same_scores() -> None:
    assert redecide(TOLD, Routing(fallback="")).decided_by == "best"
    assert redecide(TOLD, Routing(cutoff=80, fallback="")) == Choice(None, "none")
    higher = redecide(TOLD, Routing(cutoff=80, fallback="a"))
    assert higher.candidate is not None
    assert (higher.candidate.tool, higher.candidate.score, higher.decided_by) == ("a", 69.99, "fallback")


@pytest.mark.parametrize(
    "change",
    [
        {"candidates": None},
        {"candidates": ["a"]},
        {"candidates": [{"tool": "a", "score": "high", "state": "scored"}]},
        {"candidates": [{"tool": "a", "score": 1, "state": "lost"}]},
        {"mode": "dance"},
        {"named": "a"},
        {"query": 3},
    ],
)
def test_what_is_no_decision_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="This is no decision"):
        redecide(TOLD | change, Routing())


def test_a_decision_for_a_tool_that_is_gone_cannot_be_read_back() -> None:
    with pytest.raises(UnknownTool):
        decision_from(TOLD | {"tool": "gone"}, make_toolset(*TOOLS))
    with pytest.raises(UsageError):
        decision_from(TOLD | {"decided_by": "dice"}, make_toolset(*TOOLS))


def test_modes_and_strategies_are_those_of_the_contract() -> None:
    modes: list[Mode] = ["chat", "tool", "knowledge"]
    strategies: list[Strategy | None] = ["batch", None]
    for mode in modes:
        for strategy in strategies:
            told = TOLD | {"mode": mode, "strategy": strategy, "tool": None}
            assert decision_from(told, make_toolset(*TOOLS)).to_json()["mode"] == mode
