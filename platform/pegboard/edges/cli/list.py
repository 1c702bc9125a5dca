"""`platform list`: the sites, or the tools of one, or the tools of a tag."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from pegboard.edges.cli.opening import catalog_of
from pegboard.edges.cli.options import AsJson, Config, Site
from pegboard.edges.cli.output import print_json, print_table
from pegboard.edges.served import Catalog
from pegboard.errors import UsageError
from pegboard.text import Json, did_you_mean

if TYPE_CHECKING:
    from pegboard.app import Tool, Toolset

EPILOG = """\b
Examples:
  platform list                  the sites and what they are for
  platform list --site kitchen   the tools of one site
  platform list --tag content    the tools of all sites that have a tag
"""


def list_(
    context: typer.Context,
    config: Config = None,
    site: Site = None,
    tag: Annotated[
        str | None, typer.Option("--tag", metavar="TAG", help="The tools that have this tag, of all sites or of one.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the sites, the tools of one site, or the tools of a tag."""
    catalog = catalog_of(context, config)
    toolsets = list(catalog.sites.values()) if site is None else [catalog.toolset(site)]
    if tag is not None:
        _list_tagged(toolsets, tag, as_json=as_json)
    elif site is not None:
        _list_tools(toolsets[0].tools, as_json=as_json)
    else:
        _list_sites(catalog, as_json=as_json)


def _list_sites(catalog: Catalog, *, as_json: bool) -> None:
    if as_json:
        print_json([each.to_json() for each in catalog.sites.values()])
        return
    print_table(
        ["SITE", "TOOLS", "TYPES", "FOR"],
        [[name, str(len(each.tools)), ", ".join(each.types), each.description] for name, each in catalog.sites.items()],
    )


def _list_tools(tools: "Sequence[Tool]", *, as_json: bool) -> None:
    if as_json:
        print_json([_tool_json(tool) for tool in tools])
    else:
        print_table(["TOOL", "TYPE", "DOES"], [[tool.name, tool.type, tool.description] for tool in tools])


def _list_tagged(toolsets: "Sequence[Toolset]", tag: str, *, as_json: bool) -> None:
    found = [(toolset.site, tool) for toolset in toolsets for tool in toolset.tools if tag in tool.tags]
    if not found:
        known = dict.fromkeys(each for toolset in toolsets for tool in toolset.tools for each in tool.tags)
        raise UsageError(f"No tool has the tag {tag!r}.", hint=did_you_mean(tag, known, noun="tags"))
    if as_json:
        print_json([{"site": site, **_tool_json(tool)} for site, tool in found])
        return
    rows = [[site, tool.name, tool.type, tool.description] for site, tool in found]
    print_table(["SITE", "TOOL", "TYPE", "DOES"], rows)


def _tool_json(tool: "Tool") -> dict[str, Json]:
    return {
        "name": tool.name,
        "type": tool.type,
        "description": tool.description,
        "handler": tool.handler,
        "tags": list(tool.tags),
    }
