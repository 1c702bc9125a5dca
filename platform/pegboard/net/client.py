"""`Client`: sends requests and reads replies, no further than they may be long."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2

from pegboard.errors import UpstreamFailed, UpstreamTimedOut
from pegboard.net.exchange import Request, Response

MAX_BYTES = 4 << 20
"""Of one reply."""


class Client:
    """An open client; made by `client`. Safe to use from several tasks."""

    def __init__(self, http: httpx2.AsyncClient) -> None:
        self._http = http

    async def send(self, request: Request, *, timeout_seconds: float, max_bytes: int = MAX_BYTES) -> Response:
        """Send `request` and read its reply, at most `max_bytes` of it; any status is a reply.

        Raises:
            UpstreamFailed: there is none.
            UpstreamTimedOut: nor is there one in time.
        """
        sent = self._http.build_request(
            request.method, request.url, headers=list(request.headers), content=request.body, timeout=timeout_seconds
        )
        try:
            reply = await self._http.send(sent, stream=True)
            body = bytearray()
            try:
                async for piece in reply.aiter_bytes():
                    body += piece
                    if len(body) > max_bytes:
                        break
            finally:
                await reply.aclose()
        except httpx2.TimeoutException as error:
            raise UpstreamTimedOut(f"{sent.url.host} did not answer in time.", is_retryable=True) from error
        except httpx2.HTTPError as error:
            raise UpstreamFailed(f"{sent.url.host} cannot be reached: {error}.", is_retryable=True) from error
        headers = tuple((name.lower(), value) for name, value in reply.headers.multi_items())
        return Response(
            reply.status_code, headers, bytes(body[:max_bytes]), str(reply.url), is_cut_off=len(body) > max_bytes
        )


@asynccontextmanager
async def client() -> AsyncIterator[Client]:
    """Open a client; redirects are not followed."""
    async with httpx2.AsyncClient(follow_redirects=False, trust_env=False) as http:
        yield Client(http)
