"""`EmbeddedScorer`: scores all tools of a toolset at once, without a model, from what their authors wrote.

A tool's examples, its description and its name in words are embedded; a head is trained on them for each
toolset (`route/head.py`) and kept while their content stays the same. The same content gives the same scores.
"""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import anyio.to_thread
import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from pegboard.catalog.tool import Tool, Toolset
from pegboard.llm.embedder import Embedder
from pegboard.route.background import QUESTIONS
from pegboard.route.features import Features, Matrix
from pegboard.route.head import Head, train
from pegboard.route.score import Score
from pegboard.text import clipped, words_of_name

KEPT_TOOLSETS = 256
"""How many trained toolsets are kept; the one that was used longest ago goes first."""


@dataclass(frozen=True, slots=True)
class _Texts:
    """What one tool gives to learn from."""

    questions: tuple[str, ...]
    about: tuple[str, ...]
    """Its description, and its name in words."""

    @property
    def all(self) -> tuple[str, ...]:
        return self.questions + self.about


@dataclass(frozen=True, slots=True, eq=False)
class _Trained:
    """A toolset's head, and what is needed to apply and to explain it."""

    features: Features
    head: Head
    meanings: NDArray[np.float32]
    """The centred vectors of all texts of the toolset."""
    texts: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    """Which texts can be shown as the nearest example of each tool: [start, end)."""


class EmbeddedScorer:
    """The scorer that needs no model. Safe to use from several tasks."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._lock = threading.Lock()
        self._training = threading.Lock()
        self._features: tuple[str, Features] | None = None
        self._trained: OrderedDict[str, _Trained] = OrderedDict()
        self._catalogues: dict[str, str] = {}
        self._keys: OrderedDict[Toolset, str] = OrderedDict()
        self._vectors: dict[tuple[str, ...], Matrix] = {}

    @property
    def name(self) -> str:
        """What decisions call this scorer."""
        return f"embedded ({self._embedder.name})"

    async def train(self, toolset: Toolset, catalogue: Iterable[Tool]) -> None:
        """Make `toolset` ready, in a thread; at once when nothing has changed.

        `catalogue` holds the tools of all sites: vectors are centred by their mean, for a few tools have
        none.
        """
        if not toolset.tools:
            return
        tools = tuple(catalogue)
        await anyio.to_thread.run_sync(self._train, toolset, tools, abandon_on_cancel=True)

    async def score(self, question: str, toolset: Toolset) -> list[Score]:
        """Return how well each tool fits, in the order of `toolset.tools`; one embedding serves all of them.

        A toolset that was not trained is trained first, as if it were the whole catalogue.
        """
        if not toolset.tools:
            return []
        return await anyio.to_thread.run_sync(self._score, question, toolset)

    def _score(self, question: str, toolset: Toolset) -> list[Score]:
        trained = self._ready(toolset)
        vector = self._embedder.encode([question]).astype(np.float64)
        row = trained.features.rows([question], vector)[0]
        nearness = trained.meanings @ row[: trained.meanings.shape[1]]
        return [
            Score(float(score), f"nearest example: {clipped(_nearest(trained, span, nearness), 80)}")
            for score, span in zip(trained.head.scores(row), trained.spans, strict=True)
        ]

    def _ready(self, toolset: Toolset) -> _Trained:
        with self._lock:
            key = self._key(toolset)
            if (trained := self._trained.get(key)) is not None:
                self._trained.move_to_end(key)
                return trained
        return self._train(toolset, toolset.tools)

    def _key(self, toolset: Toolset) -> str:
        """Return the digest of a toolset's content; a toolset never changes, so it is made once."""
        if (key := self._keys.get(toolset)) is None:
            key = self._keys[toolset] = _digest(_texts(tool) for tool in toolset.tools)
            while len(self._keys) > KEPT_TOOLSETS:
                self._keys.popitem(last=False)
        return key

    def _train(self, toolset: Toolset, catalogue: Sequence[Tool]) -> _Trained:
        every = {_texts(tool): None for tool in (*catalogue, *toolset.tools)}
        key, whole = _digest(_texts(tool) for tool in toolset.tools), _digest(every)
        with self._training:
            if self._catalogues.get(key) == whole and (known := self._trained.get(key)) is not None:
                return known
            features = self._features_of(list(every), whole)
            trained = self._learn([_texts(tool) for tool in toolset.tools], features)
            self._keep(key, whole, trained)
        return trained

    def _keep(self, key: str, whole: str, trained: _Trained) -> None:
        with self._lock:
            self._trained[key] = trained
            self._trained.move_to_end(key)
            self._catalogues[key] = whole
            while len(self._trained) > KEPT_TOOLSETS:
                oldest, _ = self._trained.popitem(last=False)
                del self._catalogues[oldest]

    def _features_of(self, catalogue: Sequence[_Texts], whole: str) -> Features:
        """Return the features of a catalogue, and remember the vectors of its texts, of no others."""
        if self._features is not None and self._features[0] == whole:
            return self._features[1]
        self._vectors = {texts: self._encoded(texts) for texts in (QUESTIONS, *(tool.all for tool in catalogue))}
        texts = [text for tool in catalogue for text in tool.all]
        vectors = np.vstack([self._vectors[tool.all] for tool in catalogue])
        self._features = (whole, Features(texts, vectors, self._vectors[QUESTIONS]))
        return self._features[1]

    def _learn(self, tools: Sequence[_Texts], features: Features) -> _Trained:
        rows = np.vstack([features.rows(texts.all, self._vectors[texts.all]) for texts in tools])
        labels = np.repeat(np.arange(len(tools)), [len(texts.all) for texts in tools])
        unrelated = features.rows(QUESTIONS, self._vectors[QUESTIONS])
        with threadpool_limits(limits=1, user_api="blas"):
            head = train(rows, labels, len(tools), _probes(tools), unrelated)
        shown = tuple(text for texts in tools for text in texts.all)
        meanings = rows[:, : self._embedder.dimensions].astype(np.float32)
        return _Trained(features, head, meanings, shown, _spans(tools))

    def _encoded(self, texts: tuple[str, ...]) -> Matrix:
        """Encode one tool's texts; in a batch of their own, so that no other tool changes a digit of them."""
        known = self._vectors.get(texts)
        return self._embedder.encode(texts).astype(np.float64) if known is None else known


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


def _digest(tools: Iterable[_Texts]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for texts in tools:
        for text in (*texts.questions, "\x01", *texts.about, "\x02"):
            digest.update(text.encode("utf-8", "surrogatepass") + b"\x00")
    return digest.hexdigest()
