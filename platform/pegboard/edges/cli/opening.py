"""Reach what a command works with: the settings, the catalog, the open application."""

import os
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import typer

from pegboard.edges.backend import Backend
from pegboard.edges.evaluable import Progress
from pegboard.edges.served import Catalog, Served, Serving
from pegboard.errors import UsageError

if TYPE_CHECKING:
    from pegboard.app import Settings

Open = TypeVar("Open")


def backend_of(context: typer.Context) -> Backend:
    """Return what the command was started with, or else the installed application."""
    given: Backend | None = context.obj
    if given is None:
        import pegboard.app

        given = pegboard.app
    return given


def assignments(texts: Sequence[str] | None) -> dict[str, str]:
    """Read what `--set KEY=VALUE` gives; of one key, the last.

    Raises:
        UsageError: one is not of that form.
    """
    assigned: dict[str, str] = {}
    for text in texts or ():
        key, sign, value = text.partition("=")
        if not sign or not key.strip():
            raise UsageError("--set takes KEY=VALUE.", hint="Such as --set port=9000.")
        assigned[key.strip().replace("-", "_")] = value
    return assigned


def settings_of(
    context: typer.Context,
    config: Path | None,
    data: Path | None = None,
    *,
    assigned: Sequence[str] | None = None,
    **overrides: object,
) -> "Settings":
    """Gather the settings; an override that is None is left to the environment and `pegboard.toml`.

    `assigned` is what was given by `--set`.

    Raises:
        InvalidDeclarations: `pegboard.toml` is wrong.
    """
    given = {name: value for name, value in overrides.items() if value is not None}
    return backend_of(context).settings_from(
        config=config, data=data, environ=os.environ, assigned=assignments(assigned), **given
    )


def catalog_of(context: typer.Context, config: Path | None) -> Catalog:
    """Build the catalog alone.

    Raises:
        InvalidDeclarations: with every problem.
    """
    return backend_of(context).catalog_of(settings_of(context, config))


@asynccontextmanager
async def opened(context: typer.Context, settings: "Settings") -> AsyncIterator[Served]:
    """Open the configuration, showing on stderr how far the index is.

    Raises:
        InvalidDeclarations: with every problem.
    """
    async with _shown(lambda at: backend_of(context).open_app(settings, progress=at)) as served:
        yield served


@asynccontextmanager
async def opened_for_serving(context: typer.Context, settings: "Settings") -> AsyncIterator[Serving]:
    """Open the configuration in the same way, so that it can be reloaded while it serves.

    Raises:
        InvalidDeclarations: with every problem.
    """
    async with _shown(lambda at: backend_of(context).open_serving(settings, progress=at)) as serving:
        yield serving


@asynccontextmanager
async def _shown(open_: Callable[[Progress], AbstractAsyncContextManager[Open]]) -> AsyncIterator[Open]:
    from pegboard.edges.cli.progress import Progress as Bar

    async with AsyncExitStack() as stack:
        with Bar(sys.stderr) as progress:
            opened = await stack.enter_async_context(open_(progress.at))
        yield opened
