"""The time that waits are measured by: the real one, or a test's."""

import time
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
    """The time that passes; asked many times in a call, so without a look for the event loop."""

    def now(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)


REAL = RealClock()
