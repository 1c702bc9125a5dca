"""A server as a process of ours that speaks over stdio: a transport for the SDK.

The SDK has one too. This one bounds what a message may hold, starts the process with no variable of ours but a few,
writes what it complains of to our log, and ends its whole process group, also where only the first process has ended.
Not here: whether the server's settings allow the program (`server`).
"""

import logging
import os
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field

import anyio
import mcp_types as types
from anyio.abc import AsyncResource, ByteReceiveStream, Process
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from pegboard.errors import CallRefused
from pegboard.handlers.mcp.wire import MAX_BYTES, Wire
from pegboard.net.secrets import masked_text

_log = logging.getLogger(__name__)

INHERITED = ("HOME", "LANG", "LC_ALL", "LC_CTYPE", "PATH", "SYSTEMROOT", "TEMP", "TMPDIR", "TZ", "USERPROFILE")
"""Variables of ours that a server gets: none of them is a secret, and programs do not start without them."""
_GRACE_SECONDS = 1.0
"""How long a server may take to end by itself, first when it reads no more, then when it is told to."""
_WAITING = 64
"""Messages that wait for the server to read them."""
_MOST_LOGGED = 65_536
"""Bytes of what one process complains of."""
_LONGEST_LINE = 500


@dataclass(frozen=True, slots=True)
class Launch:
    """What is started."""

    name: str
    """Of the source."""
    argv: tuple[str, ...]
    """The program's absolute path, and its arguments."""
    cwd: str
    variables: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """Texts among the variables that nobody is shown."""

    @asynccontextmanager
    async def wire(self) -> AsyncIterator[Wire]:
        """Start it; end it and all that it has started.

        Raises:
            CallRefused: it cannot be started.
        """
        process = await self._started()
        incoming, received = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        sent, outgoing = anyio.create_memory_object_stream[SessionMessage](_WAITING)
        wire = Wire(received, sent)
        async with AsyncExitStack() as stack:
            stack.push_async_callback(_end, process)
            for stream in (incoming, received, sent, outgoing):
                stack.callback(stream.close)
            group = await stack.enter_async_context(anyio.create_task_group())
            stack.callback(group.cancel_scope.cancel)
            group.start_soon(self._receive, process, incoming, wire)
            group.start_soon(_send, process, outgoing, wire)
            group.start_soon(self._complain, process)
            yield wire

    async def _started(self) -> Process:
        variables = environment(os.environ, self.variables)
        try:
            with anyio.CancelScope(shield=True):  # else a process that has just begun would be nobody's
                process = await anyio.open_process(self.argv, cwd=self.cwd, env=variables, start_new_session=True)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it cannot be"
            raise CallRefused(f"The server of source {self.name!r} was not started: {reason}.") from error
        return process

    async def _receive(
        self, process: Process, incoming: MemoryObjectSendStream[SessionMessage | Exception], wire: Wire
    ) -> None:
        assert process.stdout is not None
        buffer = bytearray()
        with incoming, suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, ConnectionError):
            async for chunk in _chunks(process.stdout):
                scanned = len(buffer)
                buffer += chunk
                while (end := buffer.find(b"\n", scanned)) >= 0:
                    line, scanned = bytes(buffer[:end]), 0
                    del buffer[: end + 1]
                    if (message := self._read(line)) is not None:
                        await incoming.send(message)
                if len(buffer) > MAX_BYTES:
                    wire.end(f"sent a message of more than {MAX_BYTES >> 20} MiB")
                    return
        wire.end("ended")

    def _read(self, line: bytes) -> SessionMessage | None:
        if not line.strip():
            return None
        try:
            return SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
        except ValueError:
            _log.warning("source %r wrote what is no message: %s", self.name, self._shown(line))
            return None

    async def _complain(self, process: Process) -> None:
        """Write what the server says on stderr to our log, up to a bound; the rest is read and dropped."""
        assert process.stderr is not None
        left = _MOST_LOGGED
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, ConnectionError):
            async for chunk in _chunks(process.stderr):
                if left <= 0:
                    continue
                left -= len(chunk)
                for line in filter(bytes.strip, chunk.splitlines()):
                    _log.info("source %r: %s", self.name, self._shown(line))
                if left <= 0:
                    _log.info("source %r writes more to stderr, which is not logged", self.name)

    def _shown(self, line: bytes) -> str:
        text = line[: 4 * _LONGEST_LINE].decode("utf-8", "replace")
        return masked_text(text, self.secrets)[:_LONGEST_LINE]


def environment(ours: Mapping[str, str], declared: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Return the variables of a server's process: a few of ours, and what is declared."""
    return {name: ours[name] for name in INHERITED if name in ours} | dict(declared)


async def _chunks(stream: ByteReceiveStream) -> AsyncIterator[bytes]:
    with suppress(anyio.EndOfStream):
        while True:
            yield await stream.receive()


async def _send(process: Process, outgoing: MemoryObjectReceiveStream[SessionMessage], wire: Wire) -> None:
    assert process.stdin is not None
    try:
        async for message in outgoing:
            text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
            await process.stdin.send(f"{text}\n".encode())
    except (anyio.BrokenResourceError, anyio.ClosedResourceError, ConnectionError):
        wire.end("ended")


async def _end(process: Process) -> None:
    """End the process and all of its group: first by closing its input, as MCP has it, at last by force."""
    with anyio.CancelScope(shield=True):
        await _close(process.stdin)
        if not await _ended(process):
            _signal(process, signal.SIGTERM)
            await _ended(process)
        _signal(process, signal.SIGKILL)  # what it has started may go on without it
        await _ended(process)
        await _drain(process.stdout)
        await _drain(process.stderr)


async def _close(stream: AsyncResource | None) -> None:
    if stream is not None:
        with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            await stream.aclose()


async def _drain(stream: ByteReceiveStream | None) -> None:
    """Read a pipe to its end, else it stays open."""
    if stream is not None:
        with anyio.move_on_after(_GRACE_SECONDS), suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            async for _ in _chunks(stream):
                pass
        await _close(stream)


async def _ended(process: Process) -> bool:
    """Wait for the process a while; whoever holds its pipes is not waited for."""
    with anyio.move_on_after(_GRACE_SECONDS):
        while process.returncode is None:  # noqa: ASYNC110 (`wait` waits for its pipes too, which others may hold)
            await anyio.sleep(0.01)
    return process.returncode is not None


def _signal(process: Process, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)
