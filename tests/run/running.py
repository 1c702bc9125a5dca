"""An engine on a site whose tools do what a test says."""

import math
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.tool import Tool
from pegboard.errors import CallFailed
from pegboard.events import Emit, RunEvent, silent
from pegboard.plan.graph import Node, Plan, Race
from pegboard.run.context import CallContext, Solving
from pegboard.run.engine import Engine
from pegboard.run.local.engine import LocalEngine
from pegboard.run.local.opening import opened_engine
from pegboard.run.request import RunRequest
from pegboard.text import Json
from tests.twins import a_tool, context

Arguments = Mapping[str, Json]


async def echo(context: Context, arguments: Arguments) -> Result:
    """Give the arguments back."""
    return Result("done", data=dict(arguments))


async def failing(context: Context, arguments: Arguments) -> Result:
    """Fail."""
    raise CallFailed("as it is meant to")


async def endless(context: Context, arguments: Arguments) -> Result:
    """Never end."""
    await anyio.sleep_forever()
    raise AssertionError


def request(*nodes: Node, races: Sequence[Race] = (), **more: Any) -> RunRequest:
    """Return a run of these nodes."""
    return RunRequest(Plan(nodes, tuple(races)), "here", **more)


def node(name: str, *waits: str, tool: str = "echo", **more: Any) -> Node:
    """Return a node of a tool that gives its arguments back."""
    return Node(name, tool, depends_on=waits, **more)


def tools(**runs: Any) -> list[Tool]:
    """Return tools by their names; `echo` is always there."""
    return [a_tool(name, run, timeout_seconds=math.inf) for name, run in {"echo": echo, **runs}.items()]


def world(made: Sequence[Tool], emit: Emit = silent, solving: Solving | None = None) -> CallContext:
    """Return the context of a site with these tools, and with what plans."""
    return replace(context(*made, emit=emit), solving=solving)


@asynccontextmanager
async def engine(
    folder: Path | None, made: Sequence[Tool], *, solving: Solving | None = None, **more: Any
) -> AsyncIterator[LocalEngine]:
    """Open an engine for these tools, in memory where there is no folder."""
    settings = {"durability": "none" if folder is None else "process", **more}
    async with opened_engine(folder, lambda request: world(made, solving=solving), **settings) as opened:
        yield opened


async def events(opened: Engine, run: str, *, after: int = 0) -> list[RunEvent]:
    """Return all events of a run until it ends."""
    return [event async for event in opened.follow(run, after=after)]


def states(ran: Any) -> dict[str, str]:
    """Return how the nodes of a run ended."""
    return {each.node: each.state for each in ran.nodes}


def limited(name: str, run: Any, **limits: Any) -> Tool:
    """Return a tool with these limits."""
    return a_tool(name, run, **{"timeout_seconds": math.inf, **limits})
