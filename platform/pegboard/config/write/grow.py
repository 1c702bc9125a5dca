"""Make the tree that is written of the nodes that were read, led by the shape of documents.

What XML leaves open (whether a text is a number) and what YAML 1.1 and 1.2 read differently is settled here.
Variables stay as they are written.
"""

import re
from dataclasses import dataclass

from pegboard.config.shape import Free, Languages, Leaf, ListOf, MapOf, Record, Shape, document_shape
from pegboard.config.syntax.node import Entry, List, Map, Node
from pegboard.config.syntax.node import Scalar as ReadScalar
from pegboard.config.syntax.source import Source
from pegboard.config.write.comments import line_start
from pegboard.config.write.tree import Mapping, Part, Scalar, Sequence
from pegboard.text import TRUTHS

_NUMBER = re.compile(r"[-+]?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?")
_TEXT = Leaf("text")


def grow(node: Map, syntax: str) -> Mapping:
    """Return the tree of a document that was read from `syntax`."""
    root = _Grower(node.source, syntax).part(node, document_shape())
    assert isinstance(root, Mapping)
    root.start, root.end = node.start, node.end
    return root


@dataclass(frozen=True, slots=True)
class _Grower:
    source: Source
    syntax: str

    def part(self, node: Node, shape: Shape) -> Part:
        """Return the part that a node is; the caller says where it stands."""
        match node:
            case Map():
                return self._mapping(node, shape)
            case List():
                return self._sequence(node, shape)
            case ReadScalar():
                value = _settled(node, shape)
                is_number = self.syntax == "json" and not isinstance(value, str)
                return Scalar(value=value, spelled=node.written if is_number else "")

    def _mapping(self, node: Map, shape: Shape) -> Part:
        if isinstance(shape, Languages) and not set(node.entries) - {""}:
            plain = node.get("")
            return self._sequence(plain if plain is not None else node, shape)
        mapping = Mapping(column=self._column(node))
        for key, entry in node.entries.items():
            part = self.part(entry.value, _below(shape, key))
            part.key = key
            self._place(part, entry.start, entry.value)
            if not self._stands_in(entry, node):
                part.mark = None
            mapping.parts.append(part)
        return mapping

    def _stands_in(self, entry: Entry, owner: Map) -> bool:
        """Tell whether a key stands in its mapping, where it can have comments.

        Keys that YAML merged or that NLWeb's form implies do not, and in an attribute there is no comment.
        """
        if self.syntax == "xml":
            before, first = self.source.text[entry.start - 1], self.source.text[entry.start]
            if entry.start in {entry.end, owner.start + 1} or (before.isspace() and first != '"'):
                return False
        return owner.start <= entry.start < owner.end

    def _sequence(self, node: Node, shape: Shape) -> Sequence:
        sequence = Sequence(column=self._column(node))
        for item in node.items if isinstance(node, List) else ():
            part = self.part(item, shape.item if isinstance(shape, ListOf) else _inside(shape))
            self._place(part, item.start, item)
            if not node.start <= item.start < node.end:
                part.mark = None
            sequence.parts.append(part)
        return sequence

    def _column(self, node: Node) -> int | None:
        text = self.source.text
        if self.syntax != "yaml" or text.startswith(("[", "{"), node.start):
            return None
        return node.start - line_start(text, node.start)

    def _place(self, part: Part, start: int, value: Node) -> None:
        """Say where a part stands; one that an alias brought here has no place for comments."""
        part.start, part.end, part.mark = start, value.end, value.end
        if self.syntax == "xml":
            self._place_in_xml(part, value)
            return
        if value.start < start:
            part.end, part.mark = start, None
        elif getattr(part, "column", None) is not None:
            part.mark = start
        elif self.source.text.startswith(("|", ">"), value.start):
            part.mark = value.start
        if part.mark is None:
            _forget_places(part)

    def _place_in_xml(self, part: Part, value: Node) -> None:
        text = self.source.text
        if isinstance(part, Sequence):
            part.start = min(part.start, value.start)
            part.mark = part.start if any(each.mark is not None for each in part.parts) else None
        elif isinstance(part, Mapping):
            part.mark = part.start
        elif text.startswith("<", value.start - 1):
            part.mark = None  # the name of an element that stands for a value


def _forget_places(part: Part) -> None:
    part.mark = None
    if isinstance(part, Mapping | Sequence):
        for below in part.parts:
            _forget_places(below)


def _below(shape: Shape, key: str) -> Shape:
    match shape:
        case Record(keys=keys):
            return keys.get(key, Free())
        case MapOf(value=value):
            return value
        case Languages():
            return ListOf(_TEXT)
        case _:
            return Free()


def _inside(shape: Shape) -> Shape:
    return _TEXT if isinstance(shape, Languages) else Free()


def _settled(node: ReadScalar, shape: Shape) -> bool | int | float | str | None:
    """Return the value that is meant where `shape` is wanted."""
    value = node.value
    if not isinstance(shape, Leaf) or (isinstance(value, str) and "${" in value):
        return value
    if isinstance(value, str):
        return _typed(value, shape) if node.is_untyped else value
    return node.written if shape.kind == "text" and node.written in shape.choices else value


def _typed(text: str, leaf: Leaf) -> bool | int | float | str:
    stripped = text.strip()
    if leaf.kind == "flag":
        return TRUTHS.get(stripped.lower(), text)
    if leaf.kind == "number" and _NUMBER.fullmatch(stripped):
        return float(stripped) if set(stripped) & set(".eE") else int(stripped)
    return text
