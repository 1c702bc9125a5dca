import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import anyio
import numpy as np
import pytest
from numpy.typing import NDArray

from pegboard.catalog.tool import Tool, Toolset
from pegboard.llm.embedder import SentenceEncoder
from pegboard.llm.hashed import HashedEmbedder
from pegboard.route.embedded import EmbeddedScorer, train
from tests.route.conftest import CLOCK, COMPARE, KITCHEN, SEARCH, SUBSTITUTE, make_tool, make_toolset

pytestmark = pytest.mark.anyio

UNRELATED = (
    "who is the president of france",
    "write a python function that sorts a list",
    "my knee hurts when I climb stairs",
    "reset the password of my account",
    "how much do I have on my savings account",
    "turn the lights off in the kitchen",
    "怎么申请护照",
    "股票今天涨了吗",
    "我的手机屏幕碎了",
    "推荐一部科幻电影",
)


class CountingEmbedder(HashedEmbedder):
    def __init__(self) -> None:
        super().__init__()
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.encoded += texts
        return super().encode(texts)


async def best(embedded: EmbeddedScorer, question: str, toolset: Toolset = KITCHEN) -> tuple[str, float]:
    scores = await embedded.score(question, toolset)
    values = [score.value or 0.0 for score in scores]
    return toolset.tools[int(np.argmax(values))].name, max(values)


@pytest.mark.parametrize(
    ("question", "tool"),
    [
        ("gluten free pasta", "search"),
        ("compare the brownies and the blondies", "compare"),
        ("用什么代替牛奶", "recipe_substitutions"),
        ("回锅肉和红烧肉有什么不同", "compare"),
        ("tell me the current time", "clock"),
        ("今天几月几号", "clock"),
        ("alternative to heavy cream", "recipe_substitutions"),
    ],
)
async def test_unseen_questions_reach_their_tool(embedded: EmbeddedScorer, question: str, tool: str) -> None:
    name, score = await best(embedded, question)
    assert name == tool
    assert score >= 70


@pytest.mark.parametrize("tools", [(SEARCH, COMPARE), (CLOCK, SUBSTITUTE), KITCHEN.tools])
async def test_most_questions_that_fit_nothing_stay_below_the_cutoff(
    encoder: SentenceEncoder, tools: tuple[Tool, ...]
) -> None:
    toolset, embedded = make_toolset(*tools), train(encoder, tools)
    passing = [question for question in UNRELATED if (await best(embedded, question, toolset))[1] >= 70]
    assert len(passing) <= 1, passing


async def test_examples_themselves_are_surely_right(embedded: EmbeddedScorer) -> None:
    for tool in KITCHEN.tools:
        for question in tool.questions:
            name, score = await best(embedded, question)
            assert (name, score >= 70) == (tool.name, True)


async def test_scores_come_in_the_order_of_the_tools_with_the_nearest_example(
    embedded: EmbeddedScorer,
) -> None:
    scores = await embedded.score("what can I use instead of eggs", KITCHEN)
    assert scores[0].reason == "nearest example: something quick with chicken"
    assert scores[3].reason == "nearest example: 用什么代替鸡蛋"


async def test_the_same_inputs_give_the_same_scores_to_the_last_digit(encoder: SentenceEncoder) -> None:
    first = train(encoder, KITCHEN.tools)
    second = train(encoder, KITCHEN.tools, before=train(encoder, (SEARCH, COMPARE)))
    for question in ("pasta", "现在几点", ""):
        assert await first.score(question, KITCHEN) == await second.score(question, KITCHEN)


def test_another_process_gives_the_same_scores_to_the_last_digit() -> None:
    program = (
        "import anyio\n"
        "from tests.route.conftest import KITCHEN\n"
        "from pegboard.llm.hashed import HashedEmbedder\n"
        "from pegboard.route.embedded import train\n"
        "print(anyio.run(train(HashedEmbedder(), KITCHEN.tools).score, 'what is the time and 几点', KITCHEN))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1
    assert "Score(" in printed.pop()


async def test_only_what_changed_is_embedded_again() -> None:
    embedder = CountingEmbedder()
    scorer = train(embedder, KITCHEN.tools)
    embedder.encoded.clear()
    assert train(embedder, KITCHEN.tools, before=scorer) is scorer
    assert embedder.encoded == []
    changed = make_tool("clock", en=["tick tock"])
    train(embedder, (SEARCH, COMPARE, changed), before=scorer)
    assert embedder.encoded == ["tick tock", "clock"]


async def test_a_scorer_stays_as_it_is_when_a_newer_one_was_made_from_it(encoder: SentenceEncoder) -> None:
    older = train(encoder, KITCHEN.tools)
    before = await older.score("what time is it", KITCHEN)
    train(encoder, (SEARCH, CLOCK), before=older)
    assert await older.score("what time is it", KITCHEN) == before


async def test_a_question_costs_one_embedding() -> None:
    embedder = CountingEmbedder()
    scorer = train(embedder, KITCHEN.tools)
    embedder.encoded.clear()
    await scorer.score("soup", KITCHEN)
    assert embedder.encoded == ["soup"]


@pytest.mark.parametrize(
    "tools",
    [
        (),
        (make_tool("lonely"),),
        (make_tool("one"), make_tool("two")),
        (make_tool("a", description="Finds soups."), make_tool("b", en=["what time is it"])),
        (make_tool("same", en=["x"]), make_tool("again", en=["x"])),
        (make_tool("日历", zh=["今天几号"]), make_tool("blank", en=["", "  "])),
    ],
)
@pytest.mark.parametrize("is_known", [True, False])
async def test_poor_toolsets_are_scored_too(encoder: SentenceEncoder, tools: tuple[Tool, ...], is_known: bool) -> None:
    toolset, embedded = make_toolset(*tools), train(encoder, tools if is_known else ())
    scores = await embedded.score("今天几号 soup", toolset)
    assert len(scores) == len(tools)
    assert all(score.value is not None and 0 <= score.value <= 100 for score in scores)


async def test_many_tasks_may_ask_first_at_once(encoder: SentenceEncoder) -> None:
    scorer = train(encoder, KITCHEN.tools)
    found: list[tuple[str, float]] = []

    async def one() -> None:
        found.append(await best(scorer, "what time is it"))

    async with anyio.create_task_group() as group:
        for _ in range(8):
            group.start_soon(one)
    assert len(set(found)) == 1


class MeetingEmbedder(HashedEmbedder):
    """Waits at each single question, for a moment, for another that is embedded at the same time."""

    def __init__(self) -> None:
        super().__init__()
        self.meetings = 0
        self._place = threading.Barrier(2, timeout=0.2)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if len(texts) == 1:
            with suppress(threading.BrokenBarrierError):
                self._place.wait()
                self.meetings += 1
        return super().encode(texts)


async def test_of_questions_at_once_one_is_embedded_after_the_other_so_that_the_loop_stays_free() -> None:
    embedder = MeetingEmbedder()
    scorer = train(embedder, KITCHEN.tools)
    async with anyio.create_task_group() as group:
        group.start_soon(scorer.score, "soup", KITCHEN)
        group.start_soon(scorer.score, "cake", KITCHEN)
    assert embedder.meetings == 0


async def test_a_toolset_without_tools_needs_no_training_and_has_no_scores() -> None:
    scorer, empty = train(HashedEmbedder(), ()), make_toolset()
    scorer.prepare(empty)
    assert await scorer.score("anything", empty) == []


def test_examples_that_lie_with_another_tool_are_found(encoder: SentenceEncoder) -> None:
    details = make_tool("details", en=["show me the stew", "how long does the pie bake", "soups for a cold evening"])
    toolset = make_toolset(*KITCHEN.tools, details)
    health = train(encoder, toolset.tools).health(toolset)
    assert [tool.tool for tool in health.tools] == [tool.name for tool in toolset.tools]
    assert [tool.examples for tool in health.tools] == [8, 8, 8, 8, 3]
    assert health.overlaps[0] == "details and search overlap: 'soups for a cold evening'"
    assert health.tools[2].accuracy == 1.0


@pytest.mark.parametrize(
    "tools", [(), (make_tool("lonely"),), (make_tool("a", description="Finds soups."), make_tool("b"))]
)
def test_tools_without_examples_have_no_health(encoder: SentenceEncoder, tools: tuple[Tool, ...]) -> None:
    health = train(encoder, tools).health(make_toolset(*tools))
    assert [(tool.tool, tool.accuracy) for tool in health.tools] == [(tool.name, None) for tool in tools]


def test_very_many_texts_are_not_left_out_one_by_one() -> None:
    tools = [make_tool(f"tool{number}", en=[f"word{number} {turn}" for turn in range(60)]) for number in range(100)]
    health = train(HashedEmbedder(), tools).health(make_toolset(*tools))
    assert str(health) == "health of kitchen: not examined: 6,100 texts; 6,000 are the most"


@pytest.mark.parametrize(
    ("known", "asked"), [("en", "有什么可以代替鸡蛋"), ("zh", "what can I use instead of eggs")], ids=["zh", "en"]
)
async def test_a_question_in_a_language_without_examples_finds_its_tool(
    encoder: SentenceEncoder, known: str, asked: str
) -> None:
    tools = [replace(tool, description="", examples={known: tool.examples[known]}) for tool in KITCHEN.tools]
    name, score = await best(train(encoder, tools), asked, make_toolset(*tools))
    assert (name, score >= 70) == ("recipe_substitutions", True)


async def test_hundreds_of_tools_are_told_apart(encoder: SentenceEncoder) -> None:
    """More texts than features: the ridge is solved in its primal form."""
    others = [
        make_tool(f"thing_{number}", en=[f"thing {number}", f"the thing of number {number}"]) for number in range(520)
    ]
    toolset = make_toolset(*KITCHEN.tools, *others)
    scorer = train(encoder, toolset.tools)
    assert (await best(scorer, "what can I use instead of eggs", toolset))[0] == "recipe_substitutions"
    assert (await best(scorer, "现在几点", toolset))[0] == "clock"
