"""Code frames: the lines of a document, numbered, with marks at a place.

What is shown is what stands in the file, but for tabs (four spaces), characters that would drive a terminal, and
the ends of lines that are too long. Marks stand under what they mean, also below wide characters.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from pegboard.edges.cli.output import plain, styled, width

if TYPE_CHECKING:
    from pegboard.app import Quote, Span

_COLUMNS = 100
"""How much of a very long line is shown."""
_BEFORE = 30
"""How much of that stands before the place."""
_TAB = "    "


@dataclass(frozen=True, slots=True)
class Frame:
    """How one place is drawn."""

    to: TextIO
    gutter: int
    """Columns of the line numbers."""
    mark: str
    """What stands under the place."""
    colour: str

    def lines(self, span: "Span", quote: "Quote", label: str = "") -> Iterator[str]:
        """Yield the lines of `quote`, with marks at `span` and a label behind them."""
        if len(quote) == 1:
            yield from self._one_line(span, quote[0], label)
        elif quote:
            yield from self._several_lines(span, quote, label)

    def rule(self, sign: str, text: str) -> str:
        """Return a line below or between quoted lines: a place, or what to do."""
        return f" {' ' * self.gutter} {styled(sign, 'cyan', to=self.to)} {text}"

    def _numbered(self, number: int | None, text: str, sign: str = "│") -> str:
        shown = "" if number is None else str(number)
        return f" {styled(f'{shown:>{self.gutter}} {sign}', 'cyan', to=self.to)} {text}".rstrip()

    def _marked(self, text: str) -> str:
        return styled(text, self.colour, "bold", to=self.to)

    def _one_line(self, span: "Span", line: tuple[int, str], label: str) -> Iterator[str]:
        number, text = line
        length = span.end_column - span.column if span.end_line == span.line else 1
        shown, before, marked = _window(text, span.column - 1, max(length, 1))
        yield self._numbered(number, shown)
        mark = self._marked(f"{self.mark * max(width(marked), 1)} {label}".rstrip())
        yield self._numbered(None, f"{' ' * width(before)}{mark}")

    def _several_lines(self, span: "Span", quote: "Quote", label: str) -> Iterator[str]:
        (number, text), *rest = quote
        shown, before, _ = _window(text, span.column - 1, 1)
        begins_line = not before.strip()
        yield self._numbered(number, f"{self._marked('╭') if begins_line else ' '} {shown}")
        if not begins_line:
            yield self._numbered(None, self._marked(f"╭{'─' * (width(before) + 1)}{self.mark}"))
        for number, text in rest:
            if number > quote[0][0] + len(rest) and number == quote[-1][0]:
                yield self._numbered(None, self._marked("┆"), "┆")
            shown, before, marked = _window(text, max(span.end_column - 2, 0), 1)
            yield self._numbered(number, f"{self._marked('│')} {shown}")
            if number == span.end_line:
                stroke = "─" * (width(before) + 1 + max(width(marked), 1) - 1)
                yield self._numbered(None, self._marked(f"╰{stroke}{self.mark} {label}".rstrip()))


def _window(line: str, at: int, length: int) -> tuple[str, str, str]:
    """Return the part of `line` that is shown, what of it stands before `at`, and what of it is marked."""
    at = min(at, len(line))
    start = 0 if _fits(line[: at + _COLUMNS]) or _fits(line[:at], _BEFORE) else _begin(line, at)
    end = _cut(line, start)
    head, tail = "…" if start else "", "…" if end < len(line) else ""
    marked = flat(line[at : min(at + length, end)])
    return head + flat(line[start:end]) + tail, head + flat(line[start:at]), marked


def _fits(line: str, left: int = 0) -> bool:
    """Tell whether `line` is short enough to be shown whole, with `left` columns to spare."""
    return len(line) <= _COLUMNS - left and width(flat(line)) <= _COLUMNS - left


def _begin(line: str, at: int) -> int:
    """Return from where `line` is shown, so that a little stands before `at`."""
    start = at
    while start > 0 and width(flat(line[start - 1 : at])) <= _BEFORE:
        start -= 1
    return start


def _cut(line: str, start: int) -> int:
    """Return where the part of `line` that begins at `start` ends, so that it fits."""
    end = min(start + _COLUMNS, len(line))
    while end > start + 1 and width(flat(line[start:end])) > _COLUMNS:
        end -= max((width(flat(line[start:end])) - _COLUMNS) // 2, 1)
    return end


def flat(text: str) -> str:
    """Return `text` as it takes a line of a terminal: no tabs, nothing that would drive it."""
    return plain(text.replace("\t", _TAB))
