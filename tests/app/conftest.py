"""A small configuration of two sites, opened with twins of the embedder and the model."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from pegboard.app import open_app, settings_from
from pegboard.app.application import App
from pegboard.llm.hashed import HashedEmbedder
from pegboard.llm.model import Model

Opened = Callable[..., AbstractAsyncContextManager[App]]

DOCUMENT = """
tools:
  - name: search
    examples: [find soups, show me cakes, quick dinner ideas, 找汤]
    returns: {score: integer between 0 and 100, query: what to find}
    handler: pegboard.handlers.search:search
    read_only: true
  - name: calculator
    examples: [what is 2 + 2, 15% of 80, seven times eight, 三加四]
    returns: {score: integer between 0 and 100, expression: the sum}
    handler: pegboard.handlers.calculator:calculator
    read_only: true
  - name: compare
    examples: [compare the tomato soup and the pea soup, which is better the cake or the pie]
    returns: {score: integer, item1_name: first thing, item2_name: second thing}
    handler: pegboard.handlers.compare:compare
    read_only: true
  - name: broken
    type: Thing
    examples: [break the machine please, smash it all to pieces]
    handler: tests.app.handlers_that_fail:broken
sites:
  - {name: soups, types: [Recipe], domains: [soups.example], exclude: [], knowledge: [food]}
  - {name: sums, types: [Item], domains: ["*.sums.example"], exclude: [search, compare], knowledge: [food]}
  - name: strict
    tools: [{name: search, enabled: false}]
    route: {fallback: ""}
knowledge:
  - {name: food, sources: [food]}
"""


def recipe(name: str, minutes: int) -> dict[str, object]:
    """Return a recipe as JSON-LD."""
    return {
        "@context": "https://schema.org",
        "@type": "Recipe",
        "url": f"https://soups.example/{name.replace(' ', '-').lower()}",
        "name": name,
        "description": f"{name}, warm and plain.",
        "totalTime": f"PT{minutes}M",
        "recipeIngredient": ["1 l water", "salt"],
        "recipeInstructions": [{"@type": "HowToStep", "text": "Boil it."}],
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the configuration and its content."""
    (tmp_path / "tools.yaml").write_text(DOCUMENT, "utf-8")
    (tmp_path / "pegboard.toml").write_text('handler_prefixes = ["tests.app.handlers_that_fail"]\n')
    (tmp_path / "food").mkdir()
    for name, minutes in [("Tomato Soup", 20), ("Pea Soup", 45), ("Lemon Cake", 70)]:
        (tmp_path / "food" / f"{name}.json").write_text(json.dumps(recipe(name, minutes)))
    return tmp_path


@pytest.fixture
def opened(folder: Path) -> Opened:
    """Return a function that opens the folder, perhaps with a model and other settings."""

    @asynccontextmanager
    async def open_folder(*, model: Model | None = None, **settings: Any) -> AsyncIterator[App]:
        read = settings_from(config=folder, environ={}, **settings)
        async with open_app(read, embedder=HashedEmbedder(), model=model) as app:
            yield app

    return open_folder
