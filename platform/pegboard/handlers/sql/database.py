"""`Database`: the seam to one database, and which one an address means.

Below it: `sqlite` and `postgres`, each with its own way to read only, to stop, and to say what went wrong.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Protocol

import anyio
import anyio.to_thread
from sqlalchemy import Engine
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from pegboard.catalog.kind import About, Misdeclared, Misfit
from pegboard.config.blocks.sql import SqlSourceDeclaration
from pegboard.handlers.sql.pieces import Dialect
from pegboard.handlers.sql.rows import Caps, Rows
from pegboard.handlers.sql.running import Running, in_thread
from pegboard.handlers.sql.template import Bound


@dataclass(frozen=True, slots=True)
class Address:
    """Where a database is."""

    dialect: Dialect
    url: URL = field(repr=False)
    file: Path | None = None
    """Of SQLite."""
    connections: int = 4
    connect_seconds: float = 3.0


class Driver(Protocol):
    """How one kind of database is spoken to; its methods block, and run in a thread."""

    def engine(self, address: Address, *, writes: bool) -> Engine:
        """Return an engine; nothing is opened."""
        ...

    def run(self, engine: Engine, bound: Bound, caps: Caps, running: Running, *, writes: bool) -> Rows:
        """Run one statement in a transaction of its own.

        Raises:
            CallFailed: it could not be run.
            Stopped: `running` is over.
        """
        ...


@dataclass(frozen=True)
class Database:
    """An open database: connections, and who may use them."""

    engine: Engine
    driver: Driver
    slots: anyio.CapacityLimiter
    writes: bool

    async def run(self, bound: Bound, caps: Caps, running: Running) -> Rows:
        """Run one statement; see `Driver.run`."""
        work = partial(self.driver.run, self.engine, bound, caps, running, writes=self.writes)
        return await in_thread(work, running, self.slots)


@asynccontextmanager
async def opened(address: Address, driver: Driver, *, writes: bool) -> AsyncIterator[Database]:
    """Hold a database open; its connections are closed at the end."""
    engine = driver.engine(address, writes=writes)
    try:
        yield Database(engine, driver, anyio.CapacityLimiter(address.connections), writes)
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(engine.dispose)


def address_of(declared: SqlSourceDeclaration, about: About) -> Address:
    """Return where the database is that `about.source` declares.

    Raises:
        Misdeclared: the address is none of a database that can be reached.
    """
    name = about.source.name if about.source else about.name
    shared = (declared.connections, declared.connect_timeout)
    if bool(declared.file) == bool(declared.url):
        count = "both a `url` and a `file`" if declared.file else "neither a `url` nor a `file`"
        raise _misdeclared(f"reaches the source {name!r}, which has {count}", "Give it one of them.")
    if declared.file:
        return Address("sqlite", URL.create("sqlite"), _file(declared.file, {}, name, about), *shared)
    try:
        url = make_url(declared.url.reveal())
    except (ArgumentError, ValueError):
        message = f"reaches the source {name!r}, whose url is no address of a database"
        raise _misdeclared(message, "Write sqlite:///shop.db or postgresql://user@host/name.") from None
    if url.drivername in ("postgresql", "postgresql+psycopg", "postgres"):
        return Address("postgresql", url.set(drivername="postgresql+psycopg"), None, *shared)
    if url.drivername in ("sqlite", "sqlite+pysqlite"):
        return Address("sqlite", url, _file(url.database, url.query, name, about), *shared)
    message = f"reaches the source {name!r}, whose database is of the kind {url.drivername!r}"
    raise _misdeclared(message, "SQLite (sqlite:///file) and PostgreSQL (postgresql://…) can be reached.")


def _file(named: str | None, query: Mapping[str, object], source: str, about: About) -> Path:
    if not named or named.startswith((":memory:", "file:")) or query or "\x00" in named:
        message = f"reaches the source {source!r}, which names no file"
        raise _misdeclared(message, "Write `file: shop.db`, relative to the document that declares the source.")
    try:
        return about.path(named, folder=about.source_folder)
    except Misdeclared as error:
        hint = error.misfits[0].hint
        raise _misdeclared(
            f"reaches the source {source!r}, whose file lies outside the configuration's folder", hint
        ) from None


def _misdeclared(message: str, hint: str) -> Misdeclared:
    return Misdeclared(Misfit(("source",), message, hint))
