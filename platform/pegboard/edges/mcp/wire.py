"""`Wire`: messages in lines of a pipe, as streams for the SDK; what is no message is answered, and each request is."""

import logging
import os
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeAlias

import anyio
import anyio.to_thread
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from pydantic_core import PydanticSerializationError, ValidationError

from pegboard.edges.mcp.message import refusal
from pegboard.text import to_json

_log = logging.getLogger("pegboard.mcp")

_Incoming: TypeAlias = MemoryObjectReceiveStream[SessionMessage | Exception]
GRACE_SECONDS = 5.0
"""For how long requests are answered after the input has ended."""


class Wire:
    """The lines that come in, and the file descriptor on which the answers go out."""

    def __init__(self, lines: AsyncIterable[str], output: int) -> None:
        self._lines = lines
        self._output = output
        self._open: set[types.RequestId] = set()
        """Requests that are not answered yet."""
        self._answered = anyio.Event()
        self._writing = anyio.Lock()
        self._scope = anyio.CancelScope()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[tuple[_Incoming, MemoryObjectSendStream[SessionMessage]]]:
        """Yield where messages come in, and where answers are sent to; the former ends when all are answered."""
        to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception]()
        outgoing, from_server = anyio.create_memory_object_stream[SessionMessage]()
        async with anyio.create_task_group() as group:
            self._scope = group.cancel_scope
            group.start_soon(self._read, to_server)
            group.start_soon(self._write, from_server)
            yield incoming, outgoing
            group.cancel_scope.cancel()

    async def _read(self, to_server: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        async with to_server:
            async for line in self._lines:
                if not line.strip():
                    continue
                if (error := refusal(line)) is not None:
                    _log.warning("a line was no message: %s", to_json(error["error"]))
                    await self._put(to_json(error))
                    continue
                try:
                    message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
                except ValidationError as invalid:
                    _log.warning("a line could not be read as a message: %s", invalid)
                    continue  # nobody waits for it: a request would have been read
                if isinstance(message, types.JSONRPCRequest):
                    self._open.add(message.id)
                elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
                    self._close((message.params or {}).get("requestId"))
                await to_server.send(SessionMessage(message))
            with anyio.move_on_after(GRACE_SECONDS):
                while self._open:
                    self._answered = anyio.Event()
                    await self._answered.wait()

    async def _write(self, from_server: MemoryObjectReceiveStream[SessionMessage]) -> None:
        async with from_server:
            async for sent in from_server:
                message = sent.message
                await self._put(_text(message))
                if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
                    self._close(message.id)

    def _close(self, request: object) -> None:
        self._open = {each for each in self._open if each != request}
        self._answered.set()

    async def _put(self, text: str) -> None:
        """Write a line; where the client reads no more, all ends."""
        data = f"{text}\n".encode()
        try:
            async with self._writing:
                await anyio.to_thread.run_sync(_write_all, self._output, data, abandon_on_cancel=True)
        except OSError as error:
            _log.info("the client reads no more: %s", error.strerror)
            self._scope.cancel()


def _text(message: types.JSONRPCMessage) -> str:
    """Write a message; an answer that cannot be written is an error, and the others still come."""
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True)
    except PydanticSerializationError as error:
        _log.error("an answer could not be written", exc_info=error)
        told: dict[str, object] = {"code": types.INTERNAL_ERROR, "message": "The answer could not be written."}
        return to_json({"jsonrpc": "2.0", "id": getattr(message, "id", None), "error": told})


def _write_all(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]
