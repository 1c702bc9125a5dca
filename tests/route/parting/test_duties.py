from dataclasses import replace

import pytest

from pegboard.catalog.tool import Tool, Toolset
from pegboard.route.parting.duties import Duty, doing, duty
from pegboard.route.parting.parts import Parting, parts
from pegboard.route.score import Score
from tests.route.conftest import SEARCH, make_tool, make_toolset

WRITER = replace(make_tool("writer", description="An agent that writes."), handler="pegboard.handlers.agent:agent")
ARCHIVIST = replace(make_tool("archivist", description="Files things."), handler="pegboard.handlers.agent:agent")
KEEPER = replace(
    make_tool("write_document", description="Keeps a document in the store."),
    parameters={"type": "object", "properties": {"title": {"type": "string"}, "text": {"type": "string"}}},
)
TEXT = replace(
    make_tool("translate", description="Translates a text."),
    parameters={"type": "object", "properties": {"text": {"type": "string"}}},
)
OFFICE = make_toolset(SEARCH, TEXT, KEEPER, WRITER, ARCHIVIST)


@pytest.mark.parametrize(
    ("clause", "wanted"),
    [
        ("write a report", "write"),
        ("write it up", "write"),
        ("draft a short summary of both", "write"),
        ("summarize", "write"),
        ("写成报告", "write"),
        ("整理成一份摘要", "write"),
        ("汇总一下", "write"),
        ("save it", "keep"),
        ("save", "keep"),
        ("archive the report", "keep"),
        ("保存", "keep"),
        ("存档", "keep"),
        ("find reports on soup", None),
        ("save money on dinner", None),
        ("keep bread fresh for long", None),
        ("写一首诗", None),
        ("保质期多久", None),
    ],
)
def test_what_a_clause_does_with_what_came_before(clause: str, wanted: Duty | None) -> None:
    assert duty(clause) == wanted


def test_agents_do_it_and_where_there_are_none_what_keeps_a_document() -> None:
    assert doing("write", OFFICE) is WRITER
    assert doing("keep", OFFICE) is ARCHIVIST
    without = make_toolset(SEARCH, TEXT, KEEPER)
    assert doing("write", without) is doing("keep", without) is KEEPER


def test_a_site_may_have_nothing_that_does_it() -> None:
    assert doing("keep", make_toolset(SEARCH, TEXT)) is None


LISTED = replace(make_tool("list_documents"), handler="pegboard.handlers.documents:list_documents", read_only=True)
SENDER = make_tool("send", description="Sends a mail.")


@pytest.mark.parametrize(
    ("question", "favourite", "wanted"),
    [
        ("find soups, then save the result", LISTED, None),
        ("find soups, then save the result", SENDER, "send"),
        ("推荐三道汤，写成报告", LISTED, None),
        ("推荐三道汤，写成报告", TEXT, "translate"),
    ],
)
async def test_what_only_shows_documents_neither_writes_nor_keeps_any(
    question: str, favourite: Tool, wanted: str | None
) -> None:
    async def score(text: str, toolset: Toolset) -> list[Score]:
        best = SEARCH.name if text in {"find soups", "推荐三道汤"} else favourite.name
        return [Score(95.0 if tool.name == best else 5.0) for tool in toolset.tools]

    found = await parts(question, Parting(make_toolset(SEARCH, TEXT, LISTED, SENDER), score))
    assert [part.tool for part in found] == [SEARCH.name, wanted]
