"""`Call`: one call of a tool on its way through its limits, and the errors that limits end it with."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, Self, TypeAlias

import anyio

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.tool import Tool
from pegboard.errors import CallFailed, DeadlineExceeded, Failure, LimitReached
from pegboard.events import Emit
from pegboard.run.taint import Taint
from pegboard.text import Json


class Giving(Context, Protocol):
    """The context of whoever calls a tool."""

    def for_call(self, emit: Emit, *, deadline: float, network_seconds: float, max_bytes: int) -> Context:
        """Return what the handler is given, which tells `emit`."""
        ...

    def only_reading(self) -> Self:
        """Return the same with none but the tools that change nothing."""
        ...

    @property
    def taint(self) -> Taint:
        """What its request has read of others."""
        ...

    def with_taint(self, taint: Taint) -> Self:
        """Return the same for a part of the request."""
        ...


@dataclass(frozen=True, slots=True)
class Call:
    """One call; its arguments have passed the tool's schema."""

    tool: Tool
    arguments: Mapping[str, Json]
    context: Giving
    emit: Emit
    """Who hears what happens in it."""
    ends_at: float
    """The tool's timeout or the request's deadline, on the clock of `anyio.current_time()`."""
    is_cut_short: bool = False
    """It is the request's."""

    @property
    def given(self) -> Context:
        """What the handler is given."""
        limits, tool = self.tool.limits, self.tool
        context = self.context.only_reading() if tool.is_planning and tool.read_only else self.context
        return context.for_call(
            self.emit,
            deadline=self.ends_at,
            network_seconds=limits.network_timeout_seconds,
            max_bytes=limits.max_result_bytes,
        )

    @property
    def seconds_left(self) -> float:
        return max(0.0, self.ends_at - anyio.current_time())


Attempt: TypeAlias = Callable[[Call], Awaitable[Result]]
"""Does a call to its end. Raises a `PegboardError` where there is no result."""


class Broken(CallFailed):
    """A handler has raised what it should not."""


def place_of(tool: Tool, key: str) -> str:
    """Return where a limit is declared; empty where no document gives it."""
    span = tool.origin.get(key)
    return "" if span is None else str(span)


def limit_reached(
    tool: Tool,
    key: str,
    why: str,
    *,
    retry_after_seconds: float | None = None,
    is_retryable: bool = True,
    was_called: bool = False,
) -> LimitReached:
    """Return the error of a tool that its limit `key`, such as `call.rate`, kept from being called or answering."""
    place = place_of(tool, key)
    after = "" if retry_after_seconds is None else f" Try again in {_shown(retry_after_seconds)}."
    did = "gave no answer" if was_called else "was not called"
    message = f"Tool {tool.name!r} {did}: {why} ({key}{f', {place}' if place else ''}).{after}"
    error = LimitReached(message, retry_after_seconds=retry_after_seconds)
    error.failure = Failure("limit", is_retryable, retry_after_seconds, key, place)
    return error


def out_of_time(call: Call) -> DeadlineExceeded:
    """Return the error of a call that took too long."""
    tool = call.tool
    if call.is_cut_short:
        error = DeadlineExceeded(f"Tool {tool.name!r} did not answer within what was left of the request.")
        error.failure = Failure("limit", limit="request_timeout")
        return error
    place = place_of(tool, "call.timeout")
    where = f" ({place})" if place else ""
    error = DeadlineExceeded(
        f"Tool {tool.name!r} did not answer within its timeout of {tool.timeout_seconds:g} s{where}."
    )
    error.failure = Failure("limit", True, None, "call.timeout", place)
    return error


def _shown(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
