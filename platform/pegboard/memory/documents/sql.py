"""Documents through SQLAlchemy Core: a SQLite file, or Postgres; every method is one transaction."""

import json
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, Row, Select, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from pegboard.catalog.contract import Cited, Document, Draft, Listing
from pegboard.errors import Unreachable
from pegboard.memory.documents.draft import fit, fitting, is_same, once_of, run_and_node
from pegboard.memory.documents.store import MOST_VERSIONS, Bounds, full, unknown
from pegboard.memory.documents.tables import DOCUMENTS, METADATA, SHELVES, VERSIONS
from pegboard.text import folded, to_json

_HEAD = (
    DOCUMENTS.c.id,
    DOCUMENTS.c.site,
    DOCUMENTS.c.created,
    DOCUMENTS.c.latest,
    DOCUMENTS.c.base,
    *(VERSIONS.c[name] for name in ("version", "title", "language", "bytes", "updated", "run", "node", "sources")),
)
_WHOLE = (*_HEAD, VERSIONS.c.text)
_TABLES_LOCK = 0x7065_6762
"""Of Postgres' advisory locks, ours while tables are made."""


class SqlDocuments:
    """Fulfils `store.DocumentStore`."""

    def __init__(self, engine: Engine, bounds: Bounds, *, now: Callable[[], float] = time.time) -> None:
        """Use `engine`, which is closed with it; its tables are made where they are not there.

        Raises:
            Unreachable: the database does not answer.
        """
        self._engine = engine
        self._bounds = bounds
        self._now = now
        with self._writing() as connection:
            if engine.dialect.name == "postgresql":
                connection.execute(select(func.pg_advisory_xact_lock(_TABLES_LOCK)))
            METADATA.create_all(connection)

    def close(self) -> None:
        self._engine.dispose()

    def write(self, site: str, draft: Draft, *, base: str = "") -> Document:
        draft = fit(draft, self._bounds)
        with self._writing() as connection:
            documents, total = self._shelf(connection, site)
            found = self._written_before(connection, site, draft)
            if found is None:
                latest = self._latest_of(connection, site, draft.title)
                if latest is not None and is_same(draft, latest):
                    found = (latest.id, latest.version)
                else:
                    self._check(site, documents + (latest is None), total + len(draft.text.encode()))
                    found = self._add(connection, site, draft, latest)
            if base:
                connection.execute(update(DOCUMENTS).where(DOCUMENTS.c.id == found[0]).values(base=base))
            return _document(connection.execute(_whole(found[1]).where(DOCUMENTS.c.id == found[0])).one())

    def read(self, site: str | None, which: str, *, version: int | None = None) -> Document:
        if version is not None and not 1 <= version <= MOST_VERSIONS:
            raise unknown(which, version=version)
        with self._reading() as connection:
            id_ = self._found(connection, site, which)
            row = connection.execute(_whole(version).where(DOCUMENTS.c.id == id_)).one_or_none()
        if row is None:
            raise unknown(which, version=version)
        return _document(row)

    def list(self, site: str | None, *, query: str = "", limit: int = 20) -> Listing:
        own = _of_site(site)
        heads = select(*_HEAD).join_from(DOCUMENTS, VERSIONS, _is_version(None)).where(*own)
        heads = heads.order_by(DOCUMENTS.c.updated.desc(), DOCUMENTS.c.id)
        with self._reading() as connection:
            if query.strip():
                found = fitting(query, [_document(row) for row in connection.execute(heads)])
                return Listing(tuple(found[:limit]), len(found))
            total = connection.execute(select(func.count()).select_from(DOCUMENTS).where(*own)).scalar_one()
            return Listing(tuple(_document(row) for row in connection.execute(heads.limit(limit))), total)

    def remove(self, site: str | None, which: str) -> Document:
        with self._writing() as connection:
            id_ = self._found(connection, site, which)
            owner = connection.execute(select(DOCUMENTS.c.site).where(DOCUMENTS.c.id == id_)).scalar_one_or_none()
            if owner is not None:
                self._shelf(connection, owner)
            row = connection.execute(_whole(None).where(DOCUMENTS.c.id == id_)).one_or_none()
            if owner is None or row is None:  # another has removed it meanwhile
                raise unknown(which)
            sizes = select(func.sum(VERSIONS.c.bytes)).where(VERSIONS.c.document == id_)
            size = int(connection.execute(sizes).scalar_one())
            connection.execute(delete(VERSIONS).where(VERSIONS.c.document == id_))
            connection.execute(delete(DOCUMENTS).where(DOCUMENTS.c.id == id_))
            self._count(connection, owner, documents=-1, size=-size)
            return _document(row)

    def known(self, id: str | None = None) -> tuple[Document, ...]:
        wanted = _whole(None).where(DOCUMENTS.c.base != "", *([] if id is None else [DOCUMENTS.c.id == id]))
        with self._reading() as connection:
            return tuple(_document(row) for row in connection.execute(wanted.order_by(DOCUMENTS.c.id)))

    # Parts of a write

    def _shelf(self, connection: Connection, site: str) -> tuple[int, int]:
        """Hold the site until the transaction ends; return how many documents it has, and bytes of all versions."""
        insert_ = postgresql.insert if self._engine.dialect.name == "postgresql" else sqlite.insert
        connection.execute(insert_(SHELVES).values(site=site, documents=0, bytes=0).on_conflict_do_nothing())
        row = connection.execute(
            select(SHELVES.c.documents, SHELVES.c.bytes).where(SHELVES.c.site == site).with_for_update()
        ).one()
        return int(row.documents), int(row.bytes)

    def _count(self, connection: Connection, site: str, *, documents: int, size: int) -> None:
        counted = {"documents": SHELVES.c.documents + documents, "bytes": SHELVES.c.bytes + size}
        connection.execute(update(SHELVES).where(SHELVES.c.site == site).values(**counted))

    def _check(self, site: str, documents: int, total: int) -> None:
        if documents > self._bounds.documents:
            raise full(site, f"it has {self._bounds.documents:,} (documents_kept)")
        if total > self._bounds.total_bytes:
            raise full(site, f"their versions have more than {self._bounds.total_bytes:,} bytes (documents_size)")

    def _written_before(self, connection: Connection, site: str, draft: Draft) -> tuple[str, int] | None:
        once = once_of(draft)
        if once is None:
            return None
        same = select(VERSIONS.c.document, VERSIONS.c.version).where(VERSIONS.c.site == site, VERSIONS.c.once == once)
        row = connection.execute(same).one_or_none()
        return None if row is None else (row.document, row.version)

    def _latest_of(self, connection: Connection, site: str, title: str) -> Document | None:
        wanted = _whole(None).where(DOCUMENTS.c.site == site, DOCUMENTS.c.folded == folded(title))
        row = connection.execute(wanted).one_or_none()
        return None if row is None else _document(row)

    def _add(self, connection: Connection, site: str, draft: Draft, latest: Document | None) -> tuple[str, int]:
        now, size = self._now(), len(draft.text.encode())
        id_, version = (latest.id, latest.version + 1) if latest else (secrets.token_hex(8), 1)
        if latest is None:
            head = {"id": id_, "site": site, "folded": folded(draft.title), "created": now, "base": ""}
            connection.execute(insert(DOCUMENTS).values(**head, updated=now, latest=1))
        else:
            connection.execute(update(DOCUMENTS).where(DOCUMENTS.c.id == id_).values(updated=now, latest=version))
        run, node = run_and_node(draft.key)
        connection.execute(
            insert(VERSIONS).values(
                document=id_,
                version=version,
                site=site,
                title=draft.title,
                text=draft.text,
                language=draft.language,
                bytes=size,
                updated=now,
                run=run,
                node=node,
                sources=to_json([each.to_json() for each in draft.sources]),
                once=once_of(draft),
            )
        )
        self._count(connection, site, documents=int(latest is None), size=size)
        return id_, version

    # Reading

    def _found(self, connection: Connection, site: str | None, which: str) -> str:
        """Return the id of a document by its id or its title.

        Raises:
            UnknownDocument: there is none.
        """
        ids = select(DOCUMENTS.c.id).where(*_of_site(site))
        found = connection.execute(ids.where(DOCUMENTS.c.id == _safe(which))).scalar_one_or_none()
        if found is None and site is not None:
            found = connection.execute(ids.where(DOCUMENTS.c.folded == folded(_safe(which)))).scalar_one_or_none()
        if found is None:
            raise unknown(which)
        return str(found)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with _reachable(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with _reachable(), self._engine.execution_options(pegboard_writes=True).begin() as connection:
            yield connection


@contextmanager
def _reachable() -> Iterator[None]:
    """Make what a database says of itself an error of ours, without its address and without what was written."""
    try:
        yield
    except PoolTimeout as error:
        message = "The documents cannot be reached: too many are asked for at once."
        raise Unreachable(message, hint="Try again.") from error
    except DBAPIError as error:
        why = type(error.orig).__name__ if error.orig is not None else type(error).__name__
        detail = str(error.orig).splitlines()[0] if isinstance(error.orig, Exception) and str(error.orig) else why
        is_plain = "sqlite" in type(error.orig).__module__
        message = f"The documents cannot be reached: {detail if is_plain else why}."
        raise Unreachable(message, hint="Look at the setting store_url, or at the disk of the data folder.") from error


def _of_site(site: str | None) -> "list[Any]":
    return [] if site is None else [DOCUMENTS.c.site == site]


def _is_version(version: int | None) -> Any:
    number = DOCUMENTS.c.latest if version is None else version
    return (VERSIONS.c.document == DOCUMENTS.c.id) & (VERSIONS.c.version == number)


def _whole(version: int | None) -> "Select[Any]":
    return select(*_WHOLE).join_from(DOCUMENTS, VERSIONS, _is_version(version))


def _safe(which: str) -> str:
    """Return what a database can be asked for; what was never kept is found no more by it."""
    return which.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()


def _document(row: "Row[Any]") -> Document:
    fields = {str(key): value for key, value in row._mapping.items()}
    sources = tuple(Cited(each["url"], each["name"]) for each in json.loads(fields["sources"]))
    return Document(**{**fields, "sources": sources})
