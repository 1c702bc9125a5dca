"""What is missing is asked back over `/ask`, and the next turn goes on with the answer: no session, no model."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from pegboard.app import open_serving, settings_from
from pegboard.edges.web.application import web_app
from pegboard.errors import ModelUnreachable
from pegboard.llm.hashed import HashedEmbedder
from pegboard.llm.model import Model
from pegboard.llm.scripted import ScriptedModel
from tests.app.conftest import recipe

pytestmark = pytest.mark.anyio

DOCUMENT = """
tools:
  - name: details
    examples: [how long does the pea soup take, 番茄汤要煮多久]
    returns: {score: integer between 0 and 100, item_name: name of the dish, details_requested: what is asked}
    handler: pegboard.handlers.details:details
    read_only: true
  - name: compare
    examples: [compare the tomato soup and the pea soup, 番茄汤和豆汤哪个快]
    returns: {score: integer between 0 and 100, item1_name: first dish, item2_name: second dish}
    handler: pegboard.handlers.compare:compare
    read_only: true
sites:
  - {name: soups, types: [Recipe], knowledge: [food]}
knowledge:
  - {name: food, sources: [food]}
"""

Message = dict[str, Any]


@asynccontextmanager
async def a_client(folder: Path, model: Model | None = None) -> AsyncIterator[httpx2.AsyncClient]:
    (folder / "tools.yaml").write_text(DOCUMENT, "utf-8")
    (folder / "food").mkdir()
    for name, minutes in [("Tomato Soup", 20), ("Pea Soup", 45), ("宫保鸡丁", 30), ("红烧肉", 90)]:
        (folder / "food" / f"{name}.json").write_text(json.dumps(recipe(name, minutes)))
    settings = settings_from(config=folder, environ={})
    async with open_serving(settings, embedder=HashedEmbedder(), model=model) as serving:
        transport = httpx2.ASGITransport(web_app(serving))
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
            yield client


async def asked(client: httpx2.AsyncClient, query: str, *prev: str, tool: str = "details") -> dict[str, Message]:
    """Return the messages of an answer by their type."""
    body: Mapping[str, object] = {"query": query, "prev": [*prev], "tool": tool, "streaming": False}
    response = await client.post("/ask", json=body)
    return {message["message_type"]: message for message in response.json()}


def told(message: Message, *names: str) -> tuple[Any, ...]:
    return tuple(message[name] for name in names)


@pytest.mark.parametrize(
    ("question", "back", "answer", "arguments", "said"),
    [
        (
            "how long does it take?",
            "Which item do you mean?",
            "I mean the pea soup, please",
            {"item_name": "pea soup", "details_requested": "time"},
            "45",
        ),
        (
            "要多久？",
            "您指的是哪一个？",
            "我说的是红烧肉",
            {"item_name": "红烧肉", "details_requested": "time"},
            "1 小时 30 分钟",
        ),
    ],
)
async def test_an_answer_completes_the_question_that_was_asked_back(
    tmp_path: Path, question: str, back: str, answer: str, arguments: Message, said: str
) -> None:
    async with a_client(tmp_path) as client:
        first = await asked(client, question)
        assert told(first["ask_user"], "content", "tool", "missing") == (back, "details", ["item_name"])
        assert told(first["nlws"], "answer", "status") == (back, "needs_clarification")
        second = await asked(client, answer, question)
    completed = second["decontextualized_query"]["decontextualized_query"]
    assert completed in (f"{question} ({answer})", f"{question}（{answer}）")
    assert second["tool_arguments"]["arguments"] == arguments
    assert "ask_user" not in second
    assert said in second["nlws"]["answer"]


@pytest.mark.parametrize(
    ("question", "answers", "names"),
    [
        ("which is quicker?", ["tomato soup and pea soup"], ("tomato soup", "pea soup")),
        ("which is quicker?", ["the tomato soup", "the pea soup"], ("tomato soup", "pea soup")),
        ("哪个更快？", ["宫保鸡丁和红烧肉"], ("宫保鸡丁", "红烧肉")),
        ("哪个更快？", ["宫保鸡丁", "红烧肉"], ("宫保鸡丁", "红烧肉")),
    ],
)
async def test_two_things_are_given_in_one_turn_or_in_two(
    tmp_path: Path, question: str, answers: list[str], names: tuple[str, str]
) -> None:
    async with a_client(tmp_path) as client:
        turns = [question]
        for answer in answers:
            before = await asked(client, turns[-1], *turns[:-1], tool="compare")
            assert before["ask_user"]["tool"] == "compare"
            turns.append(answer)
        last = await asked(client, turns[-1], *turns[:-1], tool="compare")
    assert told(last["tool_arguments"]["arguments"], "item1_name", "item2_name") == names


async def test_a_question_of_its_own_is_not_taken_for_an_answer(tmp_path: Path) -> None:
    async with a_client(tmp_path) as client:
        messages = await asked(client, "how long does the tomato soup take?", "how long does it take?")
    assert "decontextualized_query" not in messages
    assert messages["tool_arguments"]["arguments"]["item_name"] == "tomato soup"
    assert "ignored" in messages["notice"]["content"]


async def test_an_answer_that_nothing_asked_for_is_a_question(tmp_path: Path) -> None:
    async with a_client(tmp_path) as client:
        messages = await asked(client, "tomato soup", "how long does it take?", "pea soup")
    assert messages["tool_arguments"]["arguments"] == {"item_name": "Tomato Soup"}


async def test_what_needed_no_answer_is_not_gone_on_with(tmp_path: Path) -> None:
    async with a_client(tmp_path) as client:
        messages = await asked(client, "pea soup", "how long does the tomato soup take?")
    assert messages["tool_arguments"]["arguments"] == {"item_name": "Pea Soup"}


async def test_rules_go_on_where_the_model_does_not_answer(tmp_path: Path) -> None:
    async with a_client(tmp_path, ScriptedModel(ModelUnreachable("down"))) as client:
        messages = await asked(client, "pea soup", "how long does it take?")
    assert messages["tool_arguments"]["arguments"]["item_name"] == "pea soup"
    assert "Rules put the question together" in messages["nlws"]["degraded"]
