"""`Breaker`: what keeps a service that is down from making everybody wait."""

import time
from collections.abc import Callable

REST_SECONDS = 10.0
"""How long a service that failed is not asked."""


class Breaker:
    """Opens when so many calls in a row have failed; after a rest, one call finds out whether it closes.

    One call that fails while others succeed opens nothing: only a failure that no success has followed counts.
    """

    def __init__(
        self,
        *,
        rest_seconds: float = REST_SECONDS,
        failures: int = 1,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rest_seconds = rest_seconds
        self._most = failures
        self._clock = clock
        self._failures = 0
        """Since the last success."""
        self._open_until: float | None = None
        self._last_success: float | None = None

    @property
    def remaining_seconds(self) -> float:
        """How long the service is still not asked; 0 when it may be."""
        return 0.0 if self._open_until is None else max(0.0, self._open_until - self._clock())

    @property
    def is_open(self) -> bool:
        """It has failed, and nobody knows yet whether it works again."""
        return self._open_until is not None

    def now(self) -> float:
        """Return the time at which a call starts, for `failed`."""
        return self._clock()

    def enter(self) -> float:
        """Return 0 where a call may be made, else how long it may not be.

        The first one after a rest has the service to itself for another rest, unless it ends before.
        """
        if self._open_until is None:
            return 0.0
        remaining = self.remaining_seconds
        if not remaining:
            self._open_until = self._clock() + self._rest_seconds
        return remaining

    def left(self) -> None:
        """Let the next call find out: the one that should have was given up."""
        if self._open_until is not None:
            self._open_until = self._clock()

    def succeeded(self) -> None:
        """Note that the service has answered, be it with a refusal."""
        self._last_success = self._clock()
        self._failures = 0
        self._open_until = None

    def failed(self, started: float) -> None:
        """Note that a call, begun at `started`, found the service unreachable."""
        if self._last_success is None or self._last_success < started:
            self._failures += 1
            if self._failures >= self._most:
                self._open_until = self._clock() + self._rest_seconds
