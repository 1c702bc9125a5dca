"""`platform show`: a site or a tool, each field with the place that it came from."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from pegboard.edges.cli.block import BLOCKS, block_of, block_values, hidden, maker
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
  platform show kitchen details --all    what each field overrides as well
  platform show details --site shop      the same tool of another site
"""

_VALUE_COLUMNS = 76
_EFFECTS = ("untrusted", "destructive", "external")
_MADE = ("handler", "parameters", "output", "read_only", *_EFFECTS)
"""Fields that a block gives where no document does."""


@dataclass(frozen=True)
class Field:
    """One value of a site or a tool, and where it comes from."""

    name: str
    """As documents name it; what lies in another field by its path: `route.cutoff`, `examples.zh`."""
    value: Json
    place: str
    """`file:line:column`, or what it was made from."""
    overrides: tuple[tuple[Json, str], ...] = ()
    """Values that do not count, each with its place, the most specific first."""


def show(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="SITE|TOOL", help="A site, or a tool.", show_default=False)],
    tool: Annotated[str | None, typer.Argument(metavar="[TOOL]", help="A tool of that site.")] = None,
    *,
    config: Config = None,
    site: Site = None,
    all_: Annotated[
        bool, typer.Option("--all", "-a", help="Show the values that do not count as well, with their places.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show a site or a tool, and the file and line of each field."""
    catalog = catalog_of(context, config)
    if tool is None and site is None and name in catalog.sites:
        _show_site(catalog.sites[name], as_json=as_json)
        return
    toolset = _toolset(catalog, name, tool, site)
    _show_tool(toolset, toolset.tool(tool or name), all_=all_, as_json=as_json)


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


def site_fields(toolset: "Toolset") -> list[Field]:
    """Return the fields of a site as documents name them, with value and place."""
    values: dict[str, Json] = {
        "description": toolset.description,
        "domains": list(toolset.domains),
        "types": list(toolset.types),
        "knowledge": list(toolset.knowledge),
        "default": toolset.default,
        "route.strategy": toolset.routing.strategy,
        "route.early_stop": toolset.routing.early_stop,
        "route.cutoff": toolset.routing.cutoff,
        "route.single_score": toolset.routing.single_score,
        "route.fallback": toolset.routing.fallback,
        "route.grace": f"{toolset.routing.grace_seconds * 1000:g}ms",
        "route.timeout": f"{toolset.routing.timeout_seconds:g}s",
        "route.plan_timeout": f"{toolset.routing.plan_timeout_seconds:g}s",
        "route.shortlist": toolset.routing.shortlist,
        "route.rules": [rule.to_json() for rule in toolset.routing.rules],
        "route.cascade": dict(asdict(toolset.routing.cascade)),
    }
    return [Field(name, value, str(toolset.origin.get(name, "default"))) for name, value in values.items()]


def tool_fields(tool: "Tool") -> list[Field]:
    """Return the fields of a tool as documents name them, with value, place and what they override."""
    values: dict[str, Json] = {
        "description": tool.description,
        "tags": list(tool.tags),
        **_examples(tool.examples),
        "prompt": tool.prompt,
        "returns": dict(tool.reply),
        "parameters": dict(tool.parameters),
        "output": None if tool.output is None else dict(tool.output),
        "handler": tool.handler,
        **block_values(tool),
        "read_only": tool.read_only,
        **{f"call.{key}": value for key, value in tool.limits.to_json().items()},
        "pinned": tool.pinned,
        "place": tool.place,
        "speculate": None if tool.speculate is None else dict(tool.speculate),
        "keep": tool.keep,
        **{effect: effect in tool.effects for effect in _EFFECTS},
    }
    fields = [Field(name, value, _place(name, tool), tuple(_overrides(name, tool))) for name, value in values.items()]
    gone = dict.fromkeys(each.field for each in tool.overridden if each.field not in values)
    return [*fields, *(Field(name, None, "", tuple(_overrides(name, tool))) for name in gone)]


def _examples(examples: Mapping[str, Sequence[str]]) -> dict[str, Json]:
    """Return examples by the field that holds them: one of each language."""
    if not examples:
        return {"examples": []}
    return {f"examples.{code}" if code else "examples": list(questions) for code, questions in examples.items()}


def _overrides(name: str, tool: "Tool") -> Iterator[tuple[Json, str]]:
    is_of_block = name.partition(".")[0] in BLOCKS
    for each in tool.overridden:
        if each.field == name:
            yield hidden(each.value, tool) if is_of_block else each.value, str(each.span)


def _place(field: str, tool: "Tool") -> str:
    """Say where a field stands, or where one that no document gives comes from."""
    if field in tool.origin:
        return str(tool.origin[field])
    if block_of(tool) and field in _MADE and (field != "output" or tool.output is not None):
        return f"made by {maker(tool)}"
    if field == "handler":
        return "the room of the tool's name"
    if field == "parameters":
        return f"made from returns, {tool.origin['returns']}" if "returns" in tool.origin else "made from the handler"
    return "made from parameters" if field == "returns" else "default"


def _show_site(toolset: "Toolset", *, as_json: bool) -> None:
    fields = site_fields(toolset)
    if as_json:
        tools: list[Json] = [
            {"name": tool.name, "type": tool.type, "origin": _declared_at(tool)} for tool in toolset.tools
        ]
        print_json({"site": toolset.site, "fields": _fields_json(fields), "tools": tools})
        return
    print_line(styled(toolset.site, "bold", to=sys.stdout))
    _print_fields(fields, all_=False)
    print_line(styled("tools", "bold", to=sys.stdout))
    _print_fields([Field(tool.name, tool.type, _declared_at(tool)) for tool in toolset.tools], all_=False)


def _show_tool(toolset: "Toolset", tool: "Tool", *, all_: bool, as_json: bool) -> None:
    fields = tool_fields(tool)
    if as_json:
        named: dict[str, Json] = {"tool": tool.name, "type": tool.type, "site": toolset.site}
        print_json({**named, "exported": toolset.exported_name(tool.name), "fields": _fields_json(fields)})
        return
    print_line(f"{styled(tool.name, 'bold', to=sys.stdout)} of type {tool.type}, in site {toolset.site}")
    _print_fields([field for field in fields if all_ or field.place], all_=all_)


def _declared_at(tool: "Tool") -> str:
    """Return the place of the tool's name, else of whichever of its fields is known."""
    places = tool.origin
    return str(places.get("name") or next(iter(places.values()), ""))


def _fields_json(fields: Sequence[Field]) -> dict[str, Json]:
    return {field.name: _field_json(field) for field in fields}


def _field_json(field: Field) -> dict[str, Json]:
    overrides: list[Json] = [{"value": value, "origin": place} for value, place in field.overrides]
    shown: dict[str, Json] = {"value": field.value, "origin": field.place or None}
    return {**shown, "overrides": overrides} if overrides else shown


def _print_fields(fields: Sequence[Field], *, all_: bool) -> None:
    """Print a row for each field; the values that it overrides in rows below it, or only the first one's place."""
    rows = [row for field in fields for row in _rows(field, all_=all_)]
    names = max((width(name) for name, _, _ in rows), default=0)
    values = max((width(value) for _, value, place in rows if place), default=0)
    for name, value, place in rows:
        line = f"  {padded(name, names)}  {padded(value, values) if place else value}"
        print_line(f"{line}  {styled(place, 'dim', to=sys.stdout)}" if place else line.rstrip())


def _rows(field: Field, *, all_: bool) -> Iterator[tuple[str, str, str]]:
    note = ""
    if field.overrides and not all_:
        more = len(field.overrides) - 1
        note = f" (overrides {field.overrides[0][1]}{f' and {more} more' if more else ''})"
    yield field.name, clipped(_in_a_line(field.value), _VALUE_COLUMNS), f"{field.place}{note}"
    for value, place in field.overrides if all_ else ():
        yield "", clipped(_in_a_line(value), _VALUE_COLUMNS), f"overridden, {place}"


def _in_a_line(value: Json) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return f"{value:g}"
    return "" if value is None or value in ([], {}) else to_json(value)
