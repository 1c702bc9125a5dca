"""What models were asked, counted for whoever wants to know: a request, a decision.

Every implementation of `Model` reports here; `measured()` collects what happens inside of its block, tasks
that were started there included. Blocks may lie inside of each other: each counts all that lies in it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(slots=True)
class Usage:
    """What has been used so far."""

    calls: int = 0
    """Requests that were sent to a model."""
    tokens_in: int = 0
    tokens_out: int = 0


_collecting: ContextVar[tuple[Usage, ...]] = ContextVar("pegboard_usage", default=())


@contextmanager
def measured() -> Iterator[Usage]:
    """Count what is used inside of the block."""
    usage = Usage()
    token = _collecting.set((*_collecting.get(), usage))
    try:
        yield usage
    finally:
        _collecting.reset(token)


def count_call() -> None:
    """Report that a request is sent."""
    for usage in _collecting.get():
        usage.calls += 1


def count_tokens(tokens_in: int, tokens_out: int) -> None:
    """Report the tokens of a reply."""
    for usage in _collecting.get():
        usage.tokens_in += tokens_in
        usage.tokens_out += tokens_out
