"""What models were asked, counted for whoever wants to know (a request, a decision), and how much may be.

Every implementation of `Model` reports here; `measured()` collects what happens inside of its block, tasks
that were started there included. Blocks may lie inside of each other: each counts all that lies in it, and a budget
of any of them holds.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeVar

from pegboard.errors import BudgetSpent
from pegboard.events import Degraded
from pegboard.llm.telling import tell
from pegboard.text import Json

T = TypeVar("T", int, float)


@dataclass(frozen=True, slots=True)
class Budget:
    """How much of models a request may use; None: as much as it likes."""

    calls: int | None = None
    """Requests that may be sent."""
    tokens: int | None = None
    """Read and written; the call that exceeds it is the last one."""
    seconds: float | None = None
    """From the beginning of the request on; a call under way ends then."""

    def and_at_most(self, other: "Budget") -> "Budget":
        """Return the budget that is held where both are."""
        return Budget(
            _least(self.calls, other.calls), _least(self.tokens, other.tokens), _least(self.seconds, other.seconds)
        )


def _least(one: T | None, other: T | None) -> T | None:
    given = [each for each in (one, other) if each is not None]
    return min(given) if given else None


UNBOUNDED = Budget()


@dataclass(frozen=True, slots=True)
class Used:
    """How much of models was used for something that is over, or until now."""

    calls: int = 0
    """Requests that were sent to a model."""
    tokens_in: int = 0
    tokens_out: int = 0

    def plus(self, other: "Used") -> "Used":
        """Return the sum."""
        return Used(self.calls + other.calls, self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out)

    def minus(self, other: "Used") -> "Used":
        """Return what was used besides."""
        return Used(self.calls - other.calls, self.tokens_in - other.tokens_in, self.tokens_out - other.tokens_out)

    def to_json(self) -> dict[str, Json]:
        """Return it as `usage` is told of a plan and of a run."""
        return {"model_calls": self.calls, "tokens_in": self.tokens_in, "tokens_out": self.tokens_out}


NOTHING_USED = Used()


def read_used(told: Mapping[str, Json]) -> Used:
    """Return what `Used.to_json` has written."""
    return Used(*(int(str(told[key])) for key in ("model_calls", "tokens_in", "tokens_out")))


@dataclass(slots=True)
class Usage:
    """What has been used so far."""

    calls: int = 0
    """Requests that were sent to a model."""
    tokens_in: int = 0
    tokens_out: int = 0
    cached: int = 0
    """Answers that needed no request of their own: they were known, or just being given to another."""
    answered_by: str = field(default="", compare=False)
    """The model that gave the last answer; empty: none did."""
    budget: Budget = field(default=UNBOUNDED, compare=False)
    _clock: Callable[[], float] = field(default=time.monotonic, compare=False, repr=False)
    _began: float = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Note the time."""
        self._began = self._clock()

    @property
    def seconds(self) -> float:
        """How long ago it began."""
        return self._clock() - self._began

    def spent(self) -> str:
        """Say what of the budget is used up; empty where another request may be sent."""
        budget = self.budget
        if budget.calls is not None and self.calls >= budget.calls:
            return f"{budget.calls} model calls"
        if budget.tokens is not None and self.tokens_in + self.tokens_out >= budget.tokens:
            return f"{budget.tokens} tokens"
        if budget.seconds is not None and self.seconds >= budget.seconds:
            return f"{budget.seconds:g} s"
        return ""

    @property
    def used(self) -> Used:
        """What has been used until now."""
        return Used(self.calls, self.tokens_in, self.tokens_out)

    def take(self, used: Used) -> None:
        """Count what was used for the same before."""
        self.calls += used.calls
        self.tokens_in += used.tokens_in
        self.tokens_out += used.tokens_out

    def to_json(self) -> dict[str, Json]:
        """Return it as an answer's `usage`; the milliseconds are those since it began."""
        return {
            "model_calls": self.calls,
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "cached": self.cached,
            "milliseconds": round(1000 * self.seconds, 1),
        }


_collecting: ContextVar[tuple[Usage, ...]] = ContextVar("pegboard_usage", default=())


@contextmanager
def measured(budget: Budget = UNBOUNDED, *, clock: Callable[[], float] = time.monotonic) -> Iterator[Usage]:
    """Count what is used inside of the block, and let it be no more than `budget`."""
    usage = Usage(budget=budget, _clock=clock)
    token = _collecting.set((*_collecting.get(), usage))
    try:
        yield usage
    finally:
        _collecting.reset(token)


def count_call() -> None:
    """Report that a request is about to be sent.

    Raises:
        BudgetSpent: it may not be.
    """
    for usage in _collecting.get():
        if spent := usage.spent():
            message = f"The request has used its budget of {spent}."
            tell(Degraded(f"{message} What is left is done without a model."), once=message)
            raise BudgetSpent(message)
    for usage in _collecting.get():
        usage.calls += 1


def count_tokens(tokens_in: int, tokens_out: int) -> None:
    """Report the tokens of a reply."""
    for usage in _collecting.get():
        usage.tokens_in += tokens_in
        usage.tokens_out += tokens_out


def count_used(calls: int, tokens_in: int, tokens_out: int) -> None:
    """Report what was used for this elsewhere, by another process."""
    for usage in _collecting.get():
        usage.take(Used(calls, tokens_in, tokens_out))


def so_far() -> Used:
    """Return what was used inside of the innermost block until now."""
    collecting = _collecting.get()
    return collecting[-1].used if collecting else Used()


def left() -> Budget:
    """Return what the budgets in force leave, for a part of the work that is done elsewhere."""
    collecting = _collecting.get()
    calls = [each.budget.calls - each.calls for each in collecting if each.budget.calls is not None]
    tokens = [
        each.budget.tokens - each.tokens_in - each.tokens_out for each in collecting if each.budget.tokens is not None
    ]
    return Budget(max(0, min(calls)) if calls else None, max(0, min(tokens)) if tokens else None, seconds_left())


def count_cached() -> None:
    """Report an answer that needed no request of its own."""
    for usage in _collecting.get():
        usage.cached += 1


def note_answer(model: str) -> None:
    """Report which model gave an answer."""
    for usage in _collecting.get():
        usage.answered_by = model


def answered_by(otherwise: str) -> str:
    """Return which model gave the last answer inside of the innermost block, `otherwise` where none did."""
    collecting = _collecting.get()
    return (collecting[-1].answered_by if collecting else "") or otherwise


def seconds_left() -> float | None:
    """Return how long the budgets in force let a model answer; None: as long as it likes."""
    limits = [(usage, usage.budget.seconds) for usage in _collecting.get()]
    left = [seconds - usage.seconds for usage, seconds in limits if seconds is not None]
    return max(0.0, min(left)) if left else None
