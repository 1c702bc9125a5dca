"""Handlers that installed distributions offer: entry points of the group `pegboard.handlers`.

Only what distributions declare is read; nothing of them is imported, and nothing is allowed by being offered.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, EntryPoint, distributions

from pegboard.catalog.loading.resolve import Unresolved, allowed, parts, room_names
from pegboard.catalog.rooms import ROOMS
from pegboard.text import did_you_mean, named

GROUP = ROOMS
"""The group of entry points, called like the package of our own rooms."""

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Offer:
    """A handler under a short name."""

    name: str
    path: str
    """`package.module:attribute`."""
    distribution: str


def is_name(handler: str) -> bool:
    """Tell whether `handler` is a short name: it has neither dot nor colon."""
    return _NAME.fullmatch(handler) is not None and "__" not in handler


def offers(search_path: Sequence[str]) -> list[Offer]:
    """Return what the distributions on `search_path` offer; of two versions of one, the first counts."""
    seen: set[str] = set()
    found: list[Offer] = []
    for distribution in distributions(path=list(search_path)):
        name = _name_of(distribution)
        if name.lower().replace("-", "_") not in seen:
            seen.add(name.lower().replace("-", "_"))
            found += (Offer(entry.name, entry.value.replace(" ", ""), name) for entry in _entries(distribution))
    return found


def path_of(name: str, offered: Sequence[Offer], prefixes: Sequence[str]) -> str:
    """Return the dotted path that is offered as `name`.

    Raises:
        Unresolved: nobody offers it, or two distributions do.
    """
    of_name = [offer for offer in offered if offer.name == name]
    if not of_name:
        hint = f"{_there_is(offered, prefixes)} {_room_hint(name)}".strip()
        raise Unresolved("PB403", f"no installed distribution offers the handler {name!r}", hint)
    if len({offer.path for offer in of_name}) > 1:
        whose = " and ".join(sorted({f"{offer.distribution} ({offer.path})" for offer in of_name}))
        raise Unresolved(
            "PB403", f"handler {name!r} is offered by {whose}", "Write the dotted path of the one you mean."
        )
    offer = of_name[0]
    module_name, _ = parts(offer.path)
    if not allowed(module_name, prefixes):
        message = f"handler {name!r} of {offer.distribution} is {offer.path!r}, which is not below an allowed prefix"
        hint = f'To allow it, set handler_prefixes = ["{module_name}"] in pegboard.toml.'
        raise Unresolved("PB402", message, f"{hint} {_there_is(offered, prefixes)}".strip())
    return offer.path


def _there_is(offered: Sequence[Offer], prefixes: Sequence[str]) -> str:
    names = [f"{each.name} ({each.distribution})" for each in offered if _may_be_loaded(each, prefixes)]
    if names:
        return f"Installed and allowed: {named(sorted(names))}."
    return "No installed distribution offers a handler that is allowed."


def _may_be_loaded(offer: Offer, prefixes: Sequence[str]) -> bool:
    return allowed(offer.path.partition(":")[0], prefixes)


def _room_hint(name: str) -> str:
    rooms: Mapping[str, str] = {room: f"{ROOMS}.{room}:{room}" for room in room_names()}
    if name in rooms:
        return f"Did you mean {rooms[name]!r}?"
    near = did_you_mean(name, rooms)
    return near if near.startswith("Did") else "Else write package.module:function."


def _name_of(distribution: Distribution) -> str:
    try:
        return str(distribution.metadata["Name"])
    except (KeyError, OSError, ValueError):  # a folder that only looks like a distribution
        return ""


def _entries(distribution: Distribution) -> Iterator[EntryPoint]:
    """Yield the handlers that a distribution offers; what cannot be read offers none."""
    try:
        yield from (entry for entry in distribution.entry_points if entry.group == GROUP)
    except (OSError, ValueError, AttributeError):
        return
