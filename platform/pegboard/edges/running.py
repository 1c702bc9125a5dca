"""What an edge needs of runs: the seam to `pegboard.app.Running`."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Literal, Protocol

from pegboard.catalog.contract import Ran
from pegboard.events import Event, RunEvent
from pegboard.text import Json


class View(Protocol):
    """How a run stands."""

    @property
    def run(self) -> str: ...

    @property
    def status(self) -> str: ...

    @property
    def site(self) -> str: ...

    @property
    def question(self) -> str: ...

    @property
    def created(self) -> float: ...

    def to_json(self) -> dict[str, Json]: ...


class Approval(Protocol):
    """An approval that a run waits for."""

    @property
    def run(self) -> str: ...

    @property
    def node(self) -> str: ...


class Followed(Protocol):
    """Runs whose events can be heard."""

    def follow(self, run: str, *, after: int = 0) -> AsyncIterator[RunEvent]:
        """Yield the events of a run after number `after`, until it has ended.

        Raises:
            UsageError: there is none of that id.
        """
        ...


class Runs(Followed, Protocol):
    """Plans that are run, now and before."""

    async def start(  # noqa: PLR0913 (what whoever begins a run may say of it)
        self,
        site: str,
        plan: Json,
        *,
        inputs: Mapping[str, Json] | None = None,
        question: str = "",
        max_parallel: int = 8,
        deadline_seconds: float | None = None,
        approval_seconds: float | None = None,
        budget: Mapping[str, int] | None = None,
        planned: Mapping[str, Json] | None = None,
        tools: Sequence[str] = (),
    ) -> str:
        """Begin a run of `plan` with the tools of `site`, and return its id.

        `planned` is what was told of making the plan for `question`, with `tools` alone if there are any; `budget` has
        `calls` of models and `tokens`; without `approval_seconds`, an approval is waited for for a day.

        Raises:
            UnknownSite: no document declares it.
            UsageError: the plan cannot work; with everything that is wrong with it.
        """
        ...

    async def outcome(self, run: str) -> Ran:
        """Wait until a run has ended, and return what it came to.

        Raises:
            UsageError: there is none of that id.
        """
        ...

    async def answer(self, run: str) -> dict[str, Json]:
        """Wait until a run has ended, and return its answer without a model; it says which parts failed.

        Raises:
            UsageError: there is none of that id.
        """
        ...

    def written(self, run: str, *, after: str = "") -> AsyncIterator[tuple[str, Event]]:
        """Wait until a run has ended, and yield the events of its answer with their ids, after that of id `after`.

        Raises:
            UsageError: there is none of that id.
            CallFailed: no node of it gave anything; with all the reasons.
        """
        ...

    async def plan(self, run: str) -> dict[str, Json]:
        """Return the plan of a run.

        Raises:
            UsageError: there is none of that id.
        """
        ...

    async def runs(self, *, limit: int = 100) -> Sequence[View]:
        """Return the runs, the latest first."""
        ...

    async def show(self, run: str) -> View:
        """Return how a run and its nodes stand.

        Raises:
            UsageError: there is none of that id.
        """
        ...

    async def cancel(self, run: str, reason: str = "") -> str:
        """End a run; one that has ended stays as it is. Return how it stood: `running`, or what it had ended as.

        Raises:
            UsageError: there is none of that id.
        """
        ...

    async def resume(self, run: str, *, on_change: Literal["refuse", "reuse"] = "refuse") -> None:
        """Drive a run on that nobody drives.

        Raises:
            UsageError: there is none of that id, or its tools have changed.
            PegboardError: somebody drives it.
        """
        ...

    async def approve(
        self, run: str, node: str = "", granted: bool = True, *, on_edit: Literal["refuse", "keep"] = "refuse"
    ) -> Approval:
        """Let a node go on that waits for an approval, or let it fail; return which that was.

        Without `node` it is the only one that waits; of a node that runs others, the only one inside of it. A tool
        that is not what it was when the run began is called as it was only where `on_edit` says so.

        Raises:
            UsageError: there is none of that id, or nothing that is meant by that waits for one; or the tool has been
                edited or withdrawn, or the run cannot be driven on.
            PegboardError: the run cannot be driven on here.
        """
        ...
