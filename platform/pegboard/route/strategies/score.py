"""`score`: one call for each candidate, all at once, and no longer than it takes to decide."""

from collections.abc import Sequence

from pegboard.catalog.tool import Tool
from pegboard.route.fan import Fanned, Patience, fan
from pegboard.route.score import Score
from pegboard.route.scoring import score_by_model
from pegboard.route.strategies.strategy import Asked, Scored
from pegboard.text import named

ASKED_AT_ONCE = 8
"""How many calls an endpoint takes at once, if nothing else is declared. So few need no order of their own."""
CALL_SHARE = 0.95
"""A call ends a little before all scoring does, so that the model learns that its endpoint is slow."""


class ByScore:
    """Asks the model about each candidate by itself.

    The locally best go first where there are more than `ASKED_AT_ONCE`. Fewer all go at once, and the local ranking,
    which says who is waited for, is found meanwhile.
    """

    async def score(self, asked: Asked) -> Scored:
        """Return the scores, those that were cut off among them."""
        asked.asking()
        routing = asked.toolset.routing
        call_seconds = CALL_SHARE * routing.timeout_seconds

        async def score_one(index: int) -> Score:
            return await score_by_model(
                asked.model, asked.tools[index], asked.question, asked.toolset, timeout_seconds=call_seconds
            )

        patience = Patience(routing.early_stop, routing.grace_seconds, routing.timeout_seconds)
        if len(asked.tools) > ASKED_AT_ONCE:
            fanned = await fan(score_one, await asked.local.ranking(), patience, arrived=asked.arrived)
        else:
            order = range(len(asked.tools))
            fanned = await fan(score_one, order, patience, arrived=asked.arrived, rank=asked.local.ranking)
        why = _why_cut_off(fanned, asked.tools, routing.timeout_seconds)
        scores = tuple(score or Score(None, why, absence="cut_off") for score in fanned.scores)
        late = [index for index, score in enumerate(fanned.scores) if score is None]
        for index in late:
            asked.arrived(index, scores[index])
        names = named([asked.tools[index].name for index in late])
        return Scored(scores, asked.model.name, cut_off=f"{names} {why}" if late else "")


def _why_cut_off(fanned: Fanned, tools: Sequence[Tool], seconds: float) -> str:
    """Say why a candidate has no score: another ended the scoring, or time did."""
    if fanned.stopped_by is None:
        return f"no score within {seconds:g} s"
    hit = fanned.scores[fanned.stopped_by]
    assert hit is not None
    return f"cut off: {tools[fanned.stopped_by].name} reached {hit.value:.0f} first"
