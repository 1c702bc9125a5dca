"""The composition root: opens the resources, wires the stages, answers, closes.

    Documents -> Catalog -> Toolset -> Decision -> arguments -> Outcome -> Answer
     config      catalog    catalog    route       bind         run        answer

It decides nothing itself: which tool, which arguments, which words is each stage's own business. Edges import this
module and hardly anything below it. What only looks at documents is light to import; the stages themselves are
imported when a configuration is opened.
"""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from pegboard.app.checking import check, health
from pegboard.app.comparing import diff_configurations, diff_sites
from pegboard.app.drawing import Form, Look, PlanFault, Standing, draw_plan, drawn_plan, plan_faults, plan_in
from pegboard.config.editor.schema import schema_files
from pegboard.config.explanations import Explanation, explanations
from pegboard.config.load import digest_of
from pegboard.config.problems import Problem, Quote
from pegboard.config.server.report import Setting, SettingsReport, report
from pegboard.config.server.settings import Settings, read_settings
from pegboard.config.span import Span
from pegboard.config.starter.wanted import Draft, NewSite, NewSource, NewTool, Placement
from pegboard.errors import InvalidDeclarations
from pegboard.text import Json

if TYPE_CHECKING:
    from pegboard.answer.answer import Answer
    from pegboard.app.application import App
    from pegboard.app.doctoring import Diagnosis, Finding
    from pegboard.app.documents import AllDocuments
    from pegboard.app.pinning import Comparison as PinsComparison
    from pegboard.app.pinning import Pinned
    from pegboard.app.running import Running
    from pegboard.app.serving import Serving
    from pegboard.app.state import Refused, Reload, State
    from pegboard.catalog.contract import Part
    from pegboard.catalog.diff import CatalogDiff, Change, SiteDiff
    from pegboard.catalog.load import CheckReport
    from pegboard.catalog.snapshot import Catalog
    from pegboard.catalog.tool import Tool, Toolset
    from pegboard.config.write.convert import Conversion
    from pegboard.config.write.house import Formatting
    from pegboard.config.write.read import Syntax
    from pegboard.knowledge.refresh import Progress
    from pegboard.llm.embedder import Embedder
    from pegboard.llm.model import Model
    from pegboard.route.decision import Decision
    from pegboard.route.evaluation import Case as EvaluationCase
    from pegboard.route.evaluation import Evaluation
    from pegboard.route.health import SiteHealth, ToolHealth
    from pegboard.route.question_file import Questions
    from pegboard.route.replay import Replayed

__all__ = [
    "Answer",
    "App",
    "Catalog",
    "CatalogDiff",
    "Change",
    "CheckReport",
    "Decision",
    "Diagnosis",
    "Draft",
    "Evaluation",
    "EvaluationCase",
    "Explanation",
    "Finding",
    "Form",
    "Look",
    "NewSite",
    "NewSource",
    "NewTool",
    "Pinned",
    "PinsComparison",
    "Placement",
    "PlanFault",
    "Problem",
    "Questions",
    "Quote",
    "Refused",
    "Reload",
    "Replayed",
    "Running",
    "Serving",
    "Setting",
    "Settings",
    "SettingsReport",
    "SiteDiff",
    "SiteHealth",
    "Span",
    "Standing",
    "State",
    "Tool",
    "ToolHealth",
    "Toolset",
    "catalog_of",
    "check",
    "compare_pins",
    "convert_documents",
    "diagnose",
    "diff_configurations",
    "diff_sites",
    "digest_of",
    "draft_site",
    "draft_source",
    "draft_tool",
    "draw_plan",
    "drawn_plan",
    "explanations",
    "format_documents",
    "health",
    "kept_part",
    "open_app",
    "open_documents",
    "open_runs",
    "open_serving",
    "pinned_sources",
    "plan_faults",
    "plan_in",
    "preview",
    "replay",
    "schema_files",
    "settings_from",
    "settings_report",
    "starter_files",
    "write_document",
]


def settings_from(
    *,
    config: Path | None,
    data: Path | None = None,
    environ: Mapping[str, str],
    assigned: Mapping[str, str] | None = None,
    **overrides: object,
) -> Settings:
    """Gather the settings from the command line, the environment and `pegboard.toml`; `assigned` is what `--set` says.

    Raises:
        InvalidDeclarations: a setting cannot be used; with every problem.
    """
    settings, problems = read_settings(config=config, data=data, environ=environ, assigned=assigned, **overrides)
    if problems.errors:
        raise InvalidDeclarations("The server's settings are wrong.", problems=tuple(problems))
    return settings


def settings_report(
    *,
    config: Path | None,
    data: Path | None = None,
    environ: Mapping[str, str],
    assigned: Mapping[str, str] | None = None,
) -> SettingsReport:
    """Return every setting with where it comes from, and the problems of all of them."""
    settings, problems = read_settings(config=config, data=data, environ=environ, assigned=assigned)
    return report(settings, problems)


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


def replay(settings: Settings, told: Mapping[str, Json]) -> "Replayed":
    """Decide again from the JSON of a decision, by what its site declares now; nothing is scored.

    Raises:
        InvalidDeclarations: with every problem.
        UsageError: it is no decision.
        UnknownSite: no document declares its site.
    """
    from pegboard.route.replay import replayed

    return replayed(told, catalog_of(settings))


def preview(tool: "Tool", arguments: Mapping[str, Json]) -> dict[str, Json]:
    """Return what a call of `tool` would do, its secrets masked; nothing is done.

    Raises:
        InvalidArguments: they do not fit its schema, or cannot be sent.
        CallFailed: it would do nothing.
    """
    from pegboard.bind.check import checked
    from pegboard.catalog.redaction import masked

    fitting = masked(tool, checked(tool, arguments))
    shown: Json = {"arguments": fitting} if tool.kind is None else tool.kind.preview(fitting)
    return {"tool": tool.name, "handler": tool.handler, "would": shown}


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
    from pegboard.app.opening import opened_app

    return opened_app(settings, progress=progress, embedder=embedder, model=model)


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


def kept_part(settings: Settings, ref: str, offset: int = 0) -> "Part":
    """Return a part of a result that was too large to be handed around; blocks.

    Raises:
        UnknownResult: nothing is kept under `ref`, or not any more.
    """
    from pegboard.run.results.keep import read_part
    from pegboard.run.results.store import FileResults

    return read_part(FileResults(settings.data / "results"), ref, offset)


def open_documents(settings: Settings) -> "AbstractAsyncContextManager[AllDocuments]":
    """Open what was written and is kept, to look at it."""
    from pegboard.app.documents import documents_of

    return documents_of(settings)


def open_runs(settings: Settings) -> AbstractAsyncContextManager["Running"]:
    """Open the runs of a configuration to look at them and to say what is wished of them; nothing is driven."""
    from pegboard.app.looking import runs_of

    return runs_of(settings)


def starter_files(*, xml: bool = False) -> Mapping[str, str]:
    """Return the files of a new project by their path in it; with `xml`, the tools are declared in XML."""
    from pegboard.config.starter import project

    return project.starter_files(xml=xml)


def draft_tool(settings: Settings, tool: NewTool) -> Draft:
    """Return what declares a new tool; nothing is written.

    Raises:
        UsageError: something is missing or cannot be.
        PegboardError: it is declared already.
    """
    from pegboard.catalog.loading.resolve import room_names
    from pegboard.config.starter import draft

    return draft.draft_tool(settings, tool, rooms=room_names())


def draft_site(settings: Settings, site: NewSite) -> Draft:
    """Return what declares a new site; nothing is written.

    Raises:
        UsageError: something is missing or cannot be.
        PegboardError: it is declared already.
    """
    from pegboard.config.starter import draft

    return draft.draft_site(settings, site)


async def draft_source(settings: Settings, source: NewSource) -> Draft:
    """Fetch what is imported, and return what declares it; nothing is written.

    Raises:
        UsageError: nothing can be imported from there.
        UpstreamFailed: it is not there.
    """
    from pegboard.app import importing

    return await importing.draft_source(settings, source)


def pinned_sources(settings: Settings) -> "list[Pinned]":
    """Return the MCP servers with what is approved of each; nothing is connected to.

    Raises:
        InvalidDeclarations: the documents cannot be read.
    """
    from pegboard.app import pinning

    return pinning.pinned_sources(settings)


async def compare_pins(settings: Settings, name: str) -> "PinsComparison":
    """Ask an MCP server for its tools, and compare them with what was approved.

    Raises:
        InvalidDeclarations, UsageError, Unreachable, CallFailed
    """
    from pegboard.app import pinning

    return await pinning.compare_pins(settings, name)


async def diagnose(settings: Settings, site: str | None = None) -> "Diagnosis":
    """Look whether everything is there that a configuration needs, or one of its sites.

    Raises:
        InvalidDeclarations: with every problem.
        UnknownSite: no document declares `site`.
    """
    from pegboard.app import doctoring

    return await doctoring.diagnose(settings, site=site)
