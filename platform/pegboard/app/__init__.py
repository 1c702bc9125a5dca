"""The composition root: opens the resources, wires the stages, answers, closes.

    Documents -> Catalog -> Toolset -> Decision -> arguments -> Outcome -> Answer
     config      catalog    catalog    route       bind         run        answer

It decides nothing itself: which tool, which arguments, which words is each stage's own business. Edges import this
module and hardly anything below it. What only looks at documents is light to import; the stages themselves are
imported when a configuration is opened.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
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
    from pegboard.catalog.load import CheckReport
    from pegboard.catalog.snapshot import Catalog
    from pegboard.catalog.tool import Tool, Toolset
    from pegboard.config.write.convert import Conversion
    from pegboard.config.write.house import Formatting
    from pegboard.config.write.read import Syntax
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
    "Settings",
    "Tool",
    "Toolset",
    "catalog_of",
    "check",
    "convert_documents",
    "digest_of",
    "format_documents",
    "open_app",
    "schema_files",
    "settings_from",
    "write_document",
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


def check(*, config: Path | None, environ: Mapping[str, str]) -> "CheckReport":
    """Read and build everything, and return every problem, those of the settings first."""
    from pegboard.catalog import load

    settings, problems = read_settings(config=config, environ=environ)
    report = load.check(settings)
    return replace(report, problems=(*problems, *report.problems))


def catalog_of(settings: Settings) -> "Catalog":
    """Read and build the catalog alone: no index, no model.

    Raises:
        InvalidDeclarations: with every problem.
    """
    from pegboard.catalog import load

    return load.catalog_of(settings)


def convert_documents(settings: Settings, to: "Syntax") -> "list[tuple[Path, Conversion]]":
    """Return each document of a configuration in the syntax `to`.

    Raises:
        InvalidDeclarations: there is no document.
    """
    from pegboard.config.write import documents

    return documents.convert_documents(settings, to)


def format_documents(settings: Settings) -> "list[tuple[Path, Formatting]]":
    """Return each document of a configuration in the house form.

    Raises:
        InvalidDeclarations: there is no document.
    """
    from pegboard.config.write import documents

    return documents.format_documents(settings)


def write_document(path: Path, text: str) -> None:
    """Put `text` in the place of a file at once; its mode stays, and a link keeps leading to it.

    Raises:
        OSError: it cannot be written; the old file is untouched.
    """
    from pegboard.config.write import files

    files.replace_file(path, text)


def open_app(
    settings: Settings,
    *,
    progress: Callable[[int, int], None] | None = None,
    embedder: "Embedder | None" = None,
    model: "Model | None" = None,
) -> AbstractAsyncContextManager["App"]:
    """Open a configuration: build its catalog, bring its index up to date, make its scorers ready.

    `progress` is told how many changed files are indexed, and how many there are. `embedder` and `model` stand in
    for those that the settings name.

    Raises:
        InvalidDeclarations: with every problem; nothing is opened then.
    """
    from pegboard.app import opening

    return opening.opened(settings, progress=progress, embedder=embedder, model=model)
