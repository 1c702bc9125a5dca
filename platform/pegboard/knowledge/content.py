"""What a site's search keeps in memory: its items, and the terms of those it looked at."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pegboard.knowledge.coverage import Coverage, coverage_of
from pegboard.knowledge.index import Index, Listed
from pegboard.knowledge.names import NameTable
from pegboard.knowledge.rank import Terms
from pegboard.knowledge.words import terms

_MOST_TERMS_KEPT = 10_000
ARTICLES = frozenset({"Article", "BlogPosting", "NewsArticle", "TechArticle", "FAQPage", "WebPage", "HowTo"})
"""Types of texts about things."""


@dataclass(frozen=True, slots=True)
class Content:
    """The content of one generation."""

    generation: object
    items: Mapping[int, Listed]
    coverage: Coverage
    names: NameTable
    is_mixed: bool
    """There are articles, and things that an article is about."""
    _terms: dict[int, Terms] = field(default_factory=dict, repr=False)

    def is_article(self, id_: int) -> bool:
        """Tell whether the item is a text rather than the thing itself."""
        return self.items[id_].type in ARTICLES

    def terms_of(self, index: Index, ids: Sequence[int]) -> dict[int, Terms]:
        """Return the terms of items; they are read once."""
        missing = [id_ for id_ in ids if id_ not in self._terms]
        if len(self._terms) + len(missing) > _MOST_TERMS_KEPT:
            self._terms.clear()
            missing = list(ids)
        for id_, passages in index.passages_of(missing).items():
            title = frozenset(terms(" ".join(self.items[id_].names)))
            body = frozenset[str]().union(*(passage.terms for passage in passages[1:]))
            self._terms[id_] = Terms(title, passages[0].terms, body)
        return {id_: found for id_ in ids if (found := self._terms.get(id_)) is not None}


class ContentReader:
    """Reads the content of some knowledge bases, anew whenever the index has changed."""

    def __init__(self, index: Index, bases: Sequence[str]) -> None:
        self._index = index
        self._bases = bases
        self._lock = threading.Lock()
        self._content: Content | None = None

    def now(self) -> Content:
        """Return the content as it is now."""
        generation = self._index.generation
        with self._lock:
            if self._content is None or self._content.generation != generation:
                self._content = _read(generation, self._index.listing(self._bases))
            return self._content


def _read(generation: object, listing: Sequence[Listed]) -> Content:
    unique = list({(item.base, item.url): item for item in reversed(listing)}.values())[::-1]
    articles = sum(item.type in ARTICLES for item in unique)
    return Content(
        generation=generation,
        items={item.id: item for item in unique},
        coverage=coverage_of(item.facts for item in unique),
        names=NameTable(unique),
        is_mixed=0 < articles < len(unique),
    )
