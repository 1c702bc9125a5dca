"""What is written of a run that ends, and of one that is ended while nobody drives it. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping

from pegboard.run.journal.entry import Entry, entry_of
from pegboard.run.past.fold import Past
from pegboard.run.record import RunCancelled
from pegboard.run.schedule import ENDED, Schedule, State
from pegboard.text import Json

REQUEST_ENDED = "the request that it belongs to has ended"
"""Why the plan of a question is: nobody waits for it any more."""


def ended(schedule: Schedule, used: Mapping[str, Json] | None = None) -> Entry:
    """Return the last entry of a run whose nodes have ended."""
    steps: dict[str, Json] = {**steps_in(schedule.states.values())}
    return Entry("run_ended", body={"status": schedule.status, "steps": steps, **(used or {})})


def steps_in(states: Iterable[State]) -> dict[str, int]:
    """Return how many steps are in each state."""
    return dict(sorted(Counter(states).items()))


def cancelled(past: Past, reason: str) -> list[Entry]:
    """Let the run of `past` end, and return what says so."""
    before = {name for name, state in past.schedule.states.items() if state in ENDED}
    record = RunCancelled(reason)
    entries = [entry_of(record)] if past.schedule.apply(record) else []
    for name, state in past.schedule.states.items():
        if name not in before:
            body: Mapping[str, Json] = {"state": state, "reason": reason, "seconds": 0.0}
            entries.append(Entry("node_ended", name, past.attempts.get(name, 0), body))
    return [*entries, ended(past.schedule)]
