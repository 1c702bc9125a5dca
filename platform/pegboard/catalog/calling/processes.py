"""Handlers in processes of their own: warm workers that are killed when a call is cancelled or out of time.

A worker is spawned by the first call that needs it and kept for the next ones. It leads a process group, and is killed
with all that it has started. One that has crashed or was killed is replaced by the next call.
"""

import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import anyio
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

from pegboard.catalog.calling.wire import line, read, result_from
from pegboard.catalog.contract import Context, Result
from pegboard.errors import CallFailed
from pegboard.events import CallPiece, Emit
from pegboard.text import Json

LARGEST_REPLY = 16 << 20
"""Bytes of one reply; a worker that sends more is killed."""
_REAP_SECONDS = 5.0
_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from pegboard.catalog.loading.worker import main; main()"
)


class HandlerCrashed(CallFailed):
    """The process of a handler ended, or sent what it may not, before the call did."""


class HandlerRaised(Exception):
    """What a handler raised in its process; its text is the traceback from there, for the log alone."""


@dataclass(eq=False)
class Isolated:
    """A handler that runs in processes of its own; a `Run`."""

    handler: str
    """Dotted path."""
    prefixes: Sequence[str]
    """Where handlers may come from."""
    workers: int = 1
    """How many calls may run at once; further ones wait."""

    async def __call__(self, context: Context, arguments: Mapping[str, Json]) -> Result:
        """Call the handler.

        Raises:
            HandlerCrashed, CallFailed, HandlerRaised
        """
        async with context.using(("process", self), self.pool) as pool:
            return await pool.call(context, arguments)

    @asynccontextmanager
    async def pool(self) -> "AsyncIterator[Pool]":
        """Hold the workers; they are killed at the end."""
        pool = Pool(self)
        try:
            yield pool
        finally:
            await pool.aclose()


_SAID = frozenset({"ready", "piece", "result", "failed"})
"""What a reply says, one of them."""
_NO_REPLY = "Its process sent what is no reply."
"""Callers read it behind the name of the tool: where its handler lies is nothing to them."""


@dataclass(eq=False)
class Pool:
    """The workers of one handler."""

    of: Isolated
    _idle: "list[_Worker]" = field(default_factory=list)
    _places: anyio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._places = anyio.Semaphore(self.of.workers)

    async def call(self, context: Context, arguments: Mapping[str, Json]) -> Result:
        """Let one worker do a call; it is killed if the call does not come to its end."""
        async with self._places:
            worker = self._warm() or await _spawned(self.of)
            is_whole = False
            try:
                outcome = await worker.call(context, arguments)
                is_whole = True
            finally:
                if is_whole:
                    self._idle.append(worker)
                else:
                    await worker.kill()
        return _result(outcome)

    def _warm(self) -> "_Worker | None":
        while self._idle:
            worker = self._idle.pop()
            if worker.process.returncode is None:
                return worker
        return None

    async def aclose(self) -> None:
        """Kill all that wait for a call."""
        while self._idle:
            await self._idle.pop().kill()


@dataclass(eq=False)
class _Worker:
    process: Process
    lines: BufferedByteReceiveStream
    asked: int = 0
    """How many messages it was sent; each reply names the one that it is for."""

    async def call(self, context: Context, arguments: Mapping[str, Json]) -> Result | Mapping[str, Any]:
        """Return the result, or what `failed` says; pieces of a stream are told as they come."""
        asked = {"question": context.question, "site": context.site, "language": context.language}
        reply = await self.ask({**asked, "arguments": dict(arguments)}, context.emit)
        try:
            return dict(reply["failed"]) if "failed" in reply else result_from(reply["result"])
        except (KeyError, TypeError, ValueError) as error:
            raise HandlerCrashed(_NO_REPLY) from error

    async def ask(self, message: Mapping[str, Json], emit: Emit) -> dict[str, Any]:
        try:
            assert self.process.stdin is not None
            self.asked += 1
            await self.process.stdin.send(line({**message, "number": self.asked}))
            while True:
                reply = read(await self.lines.receive_until(b"\n", LARGEST_REPLY))
                if reply.get("number") != self.asked or len(_SAID & reply.keys()) != 1:
                    raise HandlerCrashed(_NO_REPLY)
                if "piece" not in reply:
                    break
                emit(CallPiece(str(reply["piece"])))
        except anyio.DelimiterNotFound as error:
            raise HandlerCrashed(f"Its process sent more than {LARGEST_REPLY:,} bytes.") from error
        except (anyio.EndOfStream, anyio.IncompleteRead, anyio.BrokenResourceError, OSError) as error:
            raise HandlerCrashed(await self._ending()) from error
        return reply

    async def _ending(self) -> str:
        with anyio.move_on_after(_REAP_SECONDS):
            await self.process.wait()
        code = self.process.returncode
        how = "closed its output" if code is None else f"ended ({code})"
        if code is not None and code < 0:
            how = f"was killed by signal {-code}"
        return f"Its process {how} during the call."

    async def kill(self) -> None:
        """Kill it with all that it has started, and wait until it is gone."""
        with anyio.CancelScope(shield=True), anyio.move_on_after(_REAP_SECONDS):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            await self.process.aclose()


async def _spawned(of: Isolated) -> _Worker:
    """Return a worker that has loaded its handler.

    Raises:
        HandlerCrashed: it could not.
    """
    command = [sys.executable, "-c", _START, json.dumps(sys.path)]
    process = await anyio.open_process(command, stderr=None, start_new_session=True)
    assert process.stdout is not None
    worker = _Worker(process, BufferedByteReceiveStream(process.stdout))
    is_ready = False
    try:
        reply = await worker.ask({"handler": of.handler, "prefixes": list(of.prefixes)}, lambda event: None)
        is_ready = reply.get("ready") is True
    finally:
        if not is_ready:
            await worker.kill()
    if not is_ready:
        raise HandlerCrashed("Its process could not load it; the server's log says why.")
    return worker


def _result(outcome: Result | Mapping[str, Any]) -> Result:
    if isinstance(outcome, Result):
        return outcome
    if "trace" in outcome:
        raise HandlerRaised(str(outcome["trace"]))
    raise CallFailed(str(outcome.get("message")), hint=str(outcome.get("hint")))
