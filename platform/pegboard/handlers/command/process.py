"""One run of a program: a group of its own, limits, streams read no further than a cap, and nothing left at the end."""

import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import anyio
from anyio.abc import ByteReceiveStream, Process

from pegboard.handlers.command import launch
from pegboard.handlers.command.executable import Executable

_PIECE = 1 << 16
_REAP_SECONDS = 2.0
_LAST_WORDS_SECONDS = 1.0
"""How long the streams of a program that has ended are still read: what has left its group may hold them open."""


@dataclass(frozen=True, slots=True)
class Work:
    """What is run."""

    program: Executable
    arguments: Sequence[str]
    folder: Path
    env: Mapping[str, str] = field(repr=False)
    stdin: bytes
    limits: Mapping[str, int]
    """By the names of `resource`."""
    most_bytes: int
    """Of each stream."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What became of it."""

    code: int
    """Its exit code; of one that a signal ended, minus the signal."""
    output: bytes
    errors: bytes
    is_truncated: bool
    """It wrote more than is read, and was ended."""


@dataclass(slots=True)
class _Stream:
    """A stream that is read up to a cap."""

    read: bytearray = field(default_factory=bytearray)
    is_full: bool = False


async def run(work: Work) -> Ended:
    """Run a program to its end; when the caller is cancelled, it and all of its group are killed."""
    output, errors = _Stream(), _Stream()
    async with _started(work) as process:
        async with anyio.create_task_group() as group:
            group.start_soon(_write, process, work.stdin)
            async with anyio.create_task_group() as readers:
                assert process.stdout is not None
                assert process.stderr is not None
                readers.start_soon(_read, process.stdout, output, work.most_bytes, process)
                readers.start_soon(_read, process.stderr, errors, work.most_bytes, process)
                await process.wait()
                _kill(process)
                readers.cancel_scope.deadline = anyio.current_time() + _LAST_WORDS_SECONDS
            group.cancel_scope.cancel()
        code = await process.wait()
    return Ended(code, bytes(output.read), bytes(errors.read), output.is_full or errors.is_full)


@asynccontextmanager
async def _started(work: Work) -> AsyncIterator[Process]:
    limits = [f"{name}={value}" for name, value in work.limits.items()]
    launched = [sys.executable, "-I", "-S", launch.__file__, *limits, "--"]
    with anyio.CancelScope(shield=True):  # what is half started could not be killed
        process = await anyio.open_process(
            [*launched, work.program.path, work.program.named, *work.arguments],
            cwd=work.folder,
            env=work.env,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        _kill(process)
        with anyio.move_on_after(_REAP_SECONDS, shield=True):
            await process.wait()
            await process.aclose()


def _kill(process: Process) -> None:
    """Kill the program, and what it started and left in its group."""
    with suppress(ProcessLookupError, PermissionError):  # macOS says so of a group of zombies
        os.killpg(process.pid, signal.SIGKILL)


async def _read(stream: ByteReceiveStream, into: _Stream, most: int, process: Process) -> None:
    """Read a stream to its end, or to its cap; what writes more is ended."""
    with suppress(anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError):
        while True:
            into.read += await stream.receive(_PIECE)
            if len(into.read) > most:
                del into.read[most:]
                into.is_full = True
                _kill(process)
                return


async def _write(process: Process, data: bytes) -> None:
    """Give the program what it reads; it may end without reading it."""
    assert process.stdin is not None
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        if data:
            await process.stdin.send(data)
        await process.stdin.aclose()
