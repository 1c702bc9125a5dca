"""SQLite: opened read-only unless a tool writes; an authorizer lets nothing through that a statement has no need of."""

import sqlite3
from collections.abc import Callable, Set
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.pool import QueuePool

from pegboard.errors import CallFailed, CallRefused, UpstreamFailed
from pegboard.handlers.sql.database import Address
from pegboard.handlers.sql.rows import Caps, MoreThanCaps, Rows, read
from pegboard.handlers.sql.running import Running, Stopped
from pegboard.handlers.sql.template import Bound

_LOCK_SECONDS = 0.05
"""How long SQLite itself waits for a lock; we try again, and look in between whether anybody still waits."""
_STEPS = 2000
"""Instructions between two looks."""
_LONGEST_PATTERN = 1000
_LONGEST_VALUE = 64 << 20

_READING = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE, sqlite3.SQLITE_TRANSACTION})
_WRITING = _READING | {sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE}
_FORBIDDEN_FUNCTIONS = frozenset({"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer"})
_HARMLESS_PRAGMAS = frozenset({"data_version", "read_uncommitted"})
"""Looked at by full-text search, and by SQLAlchemy."""


class SqliteDriver:
    """Fulfils `database.Driver`."""

    def engine(self, address: Address, *, writes: bool) -> Engine:
        def creator() -> sqlite3.Connection:
            return _connection(address, writes=writes)

        return create_engine(
            "sqlite://", creator=creator, poolclass=QueuePool, pool_size=address.connections, max_overflow=-1
        )

    def run(self, engine: Engine, bound: Bound, caps: Caps, running: Running, *, writes: bool) -> Rows:
        while True:
            running.check()
            try:
                return _run(engine, bound, caps, running)
            except OperationalError as error:
                if running.is_over:
                    raise Stopped from None
                if getattr(error.orig, "sqlite_errorcode", 0) & 0xFF not in (
                    sqlite3.SQLITE_BUSY,
                    sqlite3.SQLITE_LOCKED,
                ):
                    raise _told(error.orig) from None
                running.pause(_LOCK_SECONDS)  # another process writes: nothing of ours has been done yet
            except DBAPIError as error:
                raise _told(error.orig) from None
            except (OverflowError, UnicodeError):
                raise CallFailed("A number or a text is none that SQLite can hold.") from None


def _connection(address: Address, *, writes: bool) -> sqlite3.Connection:
    uri = f"file:{quote(str(address.file))}?mode={'rw' if writes else 'ro'}"
    connection = sqlite3.connect(uri, uri=True, check_same_thread=False, timeout=_LOCK_SECONDS)
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, _LONGEST_PATTERN)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA foreign_keys=ON")
    if not writes:
        connection.execute("PRAGMA query_only=ON")
    connection.set_authorizer(_authorizer(_WRITING if writes else _READING))
    return connection


def _authorizer(allowed: Set[int]) -> Callable[..., int]:
    def authorized(action: int, first: str | None, second: str | None, *_: str | None) -> int:
        match action:
            case sqlite3.SQLITE_FUNCTION:
                is_fine = (second or "").lower() not in _FORBIDDEN_FUNCTIONS
            case sqlite3.SQLITE_PRAGMA:
                is_fine = (first or "").lower() in _HARMLESS_PRAGMAS and second is None
            case sqlite3.SQLITE_READ:
                is_fine = not (first or "").lower().startswith("pragma_")
            case sqlite3.SQLITE_UPDATE if first == "sqlite_master":
                is_fine = True  # asked when a virtual table is opened; SQLite itself changes it for nobody
            case _:
                is_fine = action in allowed
        return sqlite3.SQLITE_OK if is_fine else sqlite3.SQLITE_DENY

    return authorized


def _run(engine: Engine, bound: Bound, caps: Caps, running: Running) -> Rows:
    with engine.connect() as connection:
        raw = connection.connection.dbapi_connection
        assert isinstance(raw, sqlite3.Connection)
        raw.set_progress_handler(lambda: running.is_over, _STEPS)
        try:
            return _rows(connection, bound, caps, running)
        finally:
            raw.set_progress_handler(None, 0)


def _rows(connection: Connection, bound: Bound, caps: Caps, running: Running) -> Rows:
    result = connection.exec_driver_sql(bound.sql, dict(bound.values))
    raw = connection.connection.dbapi_connection
    writes = isinstance(raw, sqlite3.Connection) and raw.in_transaction
    rows: Rows = Rows(())
    if result.returns_rows:
        try:
            rows = Rows(read(list(result.keys()), result.fetchone, caps))
        except MoreThanCaps as error:
            rows = Rows(error.rows, is_truncated=True)
            while writes and result.fetchone() is not None:  # only at the end is known how many were changed
                running.check()
    changed = result.rowcount if writes else None
    result.close()
    running.check()
    connection.commit()
    return Rows(rows.rows, rows.is_truncated, changed if changed is None or changed >= 0 else None)


def _told(error: BaseException | None) -> CallFailed:
    """Return what went wrong, without a value of the statement's."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    said = str(error)
    if said.startswith("not authorized") or "prohibited" in said:
        return CallRefused("The statement does what no tool's may: it reads rows and changes rows, and no more.")
    if code == sqlite3.SQLITE_READONLY:
        return CallRefused("The statement changes the database, and the tool does not say that it writes.")
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOTADB):
        return UpstreamFailed("The database is not there, or its file is none of SQLite's.")
    return CallFailed(_reason(code, said, getattr(error, "sqlite_errorname", type(error).__name__)))


def _reason(code: int, said: str, name: str) -> str:
    match code:
        case sqlite3.SQLITE_CONSTRAINT:
            return f"The database refuses the change: {said}."
        case sqlite3.SQLITE_MISMATCH:
            return "An argument is of a type that does not fit where it stands."
        case sqlite3.SQLITE_TOOBIG | sqlite3.SQLITE_NOMEM:
            return "A value is larger than a statement may make or read."
        case sqlite3.SQLITE_ERROR if said.startswith(("no such table", "no such column", "no such function")):
            return f"The database cannot run the statement: {said}."
        case _:
            return f"The database cannot run the statement ({name})."
