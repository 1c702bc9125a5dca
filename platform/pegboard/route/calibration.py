"""`Calibration`: how logits become scores from 0 to 100, such that 70 is where a question is taken for a tool's.

Pure: logits in, numbers out.
"""

import math
from dataclasses import dataclass

import numpy as np

from pegboard.route.features import Matrix

CUTOFF = 0.70
"""The score, as a share of 100, that the acceptance threshold is mapped to."""
LOST_SHARE = 0.05
"""The threshold may turn away at most this share of the examples that are understood when left out."""
LEAST_THRESHOLD = 0.26
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


def calibrate(understood: Matrix, off_topic: Matrix) -> Calibration:
    """Find threshold and temperature between the logits of what fits and of what fits nothing."""
    if len(understood) == 0:
        return Calibration(LEAST_THRESHOLD, LEAST_TEMPERATURE)
    threshold = _threshold(understood, off_topic)
    return Calibration(threshold, _temperature(understood - threshold, off_topic - threshold))


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
