"""Types: names that are nobody's, parents that contradict, and types whose tools no site takes."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from pegboard.catalog.findings import Findings
from pegboard.catalog.types import NoOrder, TypeGraph
from pegboard.config.declarations import Declarations, Declared, ToolDeclaration
from pegboard.config.span import Span


def check_types(
    declarations: Declarations, tools: Iterable[Declared[ToolDeclaration]], graph: TypeGraph, findings: Findings
) -> None:
    """Report types that are neither schema.org's nor declared, and declared ones that have no order."""

    def check_known(name: str, place: Span) -> None:
        if name not in graph:
            hint = findings.near(name, graph.names, noun="types") if name else ""
            message = f"type {name!r} is neither schema.org's nor declared; it is taken as a kind of Item"
            findings.add("PB202", place, message, hint=hint if hint.startswith("Did") else "")

    for tool in tools:
        if tool.value.type not in graph:
            check_known(tool.value.type, tool.at("type") if tool.gives("type") else tool.span)
    for site in declarations.sites:
        for index, name in enumerate(site.value.types):
            check_known(name, site.at("types", index))
    for declared in declarations.types:
        for index, name in enumerate(declared.value.parents):
            check_known(name, declared.at("parents", index))
        try:
            graph.order([declared.value.name])
        except NoOrder as error:
            findings.add("PB203", declared.span, f"type {declared.value.name!r}: {error}")


def check_reached(
    by_type: Mapping[str, Sequence[Declared[ToolDeclaration]]], reached: Collection[str], findings: Findings
) -> None:
    """Report once for each type that its tools are in no toolset, because no site has the type or one below it.

    Not those in NLWeb's files, which bring tools for every type along; nor those that are switched off.
    """
    for name, tools in by_type.items():
        idle = [tool for tool in tools if tool.value.enabled and tool.dialect == "own"]
        if name in reached or not idle:
            continue
        noun = f"tool {idle[0].value.name!r} is" if len(idle) == 1 else f"{len(idle)} tools are"
        message = f"no site has the type {name!r}: {noun} in no toolset"
        hint = f"Add {name!r} to the types of a site, or set `enabled: false`."
        place = idle[0].at("type") if idle[0].gives("type") else idle[0].span
        findings.unknown("PB309", place, message, hint=hint)
