"""A site as an MCP server: what the official client makes of it, by HTTP and over a process's stdin and stdout."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import mcp_types as types
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from pegboard.edges.mcp.given import call_given
from pegboard.edges.mcp.listed import asking_name, listed
from pegboard.edges.web.application import web_app
from pegboard.text import Json
from tests.edges.leaver import leave_while_it_works
from tests.edges.twin import TwinApp, TwinServing, tool, toolset

pytestmark = pytest.mark.anyio

Connect = Callable[..., AbstractAsyncContextManager[Client]]
MODES = ("auto", "legacy")
HERE = {"Content-Type": "application/json", "Accept": "application/json"}


@pytest.fixture
def connect(client: httpx2.AsyncClient) -> Connect:
    @asynccontextmanager
    async def connected(path: str = "/mcp", *, mode: str = "auto") -> AsyncIterator[Client]:
        transport = streamable_http_client(f"http://127.0.0.1:8000{path}", http_client=client)
        with anyio.fail_after(20):
            async with Client(transport, mode=mode) as connected:
                yield connected

    return connected


def text_of(result: types.CallToolResult) -> str:
    (first, *_) = result.content
    assert isinstance(first, types.TextContent)
    return first.text


@pytest.mark.parametrize("mode", MODES)
async def test_the_tools_of_the_site_are_listed_after_the_one_that_asks_it(connect: Connect, mode: str) -> None:
    async with connect(mode=mode) as client:
        tools = (await client.list_tools()).tools
    assert [each.name for each in tools] == ["ask", "search", "details"]
    assert tools[0].title == "Ask kitchen"
    assert "All about kitchen." in (tools[0].description or "")
    assert tools[1].description == "The search of things.\nFor example: please search; 请 search"
    assert tools[1].input_schema["required"] == ["query"]
    assert tools[1].annotations == types.ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )


async def test_a_site_is_named_in_the_path_or_by_the_host(app: TwinApp, connect: Connect) -> None:
    async with connect("/mcp/shop") as client:
        tools = (await client.list_tools()).tools
        assert [each.name for each in tools] == ["ask", "search", "order"]
        assert tools[0].annotations is not None
        assert (tools[0].annotations.read_only_hint, tools[2].annotations and tools[2].annotations.read_only_hint) == (
            False,
            False,
        )
    transport = httpx2.ASGITransport(web_app(TwinServing(app)))
    async with httpx2.AsyncClient(transport=transport, base_url="http://shop.example") as other:
        listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        found = (await other.post("/mcp", json=listing, headers=HERE)).json()["result"]["tools"]
    assert [each["name"] for each in found] == ["ask", "search", "order"]


@pytest.mark.parametrize("mode", MODES)
async def test_a_question_is_answered_with_what_it_rests_on(app: TwinApp, connect: Connect, mode: str) -> None:
    heard: list[tuple[float, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, message))

    async with connect(mode=mode) as client:
        asked = {"query": "pasta", "previous": ["soup"]}
        result = await client.call_tool("ask", asked, progress_callback=hear)
    assert text_of(result).startswith("As to 'pasta': see the **first** thing [1].\n\n- [1] [Thing 1 事](")
    structured: Any = result.structured_content
    assert (result.is_error, structured["tool"], len(structured["results"])) == (False, "search", 2)
    assert (app.asked[-1].text, app.asked[-1].previous, app.asked[-1].site) == ("pasta", ("soup",), "kitchen")
    assert heard == [(1.0, "tool: search")]


async def test_a_tool_is_called_and_an_error_is_told_so_that_a_model_reads_it(connect: Connect) -> None:
    async with connect() as client:
        done = await client.call_tool("details", {"query": "soup"})
        missing = await client.call_tool("details", {})
        failed = await client.call_tool("details", {"query": "fail"})
        with pytest.raises(MCPError, match="Did you mean 'details'"):
            await client.call_tool("detials", {"query": "soup"})
    assert (done.is_error, done.structured_content) == (False, {})
    assert (missing.is_error, text_of(missing)) == (True, "Argument 'query' is missing.")
    structured: Any = missing.structured_content
    assert (structured["error"]["code"], structured["error"]["who"]) == ("invalid_arguments", "caller")
    assert (failed.is_error, text_of(failed)) == (True, "Tool 'details' failed.")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "`query` is no text. Give the question in words."),
        ({"query": 7}, "`query` is no text. Give the question in words."),
        ({"query": " "}, "The question is empty."),
        ({"query": "x", "previous": "y"}, "`previous` is no list of texts. Give the earlier questions, oldest first."),
        ({"query": "x", "quest": "y"}, "There is no argument 'quest'. Give `query`, and `previous`."),
        ({"query": "fail"}, "Tool 'search' failed. Try again."),
    ],
)
async def test_a_question_that_cannot_be_answered_says_why(
    connect: Connect, arguments: dict[str, Any], said: str
) -> None:
    async with connect() as client:
        result = await client.call_tool("ask", arguments)
    assert (result.is_error, text_of(result)) == (True, said)


async def test_a_defect_of_ours_tells_no_secret(connect: Connect) -> None:
    async with connect() as client:
        result = await client.call_tool("ask", {"query": "boom"})
    assert result.is_error
    assert "secret" not in repr(result)
    assert "Something went wrong inside the server." in text_of(result)


async def test_a_result_that_is_kept_can_be_read(app: TwinApp, connect: Connect) -> None:
    text, image = app.results.put("all of 它".encode(), "text/plain"), app.results.put(b"\xff\x00", "image/png")
    async with connect() as client:
        (read,) = (await client.read_resource(f"pegboard://results/{text}")).contents
        (blob,) = (await client.read_resource(f"pegboard://results/{image}")).contents
        for uri in ("pegboard://results/none", "file:///etc/passwd"):
            with pytest.raises(MCPError):
                await client.read_resource(uri)
    assert isinstance(read, types.TextResourceContents)
    assert read.text == "all of 它"
    assert isinstance(blob, types.BlobResourceContents)
    assert blob.blob == "/wA="


def test_data_is_given_where_it_is_declared_or_small() -> None:
    called: dict[str, Any] = {"answer": "5", "tool": "t", "arguments": {}, "results": [], "data": {"value": 5}}
    large = called | {"result_ref": "r.json"}
    assert call_given(called, kept="", is_structured=False).structured_content == {"value": 5}
    assert call_given(large, kept="r.json", is_structured=True).structured_content == {"value": 5}
    given = call_given(large, kept="r.json", is_structured=False)
    assert given.structured_content == {"answer": "5", "results": [], "result_ref": "r.json"}
    (_, link) = given.content
    assert isinstance(link, types.ResourceLink)
    assert link.uri == "pegboard://results/r.json"
    assert call_given(called | {"data": [1]}, kept="", is_structured=False).structured_content == {
        "answer": "5",
        "results": [],
    }


def test_files_are_linked_to() -> None:
    files: list[Json] = [
        {"name": "a.png", "media_type": "image/png", "ref": "r.png"},
        {"name": "b", "media_type": "text/html", "url": "https://b.example"},
    ]
    (_, *links) = call_given({"answer": "", "files": files}, kept="", is_structured=False).content
    assert [(link.uri, link.name) for link in links if isinstance(link, types.ResourceLink)] == [
        ("pegboard://results/r.png", "a.png"),
        ("https://b.example", "b"),
    ]


def test_a_site_keeps_its_names_and_declared_objects_are_told() -> None:
    assert [asking_name(names) for names in ([], ["ask"], ["ask", "ask_site"])] == ["ask", "ask_site", "ask_site_2"]
    output = {"type": "object", "properties": {"value": {"type": "number"}}}
    made = toolset(
        "s", tool("ask", output=output), tool("list", output={"type": "array"}, effects=frozenset({"destructive"}))
    )
    asking, first, second = listed(made)
    assert (asking.name, first.name, first.output_schema, second.output_schema) == ("ask_site", "ask", output, None)
    assert asking.annotations is not None
    assert asking.annotations.destructive_hint


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/mcp", {}, 405),
        ("DELETE", "/mcp", {}, 405),
        ("POST", "/mcp", {"Content-Type": "text/plain"}, 415),
        ("POST", "/mcp/shoop", HERE, 404),
        ("POST", "/mcp", HERE | {"Origin": "https://evil.example"}, 403),
        ("POST", "/mcp", HERE | {"Host": "evil.example"}, 421),
        ("POST", "/mcp", HERE | {"Content-Length": "9000000"}, 413),
    ],
)
async def test_what_may_not_come_in_is_refused_as_anywhere(
    client: httpx2.AsyncClient, method: str, path: str, headers: dict[str, str], status: int
) -> None:
    assert (await client.request(method, path, headers=headers, content=b"{}")).status_code == status


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"{", types.PARSE_ERROR),
        (b"[]", types.INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": null, "method": "tools/list"}', types.INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"a": NaN}}', types.PARSE_ERROR),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "nosuch"}', types.METHOD_NOT_FOUND),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 7}}', types.INVALID_PARAMS),
    ],
)
async def test_a_message_that_is_none_is_an_error_of_the_protocol(
    client: httpx2.AsyncClient, content: bytes, code: int
) -> None:
    assert (await client.post("/mcp", content=content, headers=HERE)).json()["error"]["code"] == code


@pytest.mark.parametrize("accepted", ["application/json", "application/json, text/event-stream"])
async def test_a_client_that_leaves_ends_its_call(app: TwinApp, accepted: str) -> None:
    call = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ask", "arguments": {"query": "wait"}}}'
    await leave_while_it_works(app, "/mcp", call, accepted)
    assert app.cancelled.is_set()


# Over stdin and stdout

DOCUMENT = """\
version: "1"
sites:
  - {name: desk, types: [Item]}
tools:
  - name: calculator
    description: Calculates.
    examples: [what is 2 + 3]
    handler: pegboard.handlers.calculator:calculator
    read_only: true
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tools.yaml").write_text(DOCUMENT)
    return tmp_path


def command(folder: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "pegboard", "mcp", "-c", str(folder), *more]


def environ() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_starts_the_command_and_hears_of_new_tools(folder: Path, mode: str) -> None:
    changed = [anyio.Event()]

    async def hear(message: Any) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            changed[-1].set()

    first, *arguments = command(folder)
    parameters = StdioServerParameters(command=first, args=arguments, env=environ())
    with anyio.fail_after(60):
        async with Client(stdio_client(parameters), mode=mode, message_handler=hear) as client:
            assert [each.name for each in (await client.list_tools()).tools] == ["ask", "calculator"]
            result = await client.call_tool("calculator", {"expression": "2 + 3"})
            assert (text_of(result), result.structured_content) == ("2 + 3 = 5", {"expression": "2 + 3", "value": 5})
            asked = await client.call_tool("ask", {"query": "what is 20 + 3"})
            assert "23" in text_of(asked)
            async with _changes(client, mode, changed) as wait:
                (folder / "tools.yaml").write_text(DOCUMENT.replace("name: calculator", "name: sums"))
                await wait()
                assert [each.name for each in (await client.list_tools(cache_mode="refresh")).tools] == ["ask", "sums"]
                (folder / "tools.yaml").write_text(DOCUMENT.replace("name: desk", "name: office"))
                await wait()
                with pytest.raises(MCPError, match="There is no site 'desk'"):
                    await client.list_tools(cache_mode="refresh")
                assert (await client.call_tool("calculator", {"expression": "2 + 3"})).is_error


@asynccontextmanager
async def _changes(client: Client, mode: str, changed: list[anyio.Event]) -> AsyncIterator[Callable[[], Any]]:
    """Yield what waits for the next change of the tools, by the way of the protocol's version."""
    if mode == "legacy":

        async def told() -> None:
            await changed[-1].wait()
            changed.append(anyio.Event())

        yield told
        return
    async with client.listen(tools_list_changed=True) as heard:
        yield heard.__anext__


HELLO = (
    b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", '
    b'"capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}\n'
)


HANDLERS = """\
import subprocess, sys, time

from pegboard.catalog.contract import tool

print("loading")


@tool
def half() -> dict:
    return {"half": "a\\ud800b"}


@tool
def reading() -> str:
    print("handling")
    return subprocess.run(["head", "-c", "9"], stdout=subprocess.PIPE, check=True).stdout.decode() or "nothing"


@tool
def slow() -> str:
    time.sleep(0.5)
    return "at last"


@tool
def hanging() -> str:
    time.sleep(600)
"""


@pytest.fixture
def handlers(tmp_path: Path) -> Path:
    names = ("half", "reading", "slow", "hanging")
    lines = [f"  - {{name: {name}, description: Does it., handler: 'odd_tools:{name}'}}" for name in names]
    sites = 'version: "1"\nsites:\n  - {name: desk, types: [Item]}\ntools:\n'
    (tmp_path / "tools.yaml").write_text(sites + "\n".join(lines) + "\n")
    (tmp_path / "odd_tools.py").write_text(HANDLERS)
    (tmp_path / "pegboard.toml").write_text('handler_prefixes = ["odd_tools"]\n')
    return tmp_path


def line(method: str, number: Any = None, **params: Any) -> bytes:
    message = {"jsonrpc": "2.0", "method": method, "params": params} | ({} if number is None else {"id": number})
    return json.dumps(message).encode() + b"\n"


def call(number: int, name: str, **arguments: Any) -> bytes:
    return line("tools/call", number, name=name, arguments=arguments)


def answered(folder: Path, *lines: bytes) -> tuple[list[dict[str, Any]], str]:
    """Return what the command answers to these lines, but for its greeting, and its log."""
    done = subprocess.run(
        command(folder, "--no-reload"),
        input=HELLO + b"".join(lines),
        capture_output=True,
        env={name: value for name, value in environ().items() if name != "PYTHONUNBUFFERED"},
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr.decode()
    said = [json.loads(each) for each in done.stdout.splitlines()]
    answers = [each for each in said if each["id"] != 1]
    assert len(said) == len(answers) + 1, "it greets, whatever else is said"
    return answers, done.stderr.decode()


def test_each_request_is_answered_and_stdout_holds_the_protocol_alone(handlers: Path) -> None:
    answers, log = answered(handlers, call(2, "half"), call(3, "reading"), call(4, "slow"), line("ping", 5).rstrip())
    found = {each["id"]: each for each in answers}
    assert {2, 3, 4, 5} == {*found}
    assert found[2]["result"]["structuredContent"] == {"half": "a?b"}
    assert found[3]["result"]["content"][0]["text"] == "nothing", "what is said to us is not read by children"
    assert found[4]["result"]["content"][0]["text"] == "at last", "it was under way when the input ended"
    assert "Traceback" not in log
    assert "loading" in log
    assert "handling" in log


NO_MESSAGES: tuple[tuple[bytes, int | None, int], ...] = (
    (b"\xff\xfe", None, types.PARSE_ERROR),
    (b"{", None, types.PARSE_ERROR),
    (b"[" * 100_000, None, types.PARSE_ERROR),
    (b"x" * (5 << 20), None, types.PARSE_ERROR),
    (b"[]", None, types.INVALID_REQUEST),
    (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', None, types.INVALID_REQUEST),
    (b'{"jsonrpc": "1.0", "id": 7, "method": "ping"}', 7, types.INVALID_REQUEST),
    (b'{"jsonrpc": "2.0", "id": 7, "error": "x"}', 7, types.INVALID_REQUEST),
    (b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": [1]}', 7, types.INVALID_REQUEST),
    (b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"a": "\\ud800"}}', 7, types.PARSE_ERROR),
    (b'{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"a": 1e999}}', 7, types.PARSE_ERROR),
)


def test_what_is_no_message_is_answered_and_ends_nothing(folder: Path) -> None:
    lines = [written + b"\n" for written, _, _ in NO_MESSAGES]
    answers, log = answered(folder, *lines, line("tools/list", 99))
    found = [(each["id"], each["error"]["code"]) for each in answers if "error" in each]
    assert found == [(number, code) for _, number, code in NO_MESSAGES]
    (listing,) = [each for each in answers if each["id"] == 99]
    assert [each["name"] for each in listing["result"]["tools"]] == ["ask", "calculator"]
    assert log.count("a line was no message") == len(NO_MESSAGES)


def test_a_handler_that_hangs_does_not_keep_the_process(handlers: Path) -> None:
    began = time.monotonic()
    answers, _ = answered(handlers, call(2, "hanging"))
    assert answers == [], "there was no time for one"
    assert time.monotonic() - began < 30


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_it_while_it_waits_for_a_message(folder: Path, number: signal.Signals, code: int) -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command(folder), env=environ(), **pipes) as process:  # type: ignore[call-overload]
        try:
            process.stdin.write(HELLO)
            process.stdin.flush()
            assert b'"serverInfo"' in process.stdout.readline()
            process.send_signal(number)
            assert process.wait(timeout=20) == code
        finally:
            process.kill()


def test_a_client_that_reads_no_more_ends_it(folder: Path) -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command(folder), env=environ(), **pipes) as process:  # type: ignore[call-overload]
        try:
            process.stdin.write(HELLO)
            process.stdin.flush()
            assert b'"serverInfo"' in process.stdout.readline()
            process.stdout.close()
            process.stdin.write(line("ping", 2))
            process.stdin.flush()
            assert process.wait(timeout=20) == 0
            assert b"Traceback" not in process.stderr.read()
        finally:
            process.kill()


def test_a_site_that_is_not_there_is_told_at_once(folder: Path) -> None:
    done = subprocess.run(
        command(folder, "--site", "dsek"), stdin=subprocess.DEVNULL, capture_output=True, env=environ(), check=False
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Did you mean 'desk'?" in done.stderr
