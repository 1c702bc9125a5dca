"""`cascade`: the embedded scorer first; a model scores only the few candidates between which that is unsure."""

from collections.abc import Sequence

from pegboard.catalog.tool import Cascade, Tool
from pegboard.route.score import Score
from pegboard.route.shortlist import ranking
from pegboard.route.strategies.embedded import ByEmbedded
from pegboard.route.strategies.score import ByScore
from pegboard.route.strategies.strategy import Asked, Scored


class ByCascade:
    """Asks the model where the local scores leave a doubt, and only about those that the doubt is about."""

    async def score(self, asked: Asked) -> Scored:
        """Return the local scores where they are sure, else the model's of the few and none of the others."""
        chosen = doubtful(asked.tools, await asked.local.scores(), asked.toolset.routing.cascade)
        if not chosen:
            return await ByEmbedded().score(asked)
        return (await ByScore().score(asked.only(chosen))).among(asked, chosen)


def doubtful(tools: Sequence[Tool], local: Sequence[Score], cascade: Cascade) -> list[int]:
    """Return the candidates that a model has to score, in declared order; empty: the local scores decide.

    They decide where the best is `sure` and ahead of the next by the `margin`, and where none reaches the `floor`.
    Otherwise the best `most` that reach it are asked about, and those that are pinned.
    """
    ranked = ranking(local)
    values = [local[index].value or 0.0 for index in ranked]
    ahead = values[0] - values[1] if len(values) > 1 else values[0]
    if (values[0] >= cascade.sure and ahead >= cascade.margin) or values[0] < cascade.floor:
        return []
    best = [index for index, value in zip(ranked, values, strict=True) if value >= cascade.floor][: cascade.most]
    return sorted({*best, *(index for index, tool in enumerate(tools) if tool.pinned)})
