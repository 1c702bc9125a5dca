"""A softmax regression: it parts tools that are near to each other better than the ridge, which judges each alone.

Trained by a few steps of accelerated gradient descent, no more: stopping early is what keeps three examples from being
learned by heart. It knows only its tools, and so says nothing of off-topic questions.

Pure: rows in, numbers out.
"""

import math

import numpy as np

from pegboard.route.features import Matrix, Rows
from pegboard.route.ridge import Labels

STEPS = 30
"""20 lose 2 points with many tools, 200 lose 1."""
SCALE = np.float32(5)
DECAY = np.float32(1e-3)


def fit(rows: Rows, labels: Labels, tools: int, counts: Matrix) -> Rows:
    """Return weights, shape (tools, features); row i counts as if it stood there `counts[i]` times."""
    products = rows @ rows.T
    shares = (counts / counts.sum()).astype(np.float32)
    steepest = _steepest(products, shares)
    duals: Rows = np.zeros((len(rows), tools), dtype=np.float32)
    ahead = duals
    scaled: Rows = np.asarray(SCALE * products, dtype=np.float32)
    targets, momentum = np.eye(tools, dtype=np.float32)[labels], 1.0
    for _ in range(STEPS):
        errors = probabilities(scaled @ ahead) - targets
        stepped: Rows = ahead - (SCALE * shares[:, None] * errors + DECAY * ahead) / steepest
        following = (1 + math.sqrt(1 + 4 * momentum**2)) / 2
        ahead = stepped + np.float32((momentum - 1) / following) * (stepped - duals)
        duals, momentum = stepped, following
    return np.asarray(SCALE * duals.T @ rows, dtype=np.float32)


def probabilities(logits: Rows) -> Rows:
    """Return the probabilities of the last axis."""
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True), dtype=np.float32)


def _steepest(products: Rows, shares: Rows) -> np.float32:
    """Return a bound of the curvature: a step of its inverse never overshoots."""
    roots = np.sqrt(shares)
    return np.float32(SCALE**2 / 2 * np.linalg.eigvalsh(roots[:, None] * products * roots)[-1] + DECAY)
