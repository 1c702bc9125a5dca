from dataclasses import replace

from pegboard.catalog.contract import Mode
from pegboard.route.candidates import candidates
from tests.route.conftest import CLOCK, COMPARE, KITCHEN, SEARCH, ask, make_tool, make_toolset

FIND = replace(SEARCH, handler="pegboard.handlers.search:search")
ANSWER = replace(make_tool("help"), handler="pegboard.handlers.knowledge:knowledge")


def names(mode: Mode, *tools: str) -> list[str]:
    site = make_toolset(FIND, COMPARE, CLOCK, ANSWER)
    return [tool.name for tool in candidates(replace(ask("x", *tools), mode=mode), site)]


def test_a_mode_leaves_some_of_the_tools() -> None:
    assert names("tool") == ["search", "compare", "clock", "help"]
    assert names("knowledge") == ["help"]
    assert names("chat") == []


def test_without_a_tool_that_answers_from_the_content_one_that_searches_it_is_left() -> None:
    site = make_toolset(FIND, CLOCK)
    assert candidates(replace(ask("x"), mode="knowledge"), site) == (FIND,)
    assert candidates(replace(ask("x"), mode="knowledge"), KITCHEN) == ()


def test_what_the_client_names_stands_within_the_mode() -> None:
    assert names("knowledge", "search", "clock") == ["search"]
    assert names("knowledge", "search") == ["search"]
    assert names("knowledge", "clock") == []
    assert names("tool", "clock", "search") == ["search", "clock"]


def test_the_mode_plan_leaves_what_plans_whatever_else_the_client_names() -> None:
    assert names("plan") == names("plan", "search") == []
