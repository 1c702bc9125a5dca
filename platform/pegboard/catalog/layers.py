"""The algebra of toolsets: which declarations make up each tool of a site, in what order. Pure.

A site's layers, from the general to the specific: the toolsets it extends, its types from `Item` down, its own
tools. A later layer of the same name overrides field by field, or whole where it says so (and in NLWeb's XML,
whose habit that is). An exclusion removes what was inherited so far. A tool keeps the place of its first layer.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from pegboard.config.declarations import Declared, SiteDeclaration, ToolDeclaration
from pegboard.config.node import Places
from pegboard.config.span import Span

Tools: TypeAlias = Sequence[Declared[ToolDeclaration]]


@dataclass(frozen=True, slots=True)
class Layer:
    """One declaration in the order in which it takes effect."""

    tool: Declared[ToolDeclaration]
    site: str | None
    """The site that declares it; None where it belongs to a type."""

    @property
    def replaces(self) -> bool:
        """It takes the place of the inherited tool whole."""
        if self.tool.gives("override"):
            return self.tool.value.override == "replace"
        return self.tool.dialect == "nlweb"


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A site does not want an inherited tool."""

    name: str
    site: str
    span: Span


Step: TypeAlias = Layer | Exclusion


@dataclass(frozen=True, slots=True)
class Stack:
    """The layers of one tool, the most general first; there is at least one."""

    layers: tuple[Layer, ...]

    @property
    def name(self) -> str:
        return self.layers[0].tool.value.name

    @property
    def type(self) -> str:
        """The type that owns the tool: of its last layer that belongs to a type, else of its last layer."""
        typed = [layer for layer in self.layers if layer.site is None]
        return (typed or list(self.layers))[-1].tool.value.type

    @property
    def top(self) -> Declared[ToolDeclaration]:
        """The most specific declaration."""
        return self.layers[-1].tool

    def value(self, key: str) -> Any:
        """Return the field `key` of the most specific declaration that gives it, else its default."""
        giver = self.giver(key) or self.top
        return getattr(giver.value, key)

    def giver(self, key: str) -> Declared[ToolDeclaration] | None:
        """Return the most specific declaration that gives `key`."""
        return next((layer.tool for layer in reversed(self.layers) if layer.tool.gives(key)), None)

    def place(self, key: str) -> Span:
        """Return where the field `key` stands that counts, else where the tool stands."""
        giver = self.giver(key)
        return giver.at(key) if giver else self.top.span

    @property
    def origin(self) -> Mapping[str, Span]:
        """Where each field that a document gives stands."""
        keys = {key for layer in self.layers for key in layer.tool.value.model_fields_set}
        return {key: self.place(key) for key in sorted(keys)}


def stacks(steps: Iterable[Step]) -> tuple[list[Stack], list[Exclusion]]:
    """Put `steps` together; return the tools that are left, and the exclusions of tools that were never inherited."""
    layers: dict[str, tuple[Layer, ...]] = {}
    idle: list[Exclusion] = []
    for step in steps:
        if isinstance(step, Exclusion):
            if layers.pop(step.name, None) is None:
                idle.append(step)
        else:
            name = step.tool.value.name
            layers[name] = (step,) if step.replaces else (*layers.get(name, ()), step)
    made = [Stack(own) for own in layers.values()]
    return [stack for stack in made if stack.value("enabled")], idle


def of_types(order: Sequence[str], tools: Tools) -> Iterator[Layer]:
    """Yield the layers of types; `order` is the most specific first."""
    for type_name in reversed(order):
        yield from (Layer(tool, None) for tool in tools if tool.value.type == type_name)


def of_site(site: Declared[SiteDeclaration], order: Sequence[str]) -> Iterator[Step]:
    """Yield the steps that `site` itself declares: first what it excludes, then its tools, general types first."""
    name = site.value.name
    for index, excluded in enumerate(site.value.exclude):
        yield Exclusion(excluded, name, site.at("exclude", index))
    ranks = {type_name: rank for rank, type_name in enumerate(reversed(order))}
    own = [Layer(tool, name) for tool in own_tools(site)]
    yield from sorted(own, key=lambda layer: _rank(layer, ranks))


def own_tools(site: Declared[SiteDeclaration]) -> list[Declared[ToolDeclaration]]:
    """Return the tools that `site` declares itself, each with its places."""
    return [
        Declared(tool, site.at("tools", index), site.dialect, _below(site, ("tools", index)))
        for index, tool in enumerate(site.value.tools)
    ]


def _rank(layer: Layer, ranks: Mapping[str, int]) -> int:
    """Tools of a site that name a type come in the order of types, all others after them."""
    return ranks.get(layer.tool.value.type, len(ranks)) if layer.tool.gives("type") else len(ranks)


def _below(site: Declared[SiteDeclaration], path: tuple[str | int, ...]) -> Mapping[tuple[str | int, ...], Span]:
    if isinstance(site.spans, Places):
        return site.spans.below(path)
    size = len(path)
    return {key[size:]: span for key, span in site.spans.items() if key[:size] == path and len(key) > size}
