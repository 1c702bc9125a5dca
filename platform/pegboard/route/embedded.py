"""`EmbeddedScorer`: scores all tools of a toolset at once, without a model, from what their authors wrote.

`train` embeds each tool's examples, its description and its name in words. A head is trained on them for each
toolset (`route/head.py`) when it is first asked, or ahead of that (`prepare`). The same catalogue gives the same
scores.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import anyio
import anyio.to_thread
import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from pegboard.catalog.tool import Tool, Toolset
from pegboard.llm.embedder import Embedder
from pegboard.route.background import QUESTIONS
from pegboard.route.features import Features, Lexicon, Matrix, Rows
from pegboard.route.gating import plain, steps
from pegboard.route.head import Head, Lessons, left_out, train_head
from pegboard.route.health import SiteHealth, Taken, examined
from pegboard.route.ridge import Places
from pegboard.route.score import Score
from pegboard.text import clipped, language, words_of_name

NAME_COUNT = 2.0
"""How much a tool's name in words counts beside one of its examples: 1 to 2 points over counting it once."""
BARE_NAME_COUNT = 0.5
"""The same where nobody wrote an example: beside a description, a product's name says little."""
FOREIGN_LIFT = 0.08
"""What a question gains in a language that no text of its toolset is in: as much further are all tools from it."""
MOST_EXAMINED = 6_000
"""How many texts of a toolset are left out one by one; more take minutes, and much memory."""
KEPT_HEADS = 256
"""How many toolsets' heads are kept; the one that was used longest ago goes first."""

MAX_THREADS = 1
"""How many threads score at once. More only fight for the interpreter, and the event loop waits for all of them: when
2,000 questions came at once, it was 52 to 60 ms late at the 99th percentile with forty, 12 to 22 ms with one."""


@dataclass(frozen=True, slots=True)
class _Texts:
    """What one tool gives to learn from."""

    questions: tuple[str, ...]
    about: tuple[str, ...]
    """Its description, and its name in words."""

    @property
    def all(self) -> tuple[str, ...]:
        return self.questions + self.about


_BACKGROUND = _Texts(QUESTIONS, ())


@dataclass(frozen=True, slots=True, eq=False)
class _Trained:
    """A toolset's head, and what is needed to explain it."""

    head: Head
    lexicon: Lexicon
    """What its rows have beside the meaning."""
    meanings: Rows
    """The centred vectors of all texts of the toolset."""
    reasons: tuple[str, ...]
    """Each text as the nearest example."""
    languages: frozenset[str]
    """Of its questions, or else of its descriptions."""
    starts: Places
    ends: Places
    """Which texts can be shown as the nearest example of each tool: from `starts[i]` to before `ends[i]`."""


def train(embedder: Embedder, catalogue: Iterable[Tool], *, before: "EmbeddedScorer | None" = None) -> "EmbeddedScorer":
    """Return a scorer for the toolsets of a catalogue, `catalogue` holding the tools of all sites.

    A tool that plans is scored by a question's parts, and not by what its author wrote (`route/router.py`).

    Blocks: it embeds what the authors wrote, all but the texts that `before` has embedded already. When nothing of
    them has changed, it returns `before`.
    """
    every = dict.fromkeys((_BACKGROUND, *(_texts(tool) for tool in catalogue if not tool.is_planning)))
    if before is not None and before.knows(every):
        return before
    known = before.vectors if before is not None else {}
    vectors = {texts: known[texts] if texts in known else embedder.encode(texts.all) for texts in every}
    return EmbeddedScorer(embedder, vectors)


class EmbeddedScorer:
    """The scorer that needs no model; made by `train`. Safe to use from several tasks."""

    def __init__(self, embedder: Embedder, vectors: Mapping[_Texts, Rows]) -> None:
        self.vectors = vectors
        """Of the texts of each tool; embedded in a batch of their own, so that no other tool changes a digit."""
        self._embedder = embedder
        self._features = _features(vectors)
        self._limiter = anyio.CapacityLimiter(MAX_THREADS)
        self._lock = threading.Lock()
        self._training = threading.Lock()
        self._keys: WeakKeyDictionary[Toolset, tuple[_Texts, ...]] = WeakKeyDictionary()
        self._heads: OrderedDict[tuple[_Texts, ...], _Trained] = OrderedDict()

    @property
    def name(self) -> str:
        """What decisions call this scorer."""
        return f"embedded ({self._embedder.name})"

    def knows(self, every: Iterable[_Texts]) -> bool:
        """Tell whether it was made from these texts, in this order."""
        return list(self.vectors) == list(every)

    def prepare(self, toolset: Toolset) -> None:
        """Train the heads of `toolset` before anybody asks, for questions of one part and for parts; blocks."""
        for each in {plain(toolset), steps(toolset)}:
            if each.tools:
                self._trained(each)

    def health(self, toolset: Toolset) -> SiteHealth:
        """Ask each example of `toolset` without having learned it; blocks, for as long as training a head does."""
        toolset = plain(toolset)
        tools = [_texts(tool) for tool in toolset.tools]
        names = [tool.name for tool in toolset.tools]
        count = sum(len(texts.all) for texts in tools)
        if count > MOST_EXAMINED:
            return SiteHealth(toolset.site, (), (), f"not examined: {count:,} texts; {MOST_EXAMINED:,} are the most")
        if not any(texts.questions for texts in tools):
            return examined(toolset.site, names, ())
        with threadpool_limits(limits=1, user_api="blas"):
            chosen, margins = left_out(self._lessons(tools, self._lexicon(tools)))
        owned = ((place, text) for place, texts in enumerate(tools) for text in texts.all)
        marks = (is_question for texts in tools for is_question in _marks(texts))
        rows = zip(owned, marks, chosen, margins, strict=True)
        taken = [Taken(text, place, tool, margin) for (place, text), asked, tool, margin in rows if asked]
        return examined(toolset.site, names, taken)

    async def score(self, question: str, toolset: Toolset) -> list[Score]:
        """Return how well each tool fits, in the order of `toolset.tools`; one embedding serves all of them."""
        if not toolset.tools:
            return []
        if self._known(toolset)[1] is None:  # what takes seconds keeps nobody else waiting
            await anyio.to_thread.run_sync(self.prepare, toolset)
        return await anyio.to_thread.run_sync(self._score, question, toolset, limiter=self._limiter)

    def _score(self, question: str, toolset: Toolset) -> list[Score]:
        trained = self._trained(toolset)
        row = self._features.rows([question], self._embedder.encode([question]), trained.lexicon)[0]
        nearness = trained.meanings @ row[: trained.meanings.shape[1]]
        lift = 0.0 if language(question) in trained.languages else FOREIGN_LIFT
        scores = trained.head.scores(row, float(nearness.max()), lift=lift)
        shown = _highest(nearness, trained.starts, trained.ends)
        return [Score(score, trained.reasons[place]) for score, place in zip(scores.tolist(), shown, strict=True)]

    def _trained(self, toolset: Toolset) -> _Trained:
        key, trained = self._known(toolset)
        if trained is not None:
            return trained
        with self._training:
            _, trained = self._known(toolset)  # another task may have trained it meanwhile
            if trained is None:
                trained = self._learn(key)
                self._keep(key, trained)
        return trained

    def _known(self, toolset: Toolset) -> tuple[tuple[_Texts, ...], _Trained | None]:
        with self._lock:
            key = self._keys.get(toolset)
            if key is None:
                key = self._keys[toolset] = tuple(map(_texts, toolset.tools))
            trained = self._heads.get(key)
            if trained is not None:
                self._heads.move_to_end(key)
        return key, trained

    def _keep(self, key: tuple[_Texts, ...], trained: _Trained) -> None:
        with self._lock:
            self._heads[key] = trained
            while len(self._heads) > KEPT_HEADS:
                self._heads.popitem(last=False)

    def _learn(self, tools: Sequence[_Texts]) -> _Trained:
        lexicon = self._lexicon(tools)
        with threadpool_limits(limits=1, user_api="blas"):
            lessons = self._lessons(tools, lexicon)
            head = train_head(lessons)
        reasons = tuple(f"nearest example: {clipped(text, 80)}" for texts in tools for text in texts.all)
        meanings = np.ascontiguousarray(lessons.rows[:, : lessons.meanings])
        sizes = [len(texts.all) for texts in tools]
        starts = np.cumsum([0, *sizes[:-1]])
        ends = starts + [len(texts.questions) or len(texts.about) for texts in tools]
        languages = frozenset(lessons.languages[row] for row in range(len(meanings)) if lessons.probes[row])
        return _Trained(head, lexicon, meanings, reasons, languages, starts, ends)

    def _lexicon(self, tools: Sequence[_Texts]) -> Lexicon:
        return self._features.words if any(texts.questions for texts in tools) else self._features.pieces

    def _lessons(self, tools: Sequence[_Texts], lexicon: Lexicon) -> Lessons:
        return Lessons(
            rows=self._rows(tools, lexicon),
            labels=np.repeat(np.arange(len(tools)), [len(texts.all) for texts in tools]),
            counts=np.concatenate([_counts(texts) for texts in tools]),
            probes=_probes(tools),
            tools=len(tools),
            languages=[language(text) for texts in tools for text in texts.all],
            has_examples=any(texts.questions for texts in tools),
            meanings=self._embedder.dimensions,
            unrelated=self._rows([_BACKGROUND], lexicon),
        )

    def _rows(self, tools: Sequence[_Texts], lexicon: Lexicon) -> Rows:
        """Return the features of all texts of some tools."""
        vectors = np.vstack([self._vectors(texts) for texts in tools])
        return self._features.rows([text for texts in tools for text in texts.all], vectors, lexicon)

    def _vectors(self, texts: _Texts) -> Rows:
        """Return the vectors of a tool's texts; one that is not of the catalogue is embedded now."""
        known = self.vectors.get(texts)
        return self._embedder.encode(texts.all) if known is None else known


def _features(vectors: Mapping[_Texts, Rows]) -> Features:
    """Return the features of a catalogue: centred by the mean of all its texts, for a few tools have none."""
    tools = [texts for texts in vectors if texts is not _BACKGROUND]
    background = vectors[_BACKGROUND]
    every = [vectors[texts] for texts in tools]
    stacked = np.vstack(every) if every else background[:0]
    return Features([text for texts in tools for text in texts.all], stacked, background)


def _texts(tool: Tool) -> _Texts:
    about = (tool.description.strip(), words_of_name(tool.name))
    questions = tuple(dict.fromkeys(question for question in tool.questions if question.strip()))
    return _Texts(questions, tuple(text for text in about if text))


def _counts(texts: _Texts) -> Matrix:
    """Return how much each text of a tool counts; the last is its name."""
    counts = np.ones(len(texts.all))
    counts[-1] = NAME_COUNT if texts.questions else BARE_NAME_COUNT
    return counts


def _probes(tools: Sequence[_Texts]) -> NDArray[np.bool_]:
    """Mark the questions; if nobody wrote one, descriptions stand in for them."""
    marks = [is_question for texts in tools for is_question in _marks(texts)]
    return np.array(marks) if any(marks) else np.ones(len(marks), dtype=np.bool_)


def _marks(texts: _Texts) -> list[bool]:
    return [True] * len(texts.questions) + [False] * len(texts.about)


def _highest(values: Rows, starts: Places, ends: Places) -> list[int]:
    """Return the place of the highest value of each span; of equal ones, the first."""
    inside = np.full(len(values) + 1, -np.inf, dtype=np.float32)
    bounds = np.column_stack([starts, ends]).ravel()
    inside[:-1] = values
    peaks = np.maximum.reduceat(inside, bounds)[::2]
    found = np.flatnonzero(inside == np.repeat(peaks, np.diff([*starts, len(inside)])))
    return [int(place) for place in found[np.searchsorted(found, starts)]]
