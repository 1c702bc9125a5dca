"""`Engine`: the seam behind which runs are driven, and what it answers about them.

`local` (`run/local/`) drives them in the process, with a journal in an SQLite file; `temporal` (`run/temporal/`)
lets a Temporal service keep them, and any of its workers do their nodes.
"""

from collections.abc import AsyncIterator, Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from pegboard.catalog.contract import Ran
from pegboard.errors import PegboardError, UsageError
from pegboard.events import RunEvent
from pegboard.llm.usage import Used
from pegboard.run.held import PendingApproval, meant
from pegboard.run.request import RunRequest
from pegboard.run.schedule import State, Status
from pegboard.text import Json, named

OnChange: TypeAlias = Literal["refuse", "reuse"]
"""What becomes of a stored run whose tools are not what they were: it is refused, or what is the same is used again."""
Going: TypeAlias = Literal["as_begun", "as_served", "not"]
"""How a run goes on: with the tools that it began with; with those that are served, and waits where these are others;
or not until somebody resumes it.
"""


@dataclass(frozen=True, slots=True)
class NodeView:
    """How a node stands."""

    id: str
    tool: str
    state: State
    reason: str
    attempt: int
    needs: tuple[str, ...]
    """The nodes and races that it waits for."""
    race: str
    fallback: str = ""
    """The node that runs if this one fails."""

    def to_json(self) -> dict[str, Json]:
        """Return it as `GET /runs/{id}` shows it."""
        told: dict[str, Json] = {"id": self.id, "tool": self.tool, "state": self.state, "attempt": self.attempt}
        told |= {"depends_on": list(self.needs)} if self.needs else {}
        told |= {"race_group": self.race} if self.race else {}
        told |= {"fallback": self.fallback} if self.fallback else {}
        return told | ({"reason": self.reason} if self.reason else {})


@dataclass(frozen=True, slots=True)
class RunView:
    """How a run stands."""

    run: str
    parent: str
    site: str
    question: str
    status: Status
    created: float
    """Seconds since 1970."""
    ended: float | None
    seq: int
    """The number of its last event."""
    nodes: tuple[NodeView, ...] = ()
    """Empty in a list of runs."""
    steps: Mapping[str, int] = field(default_factory=dict)
    """How many nodes are in each state; empty where that is not known without a look at them."""
    inside: tuple[str, ...] = ()
    """The runs inside of its nodes."""
    tainted: str = ""
    """Which text of others it has read: what is destructive or external waits for an approval since."""
    approvals: tuple[PendingApproval, ...] = ()
    """What it waits for, in runs inside of it too."""
    used: Used = field(default_factory=Used)
    """What it used of models until now, its plan included; what a node uses is told when that has ended."""
    is_held: bool = False
    """It only waits for them: nothing of it works until somebody approves or denies."""

    def approval(self, node: str = "") -> PendingApproval:
        """Return the approval that is meant by `node`: its own, or the only one inside of it; empty: the only one.

        Raises:
            NotHeld: there is none, or more than one.
        """
        return meant(self.run, node, self.approvals, {each.id: each.state for each in self.nodes})

    def to_json(self) -> dict[str, Json]:
        """Return it as `GET /runs/{id}` shows it."""
        told: dict[str, Json] = {
            "run": self.run,
            "site": self.site,
            "question": self.question,
            "status": self.status,
            "created": self.created,
            "ended": self.ended,
            "seq": self.seq,
        }
        told |= {"parent": self.parent} if self.parent else {}
        told |= {"steps": dict(self.steps)} if self.steps else {}
        told |= {"nodes": [node.to_json() for node in self.nodes]} if self.nodes else {}
        told |= {"inside": list(self.inside)} if self.inside else {}
        told |= {"tainted": self.tainted} if self.tainted else {}
        told |= {"approvals": [each.to_json() for each in self.approvals]} if self.approvals else {}
        told |= {"usage": self.used.to_json()} if self.used != Used() else {}
        return told | ({"is_held": True} if self.is_held else {})


class RunChanged(UsageError):
    """What a stored run would do is not what it was."""

    status = 409


class RunBroken(PegboardError):
    """Driving a run broke off by an error of our own; it can be resumed."""

    status = 409


def changed_since(run: str, nodes: Collection[str]) -> RunChanged:
    """Return the error of a run some of whose nodes are not what they were."""
    message = f"Run {run} cannot be resumed: not what they were are {named(sorted(nodes))}."
    return RunChanged(message, hint="Resume it with `--changed reuse` to keep what is the same.")


class Engine(Protocol):
    """Drives runs; whoever follows one may leave without ending it."""

    async def start(self, request: RunRequest) -> str:
        """Begin a run and return its id; it is driven to its end whoever waits for it."""
        ...

    def follow(self, run: str, *, after: int = 0) -> AsyncIterator[RunEvent]:
        """Yield the events of a run from the one after number `after` on, until it has ended.

        Raises:
            UnknownRun: there is none of that id.
        """
        ...

    async def outcome(self, run: str) -> Ran:
        """Wait until a run has ended, and return what it came to.

        Raises:
            UnknownRun: there is none of that id.
            RunBroken: it cannot be driven on here.
        """
        ...

    async def cancel(self, run: str, reason: str = "") -> Status:
        """End a run: nothing more starts, and what works is cancelled; return how it stood.

        One that has ended stays as it is.

        Raises:
            UnknownRun: there is none of that id.
        """
        ...

    async def resume(self, run: str, *, on_change: OnChange = "refuse") -> None:
        """Drive a run on that nobody drives; one that has ended stays as it is.

        Raises:
            UnknownRun, RunBusy
            RunChanged: its tools are not what they were, and `on_change` refuses that.
        """
        ...

    async def approve(self, run: str, node: str = "", granted: bool = True) -> PendingApproval:
        """Let a node go on that waits for an approval, or let it fail; return which that was (`RunView.approval`).

        Raises:
            UnknownRun: there is none of that id.
            NotHeld: nothing waits for one that is meant by that, or more than one does.
            RunBroken: the run cannot be driven on here.
        """
        ...

    async def going(self, run: str) -> Going:
        """Tell how a run goes on, or the one around it.

        Raises:
            UnknownRun: there is none of that id.
        """
        ...

    # What else can be asked

    async def runs(self, *, limit: int = 100) -> list[RunView]:
        """Return the runs that are no part of another, the latest first."""
        ...

    async def show(self, run: str) -> RunView:
        """Return how a run and its nodes stand.

        Raises:
            UnknownRun: there is none of that id.
        """
        ...

    async def request(self, run: str) -> RunRequest:
        """Return what a run is asked for.

        Raises:
            UnknownRun: there is none of that id.
        """
        ...

    async def tidy(self, *, age_seconds: float, most: int) -> int:
        """Forget runs that ended so long ago, and all but so many; return how many."""
        ...
