"""The content of a site as handlers see it: items, hits, passages, and the search for them.

Part of `contract`, which is what the author of a handler imports.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from pegboard.text import Json


@dataclass(frozen=True, slots=True)
class Item:
    """A thing that a site has content of: a recipe, a product, an article."""

    url: str
    name: str
    site: str
    """The knowledge base that it comes from."""
    type: str
    """Its schema.org class."""
    language: str
    description: str
    schema_object: Mapping[str, Json] = field(repr=False)
    """The item as its source has it, JSON-LD."""


@dataclass(frozen=True, slots=True)
class Hit:
    """An item that a search found."""

    item: Item
    score: float
    """How well it fits, 0 to 100; comparable within one search."""


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition that was read from a question, such as `under 20 dollars`."""

    field: str
    """What is compared: `price`, `time`, `calories`, `rating`, `diet`, `without`, `called`, `type`, `available`."""
    operator: Literal["<", "<=", ">", ">=", "=", "not"]
    value: float | str
    """Money in its currency, durations in minutes, energy in kcal; a word for `diet`, `without`, `called`, `type`."""
    unit: str
    """`USD`, `CNY`, `minutes`, `kcal`, `stars`; empty for words."""
    words: str
    """The words of the question that say so."""


@dataclass(frozen=True, slots=True)
class Order:
    """A wish for the first of an order that was read from a question, such as `cheapest`."""

    field: str
    """What is ordered by: `price`, `time`, `calories`, `rating`, `weight`, `date`, or `property`."""
    is_falling: bool
    """The largest comes first."""
    words: str
    """The words of the question that say so."""
    of: str = ""
    """Of a `property`, what the question calls it: `battery life`."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search of items found."""

    hits: tuple[Hit, ...]
    """Best first, or in the order that was asked for; all of them fit the filters."""
    filters: tuple[Filter, ...] = ()
    """What was read from the question as a condition."""
    order: Order | None = None
    """The order that the hits are in; None: the best first."""
    unjudged: tuple[str, ...] = ()
    """Words of the question that set a condition which the content cannot be asked: it was not applied."""
    is_weak: bool = False
    """None of the hits is plainly what was asked for: they only come near."""
    wanted: int | None = None
    """How many things the question asks for, where it says; there are no more hits than that."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of an item's text, long enough to answer from."""

    item: Item
    heading: str
    text: str
    score: float
    """0 to 100, comparable within one search."""


class Search(Protocol):
    """The content of one site."""

    @property
    def is_empty(self) -> bool:
        """The site has no content at all."""
        ...

    async def items(self, query: str, *, limit: int = 10) -> Found:
        """Find items by meaning and words; conditions in `query` filter them."""
        ...

    async def named(self, name: str, *, limit: int = 3) -> list[Hit]:
        """Find the items that `name` means, best first; a score below 50 says that another thing was meant."""
        ...

    async def passages(self, query: str, *, limit: int = 6) -> list[Passage]:
        """Find the pieces of text that may answer `query`, best first."""
        ...
