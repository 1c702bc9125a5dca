"""`Work`: what one node of a run does; its tool, its arguments, its slot, its call."""

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Protocol

from pegboard.bind.check import checked
from pegboard.catalog.contract import Result
from pegboard.catalog.tool import Tool
from pegboard.errors import PegboardError
from pegboard.events import (
    AnswerPiece,
    CallEnded,
    CallStarted,
    Emit,
    Event,
    NodeTold,
    ResultGiven,
    RunEvent,
    RunStarted,
)
from pegboard.plan.graph import Node
from pegboard.run.context import CallContext, Within
from pegboard.run.journal.stored import Output
from pegboard.run.limits.admission import Request
from pegboard.run.node.durations import Durations
from pegboard.run.node.slots import Slot, Slots
from pegboard.run.node.specs import digest_of_text
from pegboard.run.outcome import Failed as CallHasFailed
from pegboard.run.record import Failed
from pegboard.run.step import step
from pegboard.run.taint import why_unapproved
from pegboard.text import Json, to_json

_UNWRITTEN = (CallStarted, CallEnded, AnswerPiece, ResultGiven)
"""Events of a call that the run's own say already, or that are not worth their place."""
MOST_TOLD = 1000
"""Events that are written down of what goes on within one node; a run within it has a log of its own."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A node that can start."""

    node: Node
    tool: Tool
    arguments: dict[str, Json]
    digest: str
    """Of the arguments."""


@dataclass(frozen=True, slots=True)
class Done:
    """A node's work has come to something, or to nothing."""

    node: str
    output: Output | None
    reason: str
    seconds: float


class Nesting(Protocol):
    """What runs a plan inside of a node."""

    def within(self, run: str, node: str, slot: Slot, holds: bool) -> Within:
        """Return what the node's context runs plans with."""
        ...

    async def abandon(self, run: str, node: str = "") -> None:
        """End the runs inside of a node that nobody wants any more; without `node`, all inside of the run."""
        ...


class Keeping(Protocol):
    """What freezes results: the log of a run."""

    async def keep(self, result: Result) -> Output:
        """Freeze what a node gave.

        Raises:
            ValueError, TypeError: it is no JSON.
        """
        ...


class Arguing(Protocol):
    """What knows what references stand for."""

    def arguments(self, node: Node) -> dict[str, Json] | Failed:
        """Return the arguments of `node` with what they refer to; a reference that leads nowhere is its failure."""
        ...


class Work:
    """Does the work of the nodes of one run."""

    def __init__(  # noqa: PLR0913, PLR0917 (what an engine puts together)
        self,
        run: str,
        context: CallContext,
        log: Keeping,
        slots: Slots,
        nesting: Nesting,
        durations: Durations,
        holds: bool = True,
    ) -> None:
        """Do it with the tools of `context`; with `holds`, the run can wait for approvals."""
        self.holds = holds
        self.taint = context.request.taint
        """What the run has read, and those around it and within it."""
        self._run = run
        self._context = context
        self._log = log
        self._slots = slots
        self._nesting = nesting
        self._durations = durations
        self._tools = {tool.name: tool for tool in context.toolset.tools}

    def is_unrepeatable(self, node: Node) -> bool:
        """Tell whether what may have been done must not be done again."""
        tool = self._tools.get(node.tool)
        return tool is not None and tool.limits.on_unknown == "fail"

    def why_held(self, tool: Tool) -> str:
        """Return why a node of `tool` has to wait for an approval; empty: it has not."""
        request = self._context.request
        is_approved = not self.holds and tool.name in request.approved  # by whoever asks, who waits
        return "" if is_approved else why_unapproved(tool, request.taint)

    def prepared(self, node: Node, values: Arguing) -> Begun | Failed:
        """Return what there is to do: the tool, and arguments that fit it and that nobody else has a hand on."""
        if (tool := self._tools.get(node.tool)) is None:
            return Failed(node.id, f"site {self._context.site!r} has no tool {node.tool!r} any more")
        found = values.arguments(node)
        if isinstance(found, Failed):
            return found
        try:
            text = to_json(checked(tool, found))
        except PegboardError as error:
            return Failed(node.id, str(error))
        return Begun(node, tool, json.loads(text), digest_of_text(text))

    async def done(self, begun: Begun, *, began: Callable[[], None], tell: Emit) -> Done:
        """Wait for a slot, call `began`, and do it."""
        node = begun.node
        slot = (self._slots if node.type == "tool" else Slots()).slot()
        await slot.take()
        try:
            began()
            return await self._called(begun, slot, tell)
        finally:
            slot.give_back()

    async def _called(self, begun: Begun, slot: Slot, tell: Emit) -> Done:
        name, started = begun.node.id, time.perf_counter()
        context = replace(
            self._context,
            emit=self._hearing(tell),
            idempotency_key=f"{self._run}:{name}",
            within=self._nesting.within(self._run, name, slot, self.holds),
            request=_approved(self._context.request, begun),
            early=None,
        )
        early = None if begun.node.race else self._context.early
        outcome = None if early is None else await early.outcome(begun.tool, begun.digest, context)
        is_early = outcome is not None
        if outcome is None:
            outcome = await step(begun.tool, begun.arguments, context)
        seconds = round(outcome.seconds if is_early else time.perf_counter() - started, 6)
        self._durations.note(self._context.site, begun.tool.name, seconds)
        if isinstance(outcome, CallHasFailed):
            return Done(name, None, outcome.reason, seconds)
        try:
            return Done(name, await self._log.keep(outcome.result), "", seconds)
        except (TypeError, ValueError) as error:
            return Done(name, None, f"Tool {begun.tool.name!r} gave what is no JSON: {error}", seconds)

    def _hearing(self, tell: Emit) -> Emit:
        def emit(event: Event) -> None:
            self._context.emit(event)
            if not isinstance(event, _UNWRITTEN):
                tell(event)

        return emit

    async def abandoned(self, begun: Begun) -> None:
        """End what a node that was cancelled has begun."""
        await self._nesting.abandon(self._run, begun.node.id)

    async def closed(self) -> None:
        """End what is left of nested runs: the run is over."""
        await self._nesting.abandon(self._run)

    @staticmethod
    def told(event: Event | RunEvent) -> dict[str, Json]:
        """Return an event of a call, or of a run within the node, as a run's log holds it.

        Of what is told deeper within, it is that alone; its run, number and node say where.
        """
        if isinstance(event, NodeTold) and "run" in event.told:
            return dict(event.told)
        if isinstance(event, RunStarted):
            event = replace(event, plan={})  # its own log has it
        held: dict[str, Json] = json.loads(to_json({"kind": event.kind, **asdict(event)}))
        return held


def _approved(request: Request, begun: Begun) -> Request:
    """Return the request of a node that is begun: what had to be approved for that has been, whatever comes now."""
    return replace(request, approved=request.approved | {begun.tool.name})
