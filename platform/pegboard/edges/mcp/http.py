"""`answer`: one request of an MCP client by streamable HTTP; each stands by itself."""

import logging

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pegboard.edges.mcp.message import refusal
from pegboard.edges.mcp.server import mcp_server
from pegboard.edges.served import Served
from pegboard.text import to_json

logging.getLogger("mcp.server.streamable_http_manager").setLevel(logging.WARNING)  # one is made for each request


async def answer(served: Served, site: str, text: str, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer the message `text` to `site`, as events where the client takes them, so that it hears of progress.

    `receive` gives it again: the SDK reads it for itself.
    """
    if (error := refusal(text)) is not None:
        await Response(to_json(error), 400, media_type="application/json")(scope, receive, send)
        return
    takes_events = "text/event-stream" in Headers(scope=scope).get("accept", "")
    server = mcp_server(lambda _: (served, site))
    manager = StreamableHTTPSessionManager(server, json_response=not takes_events, stateless=True)
    async with manager.run():
        await manager.handle_request(scope, receive, send)
