"""`platform show`: a site or a tool, each field with the place that it came from."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from pegboard.edges.cli.opening import catalog_of
from pegboard.edges.cli.options import AsJson, Config, Site
from pegboard.edges.cli.output import padded, print_json, print_line, styled, width
from pegboard.edges.served import Catalog
from pegboard.errors import UnknownTool
from pegboard.text import Json, clipped, did_you_mean, to_json

if TYPE_CHECKING:
    from pegboard.app import Tool, Toolset

EPILOG = """\b
Examples:
  platform show kitchen                  the site and its tools, and where each was declared
  platform show kitchen details          one tool of it, field by field
  platform show details --site shop      the same tool of another site
"""

_VALUE_COLUMNS = 76


def show(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="SITE|TOOL", help="A site, or a tool.", show_default=False)],
    tool: Annotated[str | None, typer.Argument(metavar="[TOOL]", help="A tool of that site.")] = None,
    config: Config = None,
    site: Site = None,
    as_json: AsJson = False,
) -> None:
    """Show a site or a tool, and the file and line of each field."""
    catalog = catalog_of(context, config)
    if tool is None and site is None and name in catalog.sites:
        _show_site(catalog.sites[name], as_json=as_json)
        return
    toolset = _toolset(catalog, name, tool, site)
    _show_tool(toolset.site, toolset.tool(tool or name), as_json=as_json)


def _toolset(catalog: Catalog, name: str, tool: str | None, site: str | None) -> "Toolset":
    """Return the toolset that is meant: the one named, else the default, or the first that has the tool."""
    wanted = site or (name if tool else None)
    if wanted is not None:
        return catalog.toolset(wanted)
    by_default = sorted(catalog.sites.values(), key=lambda each: not each.default)
    for each in by_default:
        if each.get(name) is not None:
            return each
    known = [*catalog.sites, *dict.fromkeys(tool.name for each in by_default for tool in each.tools)]
    raise UnknownTool(f"There is no site and no tool {name!r}.", hint=did_you_mean(name, known))


def site_fields(toolset: "Toolset") -> Iterator[tuple[str, Json, str]]:
    """Yield the fields of a site as documents name them, with value and place."""
    values: dict[str, Json] = {
        "description": toolset.description,
        "domains": list(toolset.domains),
        "types": list(toolset.types),
        "knowledge": list(toolset.knowledge),
        "default": toolset.default,
        "route": {
            "strategy": toolset.routing.strategy,
            "early_stop": toolset.routing.early_stop,
            "cutoff": toolset.routing.cutoff,
            "single_score": toolset.routing.single_score,
            "fallback": toolset.routing.fallback,
            "grace": f"{toolset.routing.grace_seconds * 1000:g}ms",
            "timeout": f"{toolset.routing.timeout_seconds:g}s",
        },
    }
    for name, value in values.items():
        yield name, value, str(toolset.origin.get(name, "default"))


def tool_fields(tool: "Tool") -> Iterator[tuple[str, Json, str]]:
    """Yield the fields of a tool as documents name them, with value and place, or what it was made from."""
    values: dict[str, Json] = {
        "description": tool.description,
        "examples": {language: list(questions) for language, questions in tool.examples.items()},
        "prompt": tool.prompt,
        "returns": dict(tool.reply),
        "parameters": dict(tool.parameters),
        "output": None if tool.output is None else dict(tool.output),
        "handler": tool.handler,
        "read_only": tool.read_only,
        "call": {"timeout": f"{tool.timeout_seconds:g}s"},
    }
    for name, value in values.items():
        yield name, value, str(tool.origin.get(name, _made_from(name, tool)))


def _made_from(field: str, tool: "Tool") -> str:
    """Say where a field that no document gives comes from."""
    if field == "handler":
        return "the room of the tool's name"
    if field == "parameters":
        return f"made from returns, {tool.origin['returns']}" if "returns" in tool.origin else "made from the handler"
    return "made from parameters" if field == "returns" else "default"


def _show_site(toolset: "Toolset", *, as_json: bool) -> None:
    fields = list(site_fields(toolset))
    if as_json:
        tools: list[Json] = [
            {"name": tool.name, "type": tool.type, "origin": _declared_at(tool)} for tool in toolset.tools
        ]
        print_json({"site": toolset.site, "fields": _fields_json(fields), "tools": tools})
        return
    print_line(styled(toolset.site, "bold", to=sys.stdout))
    _print_fields(fields)
    print_line(styled("tools", "bold", to=sys.stdout))
    _print_fields([(tool.name, tool.type, _declared_at(tool)) for tool in toolset.tools])


def _show_tool(site: str, tool: "Tool", *, as_json: bool) -> None:
    fields = list(tool_fields(tool))
    if as_json:
        print_json({"tool": tool.name, "type": tool.type, "site": site, "fields": _fields_json(fields)})
        return
    print_line(f"{styled(tool.name, 'bold', to=sys.stdout)} of type {tool.type}, in site {site}")
    _print_fields(fields)


def _declared_at(tool: "Tool") -> str:
    """Return the place of the tool's name, else of whichever of its fields is known."""
    places = tool.origin
    return str(places.get("name") or next(iter(places.values()), ""))


def _fields_json(fields: list[tuple[str, Json, str]]) -> dict[str, Json]:
    return {name: {"value": value, "origin": place or None} for name, value, place in fields}


def _print_fields(fields: list[tuple[str, Json, str]]) -> None:
    shown = [(name, clipped(_in_a_line(value), _VALUE_COLUMNS), place) for name, value, place in fields]
    names = max((width(name) for name, _, _ in shown), default=0)
    values = max((width(value) for _, value, place in shown if place), default=0)
    for name, value, place in shown:
        line = f"  {padded(name, names)}  {padded(value, values) if place else value}"
        print_line(f"{line}  {styled(place, 'dim', to=sys.stdout)}" if place else line.rstrip())


def _in_a_line(value: Json) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None or value in ([], {}) else to_json(value)
