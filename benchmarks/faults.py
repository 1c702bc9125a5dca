"""A thousand calls of services that go wrong, fifty at once: what is left open, and how soon a cancel is seen.

    python -m benchmarks.faults [CALLS]

The server of `tests/net/faulty.py` runs in this process too, so what it leaves open counts as well. The first round of
all faults is not counted: it makes what is made once (the resolver's threads, tables, caches).
"""

import gc
import logging
import os
import statistics
import sys
import threading
import time
from collections import Counter
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

import anyio

from pegboard.errors import PegboardError
from pegboard.handlers.http import request
from pegboard.run.context import CallContext
from pegboard.run.keeping import Keeper
from tests.handlers.http.making import a_request, called
from tests.net.faulty import FAULTS, Faulty, faulty
from tests.net.outcomes import OUTCOMES, ending_of
from tests.twins import context

SECONDS = 5.0
SILENCE_SECONDS = 2.0
AT_ONCE = 50
CANCELS = 50


def tools_of(server: Faulty) -> dict[str, request]:
    """Return a tool for each fault."""
    block = {"reply": "json", "redirects": 3, "max_size": "256KiB"}
    return {name: a_request({"url": f"{server.url}/{name}", **block}) for name in FAULTS}


def _context(keeper: Keeper) -> CallContext:
    deadline = anyio.current_time() + SECONDS
    return replace(context(deadline=deadline), keeper=keeper, network_seconds=SILENCE_SECONDS)


async def is_as_declared(name: str, tool: request, keeper: Keeper) -> bool:
    """Call a tool, and tell whether it ended as declared."""
    wanted = OUTCOMES[name]
    try:
        result = await tool.call(_context(keeper), {})
    except PegboardError as error:
        found = ending_of(error)
        return (found.kind, found.is_retryable) == (wanted.kind, wanted.is_retryable) and wanted.says in found.says
    return wanted.kind is None and wanted.says in result.text


def held() -> dict[str, int]:
    """Return what this process holds."""
    gc.collect()
    resident = int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    files = list(Path("/proc/self/fd").iterdir())
    return {"files": len(files), "threads": threading.active_count(), "bytes": resident}


async def calls(tools: dict[str, request], names: list[str], keeper: Keeper) -> Counter[bool]:
    """Call the tools, fifty at once, and count those that ended as declared."""
    limiter, ended = anyio.CapacityLimiter(AT_ONCE), Counter[bool]()

    async def one(name: str) -> None:
        async with limiter:
            ended[await is_as_declared(name, tools[name], keeper)] += 1

    async with anyio.create_task_group() as group:
        for name in names:
            group.start_soon(one, name)
    return ended


async def cancelled(server: Faulty, tool: request) -> float:
    """Return the seconds from a cancel to the end of the connection, as the server sees it."""
    started = 0.0
    async with anyio.create_task_group() as group:
        group.start_soon(called, tool)
        await server.until(lambda: server.open_requests == 1)
        started = time.perf_counter()
        group.cancel_scope.cancel()
        with anyio.CancelScope(shield=True):
            await server.until(lambda: not server.connections)
    return time.perf_counter() - started


async def main(wanted: int) -> None:
    logging.disable(logging.WARNING)  # each refused address is told
    async with faulty() as server, anyio.create_task_group() as group:
        keeper = Keeper(group, idle_seconds=1.0)
        tools = tools_of(server)
        await calls(tools, list(FAULTS), keeper)
        await server.until(lambda: not server.connections)
        before, tasks = held(), len(anyio.get_running_tasks())
        started = time.perf_counter()
        ended = await calls(tools, list(islice(cycle(FAULTS), wanted)), keeper)
        seconds = time.perf_counter() - started
        await server.until(lambda: not server.connections)
        after, left = held(), len(anyio.get_running_tasks())
        group.cancel_scope.cancel()
    async with faulty() as server:
        waits = sorted([await cancelled(server, tools_of(server)["hangs_before_headers"]) for _ in range(CANCELS)])
    grown = (after["bytes"] - before["bytes"]) / (1 << 20)
    print(f"{wanted} calls of {len(FAULTS)} faults, {AT_ONCE} at once, in {seconds:.1f} s")
    print(f"ended as declared: {ended[True]}, otherwise: {ended[False]}")
    print(
        f"open files {before['files']} -> {after['files']}, threads {before['threads']} -> {after['threads']}, ", end=""
    )
    print(f"tasks {tasks} -> {left}, memory {before['bytes'] >> 20} MiB {grown:+.1f} MiB")
    print(f"cancel to closed: median {statistics.median(waits) * 1000:.1f} ms, worst {waits[-1] * 1000:.1f} ms")


if __name__ == "__main__":
    anyio.run(main, int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
