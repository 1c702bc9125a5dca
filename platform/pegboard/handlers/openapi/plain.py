"""Texts of a document as a model is shown them: no markup, and nothing that nobody sees."""

import re

from pegboard.catalog.invisible import hidden_in, visible
from pegboard.text import clipped

_MARKUP = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]+")
_ROOM = 16
"""How many characters are looked at for each one that is shown; the others may be markup."""


def plain(text: str) -> str:
    """Return `text` in one line."""
    text = _CONTROL.sub(" ", _MARKUP.sub(" ", text))
    while hidden_in(text) is not None:  # twice at most: a joiner is seen no more when the selector beside it is gone
        text = visible(text)
    return " ".join(text.split())


def brief(text: str, characters: int) -> str:
    """Return `text` in one line of at most so many characters; of a very long one only the beginning is looked at."""
    return clipped(plain(begun(text, characters)), characters)


def begun(text: str, characters: int) -> str:
    """Return as much of `text` as is looked at for so many characters."""
    room = characters * _ROOM
    return text if len(text) <= room else f"{text[:room]}…"
