"""`SingleFlight`: who asks what is being asked already waits for the same answer.

The request counts for whoever came first. Streams are not shared, nor what is answered freely (a temperature above 0).
"""

from functools import partial
from typing import Any, cast

import anyio
from anyio.abc import TaskGroup

from pegboard.errors import BudgetSpent, ModelTimedOut, ModelUnreachable
from pegboard.llm.model import Model
from pegboard.llm.usage import count_cached, note_answer
from pegboard.llm.wrapper import Reply, Request, Wrapper
from pegboard.pacing.flight import Flight


class SingleFlight(Wrapper):
    """A model that is asked the same thing once at a time."""

    def __init__(self, inner: Model, group: TaskGroup) -> None:
        """Wrap `inner`; requests run in `group`."""
        super().__init__(inner)
        self._group = group
        self._flights: dict[bytes, Flight[Any]] = {}

    async def ask(self, request: Request[Reply], timeout_seconds: float) -> Reply:
        if request.prompt.temperature > 0:
            return await request.to(self.inner, timeout_seconds)
        ends_at = anyio.current_time() + timeout_seconds
        key = request.key
        while (flight := cast("Flight[Reply] | None", self._flights.get(key))) is not None:
            try:
                reply = await self._joined(flight, max(0.0, ends_at - anyio.current_time()))
            except (BudgetSpent, ModelTimedOut):
                if anyio.current_time() >= ends_at:
                    raise
            else:
                count_cached()
                note_answer(self.name)
                return reply
        return await self._begun(key, request, max(0.0, ends_at - anyio.current_time()))

    async def _begun(self, key: bytes, request: Request[Reply], timeout_seconds: float) -> Reply:
        work = partial(request.to, self.inner, timeout_seconds)
        flight: Flight[Reply] = Flight(work, over=lambda: self._drop(key, flight), lost=_lost)
        self._flights[key] = flight
        return await flight.begun(self._group)

    async def _joined(self, flight: Flight[Reply], timeout_seconds: float) -> Reply:
        try:
            return await flight.joined(timeout_seconds)
        except TimeoutError as error:
            raise ModelTimedOut(f"{self.name} did not answer within {timeout_seconds:.3g} s.") from error

    def _drop(self, key: bytes, flight: Flight[Any]) -> None:
        """Let nobody join `flight` any more."""
        if self._flights.get(key) is flight:
            del self._flights[key]


def _lost() -> ModelUnreachable:
    return ModelUnreachable("The model was not asked to the end: this server closes.")
