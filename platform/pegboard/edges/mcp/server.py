"""`mcp_server`: what answers the requests of MCP clients, whatever carries them."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream
from mcp import MCPError
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import ListenHandler

from pegboard import __version__
from pegboard.edges.failure import unexpected
from pegboard.edges.mcp.given import answer_given, call_given, contents, error_given, ref_of
from pegboard.edges.mcp.listed import asking_name, is_structured, listed
from pegboard.edges.served import Served
from pegboard.errors import InvalidArguments, PegboardError, UnknownResult, UnknownSite, UnknownTool
from pegboard.events import Degraded, Event, NodeEnded, NodeStarted, PlanMade, ToolChosen
from pegboard.text import Json

Asked: TypeAlias = ServerRequestContext
At: TypeAlias = Callable[[Asked], tuple[Served, str]]
"""Tells what serves a request, and the site that it asks."""

_RESOURCE_BYTES = 4 << 20
"""Of a kept result that is read at once."""
_INSTRUCTIONS = (
    "Each tool can be called by itself. The first one takes a question in words and chooses among the others: use it "
    "where it is not plain which of them fits, or where a question takes several."
)


def mcp_server(at: At, *, listening: ListenHandler | None = None) -> Server:
    """Return what serves the site that `at` tells; with `listening`, clients can hear that its tools have changed."""
    site = _Site(at)
    return Server(
        "pegboard",
        version=__version__,
        instructions=_INSTRUCTIONS,
        on_list_tools=site.list_tools,
        on_call_tool=site.call_tool,
        on_list_resources=site.list_resources,
        on_read_resource=site.read_resource,
        on_subscriptions_listen=listening,
    )


class _Site:
    def __init__(self, at: At) -> None:
        self._at = at

    async def list_tools(self, asked: Asked, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        served, site = self._at(asked)
        try:
            return types.ListToolsResult(tools=listed(served.catalog.toolset(site)))
        except UnknownSite as error:  # a reload has taken it away
            raise MCPError(types.INTERNAL_ERROR, str(error)) from error

    async def call_tool(self, asked: Asked, params: types.CallToolRequestParams) -> types.CallToolResult:
        """Call a tool, or ask; what goes wrong is told in the result, so that a model reads it."""
        served, site = self._at(asked)
        arguments = params.arguments or {}
        try:
            toolset = served.catalog.toolset(site)
            if params.name == asking_name(tool.name for tool in toolset.tools):
                return await _told_on_the_way(asked, lambda emit: _answer(served, site, arguments, emit))
            tool = toolset.tool(params.name)
            called = await served.call(site, tool.name, arguments, by_model=False)
            return call_given(called.to_json(), kept=called.kept, is_structured=is_structured(tool.output))
        except UnknownTool as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from error
        except PegboardError as error:
            return error_given(error)
        except Exception as error:  # noqa: BLE001 (the edge: nothing gets past it but cancellation)
            return error_given(unexpected(error))

    async def list_resources(
        self, asked: Asked, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """Return none: what can be read is linked to by results."""
        return types.ListResourcesResult(resources=[])

    async def read_resource(self, asked: Asked, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """Return a result that is kept."""
        served, _ = self._at(asked)
        ref = ref_of(params.uri)
        if ref is None:
            raise MCPError(types.INVALID_PARAMS, f"There is no resource {params.uri[:200]!r}.")
        try:
            part = await served.result_part(ref)
            if part.total_bytes > _RESOURCE_BYTES:
                told = f"The result has {part.total_bytes:,} bytes, more than is given at once."
                raise MCPError(types.INVALID_PARAMS, f"{told} GET /results/{ref}/file has it.")
            found, kind = [part.content], part.media_type
            while part.next_offset is not None:
                part = await served.result_part(ref, part.next_offset)
                found.append(part.content)
        except UnknownResult as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from error
        return types.ReadResourceResult(contents=[contents(params.uri, b"".join(found), kind)])


async def _answer(
    served: Served, site: str, arguments: dict[str, Json], emit: Callable[[Event], None]
) -> types.CallToolResult:
    """Answer the question of `arguments`.

    Raises:
        InvalidArguments: they are not those of the tool that asks.
        UsageError, CallFailed: there is no answer.
    """
    query, previous = arguments.get("query"), arguments.get("previous") or []
    if unknown := sorted(set(arguments) - {"query", "previous"}):
        raise InvalidArguments(f"There is no argument {unknown[0][:80]!r}.", hint="Give `query`, and `previous`.")
    if not isinstance(query, str):
        raise InvalidArguments("`query` is no text.", hint="Give the question in words.", missing=["query"])
    if not isinstance(previous, list) or not all(isinstance(each, str) for each in previous):
        raise InvalidArguments("`previous` is no list of texts.", hint="Give the earlier questions, oldest first.")
    question = served.question(query, site=site, previous=[str(each) for each in previous])
    answer = await served.ask(question, emit=emit)
    return answer_given(answer.to_json())


async def _told_on_the_way(
    asked: Asked, work: Callable[[Callable[[Event], None]], Awaitable[types.CallToolResult]]
) -> types.CallToolResult:
    """Return what `work` gives; what happens meanwhile is told to a client that wants to hear of its progress."""
    outgoing, heard = anyio.create_memory_object_stream[str](float("inf"))
    results: list[types.CallToolResult] = []
    errors: list[Exception] = []

    def emit(event: Event) -> None:
        if said := _said(event):
            outgoing.send_nowait(said.encode("utf-8", "replace").decode())

    async with anyio.create_task_group() as group:
        group.start_soon(_report, asked, heard)
        with outgoing:
            try:
                results.append(await work(emit))
            except Exception as error:  # noqa: BLE001 (raised below, outside of the group that would wrap it)
                errors.append(error)
    if errors:
        raise errors[0]
    return results[0]


async def _report(asked: Asked, heard: MemoryObjectReceiveStream[str]) -> None:
    progress = 0
    async with heard:
        async for said in heard:
            progress += 1
            await asked.session.report_progress(progress, message=said)


def _said(event: Event) -> str:
    match event:
        case ToolChosen():
            return f"tool: {event.tool or 'none'}"
        case PlanMade():
            nodes = event.plan.get("plan")
            count = len(held) if isinstance(nodes, dict) and isinstance(held := nodes.get("nodes"), list) else 0
            return f"planned: {count} steps"
        case NodeStarted():
            return f"{event.node} {event.tool}: started"
        case NodeEnded():
            return f"{event.node}: {event.state}"
        case Degraded():
            return event.reason
        case _:
            return ""
