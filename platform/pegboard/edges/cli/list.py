"""`platform list`: the sites, or the tools of one."""

import typer

from pegboard.edges.cli.opening import catalog_of
from pegboard.edges.cli.options import AsJson, Config, Site
from pegboard.edges.cli.output import print_json, print_table
from pegboard.edges.served import Catalog
from pegboard.errors import UnknownSite
from pegboard.text import Json, did_you_mean

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
        print_json([_site_json(catalog, name) for name in catalog.sites])
    else:
        print_table(
            ["SITE", "TOOLS", "TYPES", "FOR"],
            [
                [name, str(len(each.tools)), ", ".join(each.types), each.description]
                for name, each in catalog.sites.items()
            ],
        )


def _site_json(catalog: Catalog, name: str) -> dict[str, Json]:
    each = catalog.sites[name]
    return {
        "name": name,
        "description": each.description,
        "domains": list(each.domains),
        "types": list(each.types),
        "tools": [tool.name for tool in each.tools],
        "default": each.default,
    }


def _list_tools(catalog: Catalog, site: str, *, as_json: bool) -> None:
    if site not in catalog.sites:
        raise UnknownSite(f"There is no site {site!r}.", hint=did_you_mean(site, catalog.sites, noun="sites"))
    tools = catalog.sites[site].tools
    if as_json:
        print_json(
            [
                {
                    "name": each.name,
                    "type": each.type,
                    "description": each.description,
                    "handler": each.handler,
                }
                for each in tools
            ]
        )
        return
    print_table(["TOOL", "TYPE", "DOES"], [[tool.name, tool.type, tool.description] for tool in tools])
