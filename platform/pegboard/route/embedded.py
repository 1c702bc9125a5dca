"""`EmbeddedScorer`: scores all tools of a toolset at once, without a model, from what their authors wrote.

`train` embeds each tool's examples, its description and its name in words. A head is trained on them for each
toolset (`route/head.py`) when it is first asked, or ahead of that (`prepare`). The same catalogue gives the same
scores.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from weakref import WeakKeyDictionary

import anyio
import anyio.to_thread
import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from pegboard.catalog.tool import Tool, Toolset
from pegboard.llm.embedder import Embedder
from pegboard.route.background import QUESTIONS
from pegboard.route.features import Features, Matrix
from pegboard.route.head import Head, train_head
from pegboard.route.score import Score
from pegboard.text import clipped, words_of_name

KEPT_HEADS = 256
"""How many toolsets' heads are kept; the one that was used longest ago goes first."""

MAX_THREADS = 1
"""How many threads score at once. More only fight for the interpreter, and the event loop waits for all of them: when
2,000 questions came at once, it was 52 to 60 ms late at the 99th percentile with forty, 12 to 22 ms with one."""

Vectors: TypeAlias = NDArray[np.float32]


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
    meanings: Vectors
    """The centred vectors of all texts of the toolset."""
    texts: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    """Which texts can be shown as the nearest example of each tool: [start, end)."""


def train(embedder: Embedder, catalogue: Iterable[Tool], *, before: "EmbeddedScorer | None" = None) -> "EmbeddedScorer":
    """Return a scorer for the toolsets of a catalogue, `catalogue` holding the tools of all sites.

    Blocks: it embeds what the authors wrote, all but the texts that `before` has embedded already. When nothing of
    them has changed, it returns `before`.
    """
    every = dict.fromkeys((_BACKGROUND, *map(_texts, catalogue)))
    if before is not None and before.knows(every):
        return before
    known = before.vectors if before is not None else {}
    vectors = {texts: known[texts] if texts in known else embedder.encode(texts.all) for texts in every}
    return EmbeddedScorer(embedder, vectors)


class EmbeddedScorer:
    """The scorer that needs no model; made by `train`. Safe to use from several tasks."""

    def __init__(self, embedder: Embedder, vectors: Mapping[_Texts, Vectors]) -> None:
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
        """Train the head of `toolset` before anybody asks; blocks."""
        if toolset.tools:
            self._trained(toolset)

    async def score(self, question: str, toolset: Toolset) -> list[Score]:
        """Return how well each tool fits, in the order of `toolset.tools`; one embedding serves all of them."""
        if not toolset.tools:
            return []
        if self._known(toolset)[1] is None:  # what takes seconds keeps nobody else waiting
            await anyio.to_thread.run_sync(self.prepare, toolset)
        return await anyio.to_thread.run_sync(self._score, question, toolset, limiter=self._limiter)

    def _score(self, question: str, toolset: Toolset) -> list[Score]:
        trained = self._trained(toolset)
        vector = self._embedder.encode([question]).astype(np.float64)
        row = self._features.rows([question], vector)[0]
        nearness = trained.meanings @ row[: trained.meanings.shape[1]]
        return [
            Score(float(score), f"nearest example: {clipped(_nearest(trained, span, nearness), 80)}")
            for score, span in zip(trained.head.scores(row), trained.spans, strict=True)
        ]

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
        rows = np.vstack([self._rows(texts) for texts in tools])
        labels = np.repeat(np.arange(len(tools)), [len(texts.all) for texts in tools])
        with threadpool_limits(limits=1, user_api="blas"):
            head = train_head(rows, labels, len(tools), _probes(tools), self._rows(_BACKGROUND))
        shown = tuple(text for texts in tools for text in texts.all)
        meanings = rows[:, : self._embedder.dimensions].astype(np.float32)
        return _Trained(head, meanings, shown, _spans(tools))

    def _rows(self, texts: _Texts) -> Matrix:
        """Return the features of a tool's texts; one that is not of the catalogue is embedded now."""
        vectors = self.vectors.get(texts)
        if vectors is None:
            vectors = self._embedder.encode(texts.all)
        return self._features.rows(texts.all, vectors.astype(np.float64))


def _features(vectors: Mapping[_Texts, Vectors]) -> Features:
    """Return the features of a catalogue: centred by the mean of all its texts, for a few tools have none."""
    tools = [texts for texts in vectors if texts is not _BACKGROUND]
    background = vectors[_BACKGROUND].astype(np.float64)
    every = [vectors[texts].astype(np.float64) for texts in tools]
    stacked = np.vstack(every) if every else np.zeros((0, background.shape[1]))
    return Features([text for texts in tools for text in texts.all], stacked, background)


def _texts(tool: Tool) -> _Texts:
    about = (tool.description.strip(), words_of_name(tool.name))
    questions = tuple(dict.fromkeys(question for question in tool.questions if question.strip()))
    return _Texts(questions, tuple(text for text in about if text))


def _probes(tools: Sequence[_Texts]) -> NDArray[np.bool_]:
    """Mark the questions; if nobody wrote one, descriptions stand in for them."""
    marks = [is_question for texts in tools for is_question in _marks(texts)]
    return np.array(marks) if any(marks) else np.ones(len(marks), dtype=np.bool_)


def _marks(texts: _Texts) -> list[bool]:
    return [True] * len(texts.questions) + [False] * len(texts.about)


def _spans(tools: Sequence[_Texts]) -> tuple[tuple[int, int], ...]:
    spans = []
    start = 0
    for texts in tools:
        spans.append((start, start + (len(texts.questions) or len(texts.about))))
        start += len(texts.all)
    return tuple(spans)


def _nearest(trained: _Trained, span: tuple[int, int], nearness: Matrix) -> str:
    start, end = span
    return trained.texts[start + int(nearness[start:end].argmax())]
