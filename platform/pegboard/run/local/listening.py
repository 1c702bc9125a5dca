"""`Listening`: whoever follows runs here hears what is added to them, by this process or by another."""

from collections.abc import AsyncIterator

import anyio

from pegboard.events import RunEvent
from pegboard.run.breaking import Broken
from pegboard.run.journal.entry import event_of
from pegboard.run.journal.journal import Journal

POLL_SECONDS = 1.0
"""How often a run is looked at that another process drives."""


class Listening:
    """Those who follow runs of one journal."""

    def __init__(self, journal: Journal, broken: Broken) -> None:
        """Let them hear of the runs of `journal`, and why those in `broken` go on no more."""
        self._journal = journal
        self._broken = broken
        self._changed: dict[str, anyio.Event] = {}
        """Set when something has been added to a run that somebody follows."""

    def tell(self, run: str) -> None:
        """Let them know that something has been added to a run."""
        if (changed := self._changed.pop(run, None)) is not None:
            changed.set()

    async def follow(self, run: str, *, after: int = 0) -> AsyncIterator[RunEvent]:
        """Yield the events of a run from the one after number `after` on, until it has ended.

        Raises:
            UnknownRun: there is none of that id.
            RunBroken: it goes on no more.
        """
        row = await self._journal.row(run)
        while True:
            changed = self._changed.setdefault(run, anyio.Event())
            page = await self._journal.page(run, after)
            for written in page:
                after = written.seq
                yield event_of(written)
            if not page:
                row = await self._journal.row(run)
                if row.status != "running" and after >= row.seq:
                    return
                self._broken.check(run)
                with anyio.move_on_after(POLL_SECONDS):
                    await changed.wait()
