"""`Bucket`: how much of a rate is left, as a token bucket that holds a minute's worth and is full at first."""

from collections.abc import Callable


class Bucket:
    """Decides and does not wait."""

    def __init__(self, per_minute: float | None, now: Callable[[], float]) -> None:
        self._per_minute = per_minute
        """None: no limit."""
        self._now = now
        self._level = per_minute or 0.0
        self._looked_at: float | None = None

    def wait_seconds(self, amount: float) -> float:
        """Return how long until `amount` may be taken; 0 when it may be now.

        More than the bucket holds may be taken when it is full: others then wait until that is made up for.
        """
        if self._per_minute is None:
            return 0.0
        self._fill()
        lacking = min(amount, self._per_minute) - self._level
        return 60 * lacking / self._per_minute if lacking > _DUST * self._per_minute else 0.0

    def take(self, amount: float) -> None:
        """Take `amount`, even where it is not there; a negative one is put back."""
        if self._per_minute is not None:
            self._fill()
            self._level = min(self._level - amount, self._per_minute)

    def _fill(self) -> None:
        assert self._per_minute is not None  # the callers have looked
        now = self._now()
        since = now if self._looked_at is None else self._looked_at
        self._level = min(self._per_minute, self._level + self._per_minute * (now - since) / 60)
        self._looked_at = now


_DUST = 1e-9
"""What rounding may leave over of a minute's worth."""
