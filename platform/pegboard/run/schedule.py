"""`Schedule`: which nodes of a plan start when, and which are cancelled; a state machine without clock and I/O.

It is told what has happened (`apply`) and asked what to do (`moves`). The same records give the same state, in whatever
order moves are asked for: a run is resumed by applying what its journal holds, and so is one whose plan has grown.

A node waits for units: nodes, races as a whole, or nodes with their fallbacks. A unit comes to something when its node
succeeds, when a racer or a fallback does, or when it fails and its declaration says that others go on. What waits for
a unit that comes to nothing is skipped. Nodes that may start do so in the order of `plan/order.py` (the longest way to
an end first), then of the plan.
"""

import heapq
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pegboard.plan.graph import Node, NodeType, Plan, ends_of
from pegboard.plan.order import ranks
from pegboard.run.moves import Moves
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

State: TypeAlias = Literal[
    "waiting", "judging", "held", "running", "succeeded", "failed", "skipped", "lost", "cancelled"
]
"""`judging`: its condition is looked at; `held`: it waits for an approval; `lost`: another racer has won."""

ENDED: frozenset[State] = frozenset({"succeeded", "failed", "skipped", "lost", "cancelled"})

Status: TypeAlias = Literal["running", "succeeded", "partly", "failed", "cancelled"]
"""`partly`: something failed, and something that nothing else waits for has succeeded."""


@dataclass(frozen=True, slots=True)
class _End:
    """How a node ends."""

    node: Node
    state: State
    reason: str = ""
    is_told: bool = False
    """A record says so: it need not be cancelled."""


class Schedule:
    """A run of one plan."""

    def __init__(
        self,
        plan: Plan,
        *,
        max_parallel: int = 8,
        seconds: Mapping[str, float] | None = None,
        may_grow: bool = False,
        first: int = 0,
    ) -> None:
        """Begin; at most `max_parallel` nodes run at once, sub-agents not counted; `seconds` are nodes' probable times.

        With `may_grow`, further nodes may follow when all have ended (`wants_more`). Of a plan that has grown, `first`
        is how many of its nodes were there before.

        Raises:
            ValueError: `max_parallel` is less than 1.
        """
        if max_parallel < 1:
            raise ValueError(f"max_parallel is {max_parallel}; at least one node must be able to run")
        self.plan = plan
        self._max_parallel = max_parallel
        self._may_grow = may_grow
        self._ends = ends_of(plan, first)
        self._records: list[Record] = []
        """All that counted."""
        self.states: dict[str, State] = {node.id: "waiting" for node in plan.nodes}
        self.reasons: dict[str, str] = {}
        """Why a node failed, was skipped, lost or was cancelled."""
        self.winners: dict[str, str] = {}
        """The winner of each race that has one; of a node with a fallback, whichever of them succeeded."""
        self.approved: set[str] = set()
        """Nodes that somebody has approved."""
        self._slots = max_parallel
        self._places = {node.id: place for place, node in enumerate(plan.nodes)}
        self._left = {node.id: len(plan.needs[node.id]) for node in plan.nodes}
        """How many units each node still waits for."""
        self._came = dict.fromkeys(self.states, 0)
        """How many of them have come to something."""
        self._ranks = ranks(plan, seconds or {}, max_parallel)
        self._ready: dict[NodeType, list[tuple[float, int, str]]] = {"tool": [], "sub_agent": []}
        self._moves = Moves()
        self._units: dict[str, bool] = {}
        """Units that are over, and whether they have come to something."""
        self._bad: set[str] = set()
        """Units that came to nothing because something failed."""
        self._begun: set[str] = set()
        """Races of which a node has started."""
        self._free_for_all: set[str] = set()
        """Races whose favourite has had its head start."""
        self._holding: set[str] = set()
        """Nodes whose condition holds."""
        self._ending: deque[_End] = deque()
        self._is_settling = False
        self._ended_by: Literal["failed", "cancelled"] | None = None
        """How the run was ended before its nodes had."""
        self._open = len(plan.nodes)
        for node in plan.nodes:
            self._admit(node)

    def moves(self) -> Moves:
        """Return what is to be done now, and take it as begun."""
        while (node := self._next("sub_agent")) is not None:
            self._start(node)
        while self._slots > 0 and (node := self._next("tool")) is not None:
            self._start(node)
        moves, self._moves = self._moves, Moves()
        return moves

    def _next(self, kind: NodeType) -> Node | None:
        """Take the next node of a kind that may start; one that has ended or was queued twice is passed over."""
        ready = self._ready[kind]
        while ready:
            _, _, name = heapq.heappop(ready)
            if self.states[name] == "waiting":
                return self.plan.by_id[name]
        return None

    def _start(self, node: Node) -> None:
        self.states[node.id] = "running"
        self._slots -= node.type == "tool"
        self._moves.start.append(node.id)
        if not node.race:
            return
        race = self.plan.race(node.race)
        if race.timeout_seconds is not None and race.name not in self._begun:
            self._moves.time_race.append(race.name)
        if race.favourite == node.id and race.head_start_seconds:
            self._moves.time_head_start.append(race.name)
        self._begun.add(race.name)

    def apply(self, record: Record) -> bool:
        """Take `record` into account; False where it changes nothing, because what it is about has ended already."""
        if counts := self._take(record):
            self._records.append(record)
        return counts

    def _take(self, record: Record) -> bool:
        match record:
            case RunCancelled(reason):
                return not self.is_over and self._end_all("cancelled", reason or "the run was cancelled")
            case HeadStartOver(race):
                return self._head_start_over(race)
            case RaceTimedOut(race):
                return self._race_timed_out(race)
            case _:
                return self.states[record.node] not in ENDED and self._of_node(record)

    def _of_node(self, record: Succeeded | Failed | Judged | Held | Approved) -> bool:
        node = self.plan.by_id[record.node]
        match record:
            case Succeeded():
                self._end(node, "succeeded", is_told=True)
            case Failed(_, reason):
                self._end(node, "failed", reason, is_told=True)
            case Judged(_, True):
                self._holding.add(node.id)
                if self.states[node.id] == "judging":
                    self.states[node.id] = "waiting"
                self._admit(node)
            case Judged():
                self._end(node, "skipped", "its condition does not hold")
            case Held():
                self._release(node)
                self.states[node.id] = "held"
            case Approved(_, True):
                self.approved.add(node.id)
                if self.states[node.id] == "held":
                    self.states[node.id] = "waiting"
                    self._queue(node)
            case Approved():
                self._end(node, "failed", "it was not approved", is_told=True)
        return True

    def _head_start_over(self, race: str) -> bool:
        if race in self._units or race in self._free_for_all:
            return False
        self._free_for_all.add(race)
        self._admit_members(race)
        return True

    def _race_timed_out(self, race: str) -> bool:
        if race in self._units:
            return False
        for member in self.plan.racers[race]:
            self._end(self.plan.by_id[member], "failed", "nobody has won the race in time")
        return True

    def _end_all(self, status: Literal["failed", "cancelled"], reason: str) -> bool:
        if self._ended_by is not None:
            return False
        self._ended_by = status
        self._ending.clear()
        for node in self.plan.nodes:
            self._put(_End(node, "cancelled", reason))
        return True

    # How it ended

    @property
    def is_over(self) -> bool:
        """Every node has ended, and it is not open whether others follow."""
        return self._open == 0 and not self.wants_more

    @property
    def status(self) -> Status:
        """How the run stands; it is `succeeded` only if every node is accounted for and no unit failed."""
        return self.came_to if self.is_over else "running"

    @property
    def came_to(self) -> Literal["succeeded", "partly", "failed", "cancelled"]:
        """How the run has ended if nothing follows; every node has."""
        if self._ended_by is not None or not self._bad:
            return self._ended_by or "succeeded"
        return "partly" if any(self._units.get(unit) for unit in self._ends) else "failed"

    # How it goes on

    @property
    def wants_more(self) -> bool:
        """Every node has ended, some came to nothing, and it is open whether further ones follow (`grown`, `close`)."""
        if not self._may_grow or self._open or self._ended_by is not None:
            return False
        return any(state in {"failed", "skipped"} for state in self.states.values())

    def grown(self, plan: Plan, *, seconds: Mapping[str, float] | None = None) -> "Schedule":
        """Return that of `plan`, this one's with further nodes behind it, after all that has happened."""
        grown = Schedule(plan, max_parallel=self._max_parallel, seconds=seconds, first=len(self.plan.nodes))
        for record in self._records:
            grown.apply(record)
        fresh = grown._moves
        grown._moves = Moves(
            judge=[name for name in fresh.judge if grown.states[name] == "judging"],
            ended=[name for name in fresh.ended if name not in self.states],
        )
        return grown

    def close(self) -> None:
        """Let the run be over when its nodes have ended: nothing follows."""
        self._may_grow = False

    def interrupted(self) -> list[str]:
        """Let nodes that were running, or being judged, wait again, and return them: nobody is at them any more."""
        again = [name for name, state in self.states.items() if state in {"running", "judging"}]
        for name in again:
            self.again(name)
        return again

    def again(self, name: str) -> None:
        """Let a node wait again that was running, or being judged: nobody is at it any more."""
        node = self.plan.by_id[name]
        self._release(node)
        self.states[name] = "waiting"
        self._admit(node)

    # How it comes about

    def _admit(self, node: Node) -> None:
        """Let a node that waits for no unit any more be judged, or queue for a slot; or skip it."""
        if self.states[node.id] != "waiting" or self._left[node.id] or self._ended_by is not None:
            return
        units = self.plan.needs[node.id]
        if self._came[node.id] < (min(1, len(units)) if node.needs == "any" else len(units)):
            empty = ", ".join(unit for unit in units if not self._units[unit])
            self._end(node, "skipped", f"{empty} came to nothing")
        elif node.when and node.id not in self._holding:
            self.states[node.id] = "judging"
            self._moves.judge.append(node.id)
        elif self._may_race(node) if node.race else self._is_wanted(node):
            self._queue(node)

    def _is_wanted(self, node: Node) -> bool:
        """Tell whether all that `node` stands in for has failed; most stand in for nothing."""
        members = self.plan.members.get(self.plan.unit(node.id), (node.id,))
        return all(self.states[before] == "failed" for before in members[: members.index(node.id)])

    def _may_race(self, node: Node) -> bool:
        """Tell whether it is a racer's turn."""
        race = self.plan.race(node.race)
        if race.in_turn:
            members = self.plan.racers[race.name]
            return all(self.states[member] in ENDED for member in members[: members.index(node.id)])
        if not race.favourite or race.favourite == node.id or race.name in self._free_for_all:
            return True
        return self.states[race.favourite] in ENDED

    def _admit_members(self, unit: str) -> None:
        for member in self.plan.members[unit]:
            self._admit(self.plan.by_id[member])

    def _queue(self, node: Node) -> None:
        heapq.heappush(self._ready[node.type], (self._ranks[node.id], self._places[node.id], node.id))

    def _release(self, node: Node) -> None:
        self._slots += self.states[node.id] == "running" and node.type == "tool"

    def _end(self, node: Node, state: State, reason: str = "", *, is_told: bool = False) -> None:
        """Let a node end, and all that follows from it, one after the other: a chain may be long."""
        self._ending.append(_End(node, state, reason, is_told))
        if self._is_settling:
            return
        self._is_settling = True
        while self._ending:
            end = self._ending.popleft()
            if self._put(end):
                self._settle(end.node)
        self._is_settling = False

    def _put(self, end: _End) -> bool:
        """Write a node's end down; False where it has ended already."""
        name = end.node.id
        if self.states[name] in ENDED:
            return False
        if self.states[name] == "running":
            self._release(end.node)
            if not end.is_told:
                self._moves.cancel.append(name)
        self.states[name] = end.state
        self._open -= 1
        self._moves.ended.append(name)
        if end.reason:
            self.reasons[name] = end.reason
        return True

    def _settle(self, node: Node) -> None:
        """Let the unit of a node that has ended be over, if it is, and those go on that wait for it."""
        unit = self.plan.unit(node.id)
        if unit in self._units:
            return
        members = self.plan.members.get(unit, (unit,))
        came = self._race_came_to(node) if node.race else self._came_to(members)
        if came is None:
            self._admit_members(unit)
            return
        if not came and not node.race and any(map(self._ends_the_run, members)):
            self._end_all("failed", f"{unit} failed")
            return
        self._units[unit] = came
        if not came and any(map(self._is_bad, members)):
            self._bad.add(unit)
        for member in members:
            if self.states[member] not in ENDED:
                state: State = "lost" if node.race else "skipped"
                why = f"{self.winners[unit]} has won" if node.race else f"{unit} has not failed"
                self._end(self.plan.by_id[member], state, why)
        for follower in self.plan.followers.get(unit, ()):
            self._left[follower] -= 1
            self._came[follower] += came
            self._admit(self.plan.by_id[follower])

    def _ends_the_run(self, name: str) -> bool:
        return self.states[name] == "failed" and self.plan.by_id[name].on_failure == "fail"

    def _came_to(self, members: Sequence[str]) -> bool | None:
        """Tell whether a node, or with fallbacks one of them, has come to something; None: that is open."""
        for name in members:
            state = self.states[name]
            if state == "succeeded" and len(members) > 1:
                self.winners[members[0]] = name
            if state != "failed":
                return state == "succeeded" if state in ENDED else None
        return any(self.plan.by_id[name].on_failure == "continue" for name in members)

    def _race_came_to(self, node: Node) -> bool | None:
        """Tell whether the race of a node that has ended has come to something; None: that is open."""
        if self.states[node.id] == "succeeded":
            self.winners[node.race] = node.id
            return True
        members = self.plan.racers[node.race]
        if any(self.states[member] not in ENDED for member in members):
            return None
        return any(self.plan.by_id[member].on_failure == "continue" for member in members)

    def _is_bad(self, name: str) -> bool:
        """Tell whether a node that came to nothing did so by a failure, its own or of what it waits for."""
        skipped_for = self._bad & {*self.plan.needs[name]}
        return self.states[name] == "failed" or (self.states[name] == "skipped" and bool(skipped_for))
