"""`Paced`: no more calls begin in a time, and no more run at once, than is declared; a bounded queue waits.

Who waits is served in the order of arrival. Who would find the queue full, or would wait beyond the time of its call,
is told so at once, with the time when to come again.
"""

import time
from collections.abc import Callable

import anyio

from pegboard.catalog.contract import Result
from pegboard.config.rate import amount_of
from pegboard.errors import LimitReached
from pegboard.pacing.bucket import Bucket
from pegboard.pacing.clock import REAL, Clock
from pegboard.run.limits.call import Attempt, Call, limit_reached

Refuse = Callable[[str, str, float | None], LimitReached]
"""Makes the error of a limit, by its key, the reason, and when to come again."""


class Pace:
    """The places of one tool, its rate, and who waits for them."""

    def __init__(self, rate: str | None, max_parallel: int | None, queue: int, *, clock: Clock = REAL) -> None:
        amount, seconds = amount_of(rate) if rate else (None, 60.0)
        self._bucket = Bucket(amount, clock.now, seconds=seconds)
        self._step_seconds = seconds / amount if amount else 0.0
        """Between two calls of a queue."""
        self._max_parallel = max_parallel
        self._places = anyio.CapacityLimiter(max_parallel) if max_parallel else None
        self._turn = anyio.Lock()
        self._queue = queue
        self._clock = clock
        self._usual_seconds = 0.0
        """Of a call, the later ones counting more."""
        self.waiting = 0

    async def enter(self, holder: object, seconds: float, refuse: Refuse) -> None:
        """Wait for a place and for the rate, at most so many seconds; `holder` then has the place until `leave`.

        Raises:
            LimitReached: the queue is full, or the wait would be too long.
        """
        if self.enters_at_once(holder):
            return
        wait = self._expected_seconds()
        if self.waiting >= self._queue:
            raise refuse("queue", f"{self.waiting} calls wait for it already", wait)
        if self._step_seconds and (by_rate := self._rate_seconds()) > seconds:
            raise refuse("rate", "it has been called as often as it may be", by_rate)
        self.waiting += 1
        try:
            await self._wait(holder, seconds, refuse)
        finally:
            self.waiting -= 1

    def leave(self, holder: object, seconds: float) -> None:
        """Give back the place of a call that took so many seconds."""
        if self._places is not None:
            self._places.release_on_behalf_of(holder)
        self._usual_seconds = 0.8 * self._usual_seconds + 0.2 * seconds if self._usual_seconds else seconds

    def enters_at_once(self, holder: object) -> bool:
        """Take a place where one is free, the rate allows it and nobody waits; tell whether it was."""
        if self.waiting or self._bucket.wait_seconds(1):
            return False
        if self._places is not None:
            try:
                self._places.acquire_on_behalf_of_nowait(holder)
            except anyio.WouldBlock:
                return False
        self._bucket.take(1)
        return True

    async def _wait(self, holder: object, seconds: float, refuse: Refuse) -> None:
        ends_at = self._clock.now() + seconds
        try:
            with anyio.fail_after(seconds):
                async with self._turn:
                    await self._take(holder, ends_at, refuse)
        except TimeoutError as error:
            key = "max_parallel" if self._places is not None else "rate"
            raise refuse(
                key, f"none of its places was free within {seconds:.3g} s", self._expected_seconds()
            ) from error

    async def _take(self, holder: object, ends_at: float, refuse: Refuse) -> None:
        """Take a place and pass the rate; whose turn it is alone looks."""
        if self._places is not None:
            await self._places.acquire_on_behalf_of(holder)
        try:
            while wait := self._bucket.wait_seconds(1):
                if self._clock.now() + wait > ends_at:
                    raise refuse("rate", "it has been called as often as it may be", wait)
                await self._clock.sleep(wait)
        except BaseException:
            if self._places is not None:
                self._places.release_on_behalf_of(holder)
            raise
        self._bucket.take(1)

    def _rate_seconds(self) -> float:
        """Return how long the rate lets somebody wait who comes now."""
        return self._bucket.wait_seconds(1) + self.waiting * self._step_seconds

    def _expected_seconds(self) -> float:
        """Return how long somebody would wait who comes now, as far as can be known."""
        turns = (self.waiting + 1) / self._max_parallel if self._max_parallel else 0.0
        return max(self._rate_seconds(), turns * self._usual_seconds)


class Paced:
    """An attempt that waits for its turn."""

    def __init__(self, inner: Attempt, pace: Pace) -> None:
        self._inner = inner
        self._pace = pace

    async def __call__(self, call: Call) -> Result:
        holder = object()

        def refuse(key: str, why: str, after: float | None) -> LimitReached:
            return limit_reached(call.tool, f"call.{key}", why, retry_after_seconds=after)

        if not self._pace.enters_at_once(holder):
            await self._pace.enter(holder, call.seconds_left, refuse)
        started = time.monotonic()
        try:
            return await self._inner(call)
        finally:
            self._pace.leave(holder, time.monotonic() - started)
