"""PostgreSQL: each statement in a transaction of its own, read-only unless a tool writes, with a time limit."""

import math

import psycopg
from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from pegboard.errors import CallFailed, CallRefused, UpstreamFailed
from pegboard.handlers.sql.database import Address
from pegboard.handlers.sql.rows import Caps, MoreThanCaps, Rows, read
from pegboard.handlers.sql.running import Running, Stopped
from pegboard.handlers.sql.template import Bound
from pegboard.text import words_of_name

_MOST_BUFFERED = 50
"""Rows that are fetched at once."""
_CANCEL_SECONDS = 1.0

_NAMING = frozenset({"42P01", "42703", "42883", "42501", "3F000"})
"""Errors whose message names a thing of the database and no value: no such table, column or function, no right."""
_BY_VALUES = frozenset({"42P18", "42P08", "42725", "42804"})
"""Errors of a statement whose arguments have no values: of which type they are is not known."""
_FOR_NOW = frozenset({"40001", "40P01", "53300", "57P01", "57P02", "57P03", "55P03"})
"""Errors that are over when the same is tried again: a deadlock, a restart, too many connections."""


class PostgresDriver:
    """Fulfils `database.Driver`."""

    def engine(self, address: Address, *, writes: bool) -> Engine:
        options = {"connect_timeout": max(2, math.ceil(address.connect_seconds)), "application_name": "pegboard"}
        return create_engine(
            address.url,
            connect_args=options,
            poolclass=QueuePool,
            pool_size=address.connections,
            max_overflow=-1,
            pool_pre_ping=True,
            hide_parameters=True,
        )

    def run(self, engine: Engine, bound: Bound, caps: Caps, running: Running, *, writes: bool) -> Rows:
        running.check()
        try:
            with engine.connect() as connection:
                return _run(connection, bound, caps, running, writes=writes)
        except (DBAPIError, psycopg.Error) as error:
            if running.is_over:
                raise Stopped from None
            told = error.orig if isinstance(error, DBAPIError) else error
            if bound.is_explained and getattr(told, "sqlstate", None) in _BY_VALUES:
                return Rows(())
            raise _told(told) from None
        except UnicodeError:
            raise CallFailed("A text is none that PostgreSQL can hold.") from None


def _run(connection: Connection, bound: Bound, caps: Caps, running: Running, *, writes: bool) -> Rows:
    raw = connection.connection.dbapi_connection
    assert isinstance(raw, psycopg.Connection)
    try:
        running.interrupted_by(lambda: raw.cancel_safe(timeout=_CANCEL_SECONDS))
        milliseconds = max(1, math.ceil(running.seconds * 1000))
        mode = "READ WRITE" if writes else "READ ONLY"
        connection.exec_driver_sql(f"SET TRANSACTION {mode}; SET LOCAL statement_timeout = {milliseconds}")
        rows = _rows(connection, bound, caps, running, writes=writes)
        running.interrupted_by(None)
        connection.commit() if writes else connection.rollback()
    except BaseException:
        running.forget()
        if running.is_stopped:
            connection.invalidate()  # what cancels it may still be on its way
        raise
    return rows


def _rows(connection: Connection, bound: Bound, caps: Caps, running: Running, *, writes: bool) -> Rows:
    is_whole = writes or bound.is_explained  # a cursor is declared for no EXPLAIN
    options = {} if is_whole else {"stream_results": True, "max_row_buffer": _MOST_BUFFERED}
    result = connection.exec_driver_sql(bound.sql, dict(bound.values), execution_options=options)
    changed = max(0, result.rowcount) if writes else None
    if not result.returns_rows:
        return Rows((), changed=changed)

    def fetch() -> tuple[object, ...] | None:
        running.check()
        row = result.fetchone()
        return None if row is None else tuple(row)

    try:
        return Rows(read(list(result.keys()), fetch, caps), changed=changed)
    except MoreThanCaps as error:
        return Rows(error.rows, is_truncated=True, changed=changed)
    finally:
        result.close()


def _told(error: BaseException | None) -> CallFailed:
    """Return what went wrong, without a value of the statement's and without the address."""
    code = getattr(error, "sqlstate", None)
    if isinstance(error, psycopg.DataError | psycopg.ProgrammingError) and code is None:
        return CallFailed("An argument is none that PostgreSQL can hold.")
    if not isinstance(error, psycopg.Error) or code is None:
        return UpstreamFailed("The database does not answer.", is_retryable=True)
    if code == "57014":
        raise Stopped
    if code == "25006":
        return CallRefused("The statement changes the database, and the tool does not say that it writes.")
    if code.startswith("28"):
        return UpstreamFailed("The database does not let us in.", hint="Look at the source's url.")
    if code.startswith("08") or code in _FOR_NOW:
        return UpstreamFailed(f"The database cannot run the statement now ({_named(error)}).", is_retryable=True)
    return CallFailed(_reason(error, code))


def _reason(error: psycopg.Error, code: str) -> str:
    if code.startswith("23"):
        broken = error.diag.constraint_name or error.diag.column_name or code
        return f"The database refuses the change: it breaks {broken!r}."
    if code.startswith("22"):
        return f"An argument does not fit where it stands ({_named(error)})."
    if code in _NAMING:
        return f"The database cannot run the statement: {error.diag.message_primary}."
    return f"The database cannot run the statement ({_named(error)})."


def _named(error: psycopg.Error) -> str:
    return f"{words_of_name(type(error).__name__)}, {error.sqlstate}"
