"""`tool`: a tool of an MCP server, by the block `mcp` of its declaration; and how a server's tools are imported.

What a server says of its tools is a text of somebody else's that models read. So a tool is made of the definition that
was approved (`pins`), and each call first looks whether the server still says the same. Nothing is connected to when a
configuration is read.
"""

import shlex
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import TypeVar

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.invisible import visible
from pegboard.catalog.kind import About, Effect, Imported, Kind, Misdeclared, Misfit, Offered, Schema
from pegboard.catalog.pins import Change, Definition, Pin, changes, pinned, sha256_of, write_pins
from pegboard.config.blocks.mcp import McpDeclaration, McpSourceDeclaration
from pegboard.config.blocks.source import SourceDeclaration
from pegboard.config.declaration import Declaration
from pegboard.errors import CallRefused, Failure, UsageError
from pegboard.handlers.mcp.definitions import (
    faults_of,
    notices_of,
    offers,
    pins_file,
    pins_of,
    schema_of,
    source_of,
)
from pegboard.handlers.mcp.reply import result_of
from pegboard.handlers.mcp.server import place_of
from pegboard.handlers.mcp.session import Session, opened
from pegboard.text import Json, did_you_mean

T = TypeVar("T")
_SINCE = {"changed": "changed since they were approved", "gone": "gone", "new": "new, and not approved"}
"""What has become of definitions, for whoever looks; a call of the first two is refused."""
_MOST_NAMED = 5


class tool(Kind):  # noqa: N801 (declarations name it so)
    """Calls a tool of an MCP server, if it is still the one that was approved."""

    def __init__(self, block: Declaration, about: About) -> None:
        """Read the approved definition."""
        assert isinstance(block, McpDeclaration)
        assert about.source is not None
        self._source = about.source.name
        self._tool = block.tool
        self._pins = _of_source(pins_of, about)
        self._place = _of_source(place_of, about)
        self._pin = self._approved()
        if faults := faults_of(self._pin.definition):
            raise Misdeclared(Misfit(("tool",), f"is {block.tool!r}, which cannot be called: {faults[0]}"))
        self._parameters: Schema = about.parameters or schema_of(self._pin.definition, "inputSchema") or {}
        self._output = schema_of(self._pin.definition, "outputSchema")
        self._effects = _effects(self._pin.definition, about)
        self._is_read_only = source_of(about).trust_hints and _says_read_only(self._pin.definition)

    def _approved(self) -> Pin:
        pin = self._pins.get(self._tool)
        if pin is None:
            hint = did_you_mean(self._tool, self._pins, noun="tools")
            message = f"is {self._tool!r} of source {self._source!r}, which nobody has approved"
            raise Misdeclared(Misfit(("tool",), message, f"{hint} Or run `platform pins approve {self._source}`."))
        return pin

    @property
    def parameters(self) -> Schema:
        return self._parameters

    @property
    def output(self) -> Schema | None:
        return self._output

    @property
    def is_read_only(self) -> bool:
        return self._is_read_only

    @property
    def effects(self) -> frozenset[Effect]:
        """What a server returns is its text; of a call, the worst is taken unless its hints are believed."""
        return self._effects

    def preview(self, arguments: Mapping[str, Json]) -> Json:
        return {"source": self._source, "method": "tools/call", "name": self._tool, "arguments": dict(arguments)}

    async def call(self, context: Context, arguments: Mapping[str, Json]) -> Result:
        async with context.using(self._key, self._open) as session:
            definitions = await session.definitions()
            session.tell_new(self._pins)
            self._refuse_another(definitions.get(self._tool))
            reply = await session.call(self._tool, arguments)
        return result_of(self._source, self._tool, reply, self._place.secrets)

    async def reach(self, context: Context) -> str:
        """Ask for the tools; one that calls would refuse is a failure, one that nobody has approved a note."""
        async with context.using(self._key, self._open) as session:
            found = await session.definitions()
        by_kind: dict[str, list[str]] = {}
        for change in changes(self._pins, found):
            by_kind.setdefault(change.what, []).append(visible(change.name))
        told = [f"{_SINCE[what]}: {_some(by_kind[what])}" for what in _SINCE if what in by_kind]
        said = "; ".join([f"{len(found)} tools", *told])
        if "changed" in by_kind or "gone" in by_kind:
            raise CallRefused(f"{said}.", hint=self._next_move)
        return f"{said}: see `platform pins diff {self._source}`" if told else f"{said}, as approved"

    @property
    def _next_move(self) -> str:
        return f"Look at `platform pins diff {self._source}`, then run `platform pins approve {self._source}`."

    @property
    def _key(self) -> Hashable:
        return ("mcp", self._source, self._place)

    def _open(self) -> AbstractAsyncContextManager[Session]:
        return opened(self._source, self._place)

    def _refuse_another(self, definition: Definition | None) -> None:
        """Refuse to call what nobody has approved.

        Raises:
            CallRefused: the server has the tool no more, or says something else of it.
        """
        if definition is not None and sha256_of(definition) == self._pin.sha256:
            return
        name = f"Tool {self._tool!r} of source {self._source!r}"
        if definition is None:
            error = CallRefused(f"{name} is gone: its server has it no more.", hint=self._next_move)
        else:
            parts = " and ".join(Change(self._tool, self._pin.definition, definition).parts)
            error = CallRefused(f"{name} is not what was approved: its {parts} changed.", hint=self._next_move)
        error.failure = Failure("upstream")
        raise error

    @classmethod
    def offered(cls, about: About) -> Sequence[Offered]:
        place_of(about)
        return offers(about)

    @classmethod
    async def imported(cls, place: str, about: About) -> Imported:
        """Ask a server for its tools: that of `about.source`, else the one at `place`, a URL or a command line."""
        told = _placed(place, about) if place else about
        try:
            where = place_of(told)
        except Misdeclared as error:
            misfit = error.misfits[0]
            raise UsageError(f"Source {about.name!r} {misfit.message}.", hint=misfit.hint) from error
        async with opened(about.name, where) as session:
            definitions = await session.definitions()
        source = told.source
        assert source is not None
        file = pins_file(told)
        declared: dict[str, Json] = source.model_dump(mode="json", exclude_defaults=True)
        block = declared["mcp"]
        assert isinstance(block, dict)
        block["pins"] = file
        return Imported(declared, {file: write_pins(pinned(definitions))}, tuple(notices_of(definitions)))


def _of_source(read: Callable[[About], T], about: About) -> T:
    """Read the source behind a tool; what is wrong with it is said of the tool.

    Raises:
        Misdeclared: with the tool's own key of its source as place.
    """
    try:
        return read(about)
    except Misdeclared as error:
        raise Misdeclared(
            *(Misfit(("source",), f"has a source that {each.message}", each.hint) for each in error.misfits)
        ) from error


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"{', '.join(names[:_MOST_NAMED])}{more}"


def _effects(definition: Definition, about: About) -> frozenset[Effect]:
    hints = definition.get("annotations")
    believed = hints if source_of(about).trust_hints and isinstance(hints, dict) else {}
    found: set[Effect] = set() if about.is_trusted else {"untrusted"}
    if believed.get("readOnlyHint") is not True:
        found |= {"destructive"} if believed.get("destructiveHint") is not False else set()
        found |= {"external"} if believed.get("openWorldHint") is not False else set()
    return frozenset(found)


def _says_read_only(definition: Definition) -> bool:
    hints = definition.get("annotations")
    return isinstance(hints, dict) and hints.get("readOnlyHint") is True


def _placed(place: str, about: About) -> About:
    """Return `about` with a source at `place`, and all else that its source says already.

    Raises:
        UsageError: that is neither a URL nor a command line.
    """
    known = about.source or SourceDeclaration(name=about.name, description=about.description)
    is_url = place.startswith(("http://", "https://"))
    try:
        where: dict[str, object] = {"url": place} if is_url else {"command": shlex.split(place)}
    except ValueError as error:
        raise UsageError(f"{place!r} is no command line: {error}.") from error
    block = (known.mcp or McpSourceDeclaration()).model_copy(update=where)
    folder = about.source_folder if about.source else about.folder
    return replace(about, source=known.model_copy(update={"mcp": block}), source_folder=folder)
