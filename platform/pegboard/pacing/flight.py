"""`Flight`: one piece of work that several wait for.

It runs in a task of its own: whoever leaves does not take it from the others, and when all have left, it is
cancelled, and has ended before the last one is gone.
"""

from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

import anyio
from anyio.abc import TaskGroup

CLOSE_SECONDS = 2.0

Landed = TypeVar("Landed")


class Flight(Generic[Landed]):
    """One piece of work, and those who wait for what it gives."""

    def __init__(
        self, work: Callable[[], Awaitable[Landed]], *, over: Callable[[], None], lost: Callable[[], Exception]
    ) -> None:
        """Hold `work`; `over` is called when nobody may join any more, `lost` says why it did not come to its end."""
        self._work = work
        self._over = over
        self._lost = lost
        self._waiting = 0
        self.is_shared = False
        """Somebody has joined whoever began it."""
        self._scope = anyio.CancelScope()
        self._end = anyio.Event()
        self._landed: list[Landed] = []
        self._error: Exception | None = None

    async def begun(self, group: TaskGroup) -> Landed:
        """Do the work in `group`, and return what it gives."""
        group.start_soon(self._run)
        return await self._waited()

    async def joined(self, timeout_seconds: float) -> Landed:
        """Return what the work gives that another has begun.

        Raises:
            TimeoutError: it has not within so many seconds.
        """
        self.is_shared = True
        with anyio.fail_after(timeout_seconds):
            return await self._waited()

    async def _run(self) -> None:
        try:
            with self._scope:
                self._landed.append(await self._work())
        except Exception as error:  # noqa: BLE001 (whatever it is, it concerns those who wait)
            self._error = error
        finally:
            self._over()
            self._end.set()

    async def _waited(self) -> Landed:
        self._waiting += 1
        try:
            await self._end.wait()
        finally:
            self._waiting -= 1
            if not self._waiting and not self._end.is_set():
                await self._abandon()
        if self._landed:
            return self._landed[0]
        raise self._error or self._lost()

    async def _abandon(self) -> None:
        self._over()
        self._scope.cancel()
        with anyio.move_on_after(CLOSE_SECONDS, shield=True):
            await self._end.wait()
