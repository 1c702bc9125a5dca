"""`Session`: an open session with a server, shared by calls; it knows which tools the server has just now.

A session that has ended says so (`is_broken`): its calls fail, and the next one opens another.
"""

import json
import logging
import math
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version

import anyio
import mcp_types as types
from anyio.abc import TaskGroup
from mcp import Client, MCPError
from mcp.client.subscriptions import SubscriptionLost
from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import TypeAdapter, ValidationError

from pegboard.catalog.invisible import visible
from pegboard.catalog.pins import Definition
from pegboard.errors import CallFailed, UpstreamFailed, UpstreamTimedOut
from pegboard.handlers.mcp.remote import HTTP_STATUS, RETRY_AFTER
from pegboard.handlers.mcp.wire import Place, Wire
from pegboard.net.secrets import masked_text
from pegboard.text import Json, to_json

_log = logging.getLogger(__name__)

OPENING_SECONDS = 15.0
"""For the handshake and the first list of tools: the SDK itself waits 10 s before it tries the older handshake."""
LOOK_AGAIN_SECONDS = 60.0
"""How long a list of tools is believed where the server tells of no change."""
_LISTEN_AGAIN_SECONDS = 5.0
_LONGEST_MESSAGE = 2_000
_MOST_PAGES = 100
_MOST_TOOLS = 10_000
_MOST_LISTED_BYTES = 32 << 20
"""Of all definitions together, as JSON."""
_OURSELVES = types.Implementation(name="pegboard", version=version("pegboard"))
_TERMINATED = "Session terminated"
"""What the SDK makes of a 404 within a session: the server has forgotten it."""
_WANTED = {"name", "title", "description", "input_schema", "output_schema", "annotations"}
_Reply: TypeAdapter[types.CallToolResult | types.InputRequiredResult] = TypeAdapter(
    types.CallToolResult | types.InputRequiredResult
)

Progress = Callable[[float, float | None, str | None], None]
"""How far a call is, how far it goes (None: nobody knows), and what the server says of it."""


@dataclass
class _Asked:
    """A request under way, and what came of it."""

    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    ended: anyio.Event = field(default_factory=anyio.Event)
    reply: types.CallToolResult | None = None
    failure: CallFailed | None = None


class Session:
    """An open session; made by `opened`."""

    def __init__(self, source: str, wire: Wire, secrets: Collection[str], group: TaskGroup) -> None:
        self.client = Client(wire, message_handler=self._hear, cache=None, client_info=_OURSELVES)
        """The SDK's; entered by `opened`."""
        self._source = source
        self._wire = wire
        self._secrets = secrets
        self._group = group
        self._is_broken = False
        self._is_over = False
        self._definitions: Mapping[str, Definition] = {}
        self._listed_at = -LOOK_AGAIN_SECONDS
        self._is_stale = True
        self._listing = anyio.Lock()
        self._told: set[str] = set()

    @property
    def is_broken(self) -> bool:
        """It has ended, and whoever comes next needs another."""
        return self._is_broken or bool(self._wire.ended)

    def end(self) -> None:
        """Let no call begin any more."""
        self._is_broken = True
        self._is_over = True

    async def listen(self) -> None:
        """Hear of changes of the tools where a server tells those alone who ask; ends with the session."""
        tools = self.client.server_capabilities.tools
        if self.client.protocol_version not in MODERN_PROTOCOL_VERSIONS or tools is None or not tools.list_changed:
            return
        while not self.is_broken:
            with suppress(MCPError, SubscriptionLost, TimeoutError):
                async with self.client.listen(tools_list_changed=True) as changes:
                    async for _ in changes:
                        self._is_stale = True
            self._is_stale = True  # what was told meanwhile is lost
            await anyio.sleep(_LISTEN_AGAIN_SECONDS)

    async def _hear(self, message: object) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            self._is_stale = True

    async def definitions(self) -> Mapping[str, Definition]:
        """Return what the server says of its tools, by name; asked again after it told of a change, or in a while.

        Raises:
            UpstreamFailed: it does not say.
        """
        async with self._listing:
            if self._is_stale or anyio.current_time() - self._listed_at >= LOOK_AGAIN_SECONDS:
                self._is_stale = False  # a change that is told from now on counts again
                try:
                    self._definitions = await self._list()
                except BaseException:
                    self._is_stale = True
                    raise
                self._listed_at = anyio.current_time()
        return self._definitions

    async def _list(self) -> Mapping[str, Definition]:
        found: dict[str, Definition] = {}
        size = 0
        cursor: str | None = None
        try:
            for _ in range(_MOST_PAGES):
                page = await self.client.list_tools(cursor=cursor)
                told = {tool.name: definition_of(tool) for tool in page.tools}
                size += sum(len(to_json(definition)) for definition in told.values())
                if size > _MOST_LISTED_BYTES:
                    raise UpstreamFailed(f"Source {self._source!r} lists more than {_MOST_LISTED_BYTES >> 20} MiB.")
                found |= told
                cursor = page.next_cursor
                if cursor is None or len(found) > _MOST_TOOLS:
                    return found
        except (MCPError, ValidationError) as error:
            raise self._failure(error) from error
        return found

    def tell_new(self, known: Collection[str]) -> None:
        """Log, once each, the tools that the server has and nobody has approved."""
        if new := sorted(set(self._definitions) - set(known) - self._told):
            self._told.update(new)
            names = ", ".join(visible(name) for name in new[:20])
            more = f" and {len(new) - 20} more" if len(new) > 20 else ""
            hint = f"`platform pins diff {self._source}` shows them."
            _log.warning("source %r has tools that nobody has approved: %s%s. %s", self._source, names, more, hint)

    async def call(
        self, tool: str, arguments: Mapping[str, Json], *, progress: Progress | None = None
    ) -> types.CallToolResult:
        """Call a tool; whoever stops waiting is let go at once, and the server is told.

        Raises:
            UpstreamFailed: there is no result.
        """
        if self._is_over:
            raise self.ended()
        asked = _Asked()
        self._group.start_soon(self._ask, asked, tool, arguments, progress)
        try:
            await asked.ended.wait()
        finally:
            asked.scope.cancel()
        if asked.reply is None:
            raise asked.failure or self.ended()
        return asked.reply

    async def _ask(self, asked: _Asked, tool: str, arguments: Mapping[str, Json], progress: Progress | None) -> None:
        """Ask in a task of the session's: telling the server of a cancellation may take a while."""
        sendable = json.loads(to_json(dict(arguments)))  # half a surrogate cannot be sent, and would end the session
        request = types.CallToolRequest(params=types.CallToolRequestParams(name=tool, arguments=sendable))
        try:
            with asked.scope:
                reply = await self.client.session.send_request(
                    request, _Reply, progress_callback=None if progress is None else partial(_tell, progress)
                )
                if isinstance(reply, types.CallToolResult):
                    asked.reply = reply
                else:
                    message = f"Tool {tool!r} of source {self._source!r} asks for something that nobody here can give."
                    asked.failure = UpstreamFailed(message)
        except Exception as error:  # noqa: BLE001 (the session's other calls go on)
            asked.failure = self._failure(error)
        finally:
            asked.ended.set()

    def _failure(self, error: Exception) -> CallFailed:
        """Return what a failed request comes to; one that says that the session has ended breaks it."""
        if not isinstance(error, MCPError):
            if not isinstance(error, ValidationError):
                _log.exception("a request to source %r failed", self._source, exc_info=error)
            return UpstreamFailed(f"Source {self._source!r} sent what is no reply.")
        self._is_broken = self._is_broken or error.code == CONNECTION_CLOSED or error.message == _TERMINATED
        if self._is_broken and (self._wire.ended or error.message == _TERMINATED):
            return self.ended()
        return failure_of(self._source, error, self._secrets)

    def ended(self) -> UpstreamFailed:
        """Return what a call fails with after the session's end."""
        why = self._wire.ended or "ended"
        return UpstreamFailed(f"The session with source {self._source!r} is over: the server {why}.", is_retryable=True)


async def _tell(progress: Progress, done: float, total: float | None, message: str | None) -> None:
    progress(done, total, message)


def failure_of(source: str, error: MCPError, secrets: Collection[str] = ()) -> UpstreamFailed:
    """Return what an error of MCP's comes to, without what nobody is shown."""
    message = told(error.message, secrets)
    if error.code == REQUEST_TIMEOUT:
        return UpstreamTimedOut(f"Source {source!r} did not answer in time.", is_retryable=True)
    data = error.data if isinstance(error.data, Mapping) else {}
    status, after = data.get(HTTP_STATUS), data.get(RETRY_AFTER)
    is_retryable = error.code == CONNECTION_CLOSED or status in {408, 429, 500, 502, 503, 504}
    hint = "Look at `auth` of the source." if status in {401, 403} else ""
    return UpstreamFailed(
        f"Source {source!r} failed: {message}.",
        hint=hint,
        is_retryable=is_retryable,
        retry_after_seconds=float(after) if isinstance(after, int | float) else None,
    )


def told(text: str, secrets: Collection[str] = ()) -> str:
    """Return a text of the server's as it may be shown: bounded, visible, without secrets."""
    text = masked_text(visible(text), secrets).strip()
    return (f"{text[:_LONGEST_MESSAGE]} …" if len(text) > _LONGEST_MESSAGE else text).rstrip(".")


def definition_of(tool: types.Tool) -> Definition:
    """Return what the server says of a tool, as it is pinned."""
    dumped: dict[str, Json] = tool.model_dump(mode="json", by_alias=True, exclude_none=True, include=_WANTED)
    return dumped


@asynccontextmanager
async def opened(source: str, place: Place) -> AsyncIterator[Session]:
    """Open a session and list the server's tools.

    Raises:
        CallFailed: it cannot be opened.
    """
    raised: Exception | None = None
    session: Session | None = None
    with anyio.CancelScope(deadline=anyio.current_time() + OPENING_SECONDS) as scope:
        try:
            async with place.wire() as wire, anyio.create_task_group() as group:
                session = Session(source, wire, place.secrets, group)
                async with session.client:
                    await session.definitions()
                    scope.deadline = math.inf
                    group.start_soon(session.listen)
                    try:
                        yield session
                    except Exception as error:  # noqa: BLE001 (it is raised again below, alone)
                        raised = error
                    session.end()
                    group.cancel_scope.cancel()
        except Exception as error:
            if scope.deadline != math.inf:
                raise _unopened(source, error, session, place.secrets) from error
            _log.warning("the session with source %r broke: %r", source, _first(error))
        finally:
            if session is not None:
                session.end()
    if raised is not None:
        raise raised
    if scope.cancelled_caught and session is not None and scope.deadline != math.inf:
        message = f"Source {source!r} opened no session within {OPENING_SECONDS:g} s."
        raise UpstreamTimedOut(message, is_retryable=True)


def _unopened(source: str, error: Exception, session: Session | None, secrets: Collection[str]) -> CallFailed:
    cause = _first(error)
    if isinstance(cause, CallFailed):
        return cause
    if session is not None and session.is_broken:
        return session.ended()
    if isinstance(cause, MCPError):
        return failure_of(source, cause, secrets)
    if isinstance(cause, ValidationError):
        return UpstreamFailed(f"Source {source!r} speaks no MCP: what it sent is no reply.")
    return UpstreamFailed(f"Source {source!r} speaks no MCP: {told(str(cause) or type(cause).__name__, secrets)}.")


def _first(error: Exception) -> Exception:
    """Return what went wrong, out of the groups that tasks put it into."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error
