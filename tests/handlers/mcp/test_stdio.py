"""Tools of a server that is a process of ours."""

import json
import logging
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from pegboard.catalog.kind import About, Misdeclared
from pegboard.errors import CallRefused, UpstreamFailed
from pegboard.handlers.mcp.kind import tool
from pegboard.run.context import CallContext
from pegboard.run.keeping import Keeper
from tests.handlers.mcp import stdio_server
from tests.handlers.mcp.servers import a_tool, about, approve, made
from tests.twins import context

SCRIPT = str(Path(__file__).with_name("stdio_server.py"))
OPEN = {"type": "object"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    approve(tmp_path, *(a_tool(name, f"Does {name}.", input_schema=OPEN) for name in stdio_server.TOOLS))
    return tmp_path


def started(folder: Path, *options: str, **block: Any) -> About:
    command = [sys.executable, SCRIPT, *options]
    return about(folder, commands=(sys.executable,), command=command, **block)


@asynccontextmanager
async def keeping() -> AsyncIterator[CallContext]:
    async with anyio.create_task_group() as group:
        yield replace(context(), keeper=Keeper(group))
        group.cancel_scope.cancel()


@contextmanager
def left_as_found() -> Iterator[None]:
    """See that no file and no process is left."""
    before = _open_files()
    yield
    assert _open_files() == before


def _open_files() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208


async def said(kind: tool, given: CallContext, **arguments: str) -> str:
    result = await kind.call(given, arguments)
    assert not isinstance(result, str | int | float | list | dict | None)
    return result.text


async def test_a_call_reaches_the_process_and_nothing_of_it_stays(folder: Path) -> None:
    kind = made(started(folder), "echo")
    with anyio.fail_after(20):
        async with keeping() as given:
            assert await said(kind, given, text="你好") == "你好"
        with left_as_found():
            async with keeping() as given:
                for number in range(30):
                    assert await said(kind, given, text=str(number)) == str(number)


async def test_the_process_gets_what_is_declared_and_hardly_anything_of_ours(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "ours")
    monkeypatch.setenv("PEGBOARD_ADMIN_TOKEN", "ours")
    told = started(folder, env={"LEVEL": "high"}, secrets=[{"name": "TOKEN", "value": "hunter2"}])
    with anyio.fail_after(20):
        async with keeping() as given:
            variables = json.loads(await said(made(told, "variables"), given))
    assert variables["LEVEL"] == "high"
    assert variables["TOKEN"] == "***"  # it was there, and nobody is shown it
    allowed = {"HOME", "LANG", "LC_ALL", "LC_CTYPE", "PATH", "TMPDIR", "TZ", "LEVEL", "TOKEN"}
    assert set(variables) <= allowed


async def test_the_process_starts_in_its_declared_folder(folder: Path) -> None:
    (folder / "data").mkdir()
    with anyio.fail_after(20):
        async with keeping() as given:
            assert await said(made(started(folder, cwd="data"), "where"), given) == str(folder / "data")


async def test_a_process_that_crashes_fails_its_call_as_retryable_and_the_next_call_starts_another(
    folder: Path,
) -> None:
    told = started(folder)
    with anyio.fail_after(20):
        async with keeping() as given:
            with pytest.raises(UpstreamFailed, match="the server ended") as raised:
                await said(made(told, "crash"), given)
            assert raised.value.is_retryable
            assert await said(made(told, "echo"), given, text="again") == "again"


async def test_half_a_character_is_sent_as_a_question_mark_and_the_session_goes_on(folder: Path) -> None:
    told = started(folder)
    with anyio.fail_after(20):
        async with keeping() as given:
            assert await said(made(told, "echo"), given, text="a\ud800b") == "a?b"
            assert await said(made(told, "echo"), given, text="again") == "again"


async def test_a_message_without_end_ends_the_session_and_not_our_memory(folder: Path) -> None:
    with anyio.fail_after(30):
        async with keeping() as given:
            with pytest.raises(UpstreamFailed, match="more than 4 MiB"):
                await said(made(started(folder), "flood"), given)


async def test_what_a_process_writes_beside_its_messages_is_logged_without_secrets(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    told = started(folder, secrets=[{"name": "TOKEN", "value": "hunter2"}])
    with caplog.at_level(logging.INFO), anyio.fail_after(20):
        async with keeping() as given:
            assert await said(made(told, "babble"), given) == "said"
    messages = [record.message for record in caplog.records]
    assert "source 'up' wrote what is no message: starting up ..." in messages
    assert "source 'up': token is ***" in messages


async def test_what_the_process_has_started_ends_with_it(folder: Path) -> None:
    with anyio.fail_after(20):
        async with keeping() as given:
            child = int(await said(made(started(folder), "offspring"), given))
            assert _runs(child)
        while _runs(child):  # noqa: ASYNC110 (nobody tells of the end of a process that is not ours)
            await anyio.sleep(0.01)


async def test_a_process_that_does_not_end_is_ended(folder: Path) -> None:
    with anyio.fail_after(20), left_as_found():
        async with keeping() as given:
            await said(made(started(folder, "--stays"), "echo"), given, text="x")


def _runs(process: int) -> bool:
    try:
        state = (
            Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[0]
        )
    except FileNotFoundError:
        return False
    return state != "Z"


async def test_a_cancelled_call_tells_the_process_and_leaves_its_session(folder: Path) -> None:
    told = started(folder)
    with anyio.fail_after(20):
        async with keeping() as given:
            with anyio.move_on_after(0.3) as scope:
                await said(made(told, "hang"), given)
            assert scope.cancelled_caught
            while await said(made(told, "cancelled"), given) == "[]":
                pass


# Approval


async def test_a_changed_definition_is_refused_with_what_changed(folder: Path) -> None:
    approve(folder, a_tool("echo", "Does good.", input_schema=OPEN))
    with anyio.fail_after(20):
        async with keeping() as given:
            with pytest.raises(CallRefused) as raised:
                await said(made(started(folder), "echo"), given, text="x")
    assert raised.value.message == "Tool 'echo' of source 'up' is not what was approved: its description changed."
    assert "`platform pins approve up`" in raised.value.hint
    assert raised.value.failure is not None
    assert raised.value.failure.who == "upstream"


async def test_a_tool_that_is_gone_is_refused(folder: Path) -> None:
    approve(folder, a_tool("gone", "Did something.", input_schema=OPEN))
    with anyio.fail_after(20):
        async with keeping() as given:
            with pytest.raises(CallRefused, match="is gone: its server has it no more"):
                await said(made(started(folder), "gone"), given)


async def test_a_change_that_the_server_tells_is_seen_by_the_next_call(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    told = started(folder)
    with anyio.fail_after(20):
        async with keeping() as given:
            await said(made(told, "grow"), given)
            assert not any("grown" in record.message for record in caplog.records)
            await said(made(told, "echo"), given, text="x")
    assert any("has tools that nobody has approved: grown" in record.message for record in caplog.records)


async def test_reaching_a_source_says_what_differs(folder: Path) -> None:
    told = started(folder)
    with anyio.fail_after(20):
        async with keeping() as given:
            assert await made(told, "echo").reach(given) == "10 tools, as approved"
            approve(folder, a_tool("echo", "Does good.", input_schema=OPEN))
            with pytest.raises(CallRefused) as caught:
                await made(told, "echo").reach(given)
    assert caught.value.message == (
        "10 tools; changed since they were approved: echo; "
        "new, and not approved: babble, cancelled, crash, flood, grow and 4 more."
    )


async def test_importing_pins_what_the_server_has(folder: Path) -> None:
    told = replace(started(folder), name="up", source=None)
    with anyio.fail_after(20):
        found = await tool.imported(f"{sys.executable} {SCRIPT}", told)
    assert found.source == {"name": "up", "mcp": {"command": [sys.executable, SCRIPT], "pins": "pins/up.json"}}
    assert list(json.loads(found.files["pins/up.json"])["tools"]) == sorted(stdio_server.TOOLS)


# What is not allowed


@pytest.mark.parametrize(
    ("block", "path", "message"),
    [
        ({}, (), "has neither `url` nor `command`"),
        ({"command": ["x"], "url": "http://h"}, (), "has both `url` and `command`"),
        ({"command": ["no-such-program"]}, ("command", 0), "starts 'no-such-program', which is not to be found"),
        (
            {"command": ["sh", "-c", "true"]},
            ("command", 0),
            "starts 'sh', which the setting `mcp_commands` does not allow",
        ),
        ({"command": [sys.executable], "cwd": "../.."}, ("cwd",), "names '../..' as `cwd`, which lies outside"),
        ({"command": [sys.executable], "cwd": "none"}, ("cwd",), "which is no folder"),
        ({"command": [sys.executable], "headers": {"a": "b"}}, ("headers",), "has `headers`, which belongs to `url`"),
        ({"url": "ftp://h"}, ("url",), "has no address"),
        ({"url": "http://h", "env": {"a": "b"}}, ("env",), "has `env`, which belongs to `command`"),
        ({"url": "http://h", "pins": "../pins.json"}, ("pins",), "names '../pins.json' as `pins`, which lies outside"),
        ({"url": "http://h", "tools": ["ecko"]}, ("tools", 0), "takes 'ecko', which is none of its tools"),
    ],
)
def test_what_cannot_be_is_told_with_its_place(
    folder: Path, block: dict[str, Any], path: tuple[str | int, ...], message: str
) -> None:
    with pytest.raises(Misdeclared) as raised:
        tool.offered(about(folder, commands=(sys.executable,), **block))
    misfit = raised.value.misfits[0]
    assert misfit.path == path
    assert message in misfit.message


def test_a_program_is_no_other_of_the_same_name(folder: Path) -> None:
    (folder / "sh").write_text("#!/bin/sh\n", encoding="ascii")
    (folder / "sh").chmod(0o755)
    with pytest.raises(Misdeclared, match="does not allow"):
        tool.offered(about(folder, commands=("sh",), command=["./sh"]))
