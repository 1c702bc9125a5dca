"""The stream keeps itself alive."""

from typing import Any

import anyio
import pytest

from pegboard.edges.web.response import EventStream, Exchange
from tests.edges.twin import TwinApp

pytestmark = pytest.mark.anyio


async def test_a_stream_that_waits_says_that_it_lives(app: TwinApp) -> None:
    stream = EventStream(Exchange(app, app.question("wait", site="kitchen")), keep_alive_seconds=0.01)
    alive = anyio.Event()

    async def send(message: Any) -> None:
        if message.get("body") == b": keep-alive\n\n":
            alive.set()

    async def receive() -> Any:
        await alive.wait()
        return {"type": "http.disconnect"}

    with anyio.fail_after(10):
        await stream({"type": "http"}, receive, send)
    assert app.cancelled.is_set()
