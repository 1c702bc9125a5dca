"""A document's text, and where in it each character stands.

Readers work with offsets into the text; only what is reported is turned into a `Span`.
"""

import codecs
import operator
import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import accumulate, count

from pegboard.config.problems import Problem, Problems
from pegboard.config.span import Span

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


class Source:
    """The text of one file, without byte order mark."""

    __slots__ = ("_lines", "_starts", "name", "text")

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        """As the user named the file."""
        self.text = text
        self._starts = _line_starts(text)
        self._lines = dict[int, str]()

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

    def line(self, number: int) -> str:
        """Return a line without its end; empty where there is none of that number."""
        if number not in self._lines and 0 < number <= len(self._starts):
            end = self._starts[number] if number < len(self._starts) else len(self.text)
            self._lines[number] = self.text[self._starts[number - 1] : end].rstrip("\r\n")
        return self._lines.get(number, "")

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
    return [
        replace(problem, quote=sources[problem.span.file].line(problem.span.line))
        if problem.span.file in sources and not problem.quote
        else problem
        for problem in problems
    ]


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
