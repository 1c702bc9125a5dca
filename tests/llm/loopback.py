"""An endpoint on loopback for tests: it answers as it is told, and counts what is open."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio
import h11
from anyio.abc import SocketAttribute, SocketStream


@dataclass
class Answer:
    """What the endpoint sends back."""

    body: object = None
    status: int = 200
    kind: str = "application/json"
    pieces: tuple[bytes, ...] = ()
    """Sent one by one instead of `body`."""
    breaks_off: bool = False
    """Close the connection where the last piece of a stream should come."""
    endless: bytes = b""
    """Sent after everything else, again and again until the client leaves."""
    hangs: bool = False
    """Send nothing more after the pieces, and wait for the client to leave."""
    headers: tuple[tuple[str, str], ...] = ()

    def payload(self) -> list[bytes]:
        if self.pieces:
            return list(self.pieces)
        return [self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()]


Asked = dict[str, Any]
Behaviour = Callable[[Asked], Awaitable[Answer]]


@dataclass
class Loopback:
    """The endpoint, as tests see it."""

    behaviour: Behaviour
    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    open_requests: int = 0
    closed: anyio.Event = field(default_factory=anyio.Event)
    """Set when a client has left before its answer."""
    connections: int = 0
    """Open ones, idle or not."""
    _changed: anyio.Event = field(default_factory=anyio.Event)

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until `is_so` says yes; it is asked whenever what is open has changed."""
        while not is_so():
            await self._changed.wait()

    def _tell(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()

    async def serve(self, stream: SocketStream) -> None:
        self.connections += 1
        try:
            async with stream:
                await self._serve(h11.Connection(h11.SERVER), stream)
        finally:
            self.connections -= 1
            self._tell()

    async def _serve(self, connection: h11.Connection, stream: SocketStream) -> None:
        while connection.states[h11.CLIENT] is h11.IDLE:
            asked = await _read_request(connection, stream)
            if asked is None:
                return
            self.asked.append(asked)
            if not await self._answer(connection, stream, asked):
                return
            connection.start_next_cycle()

    async def _answer(self, connection: h11.Connection, stream: SocketStream, asked: Asked) -> bool:
        answers: list[Answer] = []
        self.open_requests += 1
        self._tell()
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._leave_with_client, stream, group.cancel_scope)
                answers.append(await self.behaviour(asked))
                group.cancel_scope.cancel()
        finally:
            self.open_requests -= 1
            self._tell()
        if not answers:
            self.closed.set()
            return False
        return await _write(connection, stream, answers[0])

    async def _leave_with_client(self, stream: SocketStream, scope: anyio.CancelScope) -> None:
        try:
            await stream.receive(1)
        except (anyio.EndOfStream, anyio.BrokenResourceError):
            scope.cancel()


async def _read_request(connection: h11.Connection, stream: SocketStream) -> Asked | None:
    path, body = "", b""
    while True:
        match connection.next_event():
            case h11.NEED_DATA:
                try:
                    connection.receive_data(await stream.receive())
                except (anyio.EndOfStream, anyio.BrokenResourceError):
                    return None
            case h11.Request(target=target):
                path = target.decode()
            case h11.Data(data=data):
                body += data
            case h11.EndOfMessage():
                return {"path": path, **(json.loads(body) if body else {})}
            case _:
                return None


async def _write(connection: h11.Connection, stream: SocketStream, answer: Answer) -> bool:
    headers = [("content-type", answer.kind), ("transfer-encoding", "chunked"), *answer.headers]
    await stream.send(connection.send(h11.Response(status_code=answer.status, headers=headers)) or b"")
    try:
        for piece in answer.payload():
            await stream.send(connection.send(h11.Data(data=piece)) or b"")
        while answer.endless:
            await stream.send(connection.send(h11.Data(data=answer.endless)) or b"")
        if answer.hangs:
            await stream.receive()
        if answer.breaks_off:
            return False
        await stream.send(connection.send(h11.EndOfMessage()) or b"")
    except (anyio.BrokenResourceError, anyio.EndOfStream):
        return False
    return True


@asynccontextmanager
async def loopback(behaviour: Behaviour) -> AsyncIterator[Loopback]:
    """Serve `behaviour` on a free port of loopback."""
    endpoint = Loopback(behaviour)
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    async with listener, anyio.create_task_group() as group:
        port = listener.extra(SocketAttribute.local_port)
        endpoint.url = f"http://127.0.0.1:{port}/v1"
        group.start_soon(listener.serve, endpoint.serve)
        yield endpoint
        group.cancel_scope.cancel()


def says(*answers: Answer) -> Behaviour:
    """Return a behaviour that gives `answers` one after the other, the last for ever."""
    left = list(answers)

    async def behave(asked: Asked) -> Answer:
        return left.pop(0) if len(left) > 1 else left[0]

    return behave


def chat(content: object, *, finish: str = "stop", **message: object) -> Answer:
    """Return a chat answer that says `content`."""
    told = {"role": "assistant", "content": content, **message}
    return Answer(
        {
            "choices": [{"index": 0, "message": told, "finish_reason": finish}],
            "usage": {"prompt_tokens": 11, "completion_tokens": 7},
        }
    )


def events(*chunks: object) -> tuple[bytes, ...]:
    """Return server-sent events, one piece a chunk; text goes out as it is."""
    return tuple(f"data: {chunk if isinstance(chunk, str) else json.dumps(chunk)}\n\n".encode() for chunk in chunks)


def delta(content: str | None, finish: str | None = None) -> dict[str, object]:
    return {"choices": [{"index": 0, "delta": {"content": content}, "finish_reason": finish}]}
