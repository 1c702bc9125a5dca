"""Sessions with a server of the SDK's own, in memory."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import mcp_types as types
import pytest

from pegboard.errors import UpstreamFailed
from pegboard.handlers.mcp.reply import result_of
from pegboard.handlers.mcp.session import Session, opened
from pegboard.run.keeping import Keeper
from tests.handlers.mcp.servers import PIXEL, Memory, Upstream, a_tool, text


@asynccontextmanager
async def keeping() -> AsyncIterator[Keeper]:
    async with anyio.create_task_group() as group:
        yield Keeper(group)
        group.cancel_scope.cancel()


async def test_calls_share_one_session() -> None:
    upstream = Upstream([a_tool("echo")])
    place, said = Memory(upstream), []
    with anyio.fail_after(10):
        async with keeping() as keeper, anyio.create_task_group() as group:

            async def ask(number: int) -> None:
                async with keeper.using("up", lambda: opened("up", place)) as session:
                    reply = await session.call("echo", {"text": str(number)})
                    said.append(result_of("up", "echo", reply, ()).text)

            for number in range(50):
                group.start_soon(ask, number)
    assert sorted(said, key=int) == [str(number) for number in range(50)]
    assert upstream.sessions == 1
    assert upstream.lists == 1


async def test_a_session_that_has_ended_fails_its_calls_as_retryable_and_the_next_call_opens_another() -> None:
    upstream = Upstream([a_tool("slow"), a_tool("echo")])
    place = Memory(upstream)
    with anyio.fail_after(10):
        async with keeping() as keeper:

            async def ask(name: str) -> str:
                async with keeper.using("up", lambda: opened("up", place)) as session:
                    return result_of("up", name, await session.call(name, {"text": "hello"}), ()).text

            async with anyio.create_task_group() as group:
                group.start_soon(_ends, place, upstream)
                with pytest.raises(UpstreamFailed, match="over: the server ended") as raised:
                    await ask("slow")
            assert raised.value.is_retryable
            assert await ask("echo") == "hello"
    assert upstream.sessions == 2


async def _ends(place: Memory, upstream: Upstream) -> None:
    await upstream.waiting.wait()
    wire = place.wires[0]
    wire.end("ended")
    await wire.outgoing.aclose()
    await wire.incoming.aclose()


async def test_whoever_stops_waiting_is_let_go_and_the_server_is_told() -> None:
    upstream = Upstream([a_tool("slow"), a_tool("echo")])
    with anyio.fail_after(10):
        async with opened("up", Memory(upstream)) as session:
            async with anyio.create_task_group() as group:
                group.start_soon(session.call, "slow", {})
                await upstream.waiting.wait()
                group.cancel_scope.cancel()
            await upstream.cancelled.wait()
            assert result_of("up", "echo", await session.call("echo", {"text": "still"}), ()).text == "still"
    assert upstream.sessions == 1


async def test_progress_is_told_as_it_comes() -> None:
    upstream = Upstream([a_tool("stages")])
    told: list[tuple[float, float | None, str | None]] = []
    with anyio.fail_after(10):
        async with opened("up", Memory(upstream)) as session:
            await session.call("stages", {}, progress=lambda *each: told.append(each))
    assert told == [(1, 2, "half"), (2, 2, "whole")]


@pytest.mark.parametrize(
    ("reply", "said", "data"),
    [
        (text("plain"), "plain", "plain"),
        (text("{}", structured_content={"sum": 3}), "{}", {"sum": 3}),
        (types.CallToolResult(content=[], structured_content={"sum": 3}), '{"sum":3}', {"sum": 3}),
        (
            types.CallToolResult(
                content=[types.TextContent(text="see"), types.ImageContent(data=PIXEL, mime_type="image/png")]
            ),
            "see\n\n[image image/png, 8 bytes]",
            {
                "text": "see\n\n[image image/png, 8 bytes]",
                "content": [
                    {
                        "type": "image",
                        "mimeType": "image/png",
                        "bytes": 8,
                        "sha256": "4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6",
                    }
                ],
            },
        ),
        (
            types.CallToolResult(content=[types.ResourceLink(name="menu", uri="file:///menu.txt")]),
            "[menu](file:///menu.txt)",
            {
                "text": "[menu](file:///menu.txt)",
                "content": [{"type": "resource_link", "uri": "file:///menu.txt", "name": "menu", "mimeType": None}],
            },
        ),
        (
            types.CallToolResult(
                content=[
                    types.EmbeddedResource(resource=types.TextResourceContents(uri="file:///a.txt", text="inside"))
                ]
            ),
            "inside",
            "inside",
        ),
    ],
)
async def test_what_a_server_gives_becomes_a_result(reply: types.CallToolResult, said: str, data: object) -> None:
    upstream = Upstream([a_tool("any")], {"any": lambda _: reply})
    with anyio.fail_after(10):
        async with opened("up", Memory(upstream)) as session:
            result = result_of("up", "any", await session.call("any", {}), ())
    assert (result.text, result.data) == (said, data)


async def test_a_result_that_is_an_error_tells_the_servers_message_without_secrets() -> None:
    upstream = Upstream([a_tool("any")], {"any": lambda _: text("no such city, key was hunter2", is_error=True)})
    with anyio.fail_after(10):
        async with opened("up", Memory(upstream)) as session:
            reply = await session.call("any", {})
    with pytest.raises(UpstreamFailed) as raised:
        result_of("up", "any", reply, ("hunter2",))
    assert raised.value.message == "Tool 'any' of source 'up' says: no such city, key was ***."
    assert not raised.value.is_retryable


async def test_new_tools_are_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    upstream = Upstream([a_tool("echo"), a_tool("del\u200bete")])
    with caplog.at_level(logging.WARNING), anyio.fail_after(10):
        async with opened("up", Memory(upstream)) as session:
            session.tell_new({"echo"})
            session.tell_new({"echo"})
    assert [record.message for record in caplog.records] == [
        "source 'up' has tools that nobody has approved: delete. `platform pins diff up` shows them."
    ]


async def test_the_list_of_tools_is_read_page_by_page() -> None:
    with anyio.fail_after(10):
        async with opened("up", Memory(Paged([a_tool(f"t{number}") for number in range(5)]))) as session:
            assert sorted(await session.definitions()) == ["t0", "t1", "t2", "t3", "t4"]


class Paged(Upstream):
    """A server that lists one tool at a time."""

    async def _list(self, _: object, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        at = int((params and params.cursor) or 0)
        following = str(at + 1) if at + 1 < len(self.tools) else None
        return types.ListToolsResult(tools=[self.tools[at]], next_cursor=following)


async def test_a_list_of_tools_without_end_is_no_list() -> None:
    large = [a_tool(f"t{number}", "x" * (3 << 20)) for number in range(12)]
    with anyio.fail_after(30), pytest.raises(UpstreamFailed, match="lists more than 32 MiB"):
        async with opened("up", Memory(Paged(large))):
            pass


async def test_an_unknown_tool_is_the_servers_own_refusal() -> None:
    upstream = Upstream([a_tool("echo")], {"nothing": _refuse})
    with anyio.fail_after(10):
        async with opened("up", Memory(upstream)) as session:
            assert isinstance(session, Session)
            with pytest.raises(UpstreamFailed) as raised:
                await session.call("nothing", {})
            assert not session.is_broken
    assert raised.value.message.startswith("Source 'up' failed: ")
    assert not raised.value.is_retryable


def _refuse(_: object) -> types.CallToolResult:
    raise ValueError("nothing here")
