"""`Chain`: where one model gives nothing, the next one is asked, and it is said.

The next is asked when a model cannot be reached, does not answer in time, is throttled, or refuses whatever it is
asked (a wrong key or name). A model that declines a question, or whose reply cannot be read, has answered: another
one's answer would be an accident. A streamed answer goes on to the next only while nothing of it has come.

A call's time is shared: each model but the last may take half of what is left. The end of every chain is whatever
its caller does without a model: the embedded scorer, rules, an extract.
"""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

import anyio

from pegboard.errors import ModelDenied, ModelError, ModelThrottled, ModelUnreachable
from pegboard.events import Degraded
from pegboard.llm.model import Model
from pegboard.llm.telling import tell
from pegboard.llm.wrapper import Flow, Reply, Request, Wrapper, pieces_of, resolved
from pegboard.pacing.breaker import Breaker

_FAILED = (ModelUnreachable, ModelThrottled, ModelDenied)
_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Link:
    """One model of a chain."""

    profile: str
    """Its name, as messages have it."""
    model: Model
    breaker: Breaker
    """Of its endpoint: while it is open, the model is passed over at once."""


class Chain(Wrapper):
    """Several models, of which each stands in for the one before."""

    def __init__(self, links: Sequence[Link]) -> None:
        super().__init__(links[0].model)
        self._links = tuple(links)

    @property
    def scoring(self) -> str:
        """How the model is asked to score that is the first to be asked now."""
        there = (link.model.scoring for link in self._links if link.breaker.remaining_seconds == 0)
        return next(there, self.inner.scoring)

    async def resolve(self, *, timeout_seconds: float = 10.0) -> str:
        turns = _Turns(self._links, timeout_seconds)
        while True:
            try:
                return await resolved(turns.link.model, turns.seconds)
            except _FAILED as error:
                turns.follow(error)

    async def ask(self, request: Request[Reply], timeout_seconds: float) -> Reply:
        turns = _Turns(self._links, timeout_seconds)
        while True:
            try:
                reply = await request.to(turns.link.model, turns.seconds)
            except _FAILED as error:
                turns.follow(error)
            else:
                turns.tell()
                return reply

    async def flow(self, flow: Flow, timeout_seconds: float) -> AsyncGenerator[str]:
        turns = _Turns(self._links, timeout_seconds)
        has_begun = False
        while True:
            try:
                async with pieces_of(turns.link.model, flow, turns.seconds_left) as pieces:
                    async for piece in pieces:
                        if not has_begun:
                            turns.tell()
                        has_begun = True
                        yield piece
                return
            except _FAILED as error:
                if has_begun:
                    raise
                turns.follow(error)


class _Turns:
    """Whose turn it is in one call."""

    def __init__(self, links: Sequence[Link], timeout_seconds: float) -> None:
        self._waiting = list(links)
        self._ends_at = anyio.current_time() + timeout_seconds
        self._failed: list[tuple[Link, ModelError]] = []

    @property
    def link(self) -> Link:
        return self._waiting[0]

    @property
    def seconds_left(self) -> float:
        return max(0.0, self._ends_at - anyio.current_time())

    @property
    def seconds(self) -> float:
        """How long the model whose turn it is may take; a streamed answer takes what is left."""
        return self.seconds_left if len(self._waiting) == 1 else self.seconds_left * _SHARE

    def follow(self, error: ModelError) -> None:
        """Let the next one have its turn; raise `error`, and what happened before it, where there is none."""
        self._failed.append((self._waiting.pop(0), error))
        if not self._waiting:
            raise _of_all(self._failed) from error

    def tell(self) -> None:
        """Say who stood in for whom, and why."""
        if self._failed:
            first, error = self._failed[0]
            whose = f"Model profile {self.link.profile!r} stood in for {first.profile!r}"
            tell(Degraded(f"{whose}: {error}"), once=whose)


def _of_all(failed: Sequence[tuple[Link, ModelError]]) -> ModelError:
    """Return the last error, with what each profile said."""
    last = failed[-1][1]
    if len(failed) == 1:
        return last
    told = " ".join(f"{link.profile}: {error.message}" for link, error in failed)
    return type(last)(f"No model profile gave an answer. {told}", hint=last.hint)
