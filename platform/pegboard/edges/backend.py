"""`Backend`: what opens configurations and works on their files for an edge; the twin of the tests fulfils it too.

Above it: the commands and the server. `pegboard.app` is the one that is used in earnest.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from pegboard.catalog.contract import Part
from pegboard.edges.attending import Attending
from pegboard.edges.documents import Documents
from pegboard.edges.evaluable import Progress
from pegboard.edges.rewritten import Converted, Formatted
from pegboard.edges.running import Runs
from pegboard.text import Json

if TYPE_CHECKING:
    from pegboard.app import (
        CatalogDiff,
        Draft,
        Explanation,
        NewSite,
        NewSource,
        NewTool,
        Replayed,
        Settings,
        SettingsReport,
        SiteDiff,
        SiteHealth,
        Tool,
    )
from pegboard.edges.served import Catalog, Report, Served, Serving


class Backend(Attending, Protocol):
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

    def open_documents(self, settings: "Settings") -> AbstractAsyncContextManager[Documents]:
        """Open what was written and is kept, to look at it."""
        ...

    def catalog_of(self, settings: "Settings") -> Catalog:
        """Read and build the catalog alone: no index, no model.

        Raises:
            InvalidDeclarations: with every problem.
        """
        ...

    def preview(self, tool: "Tool", arguments: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return what a call would do, its secrets masked: `tool`, `handler`, and under `would` the call itself.

        Raises:
            InvalidArguments, CallFailed
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

    def kept_part(self, settings: "Settings", ref: str, offset: int = 0) -> Part:
        """Return a part of a result that was too large to be handed around.

        Raises:
            UnknownResult: nothing is kept under `ref`, or not any more.
        """
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

    async def draft_source(self, settings: "Settings", source: "NewSource") -> "Draft":
        """Fetch what is imported, and return what declares it; nothing is written.

        Raises:
            UsageError: nothing can be imported from there.
            UpstreamFailed: it is not there.
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
