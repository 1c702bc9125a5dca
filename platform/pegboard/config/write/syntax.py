"""Read YAML into the tree that is written, each value as it is spelled: anchors, aliases and merges stay.

What the values mean is the readers' business (`config.yaml_reader`); this one only knows where they stand.
"""

import re
from collections.abc import Iterator
from typing import Protocol

import yaml

from pegboard.config.syntax.source import Source
from pegboard.config.write import yaml_text
from pegboard.config.write.comments import Attacher, between, line_start, yaml_comments
from pegboard.config.write.tree import Alias, Branch, Collection, Mapping, Part, Scalar, Sequence

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PROPERTIES = re.compile(r"(?:[&!]\S*\s+)*")


class _Mark(Protocol):
    """A place, as both of PyYAML's parsers give it."""

    index: int


def read_syntax(source: Source) -> list[Branch]:
    """Return the documents of YAML that is free of syntax errors, with their comments."""
    reader = _Reader(source)
    for event in yaml.parse(source.text, Loader=_LOADER):
        reader.take(event)
    return reader.documents()


class _Reader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._open: list[Collection] = []
        self._key: yaml.NodeEvent | None = None
        self._keys: list[yaml.NodeEvent | None] = []
        self._roots: list[Part] = []
        self._begins: list[int] = []

    def documents(self) -> list[Branch]:
        """Return what was read, each document with the comments from its start to that of the next."""
        comments = yaml_comments(self._source)
        read = zip(self._roots, self._begins, strict=True)
        found = [(root, begin) for root, begin in read if isinstance(root, Branch)]
        begins = [0, *(begin for _, begin in found[1:]), len(self._source.text) + 1]
        for (root, _), begin, end in zip(found, begins, begins[1:], strict=False):
            Attacher(self._source.text, root).attach(between(comments, begin, end))
        return [root for root, _ in found]

    def take(self, event: yaml.Event) -> None:
        """Take the next event."""
        match event:
            case yaml.DocumentStartEvent():
                self._begins.append(_at(event.start_mark))
            case yaml.ScalarEvent() | yaml.AliasEvent() if self._awaits_key():
                self._key = event
            case yaml.ScalarEvent():
                self._add(self._scalar(event), event)
            case yaml.AliasEvent():
                alias = Alias(name=event.anchor or "")
                alias.end = alias.mark = _at(event.end_mark)
                self._add(alias, event)
            case yaml.SequenceStartEvent() | yaml.MappingStartEvent():
                self._start(event)
            case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                self._end(event)
            case _:
                pass

    def _awaits_key(self) -> bool:
        return bool(self._open) and isinstance(self._open[-1], Mapping) and self._key is None

    def _add(self, part: Part, event: yaml.NodeEvent) -> None:
        part.start = _at(event.start_mark)
        if self._key is not None:
            part.start = _at(self._key.start_mark)
            part.spelled_key = self._spelled(self._key)
            part.key = self._key.value if isinstance(self._key, yaml.ScalarEvent) else part.spelled_key
            self._key = None
        if self._open:
            self._open[-1].parts.append(part)
        else:
            self._roots.append(part)

    def _scalar(self, event: yaml.ScalarEvent) -> Scalar:
        start, end = _at(event.start_mark), _at(event.end_mark)
        value_start = self._behind_properties(event)
        is_empty = value_start == end
        scalar = Scalar(
            value=None if is_empty and event.implicit[0] else event.value,
            spelled=self._source.text[value_start:end],
            properties=self._source.text[start:value_start].strip(),
        )
        scalar.end, scalar.mark = end, value_start if event.style in {"|", ">"} else end
        return scalar

    def _start(self, event: yaml.SequenceStartEvent | yaml.MappingStartEvent) -> None:
        part = Sequence() if isinstance(event, yaml.SequenceStartEvent) else Mapping()
        inner = self._behind_properties(event)
        part.properties = self._source.text[_at(event.start_mark) : inner].strip()
        self._add(part, event)
        if not event.flow_style:
            part.column = inner - line_start(self._source.text, inner)
            part.mark = part.start
        self._open.append(part)
        self._keys.append(self._key)
        self._key = None

    def _end(self, event: yaml.Event) -> None:
        done = self._open.pop()
        self._key = self._keys.pop()
        done.end = max(_at(event.end_mark), done.start)
        if done.column is None:
            done.mark = done.end

    def _behind_properties(self, event: yaml.NodeEvent) -> int:
        start, end = _at(event.start_mark), _at(event.end_mark)
        if event.anchor is None and getattr(event, "tag", None) is None:
            return start
        match = _PROPERTIES.match(self._source.text, start)
        return (
            min(match.end(), max(end, start)) if match and isinstance(event, yaml.ScalarEvent) else self._inner(start)
        )

    def _inner(self, start: int) -> int:
        match = _PROPERTIES.match(self._source.text, start)
        return match.end() if match else start

    def _spelled(self, event: yaml.NodeEvent) -> str:
        text = self._source.text[_at(event.start_mark) : _at(event.end_mark)]
        if isinstance(event, yaml.AliasEvent):
            return f"{text} "
        return "" if yaml_text.is_too_long(text) else text


def _at(mark: _Mark | None) -> int:
    assert mark is not None
    return mark.index


def alias_names(part: Part) -> Iterator[str]:
    """Yield anchors as `&name` and aliases as `*name`, in order."""
    match part:
        case Alias(name=name):
            yield f"*{name}"
        case Scalar() | Sequence() | Mapping():
            yield from (word for word in part.properties.split() if word.startswith("&"))
    yield from (word for word in part.spelled_key.split()[:1] if word.startswith(("&", "*")))
    if isinstance(part, Collection):
        for below in part.parts:
            yield from alias_names(below)
