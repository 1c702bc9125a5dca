"""What is learned for one toolset: a linear head, and a calibration that makes its logits scores.

The head is a ridge regression on one column a tool. It has a closed form, so the same examples give the same
scores to the last digit, and so have the predictions that calibrate it: what the head says of an example when
it is left out, and when its whole tool is left out, which is what an off-topic question looks like.

Pure: rows in, numbers out. Not here: where rows come from (`route/features.py`).
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pegboard.route.features import Matrix

Labels = NDArray[np.intp]

RIDGE_PER_ROW = 0.01
"""Strength of the ridge, per row: best, or near it, from 20 rows to 600."""
LEAST_RIDGE = 0.25
FEW_TOOLS = 4
"""With fewer, a tool's questions say too little about what off-topic questions look like to the others."""
CUTOFF = 0.70
"""The score, as a share of 100, that the acceptance threshold is mapped to."""
LOST_SHARE = 0.05
"""The threshold may turn away at most this share of the examples that are understood when left out."""
LEAST_THRESHOLD = 0.12
"""Below it lie nine of ten unrelated questions, whatever the tools: no threshold goes further down."""
LEAST_TEMPERATURE = 0.05
MOST_TEMPERATURE = 0.30
"""Bounds for toolsets whose few examples say little: neither are all scores 0 or 100, nor all near 70."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """How logits become scores."""

    threshold: float
    """The logit (tau) from which a question is taken for the tool's."""
    temperature: float
    """The distance of logits in which the odds change by the factor e."""

    def scores(self, logits: Matrix) -> Matrix:
        """Return 100 * sigmoid(logit(p) - logit(tau) + logit(0.70)), so that 70 is the calibrated cutoff."""
        shifted = (logits - self.threshold) / self.temperature + math.log(CUTOFF / (1 - CUTOFF))
        return np.asarray(100 / (1 + np.exp(-np.clip(shifted, -40, 40))), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Head:
    """A trained head."""

    weights: Matrix
    """Shape (tools, features)."""
    calibration: Calibration

    def scores(self, row: Matrix) -> Matrix:
        """Return one score a tool, 0 to 100, for one row of features."""
        return self.calibration.scores(self.weights @ row)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What the head says of each example when it was trained without it."""

    own: Matrix
    """Logits without the example, shape (rows, tools)."""
    off_topic: Matrix
    """Logits without the example's whole tool; that tool's column is minus infinity."""


def train_head(rows: Matrix, labels: Labels, tools: int, probes: NDArray[np.bool_], unrelated: Matrix) -> Head:
    """Train a head for `tools` tools; `labels[i]` is the tool of `rows[i]`.

    `probes` marks the rows that are questions: only they calibrate, for a description is not asked by
    anybody. `unrelated` holds rows of questions that fit no tool, for where tools are too few.
    """
    weights, left_out = fit(rows, labels, tools)
    own, off_topic = left_out.own[probes], left_out.off_topic[probes].max(axis=1)
    is_right = own.argmax(axis=1) == labels[probes]
    understood = own.max(axis=1)[is_right]
    off_topic = off_topic[np.isfinite(off_topic)]
    if tools < FEW_TOOLS:
        off_topic = np.concatenate([off_topic, (unrelated @ weights.T).max(axis=1)])
    return Head(weights, calibrate(understood, off_topic))


def calibrate(understood: Matrix, off_topic: Matrix) -> Calibration:
    """Find threshold and temperature between the logits of what fits and of what fits nothing."""
    if len(understood) == 0:
        return Calibration(LEAST_THRESHOLD, LEAST_TEMPERATURE)
    threshold = _threshold(understood, off_topic)
    return Calibration(threshold, _temperature(understood - threshold, off_topic - threshold))


def fit(rows: Matrix, labels: Labels, tools: int) -> tuple[Matrix, LeftOut]:
    """Return the weights, and what is said of each example without it.

    The ridge is solved in its dual form, where both kinds of leaving out are read off the inverse.
    """
    ridge = max(LEAST_RIDGE, RIDGE_PER_ROW * len(rows))
    inverse = np.linalg.inv(rows @ rows.T + ridge * np.eye(len(rows)))
    targets = np.eye(tools)[labels]
    duals = inverse @ targets
    own = targets - duals / np.diag(inverse)[:, None]
    off_topic = np.empty_like(own)
    for tool in range(tools):
        block = np.flatnonzero(labels == tool)
        off_topic[block] = targets[block] - np.linalg.solve(inverse[np.ix_(block, block)], duals[block])
        off_topic[block, tool] = -np.inf
    return duals.T @ rows, LeftOut(own, off_topic)


def _threshold(understood: Matrix, off_topic: Matrix) -> float:
    """Return the logit that parts the two best: most of the one above it, most of the other below."""
    most = max(LEAST_THRESHOLD, float(np.quantile(understood, LOST_SHARE)))
    if len(off_topic) == 0:
        return max(LEAST_THRESHOLD, most / 2)
    logits = np.unique(np.concatenate([understood, off_topic]))
    between = (logits[1:] + logits[:-1]) / 2 if len(logits) > 1 else logits
    kept = (understood[None, :] >= between[:, None]).mean(axis=1)
    let_in = (off_topic[None, :] >= between[:, None]).mean(axis=1)
    gains = kept - let_in
    best = between[gains >= gains.max() - 0.02]
    return min(most, max(LEAST_THRESHOLD, float(best.min() + best.max()) / 2))


def _temperature(understood: Matrix, off_topic: Matrix) -> float:
    """Return the temperature under which the two are the least surprising; both count alike."""
    choices = np.geomspace(LEAST_TEMPERATURE, MOST_TEMPERATURE, 25)
    surprises = [_surprise(understood / choice) + _surprise(-off_topic / choice) for choice in choices]
    return float(choices[int(np.argmin(surprises))])


def _surprise(logits: Matrix) -> float:
    return float(np.logaddexp(0, -logits).mean()) if len(logits) else 0.0
