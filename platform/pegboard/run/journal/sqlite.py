"""The journal in an SQLite file, as plain statements; each runs to its end in one thread at a time.

Not here: who waits for whom (`journal.py`).
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pegboard.knowledge.write_ahead import write_ahead
from pegboard.run.held import decided
from pegboard.run.journal.entry import Entry, Written
from pegboard.run.journal.row import Asks, Durability, Fenced, JournalBroken, Row, RunBusy, UnknownRun, Wish
from pegboard.run.schedule import Status
from pegboard.run.taint import Tainted
from pegboard.text import Json, to_json

_BUSY_SECONDS = 10.0
_SCHEMA = """
CREATE TABLE IF NOT EXISTS runs(
  id TEXT PRIMARY KEY, parent TEXT NOT NULL, request TEXT NOT NULL, created REAL NOT NULL, seq INTEGER NOT NULL,
  status TEXT NOT NULL, ended REAL, owner TEXT NOT NULL, lease_until REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS runs_by_parent ON runs(parent, created);
CREATE INDEX IF NOT EXISTS runs_by_owner ON runs(owner) WHERE owner <> '';
CREATE TABLE IF NOT EXISTS entries(
  run TEXT NOT NULL, seq INTEGER NOT NULL, at REAL NOT NULL, kind TEXT NOT NULL, node TEXT NOT NULL,
  attempt INTEGER NOT NULL, body TEXT NOT NULL, output TEXT NOT NULL, PRIMARY KEY (run, seq)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS wishes(
  id INTEGER PRIMARY KEY, run TEXT NOT NULL, asks TEXT NOT NULL, node TEXT NOT NULL, reason TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS wishes_by_run ON wishes(run);
CREATE TABLE IF NOT EXISTS blobs(hash TEXT NOT NULL, run TEXT NOT NULL, PRIMARY KEY (hash, run)) WITHOUT ROWID;
PRAGMA user_version = 1;
"""
_VERSION = 1
_DECISIONS: frozenset[Asks] = frozenset({"approve", "deny"})
_ROW = "id, parent, request, created, seq, status, ended, owner, lease_until"


@dataclass(frozen=True, slots=True)
class Append:
    """What one driver adds to its run at once."""

    run: str
    owner: str
    seq: int
    """The number of the entry before: if the run has gone on meanwhile, nothing is added."""
    at: float
    entries: Sequence[Entry]
    wishes: Sequence[int] = ()
    """Wishes that are taken into account with it."""
    blobs: Sequence[str] = ()
    """Blobs that it names."""
    status: Status = "running"


def broken(path: Path | None, error: Exception) -> JournalBroken:
    """Return what is told where the file at `path` cannot be used, with the next move."""
    reason = str(error)
    hint = "It is left as it is: put a copy of it back, or move it away, and runs begin anew without it."
    if isinstance(error, OSError):
        reason, hint = error.strerror or reason, "Make it possible to write there, or name another folder with --data."
    elif any(each in reason for each in ("full", "readonly", "disk I/O")):
        hint = "Make room there and let it be written; what was recorded is kept, and runs go on from it."
    elif "locked" in reason:
        hint = "Another process holds it; try again."
    return JournalBroken(f"The journal of runs{f', {path},' if path else ''} cannot be used: {reason}.", hint=hint)


def _opened(path: Path | None) -> sqlite3.Connection:
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
    where = ":memory:" if path is None else str(path)
    return sqlite3.connect(where, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)


class Store:
    """One connection."""

    def __init__(self, path: Path | None, durability: Durability) -> None:
        """Open the file at `path`, making it if it is not there; None: memory.

        Raises:
            JournalBroken: it cannot be used.
        """
        try:
            self._db = _opened(path)
        except (OSError, sqlite3.Error) as error:
            raise broken(path, error) from error
        try:
            self._prepare(path, durability)
        except sqlite3.Error as error:
            self._db.close()
            raise broken(path, error) from error

    def _prepare(self, path: Path | None, durability: Durability) -> None:
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version > _VERSION:
            raise sqlite3.DatabaseError(f"it is of version {version}, and this program knows {_VERSION}")
        columns = {name for _, name, *_ in self._db.execute("PRAGMA table_info(runs)")}
        if columns and "parent" not in columns:
            raise sqlite3.DatabaseError("it is another program's")
        self._db.execute(f"PRAGMA synchronous = {'FULL' if durability == 'power' else 'NORMAL'}")
        if path is not None:
            write_ahead(self._db)
        self._db.executescript(_SCHEMA)

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:  # a full disk may have ended it already
                self._db.execute("ROLLBACK")
            raise

    # Runs

    def create(self, row: Row, entries: Sequence[Entry]) -> None:
        """Add a run that begins with `entries`."""
        written = (row.id, row.parent, to_json(row.request), row.created, len(entries), row.status, row.ended)
        with self._writing():
            self._db.execute(
                f"INSERT INTO runs({_ROW}) VALUES (?,?,?,?,?,?,?,?,?)", (*written, row.owner, row.lease_until)
            )
            self._insert(row.id, 0, row.created, entries)

    def row(self, run: str) -> Row:
        """Return a run.

        Raises:
            UnknownRun: there is none of that id.
        """
        found = self._db.execute(f"SELECT {_ROW} FROM runs WHERE id = ?", (run,)).fetchone()
        if found is None:
            raise UnknownRun(f"There is no run {run[:80]!r}.", hint="`platform runs list` shows those that are kept.")
        return _row(found)

    def rows(self, *, parent: str | None, unfinished: bool, limit: int) -> list[Row]:
        """Return runs, the latest first; below `parent`, or of any."""
        where = ["1"] + ["parent = ?"] * (parent is not None) + ["status = 'running'"] * unfinished
        statement = f"SELECT {_ROW} FROM runs WHERE {' AND '.join(where)} ORDER BY created DESC, id LIMIT ?"
        return [_row(each) for each in self._db.execute(statement, (*([parent] * (parent is not None)), limit))]

    def take(self, run: str, owner: str, now: float, until: float, gone: Sequence[str]) -> Row:
        """Make `owner` the driver of an unfinished run, unless another drives it; owners that are `gone` do not.

        Raises:
            UnknownRun, RunBusy
        """
        with self._writing():
            row = self.row(run)
            if row.status != "running":
                return row
            if row.owner not in {"", owner, *gone} and row.lease_until > now:
                raise RunBusy(f"Run {run} is being driven by another process.")
            self._db.execute("UPDATE runs SET owner = ?, lease_until = ? WHERE id = ?", (owner, until, run))
            return replace(row, owner=owner, lease_until=until)

    def change(self, run: str, owner: str, request: Mapping[str, Json]) -> None:
        """Let `owner`'s run be asked for otherwise.

        Raises:
            Fenced: it is no longer the owner's.
        """
        with self._writing():
            found = self._db.execute(
                "UPDATE runs SET request = ? WHERE id = ? AND owner = ?", (to_json(request), run, owner)
            )
            if not found.rowcount:
                raise _fenced(run)

    def renew(self, owner: str, until: float) -> list[Wish]:
        """Prolong the leases of `owner`, and return what is wished of its runs."""
        with self._writing():
            self._db.execute("UPDATE runs SET lease_until = ? WHERE owner = ? AND status = 'running'", (until, owner))
        return self._wishes("run IN (SELECT id FROM runs WHERE owner = ? AND owner <> '')", owner)

    def release(self, run: str, owner: str) -> None:
        """Let others drive a run."""
        self._db.execute("UPDATE runs SET owner = '', lease_until = 0 WHERE id = ? AND owner = ?", (run, owner))

    # Entries

    def append(self, batch: Sequence[Append]) -> list[Fenced | None]:
        """Add what several drivers have, all at once; for each, why not.

        A driver that another has taken the run from is refused, and the others are not.
        """
        with self._writing():
            return [self._append(each) for each in batch]

    def _append(self, add: Append) -> Fenced | None:
        seq = add.seq + len(add.entries)
        ended = None if add.status == "running" else add.at
        owner = add.owner if add.status == "running" else ""
        found = self._db.execute(
            "UPDATE runs SET seq = ?, status = ?, ended = ?, owner = ? WHERE id = ? AND seq = ? AND owner = ?"
            " AND status = 'running'",
            (seq, add.status, ended, owner, add.run, add.seq, add.owner),
        )
        if not found.rowcount:
            return _fenced(add.run)
        self._insert(add.run, add.seq, add.at, add.entries)
        if ended is not None:
            self._db.execute("DELETE FROM wishes WHERE run = ?", (add.run,))
        elif add.wishes:
            self._db.executemany("DELETE FROM wishes WHERE id = ?", [(wish,) for wish in add.wishes])
        if add.blobs:
            self._db.executemany("INSERT OR IGNORE INTO blobs VALUES (?, ?)", [(blob, add.run) for blob in add.blobs])
        return None

    def _insert(self, run: str, seq: int, at: float, entries: Sequence[Entry]) -> None:
        self._db.executemany(
            "INSERT INTO entries VALUES (?,?,?,?,?,?,?,?)",
            [
                (run, number, at, entry.kind, entry.node, entry.attempt, to_json(entry.body), entry.output)
                for number, entry in enumerate(entries, start=seq + 1)
            ],
        )

    def entries(self, run: str, after: int, limit: int) -> list[Written]:
        """Return the entries of a run with higher numbers than `after`, in order."""
        fields = "seq, at, kind, node, attempt, body, output"
        statement = f"SELECT {fields} FROM entries WHERE run = ? AND seq > ? ORDER BY seq LIMIT ?"
        return [
            Written(run, seq, at, Entry(kind, node, attempt, _json(body), output))
            for seq, at, kind, node, attempt, body, output in self._db.execute(statement, (run, after, limit))
        ]

    def ends(self, runs: Sequence[str]) -> dict[str, Entry]:
        """Return the last entry of each of these runs."""
        found: dict[str, Entry] = {}
        for run in runs:
            statement = "SELECT kind, node, attempt, body, output FROM entries WHERE run = ? ORDER BY seq DESC LIMIT 1"
            for kind, node, attempt, body, output in self._db.execute(statement, (run,)):
                found[run] = Entry(kind, node, attempt, _json(body), output)
        return found

    def tainted(self, run: str) -> Tainted | None:
        """Return the first text of others that a run, or one within it, has written down."""
        statement = (
            "SELECT body FROM entries WHERE (run = ? OR (run > ? AND run < ?)) AND kind = 'run_tainted'"
            " ORDER BY at LIMIT 1"
        )
        found = self._db.execute(statement, (run, f"{run}.", f"{run}/")).fetchone()  # `/` comes after `.`
        return None if found is None else Tainted(**_json(found[0]))  # type: ignore[arg-type]  # as it was written

    # Wishes

    def wish(self, run: str, asks: Asks, node: str, reason: str) -> Row:
        """Write down what somebody wants of a run; whoever approves or denies second what is decided is refused.

        Raises:
            UnknownRun: there is none of that id.
            NotHeld: the node waits for no approval any more, or the other was wished before.
        """
        with self._writing():
            row = self.row(run)
            if row.status == "running":
                if asks in _DECISIONS:
                    self._refuse_decided(run, asks, node)
                self._db.execute(
                    "INSERT INTO wishes(run, asks, node, reason) VALUES (?,?,?,?)", (run, asks, node, reason)
                )
        return row

    def _refuse_decided(self, run: str, asks: Asks, node: str) -> None:
        last = "SELECT kind FROM entries WHERE run = ? AND node = ? AND kind IN (?,?,?,?) ORDER BY seq DESC LIMIT 1"
        kinds = ("node_held", "node_approved", "node_started", "node_ended")
        found = self._db.execute(last, (run, node, *kinds)).fetchone()
        other = any(wish.node == node and wish.asks in _DECISIONS - {asks} for wish in self.wishes(run))
        if other or found is None or found[0] != "node_held":
            raise decided(run, node)

    def wishes(self, run: str) -> list[Wish]:
        """Return what is wished of a run."""
        return self._wishes("run = ?", run)

    def _wishes(self, where: str, value: str) -> list[Wish]:
        found = self._db.execute(f"SELECT id, run, asks, node, reason FROM wishes WHERE {where} ORDER BY id", (value,))
        return [Wish(*each) for each in found]

    # What is kept

    def prune(self, *, before: float, most: int) -> int:
        """Forget runs that ended `before`, and all but the `most` latest; return how many were forgotten."""
        old = (
            "SELECT id FROM runs WHERE parent = '' AND status <> 'running' AND (ended < ? OR id IN "
            "(SELECT id FROM runs WHERE parent = '' AND status <> 'running' ORDER BY ended DESC LIMIT -1 OFFSET ?))"
        )
        with self._writing():
            roots = [run for (run,) in self._db.execute(old, (before, most))]
            for root in roots:
                self._forget(root)
            self._db.execute("DELETE FROM blobs WHERE run NOT IN (SELECT id FROM runs)")
        return len(roots)

    def _forget(self, run: str) -> None:
        for (inner,) in self._db.execute("SELECT id FROM runs WHERE parent = ?", (run,)).fetchall():
            self._forget(inner)
        for table in ("entries", "wishes"):
            self._db.execute(f"DELETE FROM {table} WHERE run = ?", (run,))
        self._db.execute("DELETE FROM runs WHERE id = ?", (run,))

    def named_blobs(self) -> set[str]:
        """Return the blobs that some run names."""
        return {blob for (blob,) in self._db.execute("SELECT DISTINCT hash FROM blobs")}


def _fenced(run: str) -> Fenced:
    return Fenced(f"Run {run} has been taken over by another process.")


def _row(found: tuple[Any, ...]) -> Row:
    run, parent, request, created, seq, status, ended, owner, lease_until = found
    return Row(run, _json(request), created, parent, seq, status, ended, owner, lease_until)


def _json(text: str) -> dict[str, Json]:
    held: dict[str, Json] = json.loads(text)
    return held
