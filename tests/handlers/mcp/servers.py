"""MCP servers for tests: the SDK's own, in memory; and sources that reach others."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.shared.memory import create_client_server_memory_streams

from pegboard.catalog.kind import About
from pegboard.catalog.pins import pinned, write_pins
from pegboard.config.blocks.mcp import McpDeclaration
from pegboard.config.blocks.source import SourceDeclaration
from pegboard.config.server.settings import Settings
from pegboard.handlers.mcp.kind import tool
from pegboard.handlers.mcp.session import definition_of
from pegboard.handlers.mcp.wire import Wire

OBJECT = {"type": "object", "properties": {"text": {"type": "string"}}}
PIXEL = "iVBORw0KGgo="
Reply = Callable[[dict[str, Any]], types.CallToolResult]


def a_tool(name: str, description: str = "Says it again.", **fields: Any) -> types.Tool:
    """Return a definition."""
    return types.Tool(name=name, description=description, input_schema=fields.pop("input_schema", OBJECT), **fields)


def text(value: str, **fields: Any) -> types.CallToolResult:
    """Return a result that is a text."""
    return types.CallToolResult(content=[types.TextContent(text=value)], **fields)


@dataclass
class Upstream:
    """A server of the SDK's, and what it was asked."""

    tools: list[types.Tool]
    replies: dict[str, Reply] = field(default_factory=dict)
    sessions: int = 0
    """How many were opened."""
    calls: list[str] = field(default_factory=list)
    lists: int = 0
    waiting: anyio.Event = field(default_factory=anyio.Event)
    cancelled: anyio.Event = field(default_factory=anyio.Event)
    release: anyio.Event = field(default_factory=anyio.Event)

    @property
    def server(self) -> Server[Any]:
        return Server("upstream", on_list_tools=self._list, on_call_tool=self._call)

    async def _list(
        self, _: ServerRequestContext[Any], __: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        self.lists += 1
        return types.ListToolsResult(tools=self.tools)

    async def _call(
        self, given: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        self.calls.append(params.name)
        arguments = params.arguments or {}
        if params.name == "slow":
            self.waiting.set()
            try:
                await self.release.wait()
            except anyio.get_cancelled_exc_class():
                self.cancelled.set()
                raise
        if params.name == "stages":
            await given.session.report_progress(1, 2, "half")
            await given.session.report_progress(2, 2, "whole")
        reply = self.replies.get(params.name)
        return text(str(arguments.get("text"))) if reply is None else reply(arguments)


@dataclass(frozen=True, eq=False)
class Memory:
    """A place in memory where `upstream` is served."""

    upstream: Upstream
    secrets: tuple[str, ...] = ()
    wires: list[Wire] = field(default_factory=list)

    @asynccontextmanager
    async def wire(self) -> AsyncIterator[Wire]:
        server = self.upstream.server
        self.upstream.sessions += 1
        async with create_client_server_memory_streams() as (ours, theirs), anyio.create_task_group() as group:
            group.start_soon(server.run, *theirs, server.create_initialization_options())
            wire = Wire(*ours)
            self.wires.append(wire)
            yield wire
            group.cancel_scope.cancel()


def approve(folder: Path, *tools: types.Tool, name: str = "up") -> None:
    """Write the pins of `tools` where a source of that name has them."""
    path = folder / "pins" / f"{name}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(write_pins(pinned({each.name: definition_of(each) for each in tools})))


def about(folder: Path, *, commands: tuple[str, ...] = (), name: str = "up", prefix: str = "", **block: Any) -> About:
    """Return what a kind is told of a source in `folder`."""
    settings = Settings(root=folder, config=folder, data=folder / ".pegboard", mcp_commands=commands)
    source = SourceDeclaration.model_validate({"name": name, "prefix": prefix, "mcp": block})
    return About("", "", settings, folder, source=source, source_folder=folder)


def made(told: About, name: str) -> tool:
    """Return the kind of one of a source's tools."""
    return tool(McpDeclaration(source="up", tool=name), told)
