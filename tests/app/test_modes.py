from pathlib import Path

import pytest

from pegboard.catalog.contract import Strategy
from pegboard.errors import UsageError
from pegboard.llm.scripted import ScriptedModel
from tests.app.conftest import Opened


async def test_chat_answers_by_words_and_runs_no_tool(opened: Opened) -> None:
    async with opened(model=ScriptedModel("Hello!")) as app:
        answer = await app.ask(app.question("hi", site="soups", mode="chat"))
    assert (answer.text, answer.tool, answer.model) == ("Hello!", None, "scripted")


async def test_chat_without_a_model_says_so(opened: Opened) -> None:
    async with opened() as app:
        answer = await app.ask(app.question("你好吗", site="soups", mode="chat"))
    assert "语言模型" in answer.text


async def test_knowledge_searches_the_content_and_nothing_else(opened: Opened) -> None:
    async with opened() as app:
        decision = await app.route(app.question("what is 2 + 2", site="soups", mode="knowledge"))
        none = await app.route(app.question("what is 2 + 2", site="sums", mode="knowledge"))
    assert (decision.tool and decision.tool.name, decision.decided_by) == ("search", "mode")
    assert (none.tool, none.decided_by) == (None, "none")


@pytest.mark.parametrize("strategy", ["score", "cascade"])
async def test_a_site_that_asks_no_model_is_not_made_to(opened: Opened, folder: Path, strategy: Strategy) -> None:
    document = (folder / "tools.yaml").read_text("utf-8")
    wanted = "{name: soups, route: {strategy: embedded},"
    (folder / "tools.yaml").write_text(document.replace("{name: soups,", wanted), "utf-8")
    async with opened() as app:
        with pytest.raises(UsageError, match="asks no model"):
            app.question("x", site="soups", strategy=strategy)
        assert app.question("x", site="soups", strategy="embedded").strategy == "embedded"
