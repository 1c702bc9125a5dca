"""`Timers`: what happens in a run when a time is up. Pure; times are seconds since 1970."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from pegboard.run.journal.entry import Entry, entry_of, record_of
from pegboard.run.record import Record
from pegboard.text import to_json


@dataclass(frozen=True, slots=True)
class _Timer:
    due: float
    of: str
    """A race, or a node."""
    record: Record


class Timers:
    """Those of one run."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        """Go on with what `texts` wrote."""
        self._timers = [_read(text) for text in texts]
        self._prepared: dict[str, list[tuple[float, Record]]] = {}
        """Times that begin to count when the first node of a race does its work."""

    def add(self, of: str, due: float, record: Record) -> None:
        """Let `record` happen at `due`."""
        self._timers.append(_Timer(due, of, record))

    def prepare(self, race: str, seconds: float, record: Record) -> None:
        """Let `record` happen so long after a node of `race` has begun its work."""
        if all(timer.record != record for timer in self._timers):
            self._prepared.setdefault(race, []).append((seconds, record))

    def waits_for(self, race: str) -> bool:
        """Tell whether a time begins to count with the next node of `race`."""
        return bool(self._prepared.get(race))

    def begin(self, race: str, now: float) -> None:
        """Let the times of a race count from now on."""
        for seconds, record in self._prepared.pop(race, ()):
            self.add(race, now + seconds, record)

    def forget(self, of: str) -> None:
        """Let nothing happen about a node."""
        self._timers = [timer for timer in self._timers if timer.of != of]

    def due(self, now: float) -> list[Record]:
        """Return what happens now, in order."""
        found = sorted((timer for timer in self._timers if timer.due <= now), key=lambda timer: timer.due)
        self._timers = [timer for timer in self._timers if timer.due > now]
        return [timer.record for timer in found]

    def next_due(self) -> float | None:
        """Return when something happens next."""
        return min((timer.due for timer in self._timers), default=None)

    def texts(self) -> list[str]:
        """Return them as text."""
        held = [(timer, entry_of(timer.record)) for timer in self._timers]
        return [to_json([timer.due, timer.of, entry.kind, entry.node, dict(entry.body)]) for timer, entry in held]


def _read(text: str) -> _Timer:
    due, of, kind, node, body = json.loads(text)
    record = record_of(Entry(kind, node, body=body))
    assert record is not None  # only records are timed
    return _Timer(due, of, record)
