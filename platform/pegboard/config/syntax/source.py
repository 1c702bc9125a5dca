"""A document's text, and where in it each character stands.

Readers work with offsets into the text; only what is reported is turned into a `Span`.
"""

import codecs
import operator
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import accumulate, count

from pegboard.config.credentials import find
from pegboard.config.problems import Problem, Problems, Quote
from pegboard.config.span import Span

_MOST_QUOTED = 5
"""Lines of one place that are quoted whole."""
_MOST_TRIMMED = 1000
"""Empty lines and comments behind a place that are left out."""
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_NOWHERE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""What no text may hold, however it is escaped."""
_XML_ENCODING = re.compile(rb"""\s*<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)""")

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""UTF-32 stands first: its little-endian mark begins like that of UTF-16."""

_DECLARABLE = frozenset({"utf-8", "ascii", "iso8859-1", "cp1252", "gb2312", "gbk", "gb18030", "big5"})
"""Encodings that an XML declaration may name, by Python's own names of them."""


def forbidden_in(text: str) -> str | None:
    """Name the first character that no text may hold, such as an escaped NUL; None if there is none."""
    match = _NOWHERE.search(text)
    if match is None:
        return None
    if "\ud800" <= match[0] <= "\udfff":
        return "half of a surrogate pair"
    return f"the control character U+{ord(match[0]):04X}"


def printable(text: str) -> str:
    """Return `text` with `�` for what no text may hold."""
    return _NOWHERE.sub("�", text)


class _Ranges:
    """Ranges of offsets, from the first to the last; those that touch are one."""

    __slots__ = ("_ends", "_starts")

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []

    def add(self, start: int, end: int) -> None:
        """Add the range from `start` to `end` (exclusive)."""
        if start >= end:
            return
        first, last = bisect_left(self._ends, start), bisect_right(self._starts, end)
        if first < last:
            start, end = min(start, self._starts[first]), max(end, self._ends[last - 1])
        self._starts[first:last], self._ends[first:last] = [start], [end]

    def within(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the ranges of which something lies between `start` and `end` (exclusive)."""
        first, last = bisect_right(self._ends, start), bisect_left(self._starts, end)
        return list(zip(self._starts[first:last], self._ends[first:last], strict=True))


class Source:
    """The text of one file, without byte order mark."""

    __slots__ = ("_hidden", "_lines", "_starts", "name", "text")

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        """As the user named the file."""
        self.text = text
        self._starts = _line_starts(text)
        self._lines = dict[int, str]()
        self._hidden = _Ranges()

    def span(self, start: int, end: int | None = None) -> Span:
        """Return the place from `start` to `end` (exclusive) in code points; None: the end is not known."""
        line, column = self._place(start)
        if end is None or end <= start:
            return Span(self.name, line, column)
        return Span(self.name, line, column, *self._place(end))

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a place; both count from 1. Places behind the end give the end."""
        start = self._starts[min(line, len(self._starts)) - 1]
        return min(start + column - 1, len(self.text))

    def hide(self, start: int, end: int) -> None:
        """Let no line show what stands from `start` to `end` (exclusive): it is secret."""
        self._hidden.add(start, end)
        self._lines.clear()

    def hides(self, start: int, end: int) -> bool:
        """Tell whether something from `start` to `end` (exclusive) is secret."""
        return bool(self._hidden.within(start, end))

    def line(self, number: int) -> str:
        """Return a line without its end, `*` for each character that is hidden; empty where there is none."""
        if number not in self._lines and 0 < number <= len(self._starts):
            self._lines[number] = self._shown(self._starts[number - 1], self._raw(number))
        return self._lines.get(number, "")

    def _shown(self, at: int, text: str) -> str:
        hidden = _Ranges()
        for credential in find(text):  # a file that is no document has some
            hidden.add(credential.start, credential.end)
        for start, end in self._hidden.within(at, at + len(text)):
            hidden.add(max(start - at, 0), min(end - at, len(text)))
        kept, behind = list[str](), 0
        for start, end in hidden.within(0, len(text)):
            kept += [text[behind:start], "*" * (end - start)]
            behind = end
        return "".join([*kept, text[behind:]])

    def quote(self, span: Span) -> Quote:
        """Return the lines of a place, numbered; of a long one only the first two and the last."""
        last = max(span.line, span.end_line)
        numbers = range(span.line, last + 1)
        shown = numbers if len(numbers) <= _MOST_QUOTED else (span.line, span.line + 1, last)
        return tuple((number, self.line(number)) for number in shown if number <= len(self._starts))

    def trimmed(self, span: Span) -> Span:
        """Return a place without the empty lines and comments behind it: YAML's blocks end where the next begins.

        Of very many such lines only the last are left out.
        """
        line, column = span.end_line, span.end_column
        first = max(span.line, line - _MOST_TRIMMED)
        while line > first and (not (rest := self._raw(line)[: column - 1].strip()) or rest.startswith("#")):
            line -= 1
            column = len(self._raw(line).rstrip()) + 1
        return span if line == span.end_line else replace(span, end_line=line, end_column=column)

    def _raw(self, number: int) -> str:
        end = self._starts[number] if number < len(self._starts) else len(self.text)
        return self.text[self._starts[number - 1] : end].rstrip("\r\n")

    def _place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


def _line_starts(text: str) -> "array[int]":
    """Return the offset of each line; a line ends with a line feed, a carriage return, or both in this order."""
    lines = text.replace("\r\n", " \n").replace("\r", "\n").split("\n")
    lines.pop()
    return array("L", map(operator.add, accumulate(map(len, lines), initial=0), count()))


def decode(data: bytes, name: str, problems: Problems, *, is_xml: bool = False) -> Source | None:
    """Decode a file: UTF-8 unless a byte order mark or an XML declaration names another encoding.

    Returns None, and adds a problem with its place, where a byte or a character cannot be accepted.
    """
    encoding, body = _encoding(data)
    if is_xml and body is data:
        declared = _declared_encoding(data, name, problems)
        if declared is None:
            return None
        encoding = declared
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        before = Source(name, body[: error.start].decode(encoding, "replace"))
        found = " ".join(f"0x{byte:02X}" for byte in body[error.start : error.end][:4])
        problems.add(
            "PB003",
            before.span(len(before.text)),
            f"{found} is no {encoding.upper()} text",
            hint="Save the file as UTF-8.",
        )
        return None
    return _printable(Source(name, text), problems)


def as_far_as_readable(data: bytes, name: str) -> Source:
    """Decode a file that `decode` refuses, so that its lines can be shown; what is no text becomes `�`."""
    encoding, body = _encoding(data)
    return Source(name, body.decode(encoding, "replace"))


def quoted(problems: Iterable[Problem], sources: Mapping[str, Source]) -> list[Problem]:
    """Return `problems` with the lines of `sources` (by the name of each) that they are about."""
    return [problem if problem.quotes else _with_lines(problem, sources) for problem in problems]


def _with_lines(problem: Problem, sources: Mapping[str, Source]) -> Problem:
    span, *also = (
        sources[place.file].trimmed(place) if place.file in sources else place
        for place in (problem.span, *problem.also)
    )
    quotes = tuple(sources[place.file].quote(place) if place.file in sources else () for place in (span, *also))
    return replace(problem, span=span, also=tuple(also), quotes=quotes)


def _encoding(data: bytes) -> tuple[str, bytes]:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return encoding, data[len(mark) :]
    return "utf-8", data


def _declared_encoding(data: bytes, name: str, problems: Problems) -> str | None:
    match = _XML_ENCODING.match(data[:1024])
    if match is None:
        return "utf-8"
    declared = match[1].decode("ascii")
    try:
        known = codecs.lookup(declared).name
    except LookupError:
        known = ""
    if known in _DECLARABLE:
        return known
    before = Source(name, data[: match.start(1)].decode("ascii", "replace"))
    problems.add(
        "PB003",
        before.span(len(before.text)),
        f"encoding {declared!r} cannot be read",
        hint='Save the file as UTF-8 and declare encoding="UTF-8".',
    )
    return None


def _printable(source: Source, problems: Problems) -> Source | None:
    match = _FORBIDDEN.search(source.text)
    if match is None:
        return source
    hint = "Is it a text file, saved as UTF-8?" if match[0] == "\x00" else "Remove it."
    code_point = f"U+{ord(match[0]):04X}"
    problems.add("PB003", source.span(match.start()), f"the control character {code_point} stands here", hint=hint)
    return None
