"""What an edge serves: the seam between the edges and `app`.

`pegboard.app` fulfils `Backend` as a module and `Served` with its `App`; tests fulfil both in memory. Edges
use only what is written here, so what a client can reach is read off in one place.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from pegboard.catalog.contract import Mode, Question, Strategy
from pegboard.edges.evaluable import Evaluable, Progress
from pegboard.edges.rewritten import Converted, Formatted
from pegboard.edges.running import Runs
from pegboard.events import Emit, silent
from pegboard.text import Json

if TYPE_CHECKING:
    from pegboard.app import (
        CatalogDiff,
        Draft,
        Explanation,
        NewSite,
        NewTool,
        Problem,
        Refused,
        Replayed,
        Settings,
        SettingsReport,
        SiteDiff,
        SiteHealth,
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

    async def call(self, site: str, tool: str, arguments: Mapping[str, Json]) -> Called:
        """Run one tool with these arguments.

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

    async def reload(self) -> Reload:
        """Serve what the documents say now, or say why not."""
        ...

    async def prepare(self) -> None:
        """Make what serves quick to answer its first question, and log how well its tools are told apart."""
        ...

    async def watch(self) -> None:
        """Reload whenever the documents have changed; ends only when it is cancelled."""
        ...


class Backend(Protocol):
    """What a command needs of `pegboard.app`."""

    def settings_from(
        self,
        *,
        config: Path | None,
        data: Path | None = None,
        environ: Mapping[str, str],
        assigned: Mapping[str, str] | None = None,
        **overrides: object,
    ) -> "Settings":
        """Gather the settings from the command line, the environment and `pegboard.toml`; `assigned` is of `--set`.

        Raises:
            InvalidDeclarations: `pegboard.toml` is wrong.
        """
        ...

    def open_app(
        self, settings: "Settings", *, progress: Progress | None = None
    ) -> AbstractAsyncContextManager[Served]:
        """Open the configuration, bringing its index up to date.

        Raises:
            InvalidDeclarations: with every problem.
        """
        ...

    def open_serving(
        self, settings: "Settings", *, progress: Progress | None = None
    ) -> AbstractAsyncContextManager[Serving]:
        """Open the configuration so that it can be reloaded while it serves.

        Raises:
            InvalidDeclarations: with every problem.
        """
        ...

    def open_runs(self, settings: "Settings") -> AbstractAsyncContextManager[Runs]:
        """Open the runs of a configuration to look at them and to say what is wished of them; nothing is driven."""
        ...

    def catalog_of(self, settings: "Settings") -> Catalog:
        """Read and build the catalog alone: no index, no model.

        Raises:
            InvalidDeclarations: with every problem.
        """
        ...

    def diff_sites(self, settings: "Settings", a: str, b: str) -> "SiteDiff":
        """Compare two sites of one configuration.

        Raises:
            InvalidDeclarations: with every problem.
            UnknownSite: no document declares one of them.
        """
        ...

    def diff_configurations(self, a: "Settings", b: "Settings", *, site: str | None = None) -> "CatalogDiff":
        """Compare two configurations, or one site of both.

        Raises:
            InvalidDeclarations: one of them has errors; with every problem.
            UnknownSite: neither has `site`.
        """
        ...

    def digest_of(self, settings: "Settings") -> str:
        """Return what `Catalog.digest` would be of the documents as they are now; quick, nothing is built."""
        ...

    def settings_report(
        self,
        *,
        config: Path | None,
        data: Path | None = None,
        environ: Mapping[str, str],
        assigned: Mapping[str, str] | None = None,
    ) -> "SettingsReport":
        """Return every setting with where it comes from; what is wrong with them is in it, and not raised."""
        ...

    def check(
        self,
        *,
        config: Path | None,
        environ: Mapping[str, str],
        assigned: Mapping[str, str] | None = None,
        imports: bool = True,
    ) -> Report:
        """Find every problem of a configuration, those of its settings too.

        Without `imports` nothing that a document names is imported.
        """
        ...

    def health(
        self,
        *,
        config: Path | None,
        environ: Mapping[str, str],
        assigned: Mapping[str, str] | None = None,
        imports: bool = True,
    ) -> Sequence["SiteHealth"]:
        """Say of each site how well its tools are told apart; loads the sentence encoder."""
        ...

    def explanations(self) -> Mapping[str, "Explanation"]:
        """Return what every code of a problem means, by code."""
        ...

    def replay(self, settings: "Settings", told: Mapping[str, Json]) -> "Replayed":
        """Decide again from the JSON of a decision, by what its site declares now.

        Raises:
            InvalidDeclarations, UsageError, UnknownSite
        """
        ...

    def schema_files(self) -> dict[str, str]:
        """Return the schemas of documents by file name."""
        ...

    def starter_files(self, *, xml: bool = False) -> Mapping[str, str]:
        """Return the files of a new project by their path in it."""
        ...

    def draft_tool(self, settings: "Settings", tool: "NewTool") -> "Draft":
        """Return what declares a new tool; nothing is written.

        Raises:
            UsageError: something is missing or cannot be.
            PegboardError: it is declared already.
        """
        ...

    def draft_site(self, settings: "Settings", site: "NewSite") -> "Draft":
        """Return what declares a new site; nothing is written.

        Raises:
            UsageError: something is missing or cannot be.
            PegboardError: it is declared already.
        """
        ...

    def convert_documents(
        self, settings: "Settings", to: Literal["xml", "yaml", "json"]
    ) -> Sequence[tuple[Path, Converted]]:
        """Return each document of a configuration in another syntax.

        Raises:
            InvalidDeclarations: there is no document.
        """
        ...

    def format_documents(self, settings: "Settings") -> Sequence[tuple[Path, Formatted]]:
        """Return each document of a configuration in the house form.

        Raises:
            InvalidDeclarations: there is no document.
        """
        ...

    def write_document(self, path: Path, text: str) -> None:
        """Put `text` in the place of a file at once.

        Raises:
            OSError: it cannot be written; the old file is untouched.
        """
        ...
