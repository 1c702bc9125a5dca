"""Sentences: how running text and passages fall into them.

Markdown is read as people read it: a list keeps its head, a row of a table becomes a line. Not here: which of
them answer a question (`answering`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pegboard.catalog.contract import Passage

_END = re.compile(
    r"(?<=[.!?])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[^a-z\s])|(?<=[。！？])[”’」』）]*\s*(?![”’」』）])|(?<=…)\s+"
)
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|approx|tbsp|tsp|No|vs|St|Mr|Mrs|Dr|min|max|oz|lb)\.|\b[A-Z]\.)$")
_LIST = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)、])\s+(?=\S)")
_ENTRY = re.compile(r"^(?:[-*+•]|\d{1,2}[.)、])\s", re.MULTILINE)
_FIRST_STEP = re.compile(r"^1[.)、]\s", re.MULTILINE)
_RULE = re.compile(r"^\s*\|?[\s:|-]*-[\s:|-]*$")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_MARKUP = re.compile(r"\*\*|__|`|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)")


def sentences(text: str) -> list[str]:
    """Split running text into sentences; the marks that end them stay."""
    flat = " ".join(text.split())
    ends = [match.end() for match in _END.finditer(flat)] + [len(flat)]
    found: list[str] = []
    for start, end in zip([0, *ends], ends, strict=False):
        part = flat[start:end].strip()
        if found and _ABBREVIATION.search(found[-1]):
            found[-1] = f"{found[-1]} {part}"
        elif part:
            found.append(part)
    return found


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of a passage, or a list with its head."""

    text: str
    passage: Passage
    position: int
    """In its passage, from 0."""


def said(passage: Passage) -> list[Said]:
    """Return what a passage says, piece by piece; a list belongs to the sentence that announces it."""
    return [Said(text, passage, position) for position, text in enumerate(_pieces(passage.text))]


def is_list(text: str) -> bool:
    """Tell whether a piece of `said` is a list."""
    return bool(_ENTRY.search(text))


def is_ordered(text: str) -> bool:
    """Tell whether `text` holds steps in their order: a list that counts from 1."""
    return bool(_FIRST_STEP.search(text))


def _pieces(text: str) -> Iterator[str]:
    head = ""
    lines: list[str] = []
    for kind, piece in _lines(text):
        if kind == "entry":
            lines.append(piece)
            continue
        if head or lines:
            yield _list(head, lines)
            head, lines = "", []
        *before, last = sentences(piece) or [""]
        yield from before
        if last.endswith((":", "：")):
            head = last
        elif last:
            yield last
    if head or lines:
        yield _list(head, lines)


def _list(head: str, lines: list[str]) -> str:
    return "\n".join([*([head] if head else []), *lines])


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """Yield ("text", paragraph) and ("entry", line of a list or table)."""
    paragraph: list[str] = []
    header: list[str] = []
    for line in [*text.splitlines(), ""]:
        plain = _MARKUP.sub("", _LINK.sub(r"\1", line)).strip()
        is_entry = bool(_LIST.match(line)) or plain.startswith("|")
        if (is_entry or not plain or plain.startswith("#")) and paragraph:
            yield "text", " ".join(paragraph)
            paragraph = []
        if (_RULE.match(plain) and "|" in plain) or plain.startswith("#"):
            continue
        if plain.startswith("|"):
            cells = [cell.strip() for cell in plain.strip("|").split("|")]
            if header:
                yield "entry", "- " + _row(header, cells)
            header = header or cells
        elif is_entry:
            yield "entry", plain
        elif plain:
            paragraph.append(plain)
        if not plain.startswith("|"):
            header = []


def _row(header: Sequence[str], cells: Sequence[str]) -> str:
    """Write a row of a table: `Oversize item: $25`, with the column's name where there are more than two."""
    first, *rest = cells or [""]
    if len(rest) <= 1:
        return f"{first}: {rest[0]}" if rest else first
    named = [f"{name} {cell}" for name, cell in zip(header[1:], rest, strict=False) if cell]
    return f"{first}: {', '.join(named)}"
