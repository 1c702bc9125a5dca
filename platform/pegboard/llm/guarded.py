"""`Guarded`: an endpoint that is down is not asked again at once, by nobody who shares its `Breaker`.

Only what `Retried` below it gave up counts as a failure. A refusal, a filter, a malformed reply show that the
endpoint is there; a limit of its own or of ours says nothing; nor does a call that was cancelled.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

from pegboard.errors import ModelFiltered, ModelMalformed, ModelRefused, ModelUnreachable
from pegboard.llm.model import Model
from pegboard.llm.wrapper import Flow, Reply, Request, Wrapper, pieces_of, resolved
from pegboard.pacing.breaker import Breaker


class Guarded(Wrapper):
    """A model behind a breaker."""

    def __init__(self, inner: Model, breaker: Breaker, *, where: str) -> None:
        super().__init__(inner)
        self._breaker = breaker
        self._where = where
        """The endpoint as messages name it."""

    async def resolve(self, *, timeout_seconds: float = 10.0) -> str:
        async with self._watched():
            return await resolved(self.inner, timeout_seconds)

    async def ask(self, request: Request[Reply], timeout_seconds: float) -> Reply:
        async with self._watched():
            return await request.to(self.inner, timeout_seconds)

    async def flow(self, flow: Flow, timeout_seconds: float) -> AsyncGenerator[str]:
        async with self._watched(), pieces_of(self.inner, flow, timeout_seconds) as pieces:
            async for piece in pieces:
                yield piece

    @asynccontextmanager
    async def _watched(self) -> AsyncIterator[None]:
        if (rest := self._breaker.remaining_seconds) > 0:
            message = f"{self._where} has just failed and is not asked again for {rest:.0f} s."
            raise ModelUnreachable(message, retry_after_seconds=rest)
        started = self._breaker.now()
        try:
            yield
        except ModelUnreachable:
            self._breaker.failed(started)
            raise
        except (ModelRefused, ModelFiltered, ModelMalformed):
            self._breaker.succeeded()
            raise
        self._breaker.succeeded()
