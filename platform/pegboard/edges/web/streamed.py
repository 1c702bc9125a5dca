"""`Streamed`: server-sent events that come from somewhere else; a client that leaves ends the stream and no work."""

from collections.abc import AsyncIterator

import anyio
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pegboard.edges.failure import error_json, unexpected
from pegboard.edges.web.leaving import wait_until_left
from pegboard.edges.web.problems import problem
from pegboard.edges.web.response import KEEP_ALIVE_SECONDS
from pegboard.errors import PegboardError
from pegboard.text import Json, to_json


class Streamed(Response):
    """Events as they come; what goes wrong on the way is the event `error`, a problem document."""

    media_type = "text/event-stream"

    def __init__(self, texts: AsyncIterator[str]) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._texts = texts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        sending = anyio.Lock()

        async def write(text: str) -> None:
            async with sending:
                await send({"type": "http.response.body", "body": text.encode(), "more_body": True})

        async with anyio.create_task_group() as group:

            async def cancel_when_left() -> None:
                await wait_until_left(receive)
                group.cancel_scope.cancel()

            async def keep_alive() -> None:
                while True:
                    await anyio.sleep(KEEP_ALIVE_SECONDS)
                    await write(": keep-alive\n\n")

            group.start_soon(cancel_when_left)
            group.start_soon(keep_alive)
            async for text in _told(self._texts):
                await write(text)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            group.cancel_scope.cancel()


async def _told(texts: AsyncIterator[str]) -> AsyncIterator[str]:
    try:
        async for text in texts:
            yield text
    except PegboardError as error:
        yield sse("", "error", {**problem(error), "error": error_json(error)})
    except Exception as error:  # noqa: BLE001 (the edge: nothing gets past it but cancellation)
        told = unexpected(error)
        yield sse("", "error", {**problem(told), "error": error_json(told)})


def sse(name: str, kind: str, data: Json) -> str:
    """Return one server-sent event; without a name, it has no id."""
    numbered = f"id: {name}\n" if name else ""
    return f"{numbered}event: {kind}\ndata: {to_json(data)}\n\n"
