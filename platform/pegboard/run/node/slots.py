"""`Slots`: how many nodes run at once, over all runs of a process and within a run with those nested in it.

A node that waits for others (a nested run, an agent) lends its slot to them: whatever the limit, they come to an end.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

MAX_PARALLEL = 64


class Slot:
    """The place of one node."""

    def __init__(self, limits: tuple[anyio.CapacityLimiter, ...]) -> None:
        self._limits = limits
        self._lent = 0
        self._is_held = False

    async def take(self) -> None:
        """Wait for the slot, first come first served."""
        taken: list[anyio.CapacityLimiter] = []
        try:
            for limit in self._limits:
                await _acquire(limit, self)
                taken.append(limit)
        except BaseException:
            for limit in taken:
                limit.release_on_behalf_of(self)
            raise
        self._is_held = True

    @property
    def slots(self) -> "Slots":
        """The limits that it counts for, to be those of what it is lent to."""
        return Slots(*self._limits)

    def give_back(self) -> None:
        """Let others have it; what is not held is not given back."""
        if self._is_held:
            self._is_held = False
            for limit in self._limits:
                limit.release_on_behalf_of(self)

    @asynccontextmanager
    async def lent(self) -> AsyncIterator[None]:
        """Let others have the slot for the time of the block."""
        self._lent += 1
        if self._lent == 1:
            self.give_back()
        try:
            yield
        finally:
            self._lent -= 1
        if not self._lent:  # where the block was left by an error or cancelled, the node ends: it needs no slot
            await self.take()


async def _acquire(limit: anyio.CapacityLimiter, slot: Slot) -> None:
    try:
        limit.acquire_on_behalf_of_nowait(slot)
    except anyio.WouldBlock:
        await limit.acquire_on_behalf_of(slot)


class Slots:
    """The limits that hold for the nodes of one run."""

    def __init__(self, *limits: anyio.CapacityLimiter) -> None:
        self._limits = limits

    def slot(self) -> Slot:
        """Return a slot for one node, to be taken."""
        return Slot(self._limits)

    def within(self, max_parallel: int) -> "Slots":
        """Return the same with a limit of its own before them."""
        return Slots(anyio.CapacityLimiter(max_parallel), *self._limits)
