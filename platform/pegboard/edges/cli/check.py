"""`platform check`: every problem of the declarations, in one run."""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from pegboard.edges.backend import Backend
from pegboard.edges.cli.annotations import annotations
from pegboard.edges.cli.explain import explain as explain_codes
from pegboard.edges.cli.health import print_health
from pegboard.edges.cli.opening import assignments, backend_of
from pegboard.edges.cli.options import AsJson, Assigned, Config
from pegboard.edges.cli.output import inform, is_terminal, print_json, print_line, styled
from pegboard.edges.cli.report import report_problems
from pegboard.edges.cli.sarif import sarif
from pegboard.edges.served import Report
from pegboard.errors import InvalidDeclarations, UsageError
from pegboard.text import Json

if TYPE_CHECKING:
    from pegboard.app import Problem, SiteHealth

EPILOG = """\b
Examples:
  platform check                   the configuration of this folder
  platform check tools.d/shop.yaml one document, among the others of its folder
  platform check --no-import       a configuration that is not trusted
  platform check --health          and how well the tools of each site are told apart
  platform check --explain PB201   what a code means, with examples; without a code, all of them
  platform check --json | jq '.problems[] | .code'
  platform check --format sarif > check.sarif
Exit code 3 says that there are errors (with --strict, warnings too); warnings alone give 0.
"""

Format: TypeAlias = Literal["text", "json", "sarif", "github"]


def check(
    context: typer.Context,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[PATH]...", help="Configurations to check, each by itself; -c otherwise."),
    ] = None,
    *,
    config: Config = None,
    assigned: Assigned = None,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Explain the codes that are given instead of paths; without one, list all."),
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Count warnings as errors.")] = False,
    format_: Annotated[
        Format | None,
        typer.Option("--format", help="How problems are written: sarif for code hosts, github for its workflows."),
    ] = None,
    as_json: AsJson = False,
    health: Annotated[
        bool,
        typer.Option(
            "--health", help="Ask each example as if it was not declared: which tools overlap. Takes seconds."
        ),
    ] = False,
    no_import: Annotated[
        bool, typer.Option("--no-import", help="Run no code of the configuration: read its handlers' source instead.")
    ] = False,
) -> None:
    """Find every problem of the declarations, with its place."""
    wanted = _format(format_, as_json=as_json)
    backend = backend_of(context)
    if explain:
        explain_codes([str(path) for path in paths or ()], backend.explanations(), as_json=wanted == "json")
        return
    if health and wanted not in {"text", "json"}:
        raise UsageError(f"--health and --format {wanted} exclude each other.", hint="Leave out --format.")
    configurations: list[Path | None] = [*paths] if paths else [config]
    given = assignments(assigned)
    reports = [
        backend.check(config=path, environ=os.environ, assigned=given, imports=not no_import) for path in configurations
    ]
    sites = [
        site
        for path in (configurations if health else ())
        for site in backend.health(config=path, environ=os.environ, assigned=given, imports=not no_import)
    ]
    _print(reports, wanted, backend, strict=strict, health=sites if health else None)
    if not all(report.ok and not (strict and report.problems) for report in reports):
        raise typer.Exit(InvalidDeclarations.exit_code)


def _format(given: Format | None, *, as_json: bool) -> Format:
    """Return the format that is meant.

    Raises:
        UsageError: two are.
    """
    if as_json and given not in {None, "json"}:
        raise UsageError(f"--json and --format {given} exclude each other.", hint="Give one of them.")
    return "json" if as_json else given or "text"


def _print(
    reports: Sequence[Report],
    wanted: Format,
    backend: Backend,
    *,
    strict: bool,
    health: "Sequence[SiteHealth] | None",
) -> None:
    problems = [problem for report in reports for problem in report.problems]
    match wanted:
        case "json":
            told_apart = None if health is None else [site.to_json() for site in health]
            print_json({**_added([report.to_json() for report in reports]), "health": told_apart})
        case "sarif":
            print_json(sarif(problems, backend.explanations()))
        case "github":
            for line in annotations(problems):
                print_line(line)
        case "text":
            report_problems(problems, to=sys.stdout)
            print_line(_summary(problems, _added([report.to_json() for report in reports]), strict=strict))
            if problems and is_terminal(sys.stdout):
                inform(f"What a code means: platform check --explain {problems[0].code}")
            print_health(health or ())


def _added(documents: Sequence[Mapping[str, Json]]) -> dict[str, Json]:
    """Add up reports: their lists in a row, their numbers summed."""
    total: dict[str, Json] = {}
    for document in documents:
        for name, value in document.items():
            held = total.get(name)
            match held, value:
                case list(), list():
                    total[name] = [*held, *value]
                case int(), int():
                    total[name] = held + value
                case _:
                    total[name] = value
    return total


def _summary(problems: Sequence["Problem"], total: Mapping[str, Json], *, strict: bool) -> str:
    read, sites, tools = (_counted(total.get(key), noun) for key, noun in _NOUNS.items())
    has = f"in {read}: {sites}, {tools} ({total.get('disabled', 0)} disabled)"
    if not problems:
        return f"{styled('No problems', 'green', to=sys.stdout)} {has}"
    errors = sum(problem.severity == "error" for problem in problems)
    warnings = len(problems) - errors
    found = f"{_counted(errors, 'error')}, {_counted(warnings, 'warning')}"
    colour = "red" if errors or strict else "yellow"
    note = " (--strict: warnings count as errors)" if strict and warnings else ""
    return f"{styled(found, colour, to=sys.stdout)} {has}{note}"


_NOUNS = {"files": "file", "sites": "site", "tools": "tool"}
"""What is counted, by the keys of a report."""


def _counted(value: Json, noun: str) -> str:
    number = len(value) if isinstance(value, list) else int(str(value or 0))
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
