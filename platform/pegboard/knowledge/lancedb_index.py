"""The index for large content: one LanceDB table, a row a passage; needs the extra `knowledge`.

One commit a `replace`: whoever is killed leaves the version before it. Words are searched by LanceDB's own BM25 over
our terms (its tokenizer only splits at spaces), so Chinese is found as in the other indexes.
"""

import hashlib
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pegboard.catalog.contract import Item
from pegboard.errors import UsageError
from pegboard.knowledge.index import Change, Listed, Match, Scope, Source, Stored, Vector
from pegboard.knowledge.lock import exclusive
from pegboard.knowledge.stored import body_of, head_of, item_of, line_of_terms, listed, meta_of, misfit
from pegboard.text import to_json

if TYPE_CHECKING:
    import pyarrow as pa

_TABLE = "passages"
_KEPT = timedelta(hours=1)
"""How long other processes may go on reading a version that has been replaced."""
_OPENING_SECONDS = 600.0
_MOST_TERMS_KEPT = 50_000
"""Of what visitors ask for; beyond them their counts are forgotten."""
_SOURCE_ROW = -1
"""The number of the row that stands for a source itself, whether it has passages or not."""


class LancedbIndex:
    """An index in `index.lance` below a folder."""

    def __init__(self, folder: Path, *, embedder: str, dimensions: int) -> None:
        """Open the index; make it, or make it anew where it cannot be used.

        Raises:
            UsageError: LanceDB is not installed.
        """
        try:
            import lancedb
        except ImportError as error:
            raise UsageError(
                "The index 'lancedb' needs the package lancedb.",
                hint="Install pegboard with its extra: pip install 'pegboard[knowledge]'.",
            ) from error
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder / "index.lance"
        self._lock_file = folder / "lock"
        self._dimensions = dimensions
        self._meta = meta_of(embedder, dimensions)
        self._database = lancedb.connect(str(self._folder), read_consistency_interval=timedelta(0))
        self._is_dirty = False
        self._frequencies: tuple[object, dict[str, int]] = (None, {})
        self._table, self.notice = self._open()

    @property
    def generation(self) -> object:
        return self._table.version

    @contextmanager
    def writing(self, *, timeout_seconds: float = 600.0) -> Iterator[None]:
        with exclusive(self._lock_file, timeout_seconds=timeout_seconds):
            try:
                yield
            finally:
                if self._is_dirty:  # new rows join the index of words, small files become large ones
                    self._table.optimize(cleanup_older_than=_KEPT)
                    self._is_dirty = False

    def sources(self) -> dict[tuple[str, str], Source]:
        rows = self._rows(f"number = {_SOURCE_ROW}", ["base", "source", "digest", "faulty"])
        found = (Source(row["base"], row["source"], row["digest"], row["faulty"]) for row in rows)
        return {(source.base, source.name): source for source in found}

    def replace(self, changes: Sequence[Change]) -> None:
        if not changes:
            return
        rows = self._arrow(changes)
        merge = self._table.merge_insert("passage").when_matched_update_all().when_not_matched_insert_all()
        merge.when_not_matched_by_source_delete(_of([change.source for change in changes])).execute(rows)
        self._is_dirty = True

    def remove(self, sources: Collection[Source]) -> None:
        if sources:
            self._table.delete(_of(sources))
            self._is_dirty = True

    def listing(self, bases: Sequence[str]) -> list[Listed]:
        rows = self._rows(f"number = 0 AND {_in('base', bases)}", ["item", "base", "source", "place", "head"])
        order = {base: number for number, base in enumerate(bases)}
        rows.sort(key=lambda row: (order[row["base"]], row["source"], row["place"]))
        return [listed(row["item"], row["base"], row["head"]) for row in rows]

    def items(self, ids: Sequence[int]) -> dict[int, Item]:
        rows = self._rows(f"number = 0 AND {_in('item', ids)}", ["item", "base", "head", "body"]) if ids else []
        return {row["item"]: item_of(row["base"], row["head"], row["body"]) for row in rows}

    def passages(self, ids: Sequence[int]) -> dict[int, Stored]:
        return {stored.id: stored for stored in self._stored(_in("passage", ids))} if ids else {}

    def passages_of(self, items: Sequence[int]) -> dict[int, list[Stored]]:
        found: dict[int, list[Stored]] = {}
        for stored in self._stored(_in("item", items)) if items else []:
            found.setdefault(stored.item, []).append(stored)
        return {item: sorted(held, key=lambda stored: stored.number) for item, held in found.items()}

    def by_vector(self, vector: Vector, scope: Scope, *, limit: int) -> list[Match]:
        if scope.items is not None and not scope.items:
            return []
        query = self._table.search(np.asarray(vector, dtype=np.float32), vector_column_name="vector")
        found = query.distance_type("dot").where(_within(scope)).limit(limit)
        rows = found.select(["passage", "item", "number", "_distance"]).to_arrow().to_pylist()
        return [Match(row["passage"], row["item"], row["number"], 1.0 - row["_distance"]) for row in rows]

    def by_words(self, terms: Sequence[str], scope: Scope, *, limit: int) -> list[Match]:
        if not terms or (scope.items is not None and not scope.items):
            return []
        query = self._table.search(" ".join(terms), query_type="fts", fts_columns="terms")
        found = query.where(_within(scope)).limit(limit).select(["passage", "item", "number", "_score"])
        rows = found.to_arrow().to_pylist()
        return [Match(row["passage"], row["item"], row["number"], row["_score"]) for row in rows]

    def frequencies(self, terms: Sequence[str]) -> Mapping[str, int]:
        generation = self.generation
        if self._frequencies[0] != generation or len(self._frequencies[1]) > _MOST_TERMS_KEPT:
            self._frequencies = (generation, {"": self._table.count_rows("number >= 0")})
        known = self._frequencies[1]
        for term in terms:
            if term not in known:
                known[term] = self._table.count_rows(f"terms LIKE {_text(f'% {term} %')}")
        return {term: known[term] for term in ("", *terms)}

    def close(self) -> None:
        """Let go; LanceDB keeps no file open."""

    def _open(self) -> tuple[Any, str]:
        table, fault = self._usable()
        if table is not None:
            return table, ""
        with exclusive(self._lock_file, timeout_seconds=_OPENING_SECONDS):  # another process may be making it
            table, fault = self._usable()
            if table is not None:
                return table, ""
            notice = f"The index {str(self._folder)!r} {fault}: it is built anew." if fault else ""
            return self._make(), notice

    def _usable(self) -> tuple[Any, str]:
        """Return the table, or None and why it cannot be used; no reason if there is none yet."""
        if not (self._folder / f"{_TABLE}.lance").exists():
            return None, ""
        try:
            table = self._database.open_table(_TABLE)
            meta = {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}
            _touch(table)
        except Exception:  # noqa: BLE001 (a damaged file makes its Rust core panic: no narrower class exists)
            return None, "is damaged"
        fault = misfit(meta, self._meta)
        return (None, fault) if fault else (table, "")

    def _make(self) -> Any:
        from lancedb.index import FTS

        shutil.rmtree(self._folder / f"{_TABLE}.lance", ignore_errors=True)
        table = self._database.create_table(_TABLE, schema=self._schema())
        words = FTS(
            base_tokenizer="whitespace",
            max_token_length=None,
            lower_case=False,
            stem=False,
            remove_stop_words=False,
            ascii_folding=False,
        )
        table.create_index("terms", config=words)
        return table

    def _schema(self) -> "pa.Schema":
        import pyarrow as pa

        integers, texts = ("passage", "item", "place", "number"), ("base", "source", "digest", "head", "body")
        fields = [pa.field(name, pa.int64()) for name in integers]
        fields += [pa.field(name, pa.string()) for name in (*texts, "heading", "text", "terms")]
        fields += [
            pa.field("faulty", pa.bool_()),
            pa.field("vector", pa.list_(pa.float32(), self._dimensions)),
        ]
        return pa.schema(fields, metadata=self._meta)

    def _arrow(self, changes: Sequence[Change]) -> "pa.Table":
        import pyarrow as pa

        rows = [row for change in changes for row in _rows_of(change, self._dimensions)]
        return pa.Table.from_pylist(rows, schema=self._schema())

    def _stored(self, where: str) -> list[Stored]:
        columns = ["passage", "item", "number", "heading", "text", "terms"]
        rows = self._rows(f"number >= 0 AND {where}", columns)
        return [
            Stored(
                id=row["passage"],
                item=row["item"],
                number=row["number"],
                heading=row["heading"],
                text=row["text"],
                terms=frozenset(row["terms"].split()),
            )
            for row in rows
        ]

    def _rows(self, where: str, columns: list[str]) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self._table.search().where(where).select(columns).to_arrow().to_pylist()
        return rows


def _rows_of(change: Change, dimensions: int) -> Iterator[dict[str, Any]]:
    source = change.source
    of_source = {
        "base": source.base, "source": source.name, "digest": source.digest, "faulty": source.is_faulty,
        "head": "", "body": "", "heading": "", "text": "", "terms": "",
    }  # fmt: skip
    nowhere = [0.0] * dimensions
    key = (source.base, source.name)
    yield {**of_source, "passage": _id(*key), "item": 0, "place": 0, "number": _SOURCE_ROW, "vector": nowhere}
    vectors = iter(change.vectors)
    for place, entry in enumerate(change.entries):
        for number, piece in enumerate(entry.pieces):
            yield {
                **of_source,
                "passage": _id(*key, place, number),
                "item": _id(*key, place),
                "place": place,
                "number": number,
                "head": "" if number else head_of(entry),
                "body": "" if number else body_of(entry),
                "heading": piece.heading,
                "text": piece.text,
                "terms": f" {line_of_terms(entry.item.name, piece.heading, piece.text)} ",
                "vector": next(vectors),
            }


def _id(*parts: str | int) -> int:
    """Return a number for a place in a source: the same for the same place, so that a merge replaces it."""
    digest = hashlib.blake2b(to_json(parts).encode(), digest_size=8).digest()
    return int.from_bytes(digest) >> 1


def _within(scope: Scope) -> str:
    inside = _in("base", scope.bases) if scope.items is None else _in("item", scope.items)
    return f"number >= 0 AND {inside}"


def _touch(table: Any) -> None:
    """Read a little of every file that a search needs; what is damaged raises whatever LanceDB makes of it."""
    table.count_rows("number >= 0")
    table.search().limit(1).to_arrow()
    for row in table.search().where("terms <> ''").select(["terms"]).limit(1).to_arrow().to_pylist():
        term = row["terms"].partition(" ")[0]
        table.search(term, query_type="fts", fts_columns="terms").limit(1).to_arrow()


def _of(sources: Collection[Source]) -> str:
    by_base: dict[str, list[str]] = {}
    for source in sources:
        by_base.setdefault(source.base, []).append(source.name)
    parts = (f"({_in('base', [base])} AND {_in('source', names)})" for base, names in by_base.items())
    return " OR ".join(parts)


def _in(column: str, values: Collection[str] | Collection[int]) -> str:
    written = ", ".join(_text(value) if isinstance(value, str) else str(value) for value in values)
    return f"{column} IN ({written})" if written else "false"


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
