"""What it costs to call a tool that does nothing, in process: our limits beside the floor and other SDKs.

    python -m benchmarks.calling

The floor is what nobody can leave out: arguments against a compiled JSON Schema, the call, the result as JSON. The
MCP SDK's own client and server are joined in memory; FastMCP's client likewise, where `fastmcp` is installed. `cache`
is declared with all other limits, and misses: each call has another argument.
"""

import importlib
import itertools
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

import anyio
import jsonschema
from mcp import Client
from mcp.server import MCPServer

from benchmarks.paired import Contender, paired, report
from pegboard.bind.check import checked
from pegboard.catalog.limits import Breaking, Limits
from pegboard.catalog.loading.handler import runner, signature_of
from pegboard.catalog.tool import Run, Tool
from pegboard.run.limits.admission import Request
from pegboard.run.limits.kept import Guards
from pegboard.run.outcome import result_of
from pegboard.run.step import step
from pegboard.text import to_json
from tests.twins import context

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"type": "string", "maxLength": 100}},
    "required": ["a", "b"],
    "additionalProperties": False,
}
ALL = Limits(
    timeout_seconds=10,
    network_timeout_seconds=5,
    retries=2,
    idempotent=True,
    rate="999999999/s",
    max_parallel=8,
    queue=100,
    cache_seconds=60,
    breaker=Breaking(),
    per_request=1_000_000_000,
    redact=("b",),
    fallback="other",
)


async def nothing(a: int, b: str) -> dict[str, Any]:
    """Do nothing."""
    return {"a": a, "b": b}


def a_tool(limits: Limits, run: Run) -> Tool:
    """Return the tool, read-only and with these limits."""
    return Tool(
        name="nothing",
        type="Item",
        description="Does nothing.",
        examples={},
        prompt="",
        reply={},
        parameters=SCHEMA,
        output=None,
        handler="benchmarks.calling:nothing",
        run=run,
        read_only=True,
        limits=limits,
        identity=repr(limits),
    )


def ours(limits: Limits, request: Request, numbers: Iterator[int]) -> Contender:
    """Check the arguments, call behind `limits`, write the result as JSON."""
    tool = a_tool(limits, runner(nothing, signature_of(nothing)))
    given = replace(context(tool), request=request)

    async def call() -> str:
        arguments = checked(tool, {"a": next(numbers), "b": "text"})
        return to_json(result_of(await step(tool, arguments, given)).data)

    return call


def hits(request: Request) -> Contender:
    """Call with the same arguments each time: the cache answers."""
    return ours(ALL, request, itertools.repeat(1))


def floor(numbers: Iterator[int]) -> Contender:
    """Do what nobody can leave out."""
    judge = jsonschema.Draft202012Validator(SCHEMA)

    async def call() -> str:
        arguments: Mapping[str, Any] = {"a": next(numbers), "b": "text"}
        judge.validate(arguments)
        return to_json(await nothing(**arguments))

    return call


async def of_mcp(stack: AsyncExitStack, numbers: Iterator[int]) -> Contender:
    """Call through the MCP SDK's client and server, joined in memory."""
    server = MCPServer("benchmark")
    server.tool()(nothing)
    client = await stack.enter_async_context(Client(server))

    async def call() -> object:
        return await client.call_tool("nothing", {"a": next(numbers), "b": "text"})

    return call


async def of_fastmcp(stack: AsyncExitStack, numbers: Iterator[int]) -> Contender | None:
    """Call through FastMCP's client in memory; None where it is not installed."""
    try:
        fastmcp: Any = importlib.import_module("fastmcp")
    except ImportError:
        return None
    server = fastmcp.FastMCP("benchmark")
    server.tool(nothing)
    client = await stack.enter_async_context(fastmcp.Client(server))

    async def call() -> object:
        return await client.call_tool("nothing", {"a": next(numbers), "b": "text"})

    return call


async def main() -> None:
    numbers = itertools.count()
    async with anyio.create_task_group() as group, AsyncExitStack() as stack:
        request = Request(Guards(group))
        contenders: dict[str, Contender] = {
            "floor": floor(numbers),
            "no limit declared": ours(Limits(), request, numbers),
            "all limits": ours(ALL, request, numbers),
            "all limits, cached": hits(request),
            "MCP SDK": await of_mcp(stack, numbers),
        }
        if (other := await of_fastmcp(stack, numbers)) is not None:
            contenders["FastMCP"] = other
        rounds = await paired(contenders, times=100)
        report("One call of a tool that does nothing:", rounds, "all limits")
        group.cancel_scope.cancel()


if __name__ == "__main__":
    anyio.run(main)
