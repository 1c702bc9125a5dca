"""One call of one tool: its limits, its deadline, its failure as a value, the tool that stands in for it.

Every call goes through here, whoever asks for it. Not here: how arguments are found (`bind`), what each limit does
(`limits`), nor what is made of the result (`answer`).
"""

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

import anyio

from pegboard.catalog.contract import Result
from pegboard.catalog.schema.faults import faults
from pegboard.catalog.tool import Tool, Toolset
from pegboard.errors import PegboardError
from pegboard.events import CallEnded, CallStarted, Degraded
from pegboard.pacing.holding import HOLDING
from pegboard.run.breaking import BREAKING
from pegboard.run.failing import failed
from pegboard.run.limits.admission import Request, admit
from pegboard.run.limits.call import Broken, Call, Giving, out_of_time
from pegboard.run.outcome import Failed, Kind, Outcome, Succeeded
from pegboard.run.received import received
from pegboard.run.results.seen import cut, whole
from pegboard.run.taint import Tainted
from pegboard.text import Json

_UNHEARD: frozenset[Kind] = frozenset({"refused", "arguments", "limit", "timeout", "upstream_timeout"})
"""Failures of calls of which nothing has come back; what a service says of its failure is its text as well."""


class StepContext(Giving, Protocol):
    """What a call needs to know besides what its handler may."""

    @property
    def toolset(self) -> Toolset: ...

    @property
    def request(self) -> Request:
        """What the calls of this request have in common."""
        ...


async def step(tool: Tool, arguments: Mapping[str, Json], context: StepContext) -> Outcome:
    """Call `tool`; `arguments` have passed its schema.

    The call ends at the tool's own timeout or the request's deadline, whichever comes first. A handler that fails
    is an outcome and never an exception; only cancellation passes through, and in
    a run what breaks it off. Where the tool fails by itself, by its
    service or by a limit, its declared fallback is called with those of the arguments that it takes.
    """
    outcome = await _called(tool, arguments, context)
    fallback = tool.limits.fallback
    tried, hidden = {tool.name}, tool.limits.redact
    first = outcome
    while isinstance(outcome, Failed) and fallback and outcome.failure.who != "caller":
        other = context.toolset.get(fallback)
        taken = None if other is None or other.name in tried else _taken(other, arguments)
        if other is None or taken is None or context.deadline <= anyio.current_time():
            break
        tried.add(other.name)
        context.emit(Degraded(f"Tool {other.name!r} was called instead of {tool.name!r}: {outcome.message}"))
        hidden += other.limits.redact
        outcome, fallback = await _called(other, taken, context, hidden), other.limits.fallback
    if isinstance(outcome, Succeeded):
        return outcome if outcome is first else replace(outcome, instead_of=tool.name)
    return first


async def _called(
    tool: Tool, arguments: Mapping[str, Json], context: StepContext, hidden_too: tuple[str, ...] = ()
) -> Outcome:
    context.emit(CallStarted(tool.name))
    started = time.monotonic()
    outcome: Outcome
    try:
        admit(tool, arguments, context.request)
        attempt = context.request.guards.around(_attempt, tool)
        result = await attempt(_call(tool, arguments, context))
        seen = whole(result) or await cut(tool, result, context)
    except PegboardError as error:
        if isinstance(error, BREAKING) and context.idempotency_key:  # a run breaks off: its node has not failed
            raise
        outcome = failed(error, tool, arguments, time.monotonic() - started, hidden_too)
    else:
        outcome = Succeeded(result, time.monotonic() - started, seen)
    if "untrusted" in tool.effects and not (isinstance(outcome, Failed) and outcome.kind in _UNHEARD):
        context.request.taint.mark(Tainted(tool.name, context.idempotency_key))
    context.emit(CallEnded(tool.name, outcome.message if isinstance(outcome, Failed) else None, outcome.seconds))
    return outcome


def _call(tool: Tool, arguments: Mapping[str, Json], context: StepContext) -> Call:
    own = anyio.current_time() + tool.limits.timeout_seconds
    ends_at = min(own, context.deadline)
    return Call(tool, arguments, context, context.emit, ends_at, is_cut_short=ends_at < own)


async def _attempt(call: Call) -> Result:
    """Run the handler once.

    Raises:
        PegboardError: it gave no result, or none in time.
    """
    tool, given = call.tool, call.given
    result: Result | None = None
    with anyio.move_on_after(call.seconds_left) as scope:
        try:
            with HOLDING.calling(tool.name):
                result = await tool.run(given, call.arguments)
        except PegboardError:
            raise
        except (Exception, SystemExit) as error:
            raise Broken(f"Tool {tool.name!r} failed inside its handler; the server's log says why.") from error
    if result is None or scope.cancel_called:  # a handler may swallow its cancellation and answer late
        raise out_of_time(call)
    return await received(tool, result, given)


def _taken(tool: Tool, arguments: Mapping[str, Json]) -> dict[str, Json] | None:
    """Return those of `arguments` that `tool` takes; None where it cannot be called with them."""
    properties = tool.parameters.get("properties")
    names = properties if isinstance(properties, Mapping) else {}
    taken = {name: value for name, value in arguments.items() if name in names}
    return None if faults(taken, tool.parameters) else taken
