"""Many calls, of which many fail, leave nothing: no session, task, process, socket or file."""

import os
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from pegboard.errors import CallFailed
from pegboard.handlers.mcp.kind import tool
from pegboard.run.context import CallContext
from pegboard.run.keeping import Keeper
from tests.handlers.mcp.servers import Upstream, a_tool, about, approve, made
from tests.handlers.mcp.stdio_server import TOOLS
from tests.handlers.mcp.test_remote import served
from tests.handlers.mcp.test_stdio import SCRIPT
from tests.twins import context

CALLS = int(os.environ.get("MCP_CALLS", "120"))
"""`MCP_CALLS=1000` is how it was measured."""
_AT_ONCE = 50


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208


def children() -> list[str]:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii").split()


def tasks() -> int:
    return len(anyio.get_running_tasks())


async def many(kinds: list[tool], given: CallContext) -> Counter[str]:
    """Call these in turn, many at once; every third is given up."""
    found: Counter[str] = Counter()
    limiter = anyio.CapacityLimiter(_AT_ONCE)

    async def one(number: int) -> None:
        async with limiter:
            with anyio.move_on_after(0.05 if number % 3 == 2 else 20) as scope:
                try:
                    await kinds[number % len(kinds)].call(given, {"text": "x"})
                    found["done"] += 1
                except CallFailed:
                    found["failed"] += 1
            found["left"] += scope.cancelled_caught

    async with anyio.create_task_group() as group:
        for number in range(CALLS):
            group.start_soon(one, number)
    return found


async def kept(kinds: list[tool]) -> Counter[str]:
    async with anyio.create_task_group() as group:
        keeper = Keeper(group)
        found = await many(kinds, replace(context(), keeper=keeper))
        assert len(keeper) == 1
        group.cancel_scope.cancel()
    assert len(keeper) == 0
    return found


async def test_calls_of_a_process_leave_nothing(tmp_path: Path) -> None:
    approve(tmp_path, *(a_tool(name, f"Does {name}.", input_schema={"type": "object"}) for name in TOOLS))
    told = about(tmp_path, commands=(sys.executable,), command=[sys.executable, SCRIPT])
    await kept([made(told, "echo")])
    before = (open_files(), children(), tasks())
    with anyio.fail_after(300):
        found = await kept([made(told, name) for name in ("echo", "where", "hang")])
    assert found["failed"] == 0
    assert found["done"] + found["left"] == CALLS
    assert (open_files(), children(), tasks()) == before


@pytest.mark.parametrize("is_json", [False, True])
async def test_calls_over_http_leave_nothing(tmp_path: Path, is_json: bool) -> None:
    approve(tmp_path, a_tool("echo"), a_tool("slow"))
    upstream = Upstream([a_tool("echo"), a_tool("slow")])
    with anyio.fail_after(300):
        async with served(upstream.server.streamable_http_app(json_response=is_json)) as address:
            told = about(tmp_path, url=f"{address}/mcp")
            await kept([made(told, "echo")])
        before = (open_files(), tasks())
        async with served(upstream.server.streamable_http_app(json_response=is_json)) as address:
            told = about(tmp_path, url=f"{address}/mcp")
            found = await kept([made(told, "echo"), made(told, "echo"), made(told, "slow")])
    assert found["failed"] == 0
    assert found["done"] + found["left"] == CALLS
    assert (open_files(), tasks()) == before
