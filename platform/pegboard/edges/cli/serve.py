"""`platform serve`: answer questions by HTTP until told to stop."""

import os
import secrets
import signal
import sys
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from pegboard import __version__
from pegboard.edges.cli.logs import logged_to
from pegboard.edges.cli.opening import opened_for_serving, settings_of
from pegboard.edges.cli.options import Assigned, Config, Data
from pegboard.edges.cli.output import inform, styled
from pegboard.edges.record import ServerRecord, remove_record, write_record

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator

    from pegboard.app import Settings
    from pegboard.edges.served import Served

EPILOG = """\b
Examples:
  platform serve                        the configuration of this folder
  platform serve -c /srv/tools --port 9000
A change of the documents is served within seconds; one that has errors is refused and told.
Ctrl-C stops it, SIGHUP reloads it; requests in flight get a few seconds to end.
"""


def serve(
    context: typer.Context,
    config: Config = None,
    data: Data = None,
    host: Annotated[
        str | None, typer.Option("--host", metavar="HOST", help="Where to listen; 127.0.0.1 otherwise.")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", "-p", metavar="PORT", min=0, max=65535, help="8000 otherwise; 0: a free one."),
    ] = None,
    allow_unauthenticated: Annotated[
        bool,
        typer.Option("--allow-unauthenticated", help="Let a host be reached from other machines, without a login."),
    ] = False,
    reload: Annotated[
        bool, typer.Option("--reload/--no-reload", help="Serve changed documents without a restart.")
    ] = True,
    assigned: Assigned = None,
) -> None:
    """Serve the sites: a page, NLWeb's /ask, and what /docs lists."""
    import anyio

    from pegboard.edges.web.server import has_uvloop, take_port

    settings = settings_of(context, config, data, assigned=assigned, host=host, port=port)
    taken = take_port(settings.host, settings.port, allow_unauthenticated=allow_unauthenticated)
    with taken:
        options = {"use_uvloop": True} if has_uvloop() else {}
        run = partial(_serve, context, settings, taken, is_watching=reload)
        stopped_by = anyio.run(run, backend_options=options)
    if stopped_by == signal.SIGINT:
        raise typer.Exit(130)


async def _serve(context: typer.Context, settings: "Settings", taken: "socket.socket", *, is_watching: bool) -> int:
    from pegboard.edges.web.server import serve as run_server

    made = secrets.token_urlsafe(24)
    token = settings.admin_token.reveal() if settings.admin_token else made
    async with opened_for_serving(context, settings) as serving:
        with _forgotten(settings), logged_to(sys.stderr):

            def ready(url: str) -> None:
                served = serving.current
                _remember(settings, ServerRecord(url, os.getpid(), served.catalog.digest))
                inform(ready_line(served, url))
                if settings.admin_token is None:
                    inform(f"admin token: {made}")

            return await run_server(serving, taken, ready=ready, is_watching=is_watching, admin_token=token)


def _remember(settings: "Settings", record: ServerRecord) -> None:
    """Leave a note for other commands; a server that cannot is no worse at serving."""
    try:
        write_record(settings.data, record)
    except OSError as error:
        inform(f"note: platform ask will not find this server: {settings.data}: {error.strerror}")


@contextmanager
def _forgotten(settings: "Settings") -> "Iterator[None]":
    try:
        yield
    finally:
        remove_record(settings.data)


def ready_line(served: "Served", url: str) -> str:
    """Return the line that says where, what and with which model."""
    sites = ", ".join(served.catalog.sites) or "none"
    name = styled(f"pegboard {__version__}", "bold", to=sys.stderr)
    address = styled(url, "cyan", to=sys.stderr)
    has = f"sites: {sites}; tools: {served.catalog.tools}; model: {served.model_name}"
    return f"{name} ready at {address} ({has})"
