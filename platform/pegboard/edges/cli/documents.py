"""`platform documents`: what tools have written and is kept; look at it, remove it. A server need not run."""

import sys
from datetime import UTC, datetime
from typing import Annotated, TypeAlias

import typer

from pegboard.catalog.contract import Document, Listing
from pegboard.edges.cli.help import group_of
from pegboard.edges.cli.opening import backend_of, opened, settings_of
from pegboard.edges.cli.options import AsJson, Config, Data
from pegboard.edges.cli.output import inform, is_terminal, plain, print_json, print_line, print_table

_LIST_EPILOG = """\b
Examples:
  platform documents list                   of all sites, the latest first
  platform documents list --site desk
  platform documents list --query weather   those with this word in their titles
"""
_SHOW_EPILOG = """\b
Examples:
  platform documents show 5f2c91b04d7e6a38 > report.md
  platform documents show "Weather today" --site desk --version 1
"""
_REMOVE_EPILOG = """\b
Examples:
  platform documents remove 5f2c91b04d7e6a38
It is removed with all its versions, and from the knowledge that it was part of.
"""

Which: TypeAlias = Annotated[
    str, typer.Argument(metavar="DOCUMENT", help="Its id, or with --site its title.", show_default=False)
]
Site: TypeAlias = Annotated[
    str | None, typer.Option("--site", "-s", metavar="NAME", help="The site that keeps it; any otherwise.")
]


def group() -> typer.Typer:
    """Return the command with what can be done."""
    return group_of(
        "List, show and remove the documents that tools have written.",
        [
            ("list", list_, _LIST_EPILOG),
            ("show", show, _SHOW_EPILOG),
            ("remove", remove, _REMOVE_EPILOG),
        ],
    )


def list_(
    context: typer.Context,
    site: Site = None,
    query: Annotated[str, typer.Option("--query", "-q", metavar="WORDS", help="Words of titles.")] = "",
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="How many.", min=1)] = 20,
    config: Config = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """List the documents, the latest first."""
    import anyio

    async def work() -> Listing:
        async with backend_of(context).open_documents(settings_of(context, config, data)) as documents:
            return await documents.list(site, query=query, limit=limit)

    found = anyio.run(work)
    if as_json:
        print_json(found.to_json())
        return
    header = ["DOCUMENT", "SITE", "WRITTEN", "VERSION", "TITLE"]
    rows = [[each.id, each.site, _moment(each.updated), str(each.latest), each.title] for each in found.documents]
    print_table(header, rows)
    if not found.total:
        inform("No document is kept." if not (site or query) else "No document fits.")
    if found.total > len(found.documents):
        inform(f"{found.total - len(found.documents)} more; --limit shows them.")


def show(
    context: typer.Context,
    document: Which,
    site: Site = None,
    version: Annotated[
        int | None, typer.Option("--version", metavar="N", help="One of its versions; the latest otherwise.", min=1)
    ] = None,
    config: Config = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Print a document: its text and its sources, or with --json all that is known of it."""
    import anyio

    async def work() -> Document:
        async with backend_of(context).open_documents(settings_of(context, config, data)) as documents:
            return await documents.read(document, site=site, version=version)

    found = anyio.run(work)
    if as_json:
        print_json(found.to_json())
        return
    text = found.markdown if found.markdown.endswith("\n") else f"{found.markdown}\n"
    sys.stdout.write(plain(text) if is_terminal(sys.stdout) else text)


def remove(
    context: typer.Context,
    document: Which,
    site: Site = None,
    config: Config = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Remove a document with all its versions."""
    import anyio

    async def work() -> Document:
        async with opened(context, settings_of(context, config, data)) as served:  # its knowledge forgets it too
            return await served.documents.remove(document, site=site)

    removed = anyio.run(work)
    if as_json:
        print_json({"removed": removed.id, "site": removed.site, "title": removed.title, "versions": removed.latest})
    else:
        print_line(f"Removed {removed.title!r} of site {removed.site!r}, versions: {removed.latest}.")


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(sep=" ", timespec="seconds").removesuffix("+00:00")
