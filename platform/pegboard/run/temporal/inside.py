"""`Inside`: what one node that is done here runs and records; fulfils `run.work.Nesting` and `run.nested.Inside`.

A run within a node is a workflow of its own. It has the same id when the node is done again, and is then gone on with.
"""

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

import anyio
from temporalio import activity

from pegboard.catalog.contract import Ran
from pegboard.errors import CallFailed
from pegboard.llm.usage import count_used, left
from pegboard.run.context import CallContext
from pegboard.run.engine import RunBroken
from pegboard.run.journal.entry import event_of
from pegboard.run.journal.stored import Output
from pegboard.run.nested import Nest, Nested
from pegboard.run.node.slots import Slot
from pegboard.run.node.specs import specs_of
from pegboard.run.past.fold import tainted_of
from pegboard.run.request import RunRequest, read_request
from pegboard.run.temporal.beginning import beginning, memo_of, tooled
from pegboard.run.temporal.client import Service, TemporalAway, patiently
from pegboard.run.temporal.keep import Keep
from pegboard.run.temporal.kept import key_of
from pegboard.run.temporal.names import ABANDONED
from pegboard.run.temporal.reading import followed, ran_of_run
from pegboard.run.temporal.teller import Teller
from pegboard.run.temporal.wire import Asked, Begin, Resumed, Task, Told
from pegboard.text import Json, to_json

_MOST_RESUMED = 3
"""How often a run within a node that has broken off is let go on."""


class Inside:
    """Of one node."""

    def __init__(self, service: Service, keep: Keep, task: Task, teller: Teller) -> None:
        self._service = service
        self._keep = keep
        self._task = task
        self._teller = teller
        self._known: dict[str, Output] = {}
        """What has been recorded in this process."""
        self._lock = anyio.Lock()

    def within(self, run: str, node: str, slot: Slot, holds: bool) -> Nested:
        """Return what the node's context runs plans with."""
        return Nested(self, run, node, slot, holds=holds)

    async def abandon(self, run: str, node: str = "") -> None:
        """Do nothing: the run around ends what its node has begun (`course.py`)."""

    async def recorded(self, run: str, node: str, name: str, work: Callable[[], Awaitable[Json]]) -> Json:
        """Return what is recorded; without that, do `work` and record what it gives.

        Raises:
            CallFailed: it gives no JSON.
        """
        if name in self._task.noted and name not in self._known:
            self._known[name] = await self._noted(node, name)
        if name not in self._known:
            output = await self._frozen(name, await work())
            async with self._lock:
                if name not in self._known:  # or else another of that name was quicker
                    note = [name, output.written]
                    await self._teller.say(Told(node, self._task.attempt, taint=self._teller.taint, note=note))
                    self._known[name] = output
        held: dict[str, Json] = json.loads(self._known[name].text)
        return held["value"]

    async def inside(self, nest: Nest, request: RunRequest, context: CallContext) -> Ran:
        """Run `request`, or go on with it if it has been begun; it ends where this is cancelled."""
        begin = self._begin(nest, request, context)
        await self._teller.say(Told(nest.node, self._task.attempt, taint=self._teller.taint, inside=nest.run))
        await patiently(partial(self._service.start, nest.run, begin, memo_of(request, begin.parent, begin.created)))
        try:
            await self._followed(nest.run, context)
        except anyio.get_cancelled_exc_class():
            if not _is_taken_away():
                with anyio.CancelScope(shield=True):
                    await patiently(partial(self._service.ask, nest.run, Asked("cancel", reason=ABANDONED)))
            raise
        standing = await patiently(partial(self._service.standing, nest.run))
        used = standing.used
        count_used(used.calls, used.tokens_in, used.tokens_out)
        for tool, count in standing.calls.items():
            context.request.calls[tool] += max(0, count - begin.calls.get(tool, 0))
        return await ran_of_run(self._service, nest.run, self._keep)

    async def _followed(self, run: str, context: CallContext) -> None:
        """Let the run around know what happens in one within it, until that has ended."""
        after = times = 0
        while True:
            try:
                async for written in followed(self._service, run, after=after):
                    after = written.seq
                    self._teller.tell(event_of(written))
                    if written.entry.kind == "run_tainted":
                        context.request.taint.mark(tainted_of(written.entry))
                return
            except TemporalAway:
                await anyio.sleep(1.0)
            except RunBroken:
                times += 1
                if times > _MOST_RESUMED:
                    raise
                await self._resume(run, context)

    async def _resume(self, run: str, context: CallContext) -> None:
        """Let a run go on whose tools have been changed: what does the same as before is kept."""
        plan = read_request(json.loads((await self._service.standing(run)).request)).plan
        resumed = Resumed(specs_of(plan, context.toolset), tooled(plan, context.toolset))
        await self._service.resume(run, resumed)
        await anyio.sleep(1.0)

    def _begin(self, nest: Nest, request: RunRequest, context: CallContext) -> Begin:
        timeout = activity.info().heartbeat_timeout
        assert timeout is not None  # the workflow gives one
        within = replace(request, budget=request.budget.and_at_most(left()))
        return replace(
            beginning(within, context.toolset),
            parent=nest.parent,
            depth=context.depth,
            around={} if context.around is None else {context.around.name: context.around.left},
            taint=self._teller.taint,
            calls=dict(context.request.calls),
            heartbeat_seconds=timeout.total_seconds(),
        )

    async def _noted(self, node: str, name: str) -> Output:
        run, execution = self._task.run, self._task.noted[name]
        written = await patiently(partial(self._service.kept, run, key_of(node, name), execution))
        return await self._keep.read(written)

    async def _frozen(self, name: str, value: Json) -> Output:
        try:
            text = to_json({"value": value})
        except (TypeError, ValueError) as error:
            raise CallFailed(f"What was to be recorded as {name!r} is no JSON: {error}.") from error
        return await self._keep.keep_text(text)


def _is_taken_away() -> bool:
    """Tell whether the node is to be done again elsewhere: its worker ends, or was taken for dead."""
    details = activity.cancellation_details()
    return details is not None and not details.cancel_requested
