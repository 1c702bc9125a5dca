"""How far the index is: a bar on a terminal, one line anywhere else."""

import time
from types import TracebackType
from typing import TextIO

from pegboard.edges.cli.output import is_terminal

_WIDTH = 32
_EVERY_SECONDS = 0.05


class IndexProgress:
    """Shown from the first call of `at` to the end of the block."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._on_terminal = is_terminal(stream)
        self._shown = -1.0
        self._started = False

    def at(self, done: int, total: int) -> None:
        """Show that `done` of `total` items are indexed."""
        if total <= 0:
            return
        if not self._on_terminal:
            if not self._started:
                self._write(f"pegboard: indexing {total} items\n")
            self._started = True
            return
        self._started = True
        now = time.monotonic()
        if done < total and now - self._shown < _EVERY_SECONDS:
            return
        self._shown = now
        filled = round(_WIDTH * min(done, total) / total)
        self._write(f"\r\x1b[K  indexing {'━' * filled}{'╌' * (_WIDTH - filled)} {done} of {total}")

    def __enter__(self) -> "IndexProgress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._started and self._on_terminal:
            self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
