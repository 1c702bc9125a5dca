"""The one file that speaks to a provider: an endpoint with OpenAI's chat API, any base URL.

Requests go out under one limiter, one breaker and a deadline each; the SDK's retries are off, for what is
tried again is decided where it is seen. Redirects are not followed: a prompt goes where it was meant to go. Every
failure becomes a `ModelError` whose sentence names the endpoint. Cancelling closes the connection.

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

from pegboard.errors import ModelError, ModelRefused, ModelThrottled, ModelUnreachable
from pegboard.llm import wire
from pegboard.llm.bounded import BoundedClient
from pegboard.llm.breaker import Breaker
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
    """A connection to an endpoint; close it."""

    def __init__(
        self, *, base_url: str, api_key: str, max_parallel: int, breaker: Breaker, stall_seconds: float = STALL_SECONDS
    ) -> None:
        url = base_url or PROVIDER_URL
        self.where = _place(url)
        """The endpoint as messages name it: without user, password and query."""
        self._breaker = breaker
        self._stall_seconds = stall_seconds
        self._limiter = anyio.CapacityLimiter(max_parallel)
        timeout = httpx2.Timeout(None, connect=CONNECT_SECONDS)
        http = BoundedClient(where=self.where, timeout=timeout)
        self._client = openai.AsyncOpenAI(
            base_url=url, api_key=api_key or "none", max_retries=0, timeout=timeout, http_client=http
        )

    async def aclose(self) -> None:
        """Close all connections."""
        with anyio.move_on_after(CLOSE_SECONDS, shield=True):
            await self._client.close()

    async def models(self, *, timeout_seconds: float) -> Mapping[str, Json]:
        """Return the endpoint's list of models, as it comes.

        Raises:
            ModelError
        """
        return await self._answer(self._client.models.with_streaming_response.list, timeout_seconds)

    async def chat(self, body: Mapping[str, Json], *, timeout_seconds: float) -> Mapping[str, Json]:
        """Send a chat request and return the whole answer.

        Raises:
            ModelError: `ModelUnreachable` also when the deadline passes, waiting for the limiter included.
        """
        return await self._answer(lambda: self._chatting(body), timeout_seconds)

    async def chat_events(self, body: Mapping[str, Json], *, timeout_seconds: float) -> AsyncGenerator[str]:
        """Send a chat request and yield what each event of the streamed answer holds.

        Raises:
            ModelError: also in the middle, when the connection breaks, the deadline passes or nothing comes any more.
        """
        call = _Call(self.where, self._breaker, timeout_seconds)
        ticket = object()
        await call.step(lambda: self._limiter.acquire_on_behalf_of(ticket))
        stack = AsyncExitStack()
        try:
            response = await call.step(lambda: stack.enter_async_context(self._chatting(body)))
            events = _events(response.iter_bytes())
            stall = self._stall_seconds
            while (data := await call.step(lambda: anext(events, None), stall_seconds=stall)) is not None:
                yield data
            call.succeeded()
        finally:
            with anyio.move_on_after(CLOSE_SECONDS, shield=True):
                await stack.aclose()
            self._limiter.release_on_behalf_of(ticket)

    def _chatting(self, body: Mapping[str, Json]) -> Opening:
        count_call()
        completions = self._client.chat.completions.with_streaming_response
        return completions.create(model="", messages=[], extra_body=body)

    async def _answer(self, opening: Callable[[], Opening], timeout_seconds: float) -> Mapping[str, Json]:
        call = _Call(self.where, self._breaker, timeout_seconds)
        content = await call.step(lambda: self._content(opening))
        call.succeeded()
        return wire.read_object(content, where=self.where)

    async def _content(self, opening: Callable[[], Opening]) -> bytes:
        async with self._limiter, opening() as response:
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
    """One request's deadline, and where its failures go."""

    def __init__(self, where: str, breaker: Breaker, timeout_seconds: float) -> None:
        self._where = where
        self._breaker = breaker
        self._timeout_seconds = timeout_seconds
        self._ends_at = anyio.current_time() + timeout_seconds
        self._started = breaker.now()
        if (rest := breaker.remaining_seconds) > 0:
            raise ModelUnreachable(f"{where} has just failed and is not asked again for {rest:.0f} s.")

    async def step(self, act: Callable[[], Awaitable[Outcome]], *, stall_seconds: float = math.inf) -> Outcome:
        """Do one step of the call before its deadline, and in at most `stall_seconds`.

        Raises:
            ModelError: it failed, or took too long.
        """
        stalls_at = anyio.current_time() + stall_seconds
        try:
            with anyio.CancelScope(deadline=min(self._ends_at, stalls_at)) as scope:
                return await act()
        except ModelError as error:
            self._note(error)
            raise
        except _FAULTS as fault:
            mapped = _as_model_error(fault, self._where)
            self._note(mapped)
            raise mapped from fault
        if scope.cancelled_caught:
            self._breaker.failed(self._started)
        if stalls_at < self._ends_at:
            raise ModelUnreachable(f"Nothing has come from {self._where} for {stall_seconds:.3g} s.")
        raise ModelUnreachable(f"{self._where} did not answer within {self._timeout_seconds:.3g} s.")

    def succeeded(self) -> None:
        """Note that the answer came whole."""
        self._breaker.succeeded()

    def _note(self, error: ModelError) -> None:
        if isinstance(error, ModelUnreachable):
            self._breaker.failed(self._started)
        elif isinstance(error, ModelRefused):
            self._breaker.succeeded()


def _place(url: str) -> str:
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path.rstrip('/')}" if host else url


def _as_model_error(fault: Exception, where: str) -> ModelError:
    """Map what the SDK and the HTTP stack raise to the most specific error of ours."""
    if isinstance(fault, openai.APIStatusError):
        return _of_status(fault.status_code, _complaint(fault), where)
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


def _of_status(status: int, complaint: str, where: str) -> ModelError:
    said = f": {complaint.rstrip('.')}" if complaint else ""
    sentence = f"{where} answered {status}{said}."
    match status:
        case 401 | 403:
            return ModelRefused(sentence, hint="Check the key in OPENAI_API_KEY.")
        case 404:
            return ModelRefused(sentence, hint="Check the base URL and the name of the model.")
        case 429:
            return ModelThrottled(sentence)
        case 408 | 425:
            return ModelUnreachable(sentence)
        case _ if status >= 500:
            return ModelUnreachable(sentence)
        case _:
            return ModelRefused(sentence)


def _words(fault: BaseException) -> str:
    return clipped(str(fault) or type(fault).__name__, 160).rstrip(".")
