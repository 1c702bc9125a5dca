"""What is kept of a stored run whose tools, or whose plan, are not what they were. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from pegboard.run.journal.entry import Entry
from pegboard.run.node.specs import changed
from pegboard.run.past.fold import Past
from pegboard.run.request import RunRequest
from pegboard.run.schedule import ENDED


@dataclass(frozen=True, slots=True)
class Now:
    """What a run would do now."""

    request: RunRequest
    changed: frozenset[str]
    """Nodes that do another thing than before, and those that wait for them."""


def changed_request(past: Past, specs: Mapping[str, str]) -> Now:
    """Return what the run of `past` does by what its nodes are now."""
    return Now(past.request.with_specs(specs), frozenset(changed(past.plan, past.request.specs, specs)))


def resumed_entry(past: Past, now: Now) -> Entry:
    """Return what says that a run goes on, and what of it counts no longer."""
    if not now.changed:
        return Entry("run_resumed")
    told = [name for name, state in past.schedule.states.items() if state in ENDED or state == "held"]
    kept = [node.id for node in past.plan.nodes if node.id not in now.changed]
    return Entry("run_resumed", body={"kept": [*kept], "dropped": [name for name in told if name in now.changed]})
