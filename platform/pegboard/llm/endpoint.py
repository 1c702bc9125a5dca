"""The one file that speaks to a provider: an endpoint with OpenAI's chat API, any base URL.

Requests go out under one limiter, one breaker and a deadline each; the SDK's retries are off, for what is
tried again is decided where it is seen. Every failure becomes a `ModelError` whose sentence names the
endpoint. Cancelling closes the connection.

Not here: the meaning of what is sent (`llm/openai.py`) and of what comes back (`llm/wire.py`).
"""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any, TypeAlias, TypeVar
from urllib.parse import urlsplit

import anyio
import httpx2
import openai
from openai import AsyncAPIResponse

from pegboard.errors import ModelError, ModelMalformed, ModelRefused, ModelThrottled, ModelUnreachable
from pegboard.llm import wire
from pegboard.llm.breaker import Breaker
from pegboard.llm.usage import count_call
from pegboard.text import Json, clipped

PROVIDER_URL = "https://api.openai.com/v1"
CONNECT_SECONDS = 5.0
MAX_BODY_BYTES = 4 << 20
"""A longer answer is refused while it comes in."""

Outcome = TypeVar("Outcome")
Opening: TypeAlias = AbstractAsyncContextManager[AsyncAPIResponse[Any]]
_FAULTS = (openai.OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, OSError)


class Endpoint:
    """A connection to an endpoint; close it."""

    def __init__(self, *, base_url: str, api_key: str, max_parallel: int, breaker: Breaker) -> None:
        url = base_url or PROVIDER_URL
        self.where = _place(url)
        """The endpoint as messages name it: without user, password and query."""
        self._breaker = breaker
        self._limiter = anyio.CapacityLimiter(max_parallel)
        timeout = httpx2.Timeout(None, connect=CONNECT_SECONDS)
        http = httpx2.AsyncClient(timeout=timeout, follow_redirects=True, max_redirects=5)
        self._client = openai.AsyncOpenAI(
            base_url=url, api_key=api_key or "none", max_retries=0, timeout=timeout, http_client=http
        )

    async def aclose(self) -> None:
        """Close all connections."""
        with anyio.CancelScope(shield=True), anyio.move_on_after(2):
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

    async def chat_lines(self, body: Mapping[str, Json], *, timeout_seconds: float) -> AsyncGenerator[str]:
        """Send a chat request and yield the lines of the streamed answer, without the empty ones.

        Raises:
            ModelError: also in the middle, when the connection breaks or the deadline passes.
        """
        call = _Call(self.where, self._breaker, timeout_seconds)
        ticket = object()
        await call.step(lambda: self._limiter.acquire_on_behalf_of(ticket))
        stack = AsyncExitStack()
        try:
            response = await call.step(lambda: stack.enter_async_context(self._chatting(body)))
            lines = _lines(self._bounded(response))
            while (line := await call.step(lambda: anext(lines, None))) is not None:
                if line:
                    yield line
            call.succeeded()
        finally:
            with anyio.CancelScope(shield=True):
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
            return b"".join([part async for part in self._bounded(response)])

    async def _bounded(self, response: AsyncAPIResponse[Any]) -> AsyncIterator[bytes]:
        size = 0
        async for part in response.iter_bytes():
            size += len(part)
            if size > MAX_BODY_BYTES:
                raise ModelMalformed(f"The answer of {self.where} is longer than {MAX_BODY_BYTES >> 20} MiB.")
            yield part


async def _lines(parts: AsyncIterator[bytes]) -> AsyncIterator[str]:
    rest = b""
    async for part in parts:
        *whole, rest = (rest + part).split(b"\n")
        for line in whole:
            yield line.decode("utf-8", "replace").rstrip("\r")
    yield rest.decode("utf-8", "replace")


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

    async def step(self, act: Callable[[], Awaitable[Outcome]]) -> Outcome:
        """Do one step of the call before its deadline; a failure is raised as a `ModelError`."""
        try:
            with anyio.CancelScope(deadline=self._ends_at) as scope:
                return await act()
        except _FAULTS as fault:
            error = _as_model_error(fault, self._where)
            self._note(error)
            raise error from fault
        if scope.cancelled_caught:
            self._breaker.failed(self._started)
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
    if isinstance(cause, httpx2.TooManyRedirects):
        return ModelUnreachable(f"{where} redirects in a circle.")
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
