"""How XML writes texts, attributes and comments."""

import re
from collections.abc import Iterable, Sequence

from pegboard.config.markup import dedented
from pegboard.config.write.comments import dedented as lines_of
from pegboard.config.write.tree import Comment

_IN_TEXT = {"&": "&amp;", "<": "&lt;", "\r": "&#13;"}
_IN_ATTRIBUTE = {**_IN_TEXT, '"': "&quot;", "\t": "&#9;", "\n": "&#10;"}
_HYPHENS = re.compile(r"-(\\*)(?=-)")


def text(value: str) -> str:
    """Return a text between tags."""
    return _escaped(value, _IN_TEXT).replace("]]>", "]]&gt;")


def attribute(value: str) -> str:
    """Return an attribute's value with its quotes."""
    return f'"{_escaped(value, _IN_ATTRIBUTE)}"'


def _escaped(value: str, table: dict[str, str]) -> str:
    return "".join(table.get(character, character) for character in value)


def element(name: str, attributes: str, value: str) -> list[str]:
    """Return the lines of an element with a text, so that reading it gives exactly this text."""
    lines = value.split("\n")
    if len(lines) == 1 and value == dedented(value):
        return [f"<{name}{attributes}>{text(value)}</{name}>"]
    if "\r" not in value and value == dedented("\n".join(["", *(f"  {line}" for line in lines), ""])):
        return [f"<{name}{attributes}>", *(f"  {text(line)}" if line else "" for line in lines), f"</{name}>"]
    return [f'<{name}{attributes} xml:space="preserve">{text(value)}</{name}>']


def comment(lines: Sequence[str]) -> list[str]:
    r"""Return the lines of a comment; XML has no `--` in it, so `-\-` stands for that."""
    written = [_HYPHENS.sub(r"-\1\\", line) for line in lines_of("\n".join(["", *lines]))]
    if len(written) == 1:
        return [f"<!-- {written[0]} -->" if written[0] else "<!-- -->"]
    return ["<!--", *(f"  {line}" if line else "" for line in written), "-->"]


def comments(found: Iterable[Comment]) -> list[list[str]]:
    """Return the lines of each comment."""
    return [comment(each.lines) for each in found]
