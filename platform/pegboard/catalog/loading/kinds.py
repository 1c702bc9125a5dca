"""Which room serves each block of a tool: `http`, `sql` and the like; from a block to a `Kind`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pegboard.catalog.findings import Findings
from pegboard.catalog.kind import About, Kind, Misdeclared, Misfit, Offered, Schema
from pegboard.catalog.loading.named import Handlers, Loaded
from pegboard.catalog.loading.resolve import Unresolved
from pegboard.catalog.rooms import ROOMS
from pegboard.config.blocks.source import SourceDeclaration
from pegboard.config.declaration import Declaration
from pegboard.config.declarations import Declared, ToolDeclaration

BLOCKS: Mapping[str, str] = {
    "http": f"{ROOMS}.http:request",
    "openapi": f"{ROOMS}.openapi:operation",
    "mcp": f"{ROOMS}.mcp:tool",
    "sql": f"{ROOMS}.sql:statement",
    "ask": f"{ROOMS}.prompt:prompt",
    "command": f"{ROOMS}.command:command",
    "flow": f"{ROOMS}.flow:flow",
    "agent": f"{ROOMS}.agent:agent",
}
"""The handler of each block, by the block's key in a tool's declaration."""

SOURCES = ("http", "openapi", "mcp", "sql")
"""The kinds of sources; of `openapi` and `mcp`, all that they offer are tools."""
_OFFERING = ("openapi", "mcp")


@dataclass(frozen=True, slots=True)
class Told:
    """What the declaration of a tool says besides its block."""

    description: str
    parameters: Schema | None
    output: Schema | None


@dataclass(frozen=True, slots=True)
class Making:
    """What makes kinds of the blocks of one configuration."""

    handlers: Handlers
    services: Mapping[str, Declared[SourceDeclaration]]
    """The sources, by name."""
    findings: Findings

    def kind(self, name: str, told: Told, giver: Declared[ToolDeclaration], block: str) -> Kind | None:
        """Return what runs the tool `name` by its `block`, which `giver` gives; None, and told, where it cannot."""
        loaded = self.handlers.load(BLOCKS[block])
        said: Declaration = getattr(giver.value, block)
        source = self._source(name, giver, block, said)
        if isinstance(loaded, Unresolved) or loaded.kind is None or (source is None and getattr(said, "source", None)):
            return None
        about = About(
            name=name,
            description=told.description,
            settings=self.handlers.settings,
            folder=giver.folder,
            parameters=told.parameters,
            output=told.output,
            source=source.value if source else None,
            source_folder=source.folder if source else Path(),
        )
        try:
            kind = loaded.kind(said, about)
        except Misdeclared as error:
            for misfit in error.misfits:
                place = giver.at(block, *misfit.path)
                self.findings.add("PB410", place, f"tool {name!r} {misfit.message}", hint=misfit.hint)
            return None
        kind.source = source.value.name if source else ""
        return kind

    def _source(
        self, name: str, giver: Declared[ToolDeclaration], block: str, said: Declaration
    ) -> Declared[SourceDeclaration] | None:
        wanted: str | None = getattr(said, "source", None)
        if wanted is None:
            return None
        found = self.services.get(wanted)
        if found is None:
            hint = self.findings.near(wanted, self.services, noun="sources")
            message = f"tool {name!r} reaches the source {wanted!r}, which no document declares"
            self.findings.unknown("PB230", giver.at(block, "source"), message, hint=hint)
            return None
        if getattr(found.value, block) is None:
            message = f"tool {name!r} is of the kind `{block}`, and its source {wanted!r} is not"
            self.findings.add("PB230", giver.at(block, "source"), message, also=(found.at("name"),))
            return None
        return found

    def offered(self, source: Declared[SourceDeclaration]) -> list[Declared[ToolDeclaration]]:
        """Return the tools that `source` offers, as if they were declared where it is."""
        key = next((key for key in _OFFERING if getattr(source.value, key) is not None), None)
        loaded = self.handlers.load(BLOCKS[key]) if key else None
        if key is None or not isinstance(loaded, Loaded) or loaded.kind is None:
            return []
        value = source.value
        about = About(
            name=value.name,
            description=value.description,
            settings=self.handlers.settings,
            folder=source.folder,
            source=value,
            source_folder=source.folder,
        )
        try:
            return [_declared(source, key, offer) for offer in loaded.kind.offered(about)]
        except Misdeclared as error:
            self._report(source, key, error.misfits)
            return []

    def _report(self, source: Declared[SourceDeclaration], key: str, misfits: Sequence[Misfit]) -> None:
        for misfit in misfits:
            place = source.at(key, *misfit.path)
            self.findings.add("PB233", place, f"source {source.value.name!r} {misfit.message}", hint=misfit.hint)


def _declared(source: Declared[SourceDeclaration], key: str, offer: Offered) -> Declared[ToolDeclaration]:
    value = source.value
    told: dict[str, object] = {
        "name": f"{value.prefix}{offer.name}",
        "type": value.type,
        "description": offer.description,
        key: dict(offer.block),
    }
    if offer.tags:
        told["tags"] = list(offer.tags)
    return Declared(ToolDeclaration.model_validate(told), source.span, source.dialect, {}, source.folder)


def check_sources(services: Sequence[Declared[SourceDeclaration]], findings: Findings) -> None:
    """Report sources that are of no kind, or of several."""
    for source in services:
        given = [key for key in SOURCES if getattr(source.value, key) is not None]
        if len(given) != 1:
            what = f"is of {len(given)} kinds, {' and '.join(given)}" if given else "says of no kind what it is"
            hint = f"Give it one of {', '.join(SOURCES)}."
            place = source.at_key(given[1]) if given else source.span
            findings.add("PB231", place, f"source {source.value.name!r} {what}", hint=hint)
