"""Whether a call may be made at all: its size, an approval, how often its request has called the tool."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from pegboard.catalog.tool import Tool
from pegboard.config.sizes import shown_size
from pegboard.errors import CallRefused, Failure, InvalidArguments
from pegboard.run.limits.call import limit_reached, place_of
from pegboard.run.limits.kept import Guards
from pegboard.run.taint import Taint, why_unapproved
from pegboard.text import Json, to_json


@dataclass(slots=True, eq=False)
class Request:
    """What the calls of one request have in common."""

    guards: Guards = field(default_factory=Guards)
    approved: frozenset[str] = frozenset()
    """Names of tools whose calls somebody has approved."""
    calls: Counter[str] = field(default_factory=Counter)
    """How often each tool with `per_request` was called."""
    taint: Taint = field(default_factory=Taint)
    """Whether they have read what others have written."""


def admit(tool: Tool, arguments: Mapping[str, Json], request: Request) -> None:
    """Let a call pass, and count it.

    Raises:
        InvalidArguments: its arguments are too large.
        CallRefused: nobody has approved it.
        LimitReached: the request has called the tool as often as it may.
    """
    limits = tool.limits
    if arguments and _may_exceed(arguments, limits.max_arguments_bytes):
        size = len(to_json(dict(arguments)).encode())
        if size > limits.max_arguments_bytes:
            raise _too_large(tool, size)
    if tool.name not in request.approved and (why := why_unapproved(tool, request.taint)):
        raise _unapproved(tool, why)
    if limits.per_request is not None:
        if request.calls[tool.name] >= limits.per_request:
            times = "once" if limits.per_request == 1 else f"{limits.per_request} times"
            why = f"a request may call it {times}"
            raise limit_reached(tool, "call.per_request", why, is_retryable=False)
        request.calls[tool.name] += 1


def _may_exceed(arguments: Mapping[str, Json], most: int) -> bool:
    """Tell whether `arguments` may be larger as JSON; of a few short texts and numbers that is plain at a glance."""
    size = 0
    for name, value in arguments.items():
        if isinstance(value, str):
            size += len(value)
        elif isinstance(value, dict | list):
            return True
        size += len(name) + 32
    return size * _MOST_BYTES_EACH > most


_MOST_BYTES_EACH = 6
"""Of one character as JSON."""


def _too_large(tool: Tool, size: int) -> InvalidArguments:
    place = place_of(tool, "call.max_arguments")
    most = shown_size(tool.limits.max_arguments_bytes)
    message = f"The arguments of tool {tool.name!r} are {size:,} bytes as JSON; {most} are allowed."
    error = InvalidArguments(message, hint="Send less at once.")
    error.failure = Failure("caller", limit="call.max_arguments", declared_at=place)
    return error


def _unapproved(tool: Tool, why: str) -> CallRefused:
    is_always = tool.limits.approval == "always"
    place = place_of(tool, "call.approval") if is_always else ""
    hint = f"Whoever may approve it calls it so: `platform call {tool.name} --yes`, with its arguments."
    if not is_always:
        hint += " As a step of a run it waits for `platform runs approve`."
    error = CallRefused(f"{why[0].upper()}{why[1:]}.", hint=hint)
    error.failure = Failure("caller", limit="call.approval" if is_always else "taint", declared_at=place)
    return error
