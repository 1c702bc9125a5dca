"""From the error that a call ended with to its outcome: who failed, in words that are safe, named in the log."""

import logging
import secrets
import traceback
from collections.abc import Iterable, Mapping
from dataclasses import replace

from pegboard.catalog.redaction import scrubbed
from pegboard.catalog.tool import Tool
from pegboard.errors import (
    CallRefused,
    DeadlineExceeded,
    Failure,
    LimitReached,
    ModelError,
    PegboardError,
    UpstreamFailed,
    UpstreamTimedOut,
    UsageError,
)
from pegboard.run.limits.call import Broken
from pegboard.run.outcome import Failed, Kind
from pegboard.run.received import Unfit
from pegboard.text import Json

_log = logging.getLogger(__name__)


def failed(
    error: PegboardError, tool: Tool, arguments: Mapping[str, Json], seconds: float, hidden_too: Iterable[str] = ()
) -> Failed:
    """Return the outcome of a call that `error` has ended, and write it to the log.

    `hidden_too` are arguments that are shown nowhere though `tool` does not say so.
    """
    failure = error.failure or _failure_of(error)
    if not failure.correlation_id:
        failure = replace(failure, correlation_id=secrets.token_hex(8))
    kind = _kind_of(error, failure)
    message, hint = (scrubbed(text, tool, arguments, hidden_too) for text in (error.message, error.hint))
    is_told = error.failure is not None and error.failure.who != "tool"
    if not is_told and not isinstance(error, Unfit | Broken):
        message = f"Tool {tool.name!r} failed: {message}"
    if isinstance(error, Broken):
        why = "".join(traceback.format_exception(error.__cause__)) if error.__cause__ else ""
        _log.error(
            "%s: handler %s of tool %s failed\n%s",
            failure.correlation_id,
            tool.handler,
            tool.name,
            scrubbed(why, tool, arguments, hidden_too),
        )
    else:
        _log.info("%s: %s", failure.correlation_id, message)
    return Failed(kind, message, seconds, failure, hint)


def _failure_of(error: PegboardError) -> Failure:
    match error:
        case CallRefused() | UsageError():
            return Failure("caller")
        case LimitReached():
            return Failure("limit", True, error.retry_after_seconds)
        case UpstreamFailed():
            return Failure("upstream", error.is_retryable, error.retry_after_seconds)
        case ModelError():
            return Failure("upstream", False, error.retry_after_seconds)
        case _:
            return Failure("tool")


def _kind_of(error: PegboardError, failure: Failure) -> Kind:
    match error:
        case Unfit():
            return "output"
        case DeadlineExceeded():
            return "timeout"
        case LimitReached():
            return "limit"
        case CallRefused():
            return "refused"
        case UsageError() if failure.who == "caller":
            return "arguments"
        case UpstreamTimedOut():
            return "upstream_timeout"
        case UpstreamFailed():
            return "upstream"
        case _:
            return "raised"
