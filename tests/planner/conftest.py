"""A site that plans: recipes to search, the weather, and what keeps documents; opened without a model."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from pegboard.app import open_app, settings_from
from pegboard.app.application import App
from pegboard.llm.embedder import SentenceEncoder
from pegboard.llm.model import Model
from tests.app.conftest import recipe

OpenedDesk = Callable[..., AbstractAsyncContextManager[App]]

TOOLS = """
tools:
  - name: get_weather
    description: Says what the weather is in a city.
    examples:
      en: ["will it rain in Beijing tomorrow?", weather in Shanghai, how warm is it in Paris]
      zh: [北京今天天气怎么样, 上海明天会下雨吗, 查一下广州天气]
    parameters: {type: object, properties: {city: {type: string, description: the city}}, required: [city]}
    handler: tests.planner.handlers:weather
    read_only: true
  - name: search
    description: Finds recipes.
    examples:
      en: [find soups, a vegetarian dinner, recommend three desserts]
      zh: [推荐几道汤, 想喝清淡的汤, 找家常菜]
    returns: {score: integer, query: what to find}
    handler: pegboard.handlers.search:search
    read_only: true
  - name: compare
    description: Compares two recipes.
    examples:
      en: [compare the tomato soup and the pea soup, which is better the cake or the pie]
      zh: [比较番茄汤和豌豆汤]
    returns: {score: integer, item1_name: first thing, item2_name: second thing}
    handler: pegboard.handlers.compare:compare
    read_only: true
  - name: plan
    description: Does what takes several steps.
    handler: pegboard.handlers.plan:plan
"""
WRITE_DOCUMENT = """
  - name: write_document
    description: Keeps a document with a title and a text.
    parameters: {type: object, properties: {title: {type: string}, text: {type: string}}, required: [title, text]}
    handler: tests.planner.handlers:write_document
"""
SITES = """
sites:
  - {name: reading, knowledge: [food], tools: [{name: plan, read_only: true}]}
  - {name: desk, knowledge: [food]}
  - {name: plain, knowledge: [food], exclude: [plan]}
knowledge:
  - {name: food, sources: [food]}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the configuration and its content."""
    (tmp_path / "tools.yaml").write_text(TOOLS + WRITE_DOCUMENT + SITES, "utf-8")
    (tmp_path / "pegboard.toml").write_text('handler_prefixes = ["tests.planner.handlers"]\n')
    (tmp_path / "food").mkdir()
    for name, minutes in [("Tomato Soup", 20), ("Pea Soup", 45), ("Lemon Cake", 70)]:
        (tmp_path / "food" / f"{name}.json").write_text(json.dumps(recipe(name, minutes)))
    return tmp_path


@pytest.fixture
def opened(folder: Path) -> OpenedDesk:
    """Return a function that opens the folder, perhaps with a model."""

    @asynccontextmanager
    async def open_folder(*, model: Model | None = None) -> AsyncIterator[App]:
        read = settings_from(config=folder, environ={})
        async with open_app(read, embedder=SentenceEncoder(), model=model) as app:
            yield app

    return open_folder
