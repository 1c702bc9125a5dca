"""`Log`: what one driver adds to the journal of its run, and what it keeps of large outputs."""

from collections.abc import Callable, Sequence

import anyio.to_thread

from pegboard.catalog.contract import Result
from pegboard.catalog.result_json import result_json
from pegboard.events import RunEvent
from pegboard.run.journal.blobs import Blobs
from pegboard.run.journal.entry import Entry, Written, event_of
from pegboard.run.journal.journal import Journal
from pegboard.run.journal.row import JournalBroken
from pegboard.run.journal.sqlite import Append
from pegboard.run.journal.stored import INLINE_BYTES, Output, blob_named_by, written_blob
from pegboard.run.schedule import Status
from pegboard.text import to_json


class Log:
    """The log of one run, for whoever drives it."""

    def __init__(
        self,
        run: str,
        owner: str,
        seq: int,
        journal: Journal,
        blobs: Blobs | None,
        told: Callable[[str], None],
    ) -> None:
        """Go on after the entry `seq`; `told` is called with the run when something has been added."""
        self.hear: Callable[[RunEvent], None] | None = None
        """Called with what has been added, where the run is within a node of another."""
        self.run = run
        self.seq = seq
        self.now = journal.now
        self._owner = owner
        self._journal = journal
        self._blobs = blobs
        self._told = told

    async def add(self, entries: Sequence[Entry], *, wishes: Sequence[int] = (), status: Status = "running") -> None:
        """Write `entries` down; when this returns they are.

        Raises:
            Fenced: another driver has the run.
        """
        if not entries and not wishes:
            return
        blobs = [blob for entry in entries if (blob := blob_named_by(entry.output))]
        append = Append(self.run, self._owner, self.seq, self.now(), entries, wishes, blobs, status)
        await self._journal.append(append)
        if self.hear is not None:
            for seq, entry in enumerate(entries, start=self.seq + 1):
                self.hear(event_of(Written(self.run, seq, append.at, entry)))
        self.seq += len(entries)
        self._told(self.run)

    async def keep(self, result: Result) -> Output:
        """Freeze what a node gave; what is large is put beside the journal.

        Raises:
            ValueError, TypeError: it is no JSON.
        """
        return await self.keep_text(to_json(result_json(result)))

    async def keep_text(self, text: str) -> Output:
        """Freeze a text; what is large is put beside the journal.

        Raises:
            JournalBroken: it cannot be written there.
        """
        return await kept_output(text, self._blobs)

    async def read(self, written: str) -> Output:
        """Return what the journal holds as `written`.

        Raises:
            JournalBroken: its blob is not there.
        """
        return await output_of(written, self._blobs)


def _unusable(what: str, error: OSError) -> JournalBroken:
    message = f"What lies beside the journal of runs cannot be {what}: {error.strerror or error}."
    return JournalBroken(message, hint="Make room for it, or put the folder `runs` of the data folder back.")


async def kept_output(text: str, blobs: Blobs | None) -> Output:
    """Freeze a text; what is large is put among `blobs`, if there are any.

    Raises:
        JournalBroken: it cannot be written there.
    """
    if len(text) <= INLINE_BYTES or blobs is None:
        return Output(text, text)
    content = text.encode()
    try:
        name = await anyio.to_thread.run_sync(blobs.put, content)
    except OSError as error:
        raise _unusable("written", error) from error
    return Output(text, written_blob(name, len(content)), name)


async def output_of(written: str, blobs: Blobs | None) -> Output:
    """Return what a journal holds as `written`.

    Raises:
        JournalBroken: its blob is not there.
    """
    if not (name := blob_named_by(written)):
        return Output(written, written)
    assert blobs is not None  # only a journal with a file names any
    try:
        content = await anyio.to_thread.run_sync(blobs.get, name)
    except OSError as error:
        raise _unusable("read", error) from error
    return Output(content.decode(), written, name)
