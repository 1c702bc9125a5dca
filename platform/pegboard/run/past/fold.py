"""`Past`: where a run stands by its journal. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pegboard.llm.usage import Used, read_used
from pegboard.plan.graph import Plan
from pegboard.run.journal.entry import Entry, Written, record_of
from pegboard.run.past.growing import grown_request
from pegboard.run.request import RunRequest
from pegboard.run.schedule import ENDED, Schedule
from pegboard.run.taint import Tainted


@dataclass(slots=True)
class Past:
    """What a driver must know to go on."""

    request: RunRequest
    schedule: Schedule
    seq: int = 0
    outputs: dict[str, str] = field(default_factory=dict)
    """By node, what the journal holds of its result."""
    attempts: dict[str, int] = field(default_factory=dict)
    under_way: set[str] = field(default_factory=set)
    """Nodes that had started and were not heard of any more."""
    held: dict[str, Written] = field(default_factory=dict)
    """By node, what was written when it last began to wait for an approval."""
    notes: dict[tuple[str, str], str] = field(default_factory=dict)
    """By node and name, what the journal holds of what nodes have recorded."""
    tainted: Tainted | None = None
    """What it has written down of a text of others."""
    used: Used = field(default_factory=Used)
    """What it used of models until its last record that says so."""

    @property
    def plan(self) -> Plan:
        return self.request.plan


def folded(request: RunRequest, entries: Sequence[Written], seconds: Mapping[str, float] | None = None) -> Past:
    """Return where the run of `request` stands after `entries`; `seconds` is how long its nodes will probably take."""
    past = Past(request, schedule_of(request, seconds), used=request.used)
    counting = counted(entries)
    for written in entries:
        past.seq = written.seq
        entry = written.entry
        if entry.node in past.plan.by_id:
            past.attempts[entry.node] = max(entry.attempt, past.attempts.get(entry.node, 0))
        if isinstance(used := entry.body.get("used"), dict):
            past.used = read_used(used)
        if entry.kind == "plan_extended" and past.request.further:  # or else the request has those steps by now
            past.request = grown_request(past.request, entry.body)
            past.schedule = past.schedule.grown(past.plan, seconds=seconds)
        elif entry.kind == "run_ended":
            past.schedule.close()
        elif entry.kind == "run_tainted":  # whatever was changed since: it has been read
            past.tainted = past.tainted or tainted_of(entry)
        elif written.seq in counting:
            _take(past, written)
    past.under_way = {name for name in past.under_way if past.schedule.states[name] not in ENDED}
    return past


def schedule_of(request: RunRequest, seconds: Mapping[str, float] | None = None) -> Schedule:
    """Return the schedule of a run that begins; `seconds` is how long its nodes will probably take."""
    return Schedule(
        request.plan,
        max_parallel=request.max_parallel,
        seconds=seconds,
        may_grow=request.further,
        first=request.first,
    )


def _take(past: Past, written: Written) -> None:
    entry = written.entry
    if entry.kind == "node_started":
        past.under_way.add(entry.node)
    if entry.kind == "node_held":
        past.under_way.discard(entry.node)
        past.held[entry.node] = written
    if entry.kind == "node_noted":
        past.notes.setdefault((entry.node, str(entry.body["name"])), entry.output)
    record = record_of(entry)
    if record is not None and past.schedule.apply(record) and entry.output:
        past.outputs[entry.node] = entry.output


def tainted_of(entry: Entry) -> Tainted:
    """Return what a `run_tainted` says."""
    return Tainted(str(entry.body["tool"]), str(entry.body["by"]))


def counted(entries: Sequence[Written]) -> set[int]:
    """Return the numbers of the entries that count: where a run was changed, those of nodes that were kept."""
    found: set[int] = set()
    for written in entries:
        if written.entry.kind == "run_resumed" and isinstance(kept := written.entry.body.get("kept"), list):
            found = {each.seq for each in entries if each.seq in found and each.entry.node in kept}
        found.add(written.seq)
    return found
