"""The embedder's twin: words hashed into a vector; it knows words, not meanings."""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pegboard.text import tokens


class HashedEmbedder:
    """An `Embedder` for tests: texts with words in common are near each other, all others are not."""

    name = "hashed-words-1"

    def __init__(self, dimensions: int = 64) -> None:
        self.dimensions = dimensions

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector of length 1 a text; the zero vector for a text without words."""
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            for token in tokens(text):
                digest = hashlib.blake2b(token.encode(), digest_size=8).digest()
                place = int.from_bytes(digest[:4]) % self.dimensions
                vectors[row, place] += 1.0 if digest[4] & 1 else -1.0
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        vectors /= np.where(lengths > 0, lengths, 1.0)
        return vectors
