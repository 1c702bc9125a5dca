"""Plans that are run inside of a node, or of a request: they end with it, and are resumed with it."""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Protocol

from pegboard.catalog.allowed import refuse_faulty
from pegboard.catalog.contract import Ran
from pegboard.plan.written import plan_json, read_plan
from pegboard.run.context import CallContext
from pegboard.run.request import RunRequest
from pegboard.run.slots import Slot, Slots
from pegboard.run.specs import digest_of
from pegboard.text import Json


@dataclass(frozen=True, slots=True)
class Nest:
    """Where such a run is."""

    run: str
    """Its id: the same for the same plan at the same place, so that it is found again."""
    parent: str
    slots: Slots


class Inside(Protocol):
    """What drives it."""

    async def inside(self, nest: Nest, request: RunRequest, context: CallContext) -> Ran:
        """Run `request` in this task, or go on with it if it has been begun."""
        ...


class Nested:
    """Runs the plans of one call; fulfils `run.context.Within`."""

    def __init__(self, engine: Inside, run: str, node: str, slot: Slot | None) -> None:
        self._engine = engine
        self._run = run
        self._node = node
        self._slot = slot
        self._counts: dict[str, int] = {}

    async def run(self, plan: Json, inputs: Mapping[str, Json], context: CallContext) -> Ran:
        """Run `plan`; the slot of the node is lent to it meanwhile.

        Raises:
            UsageError: it cannot work.
        """
        read = read_plan(plan)
        refuse_faulty(read, context.toolset, inputs)
        request = RunRequest(read, context.site, context.question, inputs, previous=context.previous)
        nest = Nest(self._id(request), self._run, Slots() if self._slot is None else self._slot.slots)
        async with AsyncExitStack() as stack:
            if self._slot is not None:
                await stack.enter_async_context(self._slot.lent())
            return await self._engine.inside(nest, request, context)

    async def recorded(self, name: str, work: Callable[[], Awaitable[Json]]) -> Json:
        """Do `work`."""
        return await work()

    def _id(self, request: RunRequest) -> str:
        if not self._run:
            return secrets.token_hex(8)
        digest = digest_of({"plan": plan_json(request.plan), "inputs": dict(request.inputs)})[:8]
        count = self._counts[digest] = self._counts.get(digest, 0) + 1
        return f"{self._run}.{self._node}.{digest}.{count}"
