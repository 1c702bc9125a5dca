"""What a model's wrappers have to tell while they work: events, to whoever listens in this task and those below.

The seam `Model` has no place for it, and whoever asks a model need not know that another stands in for it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pegboard.events import Emit, Event


class _Ear:
    def __init__(self, emit: Emit) -> None:
        self.emit = emit
        self.heard: set[str] = set()


_listening: ContextVar[_Ear | None] = ContextVar("pegboard_listening", default=None)


@contextmanager
def heard_by(emit: Emit) -> Iterator[None]:
    """Let `emit` hear what is told inside of the block."""
    token = _listening.set(_Ear(emit))
    try:
        yield
    finally:
        _listening.reset(token)


def tell(event: Event, *, once: str) -> None:
    """Tell `event` to whoever listens, unless something was told under the name `once` already."""
    ear = _listening.get()
    if ear is not None and once not in ear.heard:
        ear.heard.add(once)
        ear.emit(event)
