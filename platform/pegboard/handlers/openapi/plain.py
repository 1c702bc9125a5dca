"""Texts of a document as a model is shown them: no markup, and nothing that nobody sees."""

import re

from pegboard.catalog.invisible import hidden_in

_MARKUP = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]+")


def plain(text: str) -> str:
    """Return `text` in one line."""
    text = _CONTROL.sub(" ", _MARKUP.sub(" ", text))
    while (character := hidden_in(text)) is not None:
        text = text.replace(character, "")
    return " ".join(text.split())
