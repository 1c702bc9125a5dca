"""How many agents are within each other: each says how deep it may be, and the narrowest of them counts."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pegboard.errors import CallRefused

_Around = tuple[str, int]
"""The agent whose word counts, and how many may still be within it."""
_AROUND: ContextVar[_Around | None] = ContextVar("pegboard_agents_around", default=None)


@contextmanager
def within(name: str, most: int) -> Iterator[None]:
    """Let the agent `name` work in the block; with it, `most` may be within each other.

    Raises:
        CallRefused: it is deeper than an agent around it lets it be.
    """
    around = _AROUND.get()
    if around is not None and around[1] < 1:
        message = f"Agent {name!r} was not asked: {around[0]!r} lets no more agents be within each other (max_depth)."
        raise CallRefused(message, hint="Do it with other tools.")
    inside = (name, most - 1)
    if around is not None and around[1] - 1 < inside[1]:
        inside = (around[0], around[1] - 1)
    token = _AROUND.set(inside)
    try:
        yield
    finally:
        _AROUND.reset(token)
