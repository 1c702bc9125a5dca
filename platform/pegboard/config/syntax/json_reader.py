"""Read JSON (RFC 8259, strictly) into nodes, with the place of every key and value.

The standard library's reader knows no places and takes the last of two equal keys. This one also reads JSON
that stands inside another text: `at` says where each of its characters really is.
"""

import json
import re
from collections.abc import Callable

from pegboard.config.problems import Problems
from pegboard.config.syntax.node import MAX_DEPTH, Allowance, Entry, List, Map, Node, Scalar, most_nodes
from pegboard.config.syntax.source import Source, forbidden_in

_SPACE = re.compile(r"[ \t\n\r]*")
_BEGUN = r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+'
"""Possessive: what was read as part of a text is never read again."""
_STRING = re.compile(f'{_BEGUN}"')
_STRING_BEGUN = re.compile(_BEGUN)
_COLON = re.compile(r"[ \t\n\r]*:[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
_MARKS = {"/": "JSON has no comments.", "#": "JSON has no comments.", "'": 'Quotes are ".'}
_OTHER_WORDS = {"True": "true", "False": "false", "None": "null", "undefined": "null"}


class _Wrong(Exception):
    """A syntax error at an offset."""

    def __init__(self, offset: int, message: str, hint: str = "", code: str = "PB003") -> None:
        super().__init__(message)
        self.offset = offset
        self.hint = hint
        self.code = code


def read_json(source: Source, problems: Problems) -> list[Node]:
    """Read a file; one that is no JSON gives a problem and no node."""
    node = read_json_text(source.text, source, lambda offset: offset, problems)
    return [] if node is None else [node]


def read_json_text(
    text: str,
    source: Source,
    at: Callable[[int], int],
    problems: Problems,
    *,
    what: str = "JSON",
    allowance: Allowance | None = None,
) -> Node | None:
    """Read JSON that stands in `source`, character `i` at the offset `at(i)`; None after a syntax error.

    What it holds is taken from `allowance`; None: the text stands for itself.
    """
    reader = _Reader(text, source, at, problems, allowance or Allowance(most_nodes(len(text))))
    try:
        return reader.document()
    except _Wrong as wrong:
        add = problems.add if allowance is None else problems.add_local
        add(wrong.code, source.span(at(wrong.offset)), f"{what}: {wrong}", hint=wrong.hint)
        return None


class _Reader:
    """Reads one text from left to right."""

    def __init__(
        self, text: str, source: Source, at: Callable[[int], int], problems: Problems, allowance: Allowance
    ) -> None:
        self._text = text
        self._source = source
        self._at = at
        self._problems = problems
        self._position = 0
        self._allowance = allowance

    def document(self) -> Node:
        """Read one value and nothing else."""
        self._skip()
        if self._position == len(self._text):
            raise _Wrong(self._position, "there is nothing to read")
        node = self._value(1)
        self._skip()
        if self._position < len(self._text):
            raise _Wrong(self._position, "one value is read, and here stands more", "Remove what follows it.")
        return node

    def _skip(self) -> None:
        match = _SPACE.match(self._text, self._position)
        assert match is not None
        self._position = match.end()

    def _value(self, depth: int) -> Node:
        self._allowance.nodes -= 1
        if self._allowance.nodes < 0:
            message = f"the file holds more than {most_nodes(len(self._source.text))} keys and values"
            raise _Wrong(self._position, message, "Split it into several files.", code="PB004")
        start, first = self._position, self._peek()
        if first and first in "{[" and depth > MAX_DEPTH:
            raise _Wrong(start, f"more than {MAX_DEPTH} levels of lists and objects", code="PB004")
        match first:
            case "{":
                return self._map(depth)
            case "[":
                return self._list(depth)
            case '"':
                text = self._string()
                return Scalar(self._source, self._at(start), self._at(self._position), text)
            case _:
                return self._number_or_word()

    def _string(self) -> str:
        start = self._position
        match = _STRING.match(self._text, start)
        if match is None:
            raise self._bad_string()
        self._position = match.end()
        raw = match[0][1:-1]
        if "\\" not in raw:
            return raw
        value = str(json.loads(self._text[start : self._position]))
        if (wrong := forbidden_in(value)) is not None:
            raise _Wrong(start, f"{wrong} is no character of a text", "Write the character itself, or leave it out.")
        return value

    def _bad_string(self) -> _Wrong:
        start = self._position
        match = _STRING_BEGUN.match(self._text, start)
        offset = match.end() if match else start
        if offset >= len(self._text) or self._text[offset] in "\r\n":
            return _Wrong(
                start,
                "the text that begins here is not closed",
                'Close it with ", and write \\n for a line end.',
            )
        if self._text[offset] == "\\":
            return _Wrong(offset, f"{self._text[offset : offset + 2]!r} is no escape", "Write \\\\ for a backslash.")
        return _Wrong(offset, "a control character stands in a text", "Write \\t for a tab.")

    def _number_or_word(self) -> Scalar:
        start = self._position
        if match := _NUMBER.match(self._text, start):
            value: int | float | bool | None = self._number(match)
        elif (match := _WORD.match(self._text, start)) and match[0] in _WORDS:
            value = _WORDS[match[0]]
        else:
            raise self._unexpected("a value")
        following = self._text[match.end() : match.end() + 1]
        if following.isalnum() or (following and following in "._+"):
            raise _Wrong(start, f"{self._text[start : match.end() + 1]!r} is no value")
        self._position = match.end()
        return Scalar(self._source, self._at(start), self._at(match.end()), value, match[0])

    def _number(self, match: re.Match[str]) -> int | float:
        is_whole = match[1] is None and match[2] is None
        value = float(match[0]) if not is_whole or len(match[0]) > 40 else int(match[0])
        if value in {float("inf"), float("-inf")} or (is_whole and isinstance(value, float)):
            raise _Wrong(match.start(), f"the number {match[0][:12]}… is too large")
        return value

    def _map(self, depth: int) -> Map:
        start, entries = self._position, dict[str, Entry]()
        self._position += 1
        self._skip()
        while not self._take("}"):
            if entries:
                self._comma("}", start)
            key, entry = self._entry(depth)
            if (first := entries.setdefault(key, entry)) is not entry:
                message = f"the key {key!r} stands here a second time"
                self._problems.add("PB005", entry.span, message, also=(first.span,))
        return Map(self._source, self._at(start), self._at(self._position), entries)

    def _entry(self, depth: int) -> tuple[str, Entry]:
        start = self._position
        if self._peek() != '"':
            raise self._unexpected("a key in quotes")
        key = self._string()
        end = self._position
        self._allowance.nodes -= 1
        match = _COLON.match(self._text, end)
        if match is None:
            self._skip()
            raise self._unexpected("`:` behind the key")
        self._position = match.end()
        value = self._value(depth + 1)
        self._skip()
        return key, Entry(self._source, self._at(start), self._at(end), value)

    def _list(self, depth: int) -> List:
        start, items = self._position, list[Node]()
        self._position += 1
        self._skip()
        while not self._take("]"):
            if items:
                self._comma("]", start)
            items.append(self._value(depth + 1))
            self._skip()
        return List(self._source, self._at(start), self._at(self._position), items)

    def _comma(self, closing: str, start: int) -> None:
        comma = self._position
        if not self._take(","):
            if comma >= len(self._text):
                raise _Wrong(start, f"what begins here is not closed: {closing!r} is missing")
            raise self._unexpected(f"`,` or `{closing}`")
        self._skip()
        if self._peek() == closing:
            raise _Wrong(comma, f"a comma before {closing!r}", "Remove it.")

    def _peek(self) -> str:
        return self._text[self._position : self._position + 1]

    def _take(self, character: str) -> bool:
        if self._peek() != character:
            return False
        self._position += 1
        return True

    def _unexpected(self, wanted: str) -> _Wrong:
        rest = self._text[self._position : self._position + 12]
        if not rest:
            return _Wrong(self._position, f"the text ends where {wanted} is wanted")
        word = _WORD.match(rest)
        found = word[0] if word else rest[0]
        if right := _OTHER_WORDS.get(found):
            return _Wrong(self._position, f"{wanted} is wanted, found {found!r}", f"Write {right}.")
        hint = _MARKS.get(found, 'A text stands in quotes: "…".' if word and wanted.startswith("a ") else "")
        return _Wrong(self._position, f"{wanted} is wanted, found {found!r}", hint)
