"""Tools of a server at an address: the SDK's own over loopback, and services that misbehave."""

import json
import socket
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
import uvicorn
from anyio.abc import SocketStream
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from pegboard.errors import CallFailed, CallRefused, UpstreamFailed
from pegboard.handlers.mcp.kind import tool
from pegboard.run.context import CallContext
from pegboard.run.keeping import Keeper
from tests.handlers.mcp.servers import Upstream, a_tool, about, approve, made
from tests.twins import context

ECHO, SLOW = a_tool("echo"), a_tool("slow")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    approve(tmp_path, ECHO, SLOW)
    return tmp_path


@asynccontextmanager
async def served(app: ASGIApp) -> AsyncIterator[str]:
    """Serve an application on loopback; give its address."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        config = uvicorn.Config(app, log_level="critical", lifespan="on", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
        async with anyio.create_task_group() as group:
            group.start_soon(server.serve, [listening])
            while not server.started:  # noqa: ASYNC110 (uvicorn has no event for it)
                await anyio.sleep(0.005)
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
            server.should_exit = True


class Watched:
    """An application before which each message of MCP is counted; `is_old`: it knows the older handshake alone."""

    def __init__(self, app: Starlette, *, is_old: bool) -> None:
        self._app = app
        self._is_old = is_old
        self.methods: Counter[str] = Counter()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        body, is_whole = b"", False
        while not is_whole:
            piece = await receive()
            body, is_whole = body + piece.get("body", b""), not piece.get("more_body")
        method = json.loads(body).get("method", "")
        self.methods[method] += 1
        if self._is_old and method == "server/discover":
            await Response(status_code=400)(scope, receive, send)
            return
        first = [{"type": "http.request", "body": body, "more_body": False}]

        async def again() -> Any:
            return first.pop() if first else await receive()

        await self._app(scope, again, send)


def answering(status: int, body: bytes = b"", **headers: str) -> Starlette:
    """Return an application that always answers the same."""

    async def reply(_: Request) -> Response:
        return Response(body, status, {name.replace("_", "-"): value for name, value in headers.items()})

    return Starlette(routes=[Route("/mcp", reply, methods=["GET", "POST", "DELETE"])])


@asynccontextmanager
async def keeping() -> AsyncIterator[CallContext]:
    async with anyio.create_task_group() as group:
        yield replace(context(), keeper=Keeper(group))
        group.cancel_scope.cancel()


async def said(kind: tool, given: CallContext, **arguments: str) -> str:
    result = await kind.call(given, arguments)
    assert not isinstance(result, str | int | float | list | dict | None)
    return result.text


@pytest.mark.parametrize("is_old", [False, True])
async def test_calls_at_once_reach_the_server_in_one_session(folder: Path, is_old: bool) -> None:
    upstream, found = Upstream([ECHO, SLOW]), []
    app = Watched(upstream.server.streamable_http_app(), is_old=is_old)
    with anyio.fail_after(30):
        async with served(app) as address, keeping() as given:
            kind = made(about(folder, url=f"{address}/mcp"), "echo")

            async def ask(number: int) -> None:
                found.append(await said(kind, given, text=str(number)))

            async with anyio.create_task_group() as group:
                for number in range(30):
                    group.start_soon(ask, number)
    assert sorted(found, key=int) == [str(number) for number in range(30)]
    handshake = {"initialize": 1, "notifications/initialized": 1} if is_old else {}
    assert app.methods == {"server/discover": 1, **handshake, "tools/list": 1, "tools/call": 30}


@pytest.mark.parametrize("is_old", [False, True])
async def test_a_cancelled_call_is_cancelled_at_the_server_and_the_session_goes_on(folder: Path, is_old: bool) -> None:
    upstream = Upstream([ECHO, SLOW])
    app = Watched(upstream.server.streamable_http_app(), is_old=is_old)
    with anyio.fail_after(30):
        async with served(app) as address, keeping() as given:
            told = about(folder, url=f"{address}/mcp")
            async with anyio.create_task_group() as group:
                group.start_soon(made(told, "slow").call, given, {})
                await upstream.waiting.wait()
                group.cancel_scope.cancel()
            await upstream.cancelled.wait()
            assert await said(made(told, "echo"), given, text="still") == "still"
    assert app.methods["tools/list"] == 1
    assert app.methods["notifications/cancelled"] == is_old  # since 2026 a request is cancelled by leaving it


async def test_a_definition_that_changed_is_refused_over_http_too(folder: Path) -> None:
    upstream = Upstream([a_tool("echo", "Says it again, and mails it."), SLOW])
    with anyio.fail_after(30):
        async with served(upstream.server.streamable_http_app()) as address, keeping() as given:
            with pytest.raises(CallRefused, match="its description changed"):
                await said(made(about(folder, url=f"{address}/mcp"), "echo"), given, text="x")
    assert upstream.calls == []


async def test_the_declared_authentication_and_headers_are_sent(folder: Path) -> None:
    heard: list[tuple[str | None, str | None]] = []

    async def reply(request: Request) -> Response:
        heard.append((request.headers.get("authorization"), request.headers.get("x-team")))
        return Response(status_code=401)

    app = Starlette(routes=[Route("/mcp", reply, methods=["GET", "POST"])])
    with anyio.fail_after(30):
        async with served(app) as address, keeping() as given:
            told = about(folder, url=f"{address}/mcp", headers={"X-Team": "shop"}, auth={"bearer": "hunter2"})
            with pytest.raises(UpstreamFailed) as raised:
                await said(made(told, "echo"), given, text="x")
    assert set(heard) == {("Bearer hunter2", "shop")}
    assert raised.value.message == "Source 'up' failed: 127.0.0.1 answered 401 Unauthorized."
    assert "auth" in raised.value.hint
    assert not raised.value.is_retryable


@pytest.mark.parametrize(
    ("app", "message", "is_retryable"),
    [
        (answering(503, retry_after="7"), "127.0.0.1 answered 503 Service Unavailable.", True),
        (answering(429, retry_after="7"), "127.0.0.1 answered 429 Too Many Requests.", True),
        (answering(403, b"{}", content_type="application/json"), "127.0.0.1 answered 403 Forbidden.", False),
        (answering(404), "Not Found", False),
        (answering(202), "server answered a request with 202 Accepted", False),
        (answering(200, b"<html>", content_type="text/html"), "Unexpected content type: text/html", False),
        (answering(200, b"{}", content_type="application/json"), "Failed to parse JSON response", False),
        (answering(200, b" " * (5 << 20), content_type="application/json"), "127.0.0.1 sent more than 4 MiB", False),
        (answering(307, location="http://169.254.169.254/latest"), "not followed", False),
    ],
)
async def test_a_service_that_is_no_server_fails_with_what_it_did(
    folder: Path, app: Starlette, message: str, is_retryable: bool
) -> None:
    with anyio.fail_after(30):
        async with served(app) as address, keeping() as given:
            with pytest.raises(UpstreamFailed) as raised:
                await said(made(about(folder, url=f"{address}/mcp"), "echo"), given, text="x")
    assert message in raised.value.message
    assert raised.value.is_retryable is is_retryable


@pytest.mark.parametrize(("written", "seconds"), [("7", 7.0), ("1" * 5000, None), ("9" * 9, 86_400.0)])
async def test_how_long_to_wait_is_told(folder: Path, written: str, seconds: float | None) -> None:
    with anyio.fail_after(30):
        async with served(answering(429, retry_after=written)) as address, keeping() as given:
            with pytest.raises(UpstreamFailed) as raised:
                await said(made(about(folder, url=f"{address}/mcp"), "echo"), given, text="x")
    assert raised.value.retry_after_seconds == seconds


async def test_an_address_where_nobody_listens_is_retryable_and_told(folder: Path) -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
    with anyio.fail_after(30):
        async with keeping() as given:
            with pytest.raises(UpstreamFailed, match=r"127\.0\.0\.1 cannot be reached") as raised:
                await said(made(about(folder, url=f"http://127.0.0.1:{port}/mcp"), "echo"), given, text="x")
    assert raised.value.is_retryable


@pytest.mark.parametrize("host", ["169.254.169.254", "[fe80::1]", "[::ffff:169.254.169.254]"])
async def test_an_address_where_clouds_hand_out_credentials_is_never_asked(folder: Path, host: str) -> None:
    with anyio.fail_after(30):
        async with keeping() as given:
            with pytest.raises((CallRefused, UpstreamFailed)) as raised:
                await said(made(about(folder, url=f"http://{host}/mcp"), "echo"), given, text="x")
    assert "none that this server asks" in raised.value.message


async def test_a_secret_that_is_missing_fails_the_call_and_not_the_configuration(folder: Path) -> None:
    kind = made(about(folder, url="http://127.0.0.1:1/mcp", auth={"bearer": ""}), "echo")
    with anyio.fail_after(30):
        async with keeping() as given:
            with pytest.raises(CallFailed, match="secret that the service wants is not set"):
                await said(kind, given, text="x")


async def test_a_server_that_restarts_is_found_again(folder: Path) -> None:
    upstream = Upstream([ECHO, SLOW])
    with anyio.fail_after(30):
        async with _Behind() as front, keeping() as given:
            kind = made(about(folder, url=f"{front.address}/mcp"), "echo")
            async with served(upstream.server.streamable_http_app()) as address:
                front.lead_to(address)
                assert await said(kind, given, text="one") == "one"
            with pytest.raises(UpstreamFailed) as raised:
                await said(kind, given, text="lost")
            assert raised.value.is_retryable
            async with served(upstream.server.streamable_http_app()) as address:
                front.lead_to(address)
                assert await said(kind, given, text="two") == "two"


class _Behind:
    """A port that leads to a server that may come and go."""

    def __init__(self) -> None:
        self._port = 0
        self._group = anyio.create_task_group()

    def lead_to(self, address: str) -> None:
        self._port = int(address.rpartition(":")[2])

    async def __aenter__(self) -> "_Behind":
        await self._group.__aenter__()
        self._listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
        port = self._listener.extra(anyio.abc.SocketAttribute.local_port)
        self.address = f"http://127.0.0.1:{port}"
        self._group.start_soon(self._listener.serve, self._pass_on)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._group.cancel_scope.cancel()
        await self._group.__aexit__(None, None, None)
        await self._listener.aclose()

    async def _pass_on(self, near: SocketStream) -> None:
        async with near:
            try:
                far = await anyio.connect_tcp("127.0.0.1", self._port)
            except OSError:
                return
            async with far, anyio.create_task_group() as group:
                group.start_soon(_copy, near, far, group.cancel_scope)
                await _copy(far, near, group.cancel_scope)


async def _copy(source: SocketStream, target: SocketStream, scope: anyio.CancelScope) -> None:
    try:
        async for piece in source:
            await target.send(piece)
    except (anyio.BrokenResourceError, anyio.ClosedResourceError):
        pass
    scope.cancel()


async def test_a_body_that_breaks_off_fails_that_call_alone(folder: Path) -> None:
    upstream = Upstream([ECHO, SLOW])
    whole = upstream.server.streamable_http_app(json_response=True)
    cut: list[bool] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        async def sending(message: Any) -> None:
            if cut and message["type"] == "http.response.start":
                message["headers"] = [
                    (name, b"100000" if name == b"content-length" else value) for name, value in message["headers"]
                ]
            if cut and message["type"] == "http.response.body":
                cut.clear()
                await send({**message, "more_body": True})
                raise ConnectionError
            await send(message)

        await whole(scope, receive, sending)

    with anyio.fail_after(30):
        async with served(app) as address, keeping() as given:
            kind = made(about(folder, url=f"{address}/mcp"), "echo")
            assert await said(kind, given, text="one") == "one"
            cut.append(True)
            with pytest.raises(UpstreamFailed, match="broke off its reply"):
                await said(kind, given, text="lost")
            assert await said(kind, given, text="two") == "two"


async def test_trusted_hints_say_what_only_reads(folder: Path) -> None:
    hints = types.ToolAnnotations(read_only_hint=True)
    approve(folder, a_tool("echo", annotations=hints))
    assert made(about(folder, url="http://h/mcp", trust_hints=True), "echo").is_read_only
    assert not made(about(folder, url="http://h/mcp"), "echo").is_read_only


@pytest.mark.parametrize(
    ("hints", "trusted", "effects"),
    [
        (None, False, {"untrusted", "destructive", "external"}),
        ({"read_only_hint": True}, False, {"untrusted", "destructive", "external"}),
        ({"read_only_hint": True}, True, {"untrusted"}),
        ({"destructive_hint": False}, True, {"untrusted", "external"}),
        ({"destructive_hint": False, "open_world_hint": False}, True, {"untrusted"}),
    ],
)
async def test_of_a_call_the_worst_is_taken_unless_hints_are_trusted(
    folder: Path, hints: dict[str, bool] | None, trusted: bool, effects: set[str]
) -> None:
    approve(folder, a_tool("echo", annotations=types.ToolAnnotations(**hints) if hints else None))
    assert made(about(folder, url="http://h/mcp", trust_hints=trusted), "echo").effects == effects
