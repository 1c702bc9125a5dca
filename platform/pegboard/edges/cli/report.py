"""Problems on a terminal: the place, the line that it is in with a mark under it, and what to do."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from pegboard.edges.cli.output import plain, plain_but_styled, styled, width

if TYPE_CHECKING:
    from pegboard.app import Problem

_COLUMNS = 100
_BEFORE = 30
"""How much of a very long line is shown, and how much of that before the place."""


def report_problems(problems: Sequence["Problem"], *, to: TextIO) -> None:
    """Print every problem, with an empty line after each."""
    for problem in problems:
        to.write(plain_but_styled(f"{_headline(problem, to=to)}\n{frame_of(problem, to=to)}\n"))


def _headline(problem: "Problem", *, to: TextIO) -> str:
    place = styled(str(problem.span), "bold", to=to)
    colour = "red" if problem.severity == "error" else "yellow"
    mark = styled(f"{problem.severity} {problem.code}", colour, "bold", to=to)
    also = "".join(f" (also {span})" for span in problem.also)
    return f"{place}: {mark}: {plain(' '.join(problem.message.split()))}{also}"


def frame_of(problem: "Problem", *, to: TextIO) -> str:
    """Return the lines that show where `problem` is and what to do; empty without a line to quote and a hint."""
    span = problem.span
    gutter = len(str(span.line))
    lines: list[str] = []
    if problem.quote:
        shown, before = _window(problem.quote, span.column)
        length = span.end_column - span.column if span.end_line == span.line else 1
        marked = shown[len(before) : len(before) + max(length, 1)]
        mark = "^" * max(width(marked), 1)
        lines += [
            f" {styled(f'{span.line} │', 'cyan', to=to)} {shown}",
            f" {' ' * gutter} {styled('│', 'cyan', to=to)} {' ' * width(before)}{styled(mark, 'red', to=to)}",
        ]
    if problem.hint:
        lines.append(f" {' ' * gutter} {styled('=', 'cyan', to=to)} {plain(' '.join(problem.hint.split()))}")
    return "".join(f"{line}\n" for line in lines)


def _window(line: str, column: int) -> tuple[str, str]:
    """Return the part of `line` that is shown, and what of it stands before `column`."""
    at = min(max(column - 1, 0), len(line))
    start = at - _BEFORE if len(line) > _COLUMNS and at > _COLUMNS - _BEFORE else 0
    head = "…" if start else ""
    tail = "…" if len(line) > start + _COLUMNS else ""
    return head + _flat(line[start : start + _COLUMNS]) + tail, head + _flat(line[start:at])


def _flat(text: str) -> str:
    return plain(text.replace("\t", " "))
