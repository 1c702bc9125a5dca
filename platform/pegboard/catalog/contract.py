"""All that the author of a handler reads: `tool`, `Context`, and the nouns that a handler takes and gives.

A handler is a function (or a coroutine function) marked with `@tool`, or a subclass of `Handler`. Its keyword
parameters are the tool's arguments; a parameter annotated `Context` gets the context of the request. It returns
a `Result`, or any JSON value, or None.

    @tool
    async def opening_hours(context: Context, shop: str) -> Result: ...

Not here: how a declaration becomes a tool (`catalog/tool.py`), nor who calls a handler (`run/step.py`).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias, TypeVar

from pegboard.events import Emit
from pegboard.llm.model import Model
from pegboard.text import Json

T = TypeVar("T")
HandlerFunction = TypeVar("HandlerFunction", bound=Callable[..., object])

MARK = "__pegboard_tool__"
"""The attribute that says: this function may be named as a handler. It holds the function itself."""


def tool(function: HandlerFunction) -> HandlerFunction:
    """Mark `function` as a handler; what is not marked cannot be named by a declaration.

    The mark is for this very object: a decorator that copies attributes (`functools.wraps`) makes another one,
    so `@tool` stands above all other decorators.
    """
    setattr(function, MARK, function)
    return function


Mode: TypeAlias = Literal["chat", "tool", "knowledge", "plan"]
"""How a question shall be answered: `chat`, by words alone; `tool`, by the tool that fits; `knowledge`, from the
site's knowledge and nothing else; `plan`, in several steps.
"""

Strategy: TypeAlias = Literal["score", "batch", "functions", "embedded", "cascade"]
"""How the candidates are scored: by a model, `score` with a call for each, `batch` with one for all, `functions` with
an offer of functions; `embedded`, without a model; `cascade`, without one where that is sure.
"""


@dataclass(frozen=True, slots=True)
class Question:
    """What a client asks of the platform."""

    text: str
    site: str
    """Name of the site; it exists."""
    tools: tuple[str, ...] = ()
    """Named by the client: one is run without scoring, several are the only candidates, none leaves the choice open."""
    previous: tuple[str, ...] = ()
    """Earlier questions of the same conversation, oldest first."""
    form: Literal["answer", "list"] = "answer"
    """`list`: items only, no words."""
    mode: Mode = "tool"
    """How it shall be answered."""
    strategy: Strategy | None = None
    """How the candidates are scored; None: as the site declares."""


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


@dataclass(frozen=True, slots=True)
class Evidence:
    """A fact that an answer may rest on and must then cite as `[number]`."""

    number: int
    """From 1, in the order of the result's `evidence`."""
    text: str
    url: str
    name: str
    """Of the item that says so."""


Status: TypeAlias = Literal["ok", "not_found", "no_knowledge", "needs_clarification"]


@dataclass(frozen=True, slots=True)
class Result:
    """What a handler gives."""

    text: str
    """The answer in words without a model: extractive, with `[n]` behind what rests on evidence n."""
    items: tuple[Hit, ...] = ()
    """What a client shows as results, best first."""
    evidence: tuple[Evidence, ...] = ()
    task: str = ""
    """What a model shall write from the evidence; empty when `text` is final (a sum, a time of day)."""
    data: Json = None
    """The result for machines, checked against the tool's `output` schema."""
    status: Status = "ok"


@dataclass(frozen=True, slots=True)
class NodeEnd:
    """How one node of a run ended."""

    node: str
    tool: str
    state: Literal["succeeded", "failed", "skipped", "lost", "cancelled"]
    """`lost`: another node of its race has won."""
    result: Result | None = None
    """Of a node that succeeded."""
    reason: str = ""
    """Why it did not; safe to show."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run came to."""

    run: str
    """Its id."""
    status: Literal["succeeded", "partly", "failed", "cancelled"]
    """`partly`: something failed, and something that nothing else waits for has succeeded."""
    nodes: tuple[NodeEnd, ...]
    """In the order of the plan."""


Kept: TypeAlias = AbstractAsyncContextManager[T]
"""Holds something open while it is used."""


class Context(Protocol):
    """What a handler may know and do; supplied by `app`."""

    @property
    def question(self) -> str:
        """The question as it is answered (a follow-up is complete)."""
        ...

    @property
    def previous(self) -> Sequence[str]:
        """Earlier questions of the same conversation, oldest first."""
        ...

    @property
    def site(self) -> str: ...

    @property
    def type(self) -> str:
        """The site's first type, such as `Recipe`."""
        ...

    @property
    def language(self) -> str:
        """The question's language: answer in it."""
        ...

    @property
    def search(self) -> Search:
        """The site's content."""
        ...

    @property
    def model(self) -> Model | None:
        """The writing model, None when there is none."""
        ...

    @property
    def deadline(self) -> float:
        """When the call must have ended, on the clock of `anyio.current_time()`."""
        ...

    @property
    def emit(self) -> Emit: ...

    def using(self, key: Hashable, opening: Callable[[], AbstractAsyncContextManager[T]]) -> Kept[T]:
        """Return what stays open between calls, opened at the first use of `key` and closed when it has been idle.

            async with context.using(("http", self), self._open) as client: ...

        Calls that ask for the same `key` at once wait for one opening. What fails to open raises for all of them and
        is tried again by the next.
        """
        ...

    async def call(self, tool: str, arguments: Mapping[str, Json]) -> Result:
        """Run another tool of the site.

        Raises:
            UnknownTool, InvalidArguments, CallFailed, DeadlineExceeded
        """
        ...

    @property
    def idempotency_key(self) -> str:
        """The same for each attempt at the same work: a service that is given it can do the work once.

        Empty where the call is not part of a run.
        """
        ...

    async def run(self, plan: Json, inputs: Mapping[str, Json] | None = None) -> Ran:
        """Run a plan with the site's tools: a list of nodes, or an object of `nodes` and `races`.

        Inside of a node it is a run of its own that is resumed with the node's: what it has recorded is not done
        again when the same plan is asked for.

        Raises:
            UsageError: the plan cannot work; with everything that is wrong with it.
            CallFailed: runs within runs are too deep.
        """
        ...


class Handler(ABC):
    """A handler that is a class; one instance is made for each call."""

    @abstractmethod
    async def call(self, context: Context, arguments: Mapping[str, Json]) -> Result | Json:
        """Do the work."""
