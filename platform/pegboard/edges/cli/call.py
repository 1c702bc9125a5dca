"""`platform call`: run one tool with arguments of one's own."""

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pegboard.edges.cli.arguments import arguments_from
from pegboard.edges.cli.opening import backend_of, opened, settings_of
from pegboard.edges.cli.options import AsJson, Config, Data, Site
from pegboard.edges.cli.output import inform, plain, print_json, print_line
from pegboard.edges.failure import error_json
from pegboard.edges.served import Called, Served
from pegboard.errors import PegboardError, UsageError
from pegboard.text import Json, to_json

if TYPE_CHECKING:
    from pegboard.app import Settings

EPILOG = """\b
Examples:
  platform call search query="lentil soup"
  platform call calculator '{"expression": "12 * 3.5"}'
  platform call compare @both.json item2="the other one" --site shop
  platform call get_weather --site today city=北京 --dry-run
A value is read by the tool's schema; k=@FILE and k=- read it from a file or stdin.
"""


def call(
    context: typer.Context,
    tool: Annotated[str, typer.Argument(metavar="TOOL", help="Name of the tool.", show_default=False)],
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[K=V|JSON|@FILE|-]...", help="Its arguments."),
    ] = None,
    *,
    config: Config = None,
    data: Data = None,
    site: Site = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", "-n", help="Show what would be done, secrets masked, and do nothing.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Approve the call, where the tool wants that.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run one tool, without choosing it by a question."""
    import anyio

    settings = settings_of(context, config, data)
    if dry_run:
        _show(_previewed(context, settings, site, tool, words or []), as_json=as_json)
        return

    async def work() -> Called:
        async with opened(context, settings) as served:
            return await _called(served, site, tool, words or [], approved=yes)

    try:
        outcome = anyio.run(work)
    except PegboardError as error:
        if not as_json:
            raise
        sys.stderr.write(to_json({"error": error_json(error)}) + "\n")
        raise typer.Exit(error.exit_code) from error
    if outcome.degraded:
        inform(outcome.degraded)
    if outcome.kept:
        inform(
            f"The whole result is kept for a day as {outcome.kept}; {_printing(outcome.kept, config, data)} prints it."
        )
    if as_json:
        print_json(outcome.to_json())
    else:
        typer.echo(plain(outcome.text))


def _printing(ref: str, config: Path | None, data: Path | None) -> str:
    """Return the command that prints a kept result of the same configuration."""
    places = [("-c", config), ("--data", data)]
    given = [word for option, path in places if path is not None for word in (option, str(path))]
    return shlex.join(["platform", "result", ref, *given])


def _previewed(
    context: typer.Context, settings: "Settings", site: str | None, tool: str, words: list[str]
) -> Mapping[str, Json]:
    """Return what the call would do; the catalog alone is read, no index and no model."""
    catalog = backend_of(context).catalog_of(settings)
    name = site or catalog.default_site()
    if name is None:
        raise UsageError("There are several sites.", hint=f"Name one by --site: {', '.join(catalog.sites)}.")
    found = catalog.toolset(name).tool(tool)
    return backend_of(context).preview(found, arguments_from(words, found.parameters))


def _show(preview: Mapping[str, Json], *, as_json: bool) -> None:
    would = preview["would"]
    if as_json or not isinstance(would, dict) or not isinstance(headers := would.get("headers"), dict):
        print_json(preview)
        return
    print_line(f"{would['method']} {would['url']}")
    for header, value in headers.items():
        print_line(f"{header}: {value}")
    if "body" in would:
        print_line(f"\n{would['body']}")
    if "missing" in would:
        inform(f"The call would fail: {would['missing']}")


async def _called(served: Served, site: str | None, tool: str, words: list[str], *, approved: bool) -> Called:
    name = served.site_for(site, None)
    arguments = arguments_from(words, served.catalog.toolset(name).tool(tool).parameters)
    return await served.call(name, tool, arguments, approved=approved)
