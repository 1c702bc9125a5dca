"""The one shape of an error, at every edge and of every kind of handler.

    {"error": {"code", "message", "who", "retryable", "correlation_id",
               "limit"?, "declared_at"?, "retry_after_seconds"?, "faults"?, "hint"?}}

`who` made it fail: `caller`, `tool`, `upstream` or `limit`. The server's log names the error by its correlation id.
What a foreign exception says is never in here.
"""

import logging
import re
import uuid
from collections.abc import Mapping
from dataclasses import replace

from pegboard.errors import (
    Blamed,
    CallRefused,
    DeadlineExceeded,
    Failure,
    InvalidArguments,
    LimitReached,
    ModelError,
    PegboardError,
    Unreachable,
    UpstreamFailed,
    UsageError,
)
from pegboard.text import Json

_log = logging.getLogger("pegboard.error")
_BLAMED: tuple[tuple[type[PegboardError], Blamed], ...] = (
    (UsageError, "caller"),
    (CallRefused, "caller"),
    (LimitReached, "limit"),
    (DeadlineExceeded, "limit"),
    (UpstreamFailed, "upstream"),
    (Unreachable, "upstream"),
    (ModelError, "upstream"),
)
"""Who is to blame where the error itself does not say; the first that fits. Of all others, the tool."""

_ANYONE: tuple[Blamed, ...] = ("caller", "tool", "upstream", "limit")


def failure_of(error: PegboardError) -> Failure:
    """Return who made it fail, with the id by which the log names it; always the same of one error."""
    failure = error.failure or _guessed(error)
    if not failure.correlation_id:
        failure = replace(failure, correlation_id=uuid.uuid4().hex[:12])
        _log.info("%s: %s", failure.correlation_id, error)
    error.failure = failure
    return failure


def _guessed(error: PegboardError) -> Failure:
    who: Blamed = next((who for kind, who in _BLAMED if isinstance(error, kind)), "tool")
    after = getattr(error, "retry_after_seconds", None)
    is_retryable = bool(getattr(error, "is_retryable", isinstance(error, LimitReached | Unreachable)))
    return Failure(who, is_retryable, after)


def unexpected(error: Exception) -> PegboardError:
    """Log `error`, which is a defect of ours, and return what a client may know of it."""
    number = uuid.uuid4().hex[:12]
    _log.error("unexpected error %s", number, exc_info=error)
    told = PegboardError(
        "Something went wrong inside the server.", hint=f"The server's log has the details under {number}."
    )
    told.failure = Failure("tool", correlation_id=number)
    return told


def error_json(error: PegboardError, *, code: str = "") -> dict[str, Json]:
    """Return what stands under `error`."""
    failure = failure_of(error)
    shown: dict[str, Json] = {
        "code": code or code_of(error),
        "message": error.message,
        "who": failure.who,
        "retryable": failure.is_retryable,
        "correlation_id": failure.correlation_id,
    }
    optional: Mapping[str, Json] = {
        "limit": failure.limit,
        "declared_at": failure.declared_at,
        "retry_after_seconds": failure.retry_after_seconds,
        "faults": _faults(error),
        "hint": error.hint,
    }
    return shown | {name: value for name, value in optional.items() if value not in ("", None, [])}


def code_of(error: PegboardError) -> str:
    """Return the stable name of a kind of error: that of its class, `invalid_arguments`."""
    name = "InternalError" if type(error) is PegboardError else type(error).__name__
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _faults(error: PegboardError) -> list[Json]:
    if not isinstance(error, InvalidArguments):
        return []
    return [{"pointer": wrong.pointer, "message": wrong.message} for wrong in error.faults]


def restored(error: PegboardError, told: object) -> PegboardError:
    """Return `error` with what another server has told of it under `error`."""
    held: Mapping[str, object] = told if isinstance(told, Mapping) else {}
    who: Blamed | None = next((each for each in _ANYONE if each == held.get("who")), None)
    if who is not None:
        after = held.get("retry_after_seconds")
        error.failure = Failure(
            who,
            held.get("retryable") is True,
            float(after) if isinstance(after, int | float) else None,
            str(held.get("limit") or ""),
            str(held.get("declared_at") or ""),
            str(held.get("correlation_id") or ""),
        )
    return error
