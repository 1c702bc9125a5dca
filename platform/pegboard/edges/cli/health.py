"""How well the tools of each site are told apart, on a terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pegboard.edges.cli.output import print_line, print_table

if TYPE_CHECKING:
    from pegboard.app import SiteHealth, ToolHealth

HEADER = ("SITE", "TOOL", "EXAMPLES", "RIGHT", "MOST CONFUSED WITH")


def print_health(sites: "Sequence[SiteHealth]") -> None:
    """Print a line a tool, then what overlaps, site by site."""
    rows = [_row(site.site, tool) for site in sites for tool in site.tools]
    if rows:
        print_table(HEADER, rows)
    for site in sites:
        for sentence in site.overlaps:
            print_line(f"{site.site}: {sentence}")
        if site.note:
            print_line(f"{site.site}: {site.note}")


def _row(site: str, tool: "ToolHealth") -> list[str]:
    right = "-" if tool.accuracy is None else f"{100 * tool.accuracy:.0f} %"
    return [site, tool.tool, str(tool.examples), right, tool.confused_with or "-"]
