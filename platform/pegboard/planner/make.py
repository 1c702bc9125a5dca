"""`make`: from a goal to a sound plan, by the best way that there is."""

from dataclasses import replace

from pegboard.events import Degraded
from pegboard.planner.by_model import NoPlan, by_model
from pegboard.planner.planned import Goal, Means, Planned
from pegboard.planner.single import single
from pegboard.planner.usable import usable


async def make(goal: Goal, means: Means) -> Planned:
    """Plan `goal`.

    Raises:
        UsageError: none of the site's tools fits it.
        InvalidArguments: something that a tool needs is not in the question.
    """
    goal = replace(goal, toolset=usable(goal.toolset))
    reason = ""
    if means.planner is not None:
        try:
            return await by_model(goal, means, means.planner)
        except NoPlan as error:
            reason = str(error)
            means.emit(Degraded(reason))
    planned = await single(goal, means)
    return replace(planned, degraded=" ".join(filter(None, (reason, planned.degraded))))
