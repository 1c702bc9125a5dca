"""`Driver`: runs the nodes of one run as its schedule says; it waits, writes down, starts and cancels.

What has happened is applied to the schedule, then written down together with what follows from it, and only then does
anything follow. Whoever is cancelled or killed at any point can be followed by another driver. Not here: what may be
done when (`schedule.py`), what a node does (`work.py`).
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TypeAlias

import anyio
from anyio.abc import TaskGroup

from pegboard.catalog.contract import Ran
from pegboard.events import Event, Noticed, RunEvent
from pegboard.llm.usage import Usage
from pegboard.run.journal.entry import Entry, entry_of
from pegboard.run.journal.log import Log
from pegboard.run.journal.notes import Note, Notes
from pegboard.run.journal.row import Wish
from pegboard.run.journal.stored import Output
from pegboard.run.local.clock import Clock
from pegboard.run.local.happening import Batch, Happening, Planned, Told, ends_all
from pegboard.run.moves import Moves
from pegboard.run.node.values import Values
from pegboard.run.node.work import MOST_TOLD, Begun, Done, Work
from pegboard.run.past.ending import ended
from pegboard.run.past.fold import Past
from pegboard.run.past.growing import grown_request
from pegboard.run.past.ran import ran_of
from pegboard.run.record import (
    Approved,
    Failed,
    HeadStartOver,
    Held,
    Judged,
    RaceTimedOut,
    Record,
    RunCancelled,
    Succeeded,
)
from pegboard.run.request import RunRequest
from pegboard.run.schedule import ENDED, Schedule
from pegboard.text import Json

_CANNOT_WAIT = "only a run that goes on by itself can wait for that (`platform run`, POST /runs)"


Planning: TypeAlias = Callable[[RunRequest, Ran, float], Awaitable[Mapping[str, Json] | None]]
"""Plans further steps of a run whose nodes have ended, within so many seconds; see `run/further.py`."""


class Driver:
    """Drives one run to its end."""

    def __init__(self, past: Past, log: Log, work: Work, planning: Planning, clock: Clock) -> None:
        self.schedule: Schedule = past.schedule
        self.outputs: dict[str, Output] = {}
        self._past = past
        self._request = past.request
        self.approval_seconds = past.request.approval_seconds
        self._plan = past.plan
        self._log = log
        self._work = work
        self._planning = planning
        self._is_planning = False
        self._values = Values(past.request, self.schedule, self.outputs)
        self._happened: list[Happening] = []
        self._wake = anyio.Event()
        self._attempts = past.attempts
        self._scopes: dict[str, anyio.CancelScope] = {}
        """Of the nodes that run."""
        self._written: set[str] = {name for name, state in self.schedule.states.items() if state in ENDED}
        """Nodes whose end is in the journal."""
        self._told: dict[str, int] = {}
        """How much each node has told."""
        self._counting: dict[str, list[tuple[float, Record]]] = {}
        """Times that begin to count when the first node of a race does its work."""
        self.notes = Notes(past.notes, log, self.happen)
        self._is_tainted = past.tainted is not None
        """The journal says so."""
        self.tell_waiting: Callable[[bool | None], None] = lambda waits: None
        """Called with whether the run only waits for approvals now; with None when nobody drives it any more."""
        self._within: dict[str, dict[str, bool]] = {}
        """The runs within each node that are driven now, and which of them only wait for approvals."""
        self._usage = Usage()
        self._clock = clock

    # From outside

    def happen(self, happening: Happening) -> None:
        """Let the driver take something into account."""
        self._happened.append(happening)
        self._wake.set()

    def hear(self, node: str, event: Event | RunEvent) -> None:
        """Let the driver write down what was told inside of a node, by a run in it too."""
        told = self._told[node] = self._told.get(node, 0) + 1
        if told < MOST_TOLD:
            self.happen(Told(node, event))
        elif told == MOST_TOLD:
            self.happen(Told(node, Noticed(f"More than {MOST_TOLD} events within are not told here.")))

    def waits(self, node: str, run: str, is_waiting: bool | None) -> None:
        """Take into account whether a run within a node only waits for approvals; None: it is no longer driven."""
        runs = self._within.setdefault(node, {})
        before = runs.pop(run, None)
        if is_waiting is not None:
            runs[run] = is_waiting
        if before != is_waiting:
            self._wake.set()

    async def drive(self, usage: Usage) -> None:
        """Run what is left; the schedule then says how it ended. `usage` counts what it uses of models meanwhile.

        Raises:
            Fenced: another driver has taken the run over.
        """
        self._usage = usage
        usage.take(self._past.used)
        for node, written in self._past.outputs.items():
            self.outputs[node] = await self._log.read(written)
        async with anyio.create_task_group() as group:
            await self._begin(group)
            while not self.schedule.is_over:
                await self._wait()
                await self._advance(group)
            await self._drained()
            group.cancel_scope.cancel()
        await self._work.closed()
        await self._log.add([ended(self.schedule, self._used())], status=self.schedule.status)

    # What happens one after the other

    async def _begin(self, group: TaskGroup) -> None:
        """Take up what was left."""
        self.schedule.interrupted()
        batch = Batch()
        happened, self._happened = self._happened, []
        for happening in happened:
            self._take(happening, batch)
        for name in sorted(self._past.under_way):
            if self._work.is_unrepeatable(self._plan.by_id[name]):
                self._apply(Failed(name, "it was under way when the run broke off, and may have done its work"), batch)
        for name, written in self._past.held.items():
            if self.schedule.states[name] == "held":
                batch.timers.append((name, self._until(written.at) - self._log.now(), Approved(name, False)))
        await self._settle(batch, group)

    async def _advance(self, group: TaskGroup) -> None:
        """Take into account what has happened; what ends the run comes last, so that nothing that was done is lost."""
        happened, self._happened = self._happened, []
        batch = Batch()
        for happening in sorted(happened, key=ends_all):
            self._take(happening, batch)
        await self._settle(batch, group)

    async def _settle(self, batch: Batch, group: TaskGroup) -> None:
        """Find out what follows, write all of it down, and do it."""
        while self._follow(self.schedule.moves(), batch):
            pass
        if not self._is_tainted and (first := self._work.taint.first) is not None:
            batch.entries.insert(0, Entry("run_tainted", body={"tool": first.tool, "by": first.by}))
            self._is_tainted = True
        await self._log.add(batch.entries, wishes=batch.wishes)
        for note in batch.notes:
            note.is_over.set()
        for name in batch.cancel:
            if (scope := self._scopes.get(name)) is not None:
                scope.cancel()
        for key, seconds, record in batch.timers:
            self._time(group, key, seconds, record)
        for begun in batch.start:
            self._scopes[begun.node.id] = anyio.CancelScope()
            group.start_soon(self._run, begun, self._scopes[begun.node.id], group)
        if self.schedule.wants_more and not self._is_planning:
            self._is_planning = True
            group.start_soon(self._plan_more)

    async def _wait(self) -> None:
        """Wait until something happens, or the time is up that the nodes have; waiting for approvals is free."""
        if self._happened:
            return
        self._wake = anyio.Event()
        is_working = self._is_working()
        self.tell_waiting(not is_working)
        if is_working:
            with anyio.move_on_after(self._clock.left()), self._clock.counting():
                await self._wake.wait()
        else:
            await self._wake.wait()
        if self._clock.left() <= 0:
            self._happened.append(RunCancelled(f"the run took longer than {self._request.deadline_seconds:g} s"))

    def _is_working(self) -> bool:
        """Tell whether a node does more than to wait for runs within it that only wait for approvals."""
        return not all((runs := self._within.get(name)) and all(runs.values()) for name in self._scopes)

    async def _drained(self) -> None:
        """Wait until nobody works any more."""
        while self._scopes:
            for happening in self._happened:
                if isinstance(happening, Note):  # of a node that is cancelled, and shields itself
                    happening.is_over.set()
            self._happened.clear()
            self._wake = anyio.Event()
            await self._wake.wait()

    # What follows from what

    def _take(self, happening: Happening, batch: Batch) -> None:
        match happening:
            case Done(node, output, reason, seconds):
                record: Record = Failed(node, reason) if output is None else Succeeded(node)
                self._apply(record, batch, seconds=seconds, output=output)
            case Wish():
                batch.wishes.append(happening.id)
                self._grant(happening, batch)
            case Note(of=(node, _)):
                batch.notes.append(happening)
                is_running = self.schedule.states[node] == "running"
                if is_running and (entry := self.notes.entry(happening, self._attempts.get(node, 0))) is not None:
                    batch.entries.append(entry)
            case Planned(told):
                self._grow(told, batch)
            case Told(node, event):
                if self.schedule.states[node] == "running":
                    batch.entries.append(self._entry_told(node, event))
            case _:
                self._apply(happening, batch)

    def _grant(self, wish: Wish, batch: Batch) -> None:
        if wish.asks == "cancel":
            self._apply(RunCancelled(wish.reason), batch)
        elif self.schedule.states.get(wish.node) == "held":
            self._apply(Approved(wish.node, wish.asks == "approve"), batch)

    def _apply(self, record: Record, batch: Batch, *, seconds: float = 0.0, output: Output | None = None) -> bool:
        """Apply `record`, and write it down if it counts."""
        race_before = len(self.schedule.winners)
        if not self.schedule.apply(record):
            return False
        node = getattr(record, "node", "")
        attempt = self._attempts.get(node, 0)
        if output is not None:
            self.outputs[node] = output
        written = "" if output is None else output.written
        entry = entry_of(record, attempt=attempt, seconds=seconds, output=written)
        if isinstance(record, Succeeded | Failed) and (used := self._used()):
            entry = replace(entry, body={**entry.body, **used})
        batch.entries.append(entry)
        if isinstance(record, Succeeded | Failed):
            self._written.add(node)
        if len(self.schedule.winners) > race_before and self._plan.by_id[node].race:
            batch.entries.append(Entry("race_won", node, attempt, {"race": self._plan.by_id[node].race}))
        return True

    def _grow(self, told: Mapping[str, Json] | None, batch: Batch) -> None:
        """Take further steps into account, unless the run was ended meanwhile."""
        if told is None or not self.schedule.wants_more:
            self.schedule.close()
            return
        batch.entries.append(Entry("plan_extended", body={**told, **self._used()}))
        past, request = self._past, grown_request(self._request, told)
        past.request, past.schedule = request, self.schedule.grown(request.plan)
        self._request, self._plan, self.schedule = request, request.plan, past.schedule
        self._values = Values(request, past.schedule, self.outputs)

    def _follow(self, moves: Moves, batch: Batch) -> bool:
        """Take up what the schedule says; True where it may have more to say."""
        for name in moves.ended:
            if name not in self._written:
                self._written.add(name)
                batch.entries.append(self._entry_ended(name))
        batch.cancel += moves.cancel
        for name in moves.time_head_start:
            self._counting.setdefault(name, []).append((self._plan.race(name).head_start_seconds, HeadStartOver(name)))
        for name in moves.time_race:
            timeout = self._plan.race(name).timeout_seconds
            assert timeout is not None  # or else it would not be timed
            self._counting.setdefault(name, []).append((timeout, RaceTimedOut(name)))
        judged = [self._judge(name, batch) for name in moves.judge]
        refused = [not self._start(name, batch) for name in moves.start]
        return any(judged) or any(refused)

    def _judge(self, name: str, batch: Batch) -> bool:
        if self.schedule.states[name] != "judging":
            return False
        verdict = self._values.judged(self._plan.by_id[name])
        return self._apply(Judged(name, verdict) if isinstance(verdict, bool) else Failed(name, verdict.reason), batch)

    def _start(self, name: str, batch: Batch) -> bool:
        """Let a node be started; False where something keeps it from that."""
        node = self._plan.by_id[name]
        begun = self._work.prepared(node, self._values)
        if isinstance(begun, Failed):
            self._apply(begun, batch)
            return False
        if name not in self.schedule.approved and (why := self._work.why_held(begun.tool)):
            self._hold(begun, why, batch)
            return False
        attempt = self._attempts[name] = self._attempts.get(name, 0) + 1
        about: dict[str, Json] = {"tool": node.tool, "spec": self._request.specs.get(name, ""), "given": begun.digest}
        batch.entries.append(Entry("node_started", name, attempt, about))
        batch.start.append(begun)
        return True

    def _hold(self, begun: Begun, why: str, batch: Batch) -> None:
        node, now = begun.node, self._log.now()
        if not self._work.holds:
            self._apply(Failed(node.id, f"{why}; {_CANNOT_WAIT}"), batch)
            return
        self.schedule.apply(Held(node.id))
        about: dict[str, Json] = {
            "tool": node.tool, "arguments": begun.arguments, "until": self._until(now), "reason": why,
        }  # fmt: skip
        batch.entries.append(Entry("node_held", node.id, self._attempts.get(node.id, 0), about))
        batch.timers.append((node.id, self._request.approval_seconds, Approved(node.id, False)))

    def _until(self, since: float) -> float:
        return since + self._request.approval_seconds

    def _used(self) -> dict[str, Json]:
        """Return what a record says of what was used until now; nothing where no model was."""
        return {"used": self._usage.used.to_json()} if self._usage.calls else {}

    def _entry_ended(self, name: str) -> Entry:
        body: dict[str, Json] = {
            "state": self.schedule.states[name],
            "reason": self.schedule.reasons.get(name, ""),
            "seconds": 0.0,
        }
        return Entry("node_ended", name, self._attempts.get(name, 0), body)

    def _entry_told(self, node: str, event: Event | RunEvent) -> Entry:
        return Entry("node_told", node, self._attempts.get(node, 0), {"told": self._work.told(event)})

    # Tasks

    async def _run(self, begun: Begun, scope: anyio.CancelScope, group: TaskGroup) -> None:
        """Do a node's work; what it came to is what happens, unless nobody wants it any more."""
        name = begun.node.id
        done: Done | None = None
        try:
            with scope:
                done = await self._work.done(
                    begun, began=partial(self._count, begun.node.race, group), tell=partial(self.hear, name)
                )
            if scope.cancelled_caught:
                await self._work.abandoned(begun)
        finally:
            self._scopes.pop(name, None)
            self._wake.set()
        if done is not None:
            self.happen(done)

    async def _plan_more(self) -> None:
        """Let further steps be planned for what the nodes came to; whoever ends the run ends this."""
        results = {name: output.result for name, output in self.outputs.items()}
        ran = ran_of(self._log.run, self._past, results)
        with self._clock.counting():
            told = await self._planning(self._request, ran, self._clock.left())
        self.happen(Planned(told))

    def _count(self, race: str, group: TaskGroup) -> None:
        """Let the times of a race count: one of its nodes does its work now."""
        for seconds, record in self._counting.pop(race, ()):
            self._time(group, race, seconds, record)

    def _time(self, group: TaskGroup, key: str, seconds: float, record: Record) -> None:
        async def wait() -> None:
            await anyio.sleep(max(seconds, 0.0))
            assert isinstance(record, Approved | HeadStartOver | RaceTimedOut)
            if not isinstance(record, Approved) or self.schedule.states[record.node] == "held":
                self.happen(record)

        group.start_soon(wait)
