"""Which item a name means: exact, partial, misspelt, in either language.

Pure. A name is compared by its words, the rare ones weighing the most: in `the nightjar headphones` it is
`nightjar` that tells.
"""

import difflib
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pegboard.knowledge.index import Listed
from pegboard.knowledge.rank import share
from pegboard.knowledge.words import asked, folded, terms, weights

_OTHER_NAME = 0.9
"""What a match of another name counts against one of the name itself."""
_LEAST_LIKENESS = 0.76
"""Of two spellings of one word: `laasgna` and `lasagna` have 0.86, `salmon` and `lemon` 0.73."""
_LARGE_VOCABULARY = 20_000
_KINDS = frozenset({"recipe", "dish", "product", "item", "article", "guide", "page", "model", "做法", "菜谱", "食谱"})
"""Words that say what kind of thing is named, and not which."""
_ASKED_SHARE = 88.0
"""Of 100; the rest is for how much of the item's name was said."""


@dataclass(frozen=True, slots=True)
class Named:
    """How an item compares with a name."""

    item: Listed
    found: Mapping[str, float]
    """Each asked term that its names hold, and how well, 0 to 1."""
    said: float
    """The share of its own name that was said, 0 to 1."""
    is_exact: bool


class NameTable:
    """The names of a site's items."""

    def __init__(self, items: Sequence[Listed]) -> None:
        self._items = items
        self._names = [[frozenset(terms(name)) for name in item.names] for item in items]
        self._exact = [frozenset(_compact(name) for name in item.names) for item in items]
        self._holders: dict[str, list[int]] = {}
        for row, names in enumerate(self._names):
            for term in set[str]().union(*names):
                self._holders.setdefault(term, []).append(row)
        self._by_first: dict[str, list[str]] = {}
        for term in self._holders:
            self._by_first.setdefault(term[0], []).append(term)

    def weights(self, asked_terms: Sequence[str]) -> dict[str, float]:
        """Return how much each asked term tells one name from another."""
        near = {term: self._near(term) for term in asked_terms}
        counts = {term: max((len(self._holders[other]) for other in near[term]), default=0) for term in near}
        return weights(asked_terms, counts, len(self._items))

    def match(self, name: str) -> list[Named]:
        """Return the items whose names hold a word of `name`, in the order of the site."""
        wanted, whole = self.asked(name), _compact(name)
        near = {term: self._near(term) for term in wanted}
        rows = {row for others in near.values() for other in others for row in self._holders[other]}
        if len(whole) > 1:
            rows |= {row for row, exact in enumerate(self._exact) if any(whole in one for one in exact)}
        return [self._named(row, near, whole) for row in sorted(rows)]

    def asked(self, name: str) -> list[str]:
        """Return the terms of a name; words that a title writes as one are joined (`night jar`)."""
        wanted = [term for term in asked(name) if term not in _KINDS]
        joined = [
            first + second
            for first, second in itertools.pairwise(wanted)
            if first + second in self._holders and first not in self._holders
        ]
        parts = {part for whole in joined for part in wanted if whole.startswith(part) or whole.endswith(part)}
        return [term for term in wanted if term not in parts or term in self._holders] + joined

    def _near(self, term: str) -> dict[str, float]:
        """Return the terms of names that `term` is, or was meant to be, and how near each is."""
        if term in self._holders:
            return {term: 1.0}
        if not term.isascii() or len(term) < 4 or term[0].isdigit():
            return {}
        is_large = len(self._holders) > _LARGE_VOCABULARY
        choices = self._by_first.get(term[0], []) if is_large else [*self._holders]
        near = difflib.get_close_matches(term, choices, n=3, cutoff=_LEAST_LIKENESS)
        return {other: difflib.SequenceMatcher(None, term, other).ratio() for other in near}

    def _named(self, row: int, near: Mapping[str, Mapping[str, float]], whole: str) -> Named:
        names = self._names[row]
        found: dict[str, float] = {}
        if whole and any(whole in exact for exact in self._exact[row]):  # part of a name, whatever its words
            found = dict.fromkeys(near, 1.0)
        for place, name in enumerate(names):
            worth = 1.0 if place == 0 else _OTHER_NAME
            for term, others in near.items():
                best = max((likeness for other, likeness in others.items() if other in name), default=0.0)
                found[term] = max(found.get(term, 0.0), best * worth)
        matched = {other for others in near.values() for other in others}
        own = weights(names[0], {term: len(self._holders[term]) for term in names[0]}, len(self._items))
        return Named(
            self._items[row],
            {term: likeness for term, likeness in found.items() if likeness},
            share(own, matched),
            whole in self._exact[row],
        )


def score(named: Named, weights_: Mapping[str, float], evidence: frozenset[str] = frozenset()) -> float:
    """Return how sure it is that the item was meant, 0 to 100; below 50, another thing was.

    Args:
        named: The comparison of its names.
        weights_: Of the asked terms.
        evidence: Terms of the item's description: an asked word that is in it but in no name counts half.
    """
    if named.is_exact:
        return 100.0
    if named.item.language == "en" and any(term.isascii() and not term.isdigit() for term in weights_):
        # what kind of thing it is may be said in another language: `Nimbus 帐篷`
        weights_ = {term: weight for term, weight in weights_.items() if term.isascii()}
    total = sum(weights_.values())
    if not total:
        return 0.0
    held = sum(
        weight * max(named.found.get(term, 0.0), 0.5 if term in evidence else 0.0) for term, weight in weights_.items()
    )
    return _ASKED_SHARE * held / total + (100 - _ASKED_SHARE) * named.said


def is_near(said: str, name: str) -> bool:
    """Tell whether `name` is worth proposing for what was said: they share a telling word, or nearly its spelling."""
    known = [term for term in asked(name) if _tells(term)]
    wanted = [term for term in asked(said) if _tells(term) and term not in _KINDS]
    return any(term in known or difflib.get_close_matches(term, known, n=1, cutoff=_LEAST_LIKENESS) for term in wanted)


def _tells(term: str) -> bool:
    """Tell whether a term may name a thing: a word, or a pair of Chinese characters; no number, no lone letter."""
    return len(term) > (3 if term.isascii() else 1) and not term.isdigit()


def _compact(name: str) -> str:
    return "".join(character for character in folded(name) if character.isalnum())
