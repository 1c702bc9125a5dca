"""Features of a text for the embedded scorer: its sentence vector, centred, and its words beside it.

Not here: the encoder (`llm/embedder.py`), nor what is learned from the features (`route/head.py`).
"""

import math
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pegboard.text import tokens

WORD_WEIGHT = 0.5
"""How much the words (tf-idf) count beside the meaning (the vector): 1 to 2 points over either alone."""
PIECE_WEIGHT = 0.65
"""The same of pieces of words, where there are descriptions only: 1 to 2 points over whole words."""
PIECE_LENGTHS = (4, 5)
"""In characters; the blanks around a word count."""
COLUMNS = 1024
"""Words share so many columns, by their hash: a row is no longer for a thousand tools than for ten."""
BACKGROUND_TEXTS = 100
"""How many texts the background counts for in the mean; a catalogue of thousands outweighs it."""

Matrix: TypeAlias = NDArray[np.float64]
Rows: TypeAlias = NDArray[np.float32]
"""Features, and what weighs them: those of a thousand tools are read for each question, so in single precision."""


class Lexicon:
    """Turns texts into rows of tf-idf, `COLUMNS` wide and `weight` long; made from all texts of a catalogue."""

    def __init__(self, parts: Callable[[str], Iterable[str]], texts: Sequence[str], weight: float) -> None:
        self._parts = parts
        self._weight = weight
        counts = Counter(part for text in texts for part in set(parts(text)))
        self._places = {part: _place(part, _rarity(count, len(texts))) for part, count in counts.items()}

    def rows(self, texts: Sequence[str]) -> Rows:
        """Return one row a text; parts that the catalogue does not know count for nothing."""
        rows = np.zeros((len(texts), COLUMNS), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            # In the order of the text, so that the last digit of a sum is the same in every process.
            for part, count in Counter(self._parts(text)).items():
                if (place := self._places.get(part)) is not None:
                    row[place[0]] += (1 + math.log(count)) * place[1]
        return self._weight * _unit(rows)


class Features:
    """Turns texts and their vectors into comparable rows; made from all texts of a catalogue.

    Centring by the whole catalogue, not by the few candidates of one site, is worth 7 points with ten
    candidates.
    """

    def __init__(self, texts: Sequence[str], vectors: Rows, background: Rows) -> None:
        total = vectors.sum(axis=0, dtype=np.float64) + BACKGROUND_TEXTS * background.mean(axis=0, dtype=np.float64)
        self._mean: Matrix = total / (len(vectors) + BACKGROUND_TEXTS)
        self._texts = texts

    @cached_property
    def words(self) -> Lexicon:
        """What rows of texts have beside their meaning."""
        return Lexicon(tokens, self._texts, WORD_WEIGHT)

    @cached_property
    def pieces(self) -> Lexicon:
        """The same, where nobody wrote an example."""
        return Lexicon(pieces, self._texts, PIECE_WEIGHT)

    def rows(self, texts: Sequence[str], vectors: Rows, lexicon: Lexicon) -> Rows:
        """Return one row a text: its meaning, the centred vector of length 1, then its words."""
        return np.hstack([_unit((vectors - self._mean).astype(np.float32)), lexicon.rows(texts)])


def pieces(text: str) -> Iterator[str]:
    """Yield the pieces of each word: `soup` has ` sou`, `soup`, `oup `, ` soup`, `soup `."""
    for word in tokens(text):
        padded = f" {word} "
        if len(padded) < PIECE_LENGTHS[0]:
            yield padded
        for length in PIECE_LENGTHS:
            yield from (padded[start : start + length] for start in range(len(padded) - length + 1))


def _unit(rows: Rows) -> Rows:
    """Return `rows` with length 1; one of length 0 stays."""
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    return np.asarray(rows / np.where(lengths > 1e-6, lengths, 1), dtype=np.float32)


def _rarity(count: int, texts: int) -> float:
    return math.log((1 + texts) / (1 + count)) + 1


def _place(part: str, rarity: float) -> tuple[int, float]:
    """Return a part's column and what it adds there; the signs let those that share a column cancel out."""
    code = zlib.crc32(part.encode("utf-8", "surrogatepass"))
    return (code >> 1) % COLUMNS, rarity if code & 1 else -rarity
