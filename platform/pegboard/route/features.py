"""Features of a text for the embedded scorer: its sentence vector, centred, and its words beside it.

Not here: the encoder (`llm/embedder.py`), nor what is learned from the features (`route/head.py`).
"""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pegboard.text import tokens

WORD_WEIGHT = 0.5
"""How much the words (tf-idf) count beside the meaning (the vector): 1 to 2 points over either alone."""
BACKGROUND_TEXTS = 100
"""How many texts the background counts for in the mean; a catalogue of thousands outweighs it."""

Matrix = NDArray[np.float64]


class Features:
    """Turns texts and their vectors into comparable rows; made from all texts of a catalogue.

    Centring by the whole catalogue, not by the few candidates of one site, is worth 7 points with ten
    candidates.
    """

    def __init__(self, texts: Sequence[str], vectors: Matrix, background: Matrix) -> None:
        total = vectors.sum(axis=0) + BACKGROUND_TEXTS * background.mean(axis=0)
        self._mean: Matrix = total / (len(vectors) + BACKGROUND_TEXTS)
        # A dict and not a set: so the order of the columns, and the last digit of a sum, never changes.
        counts = Counter(word for text in texts for word in dict.fromkeys(tokens(text)))
        self._columns = {word: column for column, word in enumerate(counts)}
        self._rarity = [math.log((1 + len(texts)) / (1 + count)) + 1 for count in counts.values()]

    def rows(self, texts: Sequence[str], vectors: Matrix) -> Matrix:
        """Return one row a text: the centred vector of length 1, then the words with length `WORD_WEIGHT`."""
        words = np.zeros((len(texts), len(self._columns)))
        for row, text in zip(words, texts, strict=True):
            for word in tokens(text):
                if (column := self._columns.get(word)) is not None:
                    row[column] += self._rarity[column]
        return np.hstack([_unit(vectors - self._mean), WORD_WEIGHT * _unit(words)])


def _unit(rows: Matrix) -> Matrix:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 1e-9, lengths, 1.0), dtype=np.float64)
