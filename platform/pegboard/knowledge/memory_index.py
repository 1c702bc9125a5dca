"""The index that keeps everything in memory: the twin for tests, and for content of a moment."""

import itertools
import math
import threading
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from pegboard.catalog.contract import Item
from pegboard.errors import Unreachable
from pegboard.knowledge.index import Change, Listed, Match, Scope, Source, Stored, Vector
from pegboard.knowledge.read import Entry
from pegboard.knowledge.vectors import VectorTable
from pegboard.knowledge.words import terms

_K1, _B = 1.2, 0.75
"""BM25's, as SQLite has them."""


@dataclass(frozen=True, slots=True)
class _Passage:
    stored: Stored
    vector: Vector
    counts: Counter[str]


class MemoryIndex:
    """An index in memory."""

    notice = ""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._writer = threading.Lock()
        self._ids = itertools.count(1)
        self._sources: dict[tuple[str, str], Source] = {}
        self._held: dict[tuple[str, str], list[int]] = {}
        self._items: dict[int, tuple[str, Entry]] = {}
        self._passages: dict[int, _Passage] = {}
        self._of_item: dict[int, list[Stored]] = {}
        self._table: VectorTable | None = None
        self._writes = 0

    @property
    def generation(self) -> object:
        return self._writes

    @contextmanager
    def writing(self, *, timeout_seconds: float = 600.0) -> Iterator[None]:
        if not self._writer.acquire(timeout=timeout_seconds):
            raise Unreachable("The index is being written by another.", hint="Try again when it has finished.")
        try:
            yield
        finally:
            self._writer.release()

    def sources(self) -> dict[tuple[str, str], Source]:
        return dict(self._sources)

    def replace(self, changes: Sequence[Change]) -> None:
        with self._lock:
            for change in changes:
                self._forget(change.source)
                self._add(change)
            self._table = None
            self._writes += 1

    def remove(self, sources: Collection[Source]) -> None:
        with self._lock:
            for source in sources:
                self._forget(source)
            self._table = None
            self._writes += 1

    def _forget(self, source: Source) -> None:
        key = (source.base, source.name)
        self._sources.pop(key, None)
        for item in self._held.pop(key, []):
            del self._items[item]
            for stored in self._of_item.pop(item):
                del self._passages[stored.id]

    def _add(self, change: Change) -> None:
        key = (change.source.base, change.source.name)
        self._sources[key] = change.source
        self._held[key] = []
        row = 0
        for entry in change.entries:
            item = next(self._ids)
            self._held[key].append(item)
            self._items[item] = (change.source.base, entry)
            self._of_item[item] = []
            for number, piece in enumerate(entry.pieces):
                counts = Counter(terms(f"{entry.item.name} {piece.heading} {piece.text}"))
                stored = Stored(next(self._ids), item, number, piece.heading, piece.text, frozenset(counts))
                self._passages[stored.id] = _Passage(stored, change.vectors[row], counts)
                self._of_item[item].append(stored)
                row += 1

    def listing(self, bases: Sequence[str]) -> list[Listed]:
        with self._lock:
            return [
                _listed(item, base, self._items[item][1])
                for base in bases
                for key in sorted(self._held)
                if key[0] == base
                for item in self._held[key]
            ]

    def items(self, ids: Sequence[int]) -> dict[int, Item]:
        with self._lock:
            return {item: self._items[item][1].item for item in ids if item in self._items}

    def passages(self, ids: Sequence[int]) -> dict[int, Stored]:
        with self._lock:
            return {id_: self._passages[id_].stored for id_ in ids if id_ in self._passages}

    def passages_of(self, items: Sequence[int]) -> dict[int, list[Stored]]:
        with self._lock:
            return {item: list(self._of_item[item]) for item in items if item in self._of_item}

    def by_vector(self, vector: Vector, scope: Scope, *, limit: int) -> list[Match]:
        with self._lock:
            if not self._passages:
                return []
            if self._table is None:
                held = list(self._passages.values())
                self._table = VectorTable(
                    [(passage.stored.id, passage.stored.item, passage.stored.number) for passage in held],
                    np.stack([passage.vector for passage in held]),
                )
            return self._table.nearest(vector, self._in(scope), limit=limit)

    def by_words(self, terms: Sequence[str], scope: Scope, *, limit: int) -> list[Match]:
        with self._lock:
            allowed = self._in(scope)
            rarity = {term: self._rarity(term) for term in terms}
            lengths = [sum(passage.counts.values()) for passage in self._passages.values()]
            average = sum(lengths) / len(lengths) if lengths else 1.0
            found = []
            for length, passage in zip(lengths, self._passages.values(), strict=True):
                if passage.stored.item in allowed and any(term in passage.counts for term in terms):
                    damping = _K1 * (1 - _B + _B * length / average)
                    counts = ((rarity[term], passage.counts[term]) for term in terms)
                    score = sum(rare * n * (_K1 + 1) / (n + damping) for rare, n in counts)
                    stored = passage.stored
                    found.append(Match(stored.id, stored.item, stored.number, score))
            return sorted(found, key=lambda match: -match.score)[:limit]

    def _rarity(self, term: str) -> float:
        count = self.frequencies([term])[term]
        return max(math.log((len(self._passages) - count + 0.5) / (count + 0.5)), 1e-6)

    def frequencies(self, terms: Sequence[str]) -> Mapping[str, int]:
        with self._lock:
            held = self._passages.values()
            return {term: sum(term in passage.counts for passage in held) for term in terms if term} | {"": len(held)}

    def close(self) -> None:
        """Forget everything."""
        self.remove(list(self._sources.values()))

    def _in(self, scope: Scope) -> frozenset[int]:
        if scope.items is not None:
            return scope.items
        return frozenset(item for item, (base, _) in self._items.items() if base in scope.bases)


def _listed(item: int, base: str, entry: Entry) -> Listed:
    it = entry.item
    return Listed(item, base, it.url, it.name, it.type, it.language, entry.names, entry.facts)
