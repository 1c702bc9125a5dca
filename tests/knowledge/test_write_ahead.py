"""The write-ahead log is switched on though another has the file locked just then."""

import sqlite3
import threading
from pathlib import Path

import pytest

from pegboard.knowledge.write_ahead import write_ahead


def opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=0.0, isolation_level=None, check_same_thread=False)


def test_it_waits_for_who_has_the_file_locked(tmp_path: Path) -> None:
    holder, other = opened(tmp_path / "a.sqlite"), opened(tmp_path / "a.sqlite")
    holder.execute("CREATE TABLE t (x)")
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        write_ahead(other, timeout_seconds=0.0)
    letting_go = threading.Timer(0.1, lambda: holder.execute("COMMIT"))
    letting_go.start()
    write_ahead(other, timeout_seconds=30.0)
    letting_go.join()
    assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_what_is_no_database_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.sqlite").write_bytes(b"no database, and long enough to be looked at" * 40)
    with pytest.raises(sqlite3.DatabaseError):
        write_ahead(opened(tmp_path / "a.sqlite"))
