"""Read YAML into nodes: safe, bounded, with the place of every key and value.

Nothing is built by PyYAML but its parse events: tags, aliases, merges, depth and size are judged here, before
anything grows. An alias shares its node; merges (`<<`) copy entries, so both count against `MAX_ALIASED`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

import yaml

from pegboard.config.problems import Problems
from pegboard.config.syntax.node import MAX_ALIASED, MAX_DEPTH, Entry, List, Map, Node, Scalar, most_nodes
from pegboard.config.syntax.source import Source, forbidden_in, printable
from pegboard.config.syntax.yaml_faults import has_breaks, report_breaks, report_syntax
from pegboard.config.syntax.yaml_scalars import MEANINGFUL, kind_of, read_plain

_Begun: TypeAlias = yaml.ScalarEvent | yaml.SequenceStartEvent | yaml.MappingStartEvent
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CORE = "tag:yaml.org,2002:"
_NODES_OF_DOCUMENT = 9
"""What a document counts besides its values: much is done for each."""
_BLANK = re.compile(r"(?:[&!]\S*\s+)*")
"""Anchors and tags before a value."""


class _Mark(Protocol):
    """A place, as both of PyYAML's parsers give it."""

    index: int


class _Refused(Exception):
    """What ends the reading of a file; the problem was added already."""


@dataclass(slots=True)
class _Open:
    """A list or mapping that is still being read."""

    node: List | Map
    anchor: str | None
    key: Scalar | None = None
    merges: list[tuple[Scalar, Node]] = field(default_factory=list)
    size: int = 1
    """Nodes below it, aliases counted as what they stand for."""
    height: int = 1
    """Nodes inside nodes, itself included."""


@dataclass(slots=True)
class _Anchored:
    node: Node
    size: int
    height: int


def read_yaml(source: Source, problems: Problems) -> list[Node]:
    """Read every document of a file; those before a syntax error are kept, empty ones left out."""
    builder = _Builder(source, problems)
    try:
        for event in _events(source.text):
            builder.take(event)
    except _Refused:
        pass
    except yaml.YAMLError as error:
        if builder.documents and isinstance(builder.documents[-1], Scalar):
            builder.documents.pop()  # it is a part of what is wrong
        report_syntax(error, source, problems)
    report_breaks(source, builder.quoted, problems)
    return [node for node in builder.documents if not (isinstance(node, Scalar) and node.value is None)]


def _events(text: str) -> Iterator[yaml.Event]:
    loader = _LOADER(text)
    try:
        while (event := loader.get_event()) is not None:
            yield event
    finally:
        loader.dispose()


def _index(mark: _Mark | None) -> int:
    assert mark is not None
    return mark.index


class _Builder:
    """Makes nodes of parse events."""

    def __init__(self, source: Source, problems: Problems) -> None:
        self.documents: list[Node] = []
        self.quoted: list[tuple[int, int]] = []
        """Where texts in quotes stand, in a file with characters that may end a line only there."""
        self._has_breaks = has_breaks(source)
        self._source = source
        self._problems = problems
        self._open: list[_Open] = []
        self._anchors: dict[str, _Anchored] = {}
        self._nodes = 0
        self._most_nodes = most_nodes(len(source.text))
        self._aliased = 0

    def take(self, event: yaml.Event) -> None:
        """Take the next event."""
        match event:
            case yaml.ScalarEvent():
                self._close(self._scalar(event), event.anchor, 1, 1)
            case yaml.SequenceStartEvent() | yaml.MappingStartEvent():
                self._start(event)
            case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                self._end(event)
            case yaml.AliasEvent():
                self._alias(event)
            case yaml.DocumentStartEvent():
                self._anchors = {}
                self._nodes += _NODES_OF_DOCUMENT

    def _refuse(self, start: int, message: str, hint: str = "") -> _Refused:
        self._problems.add("PB004", self._source.span(start), message, hint=hint)
        return _Refused()

    def _begin(self, event: _Begun) -> int:
        """Count a node, and return the offset where its value begins."""
        start = _index(event.start_mark)
        self._nodes += 1
        if self._nodes > self._most_nodes:
            hint = "Split it into several files."
            raise self._refuse(start, f"the file holds more than {self._most_nodes} keys and values", hint)
        if event.anchor is not None or event.tag is not None:
            end = _index(event.end_mark)
            match = _BLANK.match(self._source.text, start, end + 1)
            if match is not None and match.end() <= end:
                return match.end()
        return start

    def _scalar(self, event: yaml.ScalarEvent) -> Scalar:
        start, end, text = self._begin(event), _index(event.end_mark), event.value
        if self._has_breaks and event.style in {'"', "'"}:
            self.quoted.append((start, end))
        if event.style == '"' and (wrong := forbidden_in(text)) is not None:
            hint = "Write the character itself, or leave it out."
            self._problems.add("PB003", self._source.span(start), f"YAML: {wrong} is no character of a text", hint=hint)
            return Scalar(self._source, start, end, printable(text), is_reported=True)
        if not event.implicit[0] or (event.tag is not None and event.tag != f"{_CORE}{kind_of(text)}"):
            if event.tag is not None and event.tag not in {"!", f"{_CORE}str"}:
                self._tag(event.tag, _index(event.start_mark))
            return Scalar(self._source, start, end, text)
        if text[:1] not in MEANINGFUL:
            return Scalar(self._source, start, end, text)
        return self._plain(text, start, end)

    def _plain(self, text: str, start: int, end: int) -> Scalar:
        """Return what is written without quotes, and may be another thing than a text."""
        try:
            value, is_ambiguous = read_plain(text)
        except ValueError as error:
            self._problems.add("PB104", self._source.span(start, end), f"{error}", hint="Quote it if it is a text.")
            return Scalar(self._source, start, end, text, is_reported=True)
        written = "" if value is text and not is_ambiguous else text
        return Scalar(self._source, start, end, value, written, is_ambiguous)

    def _tag(self, tag: str, start: int) -> None:
        shown = f"!!{tag.removeprefix(_CORE)}" if tag.startswith(_CORE) else tag
        hint = "Remove it: the shape of a document says what each value is."
        message = f"the tag {shown} is not allowed"
        self._problems.add_local("PB004", self._source.span(start), message, hint=hint)

    def _start(self, event: yaml.SequenceStartEvent | yaml.MappingStartEvent) -> None:
        start = self._begin(event)
        if event.tag is not None and event.tag not in {"!", f"{_CORE}seq", f"{_CORE}map"}:
            self._tag(event.tag, _index(event.start_mark))
        if len(self._open) >= MAX_DEPTH:
            raise self._refuse(start, f"more than {MAX_DEPTH} levels of lists and mappings")
        if event.anchor is not None:
            self._anchors.pop(event.anchor, None)
        is_list = isinstance(event, yaml.SequenceStartEvent)
        node = List(self._source, start, start, []) if is_list else Map(self._source, start, start, {})
        self._open.append(_Open(node, event.anchor))

    def _end(self, event: yaml.Event) -> None:
        done = self._open.pop()
        done.node.end = max(_index(event.end_mark), done.node.start)
        if isinstance(done.node, Map):
            for key, value in done.merges:
                self._merge(done.node, key, value)
        self._close(done.node, done.anchor, done.size, done.height)

    def _alias(self, event: yaml.AliasEvent) -> None:
        start = _index(event.start_mark)
        if any(frame.anchor == event.anchor for frame in self._open) and event.anchor not in self._anchors:
            raise self._refuse(start, f"the alias *{event.anchor} stands inside what it names")
        found = self._anchors.get(event.anchor or "")
        if found is None:
            raise self._refuse(
                start,
                f"the alias *{event.anchor} names nothing",
                "Set the anchor before it, or put a text that begins with * in quotes.",
            )
        self._count_aliased(start, found.size)
        if len(self._open) + found.height > MAX_DEPTH + 1:
            raise self._refuse(start, f"with this alias, more than {MAX_DEPTH} levels of lists and mappings")
        self._close(found.node, None, found.size, found.height)

    def _count_aliased(self, start: int, size: int) -> None:
        self._aliased += size
        if self._aliased > MAX_ALIASED:
            raise self._refuse(start, f"aliases stand for more than {MAX_ALIASED} values")

    def _close(self, node: Node, anchor: str | None, size: int, height: int) -> None:
        """Put a finished node where it belongs."""
        if anchor is not None:
            self._anchors[anchor] = _Anchored(node, size, height)
        if not self._open:
            self.documents.append(node)
            return
        owner = self._open[-1]
        owner.size += size
        if height >= owner.height:
            owner.height = height + 1
        if isinstance(owner.node, List):
            owner.node.items.append(node)
        elif owner.key is None:
            owner.key = self._key(node)
        else:
            self._put(owner, owner.node, owner.key, node)
            owner.key = None

    def _key(self, node: Node) -> Scalar:
        """Return the key that `node` is; one that is no text is reported and read as it is written."""
        if not isinstance(node, Scalar):
            hint = "A text that begins with [, { or ? stands in quotes."
            self._problems.add("PB103", node.span, "a key must be text, not a list or a mapping", hint=hint)
            return Scalar(self._source, node.start, node.end, None)
        if isinstance(node.value, str) and not node.is_ambiguous:
            return node
        shown = node.written or "null"
        meaning = "a date" if isinstance(node.value, str) else str(node.value).lower().replace("none", "nothing")
        message = f"a key must be text, but `{shown}` is read as {meaning} here: quote it"
        self._problems.add("PB103", node.span, message, hint=f'Write "{shown}".')
        return Scalar(self._source, node.start, node.end, shown, is_reported=True)

    def _put(self, owner: _Open, into: Map, key: Scalar, value: Node) -> None:
        if key.value is None:
            return
        name = str(key.value)
        is_plain = not self._source.text.startswith(("'", '"'), key.start)
        if name == "<<" and is_plain:
            owner.merges.append((key, value))
        elif (first := into.entries.get(name)) is not None:
            self._problems.add("PB005", key.span, f"the key {name!r} stands here a second time", also=(first.span,))
        else:
            into.entries[name] = Entry(key.source, key.start, key.end, value, key.is_reported)

    def _merge(self, into: Map, key: Scalar, value: Node) -> None:
        """Add the entries that `<<` names; what the mapping itself says comes first."""
        sources = value.items if isinstance(value, List) else [value]
        for merged in sources:
            if not isinstance(merged, Map):
                message = "`<<` takes a mapping, or a list of mappings"
                self._problems.add("PB103", value.span, message, hint="Name an anchor: `<<: *anchor`.")
                return
            self._count_aliased(key.start, len(merged.entries))
            for name, entry in merged.entries.items():
                into.entries.setdefault(name, entry)
