"""The one file that speaks to a provider: an endpoint with OpenAI's chat API, any base URL.

Requests go out under a deadline each; the SDK's retries are off, for what is tried again is decided where it is seen
(`llm/retried.py`). Redirects are not followed: a prompt goes where it was meant to go. Every failure becomes a
`ModelError` whose sentence names the endpoint. Cancelling closes the connection.

Not here: the meaning of what is sent (`llm/openai.py`) and of what comes back (`llm/wire.py`).
"""

import math
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any, TypeAlias, TypeVar
from urllib.parse import urlsplit

import anyio
import httpx2
import openai
from openai import AsyncAPIResponse

from pegboard.errors import ModelDenied, ModelError, ModelRefused, ModelThrottled, ModelTimedOut, ModelUnreachable
from pegboard.llm import wire
from pegboard.llm.bounded import BoundedClient
from pegboard.llm.retry_after import retry_after_seconds
from pegboard.llm.usage import count_call
from pegboard.text import Json, clipped

PROVIDER_URL = "https://api.openai.com/v1"
CONNECT_SECONDS = 5.0
CLOSE_SECONDS = 2.0
STALL_SECONDS = 20.0
"""A streamed answer of which nothing comes for so long is given up, however far its deadline is."""

Outcome = TypeVar("Outcome")
Opening: TypeAlias = AbstractAsyncContextManager[AsyncAPIResponse[Any]]
_FAULTS = (
    openai.OpenAIError,
    httpx2.HTTPError,
    httpx2.InvalidURL,
    httpx2.StreamError,
    anyio.EndOfStream,
    anyio.BrokenResourceError,
    OSError,
)


class Endpoint:
    """Connections to an endpoint; close them."""

    def __init__(self, *, base_url: str, api_key: str, stall_seconds: float = STALL_SECONDS) -> None:
        self._url = base_url or PROVIDER_URL
        self.where = place_of(base_url)
        """The endpoint as messages name it: without user, password and query."""
        self._api_key = api_key
        self._stall_seconds = stall_seconds
        self._opened: openai.AsyncOpenAI | None = self._open()

    async def aclose(self) -> None:
        """Close all connections; whoever asks again opens new ones."""
        opened, self._opened = self._opened, None
        if opened is not None:
            with anyio.move_on_after(CLOSE_SECONDS, shield=True):
                await opened.close()

    @property
    def _client(self) -> openai.AsyncOpenAI:
        self._opened = self._opened or self._open()
        return self._opened

    def _open(self) -> openai.AsyncOpenAI:
        timeout = httpx2.Timeout(None, connect=CONNECT_SECONDS)
        http = BoundedClient(where=self.where, timeout=timeout)
        return openai.AsyncOpenAI(
            base_url=self._url, api_key=self._api_key or "none", max_retries=0, timeout=timeout, http_client=http
        )

    async def models(self, *, timeout_seconds: float) -> Mapping[str, Json]:
        """Return the endpoint's list of models, as it comes.

        Raises:
            ModelError
        """
        return await self._answer(self._client.models.with_streaming_response.list, timeout_seconds)

    async def chat(self, body: Mapping[str, Json], *, timeout_seconds: float) -> Mapping[str, Json]:
        """Send a chat request and return the whole answer.

        Raises:
            ModelError: `ModelTimedOut` when the deadline passes.
        """
        return await self._answer(lambda: self._chatting(body), timeout_seconds)

    async def chat_events(self, body: Mapping[str, Json], *, timeout_seconds: float) -> AsyncGenerator[str]:
        """Send a chat request and yield what each event of the streamed answer holds.

        Raises:
            ModelError: also in the middle, when the connection breaks, the deadline passes or nothing comes any more.
        """
        call = _Call(self.where, timeout_seconds)
        stack = AsyncExitStack()
        try:
            response = await call.step(lambda: stack.enter_async_context(self._chatting(body)))
            events = _events(response.iter_bytes())
            stall = self._stall_seconds
            while (data := await call.step(lambda: anext(events, None), stall_seconds=stall)) is not None:
                yield data
        finally:
            with anyio.move_on_after(CLOSE_SECONDS, shield=True):
                await stack.aclose()

    def _chatting(self, body: Mapping[str, Json]) -> Opening:
        count_call()
        completions = self._client.chat.completions.with_streaming_response
        return completions.create(model="", messages=[], extra_body=body)

    async def _answer(self, opening: Callable[[], Opening], timeout_seconds: float) -> Mapping[str, Json]:
        content = await _Call(self.where, timeout_seconds).step(lambda: _content(opening))
        return wire.read_object(content, where=self.where)


async def _content(opening: Callable[[], Opening]) -> bytes:
    async with opening() as response:
        return b"".join([part async for part in response.iter_bytes()])


async def _events(parts: AsyncIterator[bytes]) -> AsyncIterator[str]:
    """Yield what the `data` lines of server-sent events hold; comments and other signs of life count for nothing."""
    async for line in _lines(parts):
        if line.startswith(b"data:") and (data := line.removeprefix(b"data:").strip()):
            yield data.decode("utf-8", "replace")


async def _lines(parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    rest = bytearray()
    async for part in parts:
        rest += part
        if b"\n" in part:
            *whole, rest = rest.split(b"\n")
            for line in whole:
                yield bytes(line)
    yield bytes(rest)


class _Call:
    """One request's deadline, and what its failures are."""

    def __init__(self, where: str, timeout_seconds: float) -> None:
        self._where = where
        self._timeout_seconds = timeout_seconds
        self._ends_at = anyio.current_time() + timeout_seconds

    async def step(self, act: Callable[[], Awaitable[Outcome]], *, stall_seconds: float = math.inf) -> Outcome:
        """Do one step of the call before its deadline, and in at most `stall_seconds`.

        Raises:
            ModelError: it failed, or took too long.
        """
        stalls_at = anyio.current_time() + stall_seconds
        try:
            with anyio.CancelScope(deadline=min(self._ends_at, stalls_at)):
                return await act()
        except ModelError:
            raise
        except _FAULTS as fault:
            raise _as_model_error(fault, self._where) from fault
        if stalls_at < self._ends_at:
            raise ModelTimedOut(f"Nothing has come from {self._where} for {stall_seconds:.3g} s.")
        raise ModelTimedOut(f"{self._where} did not answer within {self._timeout_seconds:.3g} s.")


def place_of(base_url: str) -> str:
    """Return how messages name the endpoint at `base_url`; empty: the provider's own."""
    url = base_url or PROVIDER_URL
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path.rstrip('/')}" if host else url


def _as_model_error(fault: Exception, where: str) -> ModelError:
    """Map what the SDK and the HTTP stack raise to the most specific error of ours."""
    if isinstance(fault, openai.APIStatusError):
        after = retry_after_seconds(fault.response.headers)
        return _of_status(fault.status_code, _complaint(fault), where, after)
    if isinstance(fault, openai.APITimeoutError | httpx2.TimeoutException):
        return ModelUnreachable(f"{where} did not take the connection within {CONNECT_SECONDS:g} s.")
    cause = fault.__cause__ or fault
    if isinstance(cause, httpx2.ConnectError):
        return ModelUnreachable(f"{where} cannot be reached: {_words(cause)}.", hint="Is it running?")
    return ModelUnreachable(f"The connection to {where} broke: {_words(cause)}.")


def _complaint(fault: openai.APIStatusError) -> str:
    try:
        content = fault.response.content
    except httpx2.ResponseNotRead:
        return ""
    return wire.read_complaint(content)


def _of_status(status: int, complaint: str, where: str, after: float | None) -> ModelError:
    said = f": {complaint.rstrip('.')}" if complaint else ""
    sentence = f"{where} answered {status}{said}."
    match status:
        case 401 | 403:
            return ModelDenied(sentence, hint="Check the key: OPENAI_API_KEY, or `key` of the model's profile.")
        case 404:
            return ModelDenied(sentence, hint="Check the base URL and the name of the model.")
        case 402 | 429:
            return ModelThrottled(sentence, retry_after_seconds=after)
        case 408 | 504:
            return ModelTimedOut(sentence, retry_after_seconds=after)
        case _ if status >= 500 or status == 425:
            return ModelUnreachable(sentence, retry_after_seconds=after)
        case _:
            return ModelRefused(sentence)


def _words(fault: BaseException) -> str:
    return clipped(str(fault) or type(fault).__name__, 160).rstrip(".")
