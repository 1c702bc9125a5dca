"""`BoundedClient`: HTTP whose bodies end, whatever the other side sends, and that goes nowhere else.

Not here: what a status or a body means (`llm/endpoint.py`).
"""

from collections.abc import AsyncIterator
from typing import Any

import httpx2

from pegboard.errors import ModelDenied, ModelMalformed
from pegboard.text import clipped

MAX_BODY_BYTES = 4 << 20
"""A longer answer is refused while it comes in."""
MAX_ERROR_BYTES = 64 << 10
"""Of the body of an error no more is read: it is only quoted."""


class BoundedClient(httpx2.AsyncClient):
    """A client that follows no redirect, whoever asks it to, and reads no more of a body than it must.

    A prompt goes where it was meant to go. Compressed bodies are neither asked for nor taken, for what one grows to is
    not known before. `send` raises `ModelDenied` and `ModelMalformed` besides what httpx2 raises.
    """

    def __init__(self, *, where: str, timeout: httpx2.Timeout) -> None:
        super().__init__(timeout=timeout)
        self._where = where

    async def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> httpx2.Response:
        """Send `request`, and bound what comes back."""
        request.headers["Accept-Encoding"] = "identity"
        response = await super().send(request, stream=True, **{**options, "follow_redirects": False})
        try:
            self._bound(response)
            if not stream:
                await response.aread()
        except BaseException:
            await response.aclose()
            raise
        return response

    def _bound(self, response: httpx2.Response) -> None:
        assert isinstance(response.stream, httpx2.AsyncByteStream)  # an asynchronous client has no other
        if response.has_redirect_location:
            raise self._redirected(response)
        if response.is_success:
            if response.headers.get("Content-Encoding", "identity").lower() != "identity":
                raise ModelMalformed(f"The answer of {self._where} is compressed, which was not asked for.")
            response.stream = _Refused(response.stream, self._where)
        else:
            response.headers.pop("Content-Encoding", None)
            response.stream = _Cut(response.stream)

    def _redirected(self, response: httpx2.Response) -> ModelDenied:
        try:
            host = response.request.url.join(response.headers["Location"]).host
        except httpx2.InvalidURL:
            host = ""
        wanted = f"the host {clipped(host, 100)!r}" if host else "elsewhere"
        sentence = f"{self._where} redirects to {wanted}, and redirects are not followed."
        return ModelDenied(sentence, hint="Give the base URL that answers itself: mind https and the path.")


class _Cut(httpx2.AsyncByteStream):
    """The beginning of a body."""

    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = MAX_ERROR_BYTES
        async for part in self._inner:
            yield part[:left]
            left -= len(part)
            if left <= 0:
                return

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Refused(httpx2.AsyncByteStream):
    """A body that is an error as soon as it is too long."""

    def __init__(self, inner: httpx2.AsyncByteStream, where: str) -> None:
        self._inner = inner
        self._where = where

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for part in self._inner:
            size += len(part)
            if size > MAX_BODY_BYTES:
                raise ModelMalformed(f"The answer of {self._where} is longer than {MAX_BODY_BYTES >> 20} MiB.")
            yield part

    async def aclose(self) -> None:
        await self._inner.aclose()
