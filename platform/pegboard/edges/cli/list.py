"""`platform list`: the sites, or the tools of one."""

import typer

from pegboard.edges.cli.opening import catalog_of
from pegboard.edges.cli.options import AsJson, Config, Site
from pegboard.edges.cli.output import print_json, print_table
from pegboard.edges.served import Catalog

EPILOG = """\b
Examples:
  platform list                  the sites and what they are for
  platform list --site kitchen   the tools of one site
"""


def list_(context: typer.Context, config: Config = None, site: Site = None, as_json: AsJson = False) -> None:
    """List the sites, or the tools of one site."""
    catalog = catalog_of(context, config)
    if site is not None:
        _list_tools(catalog, site, as_json=as_json)
    elif as_json:
        print_json([each.to_json() for each in catalog.sites.values()])
    else:
        print_table(
            ["SITE", "TOOLS", "TYPES", "FOR"],
            [
                [name, str(len(each.tools)), ", ".join(each.types), each.description]
                for name, each in catalog.sites.items()
            ],
        )


def _list_tools(catalog: Catalog, site: str, *, as_json: bool) -> None:
    tools = catalog.toolset(site).tools
    if as_json:
        fields = ("name", "type", "description", "handler")
        print_json([{field: getattr(tool, field) for field in fields} for tool in tools])
    else:
        print_table(["TOOL", "TYPE", "DOES"], [[tool.name, tool.type, tool.description] for tool in tools])
