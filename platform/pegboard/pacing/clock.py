"""The time that waits are measured by: anyio's own, or a test's."""

from collections.abc import Awaitable
from typing import Protocol

import anyio


class Clock(Protocol):
    """Tells the time and lets it pass."""

    def now(self) -> float:
        """Return the time in seconds, from any beginning."""
        ...

    def sleep(self, seconds: float) -> Awaitable[None]:
        """Wait for `seconds`."""
        ...


class RealClock:
    """The event loop's time."""

    def now(self) -> float:
        return anyio.current_time()

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)


REAL = RealClock()
