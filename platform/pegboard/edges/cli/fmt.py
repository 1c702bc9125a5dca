"""`platform fmt`: documents in the house form."""

import difflib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pegboard.edges.backend import Backend
from pegboard.edges.cli.opening import backend_of, settings_of
from pegboard.edges.cli.options import AsJson, Config
from pegboard.edges.cli.output import inform, print_json, print_line, styled
from pegboard.edges.cli.report import report_problems
from pegboard.edges.rewritten import Formatted
from pegboard.errors import InvalidDeclarations, UsageError
from pegboard.text import Json

if TYPE_CHECKING:
    from pegboard.app import Problem

EPILOG = """\b
Examples:
  platform fmt                     every document of this folder
  platform fmt tools.d/shop.yaml   one document
  platform fmt --check             change nothing; exit code 1 when a document would change
  platform fmt --diff              change nothing; print what would change
Comments and values stay. A document with errors is not touched, and the exit code is 3.
"""


def fmt(
    context: typer.Context,
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="[PATH]...", help="Documents or folders; -c otherwise.")
    ] = None,
    config: Config = None,
    check: Annotated[bool, typer.Option("--check", help="Change nothing; name what would change.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Change nothing; print what would change.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write documents in the house form; comments and values stay."""
    backend = backend_of(context)
    configurations: list[Path | None] = [*paths] if paths else [config]
    found: dict[Path, Formatted] = {}
    for path in configurations:
        found |= dict(backend.format_documents(settings_of(context, path)))
    changed = [path for path, formatted in found.items() if formatted.is_changed]
    problems = [problem for formatted in found.values() for problem in formatted.problems]
    if not check and not diff:
        _write(backend, [(path, found[path].after) for path in changed])
    if as_json:
        print_json(_document(changed, problems, len(found)))
    else:
        _tell(changed, found, diff=diff)
        report_problems(problems, to=sys.stderr)
        failed = sum(1 for formatted in found.values() if formatted.problems)
        _sum_up(len(changed), len(found) - failed, is_written=not check and not diff)
        if failed:
            inform(
                f"{failed} {'document has errors and was' if failed == 1 else 'documents have errors and were'} left"
            )
    if problems:
        raise typer.Exit(InvalidDeclarations.exit_code)
    if check and changed:
        raise typer.Exit(1)


def _write(backend: Backend, texts: Sequence[tuple[Path, str]]) -> None:
    for path, text in texts:
        try:
            backend.write_document(path, text)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}.") from error


def _document(changed: Sequence[Path], problems: Sequence["Problem"], documents: int) -> dict[str, Json]:
    return {
        "documents": documents,
        "changed": [_name(path) for path in changed],
        "problems": [problem.to_json() for problem in problems],
    }


def _tell(changed: Sequence[Path], found: dict[Path, Formatted], *, diff: bool) -> None:
    for path in changed:
        if not diff:
            print_line(_name(path))
            continue
        for line in _diff(_name(path), found[path]):
            colour = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
            print_line(styled(line, colour, to=sys.stdout) if colour else line)


def _diff(name: str, formatted: Formatted) -> list[str]:
    before, after = formatted.before.splitlines(), formatted.after.splitlines()
    lines = [*difflib.unified_diff(before, after, name, name, lineterm="")]
    return lines or [f"{name}: only line ends or the encoding would change"]


def _sum_up(changed: int, documents: int, *, is_written: bool) -> None:
    noun = "document" if documents == 1 else "documents"
    verb = "written anew" if is_written else "would change"
    inform(f"{changed} of {documents} {noun} {verb}" if changed else f"{documents} {noun} in the house form")


def _name(path: Path) -> str:
    """Return a path as it is shown: from the working folder where it lies below that."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
