"""A lock between processes that ends with the process that holds it, however it ends.

A SQLite file with an open exclusive transaction: the operating system gives it back after `kill -9`, and it
works alike on Linux, macOS and Windows.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from pegboard.errors import Unreachable


@contextmanager
def exclusive(file: Path, *, timeout_seconds: float) -> Iterator[None]:
    """Hold the lock `file`; wait at most `timeout_seconds` for another holder.

    Raises:
        Unreachable: another process holds it for longer.
    """
    with closing(sqlite3.connect(file, timeout=timeout_seconds, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise Unreachable(
                f"Another process has been writing the index {str(file.parent)!r} for {timeout_seconds:g} s.",
                hint="Wait until it has finished, or end it.",
            ) from error
        try:
            yield
        finally:
            connection.execute("ROLLBACK")
