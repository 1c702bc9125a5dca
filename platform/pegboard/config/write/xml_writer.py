"""Write a tree as XML in our own form: what `config.markup` reads, NLWeb's habits not used."""

import re
from collections.abc import Iterable

from pegboard.config.markup import tag_of
from pegboard.config.problems import Problems
from pegboard.config.shape import Free, Languages, Leaf, ListOf, MapOf, Record, Shape, document_shape
from pegboard.config.syntax.source import Source
from pegboard.config.write import xml_text
from pegboard.config.write.tree import Collection, Comment, Mapping, Part, Scalar, Sequence, comments_of, plain
from pegboard.text import Json, to_json

OWN = "x-"
"""The element of a key of the author's own whose name XML cannot take."""
_NAME = re.compile(r"x-[A-Za-z0-9_.-]+")
_AS_ELEMENTS = frozenset({"handler"})
"""Short texts that are no attributes, as in NLWeb's form."""
_TAGS = {"returns": "returnStruc"}
_FREE = Free()


def write_xml(root: Mapping, source: Source, problems: Problems) -> str:
    """Return a document as XML; what XML cannot hold is a problem."""
    writer = _Writer(source, problems)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    for each in root.before:
        lines += xml_text.comment(each.lines)
    lines += writer.record("Tools", root, document_shape())
    return "".join(f"{line}\n" for line in lines)


class _Writer:
    def __init__(self, source: Source, problems: Problems) -> None:
        self._source = source
        self._problems = problems

    def record(self, name: str, part: Mapping, shape: Record) -> list[str]:
        """Return the element of a mapping with known keys."""
        attributes = [each for each in part.parts if _is_attribute(each, shape)]
        rest = [each for each in part.parts if each not in attributes]
        written = "".join(f" {each.key}={xml_text.attribute(_words(each))}" for each in attributes)
        head = [each.beside for each in (part, *attributes) if each.beside and isinstance(each, Mapping | Scalar)]
        inner = [line for each in attributes for line in _of_empty(each)]
        for each in rest:
            inner += self._entry(each, shape.keys.get(each.key, _FREE), is_first=not inner)
        for comment in part.below:
            inner += _apart(xml_text.comment(comment.lines), comment.has_gap and bool(inner))
        return _closed(name, written, head, inner)

    def _entry(self, part: Part, shape: Shape, *, is_first: bool) -> list[str]:
        """Return the elements of one key, with the comments above them."""
        return [*self._above(part, is_first=is_first), *self._elements(part, shape)]

    def _above(self, part: Part, *, is_first: bool) -> list[str]:
        lines: list[str] = []
        for comment in part.before:
            lines += _apart(xml_text.comment(comment.lines), comment.has_gap and not (is_first and not lines))
        return _with_gap(lines, part.has_gap and not (is_first and not lines))

    def _elements(self, part: Part, shape: Shape) -> list[str]:
        match part, shape:
            case Mapping(), Languages():
                return self._languages(part)
            case Collection(), ListOf(item=item):
                return self._items(part, tag_of(part.key, shape), item)
            case Collection(), Languages():
                return self._items(part, tag_of(part.key, shape), Leaf("text"))
            case _, Free() if part.key.startswith("x-") or part.key == "$schema":
                return self._own(part)
            case _:
                return self._element(_TAGS.get(part.key, part.key), "", part, shape)

    def _items(self, part: Collection, tag: str, shape: Shape, attributes: str = "") -> list[str]:
        beside = [Comment((part.beside,))] if part.beside else []
        lines = [line for comment in beside for line in xml_text.comment(comment.lines)]
        for number, item in enumerate(part.parts):
            lines += self._above(item, is_first=not number)
            lines += self._element(tag, attributes, item, shape)
        for comment in part.below:
            lines += _apart(xml_text.comment(comment.lines), comment.has_gap)
        return lines

    def _languages(self, part: Mapping) -> list[str]:
        lines = xml_text.comment((part.beside,)) if part.beside else []
        for each in part.parts:
            if not isinstance(each, Collection) or not each.parts:
                self._cannot(each, f"an empty list of examples in {each.key!r} cannot be written in XML")
                continue
            attributes = f" lang={xml_text.attribute(each.key)}" if each.key else ""
            lines += self._above(each, is_first=not lines)
            lines += self._items(each, tag_of(part.key, Languages()), Leaf("text"), attributes)
        for comment in part.below:
            lines += _apart(xml_text.comment(comment.lines), comment.has_gap)
        return lines

    def _element(self, tag: str, attributes: str, part: Part, shape: Shape) -> list[str]:
        match part, shape:
            case Mapping(), Record():
                return self.record(tag, part, shape)
            case Mapping(), MapOf(value=value):
                return self._free_keys(tag, part, value)
            case Scalar(value=value), Leaf() if value is not None:
                return _beside(xml_text.element(tag, attributes, _words(part)), part.beside)
            case _, Free():
                return self._json(tag, attributes, part)
            case _:
                self._cannot(part, f"{part.key or tag!r} cannot be written in XML: it has no value that fits")
                return []

    def _free_keys(self, tag: str, part: Mapping, shape: Shape) -> list[str]:
        inner: list[str] = []
        for each in part.parts:
            inner += self._above(each, is_first=not inner)
            inner += self._element("entry", f" name={xml_text.attribute(each.key)}", each, shape)
        for comment in part.below:
            inner += _apart(xml_text.comment(comment.lines), comment.has_gap and bool(inner))
        return _closed(tag, "", [part.beside] if part.beside else [], inner)

    def _json(self, tag: str, attributes: str, part: Part) -> list[str]:
        """Return an element with JSON text; the comments in it stand above."""
        inside = [*comments_of(part)][len(part.before) :]
        above = [line for comment in inside for line in xml_text.comment(comment.lines)]
        lines = to_json(plain(part), indent=2).split("\n")
        if len(lines) == 1:
            return [*above, f"<{tag}{attributes}>{xml_text.text(lines[0])}</{tag}>"]
        body = (f"  {xml_text.text(line)}" for line in lines)
        return [*above, f"<{tag}{attributes}>", *body, f"</{tag}>"]

    def _own(self, part: Part) -> list[str]:
        if _NAME.fullmatch(part.key):
            return self._json(part.key, "", part)
        return self._json(OWN, f" name={xml_text.attribute(part.key)}", part)

    def _cannot(self, part: Part, message: str) -> None:
        span = self._source.span(part.start)
        self._problems.add("PB110", span, message, hint="Remove the key, or keep this document in YAML or JSON.")


def _is_attribute(part: Part, shape: Record) -> bool:
    """Tell whether a key becomes an attribute: what is short, and has no comment of its own."""
    wanted = shape.keys.get(part.key)
    if isinstance(part, Collection):
        return not part.parts and isinstance(wanted, ListOf | Languages)
    if not isinstance(part, Scalar) or not isinstance(wanted, Leaf) or part.value is None:
        return False
    if part.key == "name":
        return not part.before
    if part.key in _AS_ELEMENTS or [*comments_of(part)]:
        return False
    return wanted.kind != "text" or bool(wanted.choices) or not wanted.takes_variables


def _of_empty(part: Part) -> list[str]:
    """Return the comments of an empty list, which as an attribute has no place for them."""
    found = comments_of(part) if isinstance(part, Sequence) else ()
    return [line for comment in found for line in xml_text.comment(comment.lines)]


def _words(part: Part) -> str:
    """Return a value as the text that XML holds."""
    if not isinstance(part, Scalar):
        return ""
    value: Json = part.value
    return value if isinstance(value, str) else to_json(value)


def _closed(name: str, attributes: str, head: list[str], inner: Iterable[str]) -> list[str]:
    beside = "".join(f"  {line}" for each in head for line in xml_text.comment((each,)))
    body = [f"  {line}" if line else "" for line in inner]
    if not body:
        return [f"<{name}{attributes}/>{beside}"]
    return [f"<{name}{attributes}>{beside}", *body, f"</{name}>"]


def _beside(lines: list[str], comment: str) -> list[str]:
    if comment:
        lines[-1] += "".join(f"  {line}" for line in xml_text.comment((comment,)))
    return lines


def _apart(lines: list[str], has_gap: bool) -> list[str]:
    return ["", *lines] if has_gap else lines


def _with_gap(lines: list[str], has_gap: bool) -> list[str]:
    return [*lines, ""] if has_gap else lines
