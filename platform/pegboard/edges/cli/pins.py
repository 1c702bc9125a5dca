"""`platform pins`: what MCP servers say of their tools, as it was approved and as it is now."""

import sys
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pegboard.edges.cli.beside import beside
from pegboard.edges.cli.help import group_of
from pegboard.edges.cli.opening import backend_of, settings_of
from pegboard.edges.cli.options import AsJson, Config
from pegboard.edges.cli.output import inform, print_json, print_line, print_table, styled
from pegboard.edges.cli.written import written
from pegboard.text import Json

if TYPE_CHECKING:
    from pegboard.app import PinsComparison

_DIFFERENT = 1
_LIST_EPILOG = """\b
Nothing is connected to. A source without approved definitions has no tools: see platform pins approve.
"""
_DIFF_EPILOG = """\b
Examples:
  platform pins diff files           what the server of the source `files` says of its tools, old and new
  platform pins diff files --json    the same for a script
Exit code 0 says that nothing differs, 1 that something does, 4 that the server does not answer.
"""
_APPROVE_EPILOG = """\b
Examples:
  platform pins approve files              all tools as they are now
  platform pins approve files read_file    this one alone
Look at platform pins diff first: models read what a server says of its tools, and do what it asks.
A server that runs takes the new definitions at its next reload (SIGHUP, or POST /admin/reload).
"""

Source: TypeAlias = Annotated[
    str, typer.Argument(metavar="SOURCE", help="An MCP server, by its name under `sources`.", show_default=False)
]


def group() -> typer.Typer:
    """Return the command with its verbs."""
    return group_of(
        "Compare and approve what MCP servers say of their tools.",
        [
            ("list", list_, _LIST_EPILOG),
            ("diff", diff, _DIFF_EPILOG),
            ("approve", approve, _APPROVE_EPILOG),
        ],
    )


def list_(context: typer.Context, config: Config = None, as_json: AsJson = False) -> None:
    """List the MCP servers with what is approved of each."""
    found = backend_of(context).pinned_sources(settings_of(context, config))
    if as_json:
        told: list[Json] = [pinned.to_json() for pinned in found]
        print_json({"sources": told})
        return
    rows = [[each.source, str(each.tools), str(each.file), each.problem or "approved"] for each in found]
    print_table(["SOURCE", "TOOLS", "FILE", "STATE"], rows)


def diff(context: typer.Context, source: Source, config: Config = None, as_json: AsJson = False) -> None:
    """Show what a server says of its tools now, beside what was approved."""
    found = _compared(context, config, source)
    if as_json:
        print_json(found.to_json())
    else:
        _print(found)
    if found.changes:
        raise typer.Exit(_DIFFERENT)


def approve(
    context: typer.Context,
    source: Source,
    tools: Annotated[
        list[str] | None, typer.Argument(metavar="[TOOL]...", help="These tools alone; all otherwise.")
    ] = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Approve what a server says of its tools now."""
    found = _compared(context, config, source)
    with written({found.file: found.approved(tools or ())}):
        pass
    named = [found.at_server(tool) for tool in tools or ()]
    taken = [change for change in found.changes if not named or change.name in named]
    if as_json:
        told: list[Json] = [{"tool": change.name, "change": change.what} for change in taken]
        print_json({"source": source, "file": str(found.file), "approved": told})
        return
    for change in taken:
        print_line(f"{change.what:<8} {change.name}")
    inform(f"Written {found.file}")


def _compared(context: typer.Context, config: Config, source: str) -> "PinsComparison":
    import anyio

    found = anyio.run(backend_of(context).compare_pins, settings_of(context, config), source)
    if found.is_damaged:
        inform(f"note: {found.file} cannot be read; all is shown as new")
    for note in found.notes:
        inform(note)
    return found


def _print(found: "PinsComparison") -> None:
    for change in found.changes:
        what = f"{', '.join(change.parts)} changed" if change.what == "changed" else change.what
        print_line(styled(f"tool {change.name}: {what}", "bold", to=sys.stdout))
        for line in beside(change.lines_before, change.lines_after):
            print_line(line)
