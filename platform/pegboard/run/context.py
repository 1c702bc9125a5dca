"""What a handler is given: the `Context` of one call, with its way to the site's other tools."""

import math
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from typing import Protocol, Self, TypeVar

import anyio

from pegboard.bind.check import checked
from pegboard.catalog.contract import Documents, File, Kept, Offer, Part, Ran, Result, Search
from pegboard.catalog.tool import Tool, Toolset
from pegboard.errors import CallFailed, Failure, UsageError
from pegboard.events import Emit
from pegboard.llm.model import Model
from pegboard.llm.usage import NOTHING_USED, Used
from pegboard.memory.documents.held import MemoryDocuments
from pegboard.memory.documents.of_site import SiteDocuments
from pegboard.plan.graph import Plan
from pegboard.route.gating import reading
from pegboard.run.agents import Around, entered
from pegboard.run.keeping import Keeper
from pegboard.run.limits.admission import Request
from pegboard.run.outcome import Outcome, result_of
from pegboard.run.results.keep import kept_file, part_of
from pegboard.run.results.store import MemoryResults, ResultStore
from pegboard.run.step import step
from pegboard.run.taint import Taint, why_unapproved
from pegboard.text import Json

T = TypeVar("T")

_DEEPEST = 8
"""Calls within calls; a tool that calls itself ends here."""


def _for_ever() -> float:
    return math.inf


class Within(Protocol):
    """What runs a plan for a call."""

    async def run(
        self,
        plan: Json,
        inputs: Mapping[str, Json],
        context: "CallContext",
        *,
        seconds: float | None = None,
        used: Used = NOTHING_USED,
    ) -> Ran:
        """Run `plan` with the tools of `context`; what its nodes have not done after `seconds` of work is cancelled.

        `used` is what a request has used of models for it before; what a node has is counted there.

        Raises:
            UsageError: it cannot work.
        """
        ...

    async def recorded(self, name: str, work: Callable[[], Awaitable[Json]]) -> Json:
        """Do `work`, or return what it gave before."""
        ...

    @property
    def holds(self) -> bool:
        """Somebody's approval can be waited for: there is a run that goes on whoever leaves."""
        ...

    def for_call(self, tool: str, arguments: Mapping[str, Json]) -> "Within":
        """Return the same for a call within this one, whose records are its own."""
        ...


class Solving(Protocol):
    """What plans for a call, and does what it has planned."""

    async def solve(self, goal: str, context: "CallContext", *, tools: Sequence[str] | None = None) -> Result:
        """Reach `goal` with the tools of `context`, or with those of them that `tools` names."""
        ...

    async def further(
        self, plan: Plan, ran: Ran, context: "CallContext", *, tools: Sequence[str] = ()
    ) -> dict[str, Json] | None:
        """Return further steps after `ran`, a run of `plan`, as `PlanMade` tells them; None: none are called for.

        They refer to the steps of `plan` by their ids, and use the tools of `context`, or those that `tools` names.
        """
        ...


class Early(Protocol):
    """Work that was begun before the plan was whole of which it is a part."""

    async def outcome(self, tool: Tool, digest: str, context: "CallContext") -> Outcome | None:
        """Return what came of a call of `tool` with the arguments of that digest; None where it was not begun."""
        ...


@dataclass(frozen=True, slots=True)
class CallContext:
    """The context of one call; fulfils `catalog.contract.Context`."""

    question: str
    toolset: Toolset
    language: str
    search: Search
    model: Model | None
    emit: Emit
    deadline: float
    previous: tuple[str, ...] = ()
    keeper: Keeper | None = None
    """Keeps open what handlers use; None: they open it for each call."""
    store: ResultStore = field(default_factory=MemoryResults)
    """Keeps what is too large to be handed around."""
    request: Request = field(default_factory=Request)
    """What the calls of the request have in common."""
    network_seconds: float = 5.0
    max_bytes: int = 4 << 20
    depth: int = 0
    around: Around | None = None
    """The agents that it is within; None: none."""
    idempotency_key: str = ""
    within: Within | None = None
    """Runs plans; None: there is no engine."""
    solving: Solving | None = None
    """Plans; None: nobody does."""
    run_left: Callable[[], float] = field(default=_for_ever, compare=False)
    """Returns how many seconds the nodes of the runs around may still work."""
    early: Early | None = None
    """What was begun of the plan that is run; None: nothing was."""
    documents: Documents = field(default_factory=lambda: SiteDocuments(MemoryDocuments(), ""))
    """What the site keeps of what was written."""
    planner: Model | None = None
    """The planning model; None: there is none."""
    profiles: Mapping[str, Model] = field(default_factory=dict)
    """The models of the profiles that tools name."""

    @property
    def site(self) -> str:
        return self.toolset.site

    @property
    def type(self) -> str:
        return self.toolset.type

    @property
    def offers(self) -> tuple[Offer, ...]:
        """The site's tools."""
        return tuple(map(_offer, self.toolset.tools))

    def model_of(self, profile: str = "") -> Model | None:
        """Return the model of a profile, or the one that plans."""
        return self.profiles.get(profile) or self.planner or self.model

    def telling(self, emit: Emit) -> "CallContext":
        """Return the same context with another listener."""
        return replace(self, emit=emit)

    def in_agent(self, name: str, most: int) -> "CallContext":
        """Return the context of what an agent calls; with it, `most` may be within each other.

        Raises:
            CallRefused: an agent around it lets no more be.
        """
        return replace(self, around=entered(self.around, name, most))

    def only_reading(self) -> Self:
        """Return the same with none but the tools that change nothing."""
        return replace(self, toolset=reading(self.toolset))

    def for_call(self, emit: Emit, *, deadline: float, network_seconds: float, max_bytes: int) -> "CallContext":
        """Return what a handler is given that is called now."""
        return replace(self, emit=emit, deadline=deadline, network_seconds=network_seconds, max_bytes=max_bytes)

    def seconds_left(self) -> float:
        """Return how long the call may still take: until its deadline, and what the runs around it have left."""
        return min(self.deadline - anyio.current_time(), self.run_left())

    def within_time(self, left: Callable[[], float]) -> "CallContext":
        """Return the same within a run whose nodes may still work for so long."""
        around = self.run_left
        return replace(self, run_left=lambda: min(around(), left()))

    @property
    def taint(self) -> Taint:
        """What its request has read of others."""
        return self.request.taint

    def with_taint(self, taint: Taint) -> "CallContext":
        """Return the same for a part of the request."""
        return replace(self, request=replace(self.request, taint=taint))

    def using(self, key: Hashable, opening: Callable[[], AbstractAsyncContextManager[T]]) -> Kept[T]:
        """Return what stays open between calls, opened at the first use of `key`."""
        return opening() if self.keeper is None else self.keeper.using(key, opening)

    async def keep(self, content: bytes, *, name: str, media_type: str) -> File:
        """Keep a file for a while.

        Raises:
            CallFailed: it is too large, or there is no room.
        """
        return File(name, media_type, len(content), ref=await kept_file(self.store, content, media_type))

    async def result_part(self, ref: str, offset: int = 0) -> Part:
        """Read on in what was kept, from a byte on.

        Raises:
            UnknownResult: nothing is kept under `ref`, or not any more.
        """
        return await part_of(self.store, ref, offset)

    async def call(self, tool: str, arguments: Mapping[str, Json]) -> Result:
        """Run another tool of the site.

        Raises:
            UnknownTool, InvalidArguments, CallFailed, DeadlineExceeded
        """
        try:
            called = self.toolset.tool(tool)
            fitting = checked(called, arguments)
        except UsageError as error:
            error.failure = Failure("tool")  # whoever called the outer tool did not write these arguments
            raise
        if self.depth >= _DEEPEST:
            raise CallFailed(f"Tool {tool!r} was called {_DEEPEST} calls deep.", hint="Does it call itself?")
        within = self.within
        if within is not None and within.holds and why_unapproved(called, self.request.taint):
            return await self._held(called.name, fitting)
        inner = replace(self, depth=self.depth + 1, within=within and within.for_call(tool, fitting))
        return result_of(await step(called, fitting, inner))

    async def _held(self, tool: str, arguments: Mapping[str, Json]) -> Result:
        """Make a call that needs an approval: as a run of its own, whose node waits for that."""
        given: dict[str, Json] = {name: f"${{inputs.given[{place}]}}" for place, name in enumerate(arguments)}
        plan: list[Json] = [{"id": "call", "tool": tool, "arguments": given}]
        (end,) = (await self.run(plan, {"given": [*arguments.values()]})).nodes
        if end.result is None:
            raise CallFailed(f"Tool {tool!r} was not called, or failed: {end.reason}.")
        return end.result

    async def run(
        self,
        plan: Json,
        inputs: Mapping[str, Json] | None = None,
        *,
        seconds: float | None = None,
        used: Used = NOTHING_USED,
    ) -> Ran:
        """Run a plan with the site's tools; what its nodes have not done after `seconds` of work is cancelled.

        `used` is what was used of models to make it.

        Raises:
            UsageError: it cannot work.
            CallFailed: runs within runs are too deep, or there is no engine.
        """
        if self.within is None:
            raise CallFailed("No engine runs plans here.")
        if self.depth >= _DEEPEST:
            raise CallFailed(f"A plan was to be run {_DEEPEST} calls deep.", hint="Does an agent call itself?")
        inner = replace(self, depth=self.depth + 1)
        return await self.within.run(plan, inputs or {}, inner, seconds=seconds, used=used)

    async def recorded(self, name: str, work: Callable[[], Awaitable[Json]]) -> Json:
        """Do `work` once."""
        return await (work() if self.within is None else self.within.recorded(name, work))

    async def solve(self, goal: str, *, tools: Sequence[str] | None = None) -> Result:
        """Plan for `goal`, and do it.

        Raises:
            UnknownTool: the site does not have one of `tools`.
            CallFailed: nobody plans here, or plans within plans are too deep.
        """
        if self.solving is None:
            raise CallFailed("Nobody plans here.")
        if self.depth >= _DEEPEST:
            raise CallFailed(f"A plan was to be made {_DEEPEST} calls deep.", hint="Does it plan itself?")
        return await self.solving.solve(goal, replace(self, depth=self.depth + 1), tools=tools)


def _offer(tool: Tool) -> Offer:
    return Offer(
        tool.name, tool.description, tool.shown, tool.read_only, tool.is_for_parts, redacted=tool.limits.redact
    )
