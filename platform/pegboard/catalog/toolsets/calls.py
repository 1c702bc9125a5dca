"""How each tool is called: who gives each field of its block `call`. Pure.

From the general to the specific: what documents say of all calls, the tool's types from `Item` down, the source that
it reaches, the site, then the layers of the tool itself. Each field is that of the most specific who gives it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pegboard.catalog.limits import UNLIMITED, Breaking, Limits
from pegboard.catalog.toolsets.layers import Layer, Stack
from pegboard.catalog.types import NoOrder, TypeGraph
from pegboard.config.blocks.source import SourceDeclaration
from pegboard.config.calling import CallDeclaration
from pegboard.config.declarations import Declarations, Declared, SiteDeclaration, TypeDeclaration
from pegboard.config.span import Span
from pegboard.text import Json

_REPEATING = ("retries", "cache")
"""What only tools that may be called twice can have; given for many, it passes the others by."""
LONGEST_SECONDS = 86_400.0
"""How long a tool that runs others may take, approvals among them; a request's own time and a run's are shorter."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A block `call`, and the declaration that gives it."""

    value: CallDeclaration
    owner: Declared[Any]
    path: tuple[str, ...] = ("call",)
    """Where it stands in its owner."""
    is_own: bool = False
    """It is the tool's, and not given for many."""

    @property
    def keys(self) -> Iterable[str]:
        """The fields that it gives."""
        return self.value.model_fields_set

    def at(self, key: str) -> Span:
        """Return where a field stands."""
        return self.owner.at(*self.path, key)


@dataclass(frozen=True, slots=True, eq=False)
class Calling:
    """How one tool is called, and who says so."""

    limits: Limits
    givers: Mapping[str, Block]
    """By field, the most specific."""
    blocks: tuple[Block, ...]
    """The most general first; those of layers that were replaced whole are not among them."""

    @property
    def origin(self) -> dict[str, Span]:
        """Where each field stands that a document gives, by its name in `Tool.origin`."""
        return {f"call.{key}": giver.at(key) for key, giver in self.givers.items()}

    @property
    def overridden(self) -> Iterator[tuple[str, Block]]:
        """Yield each field that does not count because a more specific block gives it, the most specific first."""
        for block in reversed(self.blocks):
            for key in sorted(block.keys):
                if key in self.givers and self.givers[key] is not block:
                    yield key, block


class Calls:
    """Puts blocks together, for the declarations of one configuration."""

    def __init__(
        self, declared: Declarations, services: Mapping[str, Declared[SourceDeclaration]], graph: TypeGraph
    ) -> None:
        self._graph = graph
        self._general = tuple(Block(given.value, given, ()) for given in declared.calls)
        self._of_types = {each.value.name: block for each in declared.types for block in _given(each)}
        self._of_sources = {name: block for name, each in services.items() for block in _given(each)}

    def of(self, stack: Stack, source: str | None, site: Declared[SiteDeclaration] | None) -> tuple[Block, ...]:
        """Return the blocks that concern a tool which reaches `source`, in the toolset of `site`."""
        blocks = list(self._general)
        if self._of_types:
            blocks += [self._of_types[name] for name in self._line(stack.type) if name in self._of_types]
        if source in self._of_sources:
            blocks.append(self._of_sources[source])
        if site is not None:
            blocks += _given(site)
        blocks += [Block(layer.tool.value.call, layer.tool, is_own=True) for layer in _giving(stack.layers)]
        return tuple(blocks)

    def _line(self, name: str) -> Sequence[str]:
        try:
            return tuple(reversed(self._graph.order([name])))
        except NoOrder:
            return (name,)


def calling(blocks: tuple[Block, ...], *, name: str, read_only: bool, runs_others: bool = False) -> Calling:
    """Return how the tool `name` is called that has these blocks, `read_only` or not.

    One that `runs_others` takes as long as they do: only a time that is its own bounds it.
    """
    usual = replace(UNLIMITED, timeout_seconds=LONGEST_SECONDS) if runs_others else UNLIMITED
    if not blocks:
        return Calling(usual, {}, ())
    givers = {key: block for block in blocks for key in block.keys}
    if runs_others and "timeout" in givers and not givers["timeout"].is_own:
        del givers["timeout"]
    if not read_only:
        idempotent = "idempotent" in givers and givers["idempotent"].value.idempotent
        for key in ("cache",) if idempotent else _REPEATING:
            if key in givers and not givers[key].is_own:
                del givers[key]
    fallback = givers.get("fallback")
    if fallback is not None and not fallback.is_own and fallback.value.fallback == name:
        del givers["fallback"]  # what stands in for all others
    return Calling(_limits(givers, usual), givers, blocks)


def _limits(givers: Mapping[str, Block], usual: Limits = UNLIMITED) -> Limits:
    said: dict[str, Any] = {key: getattr(giver.value, key) for key, giver in givers.items()}
    renamed = {_NAMES.get(key, key): value for key, value in said.items()}
    if (breaker := said.get("breaker")) is not None:
        renamed["breaker"] = Breaking(breaker.failures, breaker.rest)
    if "redact" in renamed:
        renamed["redact"] = tuple(renamed["redact"])
    return replace(usual, **renamed)


_NAMES = {
    "timeout": "timeout_seconds",
    "network_timeout": "network_timeout_seconds",
    "cache": "cache_seconds",
    "max_arguments": "max_arguments_bytes",
    "max_result": "max_result_bytes",
}
"""Fields of `Limits` by the keys of documents, where they differ."""


def _given(
    declared: Declared[SiteDeclaration] | Declared[TypeDeclaration] | Declared[SourceDeclaration],
) -> list[Block]:
    return [Block(declared.value.call, declared)] if declared.gives("call") else []


def _giving(layers: Iterable[Layer]) -> Iterator[Layer]:
    return (layer for layer in layers if layer.tool.gives("call"))


def written(value: CallDeclaration, key: str) -> Json:
    """Return one field of a block as documents have it."""
    block = Block(value, Declared(value, Span("", 1, 1), "own"), ())
    return _limits({key: block}).to_json()[key]
