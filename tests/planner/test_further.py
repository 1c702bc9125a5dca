"""Further steps after a run: when they are called for, what they may refer to, and what they may not."""

import anyio
import pytest

from pegboard.catalog.contract import NodeEnd, Question, Ran, Result
from pegboard.events import Degraded, Event
from pegboard.llm.scripted import ScriptedModel
from pegboard.plan.graph import Node, Plan
from pegboard.plan.references import resolved
from pegboard.planner.further import Further, further, together, wanting
from pegboard.planner.planned import Goal, Planned
from pegboard.text import Json
from tests.planner.test_by_model import means
from tests.planner.tools import TOOLS, step, steps

FIRST = Node("n1", "search", {"query": "soup"})
SECOND = Node("n2", "details", {"name": "${n1.items[0].name}"}, when="nodes.n1.items")
PLAN = Plan((FIRST, SECOND))
FOUND = NodeEnd("n1", "search", "succeeded", Result("Tomato soup", data={"best": "Tomato"}))
EMPTY = NodeEnd("n1", "search", "succeeded", Result("Nothing.", status="not_found"))
FAILED = NodeEnd("n2", "details", "failed", reason="the service is down")
SKIPPED = NodeEnd("n2", "details", "skipped")
DONE = NodeEnd("n2", "details", "succeeded", Result("It is red."))


@pytest.mark.parametrize(
    ("ends", "wanted"),
    [
        ((FOUND, DONE), ()),
        ((FOUND, FAILED), ("n2",)),
        ((EMPTY, SKIPPED), ("n1",)),
        ((FOUND, SKIPPED), ()),
        ((EMPTY, DONE), ()),
    ],
)
def test_steps_are_called_for_by_a_failure_and_by_what_found_nothing_for_others(
    ends: tuple[NodeEnd, ...], wanted: tuple[str, ...]
) -> None:
    assert wanting(Ran("r", "partly", ends), PLAN) == wanted


def test_a_run_that_was_cancelled_calls_for_nothing() -> None:
    assert wanting(Ran("r", "cancelled", (FOUND, FAILED)), PLAN) == ()


async def after(reply: str, told: list[Event] | None = None) -> Further | None:
    model = ScriptedModel(reply)
    goal = Goal(Question("a soup?", "here"), TOOLS, "en")
    with anyio.fail_after(30):
        return await further(goal, means(model, TOOLS, told), Planned(PLAN, "x"), Ran("r", "partly", (FOUND, FAILED)))


async def test_they_may_refer_to_what_succeeded_which_goes_in_as_inputs() -> None:
    more = await after(
        steps(
            {**step("n3", query="about ${n1.best}", waits=("n1",)), "when": "nodes.n1.best"}, step("n4", query="${n1}")
        )
    )
    assert more is not None
    assert more.planned.after == ("n2",)
    assert [dict(node.arguments) for node in more.planned.plan.nodes] == [
        {"query": "about ${n1.best}"}, {"query": "${n1}"},
    ]  # fmt: skip
    first, second = more.plan.nodes
    assert (dict(first.arguments), first.depends_on) == ({"query": "about ${inputs.n1.parts.best}"}, ())
    assert first.when == 'inputs."n1".parts.best'
    assert dict(second.arguments) == {"query": "${inputs.n1.whole}"}
    parts = {"items": [], "evidence": [], "text": "Tomato soup"}
    assert more.inputs == {"n1": {"whole": {"best": "Tomato"}, "parts": {**parts, "best": "Tomato"}}}


async def test_what_waits_for_a_step_that_gave_nothing_waits_no_more_but_may_not_refer_to_it() -> None:
    more = await after(steps(step("n3", query="broth", waits=("n1", "n2"))))
    assert more is not None
    assert [node.depends_on for node in more.planned.plan.nodes] == [("n1",)]
    assert [node.depends_on for node in more.plan.nodes] == [()]
    told: list[Event] = []
    assert await after(steps(step("n3", query="like ${n2.text}", waits=("n2",))), told) is None
    assert [str(event.reason).count("'n2'") for event in told if isinstance(event, Degraded)] == [1]


@pytest.mark.parametrize(
    ("data", "query", "value"),
    [
        ([{"name": "Leek"}, {"name": "Pea"}], "${n1.text} ${n1[0].name} ${n1.1.name}", "Said. Leek Pea"),
        ("rain", "${n1.text} ${n1}", "Said. rain"),
        (7, "${n1.text} ${n1}", "Said. 7"),
    ],
)
async def test_of_data_without_names_they_may_refer_to_its_words_too(data: Json, query: str, value: str) -> None:
    rows = NodeEnd("n1", "search", "succeeded", Result("Said.", data=data))
    model = ScriptedModel(steps(step("n3", query=query, waits=("n1",))))
    goal, ran = Goal(Question("a soup?", "here"), TOOLS, "en"), Ran("r", "partly", (rows, FAILED))
    with anyio.fail_after(30):
        more = await further(goal, means(model, TOOLS, None), Planned(PLAN, "x"), ran)
    assert more is not None
    (node,) = more.plan.nodes
    assert resolved(node.arguments["query"], {"inputs": dict(more.inputs)}.__getitem__) == value


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (steps(step("n3", query="${n2.text}")), "waits for 'n2', which is no step"),
        (steps(step("n1", query="again")), "is that of an earlier step"),
        (steps(step("n3", query="soup")), "is one that has been done"),
        (steps(step("n3", "nosuch", query="x")), "there is no tool 'nosuch'"),
        ("I am sorry.", "No further steps were planned"),
    ],
)
async def test_what_cannot_be_done_is_not_done_and_it_is_said(reply: str, why: str) -> None:
    told: list[Event] = []
    assert await after(reply, told) is None
    (event,) = told
    assert isinstance(event, Degraded)
    assert why in event.reason


async def test_a_model_that_has_no_further_steps_says_so_and_nothing_is_degraded() -> None:
    told: list[Event] = []
    assert await after('{"steps": []}', told) is None
    assert told == []


def test_both_rounds_are_told_as_one_and_what_failed_stays_told() -> None:
    more = Plan((Node("n3", "details", {"name": "${n1.best}"}),))
    then = Ran("q", "succeeded", (NodeEnd("n3", "details", "succeeded", Result("Red.")),))
    plan, ran = together(PLAN, more, Ran("r", "partly", (FOUND, FAILED)), then)
    assert [node.id for node in plan.nodes] == [end.node for end in ran.nodes] == ["n1", "n2", "n3"]
    assert (ran.run, ran.status) == ("r", "partly")
    assert together(PLAN, more, Ran("r", "succeeded", (FOUND, DONE)), then)[1].status == "succeeded"
