"""Read XML into elements that know where their names, attributes and text stand.

Expat reads (lxml knows only the line on which a start tag ends). No DOCTYPE, so no entity but the five of
XML; nothing is fetched. Expat is asked for tags only: what stands between two of them is cut out of the source,
and taken apart when somebody asks for its text. What the elements mean is `markup`'s business.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple
from xml.parsers import expat

from pegboard.config.problems import Problems
from pegboard.config.syntax.node import MAX_DEPTH, most_nodes
from pegboard.config.syntax.source import Source

_SPACES = re.compile(r"[ \t\r\n]*")
_VALUE = re.compile(r"""[ \t\r\n]*=[ \t\r\n]*("[^"]*"|'[^']*')""")
_MARKUP = re.compile(r"<!\[CDATA\[|<!--.*?-->|<\?.*?\?>|&#?\w+;|\r\n", re.DOTALL)
"""What is not text as it is written, outside of CDATA."""
_IN_CDATA = re.compile(r"\]\]>|\r\n")
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&apos;": "'"}


_NODES_OF_ELEMENT = 3
"""What an element counts: itself, and the key and the value that become of it."""


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
    """What stands between two tags: text, references, CDATA, comments."""

    start: int
    end: int

    def text(self, source: Source) -> str:
        """Return the text of it."""
        raw = source.text[self.start : self.end]
        return raw if _is_text(raw) else "".join(piece.text for piece in _pieces(source.text, self.start, self.end))


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
        if not self.attributes:
            return None
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
        self._most_nodes = most_nodes(len(source.text))
        self._chunk = 0
        """Offset behind the last tag."""
        self._is_ascii = len(self.data) == len(source.text)
        self._bytes = 0
        self._characters = 0
        self.parser = expat.ParserCreate("utf-8")
        self.parser.ordered_attributes = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
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
            case expat.errors.XML_ERROR_SYNTAX if not self._source.text.lstrip("\ufeff \r\n\t").startswith("<"):
                hint = "A document in YAML is called *.yaml, one in JSON *.json."
                self._problems.add("PB003", span, "XML begins with `<`", hint=hint)
            case _:
                hint = ""
                if name == expat.errors.XML_ERROR_INVALID_TOKEN:
                    hint = "Write &lt; for < and &amp; for &, or use <![CDATA[ ]]>; quote attributes."
                self._problems.add("PB003", span, f"XML: {name or error}", hint=hint)

    def _offset(self, at: int) -> int:
        """Return the offset in code points of a byte; they come in rising order."""
        if self._is_ascii:
            return at
        if at < self._bytes:
            self._bytes = self._characters = 0
        self._characters += len(self.data[self._bytes : at].decode("utf-8", "ignore"))
        self._bytes = at
        return self._characters

    def _now(self) -> int:
        return self._offset(self.parser.CurrentByteIndex)

    def _refuse(self, message: str, hint: str = "") -> _Refused:
        self._problems.add("PB004", self._source.span(self._now()), message, hint=hint)
        return _Refused()

    def _doctype(self, *_: object) -> None:
        start = max(self._source.text.rfind("<!DOCTYPE", 0, self._now() + 1), 0)
        hint = "Remove it; declarations need neither DTD nor entities."
        self._problems.add("PB004", self._source.span(start), "a DOCTYPE is not allowed", hint=hint)
        raise _Refused

    def _start(self, name: str, values: list[str]) -> None:
        self._nodes += _NODES_OF_ELEMENT + len(values) // 2
        if self._nodes > self._most_nodes:
            message = f"the file holds more than {self._most_nodes} elements and attributes"
            raise self._refuse(message, "Split it into several files.")
        if len(self._open) >= MAX_DEPTH:
            raise self._refuse(f"more than {MAX_DEPTH} levels of elements")
        start = self._now()
        text, tag_end = self._source.text, start + 1 + len(name)
        attributes = tuple[Attribute, ...]()
        if values or text[tag_end] not in "/>":
            attributes, tag_end = self._attributes(tag_end, values)
        is_empty_tag = text[tag_end] == "/"
        inner = tag_end + (2 if is_empty_tag else 1)
        element = Element(name, start, inner, inner, is_empty_tag, attributes)
        if self._open:
            self._text(start)
            self._open[-1].content.append(element)
        else:
            self.root = element
        self._chunk = inner
        self._open.append(element)

    def _attributes(self, position: int, values: list[str]) -> tuple[tuple[Attribute, ...], int]:
        """Return the attributes of a well-formed start tag, and the offset of its `>` or `/>`."""
        text, found = self._source.text, list[Attribute]()
        for name, value in zip(values[::2], values[1::2], strict=True):
            start = _behind(_SPACES, text, position)
            match = _VALUE.match(text, start + len(name))
            assert match is not None
            position = match.end()
            found.append(Attribute(name, value, start, match.start(1) + 1, match.end(1) - 1))
        return tuple(found), _behind(_SPACES, text, position)

    def _end(self, _: str) -> None:
        element = self._open[-1]
        if not element.is_empty_tag:
            start = self._now()
            self._text(start)
            element.end = self._chunk = self._source.text.index(">", start) + 1
        self._open.pop()

    def _text(self, end: int) -> None:
        """Add what stands before the tag at `end` to the element that is open."""
        start, text = self._chunk, self._source.text
        if end > start and (text.find("<", start, end) < 0 or any(_pieces(text, start, end))):
            self._open[-1].content.append(Chunk(start, end))


def _behind(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position


class _Piece(NamedTuple):
    """A piece of text, and the offset of where it is written."""

    start: int
    text: str


def _pieces(text: str, start: int, end: int) -> Iterator[_Piece]:
    """Take apart what stands between two tags; each piece is as long in the file, or is one character.

    A line ends with one line feed, however the file ends it.
    """
    is_cdata = False
    while match := (_IN_CDATA if is_cdata else _MARKUP).search(text, start, end):
        if match.start() > start:
            yield _Piece(start, text[start : match.start()].replace("\r", "\n"))
        start, written = match.end(), match[0]
        if written == "\r\n":
            start -= 1
        elif written in {"<![CDATA[", "]]>"}:
            is_cdata = not is_cdata
        elif written[0] == "&":
            yield _Piece(match.start(), _meaning(written))
    if start < end:
        yield _Piece(start, text[start:end].replace("\r", "\n"))


def _is_text(raw: str) -> bool:
    """Tell whether what stands between two tags is text as it is written."""
    return not ("&" in raw or "<" in raw or "\r" in raw)


def _meaning(reference: str) -> str:
    """Return the character that a reference stands for."""
    if reference.startswith("&#x"):
        return chr(int(reference[3:-1], 16))
    return chr(int(reference[2:-1])) if reference.startswith("&#") else _ENTITIES[reference]


class Text:
    """The text of an element, and where each of its characters stands."""

    __slots__ = ("_firsts", "_starts", "end", "value")

    def __init__(self, pieces: Sequence[_Piece], end: int) -> None:
        texts = [text for _, text in pieces]
        self.value = texts[0] if len(texts) == 1 else "".join(texts)
        self.end = end
        """Offset behind it."""
        self._starts = [start for start, _ in pieces]
        self._firsts = [0, *accumulate(map(len, texts))]

    def offset(self, index: int) -> int:
        """Return the offset in the file of the character at `index`."""
        if index >= self._firsts[-1]:
            return self.end
        which = bisect_right(self._firsts, index) - 1
        return self._starts[which] + index - self._firsts[which]


def text_of(element: Element, source: Source) -> Text:
    """Return everything between the tags; elements in it are text as they are written."""
    end = element.content[-1].end if element.content else element.inner
    pieces = list[_Piece]()
    for part in element.content:
        raw = source.text[part.start : part.end]
        if isinstance(part, Element) or _is_text(raw):
            pieces.append(_Piece(part.start, raw))
        else:
            pieces += _pieces(source.text, part.start, part.end)
    return Text(pieces, end)
