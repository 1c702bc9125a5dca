"""The fallback tool starts while a model still scores, and is cancelled for real when another is chosen.

Only a tool without side effects that declares with what it may start (`speculate`). Until it is chosen nobody hears
of it: its events are held back. What it spends counts for the request, as if it had been called later.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import anyio

from pegboard.bind.check import checked
from pegboard.catalog.contract import Question
from pegboard.catalog.placeholders import BEFORE_ROUTING, QUESTION, filled
from pegboard.catalog.tool import Tool, Toolset
from pegboard.errors import InvalidArguments
from pegboard.events.held import HeldEvents
from pegboard.run.context import CallContext
from pegboard.run.outcome import Outcome
from pegboard.run.step import step
from pegboard.text import Json


class Speculation:
    """Work that may have been begun too early; made by `speculating`."""

    def __init__(self, tool: Tool, arguments: Mapping[str, Json], context: CallContext) -> None:
        self._tool = tool
        self._arguments = arguments
        self._emit = context.emit
        self._held = HeldEvents()
        self._context = context.telling(self._held)
        self._begun = anyio.Event()
        self._ended = anyio.Event()
        self._scope = anyio.CancelScope()
        self._outcome: Outcome | None = None

    def begin(self) -> None:
        """Start the tool; a second time changes nothing."""
        self._begun.set()

    def given_up(self) -> None:
        """Cancel the tool: its handler, and the requests to a model that it has made."""
        self._scope.cancel()

    def arguments_of(self, tool: Tool) -> Mapping[str, Json] | None:
        """Return the arguments that `tool` was started with, where they are kept whatever the question says."""
        return self._arguments if self._is_under_way(tool) and tool.keep == "always" else None

    async def outcome(self, tool: Tool, arguments: Mapping[str, Json]) -> Outcome | None:
        """Return what came of the work, waiting for its end; None where another tool or other arguments were chosen.

        Then it is cancelled. What it has told until now is told before this returns.
        """
        if not self._is_under_way(tool) or arguments != self._arguments:
            self.given_up()
            return None
        self._held.release(self._emit)
        await self._ended.wait()
        return self._outcome

    def _is_under_way(self, tool: Tool) -> bool:
        return tool is self._tool and self._begun.is_set() and not self._scope.cancel_called

    async def run(self) -> None:
        """Wait for the start and do the work; never raises."""
        with self._scope:
            await self._begun.wait()
            self._outcome = await step(self._tool, self._arguments, self._context)
        self._ended.set()


@asynccontextmanager
async def speculating(question: Question, toolset: Toolset, context: CallContext) -> AsyncIterator[Speculation | None]:
    """Hold a speculation ready inside of the block, None where there is none; at the end it is cancelled.

    `context` is what the tool would be given if it were chosen.
    """
    speculation = _of(question, toolset, context)
    if speculation is None:
        yield None
        return
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(speculation.run)
            yield speculation
            speculation.given_up()
    except ExceptionGroup as failures:  # the speculation never raises, so it is what the block has raised
        raise failures.exceptions[0] from failures.exceptions[0].__cause__


def _of(question: Question, toolset: Toolset, context: CallContext) -> Speculation | None:
    tool = toolset.fallback
    if tool is None or tool.speculate is None or not tool.read_only or question.mode != "tool":
        return None
    if question.tools and (tool.name not in question.tools or len(set(question.tools)) == 1):
        return None
    try:
        arguments = checked(tool, _filled(tool.speculate, question, toolset))
    except InvalidArguments:
        return None
    return Speculation(tool, arguments, context)


def _filled(arguments: Mapping[str, Json], question: Question, toolset: Toolset) -> dict[str, Json]:
    """Return the declared arguments with the values of their placeholders, which are never looked at again."""
    values = {**dict.fromkeys(BEFORE_ROUTING, toolset.type), **dict.fromkeys(QUESTION, question.text)}
    values["request.site"] = toolset.site
    return {name: filled(value, values) if isinstance(value, str) else value for name, value in arguments.items()}
