"""A server at an address, over streamable HTTP: the SDK's transport, with a client of ours below it.

Left to itself the SDK ends the whole session where one request cannot be sent, forgets why a server refuses, and reads
a reply however long it is. So what goes wrong with a request is told to the SDK as that request's answer.
"""

import json
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
import httpcore2
import httpx2
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CONNECTION_CLOSED, INTERNAL_ERROR

from pegboard.config.blocks.auth import AuthDeclaration
from pegboard.handlers.mcp.wire import MAX_BYTES, Wire
from pegboard.llm.retry_after import retry_after_seconds
from pegboard.net.auth import secrets_of, with_auth
from pegboard.net.connect import Guarded
from pegboard.net.exchange import Request
from pegboard.net.policy import Policy
from pegboard.text import Json

_log = logging.getLogger(__name__)

HTTP_STATUS = "pegboard.status"
"""Key of the data of an error that stands for an HTTP status."""
RETRY_AFTER = "pegboard.retry_after"
_CONNECT_SECONDS = 5.0
_CONNECTIONS = 100
_IDLE_SECONDS = 30.0
_LEAVING_SECONDS = 1.0
_LONGEST_ERROR = 65_536
_LONGEST_REST_SECONDS = 86_400.0
_NOT_FOUND = 404


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens, and how it is told who asks."""

    url: str
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    auth: AuthDeclaration | None
    policy: Policy
    """Which addresses may be asked."""
    longest_seconds: float
    """How long a server may be silent while it works on a request."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """Texts that nobody is shown."""
        return tuple(filter(None, secrets_of(self.auth))) if self.auth else ()

    @asynccontextmanager
    async def wire(self) -> AsyncIterator[Wire]:
        """Open a way to it; nothing is sent yet.

        Raises:
            CallFailed: a secret is missing.
        """
        asked = with_auth(Request("POST", self.url, self.headers), self.auth)
        transport = _Answering(_Guarded(self.policy), self.longest_seconds)
        async with (
            httpx2.AsyncClient(transport=transport, headers=list(asked.headers), trust_env=False) as http,
            streamable_http_client(asked.url, http_client=http, max_sse_event_size=MAX_BYTES) as (incoming, outgoing),
        ):
            yield Wire(incoming, outgoing)


class _Guarded(httpx2.AsyncHTTPTransport):
    """Reaches what a policy allows, and no other address of the same name."""

    def __init__(self, policy: Policy) -> None:
        super().__init__(trust_env=False)
        self._pool = httpcore2.AsyncConnectionPool(  # httpx2 has no way to be given one
            ssl_context=httpcore2.default_ssl_context(),
            max_connections=_CONNECTIONS,
            keepalive_expiry=_IDLE_SECONDS,
            network_backend=Guarded(policy, is_foreign=False),
        )


class _Answering(httpx2.AsyncBaseTransport):
    """Turns what goes wrong with a request into an answer in MCP's own form."""

    def __init__(self, below: httpx2.AsyncBaseTransport, longest_seconds: float) -> None:
        self._below = below
        self._longest_seconds = longest_seconds

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.method == "DELETE":  # said while leaving, when everything is cancelled already
            with anyio.CancelScope(shield=True), anyio.move_on_after(_LEAVING_SECONDS):
                return await self._answered(request)
            return httpx2.Response(504, request=request)
        return await self._answered(request)

    async def _answered(self, request: httpx2.Request) -> httpx2.Response:
        read = None if request.method == "GET" else self._longest_seconds  # a GET listens for what a server tells
        request.extensions["timeout"] = {"connect": _CONNECT_SECONDS, "read": read, "write": read, "pool": None}
        request.headers["accept-encoding"] = "identity"  # what is unpacked has no bound here
        host = request.url.host
        try:
            response = await self._below.handle_async_request(request)
        except httpx2.TimeoutException:
            return _error(request, CONNECTION_CLOSED, f"{host} does not answer")
        except httpx2.TransportError as error:
            _log.info("%s cannot be reached: %r", host, error)
            return _error(request, CONNECTION_CLOSED, f"{host} cannot be reached")
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        if response.headers.get("content-encoding", "identity").strip().lower() not in {"identity", ""}:
            await response.aclose()
            return _error(request, CONNECTION_CLOSED, f"{host} packs its replies, though it was asked not to")
        is_open = response.headers.get("content-type", "").startswith("text/event-stream")
        response.stream = _Bounded(response.stream, host, None if is_open else MAX_BYTES)
        if response.status_code >= 400 and request.method == "POST" and response.status_code != _NOT_FOUND:
            return await _refusal(request, response)
        return response

    async def aclose(self) -> None:
        await self._below.aclose()


class _Bounded(httpx2.AsyncByteStream):
    """A body that is read no further than it may be long, and whose failures the SDK expects."""

    def __init__(self, below: httpx2.AsyncByteStream, host: str, most_bytes: int | None) -> None:
        self._below = below
        self._host = host
        self._left = most_bytes

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for piece in self._below:
                if self._left is not None:
                    self._left -= len(piece)
                    if self._left < 0:
                        raise httpx2.StreamError(f"{self._host} sent more than {MAX_BYTES >> 20} MiB")
                yield piece
        except httpx2.TransportError as error:
            raise httpx2.StreamError(f"{self._host} broke off its reply: {type(error).__name__}") from error

    async def aclose(self) -> None:
        await self._below.aclose()


async def _refusal(request: httpx2.Request, response: httpx2.Response) -> httpx2.Response:
    """Return the error that stands for a status of 400 and above: the server's own, where it speaks MCP."""
    try:
        body = bytearray()
        async for piece in response.aiter_bytes():
            body += piece
            if len(body) > _LONGEST_ERROR:
                break
    except (httpx2.StreamError, httpx2.TransportError, httpx2.DecodingError):
        body = bytearray()
    finally:
        await response.aclose()
    if _is_error(bytes(body)):
        headers = {"content-type": "application/json"}
        return httpx2.Response(response.status_code, headers=headers, content=bytes(body), request=request)
    data: dict[str, Json] = {HTTP_STATUS: response.status_code}
    if (seconds := retry_after_seconds(response.headers)) is not None:
        data[RETRY_AFTER] = min(seconds, _LONGEST_REST_SECONDS)
    message = f"{request.url.host} answered {response.status_code} {response.reason_phrase}".rstrip()
    return _error(request, INTERNAL_ERROR, message, data, status=response.status_code)


def _is_error(body: bytes) -> bool:
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(told, dict) and "jsonrpc" in told and isinstance(told.get("error"), Mapping)


def _error(
    request: httpx2.Request, code: int, message: str, data: Mapping[str, Json] | None = None, *, status: int = 502
) -> httpx2.Response:
    error: dict[str, Json] = {"code": code, "message": message}
    if data is not None:
        error["data"] = dict(data)
    return httpx2.Response(status, json={"jsonrpc": "2.0", "id": None, "error": error}, request=request)
