"""One statement that runs in a thread: it can be stopped from the loop, and it knows when its time is over."""

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

import anyio
import anyio.to_thread

T = TypeVar("T")

_STOP_SECONDS = 0.2
"""How long a statement that was told to stop is waited for; then its thread is left alone."""


class Stopped(Exception):
    """The statement was told to stop, or its time is over."""


class Running:
    """A statement on its way; made on the loop, looked at by the thread."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._ends = time.monotonic() + seconds
        self._told = threading.Event()
        self._lock = threading.Lock()
        self._interrupt: Callable[[], None] | None = None

    @property
    def is_over(self) -> bool:
        """It was told to stop, or its time is over."""
        return self._told.is_set() or time.monotonic() > self._ends

    @property
    def is_stopped(self) -> bool:
        """It was told to stop."""
        return self._told.is_set()

    def check(self) -> None:
        """End the work of the thread when it is over.

        Raises:
            Stopped: it is.
        """
        if self.is_over:
            raise Stopped

    def pause(self, seconds: float) -> None:
        """Let the thread wait, until it is told to stop at the latest."""
        self._told.wait(seconds)
        self.check()

    def interrupted_by(self, interrupt: Callable[[], None] | None) -> None:
        """Say what ends the statement that the thread is waiting for; None: nothing does any more."""
        with self._lock:
            self._interrupt = interrupt
        self.check()

    def forget(self) -> None:
        """Say that nothing is waited for any more."""
        with self._lock:
            self._interrupt = None

    def stop(self) -> None:
        """Tell it to stop, and end what it waits for; blocks for as long as that takes."""
        self._told.set()
        with self._lock:
            if self._interrupt is not None:
                self._interrupt()


class _Outcome(Generic[T]):
    """What a thread gave or raised."""

    def __init__(self) -> None:
        self.value: T | None = None
        self.error: Exception | None = None
        self.ended = anyio.Event()


async def in_thread(work: Callable[[], T], running: Running, slots: anyio.CapacityLimiter) -> T:
    """Do `work` in a thread that `running` can stop; a cancelled caller leaves within a fraction of a second.

    Raises:
        Stopped: the thread did not end in time, though it was told to.
    """
    outcome: _Outcome[T] = _Outcome()
    async with slots, anyio.create_task_group() as group:
        waiting = anyio.CancelScope(shield=True)
        group.start_soon(_stop_when_left, running, outcome.ended, waiting)
        with waiting:
            await _work(work, outcome)
        outcome.ended.set()
        group.cancel_scope.cancel()
    if outcome.error is not None:
        raise outcome.error
    if outcome.value is None:
        raise Stopped
    return outcome.value


async def _work(work: Callable[[], T], outcome: _Outcome[T]) -> None:
    def kept() -> None:
        try:
            outcome.value = work()
        except Exception as error:  # noqa: BLE001 (it is raised where the caller waits)
            outcome.error = error

    await anyio.to_thread.run_sync(kept, abandon_on_cancel=True, limiter=anyio.CapacityLimiter(1))


async def _stop_when_left(running: Running, ended: anyio.Event, waiting: anyio.CancelScope) -> None:
    """Stop the thread when its time is over or its caller is cancelled; then wait for it, but not for long."""
    try:
        await anyio.sleep(running.seconds)
    finally:
        if not ended.is_set():
            with anyio.move_on_after(_STOP_SECONDS, shield=True):
                await anyio.to_thread.run_sync(running.stop, abandon_on_cancel=True, limiter=anyio.CapacityLimiter(1))
                await ended.wait()
            if not ended.is_set():
                waiting.cancel()
