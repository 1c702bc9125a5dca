"""NLWeb's own handlers, and the rooms that do their work here.

One table: which class of NLWeb's is which room, and what NLWeb's declarations call each argument of the room. A
class without a room is listed too, so that the problem can say so.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from pegboard.catalog.rooms import ROOMS
from pegboard.text import Json


@dataclass(frozen=True, slots=True)
class Counterpart:
    """One of NLWeb's handlers."""

    room: str
    """The room that does its work; empty for none."""
    arguments: Mapping[str, str] = field(default_factory=dict)
    """The room's argument for each name that NLWeb's declarations use, where the two differ."""
    does: str = ""
    """What it does, where no room does it."""

    @property
    def path(self) -> str:
        """The dotted path of the room's handler."""
        return f"{ROOMS}.{self.room}:{self.room}"


_SEARCH = Counterpart("search", {"search_query": "query"})
_DETAILS = Counterpart("details", {"item": "item_name", "item_url": "item_name"})
_COMPARE = Counterpart("compare", {"item1": "item1_name", "item2": "item2_name"})
_ENSEMBLE = Counterpart("ensemble")
_SUBSTITUTION = Counterpart(
    "recipe_substitutions",
    {
        "unavailable_ingredient": "ingredient",
        "main_ingredient": "ingredient",
        "dietary_need": "reason",
        "preference": "reason",
    },
)
_ACCOMPANIMENT = Counterpart("accompaniment", {"search_query": "accompaniment_type", "main_ingredient": "main_item"})

_CLASSES: Mapping[str, Counterpart] = {
    "item_details.ItemDetailsHandler": _DETAILS,
    "compare_items.CompareItemsHandler": _COMPARE,
    "ensemble_tool.EnsembleToolHandler": _ENSEMBLE,
    "recipe_substitution.SubstitutionHandler": _SUBSTITUTION,
    "accompaniment.AccompanimentHandler": _ACCOMPANIMENT,
    "statistics_handler.StatisticsHandler": Counterpart("", does="asks Data Commons for statistics"),
    "multi_site_query.MultiSiteQueryHandler": Counterpart("", does="asks other sites' servers"),
    "conversation_search.ConversationSearchHandler": Counterpart("", does="searches stored conversations"),
    "cricket_query.CricketQueryHandler": Counterpart("", does="asks a cricket service"),
}
_ARGUMENTS: Mapping[str, Mapping[str, str]] = {
    counterpart.path: counterpart.arguments for counterpart in (_SEARCH, *_CLASSES.values()) if counterpart.room
}
_FOLDER = re.compile(r"(?i:nlweb\.)?(?:code\.)?(?:python\.)?(?:methods|core)\.(?P<name>\w+[.:][A-Z]\w*)", re.ASCII)
"""Where NLWeb's trees keep their handlers: `methods` now, `core` before; written from any folder above."""


def counterpart(path: str) -> Counterpart | None:
    """Return what stands here for the class of NLWeb's that `path` names; None when it names none."""
    match = _FOLDER.fullmatch(path)
    if match is None:
        return None
    return _CLASSES.get(match["name"].replace(":", "."), _UNKNOWN)


_UNKNOWN = Counterpart("", does="is not known here")


def arguments_of(path: str) -> Mapping[str, str] | None:
    """Return what NLWeb's declarations call the arguments of the room's handler `path`; None for another handler."""
    return _ARGUMENTS.get(path)


def translated(arguments: Mapping[str, Json], names: Mapping[str, str]) -> dict[str, Json]:
    """Return `arguments` under the room's names; texts that mean the same argument are put in a row.

    `names` has every name that may come; one that leads to nothing is dropped.
    """
    found: dict[str, Json] = {}
    for name, value in arguments.items():
        own = names.get(name, name)
        before = found.get(own)
        if not own or value in (None, ""):
            continue
        both = isinstance(before, str) and isinstance(value, str) and value not in before.split(", ")
        found[own] = f"{before}, {value}" if both else (value if before is None else before)
    return found
