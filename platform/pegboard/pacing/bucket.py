"""`Bucket`: how much of a rate is left, as a token bucket that holds what a period allows and is full at first."""

from collections.abc import Callable


class Bucket:
    """Decides and does not wait."""

    def __init__(self, amount: float | None, now: Callable[[], float], *, seconds: float = 60.0) -> None:
        self._amount = amount
        """What may be taken in `seconds`; None: no limit."""
        self._now = now
        self._seconds = seconds
        self._level = amount or 0.0
        self._looked_at: float | None = None

    def wait_seconds(self, amount: float) -> float:
        """Return how long until `amount` may be taken; 0 when it may be now.

        More than the bucket holds may be taken when it is full: others then wait until that is made up for.
        """
        if self._amount is None:
            return 0.0
        self._fill()
        lacking = min(amount, self._amount) - self._level
        return self._seconds * lacking / self._amount if lacking > _DUST * self._amount else 0.0

    def take(self, amount: float) -> None:
        """Take `amount`, even where it is not there; a negative one is put back."""
        if self._amount is not None:
            self._fill()
            self._level = min(self._level - amount, self._amount)

    def _fill(self) -> None:
        assert self._amount is not None  # the callers have looked
        now = self._now()
        since = now if self._looked_at is None else self._looked_at
        self._level = min(self._amount, self._level + self._amount * (now - since) / self._seconds)
        self._looked_at = now


_DUST = 1e-9
"""What rounding may leave over of a period's worth."""
