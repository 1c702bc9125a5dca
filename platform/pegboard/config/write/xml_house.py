"""Write XML in the house form as it is: elements, NLWeb's too, keep their names, texts and comments.

Texts are indented anew where blanks around them mean nothing; what cannot be indented stays as it was.
"""

from dataclasses import dataclass, field

from pegboard.config.declarations import ToolDeclaration
from pegboard.config.markup import dedented, tag_of
from pegboard.config.shape import ListOf, MapOf, Record, Shape, document_shape, record_of
from pegboard.config.syntax.source import Source
from pegboard.config.syntax.xml_reader import Attribute, Chunk, Element
from pegboard.config.write import xml_text
from pegboard.config.write.comments import Found, between, has_gap, line_start, xml_comments
from pegboard.config.write.order import rank

_APART = frozenset({"Site", "site", "Tool", "tool"})
_FIRST_IN_TOOL = ("path", "method", "argument")
_TAGS = {"returnStruc": "returns"}


@dataclass(slots=True)
class _Child:
    """An element or processing instruction with the comments that go with it."""

    element: Element | None
    before: list[Found] = field(default_factory=list)
    beside: list[Found] = field(default_factory=list)
    has_gap: bool = False


def house_xml(root: Element, source: Source) -> str:
    """Return the text of a file in the house form."""
    writer = _Writer(source, xml_comments(source))
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines += writer.outside(0, root.start)
    lines += writer.element(root, document_shape())
    lines += writer.outside(root.end, len(source.text))
    return "".join(f"{line}\n" for line in lines)


class _Writer:
    def __init__(self, source: Source, comments: list[Found]) -> None:
        self._source = source
        self._comments = comments

    def outside(self, start: int, end: int) -> list[str]:
        """Return the comments and instructions before or behind the root element."""
        lines: list[str] = []
        position = start
        for found in self._between(start, end):
            lines += self._instructions(position, found.start)
            lines += xml_text.comment(found.comment.lines)
            position = found.end
        return [*lines, *self._instructions(position, end)]

    def _between(self, start: int, end: int) -> list[Found]:
        return between(self._comments, start, end)

    def _instructions(self, start: int, end: int) -> list[str]:
        pieces = self._source.text[start:end].split("<?")[1:]
        return [f"<?{piece.partition('?>')[0]}?>" for piece in pieces if piece.split(maxsplit=1)[:1] != ["xml"]]

    def element(self, element: Element, shape: Shape | None) -> list[str]:
        """Return the lines of an element."""
        tag = f"<{element.name}{self._attributes(element, shape)}"
        if self._holds_text(element):
            return self._text(element, tag)
        children, behind = self._children(element)
        if isinstance(shape, Record) or element.name == "Tools":
            record = shape if isinstance(shape, Record) else document_shape()
            has_sites = any(each.name == "Site" for each in element.elements)
            children.sort(key=lambda child: _rank(child.element, record, has_sites=has_sites))
        head = children[0].beside if children and children[0].element is None else []
        lines = [f"{tag}>" + "".join(f"  {line}" for found in head for line in xml_text.comment(found.comment.lines))]
        body: list[str] = []
        for child in children:
            if child.element is not None:
                body += self._child(child, child.element, shape, is_first=not body)
        for found in behind:
            body += [""] if found.comment.has_gap and body else []
            body += xml_text.comment(found.comment.lines)
        if not body and not head:
            return [f"{tag}/>"]
        return [*lines, *(f"  {line}" if line else "" for line in body), f"</{element.name}>"]

    def _child(self, child: _Child, element: Element, shape: Shape | None, *, is_first: bool) -> list[str]:
        is_apart = element.name in _APART or element.name[:1].isupper()
        lines: list[str] = []
        for number, found in enumerate(child.before):
            has_gap = found.comment.has_gap or (is_apart and not number)
            lines += [""] if has_gap and not (is_first and not lines) else []
            lines += xml_text.comment(found.comment.lines)
        if (child.has_gap or (is_apart and not child.before)) and not (is_first and not lines):
            lines.append("")
        written = self.element(element, _shape_of(element, shape))
        for found in child.beside:
            written[-1] += "".join(f"  {line}" for line in xml_text.comment(found.comment.lines))
        return [*lines, *written]

    def _children(self, owner: Element) -> tuple[list[_Child], list[Found]]:
        """Return what is in an element with the comments of each, and the comments behind the last.

        A comment on the line of the start tag comes first, with no element.
        """
        children: list[_Child] = []
        position = owner.inner
        for element in owner.elements:
            child = _Child(element)
            for found in self._between(position, element.start):
                self._place(found, children, child)
            begin = line_start(self._source.text, element.start)
            child.has_gap = not self._source.text[begin : element.start].strip() and has_gap(self._source.text, begin)
            children.append(child)
            position = element.end
        last = _Child(None)
        for found in self._between(position, owner.end):
            self._place(found, children, last)
        return children, last.before

    def _place(self, found: Found, children: list[_Child], following: _Child) -> None:
        if found.is_alone or len(found.comment.lines) > 1:
            following.before.append(found)
        elif children:
            children[-1].beside.append(found)
        else:
            children.append(_Child(None, beside=[found]))

    def _holds_text(self, element: Element) -> bool:
        chunks = [part for part in element.content if isinstance(part, Chunk)]
        has_text = any(chunk.text(self._source).strip() for chunk in chunks)
        return has_text or (not element.elements and bool(chunks)) or self._has_cdata(element)

    def _has_cdata(self, element: Element) -> bool:
        return not element.elements and "<![CDATA[" in self._source.text[element.inner : element.end]

    def _text(self, element: Element, tag: str) -> list[str]:
        """Return an element with a text, which is spelled as it was."""
        raw = self._raw(element)
        space = element.attribute("xml:space")
        is_fixed = (space is not None and space.value == "preserve") or element.elements or "<!--" in raw
        if is_fixed or "&#" in raw or "<?" in raw:
            return [f"{tag}>{raw}</{element.name}>"]
        lines = dedented(raw).split("\n")
        if len(lines) == 1:
            return [f"{tag}>{lines[0]}</{element.name}>" if lines[0] else f"{tag}/>"]
        return [f"{tag}>", *(f"  {line}" if line else "" for line in lines), f"</{element.name}>"]

    def _raw(self, element: Element) -> str:
        """Return what stands between the tags."""
        if element.is_empty_tag:
            return ""
        text = self._source.text
        return text[element.inner : text.rindex("</", element.inner, element.end)]

    def _attributes(self, element: Element, shape: Shape | None) -> str:
        attributes = [*element.attributes]
        if isinstance(shape, Record):
            attributes.sort(key=lambda attribute: rank(attribute.name, shape))
        return "".join(f" {attribute.name}={self._value(attribute)}" for attribute in attributes)

    def _value(self, attribute: Attribute) -> str:
        raw = self._source.text[attribute.value_start : attribute.value_end]
        quote = "'" if '"' in raw else '"'
        return f"{quote}{raw}{quote}"


def _shape_of(element: Element, owner: Shape | None) -> Shape | None:
    """Return what an element holds, as far as that is known."""
    if element.name in {"Tool", "tool"}:
        return record_of(ToolDeclaration)
    if isinstance(owner, MapOf):
        return owner.value
    if isinstance(owner, Record):
        for key, shape in owner.keys.items():
            if element.name == tag_of(key, shape):
                return shape.item if isinstance(shape, ListOf) else shape
    return None


def _rank(element: Element | None, record: Record, *, has_sites: bool) -> tuple[int, int]:
    """Return where an element stands in its owner; `has_sites`: it holds NLWeb's `<Site>`."""
    if element is None:
        return -1, 0
    name = _TAGS.get(element.name, element.name)
    if record is document_shape():
        if element.name[:1].isupper() or (element.name == "site" and has_sites):
            name = "tool"  # tools and NLWeb's sites are read in the order of the file
    elif name in _FIRST_IN_TOOL:
        return 1, _FIRST_IN_TOOL.index(name)
    key = next((key for key, shape in record.keys.items() if tag_of(key, shape) == name), name)
    return rank(key, record)
