"""`Breaker`: what keeps an endpoint that is down from making every question wait."""

import time
from collections.abc import Callable

REST_SECONDS = 10.0
"""How long an endpoint that failed is not asked."""


class Breaker:
    """Opens when an endpoint fails, and closes by itself after a rest.

    One call that fails while others succeed opens nothing: only a failure that no success has followed counts.
    """

    def __init__(self, *, rest_seconds: float = REST_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self._rest_seconds = rest_seconds
        self._clock = clock
        self._open_until: float | None = None
        self._last_success: float | None = None

    @property
    def remaining_seconds(self) -> float:
        """How long the endpoint is still not asked; 0 when it may be."""
        return 0.0 if self._open_until is None else max(0.0, self._open_until - self._clock())

    def now(self) -> float:
        """Return the time at which a call starts, for `failed`."""
        return self._clock()

    def succeeded(self) -> None:
        """Note that the endpoint has answered, be it with a refusal."""
        self._last_success = self._clock()
        self._open_until = None

    def failed(self, started: float) -> None:
        """Note that a call, begun at `started`, found the endpoint unreachable."""
        if self._last_success is None or self._last_success < started:
            self._open_until = self._clock() + self._rest_seconds
