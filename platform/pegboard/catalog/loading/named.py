"""What the `handler` of a declaration names: a dotted path, a class of NLWeb's own, or what a distribution offers.

Above it: `assemble`, which makes tools. Below: `resolve`, which imports, and `written`, which only reads.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from pegboard.catalog.calling.handlers import call_kind
from pegboard.catalog.calling.processes import Isolated
from pegboard.catalog.contract import Context, Result
from pegboard.catalog.kind import Kind
from pegboard.catalog.loading import counterparts, entries, nlweb_class
from pegboard.catalog.loading.convert import converting
from pegboard.catalog.loading.handler import ANYTHING, Signature, runner, signature_from, signature_of
from pegboard.catalog.loading.resolve import NoModule, Unresolved, allowed, parts, resolve, resolve_nlweb
from pegboard.catalog.loading.written import Reader
from pegboard.catalog.rooms import ROOMS, spelled
from pegboard.catalog.tool import Run
from pegboard.config.server.settings import Settings
from pegboard.errors import CallFailed
from pegboard.text import Json

_OURS = str(Path(__file__).parents[3])
"""The folder that this package lies in."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A handler that a tool can be made of."""

    path: str
    """Dotted path of what runs."""
    signature: Signature
    run: Run
    spellings: Mapping[str, str] | None = None
    """The handler's own argument for what NLWeb's declarations call it; None where it is no room of NLWeb's."""
    is_nlweb: bool = False
    """It was named by a path of NLWeb's own."""
    kind: type[Kind] | None = None
    """It is made of a block of the tool's declaration, one for each tool."""
    made: Kind | None = None
    """The kind that was made of this tool's block."""
    is_spelled: bool = False
    """It takes arguments as NLWeb's declarations have them; what they leave out is added."""

    def made_of(self, kind: Kind) -> "Loaded":
        """Return the handler of a tool whose block has made `kind`."""
        return replace(self, signature=signature_from(kind.parameters), run=partial(call_kind, kind), made=kind)

    def spelled(self, names: Mapping[str, str]) -> "Loaded":
        """Return the handler as taking what is declared: `names[declared]` is its own name of the argument.

        One that leads to no name is taken and dropped. What the handler needs and nothing declares keeps its name.
        """
        own = self.signature
        taken = {name: own.properties.get(each, {"type": "string"}) for name, each in names.items()}
        others = {name: own.properties[name] for name in sorted(own.required - set(names.values()))}
        first = {each: name for name, each in reversed(list(names.items()))}
        signature = Signature(
            properties={**others, **taken},
            required=frozenset(first.get(name, name) for name in own.required),
            takes_any=own.takes_any,
            context=own.context,
        )
        return replace(self, signature=signature, run=partial(_run_translated, self.run, names), is_spelled=True)


async def _run_translated(
    run: Run, names: Mapping[str, str], context: Context, arguments: Mapping[str, Json]
) -> Result:
    return await run(context, counterparts.translated(arguments, names))


async def _refuse(context: Context, arguments: Mapping[str, Json]) -> Result:
    raise CallFailed("This catalog was only looked at: none of its handlers was imported.")


@dataclass(slots=True)
class Handlers:
    """Loads handlers, each once, from where the server's settings allow it."""

    prefixes: tuple[str, ...]
    """Packages and modules that handlers may come from."""
    nlweb_classes: tuple[str, ...] = ()
    """Classes of NLWeb's contract, as the settings list them."""
    folder: Path | None = None
    """The configuration's, the last place where modules are looked for."""
    settings: Settings = field(default_factory=lambda: Settings(Path(), Path(), Path()))
    """The server's: what kinds are told."""
    imports: bool = True
    """False: nothing is imported, and the source alone is read."""
    kinds: frozenset[str] = frozenset()
    """Paths of our own kinds, which are imported in any case: nothing of the configuration runs by it."""
    _loaded: dict[str, Loaded | Unresolved] = field(default_factory=dict)
    _offered: list[entries.Offer] | None = None
    _read_by: Reader | None = None

    def load(self, handler: str) -> Loaded | Unresolved:
        """Return what `handler` names, or why it cannot be had."""
        if handler not in self._loaded:
            try:
                self._loaded[handler] = self._named(handler)
            except Unresolved as error:
                self._loaded[handler] = error
        return self._loaded[handler]

    def isolated(self, loaded: Loaded, workers: int) -> Loaded | None:
        """Return `loaded` as it runs in processes of its own; None where that cannot be: it needs the server."""
        is_ours = loaded.kind is not None or allowed(parts(loaded.path)[0], (ROOMS,))
        if is_ours or self._is_listed(loaded.path):
            return None
        if not self.imports:
            return loaded
        return replace(loaded, run=Isolated(loaded.path, self.prefixes, workers))

    def _named(self, handler: str) -> Loaded:
        if entries.is_name(handler):
            return self._at(entries.path_of(handler, self._offers(), self.prefixes))
        counterpart = counterparts.counterpart(handler)
        if counterpart is None:
            return self._at(handler)
        if allowed(parts(handler)[0], self.prefixes):  # the site owner's own module goes first
            try:
                return self._at(handler)
            except NoModule:
                pass
        if not counterpart.room:
            raise _without_room(handler, counterpart.does)
        return replace(self._at(counterpart.path), is_nlweb=True)

    def _at(self, path: str) -> Loaded:
        if self._is_listed(path):
            return self._nlweb_class(path)
        path = spelled(path)
        spellings = counterparts.arguments_of(path)
        if not self.imports and path not in self.kinds:
            signature = self._reader().read(path)
            return Loaded(path, signature, _refuse, spellings)
        found = resolve(path, self.prefixes)
        if isinstance(found, type) and issubclass(found, Kind):
            return Loaded(path, ANYTHING, _refuse, kind=found)
        signature = signature_of(found)
        return Loaded(path, signature, converting(runner(found, signature), signature), spellings)

    def _nlweb_class(self, path: str) -> Loaded:
        if not self.imports:
            return Loaded(path, self._reader().read(path, is_nlweb=True), _refuse)
        found: Any = resolve_nlweb(path, self.prefixes)
        return Loaded(path, ANYTHING, nlweb_class.runner(found, path))

    def _is_listed(self, path: str) -> bool:
        return path.replace(":", ".") in {listed.replace(":", ".") for listed in self.nlweb_classes}

    def _offers(self) -> Sequence[entries.Offer]:
        if self._offered is None:
            self._offered = entries.offers(self._search_path())
        return self._offered

    def _reader(self) -> Reader:
        if self._read_by is None:
            self._read_by = Reader(self.prefixes, self._search_path())
        return self._read_by

    def _search_path(self) -> list[str]:
        own = [str(self.folder)] if self.folder is not None else []
        return list(dict.fromkeys([_OURS, *sys.path, *own]))


def _without_room(handler: str, does: str) -> Unresolved:
    hint = (
        "The tool is left out. Remove it, name a handler of your own, or allow the package that has this class "
        "with handler_prefixes and list the class under nlweb_handlers in pegboard.toml."
    )
    return Unresolved("PB406", f"{handler!r} {does}; no room here does that", hint)
