"""`Timed`: no call takes longer than its model's owner, and what is left of the request's budget, allow."""

from collections.abc import AsyncGenerator

from pegboard.llm.model import Model
from pegboard.llm.usage import seconds_left
from pegboard.llm.wrapper import Flow, Reply, Request, Wrapper, pieces_of


class Timed(Wrapper):
    """A model with a deadline of its own; a caller's shorter one holds."""

    def __init__(self, inner: Model, *, timeout_seconds: float) -> None:
        super().__init__(inner)
        self._timeout_seconds = timeout_seconds

    async def ask(self, request: Request[Reply], timeout_seconds: float) -> Reply:
        return await request.to(self.inner, self._shortest(timeout_seconds))

    async def flow(self, flow: Flow, timeout_seconds: float) -> AsyncGenerator[str]:
        async with pieces_of(self.inner, flow, self._shortest(timeout_seconds)) as pieces:
            async for piece in pieces:
                yield piece

    def _shortest(self, timeout_seconds: float) -> float:
        left = seconds_left()
        shorter = min(timeout_seconds, self._timeout_seconds)
        return shorter if left is None else min(shorter, left)
