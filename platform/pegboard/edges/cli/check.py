"""`platform check`: every problem of the declarations, in one run."""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pegboard.edges.cli.opening import assignments, backend_of
from pegboard.edges.cli.options import AsJson, Assigned, Config
from pegboard.edges.cli.output import print_json, print_line, styled
from pegboard.edges.cli.report import report_problems
from pegboard.errors import InvalidDeclarations
from pegboard.text import Json

if TYPE_CHECKING:
    from pegboard.app import Problem

EPILOG = """\b
Examples:
  platform check                   the configuration of this folder
  platform check tools.d/shop.yaml one document, among the others of its folder
  platform check --no-import       a configuration that is not trusted
  platform check --json | jq '.problems[] | .code'
Exit code 3 says that there are errors; warnings alone give 0.
"""


def check(
    context: typer.Context,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[PATH]...", help="Configurations to check, each by itself; -c otherwise."),
    ] = None,
    config: Config = None,
    assigned: Assigned = None,
    as_json: AsJson = False,
    no_import: Annotated[
        bool, typer.Option("--no-import", help="Run no code of the configuration: read its handlers' source instead.")
    ] = False,
) -> None:
    """Find every problem of the declarations, with its place."""
    configurations: list[Path | None] = [*paths] if paths else [config]
    given = assignments(assigned)
    reports = [
        backend_of(context).check(config=path, environ=os.environ, assigned=given, imports=not no_import)
        for path in configurations
    ]
    problems = [problem for report in reports for problem in report.problems]
    total = _added([report.to_json() for report in reports])
    if as_json:
        print_json(total)
    else:
        report_problems(problems, to=sys.stdout)
        print_line(_summary(problems, total))
    if not all(report.ok for report in reports):
        raise typer.Exit(InvalidDeclarations.exit_code)


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


def _summary(problems: Sequence["Problem"], total: dict[str, Json]) -> str:
    errors = sum(problem.severity == "error" for problem in problems)
    warnings = len(problems) - errors
    sites = total.get("sites")
    counted = _count(len(sites) if isinstance(sites, list) else int(str(sites or 0)), "site")
    has = f"{counted}, {_count(int(str(total.get('tools', 0))), 'tool')} ({total.get('disabled', 0)} disabled)"
    if not problems:
        return f"{styled('No problems', 'green', to=sys.stdout)}: {has}"
    found = f"{_count(errors, 'error')}, {_count(warnings, 'warning')}"
    return f"{styled(found, 'red' if errors else 'yellow', to=sys.stdout)}: {has}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
