"""Plans that are run inside of a node, or of a request: they end with it, and are resumed with it."""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Protocol

from pegboard.catalog.allowed import refuse_faulty
from pegboard.catalog.contract import Ran
from pegboard.events import Emit, NodeNoted, NodeTold, RunEvent
from pegboard.llm.usage import NOTHING_USED, Used
from pegboard.plan.written import plan_json, read_plan
from pegboard.run.context import CallContext
from pegboard.run.node.slots import Slot, Slots
from pegboard.run.node.specs import digest_of
from pegboard.run.request import RunRequest
from pegboard.text import Json


@dataclass(frozen=True, slots=True)
class Nest:
    """Where such a run is."""

    run: str
    """Its id: the same for the same plan at the same place, so that it is found again."""
    parent: str
    node: str
    slots: Slots
    holds: bool
    """It can wait for approvals."""


class Inside(Protocol):
    """What drives it."""

    async def inside(self, nest: Nest, request: RunRequest, context: CallContext) -> Ran:
        """Run `request` in this task, or go on with it if it has been begun."""
        ...

    async def recorded(self, run: str, node: str, name: str, work: Callable[[], Awaitable[Json]]) -> Json:
        """Do `work` for a node of a run, or return what is recorded of it."""
        ...


class Nested:
    """Runs the plans of one call; fulfils `run.context.Within`."""

    def __init__(
        self, engine: Inside, run: str, node: str, slot: Slot | None, *, holds: bool = False, place: str = ""
    ) -> None:
        """Run plans of `node` of `run`, both empty for those of a request; `place` is which call within the node."""
        self.holds = holds
        self._engine = engine
        self._run = run
        self._node = node
        self._slot = slot
        self._place = place
        self._counts: dict[str, int] = {}

    def for_call(self, tool: str, arguments: Mapping[str, Json]) -> "Nested":
        """Return what runs the plans of a call within this one."""
        call = f"{self._place}{tool}.{digest_of({'arguments': dict(arguments)})[:8]}"
        count = self._counts[call] = self._counts.get(call, 0) + 1
        return Nested(self._engine, self._run, self._node, self._slot, holds=self.holds, place=f"{call}.{count}/")

    async def run(
        self,
        plan: Json,
        inputs: Mapping[str, Json],
        context: CallContext,
        *,
        seconds: float | None = None,
        used: Used = NOTHING_USED,
    ) -> Ran:
        """Run `plan`, its nodes for `seconds` at most; the slot of the node is lent to it meanwhile.

        Raises:
            UsageError: it cannot work.
        """
        read = read_plan(plan)
        refuse_faulty(read, context.toolset, inputs)
        request = RunRequest(
            read,
            context.site,
            context.question,
            inputs,
            deadline_seconds=None if seconds is None else round(seconds, 2),
            used=NOTHING_USED if self._run else used,  # that of a node is its run's
            previous=context.previous,
            is_attached=not self._run,
        )
        slots = Slots() if self._slot is None else self._slot.slots
        nest = Nest(self._id(request), self._run, self._node, slots, self.holds)
        async with AsyncExitStack() as stack:
            if self._slot is not None:
                await stack.enter_async_context(self._slot.lent())
            return await self._engine.inside(nest, request, context)

    async def recorded(self, name: str, work: Callable[[], Awaitable[Json]]) -> Json:
        """Do `work` once for this call, or return what is recorded of it; for a request it is simply done."""
        if not self._run:
            return await work()
        return await self._engine.recorded(self._run, self._node, f"{self._place}{name}", work)

    def _id(self, request: RunRequest) -> str:
        if not self._run:
            return secrets.token_hex(8)
        what: dict[str, Json] = {"plan": plan_json(request.plan), "inputs": dict(request.inputs)}
        digest = digest_of(what | ({"call": self._place} if self._place else {}))[:8]
        count = self._counts[digest] = self._counts.get(digest, 0) + 1
        return f"{self._run}.{self._node}.{digest}.{count}"


def outermost(run: str) -> str:
    """Return the run that a run is inside of, by its id: the run itself, where that is inside of none."""
    return run.partition(".")[0]


def heard(emit: Emit, event: RunEvent) -> None:
    """Tell a request how its run goes; what its nodes tell it hears from themselves."""
    if not isinstance(event, NodeTold | NodeNoted):
        emit(event)
