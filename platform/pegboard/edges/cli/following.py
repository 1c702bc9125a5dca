"""Follow a run to its end: show it, approve what may be approved, and cancel it where the command is interrupted."""

import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import anyio

from pegboard.edges.cli.driving import Drives
from pegboard.edges.cli.output import inform
from pegboard.edges.cli.screen import REDRAWN_SECONDS, Approving, Screen, screen_on
from pegboard.edges.cli.watched import Watched
from pegboard.edges.cli.writer import Silent
from pegboard.text import Json

_ENDING_SECONDS = 10.0
"""How long a run that is cancelled is waited for."""


async def followed(
    drives: Drives, run: str, approving: Approving, *, is_ascii: bool = False, approves: bool = False
) -> Watched:
    """Show a run on stderr until it has ended; with `approves`, whatever waits for an approval gets it."""
    screen, watched = screen_on(sys.stderr, approving, is_ascii=is_ascii), Watched(run, began=time.time())
    async with _drawn(screen, watched):
        async for event in drives.events(run):
            screen.told(watched, watched.take(event))
            for held in [*watched.held.values()] if approves else ():
                await drives.approve(held.run, held.node)
    return watched


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


@asynccontextmanager
async def cancelled_with_us(drives: Drives, run: str) -> AsyncIterator[None]:
    """Cancel the run if the block is cancelled, as Ctrl-C does, and say so; a second Ctrl-C does not wait for it."""
    try:
        yield
    except anyio.get_cancelled_exc_class():
        with anyio.CancelScope(shield=True), anyio.move_on_after(_ENDING_SECONDS):
            inform(f"Run {run} is cancelled; nothing more of it starts.")
            await drives.cancel(run)
        raise
