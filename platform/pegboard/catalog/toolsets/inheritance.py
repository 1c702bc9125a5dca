"""Which declarations each site's toolset is made of; what sites share is put together once.

Above it: `build`. Below: the algebra itself (`layers`), the order of types (`types`), what sites extend (`extends`).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from pegboard.catalog.agents import Agents
from pegboard.catalog.findings import Findings
from pegboard.catalog.toolsets import layers
from pegboard.catalog.toolsets.extends import Sites, lineages
from pegboard.catalog.toolsets.layers import Layer, Stack, Stacks, Step
from pegboard.catalog.types import ROOT, NoOrder, TypeGraph
from pegboard.config.declarations import Declared, SiteDeclaration, ToolDeclaration

_Key: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, eq=False)
class Inherited:
    """What the toolset of a site, or of several sites that declare the same, is made of."""

    stacks: Stacks
    """Those that are switched off are among them."""
    enabled: tuple[Stack, ...]
    idle: tuple[str, ...]
    """Names that the site excludes and does not inherit."""


class Inheritance:
    """Puts toolsets together, for the declarations of one configuration."""

    def __init__(
        self, tools: Iterable[Declared[ToolDeclaration]], sites: Sites, graph: TypeGraph, findings: Findings
    ) -> None:
        declared = list(tools)
        self._graph = graph
        self._findings = findings
        self._sites = sites
        self.by_type: dict[str, list[Declared[ToolDeclaration]]] = defaultdict(list)
        """The tools that no site declares, by their type."""
        for tool in declared:
            self.by_type[tool.value.type].append(tool)
        self.own = {name: layers.own_tools(site) for name, site in sites.items()}
        """The tools that each site declares itself."""
        self.agents = Agents(declared, findings)
        """Those that sites are given by name."""
        self.reached: set[str] = set()
        """Types whose tools some site takes."""
        self._lineages = lineages(sites, findings)
        self._inherited: dict[_Key, Stacks] = {}
        self._made: dict[_Key, Inherited] = {}

    def of_site(self, site: Declared[SiteDeclaration]) -> Inherited:
        """Return what the toolset of `site` is made of; sites that declare the same get the same object."""
        value = site.value
        self._order(site)
        key: _Key = (
            self._lineages[value.name],
            tuple(value.types),
            value.inherit,
            tuple(value.exclude),
            tuple(value.include_tags),
            tuple(value.exclude_tags),
            tuple(value.agents),
        )
        if self.own[value.name]:
            return self._make(site)
        if key not in self._made:
            self._made[key] = self._make(site)
        return self._made[key]

    def of_type(self, name: str) -> tuple[Stack, ...]:
        """Return what the toolset of a type would be; nothing where it has no order."""
        try:
            order = self._graph.order([name])
        except NoOrder:
            return ()
        stacks, _ = layers.applied({}, self._of_types(order))
        return layers.enabled(stacks)

    def _make(self, site: Declared[SiteDeclaration]) -> Inherited:
        above = self._from_above(site)
        inherited = {id(layer.tool) for stack in above.values() for layer in stack.layers} if site.value.agents else ()
        given = [agent for agent in self.agents.of_site(site) if id(agent) not in inherited]
        own = layers.of_site(site, self.own[site.value.name], self._order(site), given)
        self.reached.update(agent.value.type for agent in given)
        stacks, idle = layers.applied(above, own)
        return Inherited(stacks, layers.enabled(stacks), idle)

    def _from_above(self, site: Declared[SiteDeclaration]) -> Stacks:
        """Return what `site` inherits, before it leaves out or adds anything itself."""
        value = site.value
        key = (self._lineages[value.name], tuple(value.types), value.inherit)
        if key not in self._inherited:
            self._inherited[key], _ = layers.applied({}, self._steps(site))
        return self._inherited[key]

    def _steps(self, site: Declared[SiteDeclaration]) -> Iterator[Step]:
        """Yield the steps above `site`; a declaration that came already, through another site, is left out."""
        seen: set[int] = set()
        for member in (*(self._sites[name] for name in self._lineages[site.value.name]), site):
            order = self._order(member)
            for layer in self._of_types(order) if member.value.inherit else ():
                if id(layer.tool) not in seen:
                    seen.add(id(layer.tool))
                    yield layer
            if member is not site:
                given = [agent for agent in self.agents.of_site(member) if id(agent) not in seen]
                seen.update(map(id, given))
                yield from layers.of_site(member, self.own[member.value.name], order, given)
            if member.value.inherit:
                self.reached.update(order)

    def _of_types(self, order: tuple[str, ...]) -> Iterator[Layer]:
        """Yield the layers of types; `order` is the most specific first."""
        for name in reversed(order):
            yield from (Layer(tool, None) for tool in self.by_type.get(name, ()))

    def _order(self, site: Declared[SiteDeclaration]) -> tuple[str, ...]:
        types = site.value.types
        try:
            return self._graph.order(types)
        except NoOrder as error:
            self._findings.add("PB203", site.at("types"), f"types of site {site.value.name!r}: {error}")
            return (*dict.fromkeys(types), ROOT)
