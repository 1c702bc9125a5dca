"""Arguments that are shown nowhere: `masked` arguments, and a text that is `scrubbed` of their values."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from urllib.parse import quote, quote_plus

from pegboard.catalog.tool import Tool
from pegboard.text import Json, to_json

MASK = "***"
_SHORT = 3
"""Characters of a value that is taken out of a text only where it stands as a word of its own."""


def masked(tool: Tool, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """Return `arguments` to be shown: those that the tool's `call.redact` names are `***`."""
    hidden = tool.limits.redact
    return {name: MASK if name in hidden else value for name, value in arguments.items()} if hidden else {**arguments}


def scrubbed(text: str, tool: Tool, arguments: Mapping[str, Json], hidden_too: Iterable[str] = ()) -> str:
    """Return `text` without the values of arguments that are shown nowhere, however they are written in it.

    These are those that `tool` names, and `hidden_too`: those of the tool that it is called instead of.
    """
    hidden = [name for name in {*tool.limits.redact, *hidden_too} if name in arguments]
    values = {value for name in hidden for value in _texts(arguments[name])}
    for spelling in sorted({each for value in values for each in _spellings(value)}, key=len, reverse=True):
        pattern = re.escape(spelling)
        text = re.sub(pattern if len(spelling) > _SHORT else rf"(?<!\w){pattern}(?!\w)", MASK, text)
        text = _without_its_beginning(spelling, text)
    return text


def _without_its_beginning(spelling: str, text: str) -> str:
    """Return `text` without what is left of `spelling` where it was clipped, which `…` marks."""
    before, *after = text.split("…")
    pieces = [before] if not after else [_cut(spelling, piece) for piece in (before, *after[:-1])] + after[-1:]
    return "…".join(pieces)


def _cut(spelling: str, piece: str) -> str:
    lengths = range(min(len(spelling) - 1, len(piece)), _SHORT, -1)
    length = next((each for each in lengths if piece.endswith(spelling[:each])), 0)
    return piece[: len(piece) - length] + MASK if length else piece


def _texts(value: Json) -> Iterator[str]:
    match value:
        case dict():
            yield from (text for each in value.values() for text in _texts(each))
        case list():
            yield from (text for each in value for text in _texts(each))
        case None | bool() | "":
            return
        case float() if value.is_integer():
            yield from (str(value), str(int(value)))
        case int():
            yield from _written(value)
        case _:
            yield str(value)


def _written(number: int) -> Iterator[str]:
    """Yield a whole number as it may stand in a text, which one of thousands of digits does not."""
    with suppress(ValueError, OverflowError):
        yield str(number)
        yield str(float(number))


def _spellings(value: str) -> set[str]:
    """Return a text as it is, and as it stands in JSON, in Python and in a URL."""
    flat = " ".join(value.split()) or value
    return {value, flat, to_json(value)[1:-1], repr(value)[1:-1], *_quoted(value)}


def _quoted(value: str) -> set[str]:
    data = value.encode("utf-8", "replace")
    return {quote(data, safe=""), quote(data), quote_plus(data)}
