"""Functions that block, each in a thread: how many at once, and what becomes of one that nobody waits for any more.

A thread cannot be stopped. A call that is cancelled, or out of time, is let go: its place is free at once, what it
returns is dropped, and it is counted until it ends. Where too many go on like this, no more are begun: the process
would run out of threads.
"""

import threading
from collections.abc import Callable
from typing import Generic, Literal, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread
from anyio.lowlevel import RunVar

from pegboard.errors import LimitReached
from pegboard.events import Event

T = TypeVar("T")

AT_ONCE = 32
"""How many functions may be waited for at the same time; the next waits for its turn."""
MOST_ABANDONED = 16
"""How many may go on that nobody waits for."""


class LetGo(BaseException):
    """Raised in a thread when nobody waits for it any more; no handler should catch it."""


class Threads:
    """A pool of places for functions that block; the threads themselves are anyio's."""

    def __init__(self, *, at_once: int = AT_ONCE, most_abandoned: int = MOST_ABANDONED) -> None:
        self._at_once = at_once
        self._most_abandoned = most_abandoned
        self._limiter: RunVar[anyio.CapacityLimiter] = RunVar("pegboard_threads")
        self._lock = threading.Lock()
        self._running = 0
        self._abandoned = 0
        self._abandoned_ever = 0

    @property
    def running(self) -> int:
        """How many functions work now, whether they are waited for or not."""
        return self._running

    @property
    def abandoned(self) -> int:
        """How many of them nobody waits for."""
        return self._abandoned

    @property
    def abandoned_ever(self) -> int:
        """How many were ever let go before they ended."""
        return self._abandoned_ever

    async def call(self, work: Callable[["Job[T]"], T]) -> T:
        """Return what `work` returns; a cancelled call lets it go.

        Raises:
            LimitReached: too many go on that nobody waits for.
        """
        if self._abandoned >= self._most_abandoned:
            raise LimitReached(
                f"{self._abandoned} calls go on in their threads after they were cancelled or out of time; "
                f"{self._most_abandoned} may.",
                hint="A tool that hangs can be stopped where it declares `python: {isolate: process}`.",
            )
        job = Job(self, work)
        try:
            return await anyio.to_thread.run_sync(job.run, abandon_on_cancel=True, limiter=self._limit())
        finally:
            job.let_go()

    def _limit(self) -> anyio.CapacityLimiter:
        limiter = self._limiter.get(None)
        if limiter is None:
            limiter = anyio.CapacityLimiter(self._at_once)
            self._limiter.set(limiter)
        return limiter

    def began(self) -> None:
        with self._lock:
            self._running += 1

    def ended(self, *, was_abandoned: bool) -> None:
        with self._lock:
            self._running -= 1
            self._abandoned -= was_abandoned

    def abandon(self) -> None:
        with self._lock:
            self._abandoned += 1
            self._abandoned_ever += 1


class Job(Generic[T]):
    """One function in its thread."""

    def __init__(self, threads: Threads, work: Callable[["Job[T]"], T]) -> None:
        self._threads = threads
        self._work = work
        self._lock = threading.Lock()
        self._state: Literal["waiting", "running", "ended"] = "waiting"
        self._is_let_go = False

    def run(self) -> T:
        """Do the work, in the thread."""
        with self._lock:
            if self._is_let_go:
                raise LetGo
            self._state = "running"
            self._threads.began()
        try:
            return self._work(self)
        finally:
            with self._lock:
                self._state = "ended"
                self._threads.ended(was_abandoned=self._is_let_go)

    def let_go(self) -> None:
        """Wait for it no longer."""
        with self._lock:
            if self._state == "running":
                self._threads.abandon()
            self._is_let_go = self._state != "ended"

    def tell(self, emit: Callable[[Event], None], event: Event) -> None:
        """Emit `event` on the event loop, from the thread.

        Raises:
            LetGo: nobody waits for the call.
        """
        if self._is_let_go:
            raise LetGo
        anyio.from_thread.run_sync(emit, event)


THREADS = Threads()
"""Of this process."""
