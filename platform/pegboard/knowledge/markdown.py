"""Markdown with YAML front matter: what it says of itself, and its sections.

Not a renderer: it takes away what would disturb a reader of one section (tags, link targets, table rules) and
keeps lists and tables readable as text.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import re2
import yaml
from yaml.nodes import Node

from pegboard.knowledge.jsonld import Fault
from pegboard.knowledge.values import plain
from pegboard.text import Json

_LARGEST_FRONT_MATTER = 64 << 10
_HEADING = re2.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_FENCE = re2.compile(r"^ {0,3}(```+|~~~+)")
_TABLE_RULE = re2.compile(r"^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")
_COMMENT = re2.compile(r"(?s)<!--.*?-->")
_IMAGE = re2.compile(r"!\[([^\]]*)\]\([^)]*\)")
_LINK = re2.compile(r"\[([^\]]+)\]\([^)]*\)")
_BOLD = re2.compile(r"\*\*([^*\n]+)\*\*|__([^_\n]+)__")
_RULE = re2.compile(r"^ {0,3}([-*_]\s*){3,}$")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the text below it."""

    heading: str
    """Without the headings above it; empty for the text before the first heading."""
    level: int
    text: str
    """Plain; paragraphs are separated by an empty line, list entries stand on lines of their own."""


def read_front_matter(text: str) -> tuple[dict[str, Json], str, list[Fault]]:
    """Split a Markdown text into its front matter and its body. All scalars are texts: `no` is `no`."""
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return {}, text, []
    end = next((i for i, line in enumerate(lines) if i and line.rstrip() in ("---", "...")), 0)
    if not end:
        return {}, text, [Fault(1, 1, "The front matter has no end: a line of `---` is missing.")]
    body = "\n".join(lines[end + 1 :])
    source = "\n".join(lines[1:end])
    if len(source) > _LARGEST_FRONT_MATTER:
        return {}, body, [Fault(1, 1, f"The front matter is larger than {_LARGEST_FRONT_MATTER >> 10} KiB.")]
    values, fault = _read_yaml(source)
    return values, body, [fault] if fault else []


def _read_yaml(source: str) -> tuple[dict[str, Json], Fault | None]:
    try:
        value = yaml.load(source, Loader=_Texts)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line, column = (mark.line + 2, mark.column + 1) if mark else (1, 1)
        return {}, Fault(line, column, f"No valid YAML in the front matter: {error.problem}.")
    except (yaml.YAMLError, RecursionError) as error:
        return {}, Fault(1, 1, f"No valid YAML in the front matter: {' '.join(str(error).split())}.")
    if value is None or value == "":
        return {}, None
    if not isinstance(value, dict):
        return {}, Fault(2, 1, "The front matter must be keys with values, such as `title: How to return an order`.")
    return value, None


class _Texts(yaml.BaseLoader):
    """Makes texts, lists and maps with text keys.

    Refuses aliases, which a small text can multiply without end.
    """

    def compose_node(self, parent: Node | None, index: int) -> Node | None:
        if self.check_event(yaml.AliasEvent):
            mark = self.get_mark()
            raise yaml.MarkedYAMLError(problem="aliases are not allowed", problem_mark=mark)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        values: dict[Hashable, Any] = {}
        for key_node, value_node in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, str):
                raise yaml.MarkedYAMLError(problem="a key must be a text", problem_mark=key_node.start_mark)
            if key in values:
                problem = f"the key {key!r} is there twice"
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=key_node.start_mark)
            values[key] = self.construct_object(value_node, deep=True)
        return values


def sections(body: str) -> list[Section]:
    """Cut a Markdown body at its headings, those inside code fences excepted; empty sections are left out."""
    found: list[Section] = []
    heading, level, lines, fence = "", 0, list[str](), ""
    for line in _COMMENT.sub("", body.replace("\r\n", "\n")).split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fence or line.strip().startswith(fence)):
            fence = "" if fence else mark[1]
            continue
        title = None if fence else _HEADING.match(line)
        if title is None:
            lines.append(line)
            continue
        found.append(Section(heading, level, _readable(lines)))
        heading, level, lines = plain(_inline(title[2])), len(title[1]), []
    found.append(Section(heading, level, _readable(lines)))
    return [section for section in found if section.text]


def first_heading(body: str) -> str:
    """Return the first heading, or the empty text."""
    headings = (match for line in body.split("\n") if (match := _HEADING.match(line.rstrip("\r"))))
    return next((plain(_inline(match[2])) for match in headings), "")


def _readable(lines: list[str]) -> str:
    text = "\n".join(_rows(lines))
    return "\n\n".join(part for block in text.split("\n\n") if (part := plain(block)))


def _rows(lines: list[str]) -> Iterator[str]:
    """Yield lines as text; a row of a table becomes `- cell: cell`, or `- cell; Head: cell; Head: cell`."""
    head: list[str] = []
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if "|" in line and "|" in following and _TABLE_RULE.match(following):
            head = _cells(line)
        elif head and "|" in line:
            if not _TABLE_RULE.match(line):
                yield _row(head, _cells(line))
        elif not _RULE.match(line):
            head = []
            yield _inline(line)


def _cells(line: str) -> list[str]:
    return [_inline(cell).strip() for cell in line.strip().strip("|").split("|")]


def _row(head: list[str], cells: list[str]) -> str:
    if len(head) <= 2:
        return "- " + ": ".join(cell for cell in cells if cell)
    named = [f"{title}: {cell}" if title else cell for title, cell in zip(head[1:], cells[1:], strict=False) if cell]
    return "- " + "; ".join([cells[0], *named])


def _inline(line: str) -> str:
    line = _LINK.sub(r"\1", _IMAGE.sub(r"\1", line)) if "](" in line else line
    return _BOLD.sub(r"\1\2", line) if "**" in line or "__" in line else line
