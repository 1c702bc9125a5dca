"""The composition root: opens the resources, wires the stages, answers, closes.

    Documents -> Catalog -> Toolset -> Decision -> arguments -> Outcome -> Answer
     config      catalog    catalog    route       bind         run        answer

It decides nothing itself: which tool, which arguments, which words is each stage's own business. Edges import this
module and hardly anything below it. What only looks at documents is light to import; the stages themselves are
imported when a configuration is opened.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pegboard.config.load import digest_of
from pegboard.config.problems import Problem
from pegboard.config.schema import schema_files
from pegboard.config.settings import Settings, read_settings
from pegboard.errors import InvalidDeclarations

if TYPE_CHECKING:
    from pegboard.answer.answer import Answer
    from pegboard.app.application import App
    from pegboard.app.serving import Serving
    from pegboard.app.state import Refused, Reload, State
    from pegboard.catalog.load import CheckReport
    from pegboard.catalog.snapshot import Catalog
    from pegboard.catalog.tool import Tool, Toolset
    from pegboard.knowledge.refresh import Progress
    from pegboard.llm.embedder import Embedder
    from pegboard.llm.model import Model
    from pegboard.route.decision import Decision

__all__ = [
    "Answer",
    "App",
    "Catalog",
    "CheckReport",
    "Decision",
    "Problem",
    "Refused",
    "Reload",
    "Serving",
    "Settings",
    "State",
    "Tool",
    "Toolset",
    "catalog_of",
    "check",
    "digest_of",
    "open_app",
    "open_serving",
    "schema_files",
    "settings_from",
]


def settings_from(
    *, config: Path | None, data: Path | None = None, environ: Mapping[str, str], **overrides: object
) -> Settings:
    """Gather the settings from the command line, the environment and `pegboard.toml`.

    Raises:
        InvalidDeclarations: a setting cannot be used; with every problem.
    """
    settings, problems = read_settings(config=config, data=data, environ=environ, **overrides)
    if problems.errors:
        raise InvalidDeclarations("The server's settings are wrong.", problems=tuple(problems))
    return settings


def check(*, config: Path | None, environ: Mapping[str, str], imports: bool = True) -> "CheckReport":
    """Read and build everything, and return every problem, those of the settings first.

    Without `imports` nothing that a document names is imported.
    """
    from pegboard.catalog import load

    settings, problems = read_settings(config=config, environ=environ)
    report = load.check(settings, imports=imports)
    return replace(report, problems=(*problems, *report.problems))


def catalog_of(settings: Settings) -> "Catalog":
    """Read and build the catalog alone: no index, no model.

    Raises:
        InvalidDeclarations: with every problem.
    """
    from pegboard.catalog import load

    return load.catalog_of(settings)


def open_app(
    settings: Settings,
    *,
    progress: "Progress | None" = None,
    embedder: "Embedder | None" = None,
    model: "Model | None" = None,
) -> AbstractAsyncContextManager["App"]:
    """Open a configuration: build its catalog, bring its index up to date, make its scorers ready.

    `progress` is told how many changed files are indexed, and how many there are. `embedder` and `model` stand in
    for those that the settings name.

    Raises:
        InvalidDeclarations: with every problem; nothing is opened then.
    """
    return _app_of(settings, progress, embedder, model)


@asynccontextmanager
async def _app_of(
    settings: Settings, progress: "Progress | None", embedder: "Embedder | None", model: "Model | None"
) -> AsyncIterator["App"]:
    from pegboard.app.opening import opened

    async with opened(settings, progress=progress, embedder=embedder, model=model) as (_, app):
        yield app


def open_serving(
    settings: Settings,
    *,
    progress: "Progress | None" = None,
    embedder: "Embedder | None" = None,
    model: "Model | None" = None,
) -> AbstractAsyncContextManager["Serving"]:
    """Open a configuration as `open_app` does, so that it can be reloaded while it serves.

    Raises:
        InvalidDeclarations: with every problem; nothing is opened then.
    """
    from pegboard.app.serving import opened_for_serving

    return opened_for_serving(settings, progress=progress, embedder=embedder, model=model)
