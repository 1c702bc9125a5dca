"""The algebra of toolsets: which declarations make up each tool of a site, in what order. Pure.

A site's layers, from the general to the specific: the toolsets it extends, its types from `Item` down, its own
tools. A later layer of the same name overrides field by field, or whole where it says so (and in NLWeb's XML,
whose habit that is). What a site excludes, by name or by tag, is removed from what was inherited so far. A tool
keeps the place of its first layer. Which steps a site takes is `inheritance`'s business.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from pegboard.config.bundles import Overlay
from pegboard.config.declaration import Declaration
from pegboard.config.declarations import Declared, SiteDeclaration, ToolDeclaration
from pegboard.config.span import Span
from pegboard.config.syntax.node import Places

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


@dataclass(frozen=True, slots=True)
class Selection:
    """A site takes of the inherited tools only those with one of the tags `include`, and none with one of `exclude`."""

    include: frozenset[str]
    exclude: frozenset[str]

    def takes(self, tags: Iterable[str]) -> bool:
        """Tell whether a tool with these tags is taken."""
        own = frozenset(tags)
        return not own & self.exclude and (not self.include or bool(own & self.include))


Step: TypeAlias = Layer | Exclusion | Selection


@dataclass(frozen=True, eq=False)
class Stack:
    """The layers of one tool, the most general first; there is at least one."""

    layers: tuple[Layer, ...]
    replaced: tuple[Layer, ...] = ()
    """What a layer that overrides whole has put aside, the most general first."""

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

    @cached_property
    def _givers(self) -> Mapping[str, Declared[ToolDeclaration]]:
        """The most specific declaration that gives each field."""
        return {key: layer.tool for layer in self.layers for key in layer.tool.value.model_fields_set}

    def value(self, key: str) -> Any:
        """Return the field `key` of the most specific declaration that gives it, else its default."""
        return getattr((self._givers.get(key) or self.top).value, key)

    def giver(self, key: str) -> Declared[ToolDeclaration] | None:
        """Return the most specific declaration that gives `key`."""
        return self._givers.get(key)

    @property
    def origin(self) -> Mapping[str, Span]:
        """Where each field that a document gives stands, and what lies in one: `examples.zh`; but for `call`."""
        places: dict[str, Span] = {}
        for key, giver in sorted(self._givers.items()):
            if key == "call":  # each of its fields has a giver of its own: see `calls`
                continue
            places[key] = giver.at(key)
            for inner in inner_keys(getattr(giver.value, key)):
                places[f"{key}.{inner}"] = giver.at(key, inner)
        return places

    @property
    def overridden(self) -> Iterator[tuple[str, Declared[ToolDeclaration]]]:
        """Yield each field but `call` that does not count because a more specific declaration does, and its giver."""
        lower = [*self.replaced, *self.layers[:-1]]
        for layer in reversed(lower):
            for key in sorted(layer.tool.value.model_fields_set - {"name", "type", "override", "call"}):
                if self._givers.get(key) is not layer.tool:
                    yield key, layer.tool


def inner_keys(value: object) -> tuple[str, ...]:
    """Return the keys inside a field that have places of their own: of a block of settings, of texts by language."""
    if isinstance(value, Declaration):
        return tuple(sorted(value.model_fields_set))
    if isinstance(value, Mapping) and all(isinstance(inner, list) for inner in value.values()):
        return tuple(key for key in value if key)
    return ()


Stacks: TypeAlias = Mapping[str, Stack]
"""By the name of the tool, in the order of the toolset; those that are switched off are among them."""


def applied(stacks: Stacks, steps: Iterable[Step]) -> tuple[Stacks, tuple[str, ...]]:
    """Let `steps` take effect one after the other; return what is left, and the names excluded that were not there."""
    left = dict(stacks)
    idle: list[str] = []
    for step in steps:
        match step:
            case Layer(tool=tool):
                left[tool.value.name] = _with(left.get(tool.value.name), step)
            case Exclusion(name=name):
                if left.pop(name, None) is None:
                    idle.append(name)
            case Selection():
                left = {name: stack for name, stack in left.items() if step.takes(stack.value("tags"))}
    return left, tuple(idle)


def _with(stack: Stack | None, layer: Layer) -> Stack:
    if stack is None:
        return Stack((layer,))
    if layer.replaces:
        return Stack((layer,), (*stack.replaced, *stack.layers))
    return Stack((*stack.layers, layer), stack.replaced)


def enabled(stacks: Stacks) -> tuple[Stack, ...]:
    """Return the tools that are not switched off."""
    return tuple(stack for stack in stacks.values() if stack.value("enabled"))


def of_site(site: Declared[SiteDeclaration], own: Tools, order: Sequence[str], given: Tools = ()) -> Iterator[Step]:
    """Yield the steps that `site` itself takes.

    First what it leaves out, then the agents that it is `given`, then its `own` tools, general types first.
    """
    value = site.value
    if value.include_tags or value.exclude_tags:
        yield Selection(frozenset(value.include_tags), frozenset(value.exclude_tags))
    for excluded in value.exclude:
        yield Exclusion(excluded)
    yield from (Layer(agent, None) for agent in given)
    ranks = {type_name: rank for rank, type_name in enumerate(reversed(order))}
    layers = [Layer(tool, value.name) for tool in own]
    yield from sorted(layers, key=lambda layer: _rank(layer, ranks))


def own_tools(site: Declared[SiteDeclaration]) -> list[Declared[ToolDeclaration]]:
    """Return the tools that `site` declares itself, each with its places."""
    return [
        Declared(tool, site.at("tools", index), site.dialect, _below(site, ("tools", index)), site.folder)
        for index, tool in enumerate(site.value.tools)
    ]


def _rank(layer: Layer, ranks: Mapping[str, int]) -> int:
    """Tools of a site that name a type come in the order of types, all others after them."""
    return ranks.get(layer.tool.value.type, len(ranks)) if layer.tool.gives("type") else len(ranks)


def _below(site: Declared[SiteDeclaration], path: tuple[str | int, ...]) -> Mapping[tuple[str | int, ...], Span]:
    if isinstance(site.spans, Places | Overlay):
        return site.spans.below(path)
    size = len(path)
    return {key[size:]: span for key, span in site.spans.items() if key[:size] == path and len(key) > size}
