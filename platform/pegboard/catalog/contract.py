"""All that the author of a handler reads: `tool`, `Context`, and the nouns that a handler takes and gives.

A handler is a function (or a coroutine function) marked with `@tool`, or a subclass of `Handler`. Its keyword
parameters are the tool's arguments; a parameter annotated `Context` gets the context of the request. It returns
a `Result`, or any JSON value, or None.

    @tool
    async def opening_hours(context: Context, shop: str) -> Result: ...

Not here: how a declaration becomes a tool (`catalog/tool.py`), nor who calls a handler (`run/step.py`).
"""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias, TypeVar, overload

from pegboard.catalog.content import Filter, Found, Hit, Item, Order, Passage, Search
from pegboard.catalog.documents import Cited, Document, Documents, Draft, Listing, Written
from pegboard.catalog.file import File, Part
from pegboard.events import Emit
from pegboard.llm.model import Model
from pegboard.text import Json

__all__ = [
    "MARK",
    "Cited",
    "Context",
    "Document",
    "Documents",
    "Draft",
    "Evidence",
    "File",
    "Filter",
    "Found",
    "Handler",
    "HandlerFunction",
    "Hit",
    "Item",
    "Kept",
    "Listing",
    "Mode",
    "NodeEnd",
    "Offer",
    "Order",
    "Part",
    "Passage",
    "Question",
    "Ran",
    "Result",
    "Search",
    "Status",
    "Strategy",
    "Written",
    "tool",
]

T = TypeVar("T")
HandlerFunction = TypeVar("HandlerFunction", bound=Callable[..., object])

MARK = "__pegboard_tool__"
"""The attribute that says: this function may be named as a handler. It holds the function itself."""


@overload
def tool(function: HandlerFunction) -> HandlerFunction: ...
@overload
def tool() -> Callable[[HandlerFunction], HandlerFunction]: ...
def tool(function: object = None) -> object:
    """Mark `function` as a handler; what is not marked cannot be named by a declaration.

    Its signature and docstring say what the tool takes; arguments come as its annotations name them. The mark is for
    this very object: a decorator that copies attributes (`functools.wraps`) makes another one, so `@tool` stands above
    all other decorators. `@tool()` is the same.

    Raises:
        TypeError: it is given something else; the name and the like stand in the declaration.
    """
    if function is None:
        return tool
    if not callable(function):
        found = f"{function!r:.60}"
        raise TypeError(f"@tool takes no arguments, found {found}: name and description stand in the declaration")
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
    files: tuple[File, ...] = ()
    """Files and images, by reference: no model and no client gets what they hold unasked."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A tool of the site, as another may use it."""

    name: str
    description: str
    parameters: Mapping[str, Json]
    """JSON Schema of its arguments, as a model is shown them."""
    read_only: bool
    runs_others: bool = False
    """Its work is calls of other tools, as an agent's is."""
    redacted: tuple[str, ...] = ()
    """Names of arguments that are shown nowhere."""


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
    def documents(self) -> Documents:
        """What the site keeps of what was written."""
        ...

    @property
    def model(self) -> Model | None:
        """The writing model, None when there is none."""
        ...

    def model_of(self, profile: str = "") -> Model | None:
        """Return the model of a declared profile; without a name, the one that plans for the site.

        None: there is no model.
        """
        ...

    @property
    def deadline(self) -> float:
        """When the call must have ended, on the clock of `anyio.current_time()`."""
        ...

    def seconds_left(self) -> float:
        """Return how long the call may still take: until its deadline, and what the run around it has left.

        A run's time stands still while it only waits for approvals.
        """
        ...

    @property
    def network_seconds(self) -> float:
        """How long one connection, or one silence of a service, may last: `call.network_timeout`."""
        ...

    @property
    def max_bytes(self) -> int:
        """How much of a result is read at most: `call.max_result`."""
        ...

    @property
    def emit(self) -> Emit: ...

    def using(self, key: Hashable, opening: Callable[[], AbstractAsyncContextManager[T]]) -> Kept[T]:
        """Return what stays open between calls, opened at the first use of `key` and closed when it has been idle.

            async with context.using(("http", self), self._open) as client: ...

        Calls that ask for the same `key` at once wait for one opening. What fails to open raises for all of them and
        is tried again by the next. What has an `is_broken` that is true is opened anew for the next call.
        """
        ...

    async def keep(self, content: bytes, *, name: str, media_type: str) -> File:
        """Keep a file for a while, so that the result can name it; the same content is kept once.

        Raises:
            CallFailed: it is too large, or there is no room.
        """
        ...

    async def result_part(self, ref: str, offset: int = 0) -> Part:
        """Read on in what was kept, from a byte on.

        Raises:
            UnknownResult: nothing is kept under `ref`, or not any more.
        """
        ...

    async def call(self, tool: str, arguments: Mapping[str, Json]) -> Result:
        """Run another tool of the site.

        Raises:
            UnknownTool, InvalidArguments, CallFailed, DeadlineExceeded
        """
        ...

    @property
    def offers(self) -> Sequence[Offer]:
        """The site's tools, in declared order."""
        ...

    def in_agent(self, name: str, most: int) -> "Context":
        """Return the context of what an agent calls; with it, `most` agents may be within each other.

        Raises:
            CallRefused: an agent around it lets no more be.
        """
        ...

    @property
    def idempotency_key(self) -> str:
        """The same for each attempt at the same work: a service that is given it can do the work once.

        Empty where the call is not part of a run.
        """
        ...

    async def run(self, plan: Json, inputs: Mapping[str, Json] | None = None, *, seconds: float | None = None) -> Ran:
        """Run a plan with the site's tools: a list of nodes, or an object of `nodes` and `races`.

        What its nodes have not done after `seconds` of work is cancelled, and the run too; the rest is kept.

        Inside of a node it is a run of its own that is resumed with the node's: what it has recorded is not done
        again when the same plan is asked for.

        Raises:
            UsageError: the plan cannot work; with everything that is wrong with it.
            CallFailed: runs within runs are too deep.
        """
        ...

    async def recorded(self, name: str, work: Callable[[], Awaitable[Json]]) -> Json:
        """Do `work` once: inside of a node that is resumed, what it gave before is given again.

        `name` is unique within the call, and the same each time it is done. Outside of a run it is simply done.
        """
        ...

    async def solve(self, goal: str, *, tools: Sequence[str] | None = None) -> Result:
        """Plan what has to be done for `goal`, do it with the site's tools, and return what came of it.

        `tools` are the only ones that may be used; None: all.

        Raises:
            UnknownTool: the site does not have one of `tools`.
            CallFailed: there is nobody to plan here.
        """
        ...


class Handler(ABC):
    """A handler that is a class; one instance is made for each call."""

    @abstractmethod
    async def call(self, context: Context, arguments: Mapping[str, Json]) -> Result | Json:
        """Do the work."""
