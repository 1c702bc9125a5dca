"""`Answers`: answers that are written once, whoever listens, and told to each from any piece on.

They are kept in this process only: after its end, an answer is written anew. So an id has a part of its own for each
writing, and whoever names one of another writing is told all from the first event, `question_asked`.
"""

import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

import anyio
from anyio.abc import TaskGroup

from pegboard.events import Emit, Event

_MOST_KEPT = 128

Write = Callable[[Emit], Awaitable[None]]
"""Writes an answer; each event of it goes to what it is given."""


@dataclass(eq=False, slots=True)
class _Telling:
    """An answer that is being written, or has been."""

    token: str = field(default_factory=lambda: secrets.token_hex(4))
    events: list[Event] = field(default_factory=list)
    is_whole: bool = False
    error: Exception | None = None
    changed: anyio.Event = field(default_factory=anyio.Event)

    def tell(self) -> None:
        self.changed.set()
        self.changed = anyio.Event()

    def hear(self, event: Event) -> None:
        self.events.append(event)
        self.tell()

    def place(self, after: str) -> int:
        """Return how many events whoever has heard of `after` has heard."""
        token, _, number = after.partition("-")
        return int(number) if token == self.token and number.isascii() and number.isdigit() else 0


class Answers:
    """The latest answers, by what they answer."""

    def __init__(self, group: TaskGroup) -> None:
        self._group = group
        self._tellings: OrderedDict[str, _Telling] = OrderedDict()

    async def follow(self, key: str, write: Write, *, after: str = "") -> AsyncIterator[tuple[str, Event]]:
        """Yield the events of an answer with their ids, after that of id `after`; it is written if it is not there.

        Raises:
            PegboardError: it cannot be written; the next who asks begins anew.
        """
        telling = self._tellings.get(key)
        if telling is None:
            telling = self._tellings[key] = _Telling()
            self._group.start_soon(self._write, key, telling, write)
        self._tellings.move_to_end(key)
        place = telling.place(after)
        while True:
            changed = telling.changed
            for number, event in enumerate(telling.events[place:], start=place + 1):
                place = number
                yield f"{telling.token}-{number}", event
            if telling.error is not None:
                raise telling.error
            if telling.is_whole and place >= len(telling.events):
                return
            if telling.changed is changed:
                await changed.wait()

    async def _write(self, key: str, telling: _Telling, write: Write) -> None:
        try:
            await write(telling.hear)
        except Exception as error:  # noqa: BLE001 (whoever listens is told, and the others go on)
            telling.error = error
        telling.is_whole = telling.error is None
        if telling.error is not None and self._tellings.get(key) is telling:
            del self._tellings[key]
        while len(self._tellings) > _MOST_KEPT:
            self._tellings.popitem(last=False)
        telling.tell()
