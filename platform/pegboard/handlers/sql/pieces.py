"""The pieces of a text of SQL: what is bound, what is chosen, and the rest, which is kept as it is.

SQLAlchemy's `text()` is not used for this: it finds `:name` in strings and comments too, and none in `:name::int`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

Dialect: TypeAlias = Literal["sqlite", "postgresql"]
Role: TypeAlias = Literal["text", "quoted", "bound", "chosen", "foreign", "end", "broken"]
"""`quoted` is a string, a quoted name or a comment; `foreign` a parameter in a driver's own form; `end` a `;`;
`broken` something that is opened and never closed."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the text; all of them in a row are the text."""

    role: Role
    text: str
    """As it stands there; of what is bound or chosen, the name."""

    @property
    def is_comment(self) -> bool:
        return self.role == "quoted" and self.text.startswith(("--", "/*"))


_WORD = r"[A-Za-z_\u0080-\U0010ffff][A-Za-z0-9_$\u0080-\U0010ffff]*"
_NUMBER = r"[0-9][A-Za-z0-9_.]*"
_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_SHARED = rf"""
    (?P<comment>--[^\n]*)
  | (?P<block>/\*)
  | (?P<cast>::|:=)
  | :(?P<bound>{_NAME})
  | \{{(?P<chosen>{_NAME})\}}
  | (?P<end>;)
"""
_QUOTES: dict[Dialect, str] = {
    "sqlite": r"""
    (?P<quoted>'(?:[^']|'')*' | "(?:[^"]|"")*" | `(?:[^`]|``)*` | \[[^\]]*\])
  | (?P<open>['"`\[])
  | (?P<foreign>\?[0-9]* | [@$\#][A-Za-z0-9_$]+)
""",
    "postgresql": r"""
    (?P<quoted>\b[eE]'(?:[^'\\]|\\.|'')*' | '(?:[^']|'')*' | "(?:[^"]|"")*")
  | (?P<dollar>\$(?:[A-Za-z_\u0080-\U0010ffff][A-Za-z0-9_\u0080-\U0010ffff]*)?\$)
  | (?P<open>['"])
  | (?P<foreign>\$[0-9]+)
""",
}
_TOKEN = {
    dialect: re.compile(rf"{quotes} | {_SHARED} | (?P<word>{_WORD}|{_NUMBER})", re.VERBOSE | re.DOTALL)
    for dialect, quotes in _QUOTES.items()
}
_COMMENT_MARK = re.compile(r"/\*|\*/")


def pieces(sql: str, dialect: Dialect) -> list[Piece]:
    """Return the pieces of `sql`; put together as they stood, they are `sql`."""
    return list(_pieces(sql, dialect))


def _pieces(sql: str, dialect: Dialect) -> Iterator[Piece]:
    kept = at = 0
    while match := _TOKEN[dialect].search(sql, at):
        at = match.end()
        kind = match.lastgroup
        if kind in ("word", "cast"):
            continue
        if kept < match.start():
            yield Piece("text", sql[kept : match.start()])
        piece, at = _piece(sql, match, dialect)
        yield piece
        kept = at
    if kept < len(sql):
        yield Piece("text", sql[kept:])


def _piece(sql: str, match: re.Match[str], dialect: Dialect) -> tuple[Piece, int]:
    """Return what was found, and where it ends."""
    start, end = match.span()
    match match.lastgroup:
        case "bound" | "chosen" as role:
            return Piece(role, match[role]), end
        case "foreign" | "end" as role:
            return Piece(role, match[0]), end
        case "quoted" | "comment":
            return Piece("quoted", match[0]), end
        case "block":
            closed = _end_of_comment(sql, end, nests=dialect == "postgresql")
        case "dollar":
            found = sql.find(match[0], end)
            closed = found + len(match[0]) if found >= 0 else 0
        case _:
            closed = 0
    return (Piece("quoted", sql[start:closed]), closed) if closed else (Piece("broken", sql[start:]), len(sql))


def _end_of_comment(sql: str, at: int, *, nests: bool) -> int:
    """Return where the comment ends whose `/*` ends at `at`; 0: nowhere."""
    depth = 1
    while match := _COMMENT_MARK.search(sql, at):
        at = match.end()
        depth += -1 if match[0] == "*/" else int(nests)
        if depth == 0:
            return at
    return 0
