"""What is seen of a run while it runs: a picture that is drawn again in its place on a terminal, else lines."""

import time
from collections.abc import Callable, Iterator
from typing import Protocol, TextIO

from pegboard.edges.cli.output import cut_line, is_terminal, plain, plain_but_styled, styled
from pegboard.edges.cli.picture import lines_of, look_of, size_of
from pegboard.edges.cli.watched import Held, Watched

REDRAWN_SECONDS = 0.1
_BESIDES = 2
"""Rows that are left free below the picture."""

Approving = Callable[[Held], str]
"""Returns the command that approves a node."""


class Screen(Protocol):
    """Where it is shown."""

    def told(self, watched: Watched, line: str) -> None:
        """Take what an event says; empty: nothing is to be told of it."""
        ...

    def draw(self, watched: Watched) -> None:
        """Show how the run stands now."""
        ...

    def close(self, watched: Watched) -> None:
        """Leave what stays to be seen."""
        ...


def screen_on(stream: TextIO, approving: Approving, *, is_ascii: bool) -> Screen:
    """Return what shows a run on `stream`."""
    if is_terminal(stream):
        return LivePicture(stream, approving, is_ascii=is_ascii)
    return Lines(stream, approving)


class Lines:
    """Each event as a line."""

    def __init__(self, stream: TextIO, approving: Approving) -> None:
        self._stream = stream
        self._approving = approving
        self._held: set[tuple[str, str]] = set()

    def told(self, watched: Watched, line: str) -> None:
        if line:
            self._stream.write(f"{flat(line)}\n")
        for key, held in watched.held.items():
            if key not in self._held:
                self._stream.write(f"To approve it: {self._approving(held)}\n")
        self._held = set(watched.held)
        self._stream.flush()

    def draw(self, watched: Watched) -> None:
        """Do nothing: it has been told."""

    def close(self, watched: Watched) -> None:
        """Do nothing: it has been told."""


class LivePicture:
    """The picture of the plan, how each node stands, and what waits for somebody."""

    def __init__(self, stream: TextIO, approving: Approving, *, is_ascii: bool) -> None:
        self._stream = stream
        self._approving = approving
        self._is_ascii = is_ascii
        self._rows = 0
        """How many of the last picture are on the screen, above the cursor."""

    def told(self, watched: Watched, line: str) -> None:
        """Do nothing: it will be drawn."""

    def draw(self, watched: Watched) -> None:
        if watched.plan is None:
            return
        columns, rows = size_of(self._stream)
        lines = [(cut_line(text, columns - 1), style) for text, style in self._below(watched)]
        below = [styled(text, style, to=self._stream) for text, style in lines]
        most = max(rows - len(below) - _BESIDES, 1)
        at_work = look_of(self._stream, is_ascii=self._is_ascii).sign("running")
        self._put([*_window(self._picture(watched, most), most, at_work), *below])

    def close(self, watched: Watched) -> None:
        """Leave the whole picture of how it ended, however high it is."""
        if watched.plan is not None:
            below = [styled(text, style, to=self._stream) for text, style in self._below(watched)]
            self._put([*self._picture(watched, None), *below])
        self._rows = 0

    def _picture(self, watched: Watched, rows: int | None) -> list[str]:
        standings = watched.standings(time.time())
        return lines_of(watched.plan, standings, to=self._stream, is_ascii=self._is_ascii, rows=rows)

    def _below(self, watched: Watched) -> Iterator[tuple[str, str]]:
        """Yield the lines below the picture, each with its style."""
        for held in watched.held.values():
            yield flat(f"{held.node} waits for an approval{f': {held.reason}' if held.reason else ''}"), "yellow"
            yield f"  {self._approving(held)}", "bold"
        seconds = f"{watched.seconds(time.time()):.1f} s"
        yield f"run {watched.run}: {watched.came_to}, {watched.done} of {watched.nodes} done, {seconds}", "dim"

    def _put(self, lines: list[str]) -> None:
        back = f"\x1b[{self._rows}A\r" if self._rows else ""
        shown = "".join(f"{plain_but_styled(line)}\x1b[K\n" for line in lines)
        self._stream.write(f"{back}{shown}\x1b[J")
        self._stream.flush()
        self._rows = len(lines)


def _window(lines: list[str], most: int, sign: str) -> list[str]:
    """Return as many lines as can be shown, from a little above the first with `sign` on; what is left out is said."""
    if len(lines) <= most:
        return lines
    first = next((place for place, line in enumerate(lines) if sign in line), 0)
    start = max(min(first - 1, len(lines) - most + 1), 0)
    return [*lines[start : start + most - 1], f"... {len(lines) - most + 1} more lines"]


def flat(text: str) -> str:
    """Return `text` in one line, without what would drive the terminal."""
    return plain(" ".join(text.split()))
