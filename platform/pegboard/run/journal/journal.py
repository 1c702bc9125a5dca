"""`Journal`: the store, so that nobody waits for the disk but who must; what several runs add at once is one commit."""

import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import anyio
import anyio.to_thread

from pegboard.run.journal.entry import Entry, Written
from pegboard.run.journal.row import Asks, Durability, JournalBroken, Row, Wish
from pegboard.run.journal.sqlite import Append, Store, broken
from pegboard.run.taint import Tainted
from pegboard.text import Json

T = TypeVar("T")

_PAGE = 500
"""Entries that are read at once."""


@dataclass(eq=False, slots=True)
class _Pending:
    """What a driver waits for."""

    append: Append
    is_done: bool = False
    refused: Exception | None = None


class Journal:
    """The runs of one file, or of memory; several processes may have the same file open."""

    def __init__(
        self, path: Path | None, durability: Durability = "process", *, now: Callable[[], float] = time.time
    ) -> None:
        """Open it; with the durability `none` there is no file.

        Raises:
            JournalBroken: the file cannot be used.
        """
        self.durability = durability
        self.now = now
        self._path = None if durability == "none" else path
        self._store = Store(self._path, durability)
        self._reader = self._store if self._path is None else Store(self._path, durability)
        self._lock = anyio.Lock()
        self._reading = anyio.Lock()
        self._pending: list[_Pending] = []

    def close(self) -> None:
        """Close it; nobody uses it any more."""
        self._store.close()
        if self._reader is not self._store:
            self._reader.close()

    # A driver's own

    async def create(self, row: Row, entries: Sequence[Entry]) -> None:
        """Add a run that begins with `entries`."""
        await self._write(partial(self._store.create, row, entries))

    async def append(self, append: Append) -> None:
        """Add to a run; when this returns it is as lasting as the durability says. It cannot be cancelled half-way.

        Raises:
            Fenced: the run is another driver's by now, or has gone on meanwhile; nothing was added.
            JournalBroken: it cannot be written.
        """
        pending = _Pending(append)
        self._pending.append(pending)
        with anyio.CancelScope(shield=True):
            async with self._lock:
                if not pending.is_done:
                    await self._commit()
        if pending.refused is not None:
            raise pending.refused

    async def _commit(self) -> None:
        """Write all that waits, as one transaction."""
        batch, self._pending = self._pending, []
        refusals: Sequence[Exception | None]
        try:
            refusals = await self._in_thread(partial(self._store.append, [each.append for each in batch]))
        except JournalBroken as error:  # nobody of the batch may go on
            refusals = [error] * len(batch)
        for each, refused in zip(batch, refusals, strict=True):
            each.is_done, each.refused = True, refused

    async def take(self, run: str, owner: str, *, lease_seconds: float, gone: Sequence[str] = ()) -> Row:
        """Make `owner` the driver of a run, if it is unfinished.

        Raises:
            UnknownRun, RunBusy
        """
        now = self.now()
        return await self._write(partial(self._store.take, run, owner, now, now + lease_seconds, gone))

    async def change(self, run: str, owner: str, request: Mapping[str, Json]) -> None:
        """Let `owner`'s run be asked for otherwise.

        Raises:
            Fenced: it is no longer the owner's.
        """
        await self._write(partial(self._store.change, run, owner, request))

    async def renew(self, owner: str, *, lease_seconds: float) -> list[Wish]:
        """Prolong the leases of `owner`, and return what is wished of its runs."""
        return await self._write(partial(self._store.renew, owner, self.now() + lease_seconds))

    async def release(self, run: str, owner: str) -> None:
        """Let others drive a run."""
        await self._write(partial(self._store.release, run, owner))

    # Anybody's

    async def wish(self, run: str, asks: Asks, *, node: str = "", reason: str = "") -> Row:
        """Write down what somebody wants of a run, and return the run.

        Raises:
            UnknownRun: there is none of that id.
            NotHeld: it has been decided otherwise about the node.
        """
        return await self._write(partial(self._store.wish, run, asks, node, reason))

    async def wishes(self, run: str) -> list[Wish]:
        """Return what is wished of a run."""
        return await self._read(partial(self._reader.wishes, run))

    async def row(self, run: str) -> Row:
        """Return a run.

        Raises:
            UnknownRun: there is none of that id.
        """
        return await self._read(partial(self._reader.row, run))

    async def rows(self, *, parent: str | None = "", unfinished: bool = False, limit: int = 100) -> list[Row]:
        """Return runs, the latest first; those below `parent`, where it is not None."""
        return await self._read(partial(self._reader.rows, parent=parent, unfinished=unfinished, limit=limit))

    async def page(self, run: str, after: int = 0) -> list[Written]:
        """Return the next entries of a run after the number `after`; none: there are no more yet."""
        return await self._read(partial(self._reader.entries, run, after, _PAGE))

    async def entries(self, run: str) -> list[Written]:
        """Return all entries of a run."""
        return await self._read(partial(self._reader.entries, run, 0, -1))

    async def ends(self, runs: Sequence[str]) -> dict[str, Entry]:
        """Return the last entry of each of these runs, as far as there are any."""
        return await self._read(partial(self._reader.ends, runs))

    async def prune(self, *, before: float, most: int) -> int:
        """Forget runs that ended `before`, and all but the `most` latest; return how many were forgotten."""
        return await self._write(partial(self._store.prune, before=before, most=most))

    async def tainted(self, run: str) -> Tainted | None:
        """Return the first text of others that a run, or one within it, has written down; None: there was none."""
        return await self._read(partial(self._reader.tainted, run))

    async def named_blobs(self) -> set[str]:
        """Return the blobs that some run names."""
        return await self._read(self._reader.named_blobs)

    async def _write(self, work: Callable[[], T]) -> T:
        with anyio.CancelScope(shield=True):
            async with self._lock:
                done = await self._in_thread(work)
        return done

    async def _read(self, work: Callable[[], T]) -> T:
        lock = self._lock if self._reader is self._store else self._reading
        await lock.acquire()
        try:
            return await self._in_thread(work)
        finally:
            lock.release()

    async def _in_thread(self, work: Callable[[], T]) -> T:
        """Do what may wait for the disk; memory is never waited for.

        Raises:
            JournalBroken: the file cannot be used.
        """
        try:
            return work() if self._path is None else await anyio.to_thread.run_sync(work)
        except sqlite3.Error as error:
            raise broken(self._path, error) from error
