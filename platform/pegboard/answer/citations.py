"""Citations in a text: those of evidence that exists stay, others go, also while the text still streams."""

import re
from collections.abc import Sequence

from pegboard.answer.answer import Citation
from pegboard.catalog.citing import MARK, numbers_of
from pegboard.catalog.contract import Evidence

_MAYBE = re.compile(r"[ \t]?(?:[\[【][\d\s,，、]{0,40})?$")
"""An end of the text that may become a mark."""


class CitationFilter:
    """Lets a streamed text pass, without the marks of evidence that does not exist."""

    def __init__(self, evidence: Sequence[Evidence]) -> None:
        self._known = {each.number for each in evidence}
        self._held = ""

    def feed(self, piece: str) -> str:
        """Take the next piece and return what is certain so far."""
        text = self._held + piece
        end = _MAYBE.search(text)
        cut = end.start() if end is not None else len(text)
        self._held = text[cut:]
        return self._cleaned(text[:cut])

    def finish(self) -> str:
        """Return what was held back."""
        text, self._held = self._held, ""
        return self._cleaned(text)

    def _cleaned(self, text: str) -> str:
        return MARK.sub(self._kept, text)

    def _kept(self, match: re.Match[str]) -> str:
        """Return a mark with the numbers that exist, each in its own brackets; nothing where none does."""
        marks = "".join(f"[{number}]" for number in numbers_of(match) if number in self._known)
        space = match[0][0] if match[0][0] in " \t" else ""
        return f"{space}{marks}" if marks else ""


def says_something(text: str) -> bool:
    """Tell whether there is more than marks in `text`: a small model may cite and say nothing."""
    return any(character.isalnum() for character in MARK.sub("", text))


def cited(text: str, evidence: Sequence[Evidence]) -> tuple[Citation, ...]:
    """Return the evidence that `text` really cites, in the order of its numbers."""
    numbers = {number for match in MARK.finditer(text) for number in numbers_of(match)}
    return tuple(Citation(each.number, each.url, each.name) for each in evidence if each.number in numbers)
