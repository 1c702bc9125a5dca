"""A ridge regression on one column a tool, and what it says of examples that it was trained without.

It has a closed form: the same examples give the same weights to the last digit, and leaving out is read off the
matrix that was inverted anyway. With fewer rows than features that is the rows' own (the dual form), else the
features' (the primal): what a thousand tools wrote is never a matrix of everything with everything.

Pure: rows in, numbers out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pegboard.route.features import Matrix, Rows

Labels: TypeAlias = NDArray[np.intp]
Places: TypeAlias = NDArray[np.intp]
"""Which rows."""
Reals: TypeAlias = Matrix | Rows
"""The primal form reckons in single precision, for half the time: its ridge is strong enough."""

RIDGE_PER_ROW = 0.01
"""Strength of the ridge, per row: best, or near it, from 20 rows to 600."""
LEAST_RIDGE = 0.25


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What is said of some rows by a regression that was trained without them."""

    own: Matrix
    """Logits without the row itself and its twins, shape (rows, tools)."""
    off_topic: Matrix
    """Logits without the row's whole tool, which is what an off-topic question looks like; that tool's column is
    minus infinity."""


@dataclass(frozen=True, slots=True)
class Ridge:
    """A trained regression."""

    weights: Matrix
    """Shape (tools, features)."""
    _rows: Reals
    """Scaled by the roots of their weights, as are the targets."""
    _targets: Reals
    _roots: Matrix
    _inverse: Reals
    """Of the rows' or the features' products."""
    _is_dual: bool
    _strength: float

    def left_out(self, blocks: Sequence[Places], twins: Sequence[NDArray[np.bool_]]) -> LeftOut:
        """Return what is said of the rows of some tools, block by block: `blocks[i]` are all rows of one tool.

        `twins[i][a, b]` tells that row b of the block goes when row a does: itself, and what says the same again.
        """
        places = np.concatenate(blocks)
        targets, roots = self._targets[places].astype(np.float64), self._roots[places]
        pulls, residuals = self._pulls(places), self._residuals(places)
        own, off_topic = np.empty_like(targets), np.empty_like(targets)
        start = 0
        for block, alike in zip(blocks, twins, strict=True):
            here = slice(start, start := start + len(block))
            free = self._freedom(pulls[here], block)
            own[here] = targets[here] - _without(alike, free, residuals[here])
            off_topic[here] = targets[here] - np.linalg.solve(free, residuals[here])
            off_topic[here, targets[here.start] > 0] = -np.inf
        return LeftOut(own / roots, off_topic / roots)

    def _residuals(self, places: Places) -> Matrix:
        """Return what is left of the targets of some rows."""
        if self._is_dual:
            return np.asarray(self._strength * (self._inverse[places] @ self._targets), dtype=np.float64)
        weights = self.weights.astype(np.float32)
        return np.asarray(self._targets[places] - self._rows[places] @ weights.T, dtype=np.float64)

    def _pulls(self, places: Places) -> Reals:
        return self._inverse[places] if self._is_dual else self._rows[places] @ self._inverse

    def _freedom(self, pulls: Reals, block: Places) -> Matrix:
        """Return how free each row of a block is of its own pull and the others'."""
        if self._is_dual:
            return np.asarray(self._strength * pulls[:, block], dtype=np.float64)
        return np.eye(len(block)) - (pulls @ self._rows[block].T).astype(np.float64)


def fit(rows: Rows, labels: Labels, tools: int, counts: Matrix) -> Ridge:
    """Fit one column a tool: 1 for its rows, 0 for all others; row i counts as if it stood there `counts[i]` times.

    Each tool has at least one row.
    """
    strength = max(LEAST_RIDGE, RIDGE_PER_ROW * len(rows))
    roots = np.sqrt(counts)[:, None]
    is_dual = len(rows) <= rows.shape[1]
    precision = np.float64 if is_dual else np.float32
    scaled = rows.astype(precision) * roots.astype(precision)
    targets = np.zeros((len(rows), tools), dtype=scaled.dtype)
    targets[np.arange(len(rows)), labels] = roots[:, 0]
    products = scaled @ scaled.T if is_dual else scaled.T @ scaled
    products[np.diag_indices_from(products)] += strength
    inverse = np.linalg.inv(products)
    weights = (
        (inverse @ targets).T @ scaled if is_dual else _sums(scaled * roots.astype(precision), labels, tools) @ inverse
    )
    return Ridge(weights.astype(np.float64), scaled, targets, roots, inverse, is_dual, strength)


def _sums(rows: Reals, labels: Labels, tools: int) -> Reals:
    """Return the sum of each tool's rows: what multiplying the targets would give, for a thousandth of the work."""
    order = np.argsort(labels, kind="stable")
    return np.asarray(np.add.reduceat(rows[order], np.searchsorted(labels[order], np.arange(tools))), dtype=np.float32)


def _without(twins: NDArray[np.bool_], free: Matrix, residuals: Matrix) -> Matrix:
    """Return the residuals that the rows of a block have when each is left out, with its twins."""
    alone = residuals / np.diag(free)[:, None]
    for row in np.flatnonzero(twins.sum(axis=1) > 1):
        gone = np.flatnonzero(twins[row])
        alone[row] = np.linalg.solve(free[np.ix_(gone, gone)], residuals[gone])[gone == row][0]
    return alone
