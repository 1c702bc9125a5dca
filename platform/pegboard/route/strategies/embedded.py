"""`embedded`: the local scores are the scores; no model is asked."""

from collections.abc import Sequence

from pegboard.route.score import Score
from pegboard.route.strategies.strategy import Arrived, Asked, Scored


class ByEmbedded:
    """Takes what the embedded scorer says."""

    async def score(self, asked: Asked) -> Scored:
        """Return the local scores."""
        return local_scores(await asked.local.scores(), asked.local_name, arrived=asked.arrived)


def local_scores(local: Sequence[Score], name: str, *, arrived: Arrived) -> Scored:
    """Return the scores of the embedded scorer `name` as those that count."""
    for index, score in enumerate(local):
        arrived(index, score)
    return Scored(tuple(local), name)
