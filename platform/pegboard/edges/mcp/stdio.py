"""`serve_stdio`: MCP over a process's stdin and stdout, one message a line, until the client closes stdin."""

import os
import signal
import sys

import anyio
from anyio.abc import TaskStatus
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import NotificationOptions
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from pegboard.edges.mcp.lines import Lines
from pegboard.edges.mcp.server import mcp_server
from pegboard.edges.mcp.wire import Wire
from pegboard.edges.served import Serving

_STDIN, _STDOUT, _STDERR = 0, 1, 2


async def serve_stdio(serving: Serving, site: str, stdin: int, stdout: int, *, is_watching: bool = False) -> int:
    """Serve `site` on two file descriptors until input ends or a signal says stop; return its number, or 0.

    Where `is_watching`, changed documents are served, and clients hear that the tools have changed.
    """
    changes = _Changes(serving)
    server = mcp_server(lambda _: (serving.current, site), listening=ListenHandler(changes.bus))
    server.middleware.append(changes.note)
    options = server.create_initialization_options(NotificationOptions(tools_changed=True))
    stopped_by = 0

    async def stop_at_a_signal(*, task_status: TaskStatus[None]) -> None:
        nonlocal stopped_by
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            task_status.started()
            async for number in signals:
                stopped_by = int(number)
                group.cancel_scope.cancel()

    async with anyio.create_task_group() as group:
        await group.start(stop_at_a_signal)
        group.start_soon(serving.prepare)
        if is_watching:
            group.start_soon(serving.watch)
            group.start_soon(changes.tell)
        async with Wire(Lines(stdin), stdout).open() as (incoming, outgoing):
            await server.run(incoming, outgoing, options)
        group.cancel_scope.cancel()
    return stopped_by


def claim() -> tuple[int, int]:
    """Keep stdin and stdout of this process for the protocol, and return them; they are not given back.

    What handlers and their children read is empty then, and what they print is log, whenever it is flushed.
    """
    sys.stdout.flush()
    stdin, stdout = os.dup(_STDIN), os.dup(_STDOUT)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, _STDIN)
    os.dup2(_STDERR, _STDOUT)
    os.close(nothing)
    sys.stdout = sys.stderr
    return stdin, stdout


class _Changes:
    """Tells the client that the tools have changed, by the way of its version of the protocol."""

    def __init__(self, serving: Serving) -> None:
        self.bus = InMemorySubscriptionBus()
        self._serving = serving
        self._session: ServerSession | None = None
        """Of a client that is told without asking for it."""

    async def note(self, ctx: ServerRequestContext, call_next: CallNext) -> HandlerResult:
        """Learn who the client is."""
        if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            self._session = ctx.session
        return await call_next(ctx)

    async def tell(self) -> None:
        """Tell of each change; ends only when it is cancelled."""
        told = self._serving.current.catalog.digest
        while True:
            await self._serving.changed()
            if (digest := self._serving.current.catalog.digest) == told:
                continue
            told = digest
            await self.bus.publish(ToolsListChanged())
            if self._session is not None:
                await self._session.send_tool_list_changed()
