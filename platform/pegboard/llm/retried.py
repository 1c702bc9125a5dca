"""`Retried`: a request that an endpoint could not take just now is sent again, within the deadline of the call.

Waits are those of `pacing.backoff`. What would end after the deadline is not waited for. A streamed answer is asked
for again only while nothing of it has come.
"""

import random
from collections.abc import AsyncGenerator, Callable

from pegboard.errors import ModelError, ModelThrottled, ModelUnreachable
from pegboard.llm.model import Model
from pegboard.llm.wrapper import Flow, Reply, Request, Wrapper, pieces_of
from pegboard.pacing.backoff import wait_seconds
from pegboard.pacing.clock import REAL, Clock


class Retried(Wrapper):
    """A model that is asked again."""

    def __init__(
        self, inner: Model, *, retries: int = 2, clock: Clock = REAL, draw: Callable[[], float] = random.random
    ) -> None:
        super().__init__(inner)
        self._retries = retries
        self._clock = clock
        self._draw = draw
        """Gives numbers from 0 to 1."""

    async def ask(self, request: Request[Reply], timeout_seconds: float) -> Reply:
        tries = _Tries(self._retries, self._clock, self._draw, timeout_seconds)
        while True:
            try:
                return await request.to(self.inner, tries.seconds_left)
            except (ModelThrottled, ModelUnreachable) as error:
                await tries.wait_after(error)

    async def flow(self, flow: Flow, timeout_seconds: float) -> AsyncGenerator[str]:
        tries = _Tries(self._retries, self._clock, self._draw, timeout_seconds)
        has_begun = False
        while True:
            try:
                async with pieces_of(self.inner, flow, tries.seconds_left) as pieces:
                    async for piece in pieces:
                        has_begun = True
                        yield piece
                return
            except (ModelThrottled, ModelUnreachable) as error:
                if has_begun:
                    raise
                await tries.wait_after(error)


class _Tries:
    """The tries of one call."""

    def __init__(self, retries: int, clock: Clock, draw: Callable[[], float], timeout_seconds: float) -> None:
        self._retries = retries
        self._clock = clock
        self._draw = draw
        self._failures = 0
        self._ends_at = clock.now() + timeout_seconds

    @property
    def seconds_left(self) -> float:
        return max(0.0, self._ends_at - self._clock.now())

    async def wait_after(self, error: ModelError) -> None:
        """Wait before the next try; raise `error` where there is none."""
        wait = wait_seconds(self._failures, error.retry_after_seconds, self._draw())
        self._failures += 1
        if self._failures > self._retries or wait >= self.seconds_left:
            raise error
        await self._clock.sleep(wait)
