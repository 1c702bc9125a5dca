"""One snapshot for one request: whatever is reloaded meanwhile, a request sees only what it began with."""

from typing import Annotated

from fastapi import Depends
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pegboard.edges.served import Served, Serving

SNAPSHOT_HEADER = b"x-pegboard-snapshot"
"""Tells which configuration has answered, by the first 12 digits of its id."""


class Pinned:
    """ASGI middleware that takes what serves now, once, for the request."""

    def __init__(self, app: ASGIApp, serving: Serving) -> None:
        self._app = app
        self._serving = serving

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        served = self._serving.current
        scope.setdefault("state", {})["served"] = served
        header = (SNAPSHOT_HEADER, served.catalog.digest[:12].encode())

        async def telling(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), header]
            await send(message)

        await self._app(scope, receive, telling)


def served_by(scope: Scope) -> Served:
    """Return what was taken for the request of this scope."""
    served: Served = scope["state"]["served"]
    return served


def _served(request: Request) -> Served:
    return served_by(request.scope)


Now = Annotated[Served, Depends(_served)]
"""A route's parameter: what serves its request."""
