"""`Keeper`: what stays open between calls (clients, sessions, pools), each opened once and closed when idle.

It outlives catalogs: what a reload still uses stays open, and what nothing asks for any more is closed by its idleness.
Each is entered and left in a task of its own, as cancel scopes demand.
"""

from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import anyio
from anyio.abc import TaskGroup

T = TypeVar("T")

IDLE_SECONDS = 60.0


@dataclass(eq=False)
class _Open(Generic[T]):
    """One thing that is open, or is being opened."""

    opening: Callable[[], AbstractAsyncContextManager[T]]
    settled: anyio.Event = field(default_factory=anyio.Event)
    """It is open, or could not be opened."""
    changed: anyio.Event = field(default_factory=anyio.Event)
    """Somebody has begun or ended using it."""
    held: T | None = None
    failure: Exception | None = None
    users: int = 0


class Keeper:
    """Keeps things open; they live in a task group of the caller's."""

    def __init__(self, group: TaskGroup, *, idle_seconds: float = IDLE_SECONDS) -> None:
        self._group = group
        self._idle_seconds = idle_seconds
        self._open: dict[Hashable, _Open[object]] = {}

    def __len__(self) -> int:
        """Return how many things are open."""
        return len(self._open)

    @asynccontextmanager
    async def using(self, key: Hashable, opening: Callable[[], AbstractAsyncContextManager[T]]) -> AsyncIterator[T]:
        """Hold what `key` names open, opening it where it is not; what its opening raises is raised here.

        What says of itself that it `is_broken` is opened anew for the next user, and closed when nobody uses it.
        """
        kept = self._kept(key, opening)
        kept.users += 1
        try:
            await kept.settled.wait()
            if kept.failure is not None:
                raise kept.failure
            yield kept.held  # type: ignore[misc]  # it is settled
        finally:
            kept.users -= 1
            kept.changed.set()

    def drop(self, key: Hashable) -> None:
        """Let the next user of `key` open it anew; who uses it now keeps it."""
        if (kept := self._open.pop(key, None)) is not None:
            kept.changed.set()

    def _kept(self, key: Hashable, opening: Callable[[], AbstractAsyncContextManager[T]]) -> _Open[T]:
        if key in self._open and getattr(self._open[key].held, "is_broken", False):
            self.drop(key)
        if key not in self._open:
            self._open[key] = _Open(opening)
            self._group.start_soon(self._keep, key, self._open[key])
        return self._open[key]  # type: ignore[return-value]  # the key tells the type

    async def _keep(self, key: Hashable, kept: _Open[object]) -> None:
        try:
            async with kept.opening() as kept.held:
                kept.settled.set()
                await self._until_idle(key, kept)
        except Exception as error:  # noqa: BLE001 (whatever opening or closing it raises is its users')
            kept.failure = error
        finally:
            kept.settled.set()
            if self._open.get(key) is kept:
                del self._open[key]

    async def _until_idle(self, key: Hashable, kept: _Open[object]) -> None:
        while kept.users or self._open.get(key) is kept:
            kept.changed = anyio.Event()
            if kept.users:
                await kept.changed.wait()
                continue
            with anyio.move_on_after(self._idle_seconds) as scope:
                await kept.changed.wait()
            if scope.cancelled_caught and not kept.users:
                if self._open.get(key) is kept:
                    del self._open[key]
                return
