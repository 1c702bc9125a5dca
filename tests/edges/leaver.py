"""A client that leaves as soon as its question is worked on."""

from typing import Any

import anyio

from pegboard.edges.web.application import web_app
from tests.edges.twin import TwinApp, TwinServing


async def leave_while_it_works(app: TwinApp, path: str, body: bytes, accepted: str = "*/*") -> None:
    """Post `body`, which has to ask the twin's `wait`, and leave when it waits; return when all has ended."""
    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [
            (b"host", b"127.0.0.1"),
            (b"content-type", b"application/json"),
            (b"accept", accepted.encode()),
        ],
        "client": ("127.0.0.1", 5),
        "server": ("127.0.0.1", 8000),
        "scheme": "http",
        "http_version": "1.1",
    }
    is_read = False

    async def receive() -> dict[str, Any]:
        nonlocal is_read
        if not is_read:
            is_read = True
            return {"type": "http.request", "body": body}
        await app.waiting.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        pass

    with anyio.fail_after(10):
        await web_app(TwinServing(app))(scope, receive, send)
