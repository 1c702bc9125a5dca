"""`Limited`: no more requests at once, and no more requests and tokens a minute, than a model's owner allows.

Who waits is served in the order of arrival. Who would wait beyond the deadline of its call is told so.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

import anyio

from pegboard.errors import ModelThrottled
from pegboard.llm.model import Model
from pegboard.llm.tokens import estimated, estimated_prompt
from pegboard.llm.usage import measured
from pegboard.llm.wrapper import Flow, Reply, Request, Wrapper, pieces_of
from pegboard.pacing.bucket import Bucket
from pegboard.pacing.clock import REAL, Clock


class Limited(Wrapper):
    """A model that is asked within limits."""

    def __init__(
        self,
        inner: Model,
        *,
        max_parallel: int = 8,
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
        clock: Clock = REAL,
    ) -> None:
        super().__init__(inner)
        self._clock = clock
        self._places = anyio.CapacityLimiter(max_parallel)
        self._queue = anyio.Lock()
        self._requests = Bucket(requests_per_minute, clock.now)
        self._tokens = Bucket(tokens_per_minute, clock.now)

    async def ask(self, request: Request[Reply], timeout_seconds: float) -> Reply:
        expected = estimated_prompt(request.prompt)
        async with self._turn(expected, timeout_seconds) as seconds_left:
            with measured() as usage:
                reply = await request.to(self.inner, seconds_left)
            self._tokens.take(max(0, usage.tokens_in + usage.tokens_out - expected))
            return reply

    async def flow(self, flow: Flow, timeout_seconds: float) -> AsyncGenerator[str]:
        async with (
            self._turn(estimated_prompt(flow.prompt), timeout_seconds) as seconds_left,
            pieces_of(self.inner, flow, seconds_left) as pieces,
        ):
            async for piece in pieces:
                self._tokens.take(estimated(piece))
                yield piece

    @asynccontextmanager
    async def _turn(self, tokens: int, timeout_seconds: float) -> AsyncIterator[float]:
        """Wait for a place and for the rates; the block gets how many seconds are left.

        Raises:
            ModelThrottled: none is.
        """
        ends_at = self._clock.now() + timeout_seconds
        holder = object()  # a streamed answer may be closed by another task than began it
        await self._wait(holder, tokens, ends_at, timeout_seconds)
        try:
            yield max(0.0, ends_at - self._clock.now())
        finally:
            self._places.release_on_behalf_of(holder)

    async def _wait(self, holder: object, tokens: int, ends_at: float, timeout_seconds: float) -> None:
        await self._take_place(holder, timeout_seconds)
        if self._passes_at_once(tokens):
            return
        try:
            with anyio.fail_after(timeout_seconds):
                await self._pass_rates(tokens, ends_at, timeout_seconds)
        except BaseException as error:
            self._places.release_on_behalf_of(holder)
            if isinstance(error, TimeoutError):
                raise self._throttled("requests or tokens a minute", timeout_seconds) from error
            raise

    async def _take_place(self, holder: object, timeout_seconds: float) -> None:
        try:
            self._places.acquire_on_behalf_of_nowait(holder)
        except anyio.WouldBlock:
            pass
        else:
            return
        try:
            with anyio.fail_after(timeout_seconds):
                await self._places.acquire_on_behalf_of(holder)
        except TimeoutError as error:
            raise self._throttled("requests at once", timeout_seconds) from error

    def _passes_at_once(self, tokens: int) -> bool:
        """Take from both rates where nobody waits for them and they allow it."""
        if self._queue.locked() or self._requests.wait_seconds(1) or self._tokens.wait_seconds(tokens):
            return False
        self._requests.take(1)
        self._tokens.take(tokens)
        return True

    async def _pass_rates(self, tokens: int, ends_at: float, timeout_seconds: float) -> None:
        """Wait until both rates allow a request of so many tokens; the first in the queue alone looks."""
        async with self._queue:
            while wait := max(self._requests.wait_seconds(1), self._tokens.wait_seconds(tokens)):
                if self._clock.now() + wait > ends_at:
                    raise self._throttled("requests or tokens a minute", timeout_seconds, wait)
                await self._clock.sleep(wait)
            self._requests.take(1)
            self._tokens.take(tokens)

    def _throttled(self, limit: str, seconds: float, wait: float | None = None) -> ModelThrottled:
        message = f"Model {self.name!r} was not asked: its limit of {limit} leaves no room within {seconds:.3g} s."
        hint = "The profile's max_parallel, requests_per_minute and tokens_per_minute say how much it may be asked."
        return ModelThrottled(message, hint=hint, retry_after_seconds=wait)
