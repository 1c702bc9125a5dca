"""Agents without a model: they keep, they write up, or they plan by rules; and say so."""

from typing import Any

import pytest

from pegboard.catalog.contract import Context, Result
from pegboard.errors import CallFailed, ModelUnreachable
from pegboard.events import Degraded
from pegboard.handlers.agent.material import Material, Piece, read
from pegboard.handlers.agent.without_model import Asked, title_of, written
from pegboard.text import Json
from tests.handlers.agent.agents import World, a_say, an_agent, as_tool, scripted
from tests.run.running import Arguments, tools

EVIDENCE: list[Json] = [{"number": 1, "text": "Fact", "url": "https://a.example", "name": "A"}]


class Planner:
    """Fulfils `run.context.Solving`."""

    asked: tuple[str, tuple[str, ...]] = ("", ())

    async def solve(self, goal: str, context: Any, *, tools: Any = None) -> Result:
        self.asked = (goal, tuple(tools))
        return Result("solved", data={"nodes": 1})


async def test_it_plans_by_rules_within_its_list_and_says_so() -> None:
    planner = Planner()
    world = World([as_tool(an_agent()), a_say()], None, solving=planner)
    assert await world.result("what is the weather?") == Result("solved")
    assert planner.asked == ("what is the weather?", ("say",))
    assert [event.reason for event in world.told if isinstance(event, Degraded)] == [
        "Agent 'helper' worked by rules: there is no model."
    ]


async def test_it_does_so_where_its_model_never_answers() -> None:
    world = World([as_tool(an_agent()), a_say()], scripted(ModelUnreachable("away")), solving=Planner())
    assert (await world.result()).text == "solved"
    assert any("Its model gave no answer: away" in event.reason for event in world.told if isinstance(event, Degraded))


async def test_material_is_kept_under_its_title_by_a_tool_that_keeps_texts() -> None:
    kept: list[Json] = []

    async def write(context: Context, arguments: Arguments) -> Result:
        kept.append(dict(arguments))
        return Result(f"Kept: {arguments['title']}.")

    (made,) = [each for each in tools(write_document=write) if each.name == "write_document"]
    object.__setattr__(made, "parameters", {
        "type": "object",
        "properties": {"title": {"type": "string"}, "text": {"type": "string"}, "sources": {"type": "array"}},
        "required": ["title", "text"],
    })  # fmt: skip
    world = World([as_tool(an_agent(tools=["write_document"])), made], None)
    result = await world.result("save it", material="# Soups\n\nThree of them.")
    await world.result("keep this\nA text of two lines.")
    await world.result("写成报告保存", material=[{"text": "Cold [1].", "evidence": EVIDENCE}])
    assert result.text == "Kept: Soups."
    assert kept == [
        {"title": "Soups", "text": "# Soups\n\nThree of them."},
        {"title": "What", "text": "A text of two lines."},
        {"title": "What", "text": "Cold [1].", "sources": [{"url": "https://a.example", "name": "A"}]},
    ]


async def test_one_without_tools_writes_up_what_it_is_given() -> None:
    world = World([as_tool(an_agent(tools=[]))], None)
    material: Json = [
        {"title": "Weather", "text": "It is cold [1].", "evidence": EVIDENCE},
        {
            "title": "Soups",
            "text": "Three soups [1].",
            "evidence": [{"number": 1, "text": "Soup", "url": "", "name": "B"}],
        },
        "More [7].",
    ]
    result = await world.result("write a report about soups for today", material=material)
    assert result.text == (
        "# soups for today\n\n## Weather\n\nIt is cold [1].\n\n## Soups\n\nThree soups [2].\n\nMore (7)."
    )
    assert [each.name for each in result.evidence] == ["A", "B"]


def test_nothing_to_write_from_is_said() -> None:
    with pytest.raises(CallFailed, match="give it `material`"):
        written(Asked.of("write a report", Material()), "what?", "en")


@pytest.mark.parametrize(
    ("goal", "question", "title"),
    [
        ("write a report about soups", "q", "soups"),
        ("Please put it together into one page on cast iron", "q", "cast iron"),
        ("写成报告", "查一下北京天气，再推荐三道汤", "北京天气；三道汤"),
        ("写一份关于汤的报告", "q", "汤的报告"),
        ("Soups of the day", "q", "Soups of the day"),
        ("save it", "what soups?", "What soups"),
        ("save it", "find soups and save a report titled Soups of the week", "Soups of the week"),
        ("写成报告《汤》", "推荐三道汤", "汤"),
        ("write a report about them", "find soups and write a report about them", "Soups"),
    ],
)  # fmt: skip
def test_a_title_is_what_the_goal_is_about_else_what_was_asked(goal: str, question: str, title: str) -> None:
    assert title_of(Asked(goal, Material((Piece("", "x"),))), question, "en") == title


def test_a_question_of_nothing_but_orders_is_soon_read() -> None:
    asked = Asked("save it", Material((Piece("", "x"),)))
    assert title_of(asked, f"soup{'、save' * 400},x", "en").startswith("Soup")


def test_a_text_that_is_one_already_is_given_as_it_is() -> None:
    text = "# Title\n\nBody."
    assert written(Asked.of("write it up", read(text)), "q", "en").text == text


@pytest.mark.parametrize("value", [None, "", [], [""], [{"text": ""}]])
def test_empty_material_is_none(value: Json) -> None:
    assert read(value) == Material()
