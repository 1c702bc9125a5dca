"""How far something is that takes a while: a bar on a terminal, one line anywhere else."""

import time
from types import TracebackType
from typing import TextIO

from pegboard.edges.cli.output import is_terminal

_WIDTH = 32
_EVERY_SECONDS = 0.05


class Progress:
    """Shown from the first call of `at` to the end of the block."""

    def __init__(self, stream: TextIO, doing: str = "indexing", things: str = "items") -> None:
        self._stream = stream
        self._doing = doing
        self._things = things
        self._on_terminal = is_terminal(stream)
        self._shown = -1.0
        self._started = False

    def at(self, done: int, total: int) -> None:
        """Show that `done` of `total` things are done."""
        if total <= 0:
            return
        if not self._on_terminal:
            if not self._started:
                self._write(f"pegboard: {self._doing} {total} {self._things}\n")
            self._started = True
            return
        self._started = True
        now = time.monotonic()
        if done < total and now - self._shown < _EVERY_SECONDS:
            return
        self._shown = now
        filled = round(_WIDTH * min(done, total) / total)
        self._write(f"\r\x1b[K  {self._doing} {'━' * filled}{'╌' * (_WIDTH - filled)} {done} of {total}")

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._started and self._on_terminal:
            self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
