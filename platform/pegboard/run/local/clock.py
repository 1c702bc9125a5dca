"""`Clock`: how long the nodes of a run may still work; it stands still while none does."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

import anyio


class Clock:
    """That of one run, while it is driven."""

    def __init__(self, seconds: float | None) -> None:
        """Let them work for `seconds`; None: as long as they like."""
        self._left = math.inf if seconds is None else seconds
        self._since: float | None = None

    def left(self) -> float:
        """Return how many seconds are left."""
        return self._left if self._since is None else self._left - (anyio.current_time() - self._since)

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Let the time of the block count."""
        self._since = anyio.current_time()
        try:
            yield
        finally:
            self._left, self._since = self.left(), None
