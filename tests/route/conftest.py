"""A small factory of tools and toolsets, and a kitchen to route in."""

from collections.abc import Mapping, Sequence

import pytest

from pegboard.catalog.contract import Context, Question, Result
from pegboard.catalog.tool import Routing, Tool, Toolset
from pegboard.events import Event
from pegboard.llm.embedder import SentenceEncoder
from pegboard.route.embedded import EmbeddedScorer, train
from pegboard.text import Json


async def _run(context: Context, arguments: Mapping[str, Json]) -> Result:
    raise AssertionError("routing runs no tool")


def make_tool(
    name: str,
    *,
    en: Sequence[str] = (),
    zh: Sequence[str] = (),
    description: str = "",
    prompt: str = "",
    type: str = "Item",
) -> Tool:
    return Tool(
        name=name,
        type=type,
        description=description,
        examples={"en": tuple(en), "zh": tuple(zh)},
        prompt=prompt,
        reply={"type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]},
        parameters={"type": "object"},
        output=None,
        handler="somewhere:else",
        run=_run,
    )


def make_toolset(*tools: Tool, site: str = "kitchen", routing: Routing | None = None) -> Toolset:
    return Toolset(site, "Recipes.", (), ("Recipe",), tools, routing or Routing(), ())


def ask(text: str, *tools: str, previous: Sequence[str] = ()) -> Question:
    return Question(text, "kitchen", tools=tools, previous=tuple(previous))


SEARCH = make_tool(
    "search",
    description="Find recipes that fit what the visitor describes.",
    en=[
        "easy vegetarian dinners",
        "chocolate cake without nuts",
        "something quick with chicken",
        "soups for a cold day",
        "gluten free breakfast ideas",
    ],
    zh=["简单的家常菜", "不含坚果的甜点", "适合夏天吃的凉菜"],
)
COMPARE = make_tool(
    "compare",
    type="Recipe",
    description="Compare two named recipes with each other.",
    en=[
        "compare the lasagna and the moussaka",
        "what is the difference between the two curry recipes",
        "which has fewer calories, the apple pie or the cheesecake",
        "pad thai versus drunken noodles",
        "is the beef stew or the chili faster",
    ],
    zh=["比较宫保鸡丁和辣子鸡", "水煮鱼和酸菜鱼有什么区别", "哪个更健康，炒饭还是炒面"],
)
CLOCK = make_tool(
    "clock",
    description="Tell the time or the date.",
    en=[
        "what time is it",
        "what day is today",
        "what is the date tomorrow",
        "which weekday is it",
        "the hour please",
    ],
    zh=["现在几点了", "今天星期几", "明天是几号"],
)
SUBSTITUTE = make_tool(
    "recipe_substitutions",
    type="Recipe",
    description="Find what can replace an ingredient in a recipe.",
    en=[
        "what can I use instead of buttermilk",
        "substitute for eggs in a cake",
        "I have no cumin, what else works",
        "how do I make the pancakes dairy free",
        "replace the wine in the stew with something without alcohol",
    ],
    zh=["用什么代替鸡蛋", "没有料酒可以用什么", "黄油可以换成什么"],
)
KITCHEN = make_toolset(SEARCH, COMPARE, CLOCK, SUBSTITUTE)


@pytest.fixture(scope="session")
def encoder() -> SentenceEncoder:
    return SentenceEncoder()


@pytest.fixture(scope="session")
def embedded(encoder: SentenceEncoder) -> EmbeddedScorer:
    """A scorer of the kitchen's tools."""
    return train(encoder, KITCHEN.tools)


@pytest.fixture
def events() -> list[Event]:
    """Return a list whose `append` is an `Emit`."""
    return []
