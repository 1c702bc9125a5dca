"""A small site in memory: its search finds by shared words, its content is written here."""

import math
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import anyio

from pegboard.catalog.contract import File, Filter, Found, Hit, Item, Kept, Offer, Order, Part, Passage, Ran, Result
from pegboard.errors import CallFailed, UnknownResult, UnknownTool
from pegboard.events import Emit, silent
from pegboard.knowledge.wording.stems import stems
from pegboard.llm.model import Model
from pegboard.memory.documents.held import MemoryDocuments
from pegboard.memory.documents.of_site import SiteDocuments
from pegboard.text import Json

T = TypeVar("T")


def recipe(name: str, *, language: str = "en", **thing: Json) -> Item:
    return an_item(name, "Recipe", language, {"recipeIngredient": ["salt"], **thing})


def product(name: str, *, language: str = "en", **thing: Json) -> Item:
    return an_item(name, "Product", language, thing)


def an_item(name: str, kind: str, language: str, thing: dict[str, Json]) -> Item:
    slug = name.lower().replace(" ", "-")
    described = str(thing.get("description", f"{name} is what it is. It has a second sentence."))
    return Item(
        url=f"https://here.example/{slug}",
        name=name,
        site="here",
        type=kind,
        language=language,
        description=described,
        schema_object={"@type": kind, "name": name, "description": described, **thing},
    )


def passage(item: Item, heading: str, text: str, score: float = 90.0) -> Passage:
    return Passage(item, heading, text, score)


@dataclass
class Shelf:
    """Fulfils `catalog.contract.Search`."""

    things: Sequence[Item] = ()
    pieces: Sequence[Passage] = ()
    filters: tuple[Filter, ...] = ()
    unmet: bool = False
    """Nothing fits while the words of the filters are in the query."""
    order: Order | None = None
    unjudged: tuple[str, ...] = ()
    is_weak: bool = False
    wanted: int | None = None
    asked: list[str] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        return not self.things and not self.pieces

    async def items(self, query: str, *, limit: int = 10) -> Found:
        self.asked.append(query)
        held = tuple(each for each in self.filters if each.words in query)
        if self.unmet and held:
            return Found((), held)
        hits = [Hit(item, 50 + share) for item in self.things if (share := shared(query, text_of(item)))]
        hits = sorted(hits, key=lambda hit: -hit.score)[:limit]
        return Found(tuple(hits), held, self.order, self.unjudged, self.is_weak, self.wanted)

    async def named(self, name: str, *, limit: int = 3) -> list[Hit]:
        hits = [Hit(item, shared(name, item.name)) for item in self.things]
        return sorted([hit for hit in hits if hit.score], key=lambda hit: -hit.score)[:limit]

    async def passages(self, query: str, *, limit: int = 6) -> list[Passage]:
        return list(self.pieces[:limit])


def shared(question: str, text: str) -> float:
    """Return how much of `question` is in `text`, 0 to 100."""
    asked = set(stems(question))
    return 100 * len(asked & set(stems(text))) / len(asked) if asked else 0.0


def text_of(item: Item) -> str:
    return f"{item.name} {item.description} {item.schema_object.get('recipeCategory', '')}"


@dataclass(frozen=True)
class Asked:
    """Fulfils `catalog.contract.Context`."""

    question: str
    search: Shelf
    language: str = "en"
    site: str = "here"
    type: str = "Recipe"
    model: Model | None = None
    deadline: float = math.inf
    network_seconds: float = 5.0
    max_bytes: int = 4 << 20
    emit: Emit = silent
    previous: tuple[str, ...] = ()
    idempotency_key: str = ""
    documents: SiteDocuments = field(default_factory=lambda: SiteDocuments(MemoryDocuments(), "here"))

    def using(self, key: Hashable, opening: Callable[[], Kept[T]]) -> Kept[T]:
        return opening()

    async def keep(self, content: bytes, *, name: str, media_type: str) -> File:
        return File(name, media_type, len(content))

    async def result_part(self, ref: str, offset: int = 0) -> Part:
        raise UnknownResult(ref)

    def model_of(self, profile: str = "") -> Model | None:
        return self.model

    async def call(self, tool: str, arguments: object) -> Result:
        raise UnknownTool(f"{self.site} has no tool {tool!r}.")

    def in_agent(self, name: str, most: int) -> "Asked":
        return self

    def seconds_left(self) -> float:
        return self.deadline - anyio.current_time()

    async def run(self, plan: Json, inputs: Mapping[str, Json] | None = None, *, seconds: float | None = None) -> Ran:
        raise CallFailed("No engine runs plans here.")

    @property
    def offers(self) -> tuple[Offer, ...]:
        return ()

    async def recorded(self, name: str, work: Callable[[], Awaitable[Json]]) -> Json:
        return await work()

    async def solve(self, goal: str, *, tools: Sequence[str] | None = None) -> Result:
        raise CallFailed("Nobody plans here.")


LASAGNA = recipe(
    "Rainy Sunday Lasagna",
    description="A slow lasagna with a proper ragù. It wants two hours.",
    totalTime="PT3H50M",
    prepTime="PT40M",
    cookTime="PT2H55M",
    recipeYield="8 servings",
    recipeCategory="Main course",
    recipeIngredient=["500 g minced beef", "100 g pancetta, diced", "70 g butter"],
    recipeInstructions=[{"@type": "HowToStep", "text": "Warm the oil."}, "Bake for 40 minutes."],
    nutrition={"calories": "640 kcal", "servingSize": "1 slice", "proteinContent": "36 g"},
    aggregateRating={"ratingValue": 4.8, "ratingCount": 412, "bestRating": 5},
    comment=[
        {"@type": "Comment", "text": "Baked portions freeze for three months."},
        {"@type": "Comment", "text": "All it needs beside it is something bitter."},
    ],
)
BURGERS = recipe(
    "Midnight Bean Burgers",
    totalTime="PT25M",
    recipeCategory="Main course",
    nutrition={"calories": "475 kcal"},
    aggregateRating={"ratingValue": 4.5, "bestRating": 5},
    suitableForDiet=["https://schema.org/VeganDiet"],
)
SALAD = recipe("Fennel Salad", recipeCategory="Salad", totalTime="PT15M", description="A sharp green salad. Cold.")
EGGS = recipe(
    "多汁番茄炒蛋",
    language="zh",
    description="番茄分两次下锅。鸡蛋七成熟就盛出来。",
    totalTime="PT15M",
    recipeYield="2 人份",
    recipeIngredient=["番茄 400 克", "鸡蛋 4 个"],
    nutrition={"calories": "333 kcal"},
)
HEADPHONES = product(
    "Orrin Nightjar 2 Wireless Headphones",
    brand={"@type": "Brand", "name": "Orrin"},
    offers={"price": 249.0, "priceCurrency": "USD", "availability": "https://schema.org/InStock"},
    weight={"value": 262, "unitText": "g"},
    additionalProperty=[
        {"name": "Battery life", "value": "38 h"},
        {"name": "Charging port", "value": "USB-C"},
    ],
    review=[
        {
            "author": {"name": "Mara T."},
            "reviewRating": {"ratingValue": 5},
            "reviewBody": "Quiet on a plane.",
        }
    ],
)
EARBUDS = product(
    "Sorrelle Drift Pro Earbuds",
    brand="Sorrelle",
    offers={"price": "89", "priceCurrency": "USD", "availability": "OutOfStock"},
    weight={"value": 52, "unitText": "g"},
    additionalProperty=[{"name": "Battery life", "value": "9 h"}, {"name": "Microphone", "value": "Yes"}],
)
