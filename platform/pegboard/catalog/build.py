"""From declarations to the catalog, with every problem of meaning on the way.

Above it: `load`, which reads the documents. Below: the algebra of toolsets (`layers`), the type graph (`types`),
and the making of each tool (`assemble`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from pegboard.catalog import layers
from pegboard.catalog.assemble import Assembler
from pegboard.catalog.layers import Layer, Step
from pegboard.catalog.named import Handlers
from pegboard.catalog.snapshot import Catalog
from pegboard.catalog.tool import Routing, Tool, Toolset
from pegboard.catalog.types import ROOT, NoOrder, TypeGraph
from pegboard.config.declarations import Declarations, Declared, Kind, SiteDeclaration, ToolDeclaration
from pegboard.config.problems import Problem, Problems
from pegboard.config.source import quoted
from pegboard.config.span import Span
from pegboard.text import did_you_mean

_MOST_HINTED = 500
"""Problems that get a near word."""

IMPLICIT_SITE = "default"
"""The site that stands for a configuration which declares tools and no site."""


_TOOL_HINT = "Declare one under `tools:` (in XML: <Tool>), with name, description, examples and handler."


def build(declarations: Declarations, *, handlers: Handlers, problems: Problems) -> Catalog:
    """Build the catalog; each thing that is wrong is added to `problems` once, and on errors it must not be served.

    `handlers` loads what the declarations name.
    """
    return _Builder(declarations, handlers, problems).catalog()


class _Builder:
    def __init__(self, declarations: Declarations, handlers: Handlers, problems: Problems) -> None:
        self.declared = declarations
        self.problems = problems
        self.sites = {site.value.name: site for site in reversed(declarations.sites)}
        self.graph = self._graph()
        self.assembler = Assembler(handlers, problems)

    def catalog(self) -> Catalog:
        self._check_names()
        self._check_types()
        every_tool = list(self._every_tool())
        for tool in every_tool:
            self.assembler.check(tool)
        toolsets = {name: self._toolset(site) for name, site in self._sites_in_order().items()}
        self._check_types_without_site()
        self._check_domains()
        self._check_emptiness(every_tool, toolsets)
        off = {tool.span for tool in every_tool if not tool.value.enabled} | self.assembler.broken
        return Catalog(
            sites=toolsets,
            knowledge={base.value.name: tuple(map(Path, base.value.sources)) for base in self.declared.knowledge},
            digest=self.declared.digest,
            tools=len(every_tool),
            disabled=len(off),
            must_read=frozenset(base.value.name for base in self.declared.knowledge if base.value.on_error == "fail"),
            problems=self._problems_in_order(),
            files=self.declared.files,
        )

    def _problems_in_order(self) -> tuple[Problem, ...]:
        """Return the problems by documents in reading order, then places; those of no document come first."""
        ranks = {name: rank for rank, name in enumerate(self.declared.files)}
        problems = quoted(self.problems, self.declared.sources)
        return tuple(sorted(problems, key=lambda problem: (ranks.get(problem.span.file, -1), problem)))

    def _graph(self) -> TypeGraph:
        own = {declared.value.name: declared.value.parents for declared in self.declared.types}
        return TypeGraph.schemaorg().extended(own)

    def _sites_in_order(self) -> dict[str, Declared[SiteDeclaration]]:
        if self.declared.sites:
            return {site.value.name: site for site in self.declared.sites}
        if not self.declared.files and not self.declared.tools:
            return {}  # nothing was read
        names = [base.value.name for base in self.declared.knowledge]
        implicit = SiteDeclaration(name=IMPLICIT_SITE, types=self._top_types(), knowledge=names)
        span = self.declared.tools[0].span if self.declared.tools else Span(next(iter(self.declared.files), ""), 1, 1)
        return {IMPLICIT_SITE: Declared(implicit, span, "own")}

    def _top_types(self) -> list[str]:
        """Return all types that have tools: the site that nobody declared serves them all."""
        return list(dict.fromkeys(tool.value.type for tool in self.declared.tools)) or [ROOT]

    def _every_tool(self) -> Iterator[Declared[ToolDeclaration]]:
        yield from self.declared.tools
        for site in self.declared.sites:
            yield from layers.own_tools(site)

    # Toolsets

    def _toolset(self, site: Declared[SiteDeclaration]) -> Toolset:
        steps = _without_repeats(self._steps(site, ()))
        found, idle = layers.stacks(steps)
        inherited = [step.tool.value.name for step in steps if isinstance(step, Layer)]
        for exclusion in idle:
            message = f"site {exclusion.site!r} excludes {exclusion.name!r}, which it does not inherit"
            self._unknown("PB205", exclusion.span, message, hint=self._near(exclusion.name, inherited))
        tools = self.assembler.tools(found)
        routing = self._routing(site, tools)
        self.assembler.check_routing(found, {tool.name for tool in tools}, routing.fallback)
        value = site.value
        return Toolset(
            site=value.name,
            description=value.description,
            domains=tuple(value.domains),
            types=tuple(value.types),
            tools=tools,
            routing=routing,
            knowledge=self._knowledge(site),
            default=value.default,
            origin={key: site.at(key) for key in sorted(value.model_fields_set)},
        )

    def _steps(self, site: Declared[SiteDeclaration], below: tuple[str, ...]) -> Iterator[Step]:
        """Yield the layers of `site`, `below` being the sites that extend it."""
        value = site.value
        for index, name in enumerate(value.extends):
            place = site.at("extends", index)
            if name in (*below, value.name):
                self.problems.add("PB204", place, f"site {value.name!r} extends itself through {name!r}")
            elif name not in self.sites:
                hint = self._near(name, self.sites, noun="sites")
                self._unknown("PB204", place, f"there is no site {name!r} to extend", hint=hint)
            else:
                yield from self._steps(self.sites[name], (*below, value.name))
        order = self._order(value.types, site)
        if value.inherit:
            yield from layers.of_types(order, self.declared.tools)
        yield from layers.of_site(site, order)

    def _order(self, types: Iterable[str], site: Declared[SiteDeclaration]) -> tuple[str, ...]:
        try:
            return self.graph.order(list(types))
        except NoOrder as error:
            self.problems.add("PB203", site.at("types"), f"types of site {site.value.name!r}: {error}")
            return (*dict.fromkeys(types), ROOT)

    def _routing(self, site: Declared[SiteDeclaration], tools: tuple[Tool, ...]) -> Routing:
        route = site.value.route
        names = [tool.name for tool in tools]
        declared = "fallback" in route.model_fields_set and site.gives("route")
        if route.fallback and route.fallback not in names and declared:
            message = f"site {site.value.name!r} has no tool {route.fallback!r} to fall back to"
            hint = self._near(route.fallback, names, noun="tools")
            self._unknown("PB205", site.at("route", "fallback"), message, hint=hint)
        return Routing(
            strategy=route.strategy,
            early_stop=route.early_stop,
            cutoff=route.cutoff,
            single_score=route.single_score,
            fallback=route.fallback if route.fallback in names else "",
            grace_seconds=route.grace,
            timeout_seconds=route.timeout,
        )

    def _knowledge(self, site: Declared[SiteDeclaration]) -> tuple[str, ...]:
        known = [base.value.name for base in self.declared.knowledge]
        if not site.gives("knowledge"):
            return (site.value.name,) if site.value.name in known else ()
        for index, name in enumerate(site.value.knowledge):
            if name not in known:
                message = f"site {site.value.name!r} answers from {name!r}, which no document declares"
                hint = self._near(name, known, noun="knowledge")
                self._unknown("PB206", site.at("knowledge", index), message, hint=hint)
        return tuple(name for name in site.value.knowledge if name in known)

    def _near(self, word: str, choices: Iterable[str], *, noun: str = "") -> str:
        """Say what `word` was meant to be; of very many problems only the first are read, and looking costs time."""
        return did_you_mean(word, choices, noun=noun) if len(self.problems) < _MOST_HINTED else ""

    def _unknown(self, code: str, place: Span, message: str, *, hint: str) -> None:
        """Report a name that is not there, unless it may stand in a document that could not be read."""
        if self.declared.is_complete:
            self.problems.add(code, place, message, hint=hint)

    # What stands for itself

    def _check_names(self) -> None:
        self._once("tool", self.declared.tools, lambda tool: (tool.type, tool.name))
        self._once("site", self.declared.sites, lambda site: (site.name,))
        self._once("type", self.declared.types, lambda kind: (kind.name,))
        self._once("knowledge", self.declared.knowledge, lambda base: (base.name,))
        for site in self.declared.sites:
            own = layers.own_tools(site)
            self._once(f"tool of site {site.value.name!r}", own, lambda tool: (tool.type, tool.name))
        defaults = [site for site in self.declared.sites if site.value.default]
        for site in defaults[1:]:
            message = f"{site.value.name!r} is marked as the default site, but so is {defaults[0].value.name!r}"
            self.problems.add("PB208", site.at("default"), message, also=(defaults[0].at("default"),))

    def _once(self, noun: str, declared: Iterable[Declared[Kind]], key: Callable[[Kind], tuple[str, ...]]) -> None:
        first: dict[tuple[str, ...], Span] = {}
        for one in declared:
            names, place = key(one.value), one.at("name")
            if names not in first:
                first[names] = place
                continue
            shown = names[-1] if len(names) == 1 else f"{names[-1]} of type {names[0]}"
            kind = noun.partition(" ")[0]
            kind = kind if kind == "knowledge" else f"a {kind}"
            place_of_all = f"{kind.capitalize()} is declared in one place"
            hint = f"{place_of_all}: put all of it at {first[names]}, or rename one of the two."
            message = f"{noun} {shown!r} is declared twice" if len(names) == 1 else f"{noun} {shown} is declared twice"
            self.problems.add("PB201", place, message, hint=hint, also=(first[names],))

    def _check_types(self) -> None:
        for tool in self._every_tool():
            self._known(tool.value.type, tool.at("type") if tool.gives("type") else tool.span)
        for site in self.declared.sites:
            for index, name in enumerate(site.value.types):
                self._known(name, site.at("types", index))
        for declared in self.declared.types:
            for index, name in enumerate(declared.value.parents):
                self._known(name, declared.at("parents", index))
            try:
                self.graph.order([declared.value.name])
            except NoOrder as error:
                self.problems.add("PB203", declared.span, f"type {declared.value.name!r}: {error}")

    def _known(self, name: str, place: Span) -> None:
        if name not in self.graph:
            hint = self._near(name, self.graph.names) if name else ""
            message = f"type {name!r} is neither schema.org's nor declared; it is taken as a kind of Item"
            self.problems.add("PB202", place, message, hint=hint)

    def _check_types_without_site(self) -> None:
        """Assemble the toolset of each type, so that tools no site uses are checked as well."""
        for name in dict.fromkeys(tool.value.type for tool in self.declared.tools):
            try:
                order = self.graph.order([name])
            except NoOrder:
                continue
            found, _ = layers.stacks(layers.of_types(order, self.declared.tools))
            self.assembler.tools(found)

    def _check_emptiness(self, tools: Sequence[Declared[ToolDeclaration]], toolsets: Mapping[str, Toolset]) -> None:
        """Report that there is no tool, unless one may be missing only because it cannot be read or cannot work."""
        if not self.declared.files or not self.declared.is_complete or self.problems.errors:
            return
        if not tools:
            place = Span(self.declared.files[0], 1, 1)
            self.problems.add("PB209", place, "no document declares a tool: nothing can be asked", hint=_TOOL_HINT)
            return
        for name, site in self.sites.items():
            if not toolsets[name].tools:
                message = f"site {name!r} has no tool: nothing can be asked there"
                hint = "Declare tools in it, or for one of its types."
                self.problems.add("PB209", site.at("name"), message, hint=hint)

    def _check_domains(self) -> None:
        first: dict[str, tuple[str, Span]] = {}
        for site in self.declared.sites:
            for index, domain in enumerate(site.value.domains):
                place = site.at("domains", index)
                owner, other = first.setdefault(domain.lower(), (site.value.name, place))
                if other != place:
                    message = f"domain {domain!r} of site {site.value.name!r} belongs to site {owner!r}"
                    self.problems.add("PB207", place, message, also=(other,))


def _without_repeats(steps: Iterable[Step]) -> list[Step]:
    """Drop declarations that came already, through a site that is extended."""
    seen: set[Span] = set()
    kept: list[Step] = []
    for step in steps:
        place = step.tool.span if isinstance(step, Layer) else None
        if place is None or place not in seen:
            kept.append(step)
        if place is not None:
            seen.add(place)
    return kept
