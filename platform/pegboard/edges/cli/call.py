"""`platform call`: run one tool with arguments of one's own."""

import sys
from typing import Annotated

import typer

from pegboard.edges.cli.arguments import arguments_from
from pegboard.edges.cli.opening import opened, settings_of
from pegboard.edges.cli.options import AsJson, Config, Data, Site
from pegboard.edges.cli.output import inform, plain, print_json
from pegboard.edges.failure import error_json
from pegboard.edges.served import Called, Served
from pegboard.errors import PegboardError
from pegboard.text import to_json

EPILOG = """\b
Examples:
  platform call search query="lentil soup"
  platform call calculator '{"expression": "12 * 3.5"}'
  platform call compare @both.json item2="the other one" --site shop
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
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Approve the call, where the tool wants that.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run one tool, without choosing it by a question."""
    import anyio

    settings = settings_of(context, config, data)

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
    if outcome.kept:
        inform(f"The whole result is kept for a day as {outcome.kept}; platform result {outcome.kept} prints it.")
    if as_json:
        print_json(outcome.to_json())
    else:
        typer.echo(plain(outcome.text))


async def _called(served: Served, site: str | None, tool: str, words: list[str], *, approved: bool) -> Called:
    name = served.site_for(site, None)
    arguments = arguments_from(words, served.catalog.toolset(name).tool(tool).parameters)
    return await served.call(name, tool, arguments, approved=approved)
