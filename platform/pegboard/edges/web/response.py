"""The two forms of an answer: a stream of server-sent events, and one JSON array of the same messages."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import anyio
from anyio.streams.memory import MemoryObjectSendStream
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pegboard.catalog.contract import Question
from pegboard.edges.failure import unexpected
from pegboard.edges.served import Served
from pegboard.edges.web.json_response import JsonResponse
from pegboard.edges.web.leaving import unless_left, wait_until_left
from pegboard.edges.web.nlweb import Message, Messages
from pegboard.edges.web.problems import ProblemResponse
from pegboard.errors import PegboardError
from pegboard.events import Event
from pegboard.text import to_json

KEEP_ALIVE_SECONDS = 15.0
"""How often a comment tells proxies that the stream is alive."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question on its way to an answer."""

    served: Served
    question: Question
    conversation: str = ""
    notices: tuple[str, ...] = ()

    async def run(self, send: Callable[[Message], None]) -> PegboardError | None:
        """Ask, and `send` every message from the first to the last; return what went wrong."""
        messages = Messages(self.served, self.question, conversation=self.conversation)

        def emit(event: Event) -> None:
            for message in messages.of(event):
                send(message)

        for message in messages.begin(self.notices):
            send(message)
        error = await self._ask(emit)
        if error is not None:
            send(messages.failed(error))
        send(messages.end(error))
        return error

    async def _ask(self, emit: Callable[[Event], None]) -> PegboardError | None:
        try:
            await self.served.ask(self.question, emit=emit)
        except PegboardError as error:
            return error
        except Exception as error:  # noqa: BLE001 (the edge: nothing gets past it but cancellation)
            return unexpected(error)
        return None


class Telling(Protocol):
    """What is told in messages, as they come."""

    async def run(self, send: Callable[[Message], None]) -> PegboardError | None:
        """`send` every message from the first to the last; return what went wrong, which is told too."""
        ...


class EventStream(Response):
    """What is told as server-sent events; a client that leaves ends it."""

    media_type = "text/event-stream"

    def __init__(self, telling: Telling, *, closing: str = "", keep_alive_seconds: float = KEEP_ALIVE_SECONDS) -> None:
        """Tell it; where nothing went wrong, `closing` is written at the end."""
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._telling = telling
        self._closing = closing
        self._keep_alive_seconds = keep_alive_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        chunks, outgoing = anyio.create_memory_object_stream[str](float("inf"))
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async with anyio.create_task_group() as group, outgoing:

            async def cancel_when_left() -> None:
                await wait_until_left(receive)
                group.cancel_scope.cancel()

            group.start_soon(cancel_when_left)
            group.start_soon(self._keep_alive, chunks.clone())
            group.start_soon(self._produce, chunks)
            async for chunk in outgoing:
                if not chunk:
                    break
                await send({"type": "http.response.body", "body": chunk.encode(), "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            group.cancel_scope.cancel()

    async def _produce(self, chunks: MemoryObjectSendStream[str]) -> None:
        """Write every message; an empty chunk says that this was the last."""
        with chunks, suppress(anyio.BrokenResourceError):  # the client has left before this was cancelled
            error = await self._telling.run(_quietly(chunks))
            if error is None and self._closing:
                chunks.send_nowait(self._closing)
            chunks.send_nowait("")

    async def _keep_alive(self, chunks: MemoryObjectSendStream[str]) -> None:
        with chunks:
            while True:
                await anyio.sleep(self._keep_alive_seconds)
                chunks.send_nowait(": keep-alive\n\n")


def _quietly(chunks: MemoryObjectSendStream[str]) -> Callable[[Message], None]:
    """Return what writes a message; to a client that has left, nothing."""

    def send(message: Message) -> None:
        with suppress(anyio.BrokenResourceError):
            chunks.send_nowait(f"data: {to_json(message)}\n\n")

    return send


class MessageArray(Response):
    """An exchange as one JSON array; after an error, as a problem that holds the messages so far."""

    def __init__(self, exchange: Exchange) -> None:
        super().__init__()
        self._exchange = exchange

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        messages: list[Message] = []
        error = await unless_left(receive, partial(self._exchange.run, messages.append))
        response = (
            JsonResponse(messages, headers={"Cache-Control": "no-store"})
            if error is None
            else ProblemResponse(error, messages=list(messages))
        )
        await response(scope, receive, send)
