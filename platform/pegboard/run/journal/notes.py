"""`Notes`: what the nodes of one run have recorded of their work, so that a node that is done again goes on from there.

A note is in the journal before anybody gets it. The first record of a name counts; a node that starts anew because its
tool was changed has none.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import anyio

from pegboard.errors import CallFailed
from pegboard.run.journal.entry import Entry
from pegboard.run.journal.log import Log
from pegboard.run.journal.stored import Output
from pegboard.text import Json, to_json

Named: TypeAlias = tuple[str, str]
"""A node, and what it calls a part of its work."""


@dataclass(eq=False, frozen=True, slots=True)
class Note:
    """Something that a node wants to have recorded, and waits for."""

    of: Named
    output: Output
    is_over: anyio.Event = field(default_factory=anyio.Event)
    """It is written down, or will never be, because its node has ended."""


class Notes:
    """Those of one run, for its driver and its nodes."""

    def __init__(self, written: Mapping[Named, str], log: Log, happen: Callable[[Note], None]) -> None:
        """Know what the journal holds; `happen` lets the driver write down more."""
        self._written = dict(written)
        self._known: dict[Named, Output] = {}
        self._log = log
        self._happen = happen

    async def recorded(self, node: str, name: str, work: Callable[[], Awaitable[Json]]) -> Json:
        """Return what is recorded; without that, do `work` and record what it gives.

        Raises:
            CallFailed: it gives no JSON.
        """
        of = (node, name)
        if of in self._written and of not in self._known:
            self._known[of] = await self._log.read(self._written[of])
        if of not in self._known:
            note = Note(of, await self._frozen(name, await work()))
            self._happen(note)
            await note.is_over.wait()
            return _value(self._known.get(of, note.output))
        return _value(self._known[of])

    def entry(self, note: Note, attempt: int) -> Entry | None:
        """Return what is written of `note`; None: another has been recorded of that name."""
        if note.of in self._written or note.of in self._known:
            return None
        self._known[note.of] = note.output
        node, name = note.of
        return Entry("node_noted", node, attempt, {"name": name}, note.output.written)

    async def _frozen(self, name: str, value: Json) -> Output:
        try:
            text = to_json({"value": value})
        except (TypeError, ValueError) as error:
            raise CallFailed(f"What was to be recorded as {name!r} is no JSON: {error}.") from error
        return await self._log.keep_text(text)


def _value(output: Output) -> Json:
    held: dict[str, Json] = json.loads(output.text)
    return held["value"]
