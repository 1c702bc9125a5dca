"""SQLite's write-ahead log, switched on however many processes open a file at once."""

import sqlite3
import time

_AGAIN_SECONDS = 0.02


def write_ahead(connection: sqlite3.Connection, *, timeout_seconds: float = 60.0) -> None:
    """Switch the write-ahead log on; the file keeps it. Blocks while others open the file.

    SQLite waits for no lock here, whatever the connection's timeout is: two that come at once are told that the
    database is locked.

    Raises:
        sqlite3.OperationalError: it is still locked at the end of `timeout_seconds`, or something else is wrong.
    """
    ends_at = time.monotonic() + timeout_seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > ends_at:
                raise
            time.sleep(_AGAIN_SECONDS)
