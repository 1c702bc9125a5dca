"""`Entry`: one thing that has happened in a run, as the journal holds it, as the schedule takes it, and as it is told.

Some entries are records of the schedule, from which a run is folded again; the others only tell what followed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from pegboard import events
from pegboard.events import RunEvent
from pegboard.run import record as records
from pegboard.run.record import Record
from pegboard.text import Json

Kind: TypeAlias = Literal[
    "run_started",
    "run_resumed",
    "plan_extended",
    "node_started",
    "node_judged",
    "node_held",
    "node_approved",
    "node_told",
    "node_noted",
    "run_tainted",
    "node_ended",
    "race_won",
    "race_timed",
    "run_cancelled",
    "run_ended",
]


@dataclass(frozen=True, slots=True)
class Entry:
    """One of them; its run, its number and its time are the journal's."""

    kind: Kind
    node: str = ""
    attempt: int = 0
    body: Mapping[str, Json] = field(default_factory=dict)
    output: str = field(default="", repr=False)
    """JSON of the result that a node has given, or has recorded of its work, or of the blob that holds it."""


@dataclass(frozen=True, slots=True)
class Written:
    """An entry in its place."""

    run: str
    seq: int
    at: float
    entry: Entry


def entry_of(record: Record, *, attempt: int = 0, seconds: float = 0.0, output: str = "") -> Entry:
    """Return what is written of `record`."""
    match record:
        case records.Succeeded(node):
            return Entry("node_ended", node, attempt, _ended("succeeded", "", seconds), output)
        case records.Failed(node, reason):
            return Entry("node_ended", node, attempt, _ended("failed", reason, seconds))
        case records.Judged(node, holds):
            return Entry("node_judged", node, attempt, {"holds": holds})
        case records.Held(node):
            return Entry("node_held", node, attempt)
        case records.Approved(node, granted):
            return Entry("node_approved", node, attempt, {"granted": granted})
        case records.HeadStartOver(race):
            return Entry("race_timed", body={"race": race, "what": "head_start_over"})
        case records.RaceTimedOut(race):
            return Entry("race_timed", body={"race": race, "what": "timed_out"})
        case records.RunCancelled(reason):
            return Entry("run_cancelled", body={"reason": reason})


def _ended(state: str, reason: str, seconds: float) -> dict[str, Json]:
    return {"state": state, "reason": reason, "seconds": seconds, "recorded": True}


def _end_of(entry: Entry) -> Record | None:
    if not entry.body.get("recorded"):
        return None
    if entry.body["state"] == "succeeded":
        return records.Succeeded(entry.node)
    return records.Failed(entry.node, str(entry.body["reason"]))


def _timer_of(entry: Entry) -> Record:
    race = str(entry.body["race"])
    return records.HeadStartOver(race) if entry.body["what"] == "head_start_over" else records.RaceTimedOut(race)


_RECORDS: Mapping[Kind, Callable[[Entry], Record | None]] = {
    "node_judged": lambda entry: records.Judged(entry.node, bool(entry.body["holds"])),
    "node_held": lambda entry: records.Held(entry.node),
    "node_approved": lambda entry: records.Approved(entry.node, bool(entry.body["granted"])),
    "node_ended": _end_of,
    "race_timed": _timer_of,
    "run_cancelled": lambda entry: records.RunCancelled(str(entry.body["reason"])),
}


def record_of(entry: Entry) -> Record | None:
    """Return the record that `entry` holds; None where it only tells."""
    read = _RECORDS.get(entry.kind)
    return read(entry) if read else None


_EVENTS: Mapping[Kind, Callable[..., RunEvent]] = {
    "run_started": events.RunStarted,
    "run_resumed": events.RunResumed,
    "plan_extended": events.PlanExtended,
    "node_started": events.NodeStarted,
    "node_judged": events.NodeJudged,
    "node_held": events.NodeHeld,
    "node_approved": events.NodeApproved,
    "node_told": events.NodeTold,
    "node_noted": events.NodeNoted,
    "run_tainted": events.RunTainted,
    "node_ended": events.NodeEnded,
    "race_won": events.RaceWon,
    "race_timed": events.RaceTimed,
    "run_cancelled": events.RunCancelled,
    "run_ended": events.RunEnded,
}
_UNTOLD = frozenset({"recorded", "spec", "specs", "given", "kept", "used"})
"""What an entry holds for the fold alone."""
_NAMES = frozenset({"dropped", "mended", "after"})
"""What is a list in an entry."""


def event_of(written: Written) -> RunEvent:
    """Return what is told of an entry."""
    entry = written.entry
    body: dict[str, Any] = {key: value for key, value in entry.body.items() if key not in _UNTOLD}
    body |= {key: tuple(body[key]) for key in _NAMES & body.keys()}
    make = _EVENTS[entry.kind]
    return make(run=written.run, seq=written.seq, at=written.at, node=entry.node, attempt=entry.attempt, **body)
