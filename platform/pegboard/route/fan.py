"""All candidates are scored at once, under one deadline, and no longer than it takes to decide.

Not here: how one candidate is scored (`route/scoring.py`), nor which of them wins (`route/choose.py`).
"""

from collections.abc import Awaitable, Callable, Sequence, Set
from dataclasses import dataclass

import anyio
from anyio.abc import TaskGroup

from pegboard.route.score import Score

ScoreOne = Callable[[int], Awaitable[Score]]
"""Scores candidate i; a scorer's failure is a `Score` without a value, not an exception."""
Rank = Callable[[], Awaitable[Sequence[int]]]
"""Returns the candidates from the locally best to the worst."""
Arrived = Callable[[int, Score], None]
"""Called with each score as it arrives."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long scoring may go on."""

    early_stop: float
    """A score from here on ends it."""
    grace_seconds: float
    """How long it still waits then, and only for candidates that are locally ranked above."""
    timeout_seconds: float
    """How long it may take in all."""


@dataclass(frozen=True, slots=True)
class Fanned:
    """What came of it."""

    scores: tuple[Score | None, ...]
    """`scores[i]` belongs to candidate i; None: it was cut off."""
    stopped_by: int | None
    """The first candidate whose score ended the scoring early; None: none did."""


async def fan(
    score_one: ScoreOne, order: Sequence[int], patience: Patience, *, arrived: Arrived, rank: Rank | None = None
) -> Fanned:
    """Score all candidates and return when it can be decided; what is open then has been cancelled for real.

    They start in this `order`, which is their local ranking from the best to the worst; with `rank`, that is found
    while they are scored. At the first score of `early_stop` or more, only candidates ranked above all such scores
    are waited for (all of them, while the ranking is not known), for `grace_seconds`.
    """
    race = _Race(score_one, order, patience, arrived, rank)
    with anyio.move_on_after(patience.timeout_seconds):
        await race.run()
    return Fanned(tuple(race.scores), race.hits[0] if race.hits else None)


def awaited(ranking: Sequence[int], pending: Set[int], hits: Sequence[int]) -> set[int]:
    """Return which of `pending` may still change the choice: those ranked above every hit."""
    if not hits:
        return set(pending)
    above = ranking[: min(ranking.index(hit) for hit in hits)]
    return {candidate for candidate in above if candidate in pending}


class _Race:
    """The candidates under way."""

    def __init__(
        self, score_one: ScoreOne, order: Sequence[int], patience: Patience, arrived: Arrived, rank: Rank | None
    ) -> None:
        self.scores: list[Score | None] = [None] * len(order)
        self.hits: list[int] = []
        self._score_one = score_one
        self._order = order
        self._patience = patience
        self._arrived = arrived
        self._rank = rank
        self._ranking = order if rank is None else None
        self._pending = set(order)

    async def run(self) -> None:
        async with anyio.create_task_group() as group:
            for candidate in self._order:
                group.start_soon(self._score, candidate, group)
            if self._rank is not None:
                self._ranking = await self._rank()
                self._end_if_settled(group)

    async def _score(self, candidate: int, group: TaskGroup) -> None:
        score = await self._score_one(candidate)
        self.scores[candidate] = score
        self._pending.discard(candidate)
        self._arrived(candidate, score)
        if score.value is not None and score.value >= self._patience.early_stop:
            self.hits.append(candidate)
            if len(self.hits) == 1:
                group.start_soon(self._end_after_grace, group)
        self._end_if_settled(group)

    def _end_if_settled(self, group: TaskGroup) -> None:
        if not self.hits or (self._ranking is None and self._pending):
            return
        if self._ranking is None or not awaited(self._ranking, self._pending, self.hits):
            group.cancel_scope.cancel()

    async def _end_after_grace(self, group: TaskGroup) -> None:
        await anyio.sleep(self._patience.grace_seconds)
        group.cancel_scope.cancel()
