"""`EarlyWork`: calls that were begun while the plan that asks for them was still being written.

The node that makes the same call (the tool, and the arguments as JSON) takes the work over; what no node takes is
cancelled when the plan has been run. Nobody hears of a call that is not taken over, and it counts for no limit of the
request; one that is counts once. A call that failed is the node's outcome: it would have failed there as well.

Which calls may be begun is the planner's business (`planner/early.py`); here it is only seen to that none needs an
approval, that its arguments fit, and that there are not too many.
"""

import json
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace

import anyio
from anyio.abc import TaskGroup

from pegboard.bind.check import checked
from pegboard.catalog.tool import Tool
from pegboard.errors import InvalidArguments
from pegboard.events.held import HeldEvents
from pegboard.run.context import CallContext
from pegboard.run.limits.admission import Request
from pegboard.run.node.specs import digest_of_text
from pegboard.run.outcome import Outcome
from pegboard.run.step import step
from pegboard.run.taint import Taint, Tainted, why_unapproved
from pegboard.text import Json, to_json

MOST_AT_ONCE = 4
MOST_BEGUN = 16
"""Of one plan."""


class _Call:
    """One of them."""

    def __init__(self, tool: Tool, arguments: dict[str, Json], context: CallContext) -> None:
        self.tool = tool
        self.arguments = arguments
        self.taint = Taint(own=context.request.taint.first)
        self.held = HeldEvents()
        request = Request(context.request.guards, context.request.approved, Counter(), self.taint)
        within = context.within and context.within.for_call(tool.name, arguments)
        self.context = replace(
            context, emit=self.held, request=request, within=within, depth=context.depth + 1, early=None
        )
        self.scope = anyio.CancelScope()
        self.has_ended = anyio.Event()
        self.outcome: Outcome | None = None

    async def run(self, limiter: anyio.CapacityLimiter) -> None:
        """Do it; never raises."""
        try:
            with self.scope:
                async with limiter:
                    self.outcome = await step(self.tool, self.arguments, self.context)
        finally:
            self.has_ended.set()


class EarlyWork:
    """The calls of one plan; fulfils `run.context.Early`. Made by `early_work`."""

    def __init__(self, group: TaskGroup, context: CallContext) -> None:
        self._group = group
        self._context = context
        self._limiter = anyio.CapacityLimiter(MOST_AT_ONCE)
        self._calls: dict[tuple[str, str], _Call] = {}
        self._counts = Counter(context.request.calls)
        """How often the request has called each tool, with what is begun here."""

    def begin(self, tool: Tool, arguments: Mapping[str, Json]) -> None:
        """Begin a call, if it may be made; the same one is begun once."""
        if len(self._calls) >= MOST_BEGUN or why_unapproved(tool, self._context.request.taint):
            return
        try:
            text = to_json(checked(tool, arguments))
        except (InvalidArguments, TypeError, ValueError):
            return
        key = (tool.name, digest_of_text(text))
        most = tool.limits.per_request
        if key in self._calls or (most is not None and self._counts[tool.name] >= most):
            return
        self._counts[tool.name] += 1
        call = self._calls[key] = _Call(tool, json.loads(text), self._context)
        self._group.start_soon(call.run, self._limiter)

    async def outcome(self, tool: Tool, digest: str, context: CallContext) -> Outcome | None:
        """Return what came of a call, waiting for its end; each is given once. None: it was not begun.

        Whoever waits and is cancelled cancels it.
        """
        call = self._calls.pop((tool.name, digest), None)
        if call is None or call.tool is not tool:
            return None
        if tool.limits.per_request is not None:
            context.request.calls[tool.name] += 1
        call.held.release(context.emit)
        try:
            await call.has_ended.wait()
        except BaseException:
            call.scope.cancel()
            raise
        if (first := call.taint.first) is not None:
            context.taint.mark(Tainted(first.tool, first.by or context.idempotency_key))
        return call.outcome


@asynccontextmanager
async def early_work(context: CallContext) -> AsyncIterator[EarlyWork]:
    """Hold what is begun early inside of the block; at its end the rest is cancelled.

    `context` is that of the call which plans.
    """
    try:
        async with anyio.create_task_group() as group:
            yield EarlyWork(group, context)
            group.cancel_scope.cancel()
    except ExceptionGroup as failures:  # no call ever raises, so it is what the block has raised
        raise failures.exceptions[0] from failures.exceptions[0].__cause__
