"""Follow a run to its end: show it, approve what may be approved, and cancel it where the command is interrupted."""

import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio

from pegboard.edges.cli.driving import Drives
from pegboard.edges.cli.output import inform
from pegboard.edges.cli.screen import REDRAWN_SECONDS, Approving, Screen, screen_on
from pegboard.edges.cli.watched import Watched
from pegboard.edges.cli.writer import Silent
from pegboard.text import Json

_ENDING_SECONDS = 10.0
"""How long a run that is cancelled is waited for."""


@dataclass(frozen=True, slots=True)
class Following:
    """Whoever follows a run; shows it on stderr."""

    drives: Drives
    approving: Approving
    is_ascii: bool = False
    approves: bool = False
    """Whatever waits for an approval gets it."""

    async def to_the_end(self, run: str) -> Watched:
        """Follow a run until it has ended."""
        watched = Watched(run, began=time.time())
        screen = screen_on(sys.stderr, self.approving, is_ascii=self.is_ascii)
        async with _drawn(screen, watched):
            await self._take(watched, screen)
        return watched

    async def to_the_end_or_ours(self, run: str) -> Watched:
        """Follow a run until it has ended; cancel it if we are cancelled, as by Ctrl-C, and say so.

        A second Ctrl-C does not wait for it.
        """
        watched = Watched(run, began=time.time())
        screen = screen_on(sys.stderr, self.approving, is_ascii=self.is_ascii)
        try:
            async with _drawn(screen, watched):
                try:
                    await self._take(watched, screen)
                except anyio.get_cancelled_exc_class():
                    with anyio.CancelScope(shield=True), anyio.move_on_after(_ENDING_SECONDS):
                        await self.drives.cancel(run)
                        await self._take(watched, screen)
                    raise
        except anyio.get_cancelled_exc_class():
            ends = "is cancelled; nothing more of it starts" if watched.status == "cancelled" else watched.status
            inform(f"Run {run} {'is asked to end' if ends == 'running' else ends}.")
            raise
        return watched

    async def _take(self, watched: Watched, screen: Screen) -> None:
        async for event in self.drives.events(watched.run, after=watched.seq):
            screen.told(watched, watched.take(event))
            for held in [*watched.held.values()] if self.approves else ():
                await self.drives.approve(held.run, held.node)


@asynccontextmanager
async def _drawn(screen: Screen, watched: Watched) -> AsyncIterator[None]:
    async def redraw() -> None:
        while True:
            screen.draw(watched)
            await anyio.sleep(REDRAWN_SECONDS)

    raised: Exception | None = None
    async with anyio.create_task_group() as group:
        group.start_soon(redraw)
        try:
            yield
        except Exception as error:  # noqa: BLE001 (it is raised again below, and not in a group)
            raised = error
        finally:
            screen.close(watched)
        group.cancel_scope.cancel()
    if raised is not None:
        raise raised


async def written(drives: Drives, run: str, listener: Silent) -> Mapping[str, Json]:
    """Return the answer of a run that has ended; `listener` hears it come.

    Raises:
        CallFailed: no node gave anything.
    """
    answer: Mapping[str, Json] = {}
    async for event in drives.answer(run):
        match event:
            case {"kind": "answer_piece", "text": str(text)}:
                listener.piece(text)
            case {"kind": "degraded", "reason": str(reason)}:
                listener.notice(reason)
            case {"kind": "noticed", "message": str(message)}:
                listener.notice(message)
            case {"kind": "answer_ended", "answer": dict(whole)}:
                answer = whole
    return answer
