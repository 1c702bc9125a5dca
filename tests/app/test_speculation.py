"""The fallback starts while a model scores. Barriers prove the overlap: each side waits for the other."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from pegboard.app import open_app, settings_from
from pegboard.app.application import App
from pegboard.errors import CallFailed
from pegboard.events import CallStarted, Event
from pegboard.llm.hashed import HashedEmbedder
from pegboard.llm.model import Prompt
from pegboard.llm.scripted import ScriptedModel
from tests.app.handlers_that_wait import set_up

DOCUMENT = """
tools:
  - name: search
    examples: [find soups, show me cakes]
    returns: {score: integer between 0 and 100, query: what to find}
    handler: tests.app.handlers_that_wait:find
    read_only: true
    speculate: {query: "{request.query}"}
    %s
  - name: clock
    examples: [what time is it, which day is it]
    returns: {score: integer between 0 and 100}
    handler: pegboard.handlers.clock:clock
    read_only: true
sites:
  - {name: soups, types: [Item], route: {strategy: %s}}
"""


@asynccontextmanager
async def soups(folder: Path, model: ScriptedModel, *, more: str = "", strategy: str = "score") -> AsyncIterator[App]:
    (folder / "tools.yaml").write_text(DOCUMENT % (more, strategy), "utf-8")
    (folder / "pegboard.toml").write_text('handler_prefixes = ["tests.app.handlers_that_wait"]\n')
    async with open_app(settings_from(config=folder, environ={}), embedder=HashedEmbedder(), model=model) as app:
        yield app


def scoring(search: int, clock: int, before: Callable[[], Awaitable[None]], query: str = "pea soup") -> ScriptedModel:
    """Return a model that scores after `before`, and never answers the tool itself."""

    async def answer(prompt: Prompt) -> str:
        if prompt.system == "of the tool":
            await anyio.sleep_forever()
        await before()
        is_search = "Tool: search" in prompt.system
        return json.dumps({"score": search, "query": query} if is_search else {"score": clock})

    return ScriptedModel(answer)


def started(events: list[Event]) -> list[str]:
    return [event.tool for event in events if isinstance(event, CallStarted)]


async def test_the_fallback_works_while_the_model_scores_and_what_it_did_is_used(tmp_path: Path) -> None:
    stage, events = set_up(), list[Event]()

    async def tool_is_under_way() -> None:
        await stage.begun.wait()
        assert started(events) == []
        stage.go_on.set()

    async with soups(tmp_path, scoring(30, 20, tool_is_under_way)) as app:
        with anyio.fail_after(20):
            answer = await app.ask(app.question("pea soup", site="soups"), emit=events.append)
    assert (answer.text, answer.tool) == ("found pea soup", "search")
    assert stage.queries == ["pea soup"]
    kinds = [event.kind for event in events]
    assert started(events) == ["search"]
    assert kinds.index("tool_chosen") < kinds.index("arguments_bound") < kinds.index("call_started")


async def test_it_is_cancelled_for_real_when_another_tool_wins_its_model_calls_included(tmp_path: Path) -> None:
    stage, events = set_up(asks_model=True), list[Event]()
    model = scoring(10, 95, stage.begun.wait)
    async with soups(tmp_path, model) as app:
        with anyio.fail_after(20):
            answer = await app.ask(app.question("pea soup", site="soups"), emit=events.append)
    assert answer.tool == "clock"
    assert (stage.queries, stage.cancelled) == (["pea soup"], 1)
    assert (model.open_requests, model.cancelled_requests >= 1) == (0, True)
    assert started(events) == ["clock"]


async def test_with_other_arguments_it_is_cancelled_and_called_with_those(tmp_path: Path) -> None:
    stage = set_up()

    async with soups(tmp_path, scoring(80, 20, stage.begun.wait, query="soup of peas")) as app:
        with anyio.fail_after(20):
            async with anyio.create_task_group() as group:

                async def let_the_second_go_on() -> None:
                    await stage.begun_again.wait()
                    stage.go_on.set()

                group.start_soon(let_the_second_go_on)
                answer = await app.ask(app.question("pea soup", site="soups"))
    assert answer.text == "found soup of peas"
    assert (stage.queries, stage.cancelled) == (["pea soup", "soup of peas"], 1)


async def test_kept_always_it_is_used_whatever_the_arguments_would_have_been(tmp_path: Path) -> None:
    stage = set_up()

    async def tool_is_under_way() -> None:
        await stage.begun.wait()
        stage.go_on.set()

    model = scoring(80, 20, tool_is_under_way, query="soup of peas")
    async with soups(tmp_path, model, more="keep: always") as app:
        with anyio.fail_after(20):
            answer = await app.ask(app.question("pea soup", site="soups"))
    assert (answer.text, dict(answer.arguments)) == ("found pea soup", {"query": "pea soup"})
    assert stage.queries == ["pea soup"]


@pytest.mark.parametrize("tools", [["search"], ["clock"]])
async def test_nothing_is_begun_where_no_model_scores(tmp_path: Path, tools: list[str]) -> None:
    stage = set_up()
    stage.go_on.set()
    async with soups(tmp_path, scoring(80, 20, anyio.lowlevel.checkpoint)) as app:
        answer = await app.ask(app.question("pea soup", site="soups", tools=tools))
    assert answer.tool == tools[0]
    assert len(stage.queries) == (tools == ["search"])
    async with soups(tmp_path, scoring(80, 20, anyio.lowlevel.checkpoint), strategy="embedded") as app:
        await app.ask(app.question("what time is it", site="soups"))
    assert len(stage.queries) == (tools == ["search"])


async def test_a_client_that_leaves_leaves_nothing_behind(tmp_path: Path) -> None:
    stage = set_up()
    model = scoring(80, 20, anyio.sleep_forever)
    async with soups(tmp_path, model) as app:
        with anyio.fail_after(20):
            async with anyio.create_task_group() as group:
                group.start_soon(app.ask, app.question("pea soup", site="soups"))
                await stage.begun.wait()
                group.cancel_scope.cancel()
    assert (stage.cancelled, model.open_requests) == (1, 0)


async def test_a_failure_reaches_the_client_as_it_is(tmp_path: Path) -> None:
    set_up()

    async def answer(prompt: Prompt) -> str:
        return json.dumps({"score": 95 if "Tool: broken" in prompt.system else 3})

    document = (DOCUMENT % ("", "score")).replace(
        "sites:", "  - {name: broken, examples: [break it], handler: 'tests.app.handlers_that_fail:broken'}\nsites:"
    )
    (tmp_path / "tools.yaml").write_text(document, "utf-8")
    (tmp_path / "pegboard.toml").write_text('handler_prefixes = ["tests.app"]\n')
    settings = settings_from(config=tmp_path / "tools.yaml", environ={})
    async with open_app(settings, embedder=HashedEmbedder(), model=ScriptedModel(answer)) as app:
        with anyio.fail_after(20), pytest.raises(CallFailed):
            await app.ask(app.question("break it", site="soups"))
