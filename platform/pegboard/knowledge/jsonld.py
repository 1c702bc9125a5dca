"""JSON-LD text -> the objects that are items, `@id` references within the text resolved.

Known forms: one object, an array, `@graph`, one object a line (`.jsonl`), and lists of items (`ItemList`,
`DataFeed`). Objects that only furnish a page, and parts that another object refers to, are no items.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from pegboard.knowledge.values import Object, many, objects, text_of, types_of
from pegboard.text import Json, to_json

_LARGEST_EXPANSION = 20_000
"""Values in one item after its references are resolved; references beyond it stay as they are."""

_FURNITURE = frozenset(
    {"BreadcrumbList", "CollectionPage", "ImageObject", "ItemPage", "ListItem", "SearchAction",
     "SearchResultsPage", "SiteNavigationElement", "WPFooter", "WPHeader", "WPSideBar", "WebPage",
     "WebSite"}
)  # fmt: skip
_PARTS = frozenset(
    {"AggregateOffer", "AggregateRating", "Answer", "Brand", "Comment", "HowToSection", "HowToStep",
     "HowToTool", "NutritionInformation", "Offer", "Organization", "Person", "Place", "PostalAddress",
     "PropertyValue", "QuantitativeValue", "Rating", "Review"}
)  # fmt: skip
_LISTS = {"ItemList": "itemListElement", "DataFeed": "dataFeedElement", "OfferCatalog": "itemListElement"}


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in a text that cannot be read."""

    line: int
    """From 1; 0 where it is not known."""
    column: int
    message: str


@dataclass(frozen=True, slots=True)
class Thing:
    """An object that is an item."""

    value: dict[str, Json]
    line: int
    """Where it stands: exact in `.jsonl`, else 0."""


def read_json(text: str) -> tuple[list[Thing], list[Fault]]:
    """Read one JSON-LD document."""
    value = _parse(text)
    return ([], [value]) if isinstance(value, Fault) else _items(value, line=0)


def read_lines(text: str) -> tuple[list[Thing], list[Fault]]:
    """Read one JSON-LD document a line; a bad line is a fault of its own."""
    things: list[Thing] = []
    faults: list[Fault] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        value = _parse(line)
        if isinstance(value, Fault):
            faults.append(Fault(number, value.column, value.message))
            continue
        found, wrong = _items(value, line=number)
        things += found
        faults += wrong
    if not things and not faults:
        faults.append(Fault(1, 1, "The file is empty."))
    return things, faults


def _parse(text: str) -> Json | Fault:
    if not text.strip():
        return Fault(1, 1, "The file is empty.")
    try:
        value: Json = json.loads(text, parse_constant=lambda _: None)
        if "\\ud" in text or "\\uD" in text:
            value = json.loads(to_json(value))  # replaces lone surrogates, which no store takes
        return value
    except json.JSONDecodeError as error:
        return Fault(error.lineno, error.colno, f"No valid JSON: {error.msg}.")
    except RecursionError:
        return Fault(0, 0, "The JSON is nested too deeply.")
    except ValueError as error:  # a number with thousands of digits
        return Fault(0, 0, f"No valid JSON: {error}.")


def _items(value: Json, *, line: int) -> tuple[list[Thing], list[Fault]]:
    faults = [
        Fault(line, 0, f"Entry {number} is {_kind(part)}, and an object was wanted.")
        for number, part in enumerate(many(value), start=1)
        if not isinstance(part, dict)
    ]
    nodes = list(_unfold(value))
    if not nodes:
        return [], faults or [Fault(line, 0, "There is no object in it.")]
    known = {identity: node for node in nodes if (identity := _identity(node))}
    referred = {reference for node in nodes for reference in _references(node)}
    chosen = [node for node in nodes if not _is_part(node, referred)] or nodes
    things = [Thing(_Resolver(known).resolve(node), line) for node in chosen]
    return things, faults


def _unfold(value: Json) -> Iterator[dict[str, Json]]:
    """Yield the objects at the top: members of arrays, of `@graph` and of lists of items."""
    waiting: list[Json] = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, list):
            waiting.extend(reversed(here))
        elif isinstance(here, dict):
            if (members := _members(here)) is None:
                yield here
            else:
                waiting.extend(reversed(members))


def _members(node: dict[str, Json]) -> list[Json] | None:
    """Return the items that an object only holds; None if it is one itself."""
    if "@graph" in node:
        return many(node["@graph"])
    for name in types_of(node):
        if name in _LISTS:
            held = [part.get("item", part) for part in objects(node.get(_LISTS[name]))]
            full: list[Json] = [part for part in held if isinstance(part, dict) and len(part) > 2]
            return full or None
    return None


def _identity(node: Object) -> str:
    identity = node.get("@id")
    return identity if isinstance(identity, str) and len(node) > 1 else ""


def _references(node: Object) -> Iterator[str]:
    """Yield what the inner values of `node` refer to."""
    waiting: list[Json] = list(node.values())
    while waiting:
        here = waiting.pop()
        if isinstance(here, list):
            waiting.extend(here)
        elif isinstance(here, dict):
            if (reference := _reference(here)) is not None:
                yield reference
            waiting.extend(here.values())


def _reference(value: Object) -> str | None:
    identity = value.get("@id") if len(value) == 1 else None
    return identity if isinstance(identity, str) else None


def _is_part(node: Object, referred: set[str]) -> bool:
    types = set(types_of(node))
    if types and types <= _FURNITURE:
        return True
    return bool(types & _PARTS) and _identity(node) in referred


class _Resolver:
    """Puts the object in the place of each reference to it, but never inside itself."""

    def __init__(self, known: dict[str, dict[str, Json]]) -> None:
        self._known = known
        self._left = _LARGEST_EXPANSION

    def resolve(self, node: dict[str, Json]) -> dict[str, Json]:
        own = _identity(node)
        return {key: self._value(value, frozenset({own})) for key, value in node.items()}

    def _value(self, value: Json, open_: frozenset[str]) -> Json:
        self._left -= 1
        if isinstance(value, list):
            return [self._value(part, open_) for part in value]
        if not isinstance(value, dict):
            return value
        reference = _reference(value)
        if reference is None:
            return {key: self._value(part, open_) for key, part in value.items()}
        if reference in open_ or reference not in self._known or self._left <= 0:
            return value
        target = self._known[reference]
        return {key: self._value(part, open_ | {reference}) for key, part in target.items()}


def _kind(value: Json) -> str:
    return {bool: "a boolean", str: "a text", type(None): "null"}.get(type(value), "a number")


def describe(thing: Thing) -> str:
    """Return what an object may be called in a message."""
    return text_of(thing.value.get("name") or thing.value.get("@id")) or "an object without a name"
