"""What an edge serves: the seam between the edges and `app`.

`pegboard.app` fulfils `Backend` as a module and `Served` with its `App`; tests fulfil both in memory. Edges
use only what is written here, so what a client can reach is read off in one place.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Protocol

from pegboard.catalog.contract import Mode, Part, Question, Strategy
from pegboard.edges.documents import Documents
from pegboard.edges.evaluable import Evaluable
from pegboard.edges.running import Runs
from pegboard.edges.working import Held, Working
from pegboard.events import Emit, silent
from pegboard.text import Json

if TYPE_CHECKING:
    from pegboard.app import (
        Problem,
        Refused,
        Settings,
        State,
        Toolset,
    )


class Shown(Protocol):
    """What can be shown to a client."""

    def to_json(self) -> Mapping[str, Json]: ...


class Called(Shown, Protocol):
    """What a call of one tool gave."""

    @property
    def text(self) -> str:
        """The result in words."""
        ...

    @property
    def degraded(self) -> str:
        """Why something stood in for what was asked for; empty: nothing did."""
        ...

    @property
    def kept(self) -> str:
        """The reference of the whole result, where it is large; else empty."""
        ...


class Report(Shown, Protocol):
    """What `platform check` found."""

    @property
    def problems(self) -> Sequence["Problem"]: ...

    @property
    def ok(self) -> bool:
        """No problem is an error."""
        ...


class Catalog(Protocol):
    """All sites and their tools."""

    @property
    def digest(self) -> str:
        """Of the documents that it was built from."""
        ...

    @property
    def sites(self) -> Mapping[str, "Toolset"]: ...

    def toolset(self, site: str) -> "Toolset":
        """Return the site of that name with its tools.

        Raises:
            UnknownSite: no document declares it.
        """
        ...

    def default_site(self) -> str | None:
        """Return the site that is asked when none is named, or None where there is no telling."""
        ...

    def site_of_host(self, host: str) -> str | None:
        """Return the site whose domain `host` (without port) is, or None."""
        ...

    @property
    def tools(self) -> int:
        """How many tools are declared, the disabled ones too."""
        ...

    @property
    def disabled(self) -> int: ...


class Served(Evaluable, Protocol):
    """An open configuration that answers questions."""

    @property
    def settings(self) -> "Settings": ...

    @property
    def catalog(self) -> Catalog: ...

    @property
    def model_name(self) -> str:
        """The model that answers, or `none`."""
        ...

    @property
    def runs(self) -> Runs:
        """Plans that are run, now and before."""
        ...

    @property
    def documents(self) -> Documents:
        """What was written and is kept."""
        ...

    def site_for(self, site: str | None, host: str | None) -> str:
        """Return the site that is asked: by its name, by the `host` of the request (without port), or the default.

        Raises:
            UnknownSite: no document declares it.
            UsageError: none is named and there is no telling which.
        """
        ...

    def question(  # noqa: PLR0913 (what a request may say)
        self,
        text: str,
        *,
        site: str,
        tools: Sequence[str] = (),
        previous: Sequence[str] = (),
        form: Literal["answer", "list"] = "answer",
        mode: Mode = "tool",
        strategy: Strategy | None = None,
    ) -> Question:
        """Return a question that can be asked.

        Raises:
            UsageError: it is empty or too long, or asks for a mode or a strategy that is not to be had.
            UnknownSite, UnknownTool: it names what is not there.
        """
        ...

    async def route(self, question: Question, *, strategy: str | None = None) -> Shown:
        """Choose the tool for `question`, without running it; by `strategy`, or as its site declares.

        Raises:
            UsageError: there is no such strategy.
            DeadlineExceeded: it took longer than the setting `request_seconds`.
        """
        ...

    async def ask(self, question: Question, *, emit: Emit = silent) -> Shown:
        """Answer `question`; `emit` gets every event on the way.

        Raises:
            CallFailed: the chosen tool could not do its work.
            DeadlineExceeded: it took longer than the setting `request_seconds`.
        """
        ...

    async def plan(self, question: Question) -> Shown:
        """Plan what has to be done for `question`, and do nothing of it.

        Raises:
            UsageError: none of the site's tools fits it.
            InvalidArguments: something that a tool needs is not in the question.
            DeadlineExceeded: it took longer than the setting `request_seconds`.
        """
        ...

    async def result_part(self, ref: str, offset: int = 0) -> Part:
        """Read on in a result that was too large to be handed around, from a byte on.

        Raises:
            UnknownResult: nothing is kept under `ref`, or not any more.
        """
        ...

    async def call(
        self, site: str, tool: str, arguments: Mapping[str, Json], *, approved: bool = False, by_model: bool = True
    ) -> Called:
        """Run one tool with these arguments; `approved`: somebody has approved this call.

        What it found is put into words by the site's model, or where not `by_model`, given as extracts.

        Raises:
            UnknownSite, UnknownTool, InvalidArguments, CallFailed, DeadlineExceeded
        """
        ...


class Reload(Shown, Protocol):
    """What a reload came to."""

    @property
    def refused(self) -> "Refused | None":
        """Why the documents are not served; None: they are."""
        ...


class Serving(Protocol):
    """What serves now; a reload puts another in its place while requests in flight end on theirs."""

    @property
    def settings(self) -> "Settings": ...

    @property
    def current(self) -> Served:
        """What a request takes once, when it begins."""
        ...

    @property
    def state(self) -> "State":
        """Which snapshot serves, since when, and the last edit that was refused."""
        ...

    @property
    def threads(self) -> Working:
        """The threads that handlers work in."""
        ...

    @property
    def holding(self) -> Held:
        """How often handlers have held the event loop."""
        ...

    async def reload(self) -> Reload:
        """Serve what the documents say now, or say why not."""
        ...

    async def changed(self) -> None:
        """Wait until `state` is another."""
        ...

    async def prepare(self) -> None:
        """Make what serves quick to answer its first question, and log how well its tools are told apart."""
        ...

    async def watch(self) -> None:
        """Reload whenever the documents have changed; ends only when it is cancelled."""
        ...
