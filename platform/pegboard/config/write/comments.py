"""Find the comments of a text, and put each with the part of the tree that it belongs to.

A comment on the line of a value belongs to that value; any other to what comes next in the same list or mapping,
or, behind its last part, to the list or mapping itself.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import yaml

from pegboard.config.syntax.source import Source
from pegboard.config.write.tree import Branch, Collection, Comment, Mapping, Part, Scalar, Sequence, walk

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_IN_GAP = re.compile("#[^\n\r\x85\u2028\u2029]*")
_IN_HEADER = re.compile("[ \t](#[^\n\r\x85\u2028\u2029]*)")
_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_XML = re.compile(r"<!--(.*?)-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>", re.DOTALL)
_ESCAPED = re.compile(r"-\\(\\*)(?=-)")
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Found:
    """A comment and where it stands."""

    start: int
    end: int
    comment: Comment
    is_alone: bool
    """Nothing but blanks stands before it on its line."""
    column: int | None = None
    """From 0, where indentation says what it belongs to."""


def yaml_comments(source: Source) -> list[Found]:
    """Return the comments of YAML that is free of syntax errors; lines that stand together are one."""
    lines = [_yaml_line(source.text, start, end) for start, end in _yaml_places(source.text)]
    groups: list[list[Found]] = []
    for line in lines:
        last = groups[-1][-1] if groups else None
        if last and line.is_alone and last.is_alone and line.column == last.column and _adjoin(source.text, last, line):
            groups[-1].append(line)
        else:
            groups.append([line])
    return [_joined(group) for group in groups]


def _yaml_places(text: str) -> Iterator[tuple[int, int]]:
    """Yield where comments are: between tokens, and behind the `|` or `>` of a block scalar."""
    position = 0
    for token in yaml.scan(text, Loader=_LOADER):
        start, end = token.start_mark.index, token.end_mark.index
        yield from (match.span() for match in _IN_GAP.finditer(text, position, start))
        if isinstance(token, yaml.ScalarToken) and token.style in {"|", ">"}:
            stop = _BREAK.search(text, start)
            header = _IN_HEADER.search(text, start, stop.start() if stop else len(text))
            yield from [header.span(1)] if header else []
        position = max(position, end)
    yield from (match.span() for match in _IN_GAP.finditer(text, position))


def _yaml_line(text: str, start: int, end: int) -> Found:
    begin = line_start(text, start)
    return Found(
        start,
        end,
        Comment((text[start + 1 : end].rstrip(),), has_gap(text, begin)),
        is_alone=not text[begin:start].strip(),
        column=start - begin,
    )


def _adjoin(text: str, one: Found, other: Found) -> bool:
    return len(_BREAK.findall(text, one.end, other.start)) == 1 and not text[one.end : other.start].strip()


def _joined(group: list[Found]) -> Found:
    """Make one comment of lines that stand together; the blank behind each `#` is not part of it."""
    lines = [found.comment.lines[0] for found in group]
    if all(line.startswith((" ", "#")) for line in lines if line):
        lines = [line.removeprefix(" ") for line in lines]
    return replace(group[0], end=group[-1].end, comment=replace(group[0].comment, lines=tuple(lines)))


def xml_comments(source: Source) -> list[Found]:
    """Return the comments of well-formed XML."""
    return [_xml_comment(source.text, match) for match in _XML.finditer(source.text) if match[1] is not None]


def _xml_comment(text: str, match: re.Match[str]) -> Found:
    begin = line_start(text, match.start())
    lines = dedented(_ESCAPED.sub(r"-\1", match[1]))
    return Found(
        match.start(),
        match.end(),
        Comment(lines, has_gap(text, begin)),
        is_alone=not text[begin : match.start()].strip(),
    )


def dedented(text: str) -> tuple[str, ...]:
    """Return the lines of a comment without the blanks around it and the indentation that they share."""
    first, *rest = [_UNPRINTABLE.sub("�", line.rstrip()) for line in _BREAK.split(text)]
    margin = min((len(line) - len(line.lstrip()) for line in rest if line), default=0)
    lines = [first.lstrip(), *(line[margin:] for line in rest)]
    while len(lines) > 1 and not lines[0]:
        lines.pop(0)
    while len(lines) > 1 and not lines[-1]:
        lines.pop()
    return tuple(lines)


def between(comments: list[Found], begin: int, end: int) -> list[Found]:
    """Return the comments that start in this part of the text; they come in rising order."""
    first = bisect_left(comments, begin, key=lambda found: found.start)
    return comments[first : bisect_left(comments, end, key=lambda found: found.start)]


def line_start(text: str, offset: int) -> int:
    """Return the offset of the first character of the line of `offset`."""
    begin = text.rfind("\n", 0, offset) + 1
    return max(begin, text.rfind("\r", begin, offset) + 1)


def has_gap(text: str, begin: int) -> bool:
    """Tell whether the line above the one that starts at `begin` is empty."""
    if not begin:
        return False
    end = begin - 2 if text.startswith("\r\n", begin - 2) else begin - 1
    return not text[line_start(text, end) : end].strip()


@dataclass(slots=True)
class Attacher:
    """Puts comments into a tree, all of whose parts know where they stood in `text`."""

    text: str
    root: Branch
    _marks: list[tuple[int, Part]] = field(init=False)
    _placed: dict[int, tuple[list[int], list[Part]]] = field(init=False)
    """Of each collection (by `id`), the parts that can have comments, and where they start, in rising order."""

    def __post_init__(self) -> None:
        parts = [*walk(self.root)]
        for part in parts:
            _shift_lists(part)
        placed = [part for part in parts if part.mark is not None]
        self._marks = sorted(((part.mark or 0, part) for part in placed), key=lambda pair: pair[0])
        self._placed = {id(part): _by_start(part) for part in parts if isinstance(part, Collection)}
        for part in placed:
            begin = line_start(self.text, part.start)
            is_first = self.text[begin : part.start].strip(" \t-<") == ""
            part.has_gap = is_first and has_gap(self.text, begin)

    def attach(self, comments: Iterable[Found]) -> None:
        """Put every comment where it belongs."""
        for found in comments:
            if found.start < self.root.start:
                self.root.before.append(found.comment)
            elif found.is_alone or not self._beside(found):
                self._put(found)

    def _beside(self, found: Found) -> bool:
        """Put a comment with the value that ends last before it on its line."""
        if len(found.comment.lines) > 1:
            return False
        inside = self._owners(found)[-1]
        part = inside if isinstance(inside, Scalar) else self._last_before(found.start)
        if part is None or part.beside or (isinstance(inside, Scalar) and found.column is None):
            return False
        if isinstance(inside, Scalar) and not self._is_header(inside, found):
            return False
        part.beside = found.comment.lines[0]
        return True

    def _last_before(self, offset: int) -> Part | None:
        index = bisect_left(self._marks, offset + 1, key=lambda pair: pair[0]) - 1
        if index < 0 or self._marks[index][0] < line_start(self.text, offset):
            return None
        return self._marks[index][1]

    def _is_header(self, scalar: Scalar, found: Found) -> bool:
        """Tell whether a comment stands behind the `|` or `>` of this scalar, not above it."""
        line = self.text[line_start(self.text, found.start) : found.start]
        return re.search(r"[|>][-+0-9]*\s*$", line) is not None and scalar.end > found.end

    def _owners(self, found: Found) -> list[Part]:
        """Return the parts that the comment stands in, from the outside in."""
        owners: list[Part] = [self.root]
        while isinstance(owner := owners[-1], Collection):
            starts, parts = self._placed[id(owner)]
            index = bisect_left(starts, found.start) - 1
            if index < 0 or found.start >= parts[index].end:
                break
            owners.append(parts[index])
        return owners

    def _put(self, found: Found) -> None:
        *owners, inside = self._owners(found)
        if not isinstance(inside, Collection):
            inside.before.append(found.comment)
            return
        for owner in (inside, *reversed(owners)):
            if not isinstance(owner, Collection):
                continue
            starts, parts = self._placed[id(owner)]
            index = bisect_left(starts, found.start)
            if index < len(parts):
                parts[index].before.append(found.comment)
                return
            if owner is self.root or self._is_within(owner, found):
                owner.below.append(found.comment)
                return

    def _is_within(self, owner: Collection, found: Found) -> bool:
        """Tell whether a comment behind the last part of a collection is indented as its parts are."""
        return found.column is None or owner.column is None or found.column >= owner.column


def _by_start(owner: Collection) -> tuple[list[int], list[Part]]:
    parts = sorted((part for part in owner.parts if part.mark is not None), key=lambda part: part.start)
    return [part.start for part in parts], parts


def _shift_lists(owner: Part) -> None:
    """Let a list that is not indented end before a comment that is not either: that belongs to the next key."""
    if isinstance(owner, Mapping) and owner.column is not None:
        for part in owner.parts:
            if isinstance(part, Sequence) and part.column == owner.column:
                part.column += 1
