"""The seam to an index: `Index`, and the nouns that cross it.

Behind it: `sqlite_index` (words in FTS5, vectors in numpy), `lancedb_index` (the extra `knowledge`), and
`memory_index`, the twin for tests. All hold the same and answer alike; one contract suite runs over them.
`open.py` says which is opened.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

from pegboard.catalog.contract import Item
from pegboard.knowledge.facets import Facts
from pegboard.knowledge.read import Entry

if TYPE_CHECKING:  # `platform check` imports handlers that name an index, and numpy takes a tenth of its time
    import numpy as np
    from numpy.typing import NDArray

Vector: TypeAlias = "NDArray[np.float32]"

SHAPE = 3
"""Of what is stored and of how content is read and split; another number, and an index is built anew."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file whose content is indexed."""

    base: str
    """Name of the knowledge base."""
    name: str
    """Of the file in its base."""
    digest: str
    is_faulty: bool = False
    """Something in it could not be read: it is read again at each refresh, to say so again."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a source holds now."""

    source: Source
    entries: Sequence[Entry]
    vectors: Vector = field(repr=False)
    """One row for each piece of each entry, in their order."""


@dataclass(frozen=True, slots=True)
class Listed:
    """An item without its text: enough to name it and to test conditions on it."""

    id: int
    """Of the index's own; it may change when the item's source is replaced."""
    base: str
    url: str
    name: str
    type: str
    language: str
    names: tuple[str, ...]
    facts: Facts


@dataclass(frozen=True, slots=True)
class Match:
    """A passage that fits."""

    passage: int
    item: int
    number: int
    """Its place in its item; 0 is the overview."""
    score: float
    """Comparable within one search: the cosine, or BM25."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A passage as it is stored."""

    id: int
    item: int
    number: int
    """Its place in its item; 0 is the overview."""
    heading: str
    text: str
    terms: frozenset[str] = field(repr=False)
    """Of its item's name, its heading and its text, as `words.terms` gives them."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to look."""

    bases: tuple[str, ...]
    items: frozenset[int] | None = None
    """None: everything in the bases."""


class Index(Protocol):
    """What holds the content of all knowledge bases.

    All methods block and are safe to call from several threads. Readers see a source whole or not at all.
    """

    @property
    def notice(self) -> str:
        """Why the index was built anew when it was opened; empty if it was not."""
        ...

    @property
    def generation(self) -> object:
        """Equal as long as the content is the same, also when another process writes."""
        ...

    def writing(self, *, timeout_seconds: float = 600.0) -> AbstractContextManager[None]:
        """Keep every other writer out, those of other processes too.

        Raises:
            Unreachable: another process writes for longer than `timeout_seconds`.
        """
        ...

    def sources(self) -> dict[tuple[str, str], Source]:
        """Return all sources by base and name."""
        ...

    def replace(self, changes: Sequence[Change]) -> None:
        """Put what the sources hold now in place of what they held: all of it or, when killed, nothing."""
        ...

    def remove(self, sources: Collection[Source]) -> None:
        """Forget sources and all that they hold."""
        ...

    def listing(self, bases: Sequence[str]) -> list[Listed]:
        """Return the items of `bases`, in the order of bases, sources and places in them."""
        ...

    def items(self, ids: Sequence[int]) -> dict[int, Item]:
        """Return the items that are there."""
        ...

    def passages(self, ids: Sequence[int]) -> dict[int, Stored]:
        """Return the passages that are there."""
        ...

    def passages_of(self, items: Sequence[int]) -> dict[int, list[Stored]]:
        """Return the passages of each item that is there, in their order."""
        ...

    def by_vector(self, vector: Vector, scope: Scope, *, limit: int) -> list[Match]:
        """Return the passages nearest to `vector`, nearest first."""
        ...

    def by_words(self, terms: Sequence[str], scope: Scope, *, limit: int) -> list[Match]:
        """Return the passages that hold any of `terms`, best first by BM25."""
        ...

    def frequencies(self, terms: Sequence[str]) -> Mapping[str, int]:
        """Return in how many passages each term is; the empty term stands for all passages."""
        ...

    def close(self) -> None:
        """Let go of all files."""
        ...
