"""`Cached`: an identical question gets the answer that it got before, for a declared time.

Kept are whole answers at temperature 0 alone: neither errors, nor what was cut off by its length, nor streams, nor
what is longer than anybody waits for twice. Questions are kept as digests.
"""

from collections import OrderedDict
from collections.abc import Callable

from pegboard.llm.model import Called, Completion, Model
from pegboard.llm.usage import count_cached, note_answer
from pegboard.llm.wrapper import Reply, Request, Wrapper
from pegboard.pacing.clock import REAL, Clock
from pegboard.text import to_json

MOST_ANSWERS = 1000
MOST_CHARACTERS = 16 << 10
"""Of one answer."""


class Cached(Wrapper):
    """A model whose answers are used again."""

    def __init__(
        self,
        inner: Model,
        *,
        lifetime_seconds: float,
        most: int = MOST_ANSWERS,
        is_repeatable: Callable[[], bool] = lambda: True,
        clock: Clock = REAL,
    ) -> None:
        super().__init__(inner)
        self.hits = 0
        """Answers that were used again."""
        self.misses = 0
        self._lifetime_seconds = lifetime_seconds
        self._most = most
        self._is_repeatable = is_repeatable
        """Tells whether the model is asked at temperature 0."""
        self._clock = clock
        self._kept: OrderedDict[bytes, tuple[float, object]] = OrderedDict()
        """When each ends, and the answer; the one that was used longest ago first."""

    async def ask(self, request: Request[Reply], timeout_seconds: float) -> Reply:
        key = request.key
        ends_at, reply = self._kept.get(key, (0.0, None))
        if reply is not None and self._clock.now() < ends_at:
            self.hits += 1
            self._kept.move_to_end(key)
            count_cached()
            note_answer(self.name)
            return reply  # type: ignore[return-value]  # the key tells the kind of request
        self.misses += 1
        fresh = await request.to(self.inner, timeout_seconds)
        if request.prompt.temperature == 0 and self._is_repeatable() and _is_whole(fresh):
            self._keep(key, fresh)
        return fresh

    def _keep(self, key: bytes, reply: object) -> None:
        self._kept[key] = (self._clock.now() + self._lifetime_seconds, reply)
        self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)


def _is_whole(reply: object) -> bool:
    match reply:
        case Completion(text=text, cut_off=cut_off):
            return not cut_off and len(text) <= MOST_CHARACTERS
        case Called(calls=calls, text=text):
            size = sum(len(call.name) + len(to_json(dict(call.arguments))) for call in calls)
            return size + len(text) <= MOST_CHARACTERS
        case _:
            return True
