"""Two texts side by side, line by line: on the left what was, on the right what is."""

import shutil
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from pegboard.edges.cli.output import padded, plain, width

_NARROWEST = 40
_WIDEST = 200
_AROUND = 2
"""Equal lines that are shown around a difference."""


def beside(before: Sequence[str], after: Sequence[str], *, columns: int | None = None) -> Iterator[str]:
    """Yield the lines that differ and those around them; `|` stands between a pair that differs, `<` or `>` at one."""
    columns = columns or shutil.get_terminal_size((120, 24)).columns
    half = max(_NARROWEST, min(columns, _WIDEST) - 3) // 2
    groups = SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(_AROUND)
    for number, group in enumerate(groups):
        if number:
            yield "..."
        for what, start, end, other_start, other_end in group:
            for left, right in zip_longest(before[start:end], after[other_start:other_end]):
                yield from _pair(left, right, " " if what == "equal" else "", half)


def _pair(left: str | None, right: str | None, sign: str, half: int) -> Iterator[str]:
    sign = sign or ("<" if right is None else ">" if left is None else "|")
    for one, other in zip_longest(_folded(left or "", half), _folded(right or "", half), fillvalue=""):
        yield f"{padded(one, half)} {sign} {other}".rstrip()


def _folded(text: str, columns: int) -> list[str]:
    """Return `text` in pieces that take at most `columns` on a terminal."""
    pieces, piece, taken = [], "", 0
    for character in plain(text):
        wide = width(character)
        if taken + wide > columns:
            pieces.append(piece)
            piece, taken = "", 0
        piece, taken = piece + character, taken + wide
    return [*pieces, piece]
