"""What a call ended in."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pegboard.catalog.contract import Result
from pegboard.errors import (
    CallFailed,
    CallRefused,
    DeadlineExceeded,
    Failure,
    InvalidArguments,
    LimitReached,
    PegboardError,
    UpstreamFailed,
    UpstreamTimedOut,
)
from pegboard.run.results.seen import Seen

Kind: TypeAlias = Literal[
    "raised", "timeout", "output", "refused", "arguments", "limit", "upstream", "upstream_timeout"
]
"""`raised`: the handler failed; `timeout`: it took too long; `output`: its result does not fit; `refused`: the call
may not be made; `arguments`: these cannot be taken; `limit`: a declared limit is reached; `upstream`: the service
behind it failed, `upstream_timeout`: or did not answer in time.
"""


@dataclass(frozen=True, slots=True)
class Succeeded:
    """The handler has given a result that fits the tool's output schema."""

    result: Result
    seconds: float
    seen: Seen = field(default=Seen(""), compare=False)
    """What a model sees of it."""
    instead_of: str = ""
    """The tool that was called first and failed; empty: none."""


@dataclass(frozen=True, slots=True)
class Failed:
    """There is no result."""

    kind: Kind
    message: str
    """Safe to show: internals of the handler are in the log only."""
    seconds: float
    failure: Failure
    """Who made it fail, whether to try again, and the id by which the log names it."""
    hint: str = ""
    """What to do next; as safe to show."""

    @property
    def reason(self) -> str:
        """What is wrong, and what to do next."""
        return f"{self.message} {self.hint}".strip()


Outcome: TypeAlias = Succeeded | Failed


def result_of(outcome: Outcome) -> Result:
    """Return the result of a call.

    Raises:
        CallFailed, InvalidArguments, DeadlineExceeded: there is none; the error's `failure` says why.
    """
    if isinstance(outcome, Succeeded):
        return outcome.result
    error = _error_of(outcome)
    error.failure = outcome.failure
    raise error


def _error_of(failed: Failed) -> PegboardError:
    message, hint, failure = failed.message, failed.hint, failed.failure
    match failed.kind:
        case "timeout":
            return DeadlineExceeded(message, hint=hint)
        case "refused":
            return CallRefused(message, hint=hint)
        case "arguments":
            return InvalidArguments(message, hint=hint)
        case "limit":
            return LimitReached(message, hint=hint, retry_after_seconds=failure.retry_after_seconds)
        case "upstream" | "upstream_timeout":
            kind = UpstreamTimedOut if failed.kind == "upstream_timeout" else UpstreamFailed
            after = failure.retry_after_seconds
            return kind(message, hint=hint, is_retryable=failure.is_retryable, retry_after_seconds=after)
        case _:
            return CallFailed(message, hint=hint)


def kept_of(outcome: Outcome) -> Seen:
    """Return what a model sees of the result of a call, with the reference of the rest; empty after a failure."""
    return outcome.seen if isinstance(outcome, Succeeded) else Seen("")
