"""The graph of types: schema.org's classes, `Item` above them all, and types of one's own.

`schemaorg.json` holds every class with its parents, as the npm package `schema-dts` 2.1.0 publishes schema.org's
vocabulary (schema.org, CC BY-SA 3.0); `scripts/schemaorg_types.py` makes it anew.
"""

import functools
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush
from importlib import resources

ROOT = "Item"
"""Above everything, `Thing` included: tools of this type are for all."""

MOST_ANCESTORS = 100
"""Of one type; schema.org's own have 10 at most."""


class NoOrder(Exception):
    """Types that cannot be put in one order (C3 fails)."""


class TypeGraph:
    """Which type is a kind of which."""

    def __init__(self, parents: Mapping[str, Sequence[str]]) -> None:
        self._parents = {**parents, ROOT: ()}
        self._orders: dict[str, tuple[str, ...]] = {}
        self._orders_of_several: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._ancestors: dict[str, frozenset[str]] = {}

    @classmethod
    def schemaorg(cls) -> "TypeGraph":
        """Return the graph of schema.org's own classes."""
        return cls(_schemaorg())

    def extended(self, own: Mapping[str, Sequence[str]]) -> "TypeGraph":
        """Return the graph with types of one's own added; a class of schema.org can be given more parents so."""
        return TypeGraph({**self._parents, **own})

    def __contains__(self, name: str) -> bool:
        return name in self._parents

    @property
    def names(self) -> tuple[str, ...]:
        """All types."""
        return tuple(self._parents)

    def ancestors(self, name: str) -> frozenset[str]:
        """Return everything that `name` is a kind of, itself left out; of very many, more than `MOST_ANCESTORS`."""
        if name not in self._ancestors:
            self._ancestors[name] = self._climbed(name)
        return self._ancestors[name]

    def _climbed(self, name: str) -> frozenset[str]:
        found: set[str] = set()
        waiting = list(self._parents_of(name))
        while waiting and len(found) <= MOST_ANCESTORS:
            parent = waiting.pop()
            if parent not in found:
                found.add(parent)
                waiting.extend(self._parents_of(parent))
        return frozenset(found)

    def order(self, types: Sequence[str]) -> tuple[str, ...]:
        """Return `types` and all their ancestors, the most specific first and `Item` last.

        C3, as Python orders the bases of a class. Redundant parents (ancestors of another parent) are dropped
        first: without that 9 of schema.org's 48 classes with several parents have no order.

        Raises:
            NoOrder: the parents contradict each other, go in a circle, or are too many.
        """
        key = tuple(types)
        if key not in self._orders_of_several:
            self._orders_of_several[key] = self._linear("", key, ())[1:]
        return self._orders_of_several[key]

    def _order_of(self, name: str, below: tuple[str, ...]) -> tuple[str, ...]:
        if name not in self._orders:
            self._orders[name] = self._linear(name, self._parents_of(name), below)
        return self._orders[name]

    def _linear(self, name: str, parents: tuple[str, ...], below: tuple[str, ...]) -> tuple[str, ...]:
        if name in below:
            raise NoOrder(f"{name} is a kind of itself: {' > '.join(filter(None, (*below, name)))}")
        if name and len(self.ancestors(name)) > MOST_ANCESTORS:
            raise NoOrder(f"{name} has more than {MOST_ANCESTORS} types above it")
        needed = self._without_redundant(parents)
        orders = [list(self._order_of(parent, (*below, name))) for parent in needed]
        return (name, *_merge([*orders, list(needed)]))

    def _without_redundant(self, parents: tuple[str, ...]) -> tuple[str, ...]:
        implied = {ancestor for parent in parents for ancestor in self.ancestors(parent)}
        return tuple(dict.fromkeys(parent for parent in parents if parent not in implied)) or parents[:1]

    def _parents_of(self, name: str) -> tuple[str, ...]:
        if name == ROOT:
            return ()
        return tuple(self._parents.get(name, ())) or (ROOT,)


def _merge(orders: list[list[str]]) -> list[str]:
    """Merge linear orders into one that keeps them all: always the head of the first order that may come now."""
    merged: list[str] = []
    behind = Counter(name for order in orders for name in order[1:])
    """How often each name stands behind another one."""
    at_head: dict[str, list[int]] = defaultdict(list)
    for index, order in enumerate(orders):
        if order:
            at_head[order[0]].append(index)
    positions = [0] * len(orders)
    ready = [(index, name) for name, indexes in at_head.items() if not behind[name] for index in indexes[:1]]
    heapify(ready)
    while ready:
        _, head = heappop(ready)
        merged.append(head)
        for index in at_head.pop(head):
            positions[index] += 1
            if positions[index] == len(orders[index]):
                continue
            name = orders[index][positions[index]]
            behind[name] -= 1
            at_head[name].append(index)
            if not behind[name]:
                heappush(ready, (min(at_head[name]), name))
    if at_head:
        left = [order[position:] for order, position in zip(orders, positions, strict=True) if position < len(order)]
        raise NoOrder(f"no order keeps all of {', '.join(' > '.join(order) for order in left)}")
    return merged


@functools.cache
def _schemaorg() -> Mapping[str, tuple[str, ...]]:
    text = resources.files("pegboard.catalog").joinpath("schemaorg.json").read_text("utf-8")
    return {name: tuple(parents) for name, parents in json.loads(text).items()}
