"""`Local`: the embedded scorer's scores of a question's candidates, found when they are first wanted.

A strategy that needs them to choose whom it asks waits for them; one that asks all can do so meanwhile.
"""

from collections.abc import Awaitable, Callable, Sequence

from pegboard.route.score import Score
from pegboard.route.shortlist import ranking


class Local:
    """Scores that are found once, however often they are asked for."""

    def __init__(self, find: Callable[[], Awaitable[Sequence[Score]]]) -> None:
        self._find = find
        self._found: tuple[Score, ...] | None = None

    async def scores(self) -> tuple[Score, ...]:
        """Return them; `scores[i]` belongs to candidate i."""
        if self._found is None:
            self._found = tuple(await self._find())
        return self._found

    async def ranking(self) -> list[int]:
        """Return the candidates from the best to the worst; of equal ones, the first declared first."""
        return ranking(await self.scores())

    def only(self, chosen: Sequence[int]) -> "Local":
        """Return those of the `chosen` candidates, in their order."""

        async def find() -> Sequence[Score]:
            scores = await self.scores()
            return [scores[index] for index in chosen]

        return Local(find)
