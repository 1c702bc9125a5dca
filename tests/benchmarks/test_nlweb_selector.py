"""The algorithm that ours is measured against decides as it is described, its defects included."""

import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from benchmarks.nlweb_selector import NLTool, ToolSelector, first_completed

pytestmark = pytest.mark.anyio

ORDER = ("first", "second", "third", "search")


class Model:
    """Replies in a given order; tools that are not in it get no reply."""

    def __init__(self, scores: Mapping[str, object], arrivals: tuple[str, ...] = ORDER) -> None:
        self.scores = scores
        self.prompts: list[str] = []
        self.cancelled: list[str] = []
        self._gates = {name: anyio.Event() for name in ORDER}
        self._after = dict(pairwise(arrivals))
        self._gates[arrivals[0]].set()

    async def ask(self, prompt: str, returns: Mapping[str, Any]) -> str:
        self.prompts.append(prompt)
        name = prompt.split(":", maxsplit=1)[0]
        try:
            await self._gates[name].wait()
        except anyio.get_cancelled_exc_class():
            self.cancelled.append(name)
            raise
        if name in self._after:
            self._gates[self._after[name]].set()
        return f"```json\n{json.dumps({'score': self.scores.get(name, 10)})}\n```"


async def selected(model: Model, *names: str) -> str | None:
    tools = [NLTool(name, f"{name}: {{request.query}} {{unknown}}", {}) for name in names or ORDER]
    with anyio.fail_after(5):
        result = await ToolSelector(tools, model.ask, {"request.query": "soup"}).select()
    return result.tool.name if result else None


async def test_the_first_to_arrive_with_90_wins_and_the_others_are_cancelled() -> None:
    model = Model({"first": 99, "second": 91}, ("third", "second"))
    assert await selected(model) == "second"
    await anyio.wait_all_tasks_blocked()
    assert model.cancelled == ["first", "search"]


async def test_the_best_of_70_and_more_wins_and_of_equals_the_one_that_arrived_first() -> None:
    scores = {"first": 70, "second": 80, "third": 80}
    assert await selected(Model(scores)) == "second"
    assert await selected(Model(scores, ("third", "second", "first", "search"))) == "third"


async def test_below_70_the_tool_named_search_is_taken_and_without_one_none() -> None:
    assert await selected(Model({"first": 69})) == "search"
    assert await selected(Model({"first": 69}), "first", "second") is None


async def test_a_score_as_a_string_breaks_the_sort_and_a_list_drops_its_tool() -> None:
    assert await selected(Model({"first": "88"})) is None
    assert await selected(Model({"first": [88], "second": 75})) == "second"


async def test_one_tool_is_taken_unasked_and_a_prompt_is_filled() -> None:
    model = Model({})
    assert await selected(model, "third") == "third"
    assert model.prompts == []
    await selected(model)
    assert model.prompts[0] == "first: soup "


async def test_the_bare_loop_takes_the_first_hit_or_the_best() -> None:
    async def score(index: int) -> float:
        for _ in range(index):
            await anyio.lowlevel.checkpoint()
        return scores[index]

    scores = [50.0, 95.0, 99.0]
    assert await first_completed(3, score) == 1
    scores = [50.0, 85.0, 60.0]
    assert await first_completed(3, score) == 1
