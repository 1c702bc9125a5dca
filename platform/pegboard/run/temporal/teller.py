"""`Teller`: lets a run know what goes on inside of a node that is done here, in portions."""

from functools import partial

import anyio

from pegboard.errors import UsageError
from pegboard.events import Event, Noticed, RunEvent
from pegboard.run.journal.stored import INLINE_BYTES
from pegboard.run.node.work import MOST_TOLD, Work
from pegboard.run.taint import Taint
from pegboard.run.temporal.client import Service, patiently
from pegboard.run.temporal.wire import Task, Told
from pegboard.text import to_json

_TELL_SECONDS = 0.3
_PORTION_BYTES = 256 << 10


class Teller:
    """Of one node."""

    def __init__(self, service: Service, task: Task, taint: Taint) -> None:
        self._service = service
        self._task = task
        self._taint = taint
        self._waiting: list[str] = []
        self._count = 0
        self._told_taint = bool(task.taint)
        self._changed = anyio.Event()

    @property
    def taint(self) -> list[str]:
        """The tool and the call that have returned text of others; empty: none have."""
        first = self._taint.first
        return [] if first is None else [first.tool, first.by]

    def tell(self, event: Event | RunEvent) -> None:
        """Let the run know of an event; of one that is too large, how large it was."""
        self._count += 1
        if self._count > MOST_TOLD:
            return
        if self._count == MOST_TOLD:
            event = Noticed(f"More than {MOST_TOLD} events within are not told here.")
        text = to_json(Work.told(event))
        if len(text.encode()) > INLINE_BYTES:
            text = to_json(Work.told(Noticed(f"An event ({event.kind}) of {len(text):,} characters is not told here.")))
        self._waiting.append(text)
        self._changed.set()

    async def keep_telling(self) -> None:
        """Tell what waits, now and then, until it is cancelled."""
        while True:
            await self._changed.wait()
            await anyio.sleep(_TELL_SECONDS)
            self._changed = anyio.Event()
            while self._waiting:
                portion = self._portion()
                await self.say(Told(self._task.name, self._task.attempt, portion, self.taint))

    async def say(self, told: Told) -> None:
        """Tell it now: when this returns, it is recorded; a run that has ended needs it no more."""
        try:
            await patiently(partial(self._service.hear, self._task.run, told))
        except UsageError:
            return

    def rest(self) -> list[str]:
        """Return what has not been told yet."""
        rest, self._waiting = self._waiting, []
        return rest

    def _portion(self) -> list[str]:
        taken, size = 0, 0
        for text in self._waiting:
            size += len(text.encode())
            if taken and size > _PORTION_BYTES:
                break
            taken += 1
        portion, self._waiting = self._waiting[:taken], self._waiting[taken:]
        return portion
