"""A finished text as pieces to stream: line by line and sentence by sentence, nothing lost."""

import re
from collections.abc import Iterator

_PIECE = re.compile(r"[^\n]*?(?:[.!?](?:\s*\[\d+\])*[ \t]+(?=[^a-z\s])|[。！？](?:\s*\[\d+\])*[ \t]*|\n+|$)")


def pieces(text: str) -> Iterator[str]:
    """Yield the sentences of `text`; put together they are `text`."""
    place = 0
    while place < len(text):
        match = _PIECE.match(text, place)
        end = match.end() if match is not None and match.end() > place else len(text)
        yield text[place:end]
        place = end
