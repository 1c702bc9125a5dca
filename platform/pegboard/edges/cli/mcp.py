"""`platform mcp`: serve one site to an MCP client over stdin and stdout."""

import signal
import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from pegboard.edges.cli.logs import logged_to
from pegboard.edges.cli.opening import opened_for_serving, settings_of
from pegboard.edges.cli.options import Assigned, Config, Data, Site
from pegboard.errors import UsageError

if TYPE_CHECKING:
    from pegboard.app import Settings

EPILOG = """\b
Examples:
  platform mcp -c /srv/tools --site kitchen
  {"command": "platform", "args": ["mcp", "-c", "/srv/tools", "--site", "kitchen"]}   in the client's configuration
A client starts it and speaks to it; the log goes to stderr. A running server has the same at http://HOST:PORT/mcp.
"""


def mcp(
    context: typer.Context,
    config: Config = None,
    data: Data = None,
    site: Site = None,
    reload: Annotated[
        bool, typer.Option("--reload/--no-reload", help="Serve changed documents without a restart.")
    ] = True,
    assigned: Assigned = None,
) -> None:
    """Serve a site to an MCP client that starts this command: its tools, and one that asks them all."""
    import anyio

    from pegboard.edges.mcp.stdio import claim

    if sys.stdin.isatty():
        raise UsageError(
            "An MCP client is to speak on stdin, and there is a terminal.",
            hint="Name this command in the client's configuration; `platform ask` asks a question.",
        )
    settings = settings_of(context, config, data, assigned=assigned)
    stdin, stdout = claim()  # before anything is loaded, for that may print
    stopped_by = anyio.run(partial(_serve, context, settings, site, stdin, stdout, is_watching=reload))
    if stopped_by == signal.SIGINT:
        raise typer.Exit(130)


async def _serve(
    context: typer.Context, settings: "Settings", site: str | None, stdin: int, stdout: int, *, is_watching: bool
) -> int:
    from pegboard.edges.mcp.stdio import serve_stdio

    async with opened_for_serving(context, settings) as serving:
        name = serving.current.site_for(site, None)
        with logged_to(sys.stderr):
            return await serve_stdio(serving, name, stdin, stdout, is_watching=is_watching)
