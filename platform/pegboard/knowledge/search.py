"""The content of one site, searched by words and by meaning: what `catalog.contract.Search` promises."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import anyio.to_thread
import numpy as np

from pegboard.catalog.contract import Found, Hit, Passage
from pegboard.knowledge import names, rank, words
from pegboard.knowledge.claims import denies, named_kinds
from pegboard.knowledge.content import Content, ContentReader
from pegboard.knowledge.enough import first_of, of_one_kind
from pegboard.knowledge.facets import fits
from pegboard.knowledge.filters import Reading, read
from pegboard.knowledge.index import Index, Listed, Match, Scope, Stored, Vector
from pegboard.knowledge.ordering import in_order, of_kind
from pegboard.knowledge.plausible import Scored, at_table, is_meant, plausible, ranked
from pegboard.knowledge.rank import NOTHING_FOUND, Likeness
from pegboard.llm.embedder import Embedder
from pegboard.text import language

_CANDIDATES = 80
"""Passages that each of the two searches proposes."""
_OF_ONE_ITEM = 3
_SHARE_OF_ONE_ITEM = 3
"""Passages of one item in a result: three, or a third of a long result."""
_ALL_OF_THEM = 5_000
"""Passages of all items that are proposed together: more than there are."""
_UNASKED_SCORE = 75.0
"""Of an item that fits the conditions when nothing else was asked."""
_NAMES_COMPARED = 8
_SURE = 80.0
"""A name that fits by its words as well as this is not compared by its meaning."""
_SAME_MEANING = (0.62, 0.85)
_SAME_MEANING_SCORES = (40.0, 80.0)
"""What a cosine of two names is worth: 0.68 is about where other dishes end and the same dish begins."""
_OWN_LANGUAGE = 2.0


class SiteSearch:
    """Searches the knowledge bases of one site.

    It blocks for some milliseconds in a worker thread, never on the event loop. What another task or process
    writes into the index is seen by the next question.
    """

    def __init__(self, index: Index, embedder: Embedder, bases: Sequence[str]) -> None:
        self._index = index
        self._embedder = embedder
        self._bases = tuple(bases)
        self._reader = ContentReader(index, self._bases)
        self._vector = lru_cache(maxsize=4_096)(self._encode)

    @property
    def is_empty(self) -> bool:
        return not self._reader.now().items

    async def items(self, query: str, *, limit: int = 10) -> Found:
        return await anyio.to_thread.run_sync(self._items, query, limit)

    async def named(self, name: str, *, limit: int = 3) -> list[Hit]:
        return await anyio.to_thread.run_sync(self._named, name, limit)

    async def passages(self, query: str, *, limit: int = 6) -> list[Passage]:
        return await anyio.to_thread.run_sync(self._passages, query, limit)

    def _items(self, query: str, limit: int) -> Found:
        content = self._reader.now()
        reading = read(query, content.coverage)
        fitting = [item for item in content.items.values() if all(fits(item.facts, one) for one in reading.filters)]
        scope = Scope(self._bases, frozenset(item.id for item in fitting) if reading.filters else None)
        question = _Question(query, reading.rest or query)
        is_of_all = bool(reading.order or reading.wanted)
        scores = self._scores(content, question, scope, _ALL_OF_THEM if is_of_all else _CANDIDATES)
        is_said = bool(reading.filters or is_of_all or reading.unjudged)
        if is_said and words.is_vague(reading.rest):  # what fits is what was asked for
            shown, is_open = self._unasked(content, question, fitting, scores), True
        else:
            found = [(content.items[id_], score) for id_, score in scores.items() if score >= NOTHING_FOUND]
            found, is_open = ranked(found, question.language), False
            if reading.filters and not is_meant(found, self._best(content, question), question.terms):
                return Found((), reading.filters, None, reading.unjudged, wanted=reading.wanted)
            shown = plausible(found, question.terms, question.language)
            if reading.wanted:
                shown = of_one_kind(shown, found, words.telling(question.text), question.language)
        return self._found(content, question, reading, shown, limit, is_open=is_open)

    def _unasked(
        self, content: Content, question: "_Question", fitting: Sequence[Listed], scores: Mapping[int, float]
    ) -> list[Scored]:
        """Return all that fits the conditions: things rather than articles on them."""
        things = [item for item in fitting if not (content.is_mixed and content.is_article(item.id))]
        shown = at_table(things or fitting, scores, question.language, is_of_meals=question.is_of_meals)
        return [(item, max(scores.get(item.id, 0.0), _UNASKED_SCORE)) for item in shown]

    def _best(self, content: Content, question: "_Question") -> Scored | None:
        """Return the best item, whatever the conditions."""
        scores = self._scores(content, question, Scope(self._bases), _CANDIDATES)
        return max(((content.items[id_], score) for id_, score in scores.items()), key=lambda one: one[1], default=None)

    def _found(
        self,
        content: Content,
        question: "_Question",
        reading: Reading,
        shown: Sequence[Scored],
        limit: int,
        *,
        is_open: bool,
    ) -> Found:
        weights = self._weights(question.terms)
        order, unjudged = reading.order, reading.unjudged
        if order is not None:
            ordered = in_order(order, of_kind(reading.rest, weights, shown), question.language)
            by_id = {item.id: score for item, score in shown}
            shown = [(item, by_id[item.id]) for item in ordered] or shown
            order, unjudged = (order, unjudged) if ordered else (None, (*unjudged, order.words))
        is_weak = not is_open and self._is_weak(content, question, weights, shown)
        shown = first_of(shown, reading.wanted, question.language) if reading.wanted else shown[:limit]
        hits = self._hits([(item.id, score) for item, score in shown])
        return Found(hits, reading.filters, order, unjudged, is_weak, reading.wanted)

    def _is_weak(
        self, content: Content, question: "_Question", weights: Mapping[str, float], shown: Sequence[Scored]
    ) -> bool:
        """Tell whether even the best of what is shown, in the language of the question if possible, only comes near."""
        own = [one for one in shown if one[0].language == question.language]
        if not shown or not own:
            return bool(shown) and max(score for _, score in shown) < rank.SURELY_WEAK
        item, score = max(own, key=lambda one: one[1])
        if denies(item.facts.claims, question.terms):
            return True
        terms = content.terms_of(self._index, [item.id]).get(item.id)
        telling = words.telling(question.text)
        wanted = {term: weight for term, weight in weights.items() if term in telling}
        held = rank.covered(wanted, terms) if terms and wanted else 1.0
        return rank.is_weak(score, held, is_of_kind=bool(named_kinds(wanted, item.facts.claims)))

    def _scores(self, content: Content, question: "_Question", scope: Scope, most: int) -> dict[int, float]:
        """Score the items in `scope` that words or meaning propose."""
        vector = self._vector(question.text)
        proposed = self._proposed(question.terms, vector, scope, most)
        items = [id_ for id_ in dict.fromkeys(match.item for match in proposed) if id_ in content.items]
        best: dict[int, float] = {}
        overview: dict[int, float] = {}
        for match in self._index.by_vector(vector, Scope(self._bases, frozenset(items)), limit=_ALL_OF_THEM):
            best.setdefault(match.item, match.score)
            if match.number == 0:
                overview.setdefault(match.item, match.score)
        terms = content.terms_of(self._index, items)
        weights = self._weights(question.terms)
        is_naming = content.is_mixed and not question.asks
        return {
            id_: rank.score_item(
                Likeness(
                    overview=overview.get(id_, best[id_]),
                    best=best[id_],
                    words=rank.covered(weights, terms[id_]),
                    is_foreign=content.items[id_].language != question.language,
                    is_article_for_thing=is_naming and content.is_article(id_),
                )
            )
            for id_ in items
            if id_ in best and id_ in terms
        }

    def _named(self, name: str, limit: int) -> list[Hit]:
        content = self._reader.now()
        compared = content.names.match(name)
        weights = content.names.weights(content.names.asked(name))
        scores = {one.item.id: names.score(one, weights) for one in compared}
        nearest = sorted(scores, key=lambda id_: -scores[id_])[:_NAMES_COMPARED]
        terms = content.terms_of(self._index, nearest)
        by_id = {one.item.id: one for one in compared}
        scores |= {id_: names.score(by_id[id_], weights, terms[id_].overview) for id_ in nearest if id_ in terms}
        if max(scores.values(), default=0.0) < _SURE:
            for id_, score in self._by_meaning(content, name, nearest).items():
                scores[id_] = max(scores.get(id_, 0.0), score)
        spoken = language(name)
        own = {id_: content.items[id_].language == spoken for id_ in scores}
        best = sorted(scores, key=lambda id_: -(scores[id_] + _OWN_LANGUAGE * own[id_]))[:limit]
        return list(self._hits([(id_, round(scores[id_], 1)) for id_ in best]))

    def _by_meaning(self, content: Content, name: str, nearest: Sequence[int]) -> dict[int, float]:
        """Score how sure it is that names mean the same: of `nearest`, and of items that are about it."""
        vector = self._vector(name)
        about = self._index.by_vector(vector, Scope(self._bases), limit=_CANDIDATES)
        found = dict.fromkeys([*nearest, *(match.item for match in about)])
        items = [id_ for id_ in found if id_ in content.items][: 2 * _NAMES_COMPARED]
        cosines = {id_: float(self._vector(content.items[id_].name) @ vector) for id_ in items}
        return {id_: float(np.interp(cosine, _SAME_MEANING, _SAME_MEANING_SCORES)) for id_, cosine in cosines.items()}

    def _passages(self, query: str, limit: int) -> list[Passage]:
        content = self._reader.now()
        question = _Question(query, query)
        vector = self._vector(query)
        proposed = self._proposed(question.terms, vector, Scope(self._bases), _CANDIDATES)
        ids = list(dict.fromkeys(match.passage for match in proposed))
        owners = frozenset(match.item for match in proposed)
        cosines = {
            match.passage: match.score
            for match in self._index.by_vector(vector, Scope(self._bases, owners), limit=_ALL_OF_THEM)
        }
        weights = self._weights(question.terms)
        scored = [
            (self._passage_score(content, question, weights, stored, cosines[id_]), stored)
            for id_, stored in self._index.passages(ids).items()
            if id_ in cosines and stored.item in content.items
        ]
        scored = sorted((one for one in scored if one[0] >= NOTHING_FOUND), key=lambda one: -one[0])
        most_of_one = max(_OF_ONE_ITEM, limit // _SHARE_OF_ONE_ITEM)
        kept = rank.at_most_of_each([stored.item for _, stored in scored], most_of_one)[:limit]
        items = self._index.items([scored[place][1].item for place in kept])
        return [
            Passage(items[stored.item], stored.heading, stored.text, score)
            for score, stored in (scored[place] for place in kept)
            if stored.item in items
        ]

    def _passage_score(
        self,
        content: Content,
        question: "_Question",
        weights: Mapping[str, float],
        stored: Stored,
        cosine: float,
    ) -> float:
        return rank.score_passage(
            cosine,
            rank.share(weights, stored.terms),
            is_foreign=content.items[stored.item].language != question.language,
            is_overview=stored.number == 0,
        )

    def _proposed(self, terms: Sequence[str], vector: Vector, scope: Scope, most: int) -> list[Match]:
        return [
            *self._index.by_vector(vector, scope, limit=most),
            *self._index.by_words(terms, scope, limit=most),
        ]

    def _weights(self, terms: Sequence[str]) -> dict[str, float]:
        frequencies = self._index.frequencies(terms)
        return words.weights(terms, frequencies, frequencies[""])

    def _hits(self, scored: Sequence[tuple[int, float]]) -> tuple[Hit, ...]:
        items = self._index.items([id_ for id_, _ in scored])
        return tuple(Hit(items[id_], score) for id_, score in scored if id_ in items)

    def _encode(self, text: str) -> Vector:
        vector: Vector = self._embedder.encode([text])[0]
        return vector


class _Question:
    """A question as it is searched."""

    def __init__(self, whole: str, rest: str) -> None:
        self.text = rest
        self.terms = words.asked(rest)
        self.language = language(whole)
        self.asks = words.is_question(whole)
        self.is_of_meals = words.is_of_meals(whole)
