"""`SingleFlight`: who asks what is being asked already waits for the same answer.

The request runs in a task of its own: whoever leaves does not take it from the others, and when all have left, it is
cancelled, which closes it before the last one is gone. It counts for whoever came first. Streams are not shared.
"""

from collections.abc import Callable
from typing import Any, Generic, cast

import anyio
from anyio.abc import TaskGroup

from pegboard.errors import BudgetSpent, ModelTimedOut, ModelUnreachable
from pegboard.llm.model import Model
from pegboard.llm.usage import count_cached, note_answer
from pegboard.llm.wrapper import Reply, Request, Wrapper

CLOSE_SECONDS = 2.0


class SingleFlight(Wrapper):
    """A model that is asked the same thing once at a time."""

    def __init__(self, inner: Model, group: TaskGroup) -> None:
        """Wrap `inner`; requests run in `group`."""
        super().__init__(inner)
        self._group = group
        self._flights: dict[bytes, _Flight[Any]] = {}

    async def ask(self, request: Request[Reply], timeout_seconds: float) -> Reply:
        ends_at = anyio.current_time() + timeout_seconds
        key = request.key
        while (flight := cast("_Flight[Reply] | None", self._flights.get(key))) is not None:
            try:
                reply = await flight.joined(max(0.0, ends_at - anyio.current_time()))
            except (BudgetSpent, ModelTimedOut):
                if anyio.current_time() >= ends_at:
                    raise
            else:
                count_cached()
                note_answer(self.name)
                return reply
        return await self._begun(key, request).landed(max(0.0, ends_at - anyio.current_time()))

    def _begun(self, key: bytes, request: Request[Reply]) -> "_Flight[Reply]":
        flight = _Flight(request, self.inner, self._group, over=lambda: self._drop(key, flight))
        self._flights[key] = flight
        return flight

    def _drop(self, key: bytes, flight: "_Flight[Any]") -> None:
        """Let nobody join `flight` any more."""
        if self._flights.get(key) is flight:
            del self._flights[key]


class _Flight(Generic[Reply]):
    """One request, and those who wait for its answer."""

    def __init__(self, request: Request[Reply], model: Model, group: TaskGroup, *, over: Callable[[], None]) -> None:
        self._request = request
        self._model = model
        self._group = group
        self._over = over
        self._waiting = 0
        self._scope = anyio.CancelScope()
        self._end = anyio.Event()
        self._reply: list[Reply] = []
        self._error: Exception = ModelUnreachable("The model was not asked to the end: this server closes.")

    async def landed(self, timeout_seconds: float) -> Reply:
        """Send the request, which may take so long, and return its reply."""
        self._group.start_soon(self._run, timeout_seconds)
        return await self._waited()

    async def joined(self, timeout_seconds: float) -> Reply:
        """Return the reply to a request that another has sent.

        Raises:
            ModelTimedOut: it does not come within so many seconds.
        """
        try:
            with anyio.fail_after(timeout_seconds):
                return await self._waited()
        except TimeoutError as error:
            raise ModelTimedOut(f"{self._model.name} did not answer within {timeout_seconds:.3g} s.") from error

    async def _run(self, timeout_seconds: float) -> None:
        try:
            with self._scope:
                self._reply.append(await self._request.to(self._model, timeout_seconds))
        except Exception as error:  # noqa: BLE001 (whatever it is, it concerns those who wait)
            self._error = error
        finally:
            self._over()
            self._end.set()

    async def _waited(self) -> Reply:
        self._waiting += 1
        try:
            await self._end.wait()
        finally:
            self._waiting -= 1
            if not self._waiting and not self._end.is_set():
                await self._abandon()
        if self._reply:
            return self._reply[0]
        raise self._error

    async def _abandon(self) -> None:
        self._over()
        self._scope.cancel()
        with anyio.move_on_after(CLOSE_SECONDS, shield=True):
            await self._end.wait()
