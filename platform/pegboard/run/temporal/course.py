"""`Course`: one run as its workflow drives it; a state machine without clock and I/O.

It is told what has happened and when, and says what to do. Everything that happens is an entry of its log, numbered as
a journal numbers it; the same happenings give the same log, so that Temporal can replay it. Not here: what may be done
when (`schedule.py`), how it is done (`workflow.py`, `nodes.py`).
"""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from pegboard.plan.graph import Node
from pegboard.run.journal.entry import Entry, entry_of
from pegboard.run.moves import Moves
from pegboard.run.past.ending import ended
from pegboard.run.past.fold import Past, folded
from pegboard.run.past.resuming import changed_request, resumed_entry
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
from pegboard.run.schedule import ENDED, Schedule
from pegboard.run.taint import Tainted, why_held
from pegboard.run.temporal.bag import Bag
from pegboard.run.temporal.kept import key_of
from pegboard.run.temporal.log import Log
from pegboard.run.temporal.todo import Todo
from pegboard.run.temporal.wire import Asked, Begin, Came, Looked, Planned, Resumed, Standing, Task, Told
from pegboard.text import Json

MOST_LOSSES = 10
"""How many workers may end while they do one node; then it has failed: it may be what ends them."""
PLANNING = ""
"""What stands for the planning of further steps where nodes are named that somebody is at."""


class Course:
    """One execution of a run."""

    def __init__(self, run: str, execution: str, begin: Begin, now: float) -> None:
        """Begin it, or go on with what the execution before has left."""
        carried = begin.carried
        self.run = run
        self.log = Log(run, carried)
        self.is_over = False
        self.broken = ""
        """Why nothing more is started until it is resumed."""
        self.is_turning = False
        """Nothing more is started, because the next execution is to follow."""
        self.active: set[str] = set()
        """Nodes that somebody is at, and `PLANNING`."""
        self.bag = Bag(run, execution, begin)
        self._seconds = begin.seconds
        self._now = self._seen = now
        self._ended: float | None = None
        self._happened: list[Callable[[], None]] = []
        self._ends: list[RunCancelled] = []
        self._losses: dict[str, int] = {}
        self._parked: list[str] = []
        """Nodes that may start, and wait until anything may."""
        self._resumed: Resumed | None = None
        self._todo = Todo()
        """What has been found out to be done."""
        self._whys: dict[str, str] = {}
        """Why nodes are about to be held."""
        past = self._fold()
        self.bag.attempts = {**past.attempts, **self.bag.attempts}
        self.bag.taint = past.tainted or self.bag.taint
        self._is_taint_written = past.tainted is not None
        if carried is None:
            plan = json.loads(begin.request)["plan"]
            self._write(Entry("run_started", body={"site": self.bag.request.site, "plan": plan}))
        if self.bag.taint is not None:
            self._tainted(self.bag.taint)

    def _fold(self) -> Past:
        past = folded(self.bag.request, self.log.all, self._seconds)
        self.schedule: Schedule = past.schedule
        self._plan = past.plan
        self._written = {name for name, state in self.schedule.states.items() if state in ENDED}
        return past

    # What has happened

    @property
    def has_news(self) -> bool:
        """Something has happened that has not been taken into account."""
        return bool(self._happened or self._ends)

    def came(self, task: Task, came: Came) -> None:
        """Take up what doing a node has come to."""
        self._happened.append(partial(self._take_came, task, came))

    def looked(self, task: Task, looked: Looked) -> None:
        """Take up what a look at a node has come to."""
        self._happened.append(partial(self._take_looked, task, looked))

    def lost(self, task: Task, *, is_look: bool = False, broken: str = "") -> None:
        """Nobody is at a node any more, and it came to nothing: its worker has ended, or it was cancelled.

        With `broken` it is an error of our own, and the run waits until it is resumed.
        """
        self._happened.append(partial(self._take_lost, task, is_look, broken))

    def planned(self, planned: Planned) -> None:
        """Take up which further steps there are."""
        self._happened.append(partial(self._take_planned, planned))

    def planning_lost(self, *, broken: str = "") -> None:
        """Nobody plans further steps any more, and it is not known whether there are any; see `lost`."""
        self._happened.append(partial(self._take_planning_lost, broken))

    def told(self, told: Told) -> None:
        """Something was told inside of a node."""
        self._happened.append(partial(self._take_told, told))

    def asked(self, asked: Asked) -> None:
        """Somebody wishes something of the run."""
        if asked.asks == "cancel":
            self._ends.append(RunCancelled(asked.reason))
        else:
            self._happened.append(partial(self._grant, asked))

    def resumed(self, resumed: Resumed) -> None:
        """Somebody wishes that the run goes on."""
        self._happened.append(partial(self._resume, resumed))

    # What follows

    def advance(self, now: float) -> Todo:
        """Take into account what has happened until `now`, write it down, and return what is to be done."""
        self._pass(now)
        happened, self._happened = self._happened, []
        ends, self._ends = self._ends, []
        for take in happened:
            take()
        for cancelled in ends:  # last, so that nothing that was done is lost
            self._apply(cancelled)
        for record in self.bag.timers.due(now):
            if not isinstance(record, Approved) or self.schedule.states[record.node] == "held":
                self._apply(record)
        self._deadline()
        todo, self._todo = self._todo, Todo()
        if self._resumed is not None and not self.active:
            self._refold(self._resumed)
        while self._follow(self.schedule.moves(), todo):
            pass
        self._plan_more(todo)
        if self.schedule.is_over and not self.active and not self.is_over:
            self.is_over, self._ended = True, now
            todo.abandon += [run for run, node in self.bag.inside.items() if node]
            self._write(ended(self.schedule))
        return todo

    def seconds_to_next(self) -> float | None:
        """Return when something is due if nothing happens, in seconds from the last `advance` on; None: nothing is."""
        found = [] if (due := self.bag.timers.next_due()) is None else [due - self._now]
        if self.active and self.bag.seconds_left is not None and not self.schedule.is_over:
            found.append(self.bag.seconds_left)
        return max(0.0, min(found)) if found else None

    def _pass(self, now: float) -> None:
        """Let time pass; of the time that nodes have, waiting for approvals is no part."""
        if self.active and self.bag.seconds_left is not None:
            self.bag.seconds_left -= now - self._seen
        self._now = self._seen = now

    def _deadline(self) -> None:
        if self.bag.seconds_left is not None and self.bag.seconds_left <= 0:
            if self.schedule.wants_more:
                self.schedule.close()
            self._apply(RunCancelled(f"the run took longer than {self.bag.request.deadline_seconds:g} s"))

    def _plan_more(self, todo: Todo) -> None:
        """Let further steps be planned where the run wants them, and no longer where it does not."""
        wants_more = self.schedule.wants_more
        if not wants_more and PLANNING in self.active:
            todo.cancel.append(PLANNING)
        elif wants_more and not (self.active or self._is_waiting):
            self.active.add(PLANNING)
            todo.further = self.bag.further(self._now)

    @property
    def _is_waiting(self) -> bool:
        return bool(self.broken or self.is_turning or self._resumed)

    def _follow(self, moves: Moves, todo: Todo) -> bool:
        """Take up what the schedule says; True where it may have more to say."""
        for name in moves.ended:
            if name not in self._written:
                self._written.add(name)
                state, reason = self.schedule.states[name], self.schedule.reasons.get(name, "")
                body: dict[str, Json] = {"state": state, "reason": reason, "seconds": 0.0}
                self._write(Entry("node_ended", name, self.bag.attempts.get(name, 0), body))
        todo.cancel += [name for name in moves.cancel if name in self.active]
        for race in moves.time_head_start:
            self.bag.timers.prepare(race, self._plan.race(race).head_start_seconds, HeadStartOver(race))
        for race in moves.time_race:
            self.bag.timers.prepare(race, self._plan.race(race).timeout_seconds or 0.0, RaceTimedOut(race))
        self._parked += [*moves.judge, *moves.start]
        if not self._is_waiting:
            parked, self._parked = self._parked, []
            for name in parked:
                self._go(name, todo)
        return bool(moves)

    def _go(self, name: str, todo: Todo) -> None:
        """Let somebody be at a node."""
        node, state = self._plan.by_id[name], self.schedule.states[name]
        if state == "judging":
            self.active.add(name)
            todo.look.append(self._task(node, self.bag.kept.named_in_condition(self.bag.request, node)))
        elif state == "running":
            self._start(node, todo)

    def _start(self, node: Node, todo: Todo) -> None:
        self.active.add(node.id)
        tool = self.bag.tools[node.tool]
        why = "" if node.id in self.schedule.approved else why_held(node.tool, tool.needing, self.bag.taint)
        if why:
            self._whys[node.id] = why
            todo.look.append(replace(self._task(node, self.bag.kept.named_in_arguments(node)), is_held=True))
            return
        attempt = self.bag.attempts[node.id] = self.bag.attempts.get(node.id, 0) + 1
        spec = self.bag.request.specs.get(node.id, "")
        self._write(Entry("node_started", node.id, attempt, {"tool": node.tool, "spec": spec}))
        task = self._task(node, self.bag.kept.named_in_arguments(node))
        todo.start.append(task)
        if tool.is_counted:
            self.bag.spent.reserve(node.tool)

    def _task(self, node: Node, names: set[str]) -> Task:
        return self.bag.task(node, names, self.schedule.winners, self._now)

    # How it is taken into account

    def _take_came(self, task: Task, came: Came) -> None:
        name = task.name
        self.active.discard(name)
        self._unreserve(name)
        self.bag.spent.take(came.calls, came.used)
        self._take_told(Told(name, task.attempt, came.told, came.taint))
        self.bag.inside |= {run: "" for run, node in self.bag.inside.items() if node == name}
        if self.schedule.states[name] in ENDED:
            return
        if came.broken:
            self.broken = came.broken
            self.schedule.again(name)
        elif came.written:
            self.bag.kept.keep(key_of(name), came.written)
            self._apply(Succeeded(name), seconds=came.seconds, output=came.written)
        else:
            self._apply(Failed(name, came.reason), seconds=came.seconds)

    def _take_looked(self, task: Task, looked: Looked) -> None:
        name = task.name
        self.active.discard(name)
        why = self._whys.pop(name, "")
        if self.schedule.states[name] in ENDED:
            return
        if looked.reason:
            self._apply(Failed(name, looked.reason))
        elif self.schedule.states[name] == "judging":
            self._apply(Judged(name, looked.found == "true"))
        else:
            self.schedule.apply(Held(name))
            until = self._now + self.bag.request.approval_seconds
            tool = self._plan.by_id[name].tool
            body: dict[str, Json] = {
                "tool": tool, "arguments": json.loads(looked.found), "until": until, "reason": why,
            }  # fmt: skip
            self._write(Entry("node_held", name, self.bag.attempts.get(name, 0), body))
            self.bag.timers.add(name, until, Approved(name, False))

    def _take_lost(self, task: Task, is_look: bool, broken: str) -> None:
        name = task.name
        self.active.discard(name)
        if not is_look:
            self._unreserve(name)
        if self.schedule.states[name] in ENDED:
            left = [run for run, node in self.bag.inside.items() if node == name]
            self._todo.abandon += left
            self.bag.inside |= dict.fromkeys(left, "")
            return
        self.broken = broken or self.broken
        self._losses[name] = self._losses.get(name, 0) + (not broken)
        if not is_look and self.bag.tools[self._plan.by_id[name].tool].is_unrepeatable:
            self._apply(Failed(name, "it was under way when its worker ended, and may have done its work"))
        elif self._losses[name] >= MOST_LOSSES:
            self._apply(Failed(name, f"{MOST_LOSSES} workers have ended while they did it"))
        else:
            self.schedule.again(name)

    def _take_planned(self, planned: Planned) -> None:
        self.active.discard(PLANNING)
        self.bag.spent.take({}, planned.used)
        if not planned.told or not self.schedule.wants_more:
            self.schedule.close()
            return
        self._write(Entry("plan_extended", body=self.bag.grow(planned)))
        written = self._written
        self._fold()
        self._written = written  # what follows for the further nodes is to be written

    def _take_planning_lost(self, broken: str) -> None:
        self.active.discard(PLANNING)
        self.broken = broken or self.broken
        self._losses[PLANNING] = self._losses.get(PLANNING, 0) + (not broken)
        if self._losses[PLANNING] >= MOST_LOSSES:
            self.schedule.close()

    def _unreserve(self, name: str) -> None:
        tool = self._plan.by_id[name].tool
        if self.bag.tools[tool].is_counted:
            self.bag.spent.unreserve(tool)

    def _take_told(self, told: Told) -> None:
        """Take up what was told inside of a node, if that is still being done, by whom it was given last."""
        name = told.node
        if told.taint:
            self._tainted(Tainted(*told.taint))
        if self.schedule.states[name] != "running" or self.bag.attempts.get(name) != told.attempt:
            return
        for text in told.told:
            self._write(Entry("node_told", name, told.attempt, {"told": json.loads(text)}))
        if told.note and (key := key_of(name, told.note[0])) not in self.bag.kept:
            self.bag.kept.keep(key, told.note[1])
            self._write(Entry("node_noted", name, told.attempt, {"name": told.note[0]}, told.note[1]))
        if told.inside:
            self.bag.inside[told.inside] = name
        if told.has_begun:
            self.bag.timers.begin(self._plan.by_id[name].race, self._now)

    def _tainted(self, first: Tainted) -> None:
        self.bag.taint = self.bag.taint or first
        if not self._is_taint_written:
            self._is_taint_written = True
            self._write(Entry("run_tainted", body={"tool": first.tool, "by": first.by}))

    def _grant(self, asked: Asked) -> None:
        if self.schedule.states.get(asked.node) == "held":
            self.bag.timers.forget(asked.node)
            self._apply(Approved(asked.node, asked.asks == "approve"))

    def _resume(self, resumed: Resumed) -> None:
        if resumed.specs == dict(self.bag.request.specs):
            if self.broken:
                self._write(Entry("run_resumed"))
            self.broken = ""
            self.bag.tools = dict(resumed.tools)
        else:
            self._resumed = resumed  # as soon as nobody is at any node

    def _refold(self, resumed: Resumed) -> None:
        """Go on with other tools: what does the same as before is kept."""
        self._resumed, self.broken = None, ""
        now = changed_request(Past(self.bag.request, self.schedule), resumed.specs)
        self._write(resumed_entry(Past(self.bag.request, self.schedule), now))
        self.bag.request, self.bag.tools = now.request, dict(resumed.tools)
        for name in now.changed:
            self.bag.kept.forget(name)
            self.bag.timers.forget(name)
        self._parked.clear()
        self._losses.clear()
        self._fold()

    def _apply(self, record: Record, *, seconds: float = 0.0, output: str = "") -> None:
        """Apply `record`, and write it down if it counts."""
        won_before = len(self.schedule.winners)
        if not self.schedule.apply(record):
            return
        node = getattr(record, "node", "")
        attempt = self.bag.attempts.get(node, 0)
        self._write(entry_of(record, attempt=attempt, seconds=seconds, output=output))
        if isinstance(record, Succeeded | Failed):
            self._written.add(node)
        if len(self.schedule.winners) > won_before and (race := self._plan.by_id[node].race):
            self._write(Entry("race_won", node, attempt, {"race": race}))

    def _write(self, entry: Entry) -> None:
        self.log.add(entry, self._now)

    # How it stands

    def standing(self) -> Standing:
        """Return how it stands."""
        status = self.schedule.status if self.is_over else "running"
        return self.bag.standing(self.log.seq, status, self._ended, self.broken)

    def next(self) -> Begin:
        """Return what the next execution begins with; nobody is at any node."""
        return self.bag.next(self.log.seq, self.log.essence(self.schedule.states))
