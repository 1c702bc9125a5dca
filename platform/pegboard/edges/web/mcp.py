"""`McpEndpoint`: MCP by streamable HTTP, behind the guard of the web."""

from functools import cache
from types import ModuleType

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from pegboard.edges.web.guard import host_name
from pegboard.edges.web.leaving import wait_until_left
from pegboard.edges.web.pinned import served_by
from pegboard.edges.web.problems import BodyRefused, MethodRefused


class McpEndpoint:
    """The ASGI application of `/mcp` and `/mcp/{site}`: no sessions, so any process can answer any request."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; a client that leaves ends its work.

        Raises:
            UnknownSite, UsageError: it names no site that is served, and there is no telling which is meant.
            MethodRefused, BodyRefused: it is no message.
        """
        request = Request(scope, receive)
        if scope["method"] != "POST":
            raise MethodRefused("There are no sessions and no stream here.", hint="Send each MCP message by POST.")
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            shown = kind[:80] or "of no declared kind"
            raise BodyRefused(f"The message is {shown}, and not JSON.", hint="Send Content-Type: application/json.")
        served = served_by(scope)
        site = served.site_for(request.path_params.get("site") or None, host_name(request.headers.get("host", "")))
        body = await request.body()
        http = await anyio.to_thread.run_sync(_http)
        left, is_read = anyio.Event(), False

        async def replayed() -> Message:
            nonlocal is_read
            if not is_read:
                is_read = True
                return {"type": "http.request", "body": body, "more_body": False}
            await left.wait()
            return {"type": "http.disconnect"}

        async with anyio.create_task_group() as group:

            async def cancel_when_left() -> None:
                await wait_until_left(receive)
                left.set()
                group.cancel_scope.cancel()

            group.start_soon(cancel_when_left)
            await http.answer(served, site, body.decode("utf-8", "replace"), scope, replayed, send)
            group.cancel_scope.cancel()


@cache
def _http() -> ModuleType:
    """Return what answers; the SDK is loaded with the first request, for it takes as long as all else of the server."""
    from pegboard.edges.mcp import http  # noqa: PLC0415

    return http
