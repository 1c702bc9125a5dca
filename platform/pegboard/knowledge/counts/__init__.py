"""A question -> how many things it wants: `two soups`, `top five`, `三道汤`, `前五`.

Pure. A number that counts anything else (minutes, people, ingredients, layers) is none, nor is `a few` or `几道`.
"""

from dataclasses import dataclass

from pegboard.knowledge.counts.chinese import counts_in_chinese
from pegboard.knowledge.counts.english import counts_in_english

_MOST = 30
"""Who wants more than this wants all; a list holds no more."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many things are wanted, and where the question says so."""

    start: int
    end: int
    wanted: int


def find_count(question: str) -> Count | None:
    """Find how many things are wanted; None where that is not said, or of several kinds of things."""
    found = [*counts_in_english(question), *counts_in_chinese(question)]
    if len(found) != 1:
        return None
    start, end, wanted = found[0]
    return Count(start, end, wanted) if wanted <= _MOST else None
