"""`Log`: the entries of a run as its workflow keeps them, as text, and what of them the next execution needs. Pure."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from pegboard.run.journal.entry import Entry, Kind, Written
from pegboard.run.past.fold import counted
from pegboard.run.schedule import ENDED, State
from pegboard.run.temporal.wire import Carried
from pegboard.text import to_json

_LASTING: frozenset[Kind] = frozenset(
    {"node_ended", "node_judged", "node_approved", "race_timed", "run_cancelled", "run_tainted"}
)


def entry_text(written: Written) -> str:
    """Return an entry as text."""
    entry = written.entry
    held = [written.seq, written.at, entry.kind, entry.node, entry.attempt, dict(entry.body), entry.output]
    return to_json(held)


def read_entry(run: str, text: str) -> Written:
    """Return what `entry_text` has written."""
    seq, at, kind, node, attempt, body, output = json.loads(text)
    return Written(run, seq, at, Entry(kind, node, attempt, body, output))


def page(texts: Iterable[str], most_bytes: int) -> list[str]:
    """Return as many of `texts` as go into so many bytes, one at least."""
    taken: list[str] = []
    size = 0
    for text in texts:
        size += len(text.encode())
        if taken and size > most_bytes:
            break
        taken.append(text)
    return taken


def _essence(entries: Sequence[Written], states: Mapping[str, State]) -> Iterator[Written]:
    """Return the entries by which a run whose nodes are in `states` is folded, without what nodes gave."""
    counting = counted(entries)
    for written in entries:
        entry = written.entry
        is_held = entry.kind == "node_held" and states.get(entry.node) not in ENDED
        if entry.kind == "run_tainted" or (written.seq in counting and (entry.kind in _LASTING or is_held)):
            yield replace(written, entry=replace(entry, output=""))


class Log:
    """The entries of one execution; those before are in the one before."""

    def __init__(self, run: str, carried: Carried | None) -> None:
        """Go on after what the execution before has left."""
        self.entries: list[Written] = []
        self.seq = carried.seq if carried else 0
        """The number of the last entry."""
        self._run = run
        self._before = [read_entry(run, text) for text in carried.entries] if carried else []

    def add(self, entry: Entry, at: float) -> None:
        """Add an entry."""
        self.seq += 1
        self.entries.append(Written(self._run, self.seq, at, entry))

    @property
    def all(self) -> list[Written]:
        """All by which the run is folded."""
        return [*self._before, *self.entries]

    def essence(self, states: Mapping[str, State]) -> list[str]:
        """Return those by which a run whose nodes are in `states` is folded, without what nodes gave."""
        return [entry_text(each) for each in _essence(self.all, states)]
