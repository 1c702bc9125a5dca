"""`Cached`: the same call gets the result that it got before, and who makes a call that is under way waits for it.

The same call is one of the same tool on the same site with equal arguments, in the same language. Errors are not
kept. A call that several wait for belongs to none of them; what it tells is heard by whoever began it, while that
one waits.
"""

import hashlib
import json
from collections import OrderedDict
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace

from anyio.abc import TaskGroup

from pegboard.catalog.contract import Result
from pegboard.errors import DeadlineExceeded, Unreachable
from pegboard.events import Emit, Event
from pegboard.pacing.clock import REAL, Clock
from pegboard.pacing.flight import Flight
from pegboard.run.limits.call import Attempt, Call, out_of_time
from pegboard.run.taint import Taint, Tainted
from pegboard.text import Json, to_json

_SORTED = json.JSONEncoder(sort_keys=True, separators=(",", ":"))
MOST_RESULTS = 1000
MOST_BYTES = 8 << 20
"""Of one tool, as JSON."""
MOST_BYTES_EACH = 1 << 20


class Store:
    """The results of one tool that may be used again, and the calls that are under way."""

    def __init__(
        self, lifetime_seconds: float, *, most: int = MOST_RESULTS, most_bytes: int = MOST_BYTES, clock: Clock = REAL
    ) -> None:
        self._lifetime_seconds = lifetime_seconds
        self._most = most
        self._most_bytes = most_bytes
        self._clock = clock
        self._kept: OrderedDict[bytes, tuple[float, int, Result, Json]] = OrderedDict()
        """When each ends, its size, and data that nobody else holds; the one that was used longest ago first."""
        self.flights: dict[bytes, Flight[Result]] = {}
        self.bytes = 0
        self._read: OrderedDict[bytes, Tainted] = OrderedDict()
        """What calls have read of others that are kept, or have just been made."""

    def __len__(self) -> int:
        """Return how many results are kept."""
        return len(self._kept)

    def get(self, key: bytes) -> Result | None:
        """Return a result that is still good, a copy whose data may be changed."""
        if (kept := self._kept.get(key)) is None:
            return None
        ends_at, _, result, data = kept
        if self._clock.now() >= ends_at:
            self._drop(key)
            return None
        self._kept.move_to_end(key)
        return replace(result, data=deepcopy(data)) if isinstance(data, dict | list) else result

    def put(self, key: bytes, result: Result) -> None:
        """Keep a result, and let go of those that are too many."""
        size = _size(result)
        if size > min(MOST_BYTES_EACH, self._most_bytes):
            return
        self._drop(key)
        self._kept[key] = (self._clock.now() + self._lifetime_seconds, size, result, deepcopy(result.data))
        self.bytes += size
        while len(self._kept) > self._most or self.bytes > self._most_bytes:
            self._drop(next(iter(self._kept)))

    def note(self, key: bytes, read: Tainted | None) -> None:
        """Note what a call has read of others; whoever gets its result has read it as well."""
        self._read.pop(key, None)
        if read is not None:
            self._read[key] = read
        while len(self._read) > self._most:
            self._drop(self._read.popitem(last=False)[0])

    def read(self, key: bytes) -> Tainted | None:
        """Return what a call has read of others."""
        return self._read.get(key)

    def _drop(self, key: bytes) -> None:
        if (kept := self._kept.pop(key, None)) is not None:
            self.bytes -= kept[1]


class Cached:
    """An attempt whose results are used again."""

    def __init__(self, inner: Attempt, store: Store, group: TaskGroup | None) -> None:
        """Wrap `inner`; calls run in `group`. Without one, no call is shared while it is under way."""
        self._inner = inner
        self._store = store
        self._group = group

    async def __call__(self, call: Call) -> Result:
        key = key_of(call.context.site, call.context.language, call.arguments)
        result = await self._had(key, call)
        if (read := self._store.read(key)) is not None:
            call.context.taint.mark(read)
        return result

    async def _had(self, key: bytes, call: Call) -> Result:
        if (kept := self._store.get(key)) is not None:
            return kept
        if self._group is None:
            return await self._fresh(key, call)
        while (flight := self._store.flights.get(key)) is not None:
            try:
                return _copied(await flight.joined(call.seconds_left))
            except TimeoutError as error:
                raise out_of_time(call) from error
            except DeadlineExceeded:  # of whoever began it, who had less time
                if not call.seconds_left:
                    raise
        return await self._begun(key, call, self._group)

    async def _begun(self, key: bytes, call: Call, group: TaskGroup) -> Result:
        heard = _Heard(call.emit)
        shared = replace(call, emit=heard)
        flight: Flight[Result] = Flight(
            lambda: self._fresh(key, shared), over=lambda: self._over(key, flight), lost=_lost
        )
        self._store.flights[key] = flight
        try:
            result = await flight.begun(group)
            return _copied(result) if flight.is_shared else result
        finally:
            heard.is_over = True

    async def _fresh(self, key: bytes, call: Call) -> Result:
        apart = Taint(call.context.taint)
        result = await self._inner(replace(call, context=call.context.with_taint(apart)))
        self._store.put(key, result)
        self._store.note(key, apart.own)
        return result

    def _over(self, key: bytes, flight: Flight[Result]) -> None:
        if self._store.flights.get(key) is flight:
            del self._store.flights[key]


class _Heard:
    """Tells whoever began a call what happens in it, until that one leaves."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self.is_over = False

    def __call__(self, event: Event) -> None:
        if not self.is_over:
            self._emit(event)


def _lost() -> Unreachable:
    return Unreachable("The call was not made to its end: this server closes.")


def key_of(site: str, language: str, arguments: Mapping[str, Json]) -> bytes:
    """Return what two calls of a tool have in common that are the same."""
    return hashlib.sha256(_SORTED.encode([site, language, arguments]).encode()).digest()


def _copied(result: Result) -> Result:
    """Return a result whose data nobody else holds."""
    return replace(result, data=deepcopy(result.data)) if isinstance(result.data, dict | list) else result


def _size(result: Result) -> int:
    items = sum(len(to_json(dict(hit.item.schema_object))) + len(hit.item.description) for hit in result.items)
    evidence = sum(len(each.text) for each in result.evidence)
    return len(result.text) + len(to_json(result.data)) + items + evidence
