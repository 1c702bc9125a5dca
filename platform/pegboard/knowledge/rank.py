"""How well an item or a passage fits a question: meaning and words in one number, 0 to 100.

Pure. The weights were chosen on the demo content with 55 questions in two languages
(`tests/knowledge/test_demo.py`): a weighted sum has 54 of them right at the first place, reciprocal rank fusion of
the same two lists had 49, vectors alone 43, BM25 alone 43. Of 31 questions asked afterwards it has 28 right. A sum
also says how good the best is, which ranks cannot.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

NOTHING_FOUND = 25.0
"""What scores less does not fit: a question that the content has nothing for leaves nothing above it."""

_ITEM_WORDS, _PASSAGE_WORDS = 0.35, 0.5
"""The share of words in the sum. A passage that holds the words of a question answers it; an item that
holds them
somewhere may still be another thing."""
_TITLE, _OVERVIEW, _BODY = 1.0, 0.8, 0.5
"""What a word of the question counts by where it is found first."""
_FOREIGN_WORDS = 0.5
_FOREIGN_COST = 0.05
_OVERVIEW_COST = 0.08
"""An overview is near to every question about its item, and answers few: with this, 24 of 30 questions had
the
right passage first, without it 18."""
_ARTICLE_COST = 0.06
_MIDDLE, _WIDTH = 0.27, 0.105
"""Of the curve from sums to scores: half of the questions that the content answers are above 90, of those it
does not answer nearly all are below 25."""

SURELY_WEAK = 45.0
"""The best item only comes near with a lower score, unless it holds `_ALL_OF_IT` of the question."""
_OF_KIND, _SURELY_GOOD, _HELD, _ALL_OF_IT = 50.0, 85.0, 0.5, 0.8
"""Above that it must hold half of the question, be of the kind that is asked for and have the first of these scores,
or have the second.
"""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of an item by the places they are in."""

    title: frozenset[str]
    overview: frozenset[str]
    body: frozenset[str]


@dataclass(frozen=True, slots=True)
class Likeness:
    """How an item compares with a question."""

    overview: float
    """Cosine of the item's overview."""
    best: float
    """Cosine of its nearest passage."""
    words: float
    """From `covered`, 0 to 1."""
    is_foreign: bool
    """It is in another language than the question."""
    is_article_for_thing: bool = False
    """It is about things, and the question names a thing to find."""


def covered(weights: Mapping[str, float], terms: Terms) -> float:
    """Return the share of the question's weight that an item holds: 1 when all of it is in its title."""
    total = sum(weights.values())
    if not total:
        return 0.0
    places = ((terms.title, _TITLE), (terms.overview, _OVERVIEW), (terms.body, _BODY))
    held = (next((worth for place, worth in places if term in place), 0.0) * w for term, w in weights.items())
    return sum(held) / total


def share(weights: Mapping[str, float], terms: Collection[str]) -> float:
    """Return the share of the question's weight that is among `terms`."""
    total = sum(weights.values())
    return sum(weight for term, weight in weights.items() if term in terms) / total if total else 0.0


def score_item(likeness: Likeness) -> float:
    """Return how well an item fits, 0 to 100."""
    meaning = (likeness.overview + likeness.best) / 2
    cost = _ARTICLE_COST if likeness.is_article_for_thing else 0.0
    return _score(meaning, likeness.words, _ITEM_WORDS, is_foreign=likeness.is_foreign, cost=cost)


def score_passage(cosine: float, words: float, *, is_foreign: bool, is_overview: bool) -> float:
    """Return how well a passage fits, 0 to 100."""
    cost = _OVERVIEW_COST if is_overview else 0.0
    return _score(cosine, words, _PASSAGE_WORDS, is_foreign=is_foreign, cost=cost)


def _score(meaning: float, words: float, words_share: float, *, is_foreign: bool, cost: float) -> float:
    if is_foreign:  # words of another language cannot be found: what its meaning promises stands in for them
        words = max(words, _FOREIGN_WORDS * min(max((meaning - 0.15) / 0.45, 0.0), 1.0))
        cost += _FOREIGN_COST
    total = (1 - words_share) * meaning + words_share * words - cost
    return round(100 / (1 + math.exp((_MIDDLE - total) / _WIDTH)), 1)


def is_weak(score: float, held: float, *, is_of_kind: bool) -> bool:
    """Tell whether the best item of a search only comes near what was asked.

    Args:
        score: Of the item.
        held: The share of the question's weight that it holds, as `covered` has it.
        is_of_kind: The question names a kind of thing that the item is.
    """
    if score < SURELY_WEAK:
        return held < _ALL_OF_IT
    return score < _SURELY_GOOD and held < _HELD and not (is_of_kind and score >= _OF_KIND)


def at_most_of_each(owners: Sequence[int], most: int) -> list[int]:
    """Return the places in `owners` that are among the first `most` of their owner, in order."""
    counts: dict[int, int] = {}
    kept = []
    for place, owner in enumerate(owners):
        counts[owner] = counts.get(owner, 0) + 1
        if counts[owner] <= most:
            kept.append(place)
    return kept
