"""What happens in a run: each event has the run, its number in it (gapless from 1), the node and its attempt.

They are the run's log: what is told here has been written down before, so it can be told again from any number on.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias

from pegboard.text import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class OfRun:
    """What every event of a run has."""

    run: str
    seq: int
    at: float
    """Seconds since 1970."""
    node: str = ""
    """Empty: it is about the run as a whole."""
    attempt: int = 0
    """How often the node has been started so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted(OfRun):
    """A run begins."""

    kind: ClassVar[str] = "run_started"
    site: str
    plan: Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResumed(OfRun):
    """Somebody drives a run on that had broken off."""

    kind: ClassVar[str] = "run_resumed"
    dropped: tuple[str, ...] = ()
    """Nodes that had ended, or were held, and count no longer: they, or what they wait for, have changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanExtended(OfRun):
    """Further steps were planned, because some came to nothing; the run goes on with them."""

    kind: ClassVar[str] = "plan_extended"
    plan: Mapping[str, Json]
    """The further ones alone; they may refer to those before. None: there was no other way, or `degraded` says why."""
    by: str
    after: tuple[str, ...] = ()
    """The steps that called for them."""
    mended: tuple[str, ...] = ()
    degraded: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeStarted(OfRun):
    """A node has its place in the run; it may still wait for a slot of the process."""

    kind: ClassVar[str] = "node_started"
    tool: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeJudged(OfRun):
    """A node's condition was looked at."""

    kind: ClassVar[str] = "node_judged"
    holds: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeHeld(OfRun):
    """A node waits for somebody's approval."""

    kind: ClassVar[str] = "node_held"
    tool: str
    arguments: Mapping[str, Json]
    until: float
    """When it fails for want of one, in seconds since 1970."""
    reason: str = ""
    """Why it needs one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeApproved(OfRun):
    """Somebody has approved a node, or denied it."""

    kind: ClassVar[str] = "node_approved"
    granted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeTold(OfRun):
    """What a node's own work has told meanwhile."""

    kind: ClassVar[str] = "node_told"
    told: Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeNoted(OfRun):
    """A node has recorded a part of its work: done again, it gets that and does not do it again."""

    kind: ClassVar[str] = "node_noted"
    name: str
    """What the node calls it; before it, where a call within the node has recorded it, that call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTainted(OfRun):
    """A tool has returned the text of others: from now on what is destructive or external waits for an approval."""

    kind: ClassVar[str] = "run_tainted"
    tool: str
    by: str
    """The call, `run:node`: it may be one of a run around this one, or within it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeEnded(OfRun):
    """A node has ended; that is final."""

    kind: ClassVar[str] = "node_ended"
    state: Literal["succeeded", "failed", "skipped", "lost", "cancelled"]
    reason: str
    """Why it did not succeed."""
    seconds: float
    """How long its last attempt took; 0 where there was none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceWon(OfRun):
    """The node has won a race; that is final."""

    kind: ClassVar[str] = "race_won"
    race: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceTimed(OfRun):
    """A race's favourite has had its head start, or nobody has won in time."""

    kind: ClassVar[str] = "race_timed"
    race: str
    what: Literal["head_start_over", "timed_out"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCancelled(OfRun):
    """Nothing more starts, and what runs is cancelled."""

    kind: ClassVar[str] = "run_cancelled"
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnded(OfRun):
    """Every node has ended; the last event of a run."""

    kind: ClassVar[str] = "run_ended"
    status: Literal["succeeded", "partly", "failed", "cancelled"]
    steps: Mapping[str, int] = field(default_factory=dict)
    """How many nodes ended in each state."""


RunEvent: TypeAlias = (
    RunStarted
    | RunResumed
    | PlanExtended
    | NodeStarted
    | NodeJudged
    | NodeHeld
    | NodeApproved
    | NodeTold
    | NodeNoted
    | RunTainted
    | NodeEnded
    | RaceWon
    | RaceTimed
    | RunCancelled
    | RunEnded
)
"""Any of them."""
