"""Read XML into elements that know where their names, attributes and text stand.

Expat reads (lxml knows only the line on which a start tag ends). No DOCTYPE, so no entity but the five of
XML; nothing is fetched. What the elements mean is `markup`'s business.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple
from xml.parsers import expat

from pegboard.config.node import MAX_DEPTH, MAX_NODES
from pegboard.config.problems import Problems
from pegboard.config.source import Source

_ATTRIBUTE = re.compile(r"""\s+([^\s=]+)\s*=\s*("[^"]*"|'[^']*')""")
_TAG_NAME = re.compile(r"<[^\s/>]+")
_REFERENCE = re.compile(r"&#?\w+;")


class Attribute(NamedTuple):
    """An attribute of an element."""

    name: str
    value: str
    start: int
    """Offset of its name."""
    value_start: int
    """Offset of the first character of its value."""
    value_end: int


@dataclass(slots=True, eq=False)
class Chunk:
    """A piece of text that stands in the file as one."""

    start: int
    end: int
    meaning: str | None = None
    """What stands there, where it is not what is written: `&` for `&amp;`. None: as it is written."""

    def text(self, source: Source) -> str:
        """Return the text."""
        return source.text[self.start : self.end] if self.meaning is None else self.meaning


@dataclass(slots=True, eq=False)
class Element:
    """An element."""

    name: str
    start: int
    """Offset of its `<`."""
    inner: int
    """Offset of its content."""
    end: int = 0
    is_empty_tag: bool = False
    """Written as `<name/>`."""
    attributes: tuple[Attribute, ...] = ()
    content: list["Chunk | Element"] = field(default_factory=list)

    @property
    def elements(self) -> list["Element"]:
        """The elements in it."""
        return [part for part in self.content if isinstance(part, Element)]

    def attribute(self, name: str) -> Attribute | None:
        """Return an attribute, or None."""
        return next((attribute for attribute in self.attributes if attribute.name == name), None)


class _Refused(Exception):
    """What ends the reading of a file; the problem was added already."""


def read_xml(source: Source, problems: Problems) -> Element | None:
    """Read a file's root element; None, and a problem, where it is no XML or holds what is not allowed."""
    builder = _Builder(source, problems)
    try:
        builder.parser.Parse(builder.data, True)
    except _Refused:
        return None
    except expat.ExpatError as error:
        builder.explain(error)
        return None
    return builder.root


class _Builder:
    """Makes elements of expat's events."""

    def __init__(self, source: Source, problems: Problems) -> None:
        self.root: Element | None = None
        self.data = source.text.encode()
        self._source = source
        self._problems = problems
        self._open: list[Element] = []
        self._nodes = 0
        self._bytes = 0
        self._characters = 0
        self.parser = expat.ParserCreate("utf-8")
        self.parser.ordered_attributes = True
        self.parser.buffer_text = False
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._doctype

    def explain(self, error: expat.ExpatError) -> None:
        """Turn expat's error into a problem that says what to do."""
        offset = self._offset(max(self.parser.ErrorByteIndex, 0))
        name = expat.errors.messages.get(error.code, "")
        span = self._source.span(min(offset, len(self._source.text.rstrip())))
        open_ = self._open[-1] if self._open else None
        also = (self._source.span(open_.start),) if open_ else ()
        match name:
            case expat.errors.XML_ERROR_TAG_MISMATCH if open_:
                message = f"this end tag closes nothing: <{open_.name}> is open"
                self._problems.add("PB003", span, message, hint=f"Close it with </{open_.name}> first.", also=also)
            case expat.errors.XML_ERROR_NO_ELEMENTS if open_:
                message = f"the file ends, and <{open_.name}> is open"
                self._problems.add("PB003", span, message, hint=f"Close it with </{open_.name}>.", also=also)
            case expat.errors.XML_ERROR_UNDEFINED_ENTITY:
                hint = "XML knows &lt; &gt; &amp; &quot; &apos; and numbers; write the character itself."
                self._problems.add("PB004", span, "an entity that XML itself does not know", hint=hint)
            case expat.errors.XML_ERROR_DUPLICATE_ATTRIBUTE:
                self._problems.add("PB005", span, "this attribute stands here a second time", hint="Remove one.")
            case _:
                hint = ""
                if name == expat.errors.XML_ERROR_INVALID_TOKEN:
                    hint = "Write &lt; for < and &amp; for &, or use <![CDATA[ ]]>; quote attributes."
                self._problems.add("PB003", span, f"XML: {name or error}", hint=hint)

    def _offset(self, at: int) -> int:
        """Return the offset in code points of a byte; they come in rising order."""
        if at < self._bytes:
            self._bytes = self._characters = 0
        self._characters += len(self.data[self._bytes : at].decode("utf-8", "ignore"))
        self._bytes = at
        return self._characters

    def _now(self) -> int:
        return self._offset(self.parser.CurrentByteIndex)

    def _refuse(self, message: str) -> _Refused:
        self._problems.add("PB004", self._source.span(self._now()), message)
        return _Refused()

    def _doctype(self, *_: object) -> None:
        start = max(self._source.text.rfind("<!DOCTYPE", 0, self._now() + 1), 0)
        hint = "Remove it; declarations need neither DTD nor entities."
        self._problems.add("PB004", self._source.span(start), "a DOCTYPE is not allowed", hint=hint)
        raise _Refused

    def _start(self, name: str, values: list[str]) -> None:
        self._nodes += 1 + len(values) // 2
        if self._nodes > MAX_NODES:
            raise self._refuse(f"the file holds more than {MAX_NODES} elements")
        if len(self._open) >= MAX_DEPTH:
            raise self._refuse(f"more than {MAX_DEPTH} levels of elements")
        start = self._now()
        attributes, tag_end = self._attributes(start, values[1::2])
        is_empty_tag = self._source.text.startswith("/", tag_end)
        inner = tag_end + (2 if is_empty_tag else 1)
        element = Element(name, start, inner, inner, is_empty_tag, attributes)
        if self._open:
            self._open[-1].content.append(element)
        else:
            self.root = element
        self._open.append(element)

    def _attributes(self, start: int, values: list[str]) -> tuple[tuple[Attribute, ...], int]:
        """Return the attributes of a well-formed start tag, and the offset of its `>` or `/>`."""
        text = self._source.text
        match = _TAG_NAME.match(text, start)
        position = match.end() if match else start
        found = list[Attribute]()
        for value in values:
            match = _ATTRIBUTE.match(text, position)
            assert match is not None
            position = match.end()
            found.append(Attribute(match[1], value, match.start(1), match.start(2) + 1, match.end(2) - 1))
        while text[position : position + 1].isspace():
            position += 1
        return tuple(found), position

    def _end(self, _: str) -> None:
        element = self._open.pop()
        if not element.is_empty_tag:
            element.end = self._source.text.index(">", self._now()) + 1

    def _text(self, text: str) -> None:
        """Add text, to the chunk before it where both stand in the file as they are."""
        if not self._open:
            return
        start = self._now()
        content = self._open[-1].content
        chunk = self._chunk(text, start)
        last = content[-1] if content else None
        if isinstance(last, Chunk) and last.end == start and last.meaning is None and chunk.meaning is None:
            last.end = chunk.end
        else:
            content.append(chunk)

    def _chunk(self, text: str, start: int) -> Chunk:
        if len(text) == 1 and (match := _REFERENCE.match(self._source.text, start)):
            return Chunk(start, match.end(), text)
        if text == "\n" and self._source.text.startswith("\r", start):
            return Chunk(start, start + (2 if self._source.text.startswith("\r\n", start) else 1), text)
        return Chunk(start, start + len(text))


class Text:
    """The text of an element, and where each of its characters stands."""

    def __init__(self, chunks: Sequence[Chunk], end: int, source: Source) -> None:
        texts = [chunk.text(source) for chunk in chunks]
        self.value = "".join(texts)
        self.end = end
        """Offset behind it."""
        self._chunks = chunks
        self._firsts = [0, *accumulate(map(len, texts))]

    def offset(self, index: int) -> int:
        """Return the offset in the file of the character at `index`."""
        if index >= self._firsts[-1]:
            return self.end
        which = bisect_right(self._firsts, index) - 1
        return self._chunks[which].start + index - self._firsts[which]


def text_of(element: Element, source: Source) -> Text:
    """Return everything between the tags; elements in it are text as they are written."""
    chunks = [part if isinstance(part, Chunk) else Chunk(part.start, part.end) for part in element.content]
    return Text(chunks, chunks[-1].end if chunks else element.inner, source)
