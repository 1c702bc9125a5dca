"""Which store of documents is opened: Postgres where the setting `store_url` names one, else a file of the data folder.

Nothing is opened, and no SQL is imported, before somebody asks for a document.
"""

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pegboard.catalog.contract import Document, Draft, Listing
from pegboard.config.server.settings import Settings
from pegboard.errors import Unreachable, UsageError
from pegboard.memory.documents.store import Bounds, DocumentStore

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

_BUSY_SECONDS = 10.0
_CONNECT_SECONDS = 5
_ANSWER_MILLISECONDS = 10_000
"""How long Postgres may take for one statement, or be silent: whoever waits for a document has a deadline."""
FILE = "documents.db"


class OpenedLater:
    """A store that is opened by its first use; fulfils `store.DocumentStore`."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._store: DocumentStore | None = None
        self._lock = threading.Lock()

    def write(self, site: str, draft: Draft, *, base: str = "") -> Document:
        return self._opened().write(site, draft, base=base)

    def read(self, site: str | None, which: str, *, version: int | None = None) -> Document:
        return self._opened().read(site, which, version=version)

    def list(self, site: str | None, *, query: str = "", limit: int = 20) -> Listing:
        return self._opened().list(site, query=query, limit=limit)

    def remove(self, site: str | None, which: str) -> Document:
        return self._opened().remove(site, which)

    def known(self, id: str | None = None) -> tuple[Document, ...]:
        return self._opened().known(id)

    def close(self) -> None:
        with self._lock:
            if self._store is not None:
                self._store.close()
                self._store = None

    def _opened(self) -> DocumentStore:
        with self._lock:
            if self._store is None:
                self._store = open_documents(self._settings)
            return self._store


def open_documents(settings: Settings) -> DocumentStore:
    """Open the store that `settings` name; blocks.

    Raises:
        UsageError: the setting `store_url` is no address of a database, or the extra `postgres` is not installed.
        Unreachable: it cannot be opened.
    """
    from pegboard.memory.documents.sql import SqlDocuments  # noqa: PLC0415 (SQLAlchemy takes a while to import)

    url = settings.store_url.reveal() if settings.store_url is not None else ""
    engine = postgres_engine(url) if url else sqlite_engine(settings.data / FILE)
    bounds = Bounds(settings.document_bytes, settings.documents_kept, settings.documents_bytes)
    try:
        return SqlDocuments(engine, bounds)
    except BaseException:
        engine.dispose()
        raise


def sqlite_engine(file: Path) -> "Engine":
    """Return an engine of a file, which is made with its folder.

    Raises:
        Unreachable: the folder cannot be made.
    """
    from sqlalchemy import create_engine, event  # noqa: PLC0415
    from sqlalchemy.engine import URL  # noqa: PLC0415

    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"The documents cannot be kept in {file.parent}: {error.strerror or error}."
        raise Unreachable(message, hint="Make room there, or name another folder with --data.") from error
    engine = create_engine(
        URL.create("sqlite", database=str(file)), connect_args={"timeout": _BUSY_SECONDS}, hide_parameters=True
    )
    event.listen(engine, "connect", _without_own_transactions)
    event.listen(engine, "begin", _begin)
    return engine


def _without_own_transactions(connection: Any, record: object) -> None:
    """Keep the driver from beginning transactions at moments of its own."""
    connection.isolation_level = None


def _begin(connection: "Connection") -> None:
    """Take the file for writing at once where something will be written: two that have read first could not go on."""
    writes = connection.get_execution_options().get("pegboard_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def postgres_engine(url: str) -> "Engine":
    """Return an engine of a Postgres database.

    Raises:
        UsageError: `url` is none of one, or the driver is not installed.
    """
    from sqlalchemy import create_engine  # noqa: PLC0415
    from sqlalchemy.engine import make_url  # noqa: PLC0415
    from sqlalchemy.exc import ArgumentError  # noqa: PLC0415

    hint = "Write postgresql://user@host/name; without the setting, documents are kept in the data folder."
    try:
        address = make_url(url)
    except (ArgumentError, ValueError):
        raise UsageError("The setting store_url is no address of a database.", hint=hint) from None
    if address.drivername not in {"postgresql", "postgresql+psycopg", "postgres"}:
        raise UsageError(f"The setting store_url names a database of the kind {address.drivername!r}.", hint=hint)
    try:
        return create_engine(
            address.set(drivername="postgresql+psycopg"),
            connect_args={
                "connect_timeout": _CONNECT_SECONDS,
                "tcp_user_timeout": _ANSWER_MILLISECONDS,
                "options": f"-c statement_timeout={_ANSWER_MILLISECONDS}",
                "application_name": "pegboard",
            },
            pool_pre_ping=True,
            hide_parameters=True,
        )
    except ImportError as error:
        hint = 'Install the extra: pip install "pegboard[postgres]".'
        raise UsageError("The setting store_url names PostgreSQL, and its driver is missing.", hint=hint) from error
