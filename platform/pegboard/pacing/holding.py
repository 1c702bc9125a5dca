"""`Holding`: notices that the event loop was held, and by the calls of which tools.

A handler that is `async def` and blocks (a `time.sleep`, a client that does not await) holds everything: no timeout
ends it, no other request is answered meanwhile. Nothing can stop it, so it is told: it belongs in a function without
`async`, which runs in a thread.
"""

import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from pegboard.pacing.clock import REAL, Clock

_log = logging.getLogger(__name__)

HELD_SECONDS = 0.2
"""So long nothing else could run, for it to be told."""
_BEAT_SECONDS = 0.05
_MOST_NAMED = 5


class Holding:
    """Looks how late it wakes, and knows which tools were being called since it last did."""

    def __init__(self, *, clock: Clock = REAL, held_seconds: float = HELD_SECONDS) -> None:
        self.times = 0
        """How often the loop was held while tools were being called."""
        self.seconds = 0.0
        """For how long, in all."""
        self._clock = clock
        self._held_seconds = held_seconds
        self._under_way: Counter[str] = Counter()
        self._lately: dict[str, None] = {}
        """Tools that were being called at any time since the last beat."""

    @contextmanager
    def calling(self, tool: str) -> Iterator[None]:
        """Know that `tool` is being called for the time of the block."""
        self._under_way[tool] += 1
        self._lately[tool] = None
        try:
            yield
        finally:
            self._under_way[tool] -= 1
            if not self._under_way[tool]:
                del self._under_way[tool]

    async def watch(self) -> None:
        """Look, until it is cancelled."""
        self._lately = dict.fromkeys(self._under_way)  # what has ended before was not looked at
        while True:
            began = self._clock.now()
            await self._clock.sleep(_BEAT_SECONDS)
            self.beat(self._clock.now() - began - _BEAT_SECONDS)

    def beat(self, late_seconds: float) -> None:
        """Take into account that it has woken so late; where nothing was being called, no tool has held it."""
        called, self._lately = list(self._lately), dict.fromkeys(self._under_way)
        if late_seconds < self._held_seconds or not called:
            return
        self.times += 1
        self.seconds += late_seconds
        _log.warning(
            "the event loop was held for %.2f s while %s was being called: a handler that blocks is no `async def`",
            late_seconds,
            ", ".join(map(repr, called[:_MOST_NAMED])),
        )


HOLDING = Holding()
"""That of the process."""
