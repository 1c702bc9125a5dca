"""One call of one tool: its deadline, its failure as a value, its result against the declared schema.

Every call goes through here, whoever asks for it. Not here: how arguments are found (`bind`), nor what is made of
the result (`answer`).
"""

import logging
import math
import time
from collections.abc import Mapping

import anyio

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.tool import Tool
from pegboard.errors import PegboardError
from pegboard.events import CallEnded, CallStarted
from pegboard.run.outcome import Failed, Outcome
from pegboard.run.settle import settled
from pegboard.text import Json

_log = logging.getLogger(__name__)


async def step(tool: Tool, arguments: Mapping[str, Json], context: Context) -> Outcome:
    """Call `tool`; `arguments` have passed its schema.

    The call ends at the tool's own timeout or the request's deadline, whichever comes first. A handler that fails
    is an outcome and never an exception; only cancellation passes through.
    """
    context.emit(CallStarted(tool.name))
    started = time.monotonic()
    outcome = await _call(tool, arguments, context, started)
    error = outcome.message if isinstance(outcome, Failed) else None
    context.emit(CallEnded(tool.name, error, outcome.seconds))
    return outcome


async def _call(tool: Tool, arguments: Mapping[str, Json], context: Context, started: float) -> Outcome:
    limit = min(tool.timeout_seconds, context.deadline - anyio.current_time())
    result: Result | None = None
    with anyio.move_on_after(max(limit, 0)) as scope:
        try:
            result = await tool.run(context, arguments)
        except PegboardError as error:
            return Failed("raised", f"Tool {tool.name!r} failed: {error}", _since(started))
        except (Exception, SystemExit):  # noqa: BLE001 (a handler is anybody's code, and may call sys.exit)
            _log.exception("handler %s of tool %s failed", tool.handler, tool.name)
            message = f"Tool {tool.name!r} failed inside its handler; the server's log says why."
            return Failed("raised", message, _since(started))
    if result is None or scope.cancel_called:  # a handler may swallow its cancellation and answer late
        return Failed("timeout", _too_long(tool, limit), _since(started))
    return await settled(tool, result, context, _since(started))


def _too_long(tool: Tool, limit: float) -> str:
    place = tool.origin.get("call")
    if math.isclose(limit, tool.timeout_seconds):
        where = f" ({place})" if place else ""
        return f"Tool {tool.name!r} did not answer within its timeout of {limit:g} s{where}."
    return f"Tool {tool.name!r} did not answer within what was left of the request, {max(limit, 0):.1f} s."


def _since(started: float) -> float:
    return time.monotonic() - started
