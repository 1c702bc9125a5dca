"""Vectors in memory, and which of them are nearest: one product of a matrix and a vector."""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from pegboard.knowledge.index import Match, Vector


class VectorTable:
    """The vectors of passages, each with its item; rows never change, a changed content is another table."""

    def __init__(self, passages: Sequence[tuple[int, int, int]], vectors: Vector) -> None:
        """Take the vectors of `passages`, each given by its id, its item and its number."""
        columns = np.array(passages, dtype=np.int64).reshape(-1, 3).T
        self._passages, self._items, self._numbers = columns
        self._vectors = vectors

    def nearest(self, vector: Vector, items: Collection[int], *, limit: int) -> list[Match]:
        """Return the passages of `items` nearest to `vector`, nearest first, equal ones in their order."""
        rows = self._rows_of(items)
        is_few = len(rows) * 4 < len(self._items)  # picking rows copies them, which many are not worth
        scores = self._vectors[rows] @ vector if is_few else (self._vectors @ vector)[rows]
        if len(scores) > limit:
            best = np.argpartition(-scores, limit - 1)[:limit]
            best = np.sort(best)
        else:
            best = np.arange(len(scores))
        best = best[np.argsort(-scores[best], kind="stable")]
        return [
            Match(int(self._passages[row]), int(self._items[row]), int(self._numbers[row]), float(score))
            for row, score in zip(rows[best], scores[best], strict=True)
        ]

    def _rows_of(self, items: Collection[int]) -> NDArray[np.int64]:
        wanted = np.fromiter(items, dtype=np.int64, count=len(items))
        return np.flatnonzero(np.isin(self._items, wanted))
