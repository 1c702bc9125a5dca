"""From declarations to the catalog, with every problem of meaning on the way.

Above it: `load`, which reads the documents. Below: what toolsets are made of (`inheritance`), the making of each
tool (`assemble`), and what is looked for in the declarations themselves (`checks`).
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pegboard.catalog.assemble import Assembler
from pegboard.catalog.checks.agents import AgentTools
from pegboard.catalog.checks.examples import RepeatedExamples
from pegboard.catalog.checks.fallbacks import Fallbacks
from pegboard.catalog.checks.flows import Flows
from pegboard.catalog.checks.limits import check_limits, check_once, running_others
from pegboard.catalog.checks.models import check_models
from pegboard.catalog.checks.names import check_default, check_domains, check_tags, check_unique
from pegboard.catalog.checks.schemas import check_schemas
from pegboard.catalog.checks.texts import check_examples, check_prompt, check_texts
from pegboard.catalog.checks.types import check_reached, check_types
from pegboard.catalog.findings import Enough, Findings
from pegboard.catalog.loading.kinds import Making, check_sources
from pegboard.catalog.loading.named import Handlers
from pegboard.catalog.profiles import default_profile, profiles, roles
from pegboard.catalog.snapshot import Catalog
from pegboard.catalog.tool import Toolset
from pegboard.catalog.toolsets import layers
from pegboard.catalog.toolsets.calls import Calls
from pegboard.catalog.toolsets.inheritance import Inheritance
from pegboard.catalog.toolsets.layers import inner_keys
from pegboard.catalog.toolsets.routing import routing_of
from pegboard.catalog.types import ROOT, TypeGraph
from pegboard.config.blocks.source import SourceDeclaration
from pegboard.config.declarations import Declarations, Declared, KnowledgeDeclaration, SiteDeclaration, ToolDeclaration
from pegboard.config.problems import Problem, Problems
from pegboard.config.span import Span
from pegboard.config.syntax.source import quoted

IMPLICIT_SITE = "default"
"""The site that stands for a configuration which declares tools and no site."""


_TOOL_HINT = "Declare one under `tools:` (in XML: <Tool>), with name, description, examples and handler."


def build(declarations: Declarations, *, handlers: Handlers, request_seconds: float, problems: Problems) -> Catalog:
    """Build the catalog; each thing that is wrong is added to `problems` once, and on errors it must not be served.

    `handlers` loads what the declarations name; a request ends after `request_seconds`.
    """
    try:
        return _Builder(declarations, handlers, request_seconds, problems).catalog()
    except Enough:
        return Catalog(
            sites={},
            knowledge={},
            digest=declarations.digest,
            tools=len(declarations.tools) + sum(len(site.value.tools) for site in declarations.sites),
            disabled=0,
            problems=_in_order(problems, declarations),
            files=declarations.files,
        )


def _in_order(problems: Problems, declarations: Declarations) -> tuple[Problem, ...]:
    """Return the problems by documents in reading order, then places; those of no document come first."""
    ranks = {name: rank for rank, name in enumerate(declarations.files)}
    found = quoted(problems, declarations.sources)
    return tuple(sorted(found, key=lambda problem: (ranks.get(problem.span.file, -1), problem)))


class _Builder:
    def __init__(
        self, declarations: Declarations, handlers: Handlers, request_seconds: float, problems: Problems
    ) -> None:
        self.declared = declarations
        self.problems = problems
        self.request_seconds = request_seconds
        self.findings = Findings(declarations, problems)
        self.graph = self._graph()
        self.sites = self._sites()
        self.making = Making(handlers, self._services(), self.findings)
        self.tools = [*self._offered(), *declarations.tools]  # what is declared overrides what a source offers
        self.inheritance = Inheritance(self.tools, self.sites, self.graph, self.findings)
        self.every_tool = [*self.tools, *self._own_tools()]
        self.bases = {base.value.name: tuple(map(Path, base.value.sources)) for base in declarations.knowledge}
        self.written = frozenset(base.value.name for base in declarations.knowledge if base.value.documents)
        self.profiles = profiles(declarations.models)
        calls = Calls(declarations, self.making.services, self.graph)
        self.assembler = Assembler(handlers, self.making, calls, self.findings)
        self.fallbacks = Fallbacks(self.findings)
        self.agents = AgentTools(self.findings, self.assembler.broken)
        self.flows = Flows(self.findings, self.assembler.broken)
        self.examples = RepeatedExamples(self.findings)

    def catalog(self) -> Catalog:
        self._check_names()
        self._check_declarations()
        toolsets = {name: self._toolset(site) for name, site in self.sites.items()}
        for name in self.inheritance.by_type:  # tools that no site uses are checked as well
            self.assembler.tools(self.inheritance.of_type(name))
        check_reached(self.inheritance.by_type, self.inheritance.reached, self.findings)
        self._check_emptiness(toolsets)
        off = {tool.span for tool in self.every_tool if not tool.value.enabled} | self.assembler.broken
        return Catalog(
            sites=toolsets,
            knowledge=self.bases,
            digest=self.declared.digest,
            tools=len(self.every_tool),
            disabled=len(off),
            must_read=frozenset(base.value.name for base in self.declared.knowledge if base.value.on_error == "fail"),
            written=self.written,
            profiles=self.profiles,
            default_profile=default_profile(self.declared.models),
            problems=_in_order(self.problems, self.declared),
            files=self.declared.files,
        )

    # What was declared

    def _graph(self) -> TypeGraph:
        own = {declared.value.name: declared.value.parents for declared in self.declared.types}
        return TypeGraph.schemaorg().extended(own)

    def _sites(self) -> dict[str, Declared[SiteDeclaration]]:
        """Return the sites by name; of two of one name the first."""
        sites: dict[str, Declared[SiteDeclaration]] = {}
        for site in self.declared.sites:
            sites.setdefault(site.value.name, site)
        if sites or not (self.declared.files or self.declared.tools):
            return sites
        names = [base.value.name for base in self.declared.knowledge]
        implicit = SiteDeclaration(name=IMPLICIT_SITE, types=self._top_types(), knowledge=names)
        span = self.declared.tools[0].span if self.declared.tools else Span(next(iter(self.declared.files), ""), 1, 1)
        return {IMPLICIT_SITE: Declared(implicit, span, "own")}

    def _services(self) -> dict[str, Declared[SourceDeclaration]]:
        """Return the sources by name; of two of one name the first."""
        return {source.value.name: source for source in reversed(self.declared.services)}

    def _offered(self) -> list[Declared[ToolDeclaration]]:
        """Return the tools that sources offer."""
        return [tool for source in self.declared.services for tool in self.making.offered(source)]

    def _top_types(self) -> list[str]:
        """Return all types that have tools: the site that nobody declared serves them all."""
        return list(dict.fromkeys(tool.value.type for tool in self.declared.tools)) or [ROOT]

    def _own_tools(self) -> Iterable[Declared[ToolDeclaration]]:
        for site in self.declared.sites:
            is_first = self.sites[site.value.name] is site
            yield from self.inheritance.own[site.value.name] if is_first else layers.own_tools(site)

    def _check_names(self) -> None:
        check_unique("tool", self.declared.tools, self.findings)
        check_unique("site", self.declared.sites, self.findings)
        check_unique("type", self.declared.types, self.findings)
        check_unique("knowledge", self.declared.knowledge, self.findings)
        check_unique("model", self.declared.models, self.findings)
        check_unique("source", self.declared.services, self.findings)
        check_sources(self.declared.services, self.findings)
        check_models(self.declared, self.findings)
        for name, own in self.inheritance.own.items():
            check_unique(f"tool of site {name!r}", own, self.findings)
        check_default(self.declared.sites, self.findings)
        check_domains(self.declared.sites, self.findings)
        check_tags(self.declared, self.every_tool, self.findings)
        check_types(self.declared, self.every_tool, self.graph, self.findings)

    def _check_declarations(self) -> None:
        """Report what is wrong in each declaration by itself."""
        taking_longer = running_others(self.every_tool)
        for tool in self.every_tool:
            self.assembler.check(tool)
            check_texts(tool, "tool", self.findings)
            check_prompt(tool, self.findings)
            check_examples(tool, self.findings)
            check_schemas(tool, self.findings)
            if tool.value.name not in taking_longer:
                check_limits(tool, self.request_seconds, self.findings)
        for site in self.declared.sites:
            check_texts(site, "site", self.findings)
            self.inheritance.agents.check(site)
            check_limits(site, self.request_seconds, self.findings)
        for kind in self.declared.types:
            check_texts(kind, "type", self.findings)
            check_limits(kind, self.request_seconds, self.findings)
        for source in self.declared.services:
            check_limits(source, self.request_seconds, self.findings)
        for call in self.declared.calls:
            check_limits(call, self.request_seconds, self.findings)
        check_once(self.declared.calls, self.findings)
        for base in self.declared.knowledge:
            check_texts(base, "knowledge", self.findings)
            self._check_content(base)

    def _check_content(self, base: Declared[KnowledgeDeclaration]) -> None:
        if ("sources",) not in base.spans and not base.value.documents:
            message = f"knowledge {base.value.name!r} has no sources, and takes no documents"
            hint = "Name files or folders under `sources`, or say `documents: true`."
            self.findings.add("PB238", base.span, message, hint=hint, dialect=base.dialect)

    # Toolsets

    def _toolset(self, site: Declared[SiteDeclaration]) -> Toolset:
        inherited = self.inheritance.of_site(site)
        self._check_exclusions(site, inherited.idle, list(inherited.stacks))
        tools = self.assembler.tools(inherited.enabled, site)
        tools = self.agents.checked(site, inherited, tools)
        tools = self.flows.checked(site, inherited, tools)
        self.fallbacks.check(site, inherited, tools)
        routing = routing_of(site, inherited, tools, self.findings)
        self.assembler.check_routing(
            inherited.enabled, {tool.name for tool in tools if not tool.description}, routing.fallback
        )
        self.examples.check(inherited.enabled)
        value = site.value
        knowledge = self._knowledge(site)
        return Toolset(
            site=value.name,
            description=value.description,
            domains=tuple(value.domains),
            types=tuple(value.types),
            tools=tools,
            routing=routing,
            knowledge=knowledge,
            written=next((name for name in knowledge if name in self.written), ""),
            default=value.default,
            models=roles(value.models, self.profiles),
            origin=_origin(site),
        )

    def _check_exclusions(self, site: Declared[SiteDeclaration], idle: Sequence[str], inherited: Sequence[str]) -> None:
        places = {name: index for index, name in reversed([*enumerate(site.value.exclude)])}
        for name in idle:
            message = f"site {site.value.name!r} excludes {name!r}, which it does not inherit"
            place = site.at("exclude", places[name])
            self.findings.unknown("PB205", place, message, hint=self.findings.near(name, inherited, noun="tools"))

    def _knowledge(self, site: Declared[SiteDeclaration]) -> tuple[str, ...]:
        if not site.gives("knowledge"):
            return (site.value.name,) if site.value.name in self.bases else ()
        for index, name in enumerate(site.value.knowledge):
            if name not in self.bases:
                message = f"site {site.value.name!r} answers from {name!r}, which no document declares"
                hint = self.findings.near(name, self.bases, noun="knowledge")
                self.findings.unknown("PB206", site.at("knowledge", index), message, hint=hint)
        return tuple(name for name in site.value.knowledge if name in self.bases)

    def _check_emptiness(self, toolsets: Mapping[str, Toolset]) -> None:
        """Report that there is no tool, unless one may be missing only because it cannot be read or cannot work."""
        if not self.declared.files or not self.declared.is_complete or self.problems.errors:
            return
        if not self.every_tool:
            place = Span(self.declared.files[0], 1, 1)
            self.findings.add("PB209", place, "no document declares a tool: nothing can be asked", hint=_TOOL_HINT)
            return
        for site in self.declared.sites:
            if not toolsets[site.value.name].tools:
                message = f"site {site.value.name!r} has no tool: nothing can be asked there"
                hint = "Declare tools in it, or for one of its types."
                self.findings.add("PB209", site.at("name"), message, hint=hint)


def _origin(site: Declared[SiteDeclaration]) -> dict[str, Span]:
    """Return where each field of `site` stands that it gives, and each setting of `route`."""
    given = sorted(site.value.model_fields_set)
    places = {key: site.at(key) for key in given}
    for inner in inner_keys(site.value.route) if "route" in places else ():
        places[f"route.{inner}"] = site.at("route", inner)
    return places
