"""Arguments that are shown nowhere: `masked` arguments, and a text that is `scrubbed` of their values."""

import re
from collections.abc import Iterator, Mapping
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


def scrubbed(text: str, tool: Tool, arguments: Mapping[str, Json]) -> str:
    """Return `text` without the values of arguments that are shown nowhere, however they are written in it."""
    hidden = [name for name in tool.limits.redact if name in arguments]
    values = {value for name in hidden for value in _texts(arguments[name])}
    for spelling in sorted({each for value in values for each in _spellings(value)}, key=len, reverse=True):
        pattern = re.escape(spelling)
        text = re.sub(pattern if len(spelling) > _SHORT else rf"(?<!\w){pattern}(?!\w)", MASK, text)
    return text


def _texts(value: Json) -> Iterator[str]:
    match value:
        case dict():
            yield from (text for each in value.values() for text in _texts(each))
        case list():
            yield from (text for each in value for text in _texts(each))
        case None | bool() | "":
            return
        case _:
            yield str(value)


def _spellings(value: str) -> set[str]:
    """Return a text as it is, and as it stands in JSON, in Python and in a URL."""
    return {value, to_json(value)[1:-1], repr(value)[1:-1], quote(value, safe=""), quote(value), quote_plus(value)}
