"""The stream of a run's events, and a client that leaves it."""

from pathlib import Path

import anyio
from starlette.types import Message

from pegboard.catalog.contract import Context, Result
from pegboard.edges.web.runs import RunStream
from tests.run.running import Arguments, engine, events, node, request, tools


async def test_a_client_that_leaves_ends_its_stream_and_not_the_run(tmp_path: Path) -> None:
    going, left = anyio.Event(), anyio.Event()
    sent: list[Message] = []

    async def waiting(context: Context, arguments: Arguments) -> Result:
        await going.wait()
        return Result("done")

    async def receive() -> Message:
        await left.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)
        if b"event: node_started" in message.get("body", b""):
            left.set()

    with anyio.fail_after(10):
        async with engine(tmp_path, tools(waiting=waiting)) as opened:
            run = await opened.start(request(node("a", tool="waiting"), node("b", "a")))
            await RunStream(opened, run, 0)({"type": "http"}, receive, send)
            going.set()
            ran = await opened.outcome(run)
            later: list[Message] = []

            async def send_later(message: Message) -> None:
                later.append(message)

            left = anyio.Event()
            await RunStream(opened, run, 2)({"type": "http"}, receive, send_later)
            told = await events(opened, run)
    assert ran.status == "succeeded"
    ids = [line for message in later for line in message.get("body", b"").decode().splitlines() if line[:3] == "id:"]
    assert ids == [f"id: {event.seq}" for event in told[2:]]
    assert later[-1] == {"type": "http.response.body", "body": b"", "more_body": False}
