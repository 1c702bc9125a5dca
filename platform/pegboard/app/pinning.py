"""What `platform pins` asks: the approved definitions of MCP servers' tools, and what the servers say now.

It works on declarations, not on a catalog: a source without pins is an error of the catalog, and this is what mends it.
Nothing is written here.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pegboard.catalog.kind import About, Kind, Misdeclared
from pegboard.catalog.load import add_to_path
from pegboard.catalog.loading.kinds import BLOCKS
from pegboard.catalog.loading.named import Handlers, Loaded
from pegboard.catalog.pins import Change, NoPins, Pin, changes, read_pins, write_pins
from pegboard.config.blocks.source import SourceDeclaration
from pegboard.config.declarations import Declared
from pegboard.config.load import load
from pegboard.config.server.settings import Settings
from pegboard.errors import InvalidDeclarations, Unreachable, UpstreamFailed, UsageError
from pegboard.text import Json, did_you_mean

_KEY = "mcp"


@dataclass(frozen=True, slots=True)
class Pinned:
    """A source whose tools are pinned."""

    source: str
    file: Path
    tools: int = 0
    """How many definitions are approved."""
    problem: str = ""
    """Why none are; empty: they are."""

    def to_json(self) -> dict[str, Json]:
        told: dict[str, Json] = {"source": self.source, "file": str(self.file), "tools": self.tools}
        return told | {"problem": self.problem or None}


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a server says now, beside what was approved."""

    source: str
    file: Path
    before: Mapping[str, Pin] = field(repr=False)
    after: Mapping[str, Pin] = field(repr=False)
    notes: tuple[str, ...] = ()
    """What whoever approves should know, a sentence each."""
    is_damaged: bool = False
    """What was approved cannot be read: all is new."""
    prefix: str = ""
    """What the names of the source's tools begin with here, and not at the server."""

    @property
    def changes(self) -> list[Change]:
        """What differs, by name."""
        return changes(self.before, {name: pin.definition for name, pin in self.after.items()})

    def approved(self, tools: Collection[str] = ()) -> str:
        """Return the file of pins as it is when `tools` are approved as they are now; all, where none is named.

        Raises:
            UsageError: there is no such tool.
        """
        if not tools:
            return write_pins(self.after).decode()
        tools = [self.at_server(name) for name in tools]
        for name in tools:
            if name not in self.after and name not in self.before:
                raise UsageError(f"Source {self.source!r} has no tool {name!r}.", hint=did_you_mean(name, self.after))
        kept = {name: pin for name, pin in self.before.items() if name not in tools}
        return write_pins(kept | {name: self.after[name] for name in tools if name in self.after}).decode()

    def at_server(self, tool: str) -> str:
        """Return the server's name of a tool that may be named as it is here."""
        known = {*self.after, *self.before}
        return tool if tool in known else tool.removeprefix(self.prefix)

    def to_json(self) -> dict[str, Json]:
        found: list[Json] = [change.to_json() for change in self.changes]
        return {"source": self.source, "file": str(self.file), "changes": found, "notes": [*self.notes]}


def pinned_sources(settings: Settings) -> list[Pinned]:
    """Return the sources whose tools are pinned; nothing is connected to.

    Raises:
        InvalidDeclarations: the documents cannot be read.
    """
    return [_pinned(settings, source) for source in _sources(settings).values()]


def _pinned(settings: Settings, source: Declared[SourceDeclaration]) -> Pinned:
    name, file = source.value.name, _file(settings, source)
    try:
        return Pinned(name, file, len(read_pins(file.read_bytes())))
    except FileNotFoundError:
        return Pinned(name, file, problem="nothing is approved")
    except OSError as error:
        return Pinned(name, file, problem=f"cannot be read: {error.strerror}")
    except NoPins as error:
        return Pinned(name, file, problem=str(error))


async def compare_pins(settings: Settings, name: str) -> Comparison:
    """Ask a server for its tools, and compare them with what was approved.

    Raises:
        InvalidDeclarations: the documents cannot be read.
        UsageError: there is no such source.
        Unreachable: the server does not answer.
        CallFailed: it may not be asked.
    """
    sources = _sources(settings)
    if name not in sources:
        hint = did_you_mean(name, sources, noun="sources") if sources else "Declare one under `sources`, with `mcp`."
        raise UsageError(f"No document declares an MCP server {name!r}.", hint=hint)
    source = sources[name]
    file = _file(settings, source)
    try:
        found = await _kind(settings).imported("", _about(settings, source))
    except UpstreamFailed as error:
        raise Unreachable(error.message, hint=error.hint) from error
    (content,) = found.files.values()
    before, is_damaged = _read(file)
    return Comparison(name, file, before, read_pins(content), found.notices, is_damaged, source.value.prefix)


def _read(file: Path) -> tuple[dict[str, Pin], bool]:
    try:
        return read_pins(file.read_bytes()), False
    except FileNotFoundError:
        return {}, False
    except (OSError, NoPins):
        return {}, True


def _sources(settings: Settings) -> dict[str, Declared[SourceDeclaration]]:
    declarations, problems = load(settings)
    if problems.errors:
        raise InvalidDeclarations("The documents cannot be read.", problems=tuple(problems))
    return {source.value.name: source for source in declarations.services if source.value.mcp is not None}


def _file(settings: Settings, source: Declared[SourceDeclaration]) -> Path:
    assert source.value.mcp is not None
    about = _about(settings, source)
    try:
        return about.path(source.value.mcp.pins or f"pins/{source.value.name}.json")
    except Misdeclared as error:
        misfit = error.misfits[0]
        raise UsageError(f"Source {source.value.name!r} {misfit.message}.", hint=misfit.hint) from error


def _about(settings: Settings, source: Declared[SourceDeclaration]) -> About:
    value = source.value
    return About(value.name, value.description, settings, source.folder, source=value, source_folder=source.folder)


def _kind(settings: Settings) -> type[Kind]:
    add_to_path(settings.root)
    loaded = Handlers(settings.handler_prefixes, settings=settings).load(BLOCKS[_KEY])
    assert isinstance(loaded, Loaded)
    assert loaded.kind is not None
    return loaded.kind
