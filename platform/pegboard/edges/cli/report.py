"""Problems on a terminal: place, message, the lines that they are in with marks, and what to do."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from pegboard.edges.cli.frame import Frame
from pegboard.edges.cli.output import plain, plain_but_styled, styled

if TYPE_CHECKING:
    from pegboard.app import Problem

COLOURS = {"error": "red", "warning": "yellow"}
"""Of severities."""


def report_problems(problems: Sequence["Problem"], *, to: TextIO) -> None:
    """Print every problem, with an empty line after each."""
    for problem in problems:
        to.write(plain_but_styled(f"{_headline(problem, to=to)}\n{frame_of(problem, to=to)}\n"))


def _headline(problem: "Problem", *, to: TextIO) -> str:
    place = styled(plain(str(problem.span)), "bold", to=to)
    mark = styled(f"{problem.severity} {problem.code}", COLOURS[problem.severity], "bold", to=to)
    return f"{place}: {mark}: {in_a_line(problem.message)}"


def frame_of(problem: "Problem", *, to: TextIO) -> str:
    """Return the lines that show where `problem` is, what else belongs to it, and what to do."""
    gutter = max(len(str(number)) for span in (problem.span, *problem.also) for number in (span.line, span.end_line))
    frame = Frame(to, gutter, "^", COLOURS[problem.severity])
    lines = [line for quote in problem.quotes[:1] for line in frame.lines(problem.span, quote)]
    lines += _also(problem, Frame(to, gutter, "-", "cyan"))
    if problem.hint:
        lines.append(frame.rule("=", in_a_line(problem.hint)))
    return "".join(f"{line}\n" for line in lines)


def _also(problem: "Problem", frame: Frame) -> Iterator[str]:
    """Yield a frame for each other place of the problem."""
    label = problem.kind.also
    quotes = problem.quotes[1:] or ((),) * len(problem.also)
    for span, quote in zip(problem.also, quotes, strict=True):
        yield frame.rule("┌─", plain(str(span)) if quote else f"{plain(str(span))}: {label}")
        yield from frame.lines(span, quote, label)


def in_a_line(text: str) -> str:
    """Return `text` in one line, without what would drive a terminal."""
    return plain(" ".join(text.split()))
