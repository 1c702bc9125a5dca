"""What a call ended in."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pegboard.catalog.contract import Result
from pegboard.errors import CallFailed, DeadlineExceeded
from pegboard.run.results.seen import Seen


@dataclass(frozen=True, slots=True)
class Succeeded:
    """The handler has given a result that fits the tool's output schema."""

    result: Result
    seconds: float
    seen: Seen = field(default=Seen(""), compare=False)
    """What a model sees of it."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The handler raised, ran out of time, or gave what its output schema refuses."""

    kind: Literal["raised", "timeout", "output"]
    message: str
    """Safe to show: internals of the handler are in the log only."""
    seconds: float


Outcome: TypeAlias = Succeeded | Failed


def result_of(outcome: Outcome) -> Result:
    """Return the result of a call.

    Raises:
        CallFailed, DeadlineExceeded: there is none.
    """
    match outcome:
        case Succeeded():
            return outcome.result
        case Failed(kind="timeout"):
            raise DeadlineExceeded(outcome.message)
        case Failed():
            raise CallFailed(outcome.message)


def kept_of(outcome: Outcome) -> Seen:
    """Return what a model sees of the result of a call, with the reference of the rest; empty after a failure."""
    return outcome.seen if isinstance(outcome, Succeeded) else Seen("")
