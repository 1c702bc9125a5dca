"""The default index: one SQLite file; words in FTS5, vectors in numpy.

One transaction a `replace`, in WAL mode: whoever is killed leaves the state before it. A file of another shape, of
another embedder, or damaged is made anew, and `notice` says so.
"""

import itertools
import sqlite3
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pegboard.catalog.contract import Item
from pegboard.errors import Unreachable
from pegboard.knowledge.index import Change, Listed, Match, Scope, Source, Stored, Vector
from pegboard.knowledge.lock import exclusive
from pegboard.knowledge.sqlite_check import is_sound
from pegboard.knowledge.stored import OTHER_SHAPE, body_of, head_of, item_of, line_of_terms, listed, meta_of, misfit
from pegboard.knowledge.vectors import VectorTable
from pegboard.knowledge.write_ahead import write_ahead

_OPENING_SECONDS = 600.0
_NEW = "is new"
_DAMAGED = "is damaged"
_TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE sources (id INTEGER PRIMARY KEY, base TEXT NOT NULL, name TEXT NOT NULL,"
    " digest TEXT NOT NULL, faulty INTEGER NOT NULL, UNIQUE (base, name))",
    "CREATE TABLE items (id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " source INTEGER NOT NULL REFERENCES sources ON DELETE CASCADE, head TEXT NOT NULL, body TEXT NOT NULL)",
    "CREATE INDEX items_source ON items (source)",
    "CREATE TABLE passages (id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " item INTEGER NOT NULL REFERENCES items ON DELETE CASCADE, number INTEGER NOT NULL,"
    " heading TEXT NOT NULL, text TEXT NOT NULL, vector BLOB NOT NULL)",
    "CREATE INDEX passages_item ON passages (item, number)",
    "CREATE VIRTUAL TABLE words USING fts5 (terms, tokenize = 'ascii')",
    "CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, 'row')",
    "CREATE TRIGGER forget_words AFTER DELETE ON passages BEGIN DELETE FROM words WHERE rowid = old.id; END",
)


class SqliteIndex:
    """An index in `index.sqlite` below a folder."""

    def __init__(self, folder: Path, *, embedder: str, dimensions: int) -> None:
        """Open the index; make it, or make it anew where it cannot be used."""
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / "index.sqlite"
        self._lock_file = folder / "lock"
        self._meta = meta_of(embedder, dimensions)
        self._dimensions = dimensions
        self._lock = threading.RLock()
        self._writes = 0
        self._cache: _Cache | None = None
        self._connection, self.notice = self._open()

    @property
    def generation(self) -> object:
        with self._lock:
            others: int = self._connection.execute("PRAGMA data_version").fetchone()[0]
            return (self._writes, others)

    def writing(self, *, timeout_seconds: float = 600.0) -> AbstractContextManager[None]:
        return exclusive(self._lock_file, timeout_seconds=timeout_seconds)

    def sources(self) -> dict[tuple[str, str], Source]:
        rows = self._rows("SELECT base, name, digest, faulty FROM sources")
        return {(base, name): Source(base, name, digest, bool(faulty)) for base, name, digest, faulty in rows}

    def replace(self, changes: Sequence[Change]) -> None:
        with self._transaction():
            for change in changes:
                self._forget(change.source)
                self._add(change)

    def remove(self, sources: Collection[Source]) -> None:
        with self._transaction():
            for source in sources:
                self._forget(source)

    def listing(self, bases: Sequence[str]) -> list[Listed]:
        rows = self._rows(
            "SELECT items.id, base, head FROM items JOIN sources ON sources.id = source"
            f" WHERE base IN ({_marks(bases)}) ORDER BY name, items.id",
            bases,
        )
        place = {base: number for number, base in enumerate(bases)}
        return sorted((listed(*row) for row in rows), key=lambda item: place[item.base])

    def items(self, ids: Sequence[int]) -> dict[int, Item]:
        rows = self._rows(
            "SELECT items.id, base, head, body FROM items JOIN sources ON sources.id = source"
            f" WHERE items.id IN ({_marks(ids)})",
            ids,
        )
        return {id_: item_of(base, head, body) for id_, base, head, body in rows}

    def passages(self, ids: Sequence[int]) -> dict[int, Stored]:
        return {stored.id: stored for stored in self._stored(f"passages.id IN ({_marks(ids)})", ids)}

    def passages_of(self, items: Sequence[int]) -> dict[int, list[Stored]]:
        found: dict[int, list[Stored]] = {}
        for stored in self._stored(f"item IN ({_marks(items)}) ORDER BY item, number", items):
            found.setdefault(stored.item, []).append(stored)
        return found

    def by_vector(self, vector: Vector, scope: Scope, *, limit: int) -> list[Match]:
        with self._lock:
            return self._cached().vectors.nearest(vector, self._in(scope), limit=limit)

    def by_words(self, terms: Sequence[str], scope: Scope, *, limit: int) -> list[Match]:
        if not terms:
            return []
        wanted = " OR ".join('"' + term.replace('"', "") + '"' for term in terms)
        with self._lock:
            allowed, places = self._in(scope), self._cached().places
            rows = self._rows("SELECT rowid, -rank FROM words WHERE words MATCH ? ORDER BY rank", [wanted])
        found = (Match(passage, *places[passage], score) for passage, score in rows if passage in places)
        return list(itertools.islice((match for match in found if match.item in allowed), limit))

    def frequencies(self, terms: Sequence[str]) -> Mapping[str, int]:
        counts = dict.fromkeys(terms, 0)
        counts |= dict(self._rows(f"SELECT term, doc FROM vocabulary WHERE term IN ({_marks(terms)})", terms))
        with self._lock:
            return counts | {"": len(self._cached().places)}

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _open(self) -> tuple[sqlite3.Connection, str]:
        connection = self._connect()
        if self._fault(connection) == "":
            return connection, ""
        with exclusive(self._lock_file, timeout_seconds=_OPENING_SECONDS):  # another process may have made it anew
            connection.close()
            connection = self._connect()
            fault = self._fault(connection)
            is_new = fault in ("", _NEW)
            notice = "" if is_new else f"The index {str(self._file)!r} {fault}: it is built anew."
            if fault == _DAMAGED:
                connection.close()
                for file in self._file.parent.glob(f"{self._file.name}*"):
                    file.unlink()
                connection = self._connect()
            if fault:
                self._make(connection)
        return connection, notice

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._file, timeout=60.0, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA foreign_keys = ON")
        connection.text_factory = _text
        return connection

    def _fault(self, connection: sqlite3.Connection) -> str:
        """Return why the file cannot be used; empty if it can."""
        try:
            write_ahead(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
            if not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
                return _NEW
            if connection.execute("PRAGMA quick_check (1)").fetchone()[0] != "ok":
                return _DAMAGED
            if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").fetchone():
                return OTHER_SHAPE
            meta = dict(connection.execute("SELECT key, value FROM meta"))
            if fault := misfit(meta, self._meta):
                return fault
            return "" if is_sound(connection, tables=_TABLES, vector_bytes=4 * self._dimensions) else _DAMAGED
        except sqlite3.OperationalError as error:
            if "lock" in str(error) or "unable to open" in str(error):
                raise Unreachable(f"The index {str(self._file)!r} cannot be opened: {error}.") from error
            return _DAMAGED
        except sqlite3.DatabaseError:
            return _DAMAGED

    def _make(self, connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN IMMEDIATE")
        names = connection.execute("SELECT type, name FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
        for kind, name in names:  # inner tables of FTS5 go with it
            if kind == "table" and not name.startswith(("sqlite_", "words_")):
                connection.execute(f'DROP TABLE IF EXISTS "{name}"')
        for statement in _TABLES:
            connection.execute(statement)
        connection.executemany("INSERT INTO meta VALUES (?, ?)", self._meta.items())
        connection.execute("COMMIT")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")
            self._writes += 1

    def _forget(self, source: Source) -> None:
        self._connection.execute("DELETE FROM sources WHERE base = ? AND name = ?", (source.base, source.name))

    def _add(self, change: Change) -> None:
        source, execute = change.source, self._connection.execute
        values = (source.base, source.name, source.digest, source.is_faulty)
        id_ = execute("INSERT INTO sources (base, name, digest, faulty) VALUES (?, ?, ?, ?)", values).lastrowid
        rows = iter(np.asarray(change.vectors, dtype=np.float32))
        for entry in change.entries:
            item = execute(
                "INSERT INTO items (source, head, body) VALUES (?, ?, ?)",
                (id_, head_of(entry), body_of(entry)),
            ).lastrowid
            for number, piece in enumerate(entry.pieces):
                passage = execute(
                    "INSERT INTO passages (item, number, heading, text, vector) VALUES (?, ?, ?, ?, ?)",
                    (item, number, piece.heading, piece.text, next(rows).tobytes()),
                ).lastrowid
                line = line_of_terms(entry.item.name, piece.heading, piece.text)
                execute("INSERT INTO words (rowid, terms) VALUES (?, ?)", (passage, line))

    def _stored(self, where: str, values: Sequence[int]) -> Iterator[Stored]:
        rows = self._rows(
            "SELECT passages.id, item, number, heading, text, terms FROM passages"
            f" JOIN words ON words.rowid = passages.id WHERE {where}",
            values,
        )
        for id_, item, number, heading, text, terms in rows:
            yield Stored(id_, item, number, heading, text, frozenset(terms.split()))

    def _rows(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._connection.execute(statement, tuple(values)).fetchall()

    def _cached(self) -> "_Cache":
        """Return what is kept in memory of the content as it is now."""
        generation = self.generation
        if self._cache is None or self._cache.generation != generation:
            rows = self._rows("SELECT id, item, number, vector FROM passages ORDER BY id")
            flat = np.frombuffer(b"".join(row[3] for row in rows), dtype=np.float32)
            vectors = VectorTable([row[:3] for row in rows], flat.reshape(-1, self._dimensions))
            by_base: dict[str, set[int]] = {}
            for base, item in self._rows("SELECT base, items.id FROM items JOIN sources ON sources.id = source"):
                by_base.setdefault(base, set()).add(item)
            self._cache = _Cache(generation, vectors, {row[0]: row[1:3] for row in rows}, by_base)
        return self._cache

    def _in(self, scope: Scope) -> Collection[int]:
        if scope.items is not None:
            return scope.items
        by_base = self._cached().by_base
        return set[int]().union(*(by_base.get(base, ()) for base in scope.bases))


@dataclass(frozen=True, slots=True)
class _Cache:
    generation: object
    vectors: VectorTable
    places: dict[int, tuple[int, int]]
    """Item and number of each passage."""
    by_base: dict[str, set[int]]


def _text(data: bytes) -> str:
    """Read a text, of which a fault of the disk may have made what is no UTF-8."""
    return data.decode("utf-8", "replace")


def _marks(values: Sequence[Any]) -> str:
    return ", ".join("?" * len(values))
