"""`Repeated`: a call that failed because of its service, and may pass, is made again, within its time.

Only of a tool that may be called twice. Waits are those of `pacing.backoff`; what would begin after the deadline is
not waited for, and the failure is told.
"""

import random
from collections.abc import Callable

from pegboard.catalog.contract import Result
from pegboard.errors import UpstreamFailed
from pegboard.pacing.backoff import wait_seconds
from pegboard.pacing.clock import REAL, Clock
from pegboard.run.limits.call import Attempt, Call


class Repeated:
    """An attempt that is made again."""

    def __init__(
        self, inner: Attempt, retries: int, *, clock: Clock = REAL, draw: Callable[[], float] = random.random
    ) -> None:
        self._inner = inner
        self._retries = retries
        self._clock = clock
        self._draw = draw
        """Gives numbers from 0 to 1."""

    async def __call__(self, call: Call) -> Result:
        ends_at = self._clock.now() + call.seconds_left
        failures = 0
        while True:
            try:
                return await self._inner(call)
            except UpstreamFailed as error:
                wait = wait_seconds(failures, error.retry_after_seconds, self._draw())
                failures += 1
                if not error.is_retryable or failures > self._retries or self._clock.now() + wait >= ends_at:
                    raise
            await self._clock.sleep(wait)
