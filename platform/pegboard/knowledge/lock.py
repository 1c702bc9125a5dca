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
    with closing(_held(file, timeout_seconds)) as connection:
        try:
            yield
        finally:
            connection.execute("ROLLBACK")


def _held(file: Path, timeout_seconds: float) -> sqlite3.Connection:
    try:
        return _taken(file, timeout_seconds)
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):
            raise
        raise Unreachable(
            f"Another process has been writing the index {str(file.parent)!r} for {timeout_seconds:g} s.",
            hint="Wait until it has finished, or end it.",
        ) from error
    except sqlite3.DatabaseError:  # damaged, so nobody holds it; emptied in place, for whoever mends it too
        file.write_bytes(b"")
        return _taken(file, timeout_seconds)


def _taken(file: Path, timeout_seconds: float) -> sqlite3.Connection:
    connection = sqlite3.connect(file, timeout=timeout_seconds, isolation_level=None)
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return connection
