"""What is learned for one toolset: which tool fits best, whether any does, and what score says so.

Which: the sum of a ridge (`route/ridge.py`) and, unless the tools are very many, the probabilities of a softmax
(`route/softmax.py`). Whether: the highest of the ridge's logits, and how near the nearest text of the toolset is, less
how near an everyday question is that belongs to none of its tools. The score: both, calibrated on what the head says
of an example when it is left out, and when its whole tool is left out, which is what an off-topic question looks like.

Pure: rows in, numbers out. Not here: where rows come from (`route/features.py`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pegboard.route import ridge, softmax
from pegboard.route.calibration import Calibration, calibrate
from pegboard.route.features import Matrix, Rows
from pegboard.route.ridge import Labels, Ridge

FEW_TOOLS = 4
"""With fewer, a tool's questions say too little about what off-topic questions look like to the others."""
NEAREST_SHARE = 0.5
UNRELATED_SHARE = 0.3
"""How much nearness to a text of the toolset, and to a question that fits no tool, count beside the ridge's logit."""
ANSWERED = 0.5
"""A background question that is as near to a text of the toolset is not taken for off-topic there."""
TWINS = 0.5
"""Texts of a tool in two languages that are as near to each other say the same: left out, one takes the other along."""
MOST_PRODUCTS = 250_000_000
"""A softmax is trained while tools * rows**2 is below it (about 250 tools): half a second; the ridge needs less."""
MOST_LEFT_OUT = 1_000
"""About how many rows calibrate: those of every second tool, every third and so on, where there are more."""


@dataclass(frozen=True, slots=True, eq=False)
class Lessons:
    """What a toolset gives to learn from: row i is a text of the tool `labels[i]`."""

    rows: Rows
    labels: Labels
    counts: Matrix
    """How much each row counts."""
    probes: NDArray[np.bool_]
    """Which rows are questions: only they calibrate, for a description is not asked by anybody."""
    tools: int
    languages: Sequence[str]
    """Of each row."""
    has_examples: bool
    """Whether anybody wrote one; a softmax of descriptions alone ranks many tools worse (1 point)."""
    meanings: int
    """How many leading columns of a row are its meaning."""
    unrelated: Rows
    """Rows of everyday questions."""


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """A trained head."""

    ridge: Rows
    """Shape (tools, features)."""
    softmax: Rows | None
    unrelated: Rows
    """The meanings of everyday questions that none of the tools answers."""
    calibration: Calibration

    def scores(self, row: Rows, nearest: float, *, lift: float = 0.0) -> Matrix:
        """Return one score a tool, 0 to 100; `nearest` says how near the nearest text of the toolset is.

        `lift` makes up for what keeps a question away from all tools alike.
        """
        fits = (self.ridge @ row).astype(np.float64)
        ranks = fits if self.softmax is None else fits + softmax.probabilities(self.softmax @ row)
        strange = (self.unrelated @ row[: self.unrelated.shape[1]]).astype(np.float64)
        level = _levels(fits.max(keepdims=True), np.array([nearest]), strange.max(initial=0.0, keepdims=True))
        return self.calibration.scores(level + lift + ranks - ranks.max())


def train_head(lessons: Lessons) -> Head:
    """Train a head."""
    fitted = ridge.fit(lessons.rows, lessons.labels, lessons.tools, lessons.counts)
    unrelated = _unanswered(lessons)
    understood, off_topic = _left_out_levels(lessons, fitted, unrelated)
    if lessons.tools < FEW_TOOLS:
        off_topic = np.concatenate([off_topic, _unrelated_levels(lessons, fitted, unrelated)])
    return Head(
        ridge=fitted.weights.astype(np.float32),
        softmax=_softmax(lessons),
        unrelated=unrelated[:, : lessons.meanings],
        calibration=calibrate(understood, off_topic),
    )


def _softmax(lessons: Lessons) -> Rows | None:
    if not lessons.has_examples or lessons.tools * len(lessons.rows) ** 2 > MOST_PRODUCTS:
        return None
    return softmax.fit(lessons.rows, lessons.labels, lessons.tools, lessons.counts)


def left_out(lessons: Lessons) -> tuple[list[int], list[float]]:
    """Return, for each row, the tool that the ridge takes it for without the row and its twins, and the margin.

    The margin is the best logit of the other tools less that of its own; minus infinity where there is no other.
    """
    fitted = ridge.fit(lessons.rows, lessons.labels, lessons.tools, lessons.counts)
    blocks = _blocks(lessons, np.arange(lessons.tools))
    places = np.concatenate(blocks)
    own = np.empty((len(lessons.rows), lessons.tools))
    own[places] = fitted.left_out(blocks, [_twins(lessons, block) for block in blocks]).own
    chosen, each = own.argmax(axis=1), np.arange(len(own))
    logits = own[each, lessons.labels]
    own[each, lessons.labels] = -np.inf
    return chosen.tolist(), (own.max(axis=1) - logits).tolist()


def _blocks(lessons: Lessons, tools: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    return [np.flatnonzero(lessons.labels == tool) for tool in tools]


def _twins(lessons: Lessons, block: NDArray[np.intp]) -> NDArray[np.bool_]:
    meanings = lessons.rows[block, : lessons.meanings]
    languages = np.array([lessons.languages[row] for row in block])
    alike = (meanings @ meanings.T >= TWINS) & (languages[:, None] != languages)
    return np.asarray(alike | np.eye(len(block), dtype=np.bool_), dtype=np.bool_)


def _levels(fits: Matrix, nearest: Matrix, strange: Matrix) -> Matrix:
    """Return how sure it is that any tool fits: a logit a row."""
    return fits + NEAREST_SHARE * np.maximum(nearest, 0) - UNRELATED_SHARE * np.maximum(strange, 0)


def _unanswered(lessons: Lessons) -> Rows:
    """Return the rows of the everyday questions that none of the tools answers."""
    known, asked = (rows[:, : lessons.meanings] for rows in (lessons.rows, lessons.unrelated))
    is_strange = (asked @ known.T).max(axis=1) < ANSWERED
    return np.asarray(lessons.unrelated[is_strange], dtype=np.float32)


def _left_out_levels(lessons: Lessons, fitted: Ridge, unrelated: Rows) -> tuple[Matrix, Matrix]:
    """Return the levels of questions that are understood without themselves, and of those whose tool is left out."""
    step = math.ceil(len(lessons.rows) / MOST_LEFT_OUT)
    blocks = _blocks(lessons, np.arange(0, lessons.tools, step))
    twins = [_twins(lessons, block) for block in blocks]
    said, rows = fitted.left_out(blocks, twins), np.concatenate(blocks)
    labels, meanings = lessons.labels[rows], lessons.rows[:, : lessons.meanings]
    strange = (meanings[rows] @ unrelated[:, : lessons.meanings].T).max(axis=1, initial=0.0)
    near = meanings[rows] @ meanings.T
    start = 0
    for block, alike in zip(blocks, twins, strict=True):
        near[start : start + len(block), block] -= 2 * alike
        start += len(block)
    own = _levels(said.own.max(axis=1), near.max(axis=1), strange)
    near[labels[:, None] == lessons.labels] = -1
    off_topic = _levels(said.off_topic.max(axis=1), near.max(axis=1), strange)
    probes = lessons.probes[rows]
    understood = probes & (said.own.argmax(axis=1) == labels)
    return own[understood], off_topic[probes & np.isfinite(off_topic)]


def _unrelated_levels(lessons: Lessons, fitted: Ridge, unrelated: Rows) -> Matrix:
    """Return the levels of everyday questions, each as if it was not among them."""
    meanings = unrelated[:, : lessons.meanings]
    near = (meanings @ lessons.rows[:, : lessons.meanings].T).max(axis=1)
    alike = meanings @ meanings.T
    np.fill_diagonal(alike, -1)
    return _levels((unrelated @ fitted.weights.T).max(axis=1, initial=-np.inf), near, alike.max(axis=1, initial=0.0))
